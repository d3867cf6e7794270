"""What the runtime itself says a session has spent: shown beside our sum, never added to it."""

from collections import Counter
from collections.abc import Iterable, Mapping
from typing import Final

from msgspec import Struct

from sessionizer.index.copies import select_canonical
from sessionizer.index.readable import data_object
from sessionizer.landing.record import Row
from sessionizer.landing.zone import Zone
from sessionizer.model.nodes import Reference
from sessionizer.rounds.frames import SessionRange, Tokens
from sessionizer.views.evidence import Evidence
from sessionizer.views.facts import iter_entries
from sessionizer.views.native import TotalsWords
from sessionizer.views.outline import Position

_COUNTERS: Final = ("in", "out", "cache_read", "cache_write")


class StatedTotals(Struct, frozen=True, kw_only=True):
    """The last statement of one session, which takes the place of all before it.

    Attributes:
        ref: The record that states it.
        tokens: Sums over all models, of the counters that are stated.
        models: By model, in the order of the record.
    """

    session: str
    ref: Reference
    tokens: dict[str, int]
    models: dict[str, dict[str, int]]


def read_totals(
    zone: Zone, covered: tuple[SessionRange, ...], evidence: Evidence, words: TotalsWords
) -> tuple[StatedTotals, ...]:
    """The last statement of each session that has one, in the order of the sessions."""
    if not words.record_type:
        return ()
    last: dict[Position, str] = {}
    for number, one in enumerate(covered):
        entries = select_canonical(iter_entries(zone, one.session), through=one.through_seq).entries
        stated = [entry for entry in entries if entry.record_type == words.record_type]
        if stated:
            scope = "" if number == 0 else one.session
            last[scope, stated[-1].seq, stated[-1].row] = one.session
    rows = dict(evidence.iter_rows(last))
    found = (
        _read_statement(session, position, rows[position], words)
        for position, session in last.items()
        if position in rows
    )
    return tuple(totals for totals in found if totals is not None)


def sum_counters(several: Iterable[Mapping[str, int]]) -> dict[str, int]:
    """The sum of each counter that is there at all."""
    sums: Counter[str] = Counter()
    for counters in several:
        sums.update(counters)
    return {name: sums[name] for name in _COUNTERS if name in sums}


def name_counters(tokens: Tokens) -> dict[str, int]:
    """Every counter by the name that a round gives it, also those that are 0."""
    values = (tokens.input, tokens.output, tokens.cache_read, tokens.cache_write)
    return dict(zip(_COUNTERS, values, strict=True))


def _read_statement(
    session: str, position: Position, row: Row, words: TotalsWords
) -> StatedTotals | None:
    """None when the record holds no counter where we know to look for one."""
    document = data_object(row.parts[0]) if row.parts else {}
    models = document.get(words.models)
    found = {
        name: _read_counters(counters, words)
        for name, counters in (models.items() if isinstance(models, dict) else ())
        if isinstance(counters, dict)
    }
    tokens = sum_counters(found.values())
    if not tokens:
        return None
    scope, seq, number = position
    return StatedTotals(
        session=session,
        ref=Reference(seq, number, None, scope or None),
        tokens=tokens,
        models=found,
    )


def _read_counters(counters: Mapping[str, object], words: TotalsWords) -> dict[str, int]:
    found = {name: counters.get(words.counters.get(name, "")) for name in _COUNTERS}
    return {
        name: value
        for name, value in found.items()
        if isinstance(value, int) and not isinstance(value, bool) and 0 <= value < 2**53
    }
