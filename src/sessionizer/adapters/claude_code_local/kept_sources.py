"""What the storage root says of one session's sources, without changing anything."""

from collections.abc import Iterator

from msgspec import Struct

from sessionizer.adapters.claude_code_local.claims import Place
from sessionizer.landing.cursor import CONFLICT, Cursor, read_cursor
from sessionizer.landing.errors import CursorKindError
from sessionizer.landing.names import CURSOR_SUFFIX, generation_directory, parse_generation
from sessionizer.landing.zone import DeltaDirectory, Zone


class Conflict(Struct, frozen=True, kw_only=True):
    """A source that contradicts what was kept of it, and waits for a person."""

    session: str
    src: str
    reason: str


class KeptSources:
    """The cursors of a session, and the deltas that lie beside them."""

    def __init__(self, zone: Zone, session: str) -> None:
        self.session = session
        self._cursors: dict[Place, dict[int, Cursor]] = {}
        self._directories: dict[str, DeltaDirectory] = {}
        for directory in zone.delta_directories(session):
            self._directories[directory.relative] = directory
            base, generation = parse_generation(directory.relative)
            for prefix in directory.cursors:
                try:
                    cursor = read_cursor(directory.path / (prefix + CURSOR_SUFFIX))
                except CursorKindError:
                    continue  # the next pass names it; without it nothing counts as kept
                if cursor is not None:
                    self._cursors.setdefault((base, prefix), {})[generation] = cursor

    def items(self) -> Iterator[tuple[Place, Cursor]]:
        """Every cursor, by place and generation."""
        for place, generations in sorted(self._cursors.items()):
            for _, cursor in sorted(generations.items()):
                yield place, cursor

    def conflicts(self) -> tuple[Conflict, ...]:
        """Those that wait, by place."""
        return tuple(
            Conflict(session=self.session, src=cursor.source, reason=cursor.reason)
            for _, cursor in self.items()
            if cursor.state == CONFLICT
        )

    def generations(self) -> dict[Place, tuple[str, ...]]:
        """Per place the source of each generation, from generation 1; empty for a hole."""
        return {
            place: tuple(
                found[number].source if number in found else ""
                for number in range(1, max(found) + 1)
            )
            for place, found in self._cursors.items()
        }

    def directories(self) -> tuple[str, ...]:
        """Directories that have a cursor, of the first generation."""
        return tuple(sorted({directory for directory, _ in self._cursors}))

    def newest(self, place: Place) -> int:
        """The newest generation of a place, from 1."""
        return max(self._cursors.get(place, ()), default=1)

    def cursor(self, place: Place, generation: int) -> Cursor | None:
        """The cursor of one generation of a place; None when there is none."""
        return self._cursors.get(place, {}).get(generation)

    def holds(self, place: Place, generation: int, seq: int) -> bool:
        """Whether the kept bytes of a delta are there."""
        directory = self._directories.get(generation_directory(place[0], generation))
        raws = directory.raws if directory is not None else ()
        return any(raw.name.prefix == place[1] and raw.name.seq == seq for raw in raws)


def list_conflicts(zone: Zone, session: str) -> tuple[Conflict, ...]:
    """The conflicts of a session that wait for a person, by place."""
    return KeptSources(zone, session).conflicts()
