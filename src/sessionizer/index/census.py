"""Counts of entries, for people who look at what an index holds."""

from array import array
from collections.abc import Iterable
from typing import Final

import msgspec
from msgspec import Struct

from sessionizer.index.codec import SegmentHeader, iter_entries, open_segment
from sessionizer.index.entry import Entry

# So many texts are told apart as text before they become hashes.
_MANY: Final = 10_000
# So many hashes are told apart in one set, which takes ten times the memory of an array.
_IN_ONE_SET: Final = 500_000


class Census:
    """Adds up entries, their blocks, and how many distinct identifiers stand in them.

    Identifiers are told apart by their hash of 64 bits: a session may have millions of them,
    and as text they would take more memory than all else that a pass needs.
    """

    def __init__(self, entries: Iterable[Entry] = ()) -> None:
        self.entries = 0
        self.blocks = 0
        self._hashes = array("q")
        self.add(entries)

    @property
    def identifiers(self) -> int:
        """How many distinct identifiers there are."""
        shares = 1 + len(self._hashes) // _IN_ONE_SET
        if shares == 1:
            return len(set(self._hashes))
        return sum(
            len({number for number in self._hashes if number % shares == share})
            for share in range(shares)
        )

    def add(self, entries: Iterable[Entry]) -> None:
        """Count some more entries."""
        found: set[str] = set()
        for entry in entries:
            self.entries += 1
            found.update(
                (
                    entry.stream,
                    entry.batch,
                    entry.record,
                    entry.parent,
                    entry.call,
                    entry.run,
                    entry.continues,
                    entry.copied_from,
                    entry.tool,
                    entry.child,
                    entry.started_by,
                )
            )
            for block in entry.blocks:
                self.blocks += 1
                found.add(block.tool)
            if len(found) >= _MANY:
                self._take(found)
                found.clear()
        self._take(found)

    def merge(self, other: "Census") -> None:
        """Count what another one counted."""
        self.entries += other.entries
        self.blocks += other.blocks
        self._hashes.extend(other._hashes)

    def _take(self, identifiers: set[str]) -> None:
        identifiers.discard("")
        self._hashes.extend(map(hash, identifiers))


class Survey(Struct, frozen=True):
    """A segment of which only the counts are wanted."""

    header: SegmentHeader
    census: Census


def survey_segment(body: bytes) -> Survey | None:
    """Count the entries of a segment; None when it can not be read."""
    segment = open_segment(body)
    if segment is None:
        return None
    try:
        return Survey(segment.header, Census(iter_entries(segment.body)))
    except msgspec.DecodeError:
        return None
