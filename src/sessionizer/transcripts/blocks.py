r"""Read a file in blocks of whole lines, and check how its lines are framed.

The buffer is page-aligned and small enough to stay in the processor's cache: several looks at
a block cost less than one more read from memory.
"""

import os
from bisect import bisect_left
from collections.abc import Iterator
from mmap import mmap

from sessionizer.transcripts.framing import clean_line, is_framed
from sessionizer.transcripts.reading import PhysicalLine

BLOCK_BYTES = 256 * 1024

_OPEN, _CLOSE = ord("{"), ord("}")


class Block:
    """Some whole lines of a file, in a buffer that the next block overwrites.

    Attributes:
        buffer: The bytes; only those before `stop` belong to the block.
        stop: Where the last line ends.
        offset: Where the block begins in the file, in bytes.
        first_line: Number of its first line.
        ends: Where each line ends: the place of its newline, or `stop` without one.
        is_well_framed: Whether every line begins with `{` and ends with `}`.
    """

    __slots__ = ("buffer", "ends", "first_line", "is_well_framed", "offset", "stop")

    def __init__(self, buffer: mmap, stop: int, offset: int, first_line: int) -> None:
        self.buffer = buffer
        self.stop = stop
        self.offset = offset
        self.first_line = first_line
        self.ends: list[int] = []
        self.is_well_framed = buffer[0] == _OPEN
        self._split()

    def _split(self) -> None:
        find, buffer, stop, ends = self.buffer.find, self.buffer, self.stop, self.ends
        framed = self.is_well_framed
        position = 0
        while True:
            end = find(b"\n", position, stop)
            if end < 0:
                break
            if buffer[end - 1] != _CLOSE or (end + 1 < stop and buffer[end + 1] != _OPEN):
                framed = False
            ends.append(end)
            position = end + 1
        if position < stop:
            framed = framed and buffer[stop - 1] == _CLOSE
            ends.append(stop)
        self.is_well_framed = framed

    def line_index_at(self, position: int) -> int:
        """Which of the block's lines, from 0, holds a byte."""
        return bisect_left(self.ends, position)

    def line(self, index: int) -> PhysicalLine:
        """One line, copied out of the buffer, without its newline."""
        start = self.ends[index - 1] + 1 if index else 0
        return PhysicalLine(
            self.first_line + index, self.offset + start, self.buffer[start : self.ends[index]]
        )

    def count_unframed(self) -> int:
        """How many lines are neither blank nor framed."""
        if self.is_well_framed:
            return 0
        count = 0
        for index in range(len(self.ends)):
            number, _, body = self.line(index)
            cleaned, stripped = clean_line(body, number=number)
            count += not is_framed(cleaned) if cleaned else stripped
        return count


def iter_blocks(path: str) -> Iterator[Block]:
    """Yield the file's lines in blocks; a block is valid until the next one is asked for.

    A line that is longer than a block gets a larger buffer.

    Raises:
        OSError: The file cannot be read.
    """
    buffer = mmap(-1, BLOCK_BYTES)
    filled = 0  # bytes of a line that is not whole yet, at the start of the buffer
    offset, number = 0, 1
    descriptor = os.open(path, os.O_RDONLY | getattr(os, "O_BINARY", 0))
    try:
        while True:
            if filled == len(buffer):
                buffer = _grow(buffer)
            count = _read_into(descriptor, buffer, filled)
            filled += count
            stop = filled if count == 0 else buffer.rfind(b"\n", 0, filled) + 1
            if stop == 0:
                if count == 0:
                    return
                continue
            block = Block(buffer, stop, offset, number)
            yield block
            offset += stop
            number += len(block.ends)
            filled -= stop
            if filled:
                buffer.move(0, stop, filled)
            if count == 0:
                return
    finally:
        os.close(descriptor)


def _read_into(descriptor: int, buffer: mmap, start: int) -> int:
    with memoryview(buffer) as whole, whole[start:] as free:
        if hasattr(os, "readv"):
            return os.readv(descriptor, [free])
        body = os.read(descriptor, len(free))
        free[: len(body)] = body
        return len(body)


def _grow(buffer: mmap) -> mmap:
    larger = mmap(-1, 2 * len(buffer))
    larger[: len(buffer)] = buffer[:]
    return larger
