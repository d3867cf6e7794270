"""Positions of evidence: entries and parts of entries as references and as ids."""

from sessionizer.index.entry import Entry, Position
from sessionizer.index.lookup import Site
from sessionizer.model.ids import position_id, scoped
from sessionizer.model.nodes import Reference


def reference_to(entry: Entry, block: int | None = None) -> Reference:
    """The whole record, or one part of it."""
    return Reference(entry.seq, entry.row, block, entry.session or None)


def reference_to_part(site: Site) -> Reference:
    """One part of a record."""
    return reference_to(site.entry, site.block)


def position_of(reference: Reference) -> Position:
    """Where the entry stands that `reference` leads to."""
    return (reference.session or "", reference.seq, reference.row)


def entry_id(prefix: str, entry: Entry, block: int | None = None) -> str:
    """An id made of a record's position: `input/1/4`."""
    return position_id(prefix, entry.seq, entry.row, block, session=entry.session)


def place_name(entry: Entry) -> str:
    """A record's position as one part of an id: `at_1_4`."""
    return f"at_{scoped(entry.session, entry.seq)}_{entry.row}"
