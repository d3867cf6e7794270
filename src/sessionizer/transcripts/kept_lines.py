"""Lines that are looked at twice: kept in memory while they are few, else read again."""

# ruff: noqa: PTH123

from collections.abc import Iterator

from sessionizer.transcripts.reading import BUFFER_BYTES, PhysicalLine

KEPT_BYTES = 16 * 1024 * 1024


class KeptLines:
    """Some lines of one file, in order.

    Args:
        path: The file.
        budget: How many bytes of lines stay in memory.
    """

    def __init__(self, path: str, *, budget: int = KEPT_BYTES) -> None:
        self._path = path
        self._left = budget
        self._lines: list[PhysicalLine] = []
        self._places: list[tuple[int, int, int]] = []  # number, offset and size of the others

    def add(self, line: PhysicalLine) -> None:
        """Keep a line."""
        size = len(line.body)
        if self._places or size > self._left:
            self._places.append((line.number, line.offset, size))
        else:
            self._lines.append(line)
            self._left -= size

    def __iter__(self) -> Iterator[PhysicalLine]:
        yield from self._lines
        if not self._places:
            return
        with open(self._path, "rb", buffering=BUFFER_BYTES) as file:
            for number, offset, size in self._places:
                if file.tell() != offset:
                    file.seek(offset)
                yield PhysicalLine(number, offset, file.read(size))
