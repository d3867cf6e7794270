"""`asz conversation`: the document, earlier rounds, the history of one entity, totals."""

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.build.home import S1, S2, Home, txt, use
from tests.build.program import Result
from tests.build.reading import flatten
from tests.build.schema import schema_problems
from tests.conftest import Asz

REPOSITORY = Path(__file__).parents[2]
FORMATS = REPOSITORY / "docs" / "formats"
SAMPLE_MAIN = "5f0c8a52-7d1e-4b39-9c64-2a8e31d0b7f4"


@pytest.fixture
def root(tmp_path: Path) -> Path:
    return tmp_path / "root"


def only(result: Result) -> dict[str, Any]:
    """The one JSON document on standard output, on one line."""
    assert result.exit_code == 0, result.stderr
    assert result.stdout.count("\n") == 1
    return json.loads(result.stdout)


def schema(name: str) -> dict[str, Any]:
    return json.loads((FORMATS / f"{name}.schema.json").read_text(encoding="utf-8"))


def grown(home: Home, asz: Asz, root: Path) -> None:
    """Two rounds: a call without a result, then the result and a second talk."""
    transcript = home.transcript(S1).human("p1", "first")
    transcript.assistant(use("t1", "Bash", command="ls"), call="m1", usage={"output_tokens": 7})
    asz("collect", "--once", "--root", root)
    asz("parse", "--root", root)
    transcript.result("t1", "x" * 5_000, prompt="p1").human("p2", "second")
    asz("collect", "--once", "--root", root)
    asz("parse", "--root", root)


def test_the_schema_files_are_fresh() -> None:
    """They are made from the values that are written."""
    done = subprocess.run(
        [sys.executable, REPOSITORY / "tools" / "make_schema.py", "--check"],
        capture_output=True,
        check=False,
    )

    assert (done.returncode, done.stderr.decode()) == (0, "")


def test_a_wrong_document_is_found_out() -> None:
    """The check of the schema must itself be able to fail."""
    checked = schema("conversation-document")
    document = {"schema": 1, "id": "x", "strange": 1}

    problems = schema_problems(document, checked)

    assert "$.schema: 1 is no string" in problems
    assert "$: unknown key strange" in problems
    assert "$: talks is missing" in problems


def test_the_sample_is_one_document(sample: Path, asz: Asz, root: Path) -> None:
    """Every talk as a tree, what lies outside, the lists, and what it rests on."""
    asz("collect", "--once", "--root", root, "--claude-home", sample)
    asz("parse", "--root", root)

    document = only(asz("conversation", SAMPLE_MAIN, "--root", root, "--format", "json"))

    assert schema_problems(document, schema("conversation-document")) == []
    overview = document["overview"]
    assert [tree["id"] for tree in document["talks"]] == [row["id"] for row in overview["talks"]]
    shown = {node for tree in document["talks"] for node in flatten(tree)}
    shown |= {node["id"] for node in document["outside"]}
    steps = sum(row["steps"] for row in overview["talks"]) + len(document["outside"])
    containers = overview["kinds"]["talk"] + overview["kinds"]["run"]
    assert len(shown) == steps + containers
    assert len(document["relations"]) == overview["relations"] == 32
    assert [entry["state"] for entry in document["unresolved"]] == ["open"]
    assert [one["evidence"] for one in document["rounds"]] == ["matches"]
    assert len(document["files"]) == 34
    assert all(len(file["sha256"]) == 64 for file in document["files"])


def test_texts_are_whole(home: Home, asz: Asz, root: Path) -> None:
    """A list is cut to 2,000 bytes; a document is the conversation."""
    grown(home, asz, root)

    document = only(asz("conversation", S1, "--root", root, "--format", "json"))

    nodes = {key: node for tree in document["talks"] for key, node in flatten(tree).items()}
    assert nodes["tool/t1"]["result"] == "x" * 5_000
    assert nodes["tool/t1"]["input"] == {"command": "ls"}


