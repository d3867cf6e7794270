"""Choose the transcripts to count, and add them up."""

from collections.abc import Mapping, Sequence

from msgspec import Struct

from sessionizer.transcripts.files import TranscriptFile
from sessionizer.transcripts.scope import ScopeCount, count_files
from sessionizer.transcripts.tallies import Tally
from sessionizer.transcripts.totals import Copy, Counts, choose_calls, count_tally, count_total


class Row(Struct, frozen=True, kw_only=True):
    """One transcript.

    Attributes:
        file: The transcript.
        tally: What was read off it.
        counts: What that adds up to, for this file alone.
        inherited: Calls of it that the total counts for another file.
    """

    file: TranscriptFile
    tally: Tally
    counts: Counts
    inherited: int

    @property
    def session_id(self) -> str:
        """Its id: a session's or an agent's."""
        return self.file.lane or self.file.session_id


class Statistics(Struct, frozen=True, kw_only=True):
    """The rows by id, and their total.

    Attributes:
        rows: What is shown.
        total: Of the rows, copies counted once.
        scope: Transcripts in scope, before the cap.
        shown: Transcripts that are shown.
        dropped: Rows that the cap took away.
        unreadable: Files that could not be read.
    """

    rows: tuple[Row, ...]
    total: Counts
    scope: ScopeCount
    shown: ScopeCount
    dropped: int
    unreadable: int

    @property
    def inherited(self) -> int:
        """Copies of calls that the total leaves out."""
        return sum(row.inherited for row in self.rows)


Pair = tuple[TranscriptFile, Tally]


def keep_latest(pairs: Sequence[Pair], *, cap: int) -> list[Pair]:
    """The `cap` most recently active transcripts, by id; 0 keeps all. Undated ones are oldest."""
    kept = list(pairs)
    if cap and len(kept) > cap:
        kept = sorted(kept, key=_activity, reverse=True)[:cap]
    return sorted(kept, key=lambda pair: (pair[0].lane or pair[0].session_id, pair[0].path))


def add_up(
    kept: Sequence[Pair],
    shared: Mapping[int, Sequence[Copy]],
    ages: Mapping[int, int],
    *,
    scope: ScopeCount,
    dropped: int,
    unreadable: int,
) -> Statistics:
    """The counts of every transcript, and of all together.

    Args:
        kept: In the order in which they are shown.
        shared: Calls that stand in several of them; see `choose_calls`.
        ages: Which of them is older; see there.
        scope: Transcripts in scope, before the cap.
        dropped: Rows that the cap took away.
        unreadable: Files that could not be read.
    """
    tallies = [tally for _, tally in kept]
    calls, inherited = choose_calls(tallies, shared, ages)
    rows = tuple(
        Row(file=file, tally=tally, counts=count_tally(tally), inherited=inherited[number])
        for number, (file, tally) in enumerate(kept)
    )
    total = rows[0].counts if len(rows) == 1 else count_total(tallies, calls)
    return Statistics(
        rows=rows,
        total=total,
        scope=scope,
        shown=count_files(file for file, _ in kept),
        dropped=dropped,
        unreadable=unreadable,
    )


def _activity(pair: Pair) -> tuple[bool, int]:
    last = pair[1].last
    return (last is not None, last.ns if last is not None else 0)
