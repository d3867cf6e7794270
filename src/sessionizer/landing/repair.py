"""Bring a session back into order after a pass that did not end, or when a cursor is missing.

The raw files decide. A missing `.sd` is derived again; every cursor is set to where the raw
files of its source reach without a gap; a delta behind a gap that no cursor and no index ever
covered was never published as a whole, and is removed - the only landed file that ever is.
Source: docs/formats/storage.md, "Crash and repair".
"""

from pathlib import Path
from typing import Final

from msgspec import Struct

from sessionizer.base.files import sync_directory
from sessionizer.landing.cursor import (
    CLOSED,
    AppendCursor,
    Cursor,
    SnapshotCursor,
    read_append_cursor,
    read_cursor,
    read_snapshot_cursor,
    stored_source,
)
from sessionizer.landing.derive import Dialect, derive_missing
from sessionizer.landing.errors import CursorKindError, DamagedFileError
from sessionizer.landing.names import CURSOR_SUFFIX
from sessionizer.landing.raw import Label, read_label, read_raw
from sessionizer.landing.record import (
    HISTORY,
    JOURNAL,
    JOURNAL_TAIL,
    TRANSCRIPT,
    TRANSCRIPT_TAIL,
)
from sessionizer.landing.snapshots import content_sha256
from sessionizer.landing.tail import TAIL_BYTES, tail_digest
from sessionizer.landing.transaction import SessionPass
from sessionizer.landing.zone import DeltaDirectory, RawFile

APPEND_KINDS: Final = frozenset({TRANSCRIPT, JOURNAL, HISTORY})
TAIL_KINDS: Final = frozenset({TRANSCRIPT_TAIL, JOURNAL_TAIL})


class Repaired(Struct, frozen=True, kw_only=True):
    """What was put in order.

    Attributes:
        derived: `.sd` files written again.
        moved: Cursors set.
        removed: Files removed behind a gap.
        problems: One line each; nothing of these was changed.
    """

    derived: tuple[Path, ...]
    moved: tuple[Path, ...]
    removed: tuple[Path, ...]
    problems: tuple[str, ...]


class _Delta(Struct, frozen=True, kw_only=True):
    raw: RawFile
    label: Label


class Chain(Struct, frozen=True, kw_only=True):
    """How far the deltas of one growing source join on.

    Attributes:
        reach: Offset behind the last byte that joins without a gap from 0.
        last: Index of the delta that reaches there; -1 when none begins at 0.
        beyond: Indexes of deltas that begin behind a gap.
    """

    reach: int
    last: int
    beyond: tuple[int, ...]


def join_deltas(spans: tuple[tuple[int, int], ...]) -> Chain:
    """Join deltas, given as (offset, size) in seq order.

    A delta may repeat bytes of those before it; it joins when it begins at or before where
    they reach.
    """
    reach, last = 0, -1
    beyond: list[int] = []
    for index, (off, size) in enumerate(spans):
        if off > reach:
            beyond.append(index)
        elif off + size > reach:
            reach, last = off + size, index
    return Chain(reach=reach, last=last, beyond=tuple(beyond))


def needs_repair(current: SessionPass, dialect: Dialect) -> bool:
    """Whether a pass did not end, or something is missing beside kept bytes.

    That is a cursor, the Session Data, or its newest dialect.
    """
    if current.was_interrupted:
        return True
    if current.directories and current.state.dialect != dialect.name:
        return True
    return any(
        any(prefix not in directory.cursors for prefix in directory.prefixes)
        or any(raw.landed is None for raw in directory.raws)
        for directory in current.directories.values()
    )


def repair_session(current: SessionPass, dialect: Dialect) -> Repaired:
    """Put everything of the session in order; the cursors are written at the next commit."""
    worker = _Repair(current, dialect)
    for directory in current.directories.values():
        for prefix in sorted({*directory.prefixes, *directory.cursors}):
            worker.repair(directory, prefix)
    if worker.derived or worker.removed:
        current.refresh()
    return Repaired(
        derived=tuple(worker.derived),
        moved=tuple(worker.moved),
        removed=tuple(worker.removed),
        problems=tuple(worker.problems),
    )