def test_what_a_terminal_would_act_on_is_spelled_out(home: Home, asz: Asz, root: Path) -> None:
    """The value is the same; a bidirectional mark cannot turn the line around."""
    home.transcript(S1).human("p1", "a\u202eb\x9bc")
    asz("collect", "--once", "--root", root)
    asz("parse", "--root", root)

    result = asz("conversation", S1, "--root", root, "--format", "json")

    assert "\\u202e" in result.stdout
    assert "\u202e" not in result.stdout
    assert "\x9b" not in result.stdout
    assert json.loads(result.stdout)["talks"][0]["children"][0]["children"][0]["text"] == (
        "a\u202eb\x9bc"
    )


def test_an_earlier_round_is_seen_as_it_was(home: Home, asz: Asz, root: Path) -> None:
    """Neither later rounds nor later records have a say."""
    grown(home, asz, root)

    document = only(asz("conversation", S1, "--root", root, "--at-round", "1", "--format", "json"))
    text = asz("conversation", S1, "--root", root, "--at-round", "1").stdout

    assert (document["round"], document["head"]) == (1, 2)
    assert [row["label"] for row in document["overview"]["talks"]] == ["first"]
    assert [entry["ref"] for entry in document["unresolved"]] == ["t1"]
    assert [(one["round"], one["evidence"]) for one in document["rounds"]] == [(1, "matches")]
    assert {file["seq"] for file in document["files"]} == {1}
    assert "rounds         1 of 2" in text
    assert "1 (1 open)" in text


def test_a_round_that_is_not_there_is_named(home: Home, asz: Asz, root: Path) -> None:
    grown(home, asz, root)

    beyond = asz("conversation", S1, "--root", root, "--at-round", "3")
    none = asz("conversation", S1, "--root", root, "--at-round", "0")

    assert beyond.exit_code == 1
    assert "has no round 3" in beyond.stderr
    assert "1 to 2" in beyond.stderr
    assert none.exit_code == 2


def test_a_broken_later_round_does_not_hide_an_earlier_one(
    home: Home, asz: Asz, root: Path
) -> None:
    """It is a way to see what is left when the newest cannot be read."""
    grown(home, asz, root)
    newest = sorted((root / "_conversations" / S1 / "rounds").iterdir())[-1]
    newest.chmod(0o600)
    newest.write_bytes(b"{}\n")

    assert asz("conversation", S1, "--root", root).exit_code == 1
    assert asz("conversation", S1, "--root", root, "--at-round", "1").exit_code == 0


def test_the_history_of_an_entity_has_every_revision(home: Home, asz: Asz, root: Path) -> None:
    """A tool that had no result, the gap that stood for it, and how both were settled."""
    grown(home, asz, root)

    tool = only(asz("conversation", S1, "--root", root, "--history", "tool/t1", "--format", "json"))
    gap = asz("conversation", S1, "--root", root, "--history", "unres/tool_result/t1").stdout
    before = only(
        asz(
            *("conversation", S1, "--root", root, "--history", "tool/t1"),
            *("--at-round", "1", "--format", "json"),
        )
    )

    assert schema_problems(tool, schema("entity-history")) == []
    joins = [(one["revision"], one["attrs"]["result_join"]) for one in tool["revisions"]]
    assert joins == [(1, "unresolved"), (2, "exact_unique")]
    assert [line.split(":")[0].strip() for line in gap.splitlines()[2:]] == ["round 1", "round 2"]
    assert '"state":"resolved"' in gap.splitlines()[3]
    assert [one["revision"] for one in before["revisions"]] == [1]


def test_an_entity_that_no_round_knows_is_named(home: Home, asz: Asz, root: Path) -> None:
    grown(home, asz, root)

    result = asz("conversation", S1, "--root", root, "--history", "tool/none")

    assert result.exit_code == 1
    assert "'tool/none' in rounds 1 to 2" in result.stderr


