"""Names and ids that are no text: bytes a file system allows and UTF-8 does not."""

import os
import sys
from pathlib import Path

import pytest

from tests.build.home import S1, S2, A, Home, U, encode_line, txt
from tests.conftest import Csift

pytestmark = pytest.mark.skipif(
    sys.platform in ("win32", "darwin"), reason="file names are text on this system"
)


@pytest.fixture
def strange(home: Home) -> Path:
    """A session in a directory whose name ends with the byte FF, and one in an ordinary one."""
    home.transcript().user("an ordinary prompt")
    directory = home.projects / os.fsdecode(b"-bad\xff")
    directory.mkdir()
    path = directory / f"{S2}.jsonl"
    lines = (U("u1", "-", "10:00:00", "a strange prompt"), A("a1", "u1", "10:00:01", txt("yes")))
    path.write_bytes("".join(f"{line}\n" for line in lines).encode())
    return path


@pytest.mark.usefixtures("strange")
@pytest.mark.parametrize(
    "arguments",
    [
        ("list",),
        ("list", "--format", "json"),
        ("search", "strange"),
        ("search", "strange", "--raw"),
        ("search", "strange", "--siblings", "--format", "json"),
        ("search", "", "--count-by", "label"),
        ("show", f"@{S2}", "--line", "1"),
        ("show", f"@{S2}", "--line", "1", "--format", "json"),
        ("stats",),
        ("stats", "--format", "json"),
        ("verbatim", f"@{S2}"),
        ("verbatim", f"@{S2}", "--format", "json"),
    ],
)
def test_a_directory_whose_name_is_no_utf_8_is_read(
    csift: Csift, arguments: tuple[str, ...]
) -> None:
    """What such a name gives in the interpreter cannot be encoded without care."""
    result = csift(*arguments)

    assert (result.exit_code, "defect" in result.stderr) == (0, False)
    assert result.stdout  # decoding it proves UTF-8


@pytest.mark.usefixtures("strange")
def test_such_a_name_is_shown_with_a_replacement(csift: Csift) -> None:
    (row,) = csift("list", f"@{S2}", "--format", "json").rows("session")

    assert "/-bad�/" in row["path"]


def test_such_a_name_is_accepted_as_a_path(strange: Path, csift: Csift) -> None:
    assert csift("search", "strange", strange, "-c").stdout == "1\n"


def test_an_id_that_is_no_utf_8_is_listed(home: Home, csift: Csift) -> None:
    line = encode_line(
        {"type": "user", "uuid": "bad?", "message": {"role": "user", "content": "x"}}
    )
    home.transcript().raw(line.encode().replace(b"bad?", b"bad\xff"))

    result = csift("list", f"@{S1}")

    assert (result.exit_code, result.stderr) == (0, "")
    assert result.stdout.startswith(f"SESSION  {S1}\n")


def test_a_pattern_with_a_byte_that_is_no_utf_8_is_refused(home: Home, csift: Csift) -> None:
    """The engine would read it as a question mark, a quantifier, and match everything."""
    home.transcript().user("an ordinary prompt")

    result = csift("search", os.fsdecode(b"nosuch\xff"))

    assert (result.exit_code, result.stdout) == (1, "")
    assert "the byte \\xff is not UTF-8 at offset 6" in result.stderr
    assert result.stderr.count("\n") == 1
