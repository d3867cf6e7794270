r"""Lines from both ends of a file, without reading what lies between.

Kept free of msgspec and typing: `csift list` loads this module.
"""

from collections.abc import Iterator

from sessionizer.transcripts.files import TranscriptFile

BLOCK_BYTES = 64 * 1024
TOP_LEVEL_LIMIT = 4 * 1024 * 1024
LANE_LIMIT = 64 * 1024

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import BinaryIO

    Line = tuple[int, bytes]  # where it begins, in bytes; the line without its end


def tail_limit(file: TranscriptFile) -> int:
    """How many bytes from its end are searched for the last messages."""
    return LANE_LIMIT if file.is_subagent else TOP_LEVEL_LIMIT


def iter_forward(file: "BinaryIO") -> Iterator["Line"]:
    r"""Yield the lines from where the file stands. A line ends at `\n` only."""
    offset = file.tell()
    for body in file:
        yield offset, body
        offset += len(body)


def iter_backward(file: "BinaryIO", size: int) -> Iterator["Line"]:
    """Yield the lines of the first `size` bytes, the last one first, read block by block."""
    end = size
    rest: list[bytes] = []  # pieces of a line that began further up, last piece first
    while end > 0:
        start = max(0, end - BLOCK_BYTES)
        file.seek(start)
        block = file.read(end - start)
        position = len(block)
        while True:
            cut = block.rfind(b"\n", 0, position)
            if cut < 0:
                break
            piece = block[cut + 1 : position]
            if rest or piece:
                body = piece + b"".join(reversed(rest))
                rest = []
                yield start + cut + 1, body
            elif start + cut + 1 < size:
                yield start + cut + 1, b""
            position = cut
        rest.append(block[:position])
        end = start
    if any(rest):
        yield 0, b"".join(reversed(rest))
