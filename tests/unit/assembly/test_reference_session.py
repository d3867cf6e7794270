"""The six records of case F1 give the frames of case F2."""

import msgspec

from sessionizer.assembly.pipeline import Assembly, assemble
from sessionizer.assembly.statistics import Statistics
from sessionizer.assembly.usage import Tokens
from sessionizer.base.canonical import encode_canonical
from sessionizer.index.build import entries_of
from sessionizer.index.entry import Entry
from sessionizer.landing.record import Header, Row
from sessionizer.model.nodes import Node, Reference, Relation

S = "11111111-1111-4111-8111-111111111111"

# Landed lines of case F1, without the end line.
LANDED = (
    '{"h":1,"schema":"sd/1","seq":1,"at":"2026-01-02T03:05:00.123456789Z","kind":"transcript",'
    '"adapter":"claude-code-local/0.1.0","dialect":"claude-code/1",'
    f'"src":"-home-dev-app/{S}.jsonl","session":"{S}","stream":"main"}}',
    '{"ord":1,"off":0,"sha":"9c92e4a9ad1b","bytes":183,"id":"u1","run":"p1","from":"external",'
    '"time":"2026-01-02T03:04:05.000Z","trigger":"external","flags":["external_input"],'
    '"parts":[{"k":"text","text":"Count the <b> tags","state":"available","bytes":18}]}',
    '{"ord":2,"off":184,"sha":"c9ab114d1d1f","bytes":292,"id":"a1","parent":"u1","call":"msg_1",'
    '"from":"agent","time":"2026-01-02T03:04:06.000Z","flags":["finished"],'
    '"usage":{"in":10,"out":25},"parts":[{"k":"reasoning","state":"unavailable"}],'
    '"dropped":[{"what":"reasoning signature","bytes":12,'
    '"why":"a provider verifies it; a reader cannot read it"}]}',
    '{"ord":3,"off":477,"sha":"44ae80c3971c","bytes":325,"id":"a2","parent":"a1","call":"msg_1",'
    '"from":"agent","time":"2026-01-02T03:04:07.000Z","flags":["finished"],'
    '"usage":{"in":10,"out":25},"parts":[{"k":"call",'
    '"data":{"command":"grep -c \\"<b>\\" x.html"},"id":"toolu_1","name":"Bash",'
    '"state":"available","bytes":36}]}',
    '{"ord":4,"off":803,"sha":"b3219d08e8c0","bytes":279,"id":"r1","parent":"a2","run":"p1",'
    '"from":"external","time":"2026-01-02T03:04:08.500Z","parts":[{"k":"result","text":"2",'
    '"data":{"stdout":"2","stderr":"","interrupted":false},"of":"toolu_1","failed":false,'
    '"state":"available","bytes":1}]}',
    '{"ord":5,"off":1083,"sha":"8c445bb15fe8","bytes":297,"id":"a3","parent":"r1","call":"msg_2",'
    '"from":"agent","time":"2026-01-02T03:04:09.000Z","flags":["finished"],'
    '"usage":{"in":40,"out":5,"cache_read":10},'
    '"parts":[{"k":"text","text":"There are 2.","state":"available","bytes":12}]}',
    '{"ord":6,"off":1381,"sha":"4181506d346e","bytes":130,"id":"s1","parent":"a3",'
    '"from":"runtime","time":"2026-01-02T03:04:09.100Z","flags":["turn_duration"],'
    '"parts":[{"k":"data","data":{"type":"system","subtype":"turn_duration","uuid":"s1",'
    '"parentUuid":"a3","timestamp":"2026-01-02T03:04:09.100Z","durationMs":4100},'
    '"state":"available","bytes":130}]}',
)

NODES = f"""\
call/msg_1 llm.call run/talk_main_p1/p1 main 1/2 1/2,1/3 {{"fragments":2,\
"tokens":{{"in":10,"out":25}},"usage":"observed_replayable","usage_from":"largest_per_counter",\
"usage_state":"reported"}}
call/msg_2 llm.call run/talk_main_p1/p1 main 1/5 1/5 {{"fragments":1,\
"tokens":{{"cache_read":10,"in":40,"out":5}},"usage":"observed_replayable",\
"usage_from":"largest_per_counter","usage_state":"reported"}}
epoch/main/0 epoch stream/main main 1/1 - {{"records":6,"reset":"none"}}
input/1/1 message.external run/talk_main_p1/p1 main 1/1 - {{}}
msg/1/5:0 message.assistant call/msg_2 main 1/5:0 - {{}}
run/talk_main_p1/p1 run talk/main/p1 main 1/1 - {{"trigger":"external"}}
segment/at_1_1 segment session/{S} - 1/1 - {{"committable":false,\
"gates_unmet":["activity_boundary","lateness_watermark"],"state":"open","talks":1}}
session/{S} session - - - - {{"conversation":"{S}"}}
stream/main stream session/{S} main 1/1 - {{"records":6,"role":"main"}}
talk/main/p1 talk epoch/main/0 main 1/1 - {{"loops":1,"runs":1,"trigger":"external"}}
think/1/2:0 thinking call/msg_1 main 1/2:0 - {{}}
tool/toolu_1 tool call/msg_1 main 1/3:0 1/3:0,1/4:0 {{"name":"Bash","result":"available",\
"result_join":"exact_unique","timing":"unavailable"}}
turn/1/6 turn.duration run/talk_main_p1/p1 main 1/6 - {{"measured_by":"observed_replayable"}}
"""


