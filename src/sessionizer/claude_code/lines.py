r"""Split a transcript into physical lines.

A line ends at the byte `\n` and nowhere else. `splitlines()` is wrong here: for text it
also breaks at U+2028 and U+0085, which occur inside JSON strings.
"""

from collections.abc import Iterator
from typing import BinaryIO

from msgspec import Struct

BUFFER_BYTES = 256 * 1024


class Line(Struct, frozen=True, gc=False):
    r"""One physical line: its number (from 1), its byte offset in the file, its bytes.

    `body` lacks the final `\n` only; a `\r` before it belongs to the bytes of the line.
    """

    number: int
    offset: int
    body: bytes


def iter_lines(data: bytes, *, offset: int = 0, number: int = 1) -> Iterator[Line]:
    r"""Yield the physical lines of a transcript, or of a window of one.

    Args:
        data: Bytes of the file, starting at the start of a line.
        offset: Where `data` starts in the file, in bytes.
        number: The number of the first line, counted from 1.

    Yields:
        Every line, blank ones included. A last line without `\n` is a line; nothing
        follows a final `\n`.

    Source: docs/formats/transcript.md, "Lines"; acceptance cases K9 and K10.
    """
    start = 0
    while start < len(data):
        end = data.find(b"\n", start)
        stop = len(data) if end < 0 else end
        yield Line(number, offset + start, data[start:stop])
        number += 1
        start = stop + 1


def iter_file_lines(file: BinaryIO) -> Iterator[Line]:
    """Yield the lines of an open file from where it stands, as `iter_lines` does.

    Memory is bounded by the longest line, not by the file. Offsets and numbers count from
    the place where reading began.
    """
    number, offset = 1, 0
    pieces: list[bytes] = []  # of a line that is longer than the buffer
    while chunk := file.read(BUFFER_BYTES):
        *whole, rest = chunk.split(b"\n")
        for body in whole:
            if pieces:
                pieces.append(body)
                body = b"".join(pieces)  # noqa: PLW2901 - the line this chunk completes
                pieces = []
            yield Line(number, offset, body)
            number += 1
            offset += len(body) + 1
        if rest:
            pieces.append(rest)
    if pieces:
        yield Line(number, offset, b"".join(pieces))


def trimmed(body: bytes) -> bytes:
    r"""The line without the one `\r` that a Windows line end leaves."""
    return body.removesuffix(b"\r")