class _Repair:
    def __init__(self, current: SessionPass, dialect: Dialect) -> None:
        self.current = current
        self.dialect = dialect
        self.is_in_dialect = current.state.dialect == dialect.name
        self.indexed = current.zone.highest_indexed_seq(current.session)
        self.derived: list[Path] = []
        self.moved: list[Path] = []
        self.removed: list[Path] = []
        self.problems: list[str] = []

    def repair(self, directory: DeltaDirectory, prefix: str) -> None:
        for file in directory.landed:
            if file.kind_prefix == prefix and not file.raw_path.exists():
                self.problems.append(f"{file.relative}: its raw file is missing")
        try:
            deltas = [
                _Delta(raw=raw, label=read_label(raw.path))
                for raw in directory.raws
                if raw.name.prefix == prefix
            ]
            path = directory.path / (prefix + CURSOR_SUFFIX)
            if not deltas:
                self._start_again(directory, prefix, path)
            elif deltas[-1].label.header.kind in APPEND_KINDS:
                self._repair_append(directory, prefix, path, deltas)
            else:
                self._repair_snapshot(directory, prefix, path, deltas)
        except (DamagedFileError, CursorKindError) as error:
            self.problems.append(str(error))

    def _repair_append(
        self, directory: DeltaDirectory, prefix: str, path: Path, deltas: list[_Delta]
    ) -> None:
        cursor = read_append_cursor(path)
        chain = join_deltas(tuple((each.label.off, each.label.bytes) for each in deltas))
        beyond = {index for index in chain.beyond if not self._was_covered(deltas[index], cursor)}
        for index in chain.beyond:
            if index not in beyond:
                self.problems.append(
                    f"{deltas[index].raw.path.name}: bytes before it are missing "
                    f"({deltas[index].label.header.src})"
                )
        for index, delta in enumerate(deltas):
            if index not in beyond:
                self._derive(delta.raw)
        self._remove([deltas[index].raw for index in sorted(beyond)], directory.path)
        if chain.last < 0:
            return
        if cursor is not None and (cursor.state in CLOSED or cursor.offset == chain.reach):
            return
        self._move(directory, prefix, path, self._append_cursor(deltas, chain))

    def _start_again(self, directory: DeltaDirectory, prefix: str, path: Path) -> None:
        """A cursor that nothing kept stands for does not hide the source."""
        cursor = read_cursor(path)
        if cursor is None or cursor.state in CLOSED or not cursor.last_seq:
            return
        fresh = type(cursor)(source=cursor.source, updated_at=self.current.at)
        self._move(directory, prefix, path, fresh)

    def _was_covered(self, delta: _Delta, cursor: AppendCursor | None) -> bool:
        if not self.current.is_of_interrupted_pass(delta.label.header.at):
            return True
        if delta.raw.name.seq <= self.indexed:
            return True
        return cursor is not None and cursor.offset >= delta.label.off + delta.label.bytes

    def _append_cursor(self, deltas: list[_Delta], chain: Chain) -> AppendCursor:
        last = read_raw(deltas[chain.last].raw.path)
        return AppendCursor(
            source=stored_source(last.label.header.src),
            offset=chain.reach,
            ord=last.label.ord - 1 + last.body.count(b"\n"),
            tail_sha256=tail_digest(_bytes_before(deltas, chain.reach)),
            size=chain.reach,
            last_seq=deltas[chain.last].raw.name.seq,
            updated_at=self.current.at,
        )

    def _repair_snapshot(
        self, directory: DeltaDirectory, prefix: str, path: Path, deltas: list[_Delta]
    ) -> None:
        for delta in deltas:
            self._derive(delta.raw)
        cursor = read_snapshot_cursor(path)
        last = deltas[-1]
        if cursor is not None and (cursor.state in CLOSED or cursor.last_seq >= last.raw.name.seq):
            return
        header = last.label.header
        is_tail = header.kind in TAIL_KINDS
        rebuilt = SnapshotCursor(
            source=stored_source(header.src),
            content_sha256=content_sha256(last.raw.path, last.label),
            offset=last.label.off if is_tail else 0,
            ord=last.label.ord if is_tail else 0,
            size=last.label.bytes,
            last_seq=last.raw.name.seq,
            updated_at=self.current.at,
        )
        self._move(directory, prefix, path, rebuilt)

    def _derive(self, raw: RawFile) -> None:
        if raw.landed is not None and self.is_in_dialect:
            return
        try:
            if (path := derive_missing(raw, self.dialect)) is not None:
                self.derived.append(path)
        except DamagedFileError as error:
            self.problems.append(str(error))

    def _remove(self, raws: list[RawFile], directory: Path) -> None:
        if not raws:
            return
        self.current.save_next_seq()
        for raw in raws:
            if raw.landed is not None:
                raw.landed.path.unlink(missing_ok=True)
                self.removed.append(raw.landed.path)
            raw.path.unlink(missing_ok=True)
            self.removed.append(raw.path)
        sync_directory(directory)

    def _move(self, directory: DeltaDirectory, prefix: str, path: Path, cursor: Cursor) -> None:
        self.current.move(directory.relative, prefix, cursor)
        self.moved.append(path)


def _bytes_before(deltas: list[_Delta], reach: int) -> bytes:
    """The up to 1 MiB before `reach`, put together from the deltas that joined."""
    start = max(0, reach - TAIL_BYTES)
    body = bytearray(reach - start)
    joined = 0
    for delta in deltas:
        off, end = delta.label.off, delta.label.off + delta.label.bytes
        if off > joined:
            continue
        joined = max(joined, end)
        if end > start and off < reach:
            kept = read_raw(delta.raw.path).body
            low, high = max(off, start), min(end, reach)
            body[low - start : high - start] = kept[low - off : high - off]
    return bytes(body)
