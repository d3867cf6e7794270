"""All cursors of one session during a pass: read once, changed in memory, written at commits."""

from typing import Final

from sessionizer.adapters.claude_code_local.claims import Place
from sessionizer.landing.cursor import (
    CLOSED,
    AppendCursor,
    Cursor,
    SnapshotCursor,
    read_append_cursor,
    read_snapshot_cursor,
)
from sessionizer.landing.errors import CursorKindError
from sessionizer.landing.names import CURSOR_SUFFIX, generation_directory, parse_generation
from sessionizer.landing.record import PREFIX_OF_KIND
from sessionizer.landing.repair import APPEND_KINDS
from sessionizer.landing.transaction import SessionPass

TAIL_PREFIX: Final = "tail"
_GROWING_PREFIXES: Final = frozenset(PREFIX_OF_KIND[kind] for kind in APPEND_KINDS)


class CursorBook:
    """The cursors of the session of one pass, by place and generation."""

    def __init__(self, current: SessionPass) -> None:
        self._current = current
        self._cursors: dict[Place, dict[int, Cursor]] = {}
        self._broken: dict[tuple[str, str, int], CursorKindError] = {}
        for directory in current.directories.values():
            base, generation = parse_generation(directory.relative)
            for prefix in directory.cursors:
                self._read(base, prefix, generation)

    def _read(self, base: str, prefix: str, generation: int) -> None:
        directory = generation_directory(base, generation)
        path = self._current.path(directory) / (prefix + CURSOR_SUFFIX)
        try:
            cursor: Cursor | None = (
                read_append_cursor(path)
                if prefix in _GROWING_PREFIXES
                else read_snapshot_cursor(path)
            )
        except CursorKindError as error:
            self._broken[base, prefix, generation] = error
            return
        if cursor is not None:
            self._cursors.setdefault((base, prefix), {})[generation] = cursor

    def generations(self) -> dict[Place, tuple[str, ...]]:
        """Per place the source of each generation, from generation 1; empty for a hole."""
        return {
            place: tuple(
                found[number].source if number in found else ""
                for number in range(1, max(found) + 1)
            )
            for place, found in self._cursors.items()
        }

    def is_behind(self) -> bool:
        """Whether a cursor knows nothing of a delta that lies beside it.

        An older copy of it was put back, or a crash lost the newer one.
        """
        for (base, prefix), found in self._cursors.items():
            for generation, cursor in found.items():
                directory = self._current.directories[generation_directory(base, generation)]
                raws = (raw.name for raw in directory.raws if raw.name.prefix == prefix)
                newest = max((name.seq for name in raws), default=0)
                if cursor.state not in CLOSED and cursor.last_seq < newest:
                    return True
        return False

    def directories(self) -> tuple[str, ...]:
        """Directories that have a cursor, of the first generation."""
        return tuple(sorted({directory for directory, _ in self._cursors}))

    def append_cursor(self, place: Place, generation: int) -> AppendCursor | None:
        """The cursor of a growing source; None when there is none.

        Raises:
            CursorKindError: A cursor of another kind stands there.
        """
        cursor = self._find(place, generation)
        assert not isinstance(cursor, SnapshotCursor), place
        return cursor

    def snapshot_cursor(self, place: Place, generation: int) -> SnapshotCursor | None:
        """The cursor of a snapshot; None when there is none.

        Raises:
            CursorKindError: A cursor of another kind stands there.
        """
        cursor = self._find(place, generation)
        assert not isinstance(cursor, AppendCursor), place
        return cursor

    def set(self, place: Place, generation: int, cursor: Cursor) -> None:
        """Change a cursor; it is written at the next commit."""
        self._cursors.setdefault(place, {})[generation] = cursor
        directory = generation_directory(place[0], generation)
        self._current.move(directory, place[1], cursor)

    def items(self) -> tuple[tuple[Place, int, Cursor], ...]:
        """Every cursor that reads, by place and generation."""
        return tuple(
            (place, generation, cursor)
            for place, found in sorted(self._cursors.items())
            for generation, cursor in sorted(found.items())
        )

    def _find(self, place: Place, generation: int) -> Cursor | None:
        broken = self._broken.get((*place, generation))
        if broken is not None:
            raise broken
        return self._cursors.get(place, {}).get(generation)