@pytest.mark.parametrize("damage", ["changed", "gone"])
def test_a_changed_landed_file_is_found_by_the_round_it_is_part_of(
    home: Home, asz: Asz, root: Path, damage: str
) -> None:
    """Digests are of the files as they are, and the rounds say what they were."""
    grown(home, asz, root)
    second = sorted((root / S1 / "streams" / "main").glob("*.sd"))[1]
    second.chmod(0o600)
    if damage == "gone":
        second.unlink()
    else:
        second.write_bytes(second.read_bytes().replace(b"second", b"sekond"))

    document = only(asz("conversation", S1, "--root", root, "--format", "json"))

    assert [one["evidence"] for one in document["rounds"]] == ["matches", "differs"]


def cost(session: str, **models: int) -> dict[str, Any]:
    usage = {model: {"outputTokens": out, "inputTokens": 2} for model, out in models.items()}
    return {"type": "cost-state", "sessionId": session, "modelUsage": usage}


def test_what_the_runtime_says_stands_beside_our_sum(home: Home, asz: Asz, root: Path) -> None:
    """The last statement counts; it is compared, never added."""
    transcript = home.transcript(S1).human("p1", "first")
    transcript.line(cost(S1, a=1))
    usage = {"input_tokens": 3, "output_tokens": 7}
    transcript.assistant(txt("yes"), call="m1", usage=usage, stop="end_turn")
    transcript.line(cost(S1, a=7, b=5))
    asz("collect", "--once", "--root", root)
    asz("parse", "--root", root)

    text = asz("conversation", S1, "--root", root).stdout
    document = only(asz("conversation", S1, "--root", root, "--format", "json"))

    assert "tokens         in 3, out 7, cache_read 0, cache_write 0" in text
    assert f"runtime says   in 4, out 12 (record 1/4 of session {S1})" in text
    assert "difference     in +1, out +5\n" in text
    (stated,) = document["stated_totals"]
    assert stated["tokens"] == {"in": 4, "out": 12}
    assert stated["models"] == {"a": {"in": 2, "out": 7}, "b": {"in": 2, "out": 5}}
    assert document["overview"]["tokens"] == {"in": 3, "out": 7}


@pytest.mark.parametrize(
    "usage", [[], "x", {"a": 1}, {"a": {"outputTokens": "7"}}, {"a": {"outputTokens": -1}}]
)
def test_a_statement_of_another_shape_says_nothing(
    home: Home, asz: Asz, root: Path, usage: object
) -> None:
    """No number is guessed from it, and nothing crashes."""
    transcript = home.transcript(S1).human("p1", "first")
    transcript.line({"type": "cost-state", "sessionId": S1, "modelUsage": usage})
    asz("collect", "--once", "--root", root)
    asz("parse", "--root", root)

    document = only(asz("conversation", S1, "--root", root, "--format", "json"))

    assert document["stated_totals"] == []
    assert "runtime says" not in asz("conversation", S1, "--root", root).stdout


def test_a_conversation_of_two_sessions_is_one_document(home: Home, asz: Asz, root: Path) -> None:
    """Positions say in which session they are; each session has its files and its title."""
    home.transcript(S1).human("p1", "first")
    home.transcript(S2).human("p2", "second").line(cost(S2, a=4))
    home.transcript(S2).line({"type": "ai-title", "aiTitle": "Two", "sessionId": S2})
    asz("collect", "--once", "--root", root)
    asz("parse", "--conversation", "both", S1, S2, "--root", root)

    document = only(asz("conversation", "both", "--root", root, "--format", "json"))
    text = asz("conversation", "both", "--root", root).stdout

    assert schema_problems(document, schema("conversation-document")) == []
    assert [row["label"] for row in document["overview"]["talks"]] == ["first", "second"]
    assert document["overview"]["title"] == "Two"
    assert document["talks"][1]["ref"] == {"seq": 1, "row": 1, "session": S2}
    assert [file["session"] for file in document["files"]] == [S1, S2]
    assert [one["ref"]["session"] for one in document["stated_totals"]] == [S2]
    assert [one["evidence"] for one in document["rounds"]] == ["matches"]
    assert f"session        {S2}, landed through seq 1" in text
