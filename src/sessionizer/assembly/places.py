"""Positions of evidence: entries and parts of entries as references."""

from sessionizer.index.entry import Entry
from sessionizer.index.lookup import Site
from sessionizer.model.nodes import Reference


def reference_to(entry: Entry) -> Reference:
    """The whole record."""
    return Reference(entry.seq, entry.row)


def reference_to_part(site: Site) -> Reference:
    """One part of a record."""
    return Reference(site.entry.seq, site.entry.row, site.block)
