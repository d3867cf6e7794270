"""Read a transcript's lines from disk. The only place where a search opens one."""

# ruff: noqa: PTH123

from collections.abc import Iterator
from typing import NamedTuple

BUFFER_BYTES = 256 * 1024


class PhysicalLine(NamedTuple):
    """One line as it stands in its file: number from 1, offset in bytes, body with its end."""

    number: int
    offset: int
    body: bytes


def iter_physical_lines(path: str) -> Iterator[PhysicalLine]:
    r"""Yield the lines of a file. A line ends at `\n` only; blank ones count."""
    offset = 0
    with open(path, "rb", buffering=BUFFER_BYTES) as file:
        for number, body in enumerate(file, start=1):
            yield PhysicalLine(number, offset, body)
            offset += len(body)


def read_line(path: str | bytes, offset: int, size: int) -> bytes:
    """The bytes of one line whose place is known."""
    with open(path, "rb") as file:
        file.seek(offset)
        return file.read(size)
