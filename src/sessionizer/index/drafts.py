"""What the index will hold of landed files, made while their rows are in memory.

Reading them again costs as much as writing them did. Entries are encoded at once: so those of
a whole pass take a tenth of the memory.
"""

from collections.abc import Collection, Iterable

from msgspec import Struct

from sessionizer.index.build import entries_of
from sessionizer.index.census import Census
from sessionizer.index.codec import SegmentBody, encode_entries, iter_entries
from sessionizer.landing.record import Header, Row


class Draft(Struct, frozen=True, kw_only=True):
    """The entries of one landed file."""

    dialect: str
    body: SegmentBody


class Drafts:
    """The entries of what one pass landed in one session, by sequence number."""

    def __init__(self) -> None:
        self._drafts: dict[int, Draft] = {}
        self._census = Census()

    def add(self, header: Header, rows: Iterable[Row]) -> None:
        """Take the rows of one landed file, as they were written."""
        entries = entries_of(header, rows, seq=header.seq)
        self._census.add(entries)
        self._drafts[header.seq] = Draft(dialect=header.dialect, body=encode_entries(entries))

    def get(self, seq: int) -> Draft | None:
        """The entries of the landed file with that number, if they were made."""
        return self._drafts.get(seq)

    def count(self, bodies: Collection[SegmentBody]) -> Census:
        """Count the entries in `bodies`, which are these drafts, or some of them and others."""
        own = {id(draft.body) for draft in self._drafts.values()}
        if own == {id(body) for body in bodies}:
            return self._census
        return Census(entry for body in bodies for entry in iter_entries(body))
