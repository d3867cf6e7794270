"""Which landed records an id stands for."""

from collections.abc import Iterable, Sequence

from msgspec import Struct

from sessionizer.index.copies import Canonical
from sessionizer.index.entry import Block, Entry


class FoundBlock(Struct, frozen=True, kw_only=True):
    """One part that names the tool use: the record it stands in, its number there from 0."""

    entry: Entry
    number: int
    block: Block
    is_copy: bool


class FoundRecord(Struct, frozen=True):
    """One record, and whether it is a copy that takes part in no look-up."""

    entry: Entry
    is_copy: bool


class Found(Struct, frozen=True, kw_only=True):
    """What an id stands for. Canonical first, then copies, each in source order.

    Attributes:
        blocks: Of a tool-use id; empty when the id is a record's.
        records: Without repeats; empty when nothing has the id.
    """

    blocks: tuple[FoundBlock, ...]
    records: tuple[FoundRecord, ...]


def find(canonical: Canonical, wanted: str) -> Found:
    """The parts and records that `wanted` names; a tool-use id wins over a record id."""
    ranked = _ranked(canonical)
    blocks = tuple(_blocks_of(ranked, wanted))
    if blocks:
        holders = {each.entry.position: each for each in blocks}
        records = tuple(FoundRecord(each.entry, each.is_copy) for each in holders.values())
    else:
        records = tuple(record for record in ranked if record.entry.record == wanted)
    return Found(blocks=blocks, records=records)


def _ranked(canonical: Canonical) -> Sequence[FoundRecord]:
    return [
        *(FoundRecord(entry, is_copy=False) for entry in canonical.entries),
        *(FoundRecord(entry, is_copy=True) for entry in canonical.copies),
        *(FoundRecord(entry, is_copy=True) for entry in canonical.torn_tails),
    ]


def _blocks_of(ranked: Iterable[FoundRecord], tool: str) -> Iterable[FoundBlock]:
    for record in ranked:
        for number, block in enumerate(record.entry.blocks):
            if block.tool == tool:
                yield FoundBlock(
                    entry=record.entry, number=number, block=block, is_copy=record.is_copy
                )
