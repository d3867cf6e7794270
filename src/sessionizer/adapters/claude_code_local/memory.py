"""What a watch remembers between its passes: sessions at rest need no look at their archive.

Only within one process, and only what was quiet: a session of which nothing changed for ten
minutes, of which the last look landed nothing and in which nothing waits.
"""

from collections.abc import Iterable
from pathlib import Path

from msgspec import Struct

from sessionizer.adapters.claude_code_local.sources import Source
from sessionizer.claude_code.discovery import find_plans
from sessionizer.landing.reading import FileSource
from sessionizer.landing.tail import REST_NS, SourceStat


class Look(Struct, frozen=True):
    """What a session's files looked like: (path, stat) of each, None for one that is gone."""

    files: tuple[tuple[str, SourceStat | None], ...]

    def rests(self, now_ns: int) -> bool:
        """Whether nothing of it changed for so long that no tail waits and no time is racy."""
        return all(stat is not None and now_ns - stat.mtime_ns > REST_NS for _, stat in self.files)


class Rested(Struct, frozen=True, kw_only=True):
    """A session at rest.

    Attributes:
        look: What its files looked like.
        slugs: The plan names it has.
        gone: How many of its kept sources are not there any more.
        sources: How many sources were seen.
    """

    look: Look
    slugs: tuple[str, ...]
    gone: int
    sources: int


class PassMemory:
    """Sessions at rest, by id, since this process began."""

    def __init__(self) -> None:
        self._rested: dict[str, Rested] = {}

    def recall(self, session: str, sources: Iterable[Source], home: Path | None) -> Rested | None:
        """The session, when all of its files are as they were."""
        rested = self._rested.get(session)
        if rested is None:
            return None
        return rested if look_at(sources, rested.slugs, home) == rested.look else None

    def set(self, session: str, rested: Rested | None) -> None:
        """The session was looked at: what to remember of it, or None to look again."""
        if rested is None:
            self._rested.pop(session, None)
        else:
            self._rested[session] = rested


def look_at(sources: Iterable[Source], slugs: tuple[str, ...], home: Path | None) -> Look:
    """Look at the sources of a session and at its plans."""
    paths = [source.file for source in sources]
    if home is not None and slugs:
        paths += sorted(find_plans(str(home), slugs))
    return Look(tuple((path, FileSource(path).stat()) for path in paths))
