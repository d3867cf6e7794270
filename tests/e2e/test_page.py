"""The page over kept and published conversations: every address, and what may be missing."""

import json
import os
from pathlib import Path
from typing import Any

import pytest

from sessionizer.asz.words import page_words
from sessionizer.landing.record import Drop, Header, Part, Row, Usage
from sessionizer.model import kinds
from sessionizer.views.library import Library
from tests.build.home import AGENT, BATCH, PNG, PROJECT, S1, S2, Home, image, txt, usage, use
from tests.build.reading import Root
from tests.build.six_lines import F1_LINES, F1_SESSION

HOSTILE = "<img src=x onerror=alert(1)>\"'&"
API = f"/api/c/{F1_SESSION}"


@pytest.fixture
def root(home: Home, tmp_path: Path) -> Root:
    """An empty root beside an empty home."""
    return Root(home, tmp_path / "root")


def write_f1(home: Home) -> None:
    body = "".join(f"{line}\n" for line in F1_LINES)
    home.file(f"projects/-home-dev-app/{F1_SESSION}.jsonl", body)


def parts_of(found: dict[str, Any], expected: dict[str, Any]) -> dict[str, Any]:
    return {key: found.get(key) for key in expected}


# ------------------------------------------------------------------ the acceptance conversation


def test_the_list_has_a_row_per_conversation(home: Home, root: Root) -> None:
    """V1."""
    write_f1(home)
    root.update()

    rows = root.reader().json("/api/conversations")

    expected = {
        "id": F1_SESSION,
        "title": "(untitled)",
        "talks": 1,
        "steps": 7,
        "streams": 1,
        "segments": 1,
        "rounds": 1,
        "from": 1767323045000,
        "to": 1767323049100,
        "unresolved": 0,
        "main_talks": 1,
        "ask": "Count the <b> tags",
        "project": "-home-dev-app",
        "tokens": {"in": 50, "out": 30, "cache_read": 10},
        "state": "quiet",
    }
    assert rows == [expected]


def test_the_overview_has_rows_of_talks_streams_and_segments(home: Home, root: Root) -> None:
    """V2."""
    write_f1(home)
    root.update()

    found = root.reader().json(API)

    expected = {
        "title": "",
        "session": F1_SESSION,
        "rounds": 1,
        "nodes": 13,
        "relations": 1,
        "quality": {"exact_unique": 1},
        "parser": "v2",
        "policy": "v1+idle=10m0s",
        "through_seq": 1,
        "unresolved": [],
    }
    assert parts_of(found, expected) == expected
    assert found["kinds"]["llm.call"] == 2
    talk = {
        "id": "talk/main/p1",
        "stream": "main",
        "label": "Count the <b> tags",
        "runs": 1,
        "steps": 7,
        "tools": 1,
        "from": 1767323045000,
        "to": 1767323049100,
        "child": False,
        "segment": "segment/at_1_1",
        "reply": "There are 2.",
        "trigger": "external",
        "tokens_out": 30,
        "ref": {"seq": 1, "row": 1},
        "kinds": [
            "message.external",
            "llm.call",
            "thinking",
            "tool",
            "llm.call",
            "message.assistant",
            "turn.duration",
        ],
    }
    assert found["talks"] == [talk]
    stream = {
        "id": "stream/main",
        "name": "main",
        "role": "main",
        "label": "",
        "named_by": "",
        "records": 6,
        "parent": "",
        "talk": "talk/main/p1",
        "steps": 7,
        "opened_by": [],
        "tokens": {"in": 50, "out": 30, "cache_read": 10},
    }
    assert found["streams"] == [stream]
    segment = {
        "id": "segment/at_1_1",
        "state": "open",
        "talks": 1,
        "from": 1767323045000,
        "to": 1767323049100,
        "committable": False,
        "gates_unmet": ["activity_boundary", "lateness_watermark"],
    }
    assert found["segments"] == [segment]


