"""`asz show`: from an id to the kept records, wherever they stand."""

import json
import re
import shutil
from pathlib import Path

import pytest

from sessionizer.landing.zone import Zone
from tests.build.home import S1, Home, encode_line, think, txt, use
from tests.build.program import Result
from tests.build.reading import Root
from tests.conftest import Asz

UUID = "11111111-0000-4000-8000-00000000000a"


@pytest.fixture
def root(tmp_path: Path) -> Path:
    return tmp_path / "root"


def fields(result: Result) -> list[dict[str, str]]:
    """The labelled lines of each record shown."""
    records = result.stdout.split("record ")[1:]
    return [dict(re.findall(r"^  (\w+) +(.*)$", record, re.MULTILINE)) for record in records]


def test_a_record_says_where_it_stands_and_what_it_holds(home: Home, asz: Asz, root: Path) -> None:
    transcript = home.transcript(S1).user("hello")
    transcript.assistant(think("", signature="c2ln"), txt("one\ntwo\x1b[2J"), uuid=UUID)
    asz("collect", "--once", "--root", root)
    first, second = transcript.path.read_bytes().splitlines(keepends=True)

    result = asz("show", S1, UUID, "--root", root)

    assert result.exit_code == 0, result.stderr
    (shown,) = fields(result)
    (landed,) = Zone(root).landed(S1)
    assert shown["file"] == landed.relative
    assert shown["source"] == f"-work-demo/{S1}.jsonl"
    assert shown["at"].startswith(f"ord 2, off {len(first)}, sha ")
    assert shown["at"].endswith(f", bytes {len(second) - 1}")
    assert shown["from"] == "agent"
    assert f"record {UUID}  seq 1, row 2  stream main" in result.stdout
    assert r"one\x0atwo\x1b[2J" in result.stdout
    assert "dropped  " in result.stdout


def test_long_content_is_cut_and_the_rest_is_counted(home: Home, asz: Asz, root: Path) -> None:
    home.transcript(S1).user("x" * 1_000, uuid=UUID)
    asz("collect", "--once", "--root", root)

    result = asz("show", S1, UUID, "--root", root)

    assert f"{'x' * 300}… (+700 chars)" in result.stdout
    assert "x" * 301 not in result.stdout


def test_a_tool_use_id_wins_over_a_record_id(home: Home, asz: Asz, root: Path) -> None:
    transcript = home.transcript(S1).user("also an id", uuid="t1")
    transcript.assistant(txt("look"), use("t1", "Bash", command="ls")).result("t1", "out")
    asz("collect", "--once", "--root", root)

    result = asz("show", S1, "t1", "--root", root)

    assert result.stdout.splitlines()[:3] == [
        "tool-use id t1 resolves to 2 block(s)",
        "  tool_use     part 1 of 1.2  stream main  Bash",
        "  tool_result  part 0 of 1.3  stream main",
    ]
    assert len(fields(result)) == 2
    assert "also an id" not in result.stdout


def test_all_copies_are_listed_and_the_one_that_counts_comes_first(
    home: Home, asz: Asz, root: Path
) -> None:
    """A record that a child repeats lands first here; the one of `main` counts all the same."""
    home.transcript(S1).user("hello", uuid=UUID).assistant(use("t1", "Bash", command="ls"))
    child = home.transcript(S1).child("0aaa")
    for line in home.transcript(S1).path.read_text().splitlines():
        child.line(json.loads(line))
    asz("collect", "--once", "--root", root)

    record = asz("show", S1, UUID, "--root", root).stdout
    tool = asz("show", S1, "t1", "--root", root).stdout

    heads = [line for line in record.splitlines() if line.startswith("record ")]
    assert [("stream main" in head, "(copy)" in head) for head in heads] == [
        (True, False),
        (False, True),
    ]
    assert tool.startswith("tool-use id t1 resolves to 1 block(s), 1 more in copies\n")
    assert tool.count("(copy)") == 2


def test_without_an_index_the_answer_is_the_same(sample: Path, asz: Asz, root: Path) -> None:
    """It is made in memory, and nothing is written."""
    asz("collect", "--once", "--root", root, "--claude-home", sample)
    index = next(root.glob("*/index"))
    session = index.parent.name
    (line, *_) = re.findall(r"^\d+ +\d+ +assistant +\S+ +(\S+)", _index(asz, session, root), re.M)
    before = asz("show", session, line, "--root", root)
    shutil.rmtree(index)

    after = asz("show", session, line, "--root", root)

    assert before.exit_code == 0
    assert after == before
    assert not index.exists()


def _index(asz: Asz, session: str, root: Path) -> str:
    return asz("index", session, "--root", root).stdout


def test_an_unknown_id_names_id_and_session(home: Home, asz: Asz, root: Path) -> None:
    home.transcript(S1).user("hello")
    asz("collect", "--once", "--root", root)

    unknown = asz("show", S1, "nope", "--root", root)
    elsewhere = asz("show", "no-session", "nope", "--root", root)

    assert (unknown.exit_code, unknown.stdout) == (1, "")
    assert "'nope'" in unknown.stderr and S1 in unknown.stderr
    assert elsewhere.exit_code == 1
    assert "'no-session'" in elsewhere.stderr


def test_a_deleted_session_data_file_is_named_with_the_way_out(
    home: Home, asz: Asz, root: Path
) -> None:
    """The index still knows the record; what it says can be made again."""
    transcript = home.transcript(S1).user("hello", uuid=UUID)
    asz("collect", "--once", "--root", root)
    transcript.assistant(txt("hi"))
    asz("collect", "--once", "--root", root)
    (first, _) = Zone(root).landed(S1)
    first.path.unlink()

    refused = asz("show", S1, UUID, "--root", root)
    assert refused.exit_code == 1
    assert "--rebuild" in refused.stderr

    asz("index", S1, "--rebuild", "--root", root)
    assert asz("show", S1, UUID, "--root", root).exit_code == 0


def test_a_lone_surrogate_goes_the_whole_way(home: Home, asz: Asz, tmp_path: Path) -> None:
    """F9: what the source spelled stays in the file, and no reader gives up on its row."""
    kept = Root(home, tmp_path / "root")
    line = encode_line(
        {
            "type": "assistant",
            "uuid": UUID,
            "timestamp": "2026-03-01T10:00:01.000Z",
            "sessionId": S1,
            "message": {
                "role": "assistant",
                "id": "m1",
                "content": [use("t1", "Bash", command="aSPLITb")],
            },
        }
    ).replace("SPLIT", r"\ud800")
    home.transcript(S1).user("hello", uuid="u1", promptId="p1").raw(line)
    kept.update()

    parsed = asz("parse", "--root", kept.path)
    verified = asz("verify", "--root", kept.path)
    shown = asz("show", S1, "t1", "--root", kept.path)
    reader = kept.reader()
    call = reader.talk(S1, "talk/main/p1")["tool/t1"]
    record = reader.json(f"/api/c/{S1}/record/1/2")

    (landed,) = kept.zone.landed(S1)
    assert rb'{"command":"a\ud800b"}' in landed.path.read_bytes()
    assert parsed.exit_code == verified.exit_code == shown.exit_code == 0
    assert '{"command":"a\\ufffdb"}' in shown.stdout
    assert call["input"] == {"command": "a\ufffdb"}
    assert record["record"]["parts"][0]["data"] == {"command": "a\ud800b"}
