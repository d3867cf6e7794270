"""Counts of entries, for people who look at what an index holds."""

from collections.abc import Iterable
from typing import Final

import msgspec
from msgspec import Struct

from sessionizer.index.codec import SegmentHeader, iter_entries, open_segment
from sessionizer.index.entry import Entry

# Text is turned into hashes when there is so much of it.
_MANY: Final = 10_000


class Census:
    """Adds up entries, their blocks, and how many distinct identifiers stand in them.

    Identifiers are told apart by their hash of 64 bits: a session has millions of them, and
    as text they would take more memory than all else that a pass needs.
    """

    def __init__(self, entries: Iterable[Entry] = ()) -> None:
        self.entries = 0
        self.blocks = 0
        self._identifiers: set[int] = set()
        self.add(entries)

    @property
    def identifiers(self) -> int:
        """How many distinct identifiers there are."""
        return len(self._identifiers - {hash("")})

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
                self._identifiers.update(map(hash, found))
                found.clear()
        self._identifiers.update(map(hash, found))

    def merge(self, other: "Census") -> None:
        """Count what another one counted."""
        self.entries += other.entries
        self.blocks += other.blocks
        self._identifiers |= other._identifiers


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
    except (msgspec.DecodeError, IndexError):  # not entries, or no array at all
        return None