def test_a_talk_is_a_tree_with_texts(home: Home, root: Root) -> None:
    """V3: request and result of a tool, a measured duration, and what has no text."""
    write_f1(home)
    root.update()

    nodes = root.reader().talk(F1_SESSION, "talk/main/p1")

    expected = {
        "id": "tool/toolu_1",
        "kind": "tool",
        "parent": "call/msg_1",
        "stream": "main",
        "at": 1767323047000,
        "ref": {"seq": 1, "row": 3, "block": 0},
        "refs": [{"seq": 1, "row": 3, "block": 0}, {"seq": 1, "row": 4, "block": 0}],
        "attrs": {
            "name": "Bash",
            "result": "available",
            "result_join": "exact_unique",
            "timing": "unavailable",
        },
        "text": '{"command":"grep -c \\"<b>\\" x.html"}',
        "name": "Bash",
        "failed": False,
        "state": "available",
        "bytes": 36,
        "result": "2",
        "result_state": "available",
        "result_bytes": 1,
        "request_to_result_ms": 1500,
        "request_to_result_join": "exact_unique",
        "input": {"command": 'grep -c "<b>" x.html'},
        "structured": {"stdout": "2", "stderr": "", "interrupted": False},
    }
    assert nodes["tool/toolu_1"] == expected
    assert nodes["think/1/2:0"]["state"] == "unavailable"
    assert "text" not in nodes["think/1/2:0"]
    turn = nodes["turn/1/6"]
    assert (turn["duration_ms"], turn["duration_measured_by"]) == (4100, "observed_replayable")
    assert "text" not in turn
    call = nodes["call/msg_1"]
    assert "text" not in call
    assert (call["usage_state"], call["tokens"]) == ("reported", {"in": 10, "out": 25})
    assert nodes["talk/main/p1"]["edges"] == [
        {
            "type": "in_segment",
            "other": "segment/at_1_1",
            "dir": "out",
            "quality": "exact_unique",
            "via": "activity window",
        }
    ]


def test_an_encoded_talk_id_is_the_same_talk(home: Home, root: Root) -> None:
    """V3: ids hold slashes."""
    write_f1(home)
    root.update()
    reader = root.reader()

    assert reader.json(f"{API}/talk/talk%2Fmain%2Fp1") == reader.json(f"{API}/talk/talk/main/p1")


def test_the_flow_lists_every_step_without_words(home: Home, root: Root) -> None:
    """The time axis needs all of them, and no text."""
    write_f1(home)
    root.update()

    flow = root.reader().json(f"{API}/flow")

    assert [(step["id"], step["depth"]) for step in flow] == [
        ("input/1/1", 2),
        ("call/msg_1", 2),
        ("think/1/2:0", 3),
        ("tool/toolu_1", 3),
        ("call/msg_2", 2),
        ("msg/1/5:0", 3),
        ("turn/1/6", 2),
    ]
    assert flow[3] == {
        "id": "tool/toolu_1",
        "kind": "tool",
        "stream": "main",
        "talk": "talk/main/p1",
        "parent": "call/msg_1",
        "at": 1767323047000,
        "name": "Bash",
        "depth": 3,
    }


def test_a_record_is_answered_whole_with_its_file(home: Home, root: Root) -> None:
    """Every step leads to its landed record."""
    write_f1(home)
    root.update()
    reader = root.reader()

    found = reader.json(f"{API}/record/1/4")

    landed = root.zone.landed(F1_SESSION)[0]
    line = landed.path.read_text().split("\n")[4]
    assert found == {
        "seq": 1,
        "row": 4,
        "record": json.loads(line),
        "at": 1767323048500,
        "file": landed.relative,
        "dialect": "claude-code/1",
    }
    assert reader.json(f"{API}/record/1/4?session={F1_SESSION}") == found


def test_the_head_is_the_newest_round(home: Home, root: Root) -> None:
    """A page that polls compares these."""
    write_f1(home)
    (published,) = root.update()

    assert root.reader().json(f"{API}/head") == {
        "rounds": 1,
        "digest": published.folded.digest,
        "through_seq": 1,
    }


