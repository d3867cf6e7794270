"""Run passes over a built home, and look at what they kept."""

from collections.abc import Callable
from pathlib import Path

from sessionizer.adapters.claude_code_local.collect import collect_once
from sessionizer.adapters.claude_code_local.memory import PassMemory
from sessionizer.adapters.claude_code_local.session_pass import Handover
from sessionizer.adapters.claude_code_local.sources import AdapterConfig
from sessionizer.adapters.claude_code_local.tally import PassReport
from sessionizer.landing.cursor import Cursor, read_cursor
from sessionizer.landing.kept import iter_kept
from sessionizer.landing.record import Row
from sessionizer.landing.session_data import Landed, read_landed
from sessionizer.landing.verify import verify_session
from sessionizer.landing.zone import Zone

# A second apart, so that no two passes share a stamp. Long before any file of a test was
# written: no source ever counts as at rest unless a test says so.
FIRST_NS = 1_767_323_100_123_456_789


def no_index(_given: Handover) -> None:
    """An index that takes nothing."""


class Archive:
    """A storage root below `root`, filled from the projects directory `projects`."""

    def __init__(self, projects: Path, root: Path) -> None:
        self.projects = projects
        self.zone = Zone(root)
        self.now_ns = FIRST_NS

    def collect(
        self,
        *,
        include: tuple[str, ...] = (),
        exclude: tuple[str, ...] = (),
        window: int = 0,
        flush_tails: bool = False,
        accept: bool = False,
        on_landed: Callable[[Handover], None] = no_index,
        memory: PassMemory | None = None,
    ) -> PassReport:
        """One pass, a second after the one before."""
        config = AdapterConfig(
            source_root=self.projects, include=include, exclude=exclude, max_delta_bytes=window
        )
        now_ns = self.now_ns
        self.now_ns += 1_000_000_000
        return collect_once(
            config,
            self.zone,
            now_ns=lambda: now_ns,
            on_landed=on_landed,
            flush_tails=flush_tails,
            accepts=lambda _session: accept,
            memory=memory,
        )

    def landed(self, session: str) -> tuple[Landed, ...]:
        """Every landed file of a session, checked, by seq."""
        return tuple(read_landed(file.path) for file in self.zone.landed(session))

    def rows(self, session: str, *, directory: str = "streams/main") -> tuple[Row, ...]:
        """The rows that landed in one directory, by seq."""
        files = self.zone.delta_directory(session, directory).landed
        return tuple(row for file in files for row in read_landed(file.path).rows)

    def kept(
        self, session: str, *, directory: str = "streams/main", prefix: str = "transcript"
    ) -> bytes:
        """The kept bytes of a growing source, joined."""
        raws = self.zone.delta_directory(session, directory).raws
        return b"".join(iter_kept([raw for raw in raws if raw.name.prefix == prefix]))

    def cursor(
        self, session: str, *, directory: str = "streams/main", prefix: str = "transcript"
    ) -> Cursor:
        """A cursor that must exist."""
        path = self.zone.session_directory(session).joinpath(*directory.split("/"))
        cursor = read_cursor(path / f"{prefix}.cursor")
        assert cursor is not None
        return cursor

    def problems(self) -> list[str]:
        """What `verify` says of all sessions."""
        checks = (verify_session(self.zone, session) for session in self.zone.session_ids())
        return [problem for check in checks for problem in check.problems]
