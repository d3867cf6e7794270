"""The examples in the manual are what the program prints over the sample home."""

import re
import shlex
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.conftest import Csift

PAGES = Path(__file__).parents[2] / "docs" / "commands"
NAMES = (
    "csift-list.md",
    "csift-search.md",
    "csift-show.md",
    "csift-stats.md",
    "csift-verbatim.md",
)
BLOCK = re.compile(r"```console\n(.*?)```", re.DOTALL)


def examples() -> Iterator[tuple[str, str, str]]:
    """Page, command and output of every example that prints something."""
    for name in NAMES:
        for block in BLOCK.findall((PAGES / name).read_text(encoding="utf-8")):
            command, _, output = block.partition("\n")
            if output:
                yield name, command.removeprefix("$ csift "), output


@pytest.mark.parametrize(("page", "command", "expected"), tuple(examples()))
def test_an_example_is_what_is_printed(
    csift: Csift, sample: Path, page: str, command: str, expected: str
) -> None:
    result = csift(*shlex.split(command), "--claude-home", sample)

    printed = result.stdout.rstrip("\n") + "\n" + result.stderr
    assert printed.rstrip("\n") == expected.rstrip("\n"), page