@pytest.mark.parametrize(
    ("path", "words"),
    [
        ("/api/c/nope", "nope"),
        ("/api/c/nope/head", "nope"),
        ("/api/c/nope/flow", "nope"),
        ("/api/c/nope/outside", "nope"),
        ("/api/c/nope/events", "nope"),
        ("/api/c/nope/talk/x", "nope"),
        ("/api/c/nope/record/1/1", "nope"),
        ("/api/c/..%2f..%2fetc", ""),
        ("/api/c/..", ""),
        ("/api/c/_conversations", "_conversations"),
        (f"{API}/talk/talk/main/zz", "talk/main/zz"),
        (f"{API}/talk/run/talk_main_p1/p1", "run/talk_main_p1/p1"),
        (f"{API}/record/1/99", "seq 1, row 99"),
        (f"{API}/record/9/1", "seq 9, row 1"),
        (f"{API}/record/1/0", "seq 1, row 0"),
        (f"{API}/record/1/-1", "row -1"),
        (f"{API}/record/x/1", "seq x"),
        (f"{API}/record/1/{'9' * 5000}", "seq 1"),
        (f"{API}/record/%D9%A1/1", "row 1"),
        (f"{API}/record/1/1?session=other", "seq 1"),
        ("/api/other", ""),
        ("/x", ""),
        ("/static/..%2f__init__.py", ""),
        ("/static/", ""),
    ],
)
def test_what_is_not_there_is_404(home: Home, root: Root, path: str, words: str) -> None:
    """V4: and says what was asked for."""
    write_f1(home)
    root.update()

    answer = root.reader().json(path, status=404)

    assert list(answer) == ["error"]
    assert words in answer["error"]


def test_an_unknown_conversation_has_a_page_that_leads_back(home: Home, root: Root) -> None:
    """A link to a conversation may outlive it."""
    write_f1(home)
    root.update()

    answer = root.reader().get("/c/%3Cb%3Enope")

    assert answer.status_code == 404
    assert 'href="/"' in answer.text
    assert "<b>nope" not in answer.text


def test_every_word_and_every_key_is_explained(home: Home, root: Root) -> None:
    """A reader of a raw record can ask for each key; a reader of the page for each kind."""
    write_f1(home)
    root.update()

    glossary = root.reader().json("/api/glossary")

    assert glossary["dialect"] == "claude-code/1"
    assert glossary["terms"]["tool"]["native"] == "tool_use + tool_result"
    assert glossary["terms"]["epoch"]["native"] == ""
    known = glossary["terms"].keys() | glossary["fields"].keys()
    formats = (Header, Row, Part, Usage, Drop)
    keys = {key for format_ in formats for key in format_.__struct_encode_fields__}
    assert keys - known == set()
    words = {*kinds.STEP_KINDS, *kinds.RELATION_TYPES, *kinds.QUALITIES, *kinds.TRIGGERS}
    assert words - glossary["terms"].keys() == set()
    assert len(glossary["terms"]) == len(page_words().terms)


# ------------------------------------------------------------------ texts


def test_hostile_text_comes_through_unchanged(home: Home, root: Root) -> None:
    """V5: the server sends text; what shows it escapes it."""
    transcript = home.transcript()
    transcript.user(HOSTILE, promptId="p1")
    transcript.assistant(use("t1", HOSTILE, {"x": HOSTILE}), txt(HOSTILE))
    transcript.result("t1", HOSTILE)
    transcript.line({"type": "ai-title", "aiTitle": HOSTILE})
    root.update()
    reader = root.reader()

    raw = reader.get(f"/api/c/{S1}")
    overview = raw.json()
    tool = reader.talk(S1, "talk/main/p1")["tool/t1"]

    assert reader.json("/api/conversations")[0]["title"] == HOSTILE
    assert overview["title"] == HOSTILE
    assert overview["talks"][0]["label"] == HOSTILE
    assert overview["talks"][0]["reply"] == HOSTILE
    assert (tool["name"], tool["result"], tool["input"]) == (HOSTILE, HOSTILE, {"x": HOSTILE})
    assert "<img" in raw.text  # not escaped: it is JSON