def spell(reference: Reference) -> str:
    block = "" if reference.block is None else f":{reference.block}"
    return f"{reference.seq}/{reference.row}{block}"


def draw(node: Node) -> str:
    places = [spell(node.ref) if node.ref else "-", ",".join(map(spell, node.refs)) or "-"]
    head = [node.id, node.kind, node.parent or "-", node.stream or "-", *places]
    return " ".join([*head, encode_canonical(node.attrs).decode()])


def landed_entries(seq: int = 1, only: slice = slice(None)) -> tuple[Entry, ...]:
    header = msgspec.json.decode(LANDED[0], type=Header)
    rows = [msgspec.json.decode(line, type=Row) for line in LANDED[1:]]
    return entries_of(header, rows[only], seq=seq)


def assembled(*entries: Entry, through: int = 1) -> Assembly:
    return assemble(entries, session=S, conversation=S, through=through)


def test_the_nodes_are_those_of_f2() -> None:
    """F2, with the call attributes of parser v2."""
    nodes = assembled(*landed_entries()).entities.nodes

    assert "".join(f"{draw(node)}\n" for node in nodes) == NODES


def test_the_only_relation_is_the_talk_in_its_segment() -> None:
    """F2: one relation, and nothing unresolved."""
    entities = assembled(*landed_entries()).entities

    assert entities.relations == (
        Relation(
            id="rel/in_segment/talk_main_p1/segment_at_1_1",
            type="in_segment",
            source="talk/main/p1",
            target="segment/at_1_1",
            quality="exact_unique",
            via="activity window",
            evidence=(Reference(1, 1),),
        ),
    )
    assert entities.unresolved == ()


def test_the_statistics_are_those_of_f2() -> None:
    """Steps are input, message, thinking, tool and turn: the call itself is not one."""
    assert assembled(*landed_entries()).statistics == Statistics(
        entries=6,
        streams=1,
        epochs=1,
        talks=1,
        runs=1,
        steps=5,
        provider_calls=2,
        call_fragments=3,
        tool_uses=1,
        tools_resolved=1,
        segments_open=1,
    )


def test_the_summary_sums_each_call_once() -> None:
    """`msg_1` states 25 output tokens on two fragments; they are 25, not 50."""
    summary = assembled(*landed_entries()).summary

    assert summary.tokens == Tokens(input=50, output=30, cache_read=10)
    assert summary.at_least == 0
    assert summary.ask == Reference(1, 1)
    assert (summary.first, summary.last) == ("2026-01-02T03:04:05Z", "2026-01-02T03:04:09.1Z")
    assert (summary.calls, summary.tools, summary.open) == (2, 1, 0)


def test_the_summary_is_written_with_the_keys_of_a_round() -> None:
    """What is 0 or empty is left out."""
    summary = assembled(*landed_entries()).summary

    assert msgspec.to_builtins(summary) == {
        "ask": {"seq": 1, "row": 1},
        "first": "2026-01-02T03:04:05Z",
        "last": "2026-01-02T03:04:09.1Z",
        "records": 6,
        "streams": 1,
        "talks": 1,
        "runs": 1,
        "steps": 5,
        "calls": 2,
        "tools": 1,
        "tokens": {"in": 50, "out": 30, "cache_read": 10},
    }


def test_a_line_that_landed_twice_changes_nothing() -> None:
    """F3: the interrupted pass landed line 6 once more."""
    once = assembled(*landed_entries())
    again = landed_entries() + landed_entries(seq=2, only=slice(5, 6))

    twice = assembled(*again, through=2)

    assert twice.entities == once.entities
    assert (twice.statistics.entries, twice.statistics.duplicates) == (6, 1)


def test_every_record_has_one_account() -> None:
    """Six records, all held by nodes."""
    coverage = assembled(*landed_entries()).coverage

    assert coverage.counts == {"node": 6}
    assert coverage.total == 6
