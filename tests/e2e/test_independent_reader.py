"""What is kept can be read without our code: forty lines, written from the format's pages alone."""

import json
import subprocess
import sys
from collections import Counter
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.build.home import S1, Home, encode_line, txt, use
from tests.conftest import Asz

READER = Path(__file__).with_name("independent_reader.py")
_GROWING = ("transcript", "journal", "transcript_tail", "journal_tail")


def read_root(root: Path) -> list[dict[str, Any]]:
    """Every record below a root, as the reader prints it in a process of its own."""
    done = subprocess.run(
        [sys.executable, "-I", READER, root], capture_output=True, timeout=120, check=True
    )
    return [json.loads(line) for line in done.stdout.splitlines()]


def texts_of(line: bytes) -> list[str]:
    """The prose of a source line: a message that is a string, or its text blocks."""
    message = json.loads(line).get("message") or {}
    content = message.get("content") if isinstance(message, dict) else None
    if isinstance(content, str):
        return [content] if content else []
    blocks = content if isinstance(content, list) else []
    return [block["text"] for block in blocks if block.get("type") == "text" and block["text"]]


def kept_lines(records: Iterable[dict[str, Any]]) -> Iterator[tuple[str, bytes]]:
    """(source, bytes) of every row of a growing source; what one line holds is joined."""
    lines: dict[tuple[str, int], bytes] = {}
    for record in records:
        if record["kind"] in _GROWING and not record["row"].get("carried"):
            key = (record["src"].removesuffix("#tail"), record["row"]["ord"])
            lines[key] = lines.get(key, b"") + bytes.fromhex(record["kept"])
    yield from ((src, body) for (src, _), body in lines.items())


def prove(home: Path, records: list[dict[str, Any]]) -> int:
    """Each line of each growing source is kept, and each answer says what its source says.

    Returns how many answers were compared.
    """
    projects = home / "projects"
    sources = [*projects.glob("*/*.jsonl"), *projects.glob("*/*/subagents/**/*.jsonl")]
    wanted = Counter(
        (path.relative_to(projects).as_posix(), line)
        for path in sources
        for line in path.read_bytes().removesuffix(b"\n").split(b"\n")
        if path.stat().st_size
    )
    assert wanted
    assert Counter(kept_lines(records)) == wanted
    compared = 0
    for record in records:
        row = record["row"]
        if record["kind"] in _GROWING and row["from"] == "agent" and not row.get("carried"):
            expected = texts_of(bytes.fromhex(record["kept"]))
            assert record["texts"] == expected, (record["src"], row["ord"])
            compared += bool(expected)
    return compared


def test_the_reader_is_short_and_knows_nothing_of_us() -> None:
    code = READER.read_text()

    assert len(code.splitlines()) <= 40
    assert "sessionizer" not in code


def test_it_reads_the_sample(sample: Path, asz: Asz, tmp_path: Path) -> None:
    root = tmp_path / "root"
    asz("collect", "--once", "--root", root, "--claude-home", sample)
    asz("parse", "--root", root)

    assert prove(sample, read_root(root)) > 20


@pytest.mark.real_data
def test_it_reads_every_real_home(real_data: Path, asz: Asz, tmp_path: Path) -> None:
    homes = [path for path in sorted(real_data.iterdir()) if (path / "projects").is_dir()]
    compared = 0
    for home in homes:
        root = tmp_path / home.name
        asz("collect", "--once", "--flush-tails", "--root", root, "--claude-home", home)
        compared += prove(home, read_root(root))
    assert compared > 100


def test_it_reads_what_is_odd(home: Home, asz: Asz, tmp_path: Path) -> None:
    """Two objects on a line, half a surrogate pair, a torn line, and a second generation."""
    root = tmp_path / "root"
    transcript = home.transcript(S1).user("one").assistant(txt("two\u2028lines"))
    record = encode_line({"type": "system", "subtype": "x", "content": "glued"})
    transcript.raw(record + record)
    transcript.assistant(txt("pair \\ud83d"), use("t1", "Bash", command="HALF"))
    body = transcript.path.read_bytes().replace(b"HALF", rb"\ud800")
    transcript.path.write_bytes(body + b'{"type":"torn')
    asz("collect", "--once", "--flush-tails", "--root", root)
    records = read_root(root)
    assert prove(home.path, records) == 2

    transcript.path.write_bytes(body[: body.index(b"\n") + 1])
    asz("collect", "--once", "--root", root)
    later = read_root(root)

    again = [each for each in later if each.get("gen") == 2]
    assert [each["texts"] for each in again] == [["one"]]
    assert later[: len(records)] == records