@pytest.mark.parametrize("filler", ["a", "\u00e9", "\u20ac", "\U0001f600"])
def test_a_long_text_is_cut_between_characters_and_keeps_its_size(
    home: Home, root: Root, filler: str
) -> None:
    """V6: 1,118,873 bytes; the record has them all."""
    text = ("x" + filler * 1_118_873).encode()[:1_118_873].decode("utf-8", "ignore")
    text += "y" * (1_118_873 - len(text.encode()))
    transcript = home.transcript()
    transcript.user("go", promptId="p1").assistant(use("t1", "Bash", command="x"))
    transcript.result("t1", text)
    root.update()
    reader = root.reader()

    tool = reader.talk(S1, "talk/main/p1")["tool/t1"]

    assert 1990 < len(tool["result"].encode()) <= 2000
    assert text.startswith(tool["result"])
    assert tool["result_bytes"] == 1_118_873
    ref = tool["refs"][1]
    record = reader.json(f"/api/c/{S1}/record/{ref['seq']}/{ref['row']}")["record"]
    assert record["parts"][0]["text"] == text


def test_a_long_label_says_its_size(home: Home, root: Root) -> None:
    """A list may show less; it may not look whole."""
    home.transcript().user("long " * 1000, promptId="p1").assistant(txt("reply " * 1000))
    root.update()

    talk = root.reader().json(f"/api/c/{S1}")["talks"][0]

    assert talk["label_bytes"] == len(("long " * 1000).strip())
    assert talk["reply_bytes"] == len("reply " * 1000)
    assert len(talk["label"]) <= 2000


def test_prose_beside_a_call_is_not_its_input(home: Home, root: Root) -> None:
    """Several blocks may share a record; each step shows its own."""
    transcript = home.transcript()
    transcript.user("go", promptId="p1")
    transcript.assistant(txt("I will look."), use("t1", "Bash", command="ls"))
    root.update()

    nodes = root.reader().talk(S1, "talk/main/p1")

    assert nodes["tool/t1"]["text"] == '{"command":"ls"}'
    assert [n["text"] for n in nodes.values() if n["kind"] == "message.assistant"] == [
        "I will look."
    ]


def test_a_picture_stands_in_the_answer(home: Home, root: Root) -> None:
    """Only types that a browser shows from a data address; others name type and size."""
    transcript = home.transcript()
    svg = image("PHN2Zz4=", "image/svg+xml")
    transcript.user([txt("look"), image(), svg], promptId="p1").assistant(txt("seen"))
    root.update()

    nodes = root.reader().talk(S1, "talk/main/p1")

    asked = next(node for node in nodes.values() if node["kind"] == "message.external")
    assert asked["text"] == "look"
    assert asked["media"] == [
        {"media": "image/png", "data": PNG, "state": "available", "bytes": len(PNG)},
        {"media": "image/svg+xml", "state": "available", "bytes": 8},
    ]


def test_only_the_three_tools_that_report_a_duration_have_one(home: Home, root: Root) -> None:
    """The distance of two records is something else, and named so."""
    transcript = home.transcript()
    transcript.user("go", promptId="p1")
    for tool_id, name, structured in (
        ("t1", "WebFetch", {"durationMs": 1200}),
        ("t2", "WebSearch", {"durationSeconds": 2.5}),
        ("t3", "Bash", {"durationMs": 7, "durationSeconds": 7}),
        ("t4", "WebFetch", {"durationMs": "soon"}),
    ):
        transcript.assistant(use(tool_id, name))
        transcript.result(tool_id, "done", tur=structured)
    root.update()

    nodes = root.reader().talk(S1, "talk/main/p1")

    durations = [nodes[f"tool/t{number}"].get("duration_ms") for number in (1, 2, 3, 4)]
    assert durations == [1200, 2500, None, None]
    assert nodes["tool/t1"]["duration_measured_by"] == "observed_replayable"


