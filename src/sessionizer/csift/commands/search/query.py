"""Order, fold and cap what a search found."""

from collections.abc import Iterable, Sequence

from msgspec import Struct

from sessionizer.transcripts.exchanges import Exchange, Hit
from sessionizer.transcripts.scope import ScopeCount


class Outcome(Struct, frozen=True, kw_only=True):
    """The answer to a search.

    Attributes:
        shown: In order of their start; undated ones last.
        total: Exchanges before the cap.
        transcripts: Ids of all transcripts with a match, before the cap, sorted.
        undated: Whether any exchange has no start.
        cap: The cap: above 0 the earliest, below 0 the latest, 0 none.
    """

    shown: tuple[Exchange, ...]
    total: int
    transcripts: tuple[str, ...]
    undated: bool
    cap: int

    @property
    def dropped(self) -> int:
        """Exchanges that the cap took away."""
        return self.total - len(self.shown)


class Disclosure(Struct, frozen=True, kw_only=True):
    """What the footer has to say beside the matches.

    Attributes:
        scope: How many transcripts were read.
        label, label_not: The selectors, as printed; empty without.
        skipped_lines, repaired_lines: Over all files.
        with_sidecar: Whether waiting questions were merged in.
        drafts: How many of all matching exchanges are drafts.
    """

    scope: ScopeCount
    label: str
    label_not: str
    skipped_lines: int
    repaired_lines: int
    with_sidecar: bool
    drafts: int


def arrange(exchanges: Iterable[Exchange], *, cap: int) -> Outcome:
    """Order by start instant; equal and missing starts keep the order they come in."""
    ordered = sorted(exchanges, key=lambda one: (one.start_ns is None, one.start_ns or 0))
    return Outcome(
        shown=tuple(keep(ordered, cap)),
        total=len(ordered),
        transcripts=tuple(sorted({one.session_id for one in ordered})),
        undated=any(one.start_ns is None for one in ordered),
        cap=cap,
    )


def keep(ordered: Sequence[Exchange], cap: int) -> Sequence[Exchange]:
    """The first `cap`, or the last when it is below 0; all when it is 0."""
    if cap == 0:
        return ordered
    return ordered[:cap] if cap > 0 else ordered[cap:]


def refetch(hit: Hit, exchange: Exchange) -> str | None:
    """The command that shows the whole record; None without line and uuid."""
    if hit.line is not None:
        return f"csift show @{exchange.holder} --line {hit.line}"
    return f"csift show @{exchange.holder} --uuid {hit.uuid}" if hit.uuid else None
