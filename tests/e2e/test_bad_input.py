"""Damaged homes and files: everything is kept, counted and said; nothing is invented.

Each case goes the whole way: collect, parse, verify, describe. No traceback, no hang.
"""

import json
import os
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from sessionizer.adapters.claude_code_local import session_task
from sessionizer.landing.transaction import SessionPass
from tests.build.home import S1, Home, encode_line
from tests.conftest import Asz
from tests.e2e.test_asz_collect import counters, kept_bytes

USER = {
    "type": "user",
    "uuid": "11111111-0000-4000-8000-000000000001",
    "parentUuid": None,
    "timestamp": "2026-03-01T10:00:00.000Z",
    "sessionId": S1,
    "message": {"role": "user", "content": "hello there"},
}
GOOD = encode_line(USER).encode()


def with_text(text: str) -> bytes:
    return encode_line({**USER, "message": {"role": "user", "content": text}}).encode()


# Name, the bytes of the transcript, rows that the one session keeps.
FILES: dict[str, tuple[bytes, int]] = {
    "empty": (b"", 0),
    "one newline": (b"\n", 1),
    "NUL bytes": (b"\0" * 64 + b"\n", 1),
    "NUL bytes before a record": (b"\0\0\0\0" + GOOD + b"\n", 1),
    "invalid UTF-8": (GOOD.replace(b"hello", b"he\xff\xfelo") + b"\n", 1),
    "torn last line": (GOOD + b"\n" + GOOD[:40], 1),
    "torn last line that is whole": (GOOD + b"\n" + GOOD.replace(b"0001", b"0002", 1), 2),
    "CRLF": (GOOD + b"\r\n" + GOOD + b"\r\n", 2),
    "BOM": (b"\xef\xbb\xbf" + GOOD + b"\n", 1),
    "30 MB line": (with_text("x" * 30_000_000) + b"\n", 1),
    "nesting 10,000 deep": (b'{"type":"x","a":' + b"[" * 10_000 + b"]" * 10_000 + b"}\n", 1),
    "duplicate keys": (b'{"type":"user","uuid":"a","uuid":"b","message":{"content":"x"}}\n', 1),
    "numbers out of range": (
        b'{"type":"system","subtype":"turn_duration","durationMs":1e999,"n":-1234567890123456789'
        b"0123456789}\n",
        1,
    ),
    "a counter no machine can hold": (
        b'{"type":"assistant","uuid":"a1","message":{"id":"m1","role":"assistant","content":'
        b'[{"type":"text","text":"hi"}],"usage":{"output_tokens":18446744073709551616}}}\n',
        1,
    ),
    "lone surrogate": (GOOD.replace(b"hello", rb"he\ud83dllo") + b"\n", 1),
    "unknown record type": (b'{"type":"zebra","uuid":"z1","stripes":[1,2]}\n', 1),
    "unknown block type": (
        b'{"type":"assistant","uuid":"a1","message":{"id":"m1","role":"assistant",'
        b'"content":[{"type":"hologram","beam":1}]}}\n',
        1,
    ),
    "unknown attachment type": (
        b'{"type":"attachment","uuid":"t1","attachment":{"type":"fog","density":3}}\n',
        1,
    ),
    "not JSON": (b"plain words\n", 1),
    "not an object": (b"[1,2]\nnull\n", 2),
    "NaN": (b'{"type":"user","uuid":"a","n":NaN}\n', 1),
    "glued objects": (GOOD + GOOD.replace(b"0001", b"0002", 1) + b"\n", 2),
    "every field of another type": (
        b'{"type":1,"uuid":[],"parentUuid":{},"timestamp":5,"message":"x","origin":"y",'
        b'"toolUseResult":7,"isMeta":"no","promptId":false,"attachment":[]}\n',
        1,
    ),
    "U+2028 and U+0085 inside a string": (with_text("a\u2028b\u0085c") + b"\n", 1),
}