def test_failed_tools_are_counted_per_talk(home: Home, root: Root) -> None:
    """Only where the source said so."""
    transcript = home.transcript()
    transcript.user("go", promptId="p1")
    for number, failed in enumerate((True, False, True)):
        transcript.assistant(use(f"t{number}", "Bash"))
        transcript.result(f"t{number}", "x", err=failed)
    root.update()

    assert root.reader().json(f"/api/c/{S1}")["talks"][0]["failed"] == 2


# ------------------------------------------------------------------ children


def delegate(home: Home, *, label: str | None = "Look around") -> None:
    """P5: a call that starts a child, and the child's stream."""
    transcript = home.transcript()
    transcript.user("Delegate it", uuid="u1", promptId="p1")
    transcript.assistant(use("t1", "Agent", prompt="look"), usage=usage(5))
    launched = {"status": "async_launched", "agentId": AGENT}
    transcript.result("t1", "started", tur=launched, promptId="p1")
    transcript.assistant(txt("Started it."))
    child = transcript.child()
    child.user("look", promptId="p1")
    child.assistant(txt("Found."))
    if label is not None:
        transcript.meta(AGENT, description=label, toolUseId="t1", agentType="general-purpose")


def test_a_child_is_linked_and_never_merged(home: Home, root: Root) -> None:
    """V8."""
    delegate(home)
    root.update()
    reader = root.reader()

    overview = reader.json(f"/api/c/{S1}")
    nodes = reader.talk(S1, "talk/main/p1")

    child = next(row for row in overview["streams"] if row["name"] == AGENT)
    assert (child["parent"], child["label"], child["named_by"]) == ("main", "Look around", "")
    assert child["opened_by"] == [
        {"step": "tool/t1", "stream": "main", "quality": "exact_unique", "talk": "talk/main/p1"}
    ]
    talk = next(row for row in overview["talks"] if row["child"])
    assert (talk["label"], talk["reply"]) == ("look", "Found.")
    assert {node.get("stream") for node in nodes.values()} == {"main"}
    assert nodes["tool/t1"]["opens"] == [
        {
            "stream": AGENT,
            "label": "Look around",
            "talk": f"talk/{AGENT}",
            "quality": "exact_unique",
        }
    ]
    assert [row["agents"] for row in overview["talks"] if not row["child"]] == [1]


def test_a_child_may_be_named_by_its_run_s_journal(home: Home, root: Root) -> None:
    """V9: white space is collapsed, and the source of the name is said."""
    transcript = home.transcript()
    transcript.user("go", promptId="p1")
    transcript.assistant(use("t1", "Workflow", {"name": "sweep"}))
    transcript.result("t1", "started", tur={"status": "async_launched", "runId": BATCH})
    child = transcript.child(AGENT, workflow=BATCH)
    child.user("check it", promptId="p1").assistant(txt("Done."))
    claims = {"verdict": "refuted", "refuted_claims": [{"claim": "x  is\nslow"}]}
    transcript.journal(BATCH, {"type": "started", "agentId": AGENT, "key": "k1"})
    transcript.journal(BATCH, {"type": "result", "agentId": AGENT, "key": "k1", "result": claims})
    root.update()
    reader = root.reader()

    streams = reader.json(f"/api/c/{S1}")["streams"]
    nodes = reader.talk(S1, f"talk/{AGENT}")

    child_row = next(row for row in streams if row["name"] == AGENT)
    assert (child_row["label"], child_row["named_by"]) == ("refuted \u00b7 x is slow", "journal")
    output = nodes[f"output/{AGENT}"]
    assert output["text"] == "Done."
    assert json.loads(output["result"]) == claims


