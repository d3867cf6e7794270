"""Where the lines of a file begin: found in one pass, then any of them is read alone."""

# ruff: noqa: PTH123

import re
from array import array
from collections.abc import Iterator
from typing import Self

from sessionizer.transcripts.damage import Damage
from sessionizer.transcripts.framing import decode_line
from sessionizer.transcripts.reading import BUFFER_BYTES, PhysicalLine, iter_physical_lines

# So many ids are faster looked for one by one than by reading out every id of a line.
_FEW = 4
_UUID = re.compile(rb'"uuid"\s*:\s*"([^"\\]+)"')


class LineIndex:
    """The lines of one file, by number; a context, at whose end the file is closed.

    Args:
        path: The file.
    """

    def __init__(self, path: str) -> None:
        self.path = path
        self._offsets = array("Q", (0,))

    def __enter__(self) -> Self:
        self._file = open(self.path, "rb")
        return self

    def __exit__(self, *_error: object) -> None:
        self._file.close()

    def scan(self) -> Iterator[PhysicalLine]:
        """Yield every line, and remember where it begins. Run it once, to its end."""
        offset = 0
        remember = self._offsets.append
        with open(self.path, "rb", buffering=BUFFER_BYTES) as file:
            for number, body in enumerate(file, start=1):
                yield PhysicalLine(number, offset, body)
                offset += len(body)
                remember(offset)

    def __len__(self) -> int:
        """How many lines were seen."""
        return len(self._offsets) - 1

    def line(self, number: int) -> PhysicalLine:
        """A line that was seen, with its end."""
        start, stop = self._offsets[number - 1], self._offsets[number]
        self._file.seek(start)
        return PhysicalLine(number, start, self._file.read(stop - start))


def find_first_lines(path: str, uuids: frozenset[str]) -> dict[str, int]:
    """The first line that holds a record of each uuid. Text that quotes one is no record."""
    found: dict[str, int] = {}
    wanted = {one.encode() for one in uuids}
    for line in iter_physical_lines(path) if wanted else ():
        if not _may_hold(line.body, wanted):
            continue
        for one in decode_line(line, Damage()):
            uuid = one.record.uuid
            if uuid in uuids and uuid is not None:
                found.setdefault(uuid, line.number)
                wanted.discard(uuid.encode())
        if not wanted:
            break
    return found


def _may_hold(body: bytes, uuids: set[bytes]) -> bool:
    if len(uuids) <= _FEW:
        return any(uuid in body for uuid in uuids)
    return not uuids.isdisjoint(_UUID.findall(body))
