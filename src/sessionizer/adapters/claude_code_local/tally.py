"""What a pass counts."""

from msgspec import Struct


class PassReport(Struct, frozen=True, kw_only=True):
    """One pass over everything.

    Attributes:
        sessions: Sessions that passed the filters.
        sources: Sources seen in them.
        landed: Sources of which something was landed.
        records: Rows landed.
        bytes: Source bytes in them, without newlines.
        indexed: Entries in the indexes of the sessions whose index was written.
        gone: Kept sources that are not there any more.
        conflicts: Sources that disagree with what was kept and wait for a person.
        busy: Sessions that another process had locked.
        pending: Sources that had more than one pass takes.
        reindexed: Entries that an earlier pass had landed and not indexed.
        unplaced: Files that look like sources and belong to no session.
        elsewhere: Sessions that another home of the run has too, and that are read there.
        history_skipped: Lines of the shared history that belong to no collected session;
            counted in a pass that read it.
        touched: Sessions of which something landed or whose index was written, sorted.
        errors: One line each.
    """

    sessions: int = 0
    sources: int = 0
    landed: int = 0
    records: int = 0
    bytes: int = 0
    indexed: int = 0
    gone: int = 0
    conflicts: int = 0
    busy: int = 0
    pending: int = 0
    reindexed: int = 0
    unplaced: int = 0
    elsewhere: int = 0
    history_skipped: int = 0
    touched: tuple[str, ...] = ()
    errors: tuple[str, ...] = ()

    @property
    def complete(self) -> bool:
        """Whether nothing is left to do and nothing went wrong."""
        return not (self.pending or self.conflicts or self.errors)


class Reached(Struct, frozen=True, kw_only=True):
    """How far a pass is: sessions looked at, of how many, and source bytes landed so far."""

    sessions: int
    of: int
    bytes: int


class Tally:
    """The counters while a pass runs. The only thing that every step of it may change.

    Attributes:
        history_failed: Some session may lack lines of the shared history.
    """

    def __init__(self) -> None:
        self.sessions = 0
        self.sources = 0
        self.landed = 0
        self.records = 0
        self.bytes = 0
        self.indexed = 0
        self.gone = 0
        self.conflicts = 0
        self.busy = 0
        self.pending = 0
        self.reindexed = 0
        self.unplaced = 0
        self.elsewhere = 0
        self.history_skipped = 0
        self.touched: set[str] = set()
        self.errors: list[str] = []
        self.history_failed = False

    def report(self) -> PassReport:
        """The counters as a value."""
        return PassReport(
            sessions=self.sessions,
            sources=self.sources,
            landed=self.landed,
            records=self.records,
            bytes=self.bytes,
            indexed=self.indexed,
            gone=self.gone,
            conflicts=self.conflicts,
            busy=self.busy,
            pending=self.pending,
            reindexed=self.reindexed,
            unplaced=self.unplaced,
            elsewhere=self.elsewhere,
            history_skipped=self.history_skipped,
            touched=tuple(sorted(self.touched)),
            errors=tuple(self.errors),
        )

    def add(self, report: PassReport) -> None:
        """Count what was counted elsewhere."""
        self.sessions += report.sessions
        self.sources += report.sources
        self.landed += report.landed
        self.records += report.records
        self.bytes += report.bytes
        self.indexed += report.indexed
        self.gone += report.gone
        self.conflicts += report.conflicts
        self.busy += report.busy
        self.pending += report.pending
        self.reindexed += report.reindexed
        self.unplaced += report.unplaced
        self.elsewhere += report.elsewhere
        self.history_skipped += report.history_skipped
        self.touched.update(report.touched)
        self.errors += report.errors