@pytest.mark.parametrize("name", FILES)
def test_a_damaged_transcript_goes_the_whole_way(
    home: Home, asz: Asz, tmp_path: Path, name: str
) -> None:
    body, rows = FILES[name]
    root = tmp_path / "root"
    path = home.file(f"projects/-work-demo/{S1}.jsonl", body)

    collected = asz("collect", "--once", "--root", root)
    again = asz("collect", "--once", "--root", root)
    parsed = asz("parse", "--root", root)
    verified = asz("verify", "--root", root)

    assert collected.exit_code == 0, collected.stderr
    assert counters(collected.stdout)["records"] == str(rows)
    assert counters(again.stdout)["landed"] == "0"
    kept = kept_bytes(root, S1, "streams/main", "transcript")
    kept += kept_bytes(root, S1, "streams/main", "tail")
    assert path.read_bytes().startswith(kept)
    assert kept.count(b"\n") == body.count(b"\n")
    assert "defect" not in parsed.stderr
    assert parsed.exit_code == 0, parsed.stderr
    assert ("nothing has landed" in parsed.stdout) == (rows == 0)
    assert verified.exit_code == 0, verified.stdout
    if rows:
        described = asz("conversation", S1, "--root", root)
        assert described.exit_code == 0, described.stderr


def test_a_torn_last_line_is_kept_once_it_rests(home: Home, asz: Asz, tmp_path: Path) -> None:
    """What is not a whole record waits, and can be kept at once on request."""
    root = tmp_path / "root"
    home.file(f"projects/-work-demo/{S1}.jsonl", GOOD + b"\n" + GOOD[:40])

    asz("collect", "--once", "--root", root)
    assert kept_bytes(root, S1, "streams/main", "tail") == b""
    asz("collect", "--once", "--root", root, "--flush-tails")
    assert kept_bytes(root, S1, "streams/main", "tail") == GOOD[:40]


def make_directory_named_like_a_transcript(home: Home) -> str:
    (home.projects / "-work-demo" / f"{S1}.jsonl").mkdir(parents=True)
    return f"{S1}.jsonl"


def make_broken_link(home: Home) -> str:
    (home.projects / "-work-demo").mkdir(parents=True)
    (home.projects / "-work-demo" / f"{S1}.jsonl").symlink_to(home.projects / "nothing")
    return f"{S1}.jsonl"


def make_loop(home: Home) -> str:
    (home.projects / "-work-demo").mkdir(parents=True)
    (home.projects / "loop").symlink_to(home.projects)
    return ""


@pytest.mark.parametrize(
    "make", [make_directory_named_like_a_transcript, make_broken_link, make_loop]
)
def test_an_odd_path_is_said_and_does_not_stop_the_rest(
    home: Home, asz: Asz, tmp_path: Path, make: Callable[[Home], str]
) -> None:
    said = make(home)
    other = S1[:-1] + "9"
    home.transcript(other).user("hello")

    listed = asz("sources")
    collected = asz("collect", "--once", "--root", tmp_path / "root")

    assert listed.exit_code == 0, listed.stderr
    assert said in listed.stdout
    assert counters(collected.stdout)["records"] == "1"
    assert "defect" not in collected.stderr


def test_projects_that_is_a_file_is_named(home: Home, asz: Asz, tmp_path: Path) -> None:
    home.path.mkdir(parents=True, exist_ok=True)
    if home.projects.is_dir():
        home.projects.rmdir()
    home.projects.write_text("x")

    result = asz("collect", "--once", "--root", tmp_path / "root")

    assert result.exit_code == 1
    assert "projects" in result.stderr
    assert result.stderr.count("\n") == 1


def test_a_storage_root_that_is_a_file_is_named(home: Home, asz: Asz, tmp_path: Path) -> None:
    home.transcript(S1).user("hello")
    (tmp_path / "root").write_text("x")

    result = asz("collect", "--once", "--root", tmp_path / "root")

    assert result.exit_code == 1
    assert str(tmp_path / "root") in result.stderr
    assert "defect" not in result.stderr


