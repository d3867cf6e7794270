"""The segment files of one session's index on disk."""

import re
from collections.abc import Iterable
from pathlib import Path
from typing import Final

from msgspec import Struct

from sessionizer.base.files import make_private_directory, remove_temporaries, write_atomic
from sessionizer.base.state_text import format_state, parse_state
from sessionizer.index.codec import SCHEMA, Segment, SegmentHeader, decode_segment, encode_segment
from sessionizer.index.entry import Entry

MAX_SEGMENTS: Final = 16
_NAME: Final = re.compile(r"seg-(\d{6,})-(\d{6,})\.bin", re.ASCII)


class StoredIndex(Struct, frozen=True, kw_only=True):
    """The valid set of segments: from the first landed file on, without a gap.

    Attributes:
        paths: The segment files, in order.
        entries: In (seq, row) order.
        indexed_seq: The last landed file covered; 0 when nothing is.
    """

    paths: tuple[Path, ...] = ()
    entries: tuple[Entry, ...] = ()
    indexed_seq: int = 0


class IndexStore:
    """The directory `index/` below `session_directory`, which need not exist."""

    def __init__(self, session_directory: Path) -> None:
        self.directory = session_directory / "index"
        self.session = session_directory.name

    @property
    def state_path(self) -> Path:
        """The cache of what the segments say."""
        return self.directory / "index.state"

    def read(self, *, dialect: str) -> StoredIndex:
        """The segments made from records of `dialect`, up to the first that is not whole.

        At each number the segment that reaches furthest is taken, so a merge that was not
        tidied up, or a torn file beside a whole one, does no harm.
        """
        by_start: dict[int, list[tuple[int, Path]]] = {}
        for path in self._files():
            match = _NAME.fullmatch(path.name)
            if match:
                by_start.setdefault(int(match[1]), []).append((int(match[2]), path))
        paths: list[Path] = []
        entries: list[Entry] = []
        reached = 0
        while found := self._furthest(by_start.get(reached + 1, ()), dialect):
            reached, path, segment = found
            paths.append(path)
            entries += segment.entries
        return StoredIndex(paths=tuple(paths), entries=tuple(entries), indexed_seq=reached)

    def append(
        self, stored: StoredIndex, entries: tuple[Entry, ...], *, through: int, dialect: str
    ) -> StoredIndex:
        """Add `entries` as the landed files after `stored`, up to `through`; tidy up.

        With many segments all become one. Files that are not part of the result are removed.
        The caller holds the session's lock.
        """
        make_private_directory(self.directory)
        whole = stored.entries + entries
        merges = len(stored.paths) >= MAX_SEGMENTS
        first = 1 if merges else stored.indexed_seq + 1
        path = self.directory / f"seg-{first:06d}-{through:06d}.bin"
        header = SegmentHeader(SCHEMA, dialect, self.session)
        write_atomic(path, encode_segment(Segment(header, whole if merges else entries)))
        paths = (path,) if merges else (*stored.paths, path)
        self._keep_only(paths)
        return StoredIndex(paths=paths, entries=whole, indexed_seq=through)

    def clear(self) -> None:
        """Remove every segment. The caller holds the session's lock."""
        self._keep_only(())

    def write_state(self, stored: StoredIndex, *, now: str, is_new: bool) -> None:
        """Replace `index.state`; `now` is RFC 3339 UTC, `is_new` after a build from nothing."""
        known = {} if is_new else self._read_state()
        write_atomic(
            self.state_path,
            format_state(
                {
                    "schema": SCHEMA,
                    "session": self.session,
                    "indexed_seq": stored.indexed_seq,
                    "entries": len(stored.entries),
                    "blocks": sum(len(entry.blocks) for entry in stored.entries),
                    "strings": len(_identifiers(stored.entries)),
                    "built_at": known.get("built_at", now),
                    "updated_at": now,
                }
            ),
        )

    def _read_state(self) -> dict[str, str]:
        try:
            return parse_state(self.state_path.read_bytes().decode("utf-8", "replace"))
        except FileNotFoundError:
            return {}

    def _furthest(
        self, candidates: Iterable[tuple[int, Path]], dialect: str
    ) -> tuple[int, Path, Segment] | None:
        expected = SegmentHeader(SCHEMA, dialect, self.session)
        for through, path in sorted(candidates, reverse=True):
            segment = decode_segment(path.read_bytes())
            if segment is not None and segment.header == expected:
                return through, path, segment
        return None

    def _keep_only(self, kept: tuple[Path, ...]) -> None:
        for path in self._files():
            if _NAME.fullmatch(path.name) and path not in kept:
                path.unlink(missing_ok=True)
        remove_temporaries(self.directory)

    def _files(self) -> list[Path]:
        try:
            return sorted(self.directory.iterdir())
        except (FileNotFoundError, NotADirectoryError):
            return []


def _identifiers(entries: Iterable[Entry]) -> set[str]:
    found: set[str] = set()
    for entry in entries:
        found.update(
            (
                entry.stream,
                entry.batch,
                entry.record,
                entry.parent,
                entry.call,
                entry.run,
                entry.continues,
                entry.copied_from,
                entry.tool,
                entry.child,
                entry.started_by,
            )
        )
        found.update(block.tool for block in entry.blocks)
    found.discard("")
    return found