def test_a_long_name_from_a_journal_ends_in_an_ellipsis(home: Home, root: Root) -> None:
    """At most 160 bytes, cut between characters."""
    transcript = home.transcript()
    transcript.user("go", promptId="p1")
    transcript.child(AGENT, workflow=BATCH).user("x").assistant(txt("Done."))
    result = {"summary": "\u20ac" * 100}
    transcript.journal(BATCH, {"type": "result", "agentId": AGENT, "key": "k", "result": result})
    root.update()

    streams = root.reader().json(f"/api/c/{S1}")["streams"]

    label = next(row["label"] for row in streams if row["name"] == AGENT)
    assert label == "\u20ac" * 53 + "\u2026"


# ------------------------------------------------------------------ missing and damaged


def test_without_an_index_the_page_is_the_same(home: Home, root: Root) -> None:
    """V10: it is derived from the landed files."""
    delegate(home)
    root.update()
    paths = [f"/api/c/{S1}", f"/api/c/{S1}/flow", f"/api/c/{S1}/talk/talk/main/p1"]
    before = [root.reader().json(path) for path in paths]

    again = Root(home, root.path)
    for file in (root.path / S1 / "index").glob("*"):
        file.unlink()

    assert [again.reader().json(path) for path in paths] == before


def test_without_a_landed_file_its_steps_say_unavailable(home: Home, root: Root) -> None:
    """V10: everything else works."""
    transcript = home.transcript()
    transcript.user("first", promptId="p1").assistant(txt("one"))
    root.update()
    transcript.user("second", promptId="p2").assistant(txt("two"))
    root.update()
    root.zone.landed(S1)[1].path.unlink()
    reader = root.reader()

    overview = reader.json(f"/api/c/{S1}")
    kept = reader.talk(S1, "talk/main/p1")
    lost = reader.talk(S1, "talk/main/p2")

    assert [(talk["label"], talk.get("reply")) for talk in overview["talks"]] == [
        ("first", "one"),
        ("", None),
    ]
    assert "unavailable" not in {node.get("state") for node in kept.values()}
    spoken = [node for node in lost.values() if node["kind"].startswith("message")]
    assert [(node["state"], node.get("text")) for node in spoken] == [("unavailable", None)] * 2


def test_a_damaged_landed_file_hides_only_itself(home: Home, root: Root) -> None:
    """A line that is no record leaves its own step without words."""
    transcript = home.transcript()
    transcript.user("first", promptId="p1").assistant(txt("one"))
    root.update()
    path = root.zone.landed(S1)[0].path
    path.chmod(0o600)
    path.write_bytes(path.read_bytes().replace(b'"k":"text","text":"one"', b'"k":["text","text"]'))
    for file in (root.path / S1 / "index").glob("*"):
        file.unlink()
    reader = root.reader()

    nodes = reader.talk(S1, "talk/main/p1")

    texts = {node["kind"]: node.get("text") for node in nodes.values()}
    assert texts["message.external"] == "first"
    assert texts["message.assistant"] is None


def test_a_broken_chain_stays_in_the_list_and_says_why(home: Home, root: Root) -> None:
    """V10: round 2 was edited on disk, also while the page is being read."""
    transcript = home.transcript()
    transcript.user("first", promptId="p1").assistant(txt("one"))
    home.transcript(S2).user("other", promptId="p1")
    root.update()
    transcript.user("second", promptId="p2").assistant(txt("two"))
    root.update()
    reader = root.reader()
    assert [row["rounds"] for row in reader.json("/api/conversations")] == [2, 1]
    assert reader.json(f"/api/c/{S1}")["rounds"] == 2
    second = max((root.conversation(S1) / "rounds").iterdir())
    second.chmod(0o600)
    second.write_bytes(
        second.read_bytes().replace(b'"trigger":"external"', b'"trigger":"externa1"')
    )

    rows = reader.json("/api/conversations")
    answer = reader.json(f"/api/c/{S1}", status=500)

    assert [row["id"] for row in rows] == [S1, S2]
    assert second.name in rows[0]["error"]
    assert (rows[0]["talks"], rows[0]["steps"], rows[0]["rounds"]) == (0, 0, 0)
    assert "error" not in rows[1]
    assert second.name in answer["error"]
    assert reader.get(f"/c/{S1}").status_code != 500


