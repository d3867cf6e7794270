"""The segment files of one session's index on disk."""

import re
from collections.abc import Callable, Iterable, Sequence
from itertools import chain
from pathlib import Path
from typing import Final, Protocol, TypeVar

from msgspec import Struct

from sessionizer.base.batches import replace_files
from sessionizer.base.files import make_private_directory, remove_temporaries
from sessionizer.base.state_text import format_state, parse_state
from sessionizer.index.census import Census
from sessionizer.index.codec import (
    SCHEMA,
    SegmentBody,
    SegmentHeader,
    join_segment,
    open_segment,
)

MAX_SEGMENTS: Final = 16
_NAME: Final = re.compile(r"seg-(\d{6,})-(\d{6,})\.bin", re.ASCII)


class _Decoded(Protocol):
    @property
    def header(self) -> SegmentHeader:
        """Which rules made it, and of what."""


_AnyDecoded = TypeVar("_AnyDecoded", bound=_Decoded)


class StoredIndex(Struct, frozen=True, kw_only=True):
    """The valid set of segments: from the first landed file on, without a gap.

    Attributes:
        paths: The segment files, in order.
        indexed_seq: The last landed file covered; 0 when nothing is.
    """

    paths: tuple[Path, ...] = ()
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

    def read(
        self, decode: Callable[[bytes], _AnyDecoded | None], *, dialect: str
    ) -> tuple[StoredIndex, list[_AnyDecoded]]:
        """The segments made from records of `dialect`, up to the first that is not whole.

        At each number the segment that reaches furthest is taken, so a merge that was not
        tidied up, or a torn file beside a whole one, does no harm.

        Args:
            decode: What to make of the bytes of a segment; None when they are not whole.
            dialect: Of the landed files.

        Returns:
            Which segments they are, and what was made of each.
        """
        by_start: dict[int, list[tuple[int, Path]]] = {}
        for path in self._files():
            match = _NAME.fullmatch(path.name)
            if match:
                by_start.setdefault(int(match[1]), []).append((int(match[2]), path))
        expected = SegmentHeader(SCHEMA, dialect, self.session)
        paths: list[Path] = []
        segments: list[_AnyDecoded] = []
        reached = 0
        while found := _furthest(by_start.get(reached + 1, ()), decode, expected):
            reached, path, segment = found
            paths.append(path)
            segments.append(segment)
        return StoredIndex(paths=tuple(paths), indexed_seq=reached), segments

    def append(
        self,
        stored: StoredIndex,
        bodies: Sequence[SegmentBody],
        *,
        through: int,
        dialect: str,
        census: Census,
        now: str,
    ) -> None:
        """Add entries as the landed files after `stored`, up to `through`; tidy up.

        With many segments all become one. Files that are not part of the result are removed.
        The caller holds the session's lock.

        Args:
            stored: What there is.
            bodies: The new entries.
            through: The last landed file they cover.
            dialect: Of the landed files.
            census: Of all entries, the new ones included.
            now: RFC 3339 UTC.
        """
        make_private_directory(self.directory)
        merges = len(stored.paths) >= MAX_SEGMENTS
        first = 1 if merges else stored.indexed_seq + 1
        path = self.directory / f"seg-{first:06d}-{through:06d}.bin"
        old = stored.paths if merges else ()
        measures = [_measure(body) for body in chain(map(_read_body, old), bodies)]
        pieces = join_segment(
            SegmentHeader(SCHEMA, dialect, self.session),
            chain(map(_read_body, old), bodies),
            count=sum(count for count, _ in measures),
            size=sum(size for _, size in measures),
        )
        state = self._encode_state(through, census, now=now, is_new=not stored.paths)
        replace_files(((str(path), pieces), (str(self.state_path), (state,))))
        self._keep_only((path,) if merges else (*stored.paths, path))

    def clear(self) -> None:
        """Remove every segment. The caller holds the session's lock."""
        self._keep_only(())

    def write_state(self, stored: StoredIndex, census: Census, *, now: str) -> None:
        """Write `index.state` again, which is lost; `now` is RFC 3339 UTC."""
        if self.directory.is_dir():
            state = self._encode_state(stored.indexed_seq, census, now=now, is_new=not stored.paths)
            replace_files(((str(self.state_path), (state,)),))

    def _encode_state(self, indexed_seq: int, census: Census, *, now: str, is_new: bool) -> bytes:
        known = {} if is_new else self._read_state()
        return format_state(
            {
                "schema": SCHEMA,
                "session": self.session,
                "indexed_seq": indexed_seq,
                "entries": census.entries,
                "blocks": census.blocks,
                "strings": census.identifiers,
                "built_at": known.get("built_at", now),
                "updated_at": now,
            }
        )

    def _read_state(self) -> dict[str, str]:
        try:
            return parse_state(self.state_path.read_bytes().decode("utf-8", "replace"))
        except FileNotFoundError:
            return {}

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


def _furthest(
    candidates: Iterable[tuple[int, Path]],
    decode: Callable[[bytes], _AnyDecoded | None],
    expected: SegmentHeader,
) -> tuple[int, Path, _AnyDecoded] | None:
    for through, path in sorted(candidates, reverse=True):
        segment = decode(path.read_bytes())
        if segment is not None and segment.header == expected:
            return through, path, segment
    return None


def _read_body(path: Path) -> SegmentBody:
    opened = open_segment(path.read_bytes())
    assert opened is not None, path  # it was read under the same lock
    return opened.body


def _measure(body: SegmentBody) -> tuple[int, int]:
    return body.count, len(body.entries)
