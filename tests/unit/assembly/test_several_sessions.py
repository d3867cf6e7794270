"""Several sessions in one conversation: names, positions, copies, and what stays apart (R40)."""

from collections.abc import Iterable

from msgspec.structs import replace

from sessionizer.assembly.inheritance import share_records, survey_session
from sessionizer.assembly.pipeline import Assembly, assemble_sessions
from sessionizer.assembly.sessions import SessionEntries
from sessionizer.assembly.usage import Tokens
from sessionizer.base.canonical import encode_canonical
from sessionizer.landing.record import Row, Usage
from sessionizer.model.nodes import Reference
from sessionizer.rounds.frames import node_frame
from tests.build.drawing import containers, edges, gaps, ids, node
from tests.build.rows import (
    Landing,
    agent,
    call,
    document,
    human,
    note,
    reset,
    result,
    row,
    text,
    user,
)

ONE = "00000000-0000-4000-8000-0000000000a1"
TWO = "00000000-0000-4000-8000-0000000000a2"
OUTSIDE = "00000000-0000-4000-8000-0000000000a0"


def uuid(number: int) -> str:
    return f"01234567-89ab-4cde-8f01-{number:012d}"


def together(*landings: Landing, outside: Iterable[Landing] = ()) -> Assembly:
    """One conversation of these sessions; what lies outside takes part in the table only."""
    surveys = [survey_session(one.session, one.entries) for one in (*landings, *outside)]
    tables = share_records(surveys)
    return assemble_sessions(
        [
            SessionEntries(
                session=landing.session,
                entries=landing.entries,
                through=landing.seq,
                **({"inheritance": tables[landing.session]} if landing.session in tables else {}),
            )
            for landing in landings
        ],
        conversation="both",
    )


def first(*rows: Row) -> Landing:
    return Landing(ONE).main(*rows)


def second(*rows: Row) -> Landing:
    return Landing(TWO).main(*rows)


ASKED = human(uuid(1), "-", "10:00:00", "p1")
ANSWERED = agent(uuid(2), uuid(1), "10:00:01", "m1", "Yes", usage=Usage(output=5), finished=True)


def test_names_and_positions_of_a_further_session_carry_its_id() -> None:
    """What is built from a position or a stream's name; calls and tools are known everywhere."""
    asked = human(uuid(3), "-", "11:00:00", "p2")
    answered = agent(uuid(4), uuid(3), "11:00:01", "m2", text("Look"), call("t2"), finished=True)
    answer = user(uuid(5), uuid(4), "11:00:02", "p2", result("t2"))

    whole = together(first(ASKED, ANSWERED), second(asked, answered, answer))

    assert ids(whole) == sorted(
        [
            f"session/{ONE}",
            "stream/main",
            "epoch/main/0",
            "talk/main/p1",
            "run/talk_main_p1/p1",
            "input/1/1",
            "call/m1",
            "msg/1/2:0",
            "segment/at_1_1",
            f"session/{TWO}",
            f"stream/{TWO}:main",
            f"epoch/{TWO}:main/0",
            f"talk/{TWO}:main/p2",
            f"run/talk_{TWO}:main_p2/p2",
            f"input/{TWO}:1/1",
            "call/m2",
            f"msg/{TWO}:1/2:0",
            "tool/t2",
            f"segment/at_{TWO}:1_1",
        ]
    )
    assert node(whole, "tool/t2").refs == (Reference(1, 2, 1, TWO), Reference(1, 3, 0, TWO))
    assert node(whole, "tool/t2").stream == f"{TWO}:main"
    assert node(whole, f"stream/{TWO}:main").parent == f"session/{TWO}"
    assert node(whole, "input/1/1").ref == Reference(1, 1)
    assert node(whole, f"session/{TWO}").attrs == {"conversation": "both"}