@pytest.mark.skipif(sys.platform == "win32", reason="no pipes in the file system")
@pytest.mark.parametrize(
    "name", ["history.jsonl", "settings.json", f"projects/-work-demo/{S1}.jsonl"]
)
def test_a_pipe_is_named_and_never_waited_for(
    home: Home, asz: Asz, tmp_path: Path, name: str
) -> None:
    """Opening a pipe that nobody writes to would hang for good."""
    home.transcript(S1[:-1] + "9").user("hello")
    (home.path / name).parent.mkdir(parents=True, exist_ok=True)
    os.mkfifo(home.path / name)

    collected = asz("collect", "--once", "--root", tmp_path / "root")
    looked = asz("doctor", "--root", tmp_path / "root")

    assert counters(collected.stdout)["records"] == "1"
    assert looked.exit_code == 0, looked.stderr
    said = collected.stderr + looked.stdout
    assert "not a regular file" in said or "where a file is expected" in said
    assert Path(name).name in said


def test_an_unforeseen_fault_of_one_session_leaves_the_others_kept(
    home: Home, asz: Asz, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What deletes transcripts does not wait for us to mend a defect."""
    home.transcript(S1).user("hello")
    other = S1[:-1] + "9"
    home.transcript(other).user("hello")
    before = session_task.collect_session

    def fail_one(current: SessionPass, *arguments: object, **options: object) -> None:
        if current.session == S1:
            raise ZeroDivisionError("planted")
        before(current, *arguments, **options)  # type: ignore[arg-type]

    monkeypatch.setattr(session_task, "collect_session", fail_one)

    result = asz("collect", "--once", "--root", tmp_path / "root")

    assert result.exit_code == 1
    assert f"{S1}: this is a defect: ZeroDivisionError: planted" in result.stderr
    assert kept_bytes(tmp_path / "root", other, "streams/main", "transcript") != b""


def test_what_a_terminal_would_act_on_is_shown(home: Home, asz: Asz, tmp_path: Path) -> None:
    """A title from a transcript may hold escapes; the terminal gets none of them."""
    hostile = "a\x1b[31m\x1b]52;c;eA==\x07\u202eb"
    home.transcript(S1).user("hello").line({"type": "custom-title", "customTitle": hostile})
    asz("collect", "--once", "--root", tmp_path / "root")
    asz("parse", "--root", tmp_path / "root")

    result = asz("conversation", S1, "--root", tmp_path / "root")

    assert r"a\x1b[31m" in result.stdout
    assert not set(result.stdout) & {"\x1b", "\x07", "\u202e"}


def test_an_empty_name_of_a_place_is_refused(asz: Asz, tmp_path: Path) -> None:
    """It is a shell variable that was not set, not a wish for the default."""
    result = asz("collect", "--once", "--claude-home", "", "--root", tmp_path / "root")

    assert result.exit_code == 2
    assert "--claude-home" in result.stderr


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("a: " + "[" * 5_000, "nested too deep"),
        ("storage: [", "not valid YAML"),
        ("storrage:\n  root: x\n", "did you mean storage?"),
        ("adapters:\n- nmae: claude-code-local\n", "did you mean adapters[1].name?"),
        ("adapters:\n- name: claude-code-local\n  collector: {mode: later}\n", "watch or once"),
        ("adapters:\n- name: claude-code-local\n  collector: {interval: soon}\n", "5s"),
        ("storage:\n  root: ''\n", "storage.root"),
        ("- 1\n", "mapping"),
        (json.dumps({"adapters": [{"enabled": True}]}), "has no name"),
    ],
)
def test_a_wrong_configuration_names_the_key(
    home: Home, asz: Asz, tmp_path: Path, text: str, said: str
) -> None:
    home.transcript(S1).user("hello")
    path = tmp_path / "asz.yaml"
    path.write_text(text)

    result = asz("collect", "--once", "--config", path, "--root", tmp_path / "root")

    assert result.exit_code == 1
    assert said in result.stderr
    assert result.stderr.count("\n") == 1
    assert not (tmp_path / "root").exists()