def test_a_record_without_time_has_none(home: Home, root: Root) -> None:
    """V10: 0, which a page shows as no time, and not as 1970."""
    transcript = home.transcript()
    transcript.user("when?", promptId="p1", timestamp=...)
    transcript.assistant(txt("unknown"), timestamp=...)
    root.update()

    talk = root.reader().json(f"/api/c/{S1}")["talks"][0]

    assert (talk["from"], talk["to"]) == (0, 0)


def test_a_conversation_without_talks_shows_its_steps(home: Home, root: Root) -> None:
    """V10: what lies outside talks is listed, flat, and in the flow."""
    home.transcript().compact(after="gone").assistant(use("t1", "Bash", command="ls"))
    root.update()
    reader = root.reader()

    overview = reader.json(f"/api/c/{S1}")
    outside = reader.json(f"/api/c/{S1}/outside")
    flow = reader.json(f"/api/c/{S1}/flow")

    assert overview["talks"] == []
    assert [step["kind"] for step in outside] == ["epoch.boundary", "llm.call", "tool"]
    assert outside[2]["text"] == '{"command":"ls"}'
    assert all("children" not in step for step in outside)
    assert [(step["id"], step["talk"]) for step in flow] == [(step["id"], "") for step in outside]
    assert reader.json("/api/conversations")[0]["steps"] == 3


# ------------------------------------------------------------------ live


def test_a_new_round_is_shown_without_a_restart(home: Home, root: Root) -> None:
    """V7, the server's part: head, overview, list and the talks."""
    transcript = home.transcript()
    transcript.user("first", promptId="p1").assistant(txt("one"))
    root.update()
    reader = root.reader()
    assert reader.json(f"/api/c/{S1}")["talks"][0]["reply"] == "one"
    assert reader.json("/api/conversations")[0]["talks"] == 1

    transcript.assistant(txt("one more"))
    transcript.user("second", promptId="p2").assistant(txt("two"))
    root.update()

    assert reader.json(f"/api/c/{S1}/head")["rounds"] == 2
    overview = reader.json(f"/api/c/{S1}")
    assert [(talk["label"], talk["reply"]) for talk in overview["talks"]] == [
        ("first", "one more"),
        ("second", "two"),
    ]
    assert reader.json("/api/conversations")[0]["talks"] == 2
    assert reader.talk(S1, "talk/main/p2")["talk/main/p2"]["kind"] == "talk"


def test_a_newer_generation_is_the_one_shown(home: Home, root: Root) -> None:
    """A newer program starts the chain anew; the old one stays on disk."""
    write_f1(home)
    (published,) = root.update()
    reader = root.reader()
    assert "generation" not in reader.json(API)
    assert published.path is not None
    directory = root.conversation(F1_SESSION)
    newer = directory / "g2" / "rounds"
    newer.mkdir(parents=True)
    (newer / published.path.name).write_bytes(published.path.read_bytes())

    assert reader.json(API)["generation"] == 2


@pytest.mark.parametrize(
    ("age_s", "gone", "state"),
    [(5, False, "live"), (3600, False, "quiet"), (5, True, "source gone")],
)
def test_the_state_of_the_source_is_what_the_last_pass_saw(
    home: Home, root: Root, age_s: int, gone: bool, state: str
) -> None:
    """Nothing is known about a process; only whether its file still grows."""
    path = home.projects / PROJECT / f"{S1}.jsonl"
    home.transcript().user("go", promptId="p1", at="10:00:00")
    last_s = 1_772_359_200  # ten o'clock of that day
    os.utime(path, (last_s, last_s))
    root.update()
    if gone:
        path.unlink()
        root.update()
    library = Library(root.path, clock=lambda: last_s + age_s)

    assert library.rows()[0].state == state
    assert library.overview(S1).state == state


def test_a_copied_file_is_not_live(home: Home, root: Root) -> None:
    """Its file is new, and its records are not."""
    home.transcript().user("go", promptId="p1", at="10:00:00")
    root.update()

    assert Library(root.path).rows()[0].state == "quiet"
