"""Order, fold and cap what a search found."""

from collections.abc import Mapping, Sequence

from msgspec import Struct

from sessionizer.transcripts.exchanges import Exchange, Hit
from sessionizer.transcripts.folding import fold_copies
from sessionizer.transcripts.scope import ScopeCount
from sessionizer.transcripts.searching import Entry

TRANSCRIPTS_LISTED = 100
COPIES_LISTED = 20


class Outcome(Struct, frozen=True, kw_only=True):
    """The answer to a search, as far as it is known without its texts.

    Attributes:
        shown: By start; undated ones last.
        folded: Copies that are not shown.
        total: Exchanges before the cap, without the folded ones.
        transcripts: Ids of all transcripts with a match, sorted.
        sessions: Ids of the sessions they belong to, sorted.
        undated: Whether any exchange has no start.
        drafts: How many exchanges are superseded drafts.
        cap: Above 0 the earliest, below 0 the latest, 0 none.
    """

    shown: tuple[Entry, ...]
    folded: tuple[Entry, ...]
    total: int
    transcripts: tuple[str, ...]
    sessions: tuple[str, ...]
    undated: bool
    drafts: int
    cap: int

    @property
    def dropped(self) -> int:
        """Exchanges that the cap took away."""
        return self.total - len(self.shown)

    @property
    def is_clipped(self) -> bool:
        """Whether any excerpt that is shown leaves something out."""
        return any(entry.clipped for entry in self.shown)

    @property
    def shown_transcripts(self) -> int:
        """How many transcripts are shown."""
        return len({entry.session_id for entry in self.shown})


class Disclosure(Struct, frozen=True, kw_only=True):
    """What has to be said beside the matches.

    Attributes:
        scope: How many transcripts were read.
        label, label_not: The selectors, as printed; empty without.
        skipped_lines, repaired_lines, recovered_records: Over all files.
        undecided_records: Records the engine could not decide on in time.
        unreadable_sources: Files and directories that could not be read.
        with_sidecar: Whether waiting questions were merged in.
    """

    scope: ScopeCount
    label: str
    label_not: str
    skipped_lines: int
    repaired_lines: int
    recovered_records: int
    undecided_records: int
    unreadable_sources: int
    with_sidecar: bool

    @property
    def is_whole(self) -> bool:
        """Whether every record was looked at, so that nothing found means nothing there."""
        return not (self.unreadable_sources or self.undecided_records)


class Diagnosis(Struct, frozen=True, kw_only=True):
    """Why nothing was found.

    Attributes:
        pattern: As it was typed.
        filters: The active filters, as typed; empty without.
        excluded: Matches under labels that the selectors left out, by leaf, the most frequent
            first, and the number of records; None without a label filter.
        gated: Leaves that no selector reached.
    """

    pattern: str
    filters: tuple[str, ...]
    excluded: tuple[int, Mapping[str, int]] | None
    gated: tuple[str, ...]


def arrange(entries: Sequence[Entry], *, cap: int, ages: Mapping[int, int]) -> Outcome:
    """Fold copies, order by start instant, and cut.

    Equal and missing starts keep the order they come in.

    Args:
        entries: By file, then in order of the file.
        cap: See `Outcome`.
        ages: Rank of each file that shares a hit with another one, the oldest first; empty
            folds nothing.
    """
    folding = fold_copies(entries, ages)
    ordered = sorted(folding.kept, key=lambda one: (one.start_ns is None, one.start_ns or 0))
    return Outcome(
        shown=tuple(_cut(ordered, cap)),
        folded=folding.folded,
        total=len(ordered),
        transcripts=tuple(sorted({one.session_id for one in entries})),
        sessions=tuple(sorted({one.parent_session_id for one in entries})),
        undated=any(one.start_ns is None for one in ordered),
        drafts=sum(one.is_draft for one in ordered),
        cap=cap,
    )


def _cut(ordered: Sequence[Entry], cap: int) -> Sequence[Entry]:
    if cap == 0:
        return ordered
    return ordered[:cap] if cap > 0 else ordered[cap:]


def index_copies(folded: Sequence[Exchange]) -> dict[int, tuple[tuple[str, int | None], ...]]:
    """Where each folded hit stands, by its digest: session and line."""
    places: dict[int, list[tuple[str, int | None]]] = {}
    for exchange in folded:
        for hit in exchange.hits:
            places.setdefault(hit.digest, []).append((hit.session_id, hit.line))
    return {digest: tuple(found) for digest, found in places.items()}


def refetch(hit: Hit, exchange: Exchange) -> str | None:
    """The command that shows the whole record; None without line and uuid."""
    if hit.line is not None:
        return f"csift show @{exchange.holder} --line {hit.line}"
    return f"csift show @{exchange.holder} --uuid {hit.uuid}" if hit.uuid else None