def test_one_session_alone_says_nothing_of_this() -> None:
    """Its id stands in the node of the session and nowhere else."""
    whole = together(first(ASKED, ANSWERED, reset("", "10:30:00")))

    others = [one for one in whole.entities.nodes if one.id != f"session/{ONE}"]
    written = b"".join(encode_canonical(node_frame(replace(one, parent=None), 1)) for one in others)
    assert len(others) == 10
    assert ONE.encode() not in written
    assert b'"session"' not in written


def test_a_record_of_an_earlier_session_is_a_copy() -> None:
    """The list decides, not who owns it: its tokens count, and the talk is shown once."""
    whole = together(second(ASKED, ANSWERED), first(ASKED, ANSWERED, human(uuid(9), "-", "", "p9")))

    assert ids(whole, "llm.call") == ["call/m1"]
    assert node(whole, "call/m1").ref == Reference(1, 2)
    assert "inherited_from" not in node(whole, "call/m1").attrs
    assert ids(whole, "talk") == [f"talk/{ONE}:main/p9", "talk/main/p1"]
    assert whole.summary.tokens == Tokens(output=5)
    assert whole.statistics.duplicates == 2
    assert whole.coverage.total == 5


def test_the_edge_to_the_older_session_ends_at_its_node() -> None:
    """Its evidence are the copies, which count nowhere else."""
    old = first(ASKED, ANSWERED, human(uuid(9), "-", "09:00:00", "p9"))

    whole = together(old, second(ASKED, ANSWERED, human(uuid(8), "-", "12:00:00", "p8")))

    (edge,) = [one for one in whole.entities.relations if one.type == "continues"]
    assert (edge.source, edge.target) == (f"session/{TWO}", f"session/{ONE}")
    assert edge.evidence == (Reference(1, 1, None, TWO), Reference(1, 2, None, TWO))
    assert ids(whole, "session") == [f"session/{ONE}", f"session/{TWO}"]
    assert node(whole, f"session/{ONE}").attrs == {"conversation": "both"}
    assert whole.summary.talks_inherited == 0


def test_what_a_session_outside_owns_is_inherited() -> None:
    """Also when two sessions of the conversation hold it: then it is one record."""
    outside = Landing(OUTSIDE).main(human(uuid(7), "-", "08:00:00", "p7"), ASKED, ANSWERED)
    copied = (ASKED, ANSWERED)

    whole = together(
        first(*copied, human(uuid(9), "-", "11:00:00", "p9")),
        second(*copied, human(uuid(8), "-", "12:00:00", "p8")),
        outside=[outside],
    )

    assert node(whole, "call/m1").attrs["inherited_from"] == OUTSIDE
    assert node(whole, f"session/{OUTSIDE}").attrs == {"elsewhere": True}
    assert [edge.split()[0] for edge in edges(whole, "continues")] == [
        f"rel/continues/session_{ONE}/session_{OUTSIDE}",
        f"rel/continues/session_{TWO}/session_{OUTSIDE}",
    ]
    assert (whole.summary.talks, whole.summary.talks_inherited) == (2, 1)
    assert whole.summary.tokens is None
    assert whole.summary.tokens_inherited == Tokens(output=5)


def test_a_call_of_two_sessions_that_are_no_copies_counts_once() -> None:
    """A fork may give its records new ids; the key of the call stays."""
    again = replace(ANSWERED, id=uuid(12), usage=Usage(output=9))

    whole = together(first(ASKED, ANSWERED), second(replace(ASKED, id=uuid(11)), again))

    assert ids(whole, "llm.call") == ["call/m1", f"call/m1/{TWO}:main"]
    assert node(whole, f"call/m1/{TWO}:main").attrs["same_call"] == "call/m1"
    assert whole.summary.tokens == Tokens(output=9)


def test_a_record_that_only_a_session_outside_holds_is_no_gap() -> None:
    """A reset of any session of the conversation may go on from it."""
    outside = Landing(OUTSIDE).main(human(uuid(7), "-", "08:00:00", "p7"))

    whole = together(first(ASKED), second(reset("b1", "11:00:00", uuid(7))), outside=[outside])

    assert node(whole, f"epoch/{TWO}:main/0").attrs["continues_from"] == uuid(7)
    assert gaps(whole) == []


