"""`asz parse` as text."""

from collections.abc import Iterator, Sequence

from sessionizer.asz.parsing import ParsedSession
from sessionizer.cli.table import render_table

_HEADER = (
    "SESSION",
    "ROUND",
    "SEQ",
    "NODES",
    "RELS",
    "UNRES",
    "TALKS",
    "RUNS",
    "STEPS",
    "TOOLS",
    "CHILDREN",
)


def render(sessions: Sequence[ParsedSession], *, empty: int) -> Iterator[str]:
    """A row per session, then the number of rounds written.

    `empty` sessions were left out because nothing has landed of them.
    """
    yield from render_table(_HEADER, [_cells(parsed) for parsed in sessions])
    if empty:
        yield f"{empty} session(s) left out: nothing has landed of them yet"
    yield f"{sum(parsed.round is not None for parsed in sessions)} round(s) written"


def _cells(parsed: ParsedSession) -> tuple[object, ...]:
    counts = (parsed.counts.nodes, parsed.counts.relations, parsed.counts.unresolved)
    known: tuple[object, ...] = ("-",) * 5
    if parsed.assembly is not None:
        stats = parsed.assembly.statistics
        known = (
            stats.talks,
            stats.runs,
            stats.steps,
            f"{stats.tools_resolved}/{stats.tool_uses}",
            f"{stats.spawns_resolved}/{stats.spawns}",
        )
    return (parsed.session, parsed.round or "-", parsed.through_seq, *counts, *known)
