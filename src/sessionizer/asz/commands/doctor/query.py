"""What will be deleted and when, and what of it is not kept."""

from collections import Counter
from collections.abc import Iterable, Sequence

from msgspec import Struct

from sessionizer.adapters.claude_code_local.kept_sources import Conflict
from sessionizer.adapters.claude_code_local.standing import FileStanding, HomeStanding
from sessionizer.claude_code.retention import Retention
from sessionizer.landing.disk_use import DiskUse
from sessionizer.landing.record import HISTORY

DAY_NS = 86_400 * 1_000_000_000
SOON_DAYS = 7


class Home(Struct, frozen=True, kw_only=True):
    """What was found of one home.

    Attributes:
        source_root: The projects directory.
        has_settings: Whether it lies in a home, whose settings say how long files stay.
        standing: None when it could not be looked into; `problem` then says why.
    """

    source_root: str
    has_settings: bool
    retention: Retention
    standing: HomeStanding | None
    problem: str = ""


class Due(Struct, frozen=True, kw_only=True):
    """A session with files that the runtime deletes.

    Attributes:
        next_ns: When the first of its files may be deleted, in nanoseconds since 1970.
        written_ns: When that file was last written.
        last_time_ns: The last time that a record of the session states; None when unknown.
        unkept: Files that are not kept, or not whole.
    """

    session: str
    next_ns: int
    written_ns: int
    last_time_ns: int | None
    files: int
    unkept: int


class Unkept(Struct, frozen=True, kw_only=True):
    """What of a session is not kept: files, bytes, and how many files for which reason."""

    session: str
    files: int
    bytes: int
    reasons: tuple[tuple[str, int], ...]


class HomeReport(Struct, frozen=True, kw_only=True):
    """One home, counted.

    Attributes:
        due: Sessions on disk by what is deleted first.
        due_now, due_soon: Files whose time is over, and those whose time is over within
            `SOON_DAYS`, the former included.
        young: Sessions of which a file is due within `SOON_DAYS` by its own time, though a
            record of it is younger than files may become.
        unkept: By session; the most bytes first.
        gone: Kept sources that are not on disk any more.
        gone_sessions: Sessions of which nothing is on disk any more.
    """

    home: Home
    sessions: int
    files: int
    bytes: int
    due: tuple[Due, ...]
    due_now: int
    due_soon: int
    young: int
    unkept: tuple[Unkept, ...]
    conflicts: tuple[Conflict, ...]
    gone: int
    gone_sessions: int


class Diagnosis(Struct, frozen=True, kw_only=True):
    """Everything that `asz doctor` says.

    Attributes:
        now_ns: When it was looked.
        root_exists: Whether anything was ever kept.
        kept_sessions: Sessions in the storage root.
        other_homes: Homes on this machine that nothing is collected from.
    """

    now_ns: int
    root: str
    root_exists: bool
    disk: DiskUse
    kept_sessions: int
    homes: tuple[HomeReport, ...]
    other_homes: tuple[str, ...]

    @property
    def unkept_files(self) -> int:
        """Files that are not kept, or not whole, those without a session included."""
        return sum(
            sum(each.files for each in report.unkept) + len(_unplaced(report.home))
            for report in self.homes
        )

    @property
    def unkept_bytes(self) -> int:
        """How many of their bytes, as far as they are known."""
        return sum(each.bytes for report in self.homes for each in report.unkept)

    @property
    def unknown(self) -> int:
        """Places that could not be looked into."""
        return sum(
            1 if report.home.standing is None else len(report.home.standing.unreadable)
            for report in self.homes
        )


def examine(home: Home, *, now_ns: int) -> HomeReport:
    """Count one home."""
    sessions = () if home.standing is None else home.standing.sessions
    on_disk = [each for each in sessions if each.files]
    files = [file for each in on_disk for file in each.files]
    days_ns = home.retention.days * DAY_NS
    soon_ns = now_ns + SOON_DAYS * DAY_NS
    due = tuple(
        sorted(
            (
                _due(each.session, deleted, days_ns, each.last_time_ns)
                for each in on_disk
                if (deleted := [file for file in each.files if is_deleted(file)])
            ),
            key=lambda one: (one.next_ns, one.session),
        )
    )
    ends = [file.mtime_ns + days_ns for file in files if is_deleted(file)]
    unkept = (_unkept(each.session, each.files) for each in on_disk)
    return HomeReport(
        home=home,
        sessions=len(on_disk),
        files=len(files),
        bytes=sum(file.size for file in files),
        due=due,
        due_now=sum(end <= now_ns for end in ends),
        due_soon=sum(end <= soon_ns for end in ends),
        young=sum(
            one.next_ns <= soon_ns
            and one.last_time_ns is not None
            and one.last_time_ns + days_ns > soon_ns
            for one in due
        ),
        unkept=tuple(
            sorted(
                (one for one in unkept if one.files),
                key=lambda one: (-one.bytes, -one.files, one.session),
            )
        ),
        conflicts=tuple(conflict for each in sessions for conflict in each.conflicts),
        gone=sum(each.gone for each in sessions),
        gone_sessions=sum(not each.files and each.gone > 0 for each in sessions),
    )


def is_deleted(file: FileStanding) -> bool:
    """Whether the runtime deletes such a file; it never deletes the shared history."""
    return file.kind != HISTORY


def _due(
    session: str, files: Sequence[FileStanding], days_ns: int, last_time_ns: int | None
) -> Due:
    oldest_ns = min(file.mtime_ns for file in files)
    return Due(
        session=session,
        next_ns=oldest_ns + days_ns,
        written_ns=oldest_ns,
        last_time_ns=last_time_ns,
        files=len(files),
        unkept=sum(bool(file.reason) for file in files),
    )


def _unkept(session: str, files: Iterable[FileStanding]) -> Unkept:
    found = [file for file in files if file.reason]
    return Unkept(
        session=session,
        files=len(found),
        bytes=sum(file.unkept for file in found),
        reasons=tuple(sorted(Counter(file.reason for file in found).items())),
    )


def _unplaced(home: Home) -> tuple[tuple[str, str], ...]:
    return () if home.standing is None else home.standing.unplaced