def test_a_call_that_a_fork_cut_in_two_is_one_call() -> None:
    """The fork holds the first fragment as a copy and one more of its own."""
    more = agent(uuid(3), uuid(2), "10:00:02", "m1", call("t1"), usage=Usage(output=9))

    whole = together(first(ASKED, ANSWERED), second(ASKED, ANSWERED, more))

    assert ids(whole, "llm.call") == ["call/m1"]
    assert node(whole, "call/m1").refs == (Reference(1, 2), Reference(1, 3, None, TWO))
    assert node(whole, "tool/t1").parent == "call/m1"
    assert whole.summary.tokens == Tokens(output=9)


def test_a_result_may_stand_in_the_session_that_goes_on() -> None:
    """A continued session answers what the older one asked."""
    asking = agent(uuid(2), uuid(1), "10:00:01", "m1", call("t1"), finished=True)
    answer = user(uuid(3), uuid(2), "11:00:00", "p1", result("t1"))

    whole = together(first(ASKED, asking), second(answer))

    assert node(whole, "tool/t1").attrs["result_join"] == "exact_unique"
    assert node(whole, "tool/t1").refs == (Reference(1, 2, 0), Reference(1, 1, 0, TWO))
    assert gaps(whole) == []


def test_a_run_that_goes_on_in_another_session_is_a_talk_of_its_own() -> None:
    """Talks, epochs and segments of a session stay its own; the walk back does not stop there."""
    going_on = agent(uuid(3), uuid(2), "10:00:02", "m2", "More", finished=True)

    whole = together(first(ASKED, ANSWERED), second(going_on))

    assert containers(whole, "llm.call") == {
        "call/m1": "run/talk_main_p1/p1",
        "call/m2": f"run/talk_{TWO}:main_p1/p1",
    }
    assert containers(whole, "segment") == {
        "segment/at_1_1": f"session/{ONE}",
        f"segment/at_{TWO}:1_1": f"session/{TWO}",
    }


def test_a_reset_without_an_id_names_its_session() -> None:
    """The id of its epoch is a position, and there are two of each."""
    whole = together(
        first(ASKED, reset("", "10:30:00")),
        second(human(uuid(3), "-", "11:00:00", "p2"), reset("", "11:30:00")),
    )

    assert ids(whole, "epoch") == [
        f"epoch/{TWO}:main/0",
        f"epoch/{TWO}:main/at_{TWO}:1_2",
        "epoch/main/0",
        "epoch/main/at_1_2",
    ]
    assert ids(whole, "epoch.boundary") == [f"boundary/{TWO}:1/2", "boundary/1/2"]


def asking_a_child(session: str, number: int, clock: str) -> Landing:
    """A session that calls the child `a1`."""
    return Landing(session).main(
        human(uuid(number), "-", f"{clock}:00", f"p{number}"),
        agent(uuid(number + 1), uuid(number), f"{clock}:01", f"m{number}", call(f"t{number}")),
        user(
            uuid(number + 2), uuid(number + 1), f"{clock}:02", "", result(f"t{number}"), child="a1"
        ),
    )


def work_of(landing: Landing, number: int) -> Landing:
    return landing.child("a1", agent(uuid(number), "-", "10:10:00", f"c{number}", "Done"))


def test_each_session_has_its_own_child_of_a_name() -> None:
    """The call of a session started the child of that session."""
    whole = together(
        work_of(asking_a_child(ONE, 10, "10:00"), 41), work_of(asking_a_child(TWO, 20, "11:00"), 42)
    )

    assert [edge.split()[0] for edge in edges(whole, "starts")] == [
        "rel/starts/tool_t10/stream_a1",
        f"rel/starts/tool_t20/stream_{TWO}:a1",
    ]
    assert ids(whole, "agent.output") == [f"output/{TWO}:a1", "output/a1"]
    assert gaps(whole) == []


