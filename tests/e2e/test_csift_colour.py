"""Colour (R29): for people at a terminal, and never a byte that changes the text."""

import re

import pytest

from sessionizer.csift.colour import wants_colour
from tests.build.home import S1, Home, txt
from tests.conftest import Csift

CODES = re.compile(rb"\x1b\[[0-9;]*m")


@pytest.fixture
def session(home: Home) -> None:
    home.transcript().user("please look").assistant(txt("found it")).user("thanks")


@pytest.mark.usefixtures("session")
@pytest.mark.parametrize(
    "arguments",
    [
        ("list",),
        ("search", "look"),
        ("search", "look", "--siblings"),
        ("show", f"@{S1}", "--turn", ".."),
        ("stats",),
        ("verbatim", f"@{S1}"),
    ],
)
def test_without_the_codes_the_text_is_the_same(csift: Csift, arguments: tuple[str, ...]) -> None:
    plain = csift(*arguments).stdout_bytes
    painted = csift(*arguments, "--color", "always").stdout_bytes

    assert painted != plain
    assert CODES.sub(b"", painted) == plain


@pytest.mark.usefixtures("session")
@pytest.mark.parametrize(
    "flags",
    [("--format", "json"), ("-c",), ("-l",), ("--raw",), ("--count-by", "label")],
)
def test_what_programs_read_is_never_painted(csift: Csift, flags: tuple[str, ...]) -> None:
    assert b"\x1b" not in csift("search", "look", *flags, "--color", "always").stdout_bytes


@pytest.mark.parametrize(
    ("choice", "environ", "terminal", "expected"),
    [
        ("auto", {}, True, True),
        ("auto", {}, False, False),
        ("auto", {"NO_COLOR": "1"}, True, False),
        ("auto", {"NO_COLOR": ""}, True, True),
        ("auto", {"TERM": "dumb"}, True, False),
        ("always", {"NO_COLOR": "1"}, False, True),
        ("never", {}, True, False),
    ],
)
def test_when_colour_is_wanted(
    choice: str, environ: dict[str, str], terminal: bool, expected: bool
) -> None:
    assert wants_colour(choice, environ, is_terminal=terminal) is expected
