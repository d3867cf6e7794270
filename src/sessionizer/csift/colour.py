"""Colour for people at a terminal: glyphs, labels and headers, and nothing else.

Lines are painted when they are complete and safe to show. Without the codes they are the
bytes that a pipe gets.
"""

import re
from collections.abc import Iterable, Iterator, Mapping

from sessionizer.cli.context import Context
from sessionizer.cli.flags import Flag

COLOR = Flag(
    "--color",
    "WHEN",
    choices=("auto", "always", "never"),
    default="auto",
    help="Colour in text for people. auto: on a terminal, unless TERM is dumb or NO_COLOR is set.",
)

_BOLD, _DIM, _CYAN, _GREEN, _YELLOW = "1", "2", "36", "32", "33"
# The beginning of a line that is painted, and with what. Text of a transcript never stands at
# the beginning of a line.
_PAINTS = (
    (re.compile(r"(?:SESSION|SUBAGENT|TOTAL|BRANCH POINTS)\b.*"), _BOLD),
    (re.compile(r"\S+·(?:t\d+|draft)\b"), _BOLD),
    (re.compile(r"t\d+(?=  )"), _BOLD),
    (re.compile(r"(?:scope|matches) (?= )"), _BOLD),
    (re.compile(r"  ◂ [\w.-]+"), _GREEN),
    (re.compile(r"  ▸ [\w.-]+"), _CYAN),
    (re.compile(r"  ⚙ [\w.-]+"), _YELLOW),
    (re.compile(r"  (?:first|last) [◂▸]"), _CYAN),
    (re.compile(r"  · [\w.-]+"), _DIM),
    (re.compile(r"      ↳ .*"), _DIM),
    (re.compile(r"  (?:cwd|title|clone|pending|note)(?= )"), _DIM),
)


def wants_colour(choice: str, environ: Mapping[str, str], *, is_terminal: bool) -> bool:
    """Whether text output is painted."""
    if choice != "auto":
        return choice == "always"
    return is_terminal and environ.get("TERM") != "dumb" and not environ.get("NO_COLOR")


def write_text(lines: Iterable[str], choice: str, context: Context) -> None:
    """Print text for people, painted where that is wanted."""
    is_painted = wants_colour(choice, context.environ, is_terminal=context.is_terminal)
    context.write(paint(lines, colour=is_painted))


def paint(lines: Iterable[str], *, colour: bool) -> Iterable[str]:
    """The lines, painted if `colour`."""
    return _paint(lines) if colour else lines


def _paint(lines: Iterable[str]) -> Iterator[str]:
    for line in lines:
        for pattern, code in _PAINTS:
            found = pattern.match(line)
            if found is not None:
                yield f"\x1b[{code}m{found[0]}\x1b[0m{line[found.end() :]}"
                break
        else:
            yield line