def test_a_child_that_landed_with_another_session_is_found_there() -> None:
    """An agent's id is made to be unique, and a resumed session tells of older children."""
    told = note(uuid(30), "-", "12:00:00", "p30", child="a1")

    whole = together(work_of(asking_a_child(ONE, 10, "10:00"), 41), second(told))

    assert [edge.split()[0] for edge in edges(whole, "reports")] == [
        f"rel/reports/notify_{TWO}:1_1/stream_a1"
    ]
    assert gaps(whole) == []


def test_a_child_that_stands_in_two_other_sessions_is_not_chosen() -> None:
    """Then its own session's is missing."""
    third = Landing(OUTSIDE).main(note(uuid(30), "-", "12:00:00", "p30", child="a1"))

    whole = together(
        work_of(asking_a_child(ONE, 10, "10:00"), 41),
        work_of(asking_a_child(TWO, 20, "11:00"), 42),
        third,
    )

    assert edges(whole, "reports") == []
    assert gaps(whole) == [f"unres/notified_child/{OUTSIDE}:a1"]


def test_a_missing_child_keeps_only_its_own_session_open() -> None:
    """What a session waits for says nothing about another."""
    later = human(uuid(50), "-", "12:00:00", "p50")
    done = Landing(TWO).main(
        human(uuid(20), "-", "10:00:00", "p20"), human(uuid(21), "-", "11:00:00", "p21")
    )

    whole = together(asking_a_child(ONE, 10, "10:00").main(later), done)

    assert node(whole, "segment/at_1_1").attrs["gates_unmet"] == ["no_crossing_open_operation"]
    assert node(whole, f"segment/at_{TWO}:1_1").attrs["gates_unmet"] == []


def test_marked_records_stay_with_their_session() -> None:
    """The name of a side chain is the id of a record, under the name of the session."""
    side = user("s1", "-", "10:00:00", "", "Do it", flags=("sidechain",))

    whole = together(first(ASKED), second(side))

    assert ids(whole, "stream") == [f"stream/{TWO}:side-s1", "stream/main"]


def test_every_session_has_its_title_and_the_first_one_is_the_conversations() -> None:
    """A title line names the session it stands in."""
    named = row("", "-", "", document('{"type":"ai-title"}'), label="The second")

    whole = together(first(ASKED), second(human(uuid(3), "-", "11:00:00", "p2"), named))

    assert "title" not in node(whole, f"session/{ONE}").attrs
    assert node(whole, f"session/{TWO}").attrs["title"] == "The second"
    assert (whole.summary.title, whole.summary.title_by) == ("The second", "runtime")


def test_a_queued_prompt_is_answered_in_its_own_session_only() -> None:
    """The same words in another session are another person's moment."""
    queued = row("", "-", "10:00:00", text("Go on"), origin="external", trigger="external")
    queued = replace(queued, flags=("queued",), queue="enqueue")

    whole = together(
        first(ASKED), second(queued), Landing(OUTSIDE).main(human(uuid(4), "-", "", "p4", "Go on"))
    )

    assert node(whole, f"input/{TWO}:1/1").attrs == {"queue": "waiting"}


def test_what_lies_beyond_a_watermark_is_judged_by_session() -> None:
    """Each session has its own."""
    one = first(ASKED).main(ANSWERED)
    two = second(human(uuid(3), "-", "11:00:00", "p2")).main(human(uuid(4), "-", "11:00:01", "p3"))

    whole = assemble_sessions(
        [
            SessionEntries(session=ONE, entries=one.entries, through=2),
            SessionEntries(session=TWO, entries=two.entries, through=1),
        ],
        conversation="both",
    )

    assert ids(whole, "message.external") == [f"input/{TWO}:1/1", "input/1/1"]
    assert ids(whole, "llm.call") == ["call/m1"]
    assert whole.coverage.counts["beyond"] == 1


def test_the_first_input_of_a_person_may_stand_in_a_further_session() -> None:
    """Its position then says where."""
    whole = together(first(row("n1", "-", "", document("{}"), flags=("notice",))), second(ASKED))

    assert whole.summary.ask == Reference(1, 1, None, TWO)
