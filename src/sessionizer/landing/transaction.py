"""Publish what one pass found of one session, so that a crash at any step loses nothing.

Per group of deltas, in this order: all files written to temporaries and made durable; raw
files renamed by seq, then `.sd` files by seq; directories made durable; then the cursors.
The caller's index comes after that, and `session.state` last. The mark `open_pass` is durable
before the first rename, so that the next pass knows when to look for what a crash left
(`repair`).
Source: docs/formats/storage.md, "Write protocol".
"""

# ruff: noqa: PTH101, PTH105, PTH108 - see `base.batches`

import os
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Final

from msgspec import Struct
from msgspec.structs import replace

from sessionizer.base.batches import sync_directories, sync_files, write_unsynced_temporary
from sessionizer.base.files import (
    PUBLISHED_FILE,
    make_private_directory,
    remove_temporaries,
    sync_directory,
)
from sessionizer.base.instants import format_instant_ns, parse_instant_ns
from sessionizer.base.locks import exclusive_lock
from sessionizer.landing.cursor import Cursor, encode_cursor
from sessionizer.landing.errors import DamagedFileError
from sessionizer.landing.names import (
    CURSOR_SUFFIX,
    SD_SUFFIX,
    format_stamp,
    landed_stem,
)
from sessionizer.landing.raw import Label, encode_raw, iter_raw, label_of
from sessionizer.landing.record import PREFIX_OF_KIND, Header, Row
from sessionizer.landing.session_data import encode_pieces
from sessionizer.landing.state import (
    SessionState,
    encode_session_state,
    read_session_state,
    write_session_state,
)
from sessionizer.landing.zone import DeltaDirectory, LandedFile, Zone

# A group is published when it holds this many source bytes, so that temporaries stay bounded.
GROUP_BYTES: Final = 64 << 20
# `last_scan` alone is written this often: it is for people, and a write costs a disk flush.
_SCAN_NOTE_NS: Final = 600 * 1_000_000_000


class _Staged(Struct, frozen=True, kw_only=True):
    """A delta in two temporaries."""

    seq: int
    raw: str
    sd: str
    file: LandedFile


class SessionPass:
    """One pass over one session, under its lock. Made by `open_pass`.

    Attributes:
        session: The session's id.
        directory: The session's directory.
        at: When the pass began, RFC 3339 UTC; every file of the pass shares it.
        state: The session's state as it was found, `slugs` as the caller set it.
        directories: What had landed when the pass began, by path.
        landed: What was published, in seq order.
        next_seq: The next free sequence number, by the state file and by every name on disk.
    """

    def __init__(self, zone: Zone, session: str, now_ns: int) -> None:
        self.zone = zone
        self.session = session
        self.directory = zone.session_directory(session)
        self.now_ns = now_ns
        self.at = format_instant_ns(now_ns)
        self.landed: list[LandedFile] = []
        found = read_session_state(zone.state_path(session), session)
        self.state = found or SessionState(session=session)
        self.directories: dict[str, DeltaDirectory] = {}
        self.refresh()
        self.next_seq = max(self.state.next_seq, self.highest_seq + 1)
        self._stamp = format_stamp(now_ns)
        self._found_state = found
        self._opened_at = self.state.updated_at if self.state.open_pass else None
        self._staged: list[_Staged] = []
        self._staged_bytes = 0
        self._cursors: dict[tuple[str, str], Cursor] = {}
        self._moves: list[tuple[str, str, str]] = []
        self._made: dict[str, str] = {}
        self._mark: str | None = None
        self._new_directories: set[str] = set()

    # -------------------------------------------------------------- numbers and positions

    @property
    def highest_seq(self) -> int:
        """The highest number in any name on disk."""
        found = max((each.highest_seq for each in self.directories.values()), default=0)
        return max(found, self.landed[-1].seq if self.landed else 0)

    def all_landed(self) -> tuple[LandedFile, ...]:
        """Every landed file of the session, by seq."""
        known = (file for each in self.directories.values() for file in each.landed)
        return tuple(sorted((*known, *self.landed), key=lambda file: (file.seq, file.relative)))

    @property
    def was_interrupted(self) -> bool:
        """Whether the pass before this one began to publish and did not end."""
        return self.state.open_pass

    def is_of_interrupted_pass(self, at: str) -> bool:
        """Whether a delta landed `at` belongs to the pass that did not end."""
        return self.state.open_pass and at == self.state.updated_at

    def refresh(self) -> None:
        """Look again at what has landed."""
        self.directories = {
            each.relative: each for each in self.zone.delta_directories(self.session)
        }

    def remember_new(self, directory: Path) -> None:
        """Something was made in `directory`; the next commit makes that durable."""
        self._new_directories.add(str(directory))

    def take_seq(self) -> int:
        """A sequence number that no file ever had; it may stay unused."""
        self.next_seq += 1
        return self.next_seq - 1

    def path(self, relative: str) -> Path:
        """A directory of the session by its path below it."""
        return self.directory.joinpath(*relative.split("/"))

    # -------------------------------------------------------------- staging

    def stage(
        self,
        directory: str,
        header: Header,
        rows: tuple[Row, ...],
        body: bytes,
        *,
        ord: int = 1,  # noqa: A002 - the format's word
        off: int = 0,
    ) -> Label:
        """Write one delta to temporaries in `directory` (below the session's directory).

        `body` are the consumed bytes, of which the first line is line `ord` at offset `off`.
        """
        label = label_of(header, body, ord=ord, off=off)
        self._stage(directory, header, rows, (encode_raw(label, body),), len(body))
        return label

    def stage_stream(
        self, directory: str, label: Label, rows: tuple[Row, ...], chunks: Iterable[bytes]
    ) -> None:
        """Like `stage`, of a whole file that is not held in memory.

        Raises:
            ValueError: The chunks are not what the label says.
        """
        self._stage(directory, label.header, rows, iter_raw(label, chunks), label.bytes)

    def move(self, directory: str, prefix: str, cursor: Cursor) -> None:
        """Set a cursor; it is written after everything staged before is published."""
        self._cursors[self._make(directory), prefix + CURSOR_SUFFIX] = cursor

    @property
    def is_group_full(self) -> bool:
        """Whether enough is staged to be published."""
        return self._staged_bytes >= GROUP_BYTES

    def _stage(
        self,
        directory: str,
        header: Header,
        rows: tuple[Row, ...],
        raw_pieces: Iterable[bytes],
        size: int,
    ) -> None:
        where = self._make(directory)
        prefix = PREFIX_OF_KIND[header.kind]
        stem = landed_stem(prefix, self._stamp, header.seq)
        raw = write_unsynced_temporary(where, raw_pieces)
        try:
            sd = write_unsynced_temporary(where, encode_pieces(header, rows))
        except BaseException:
            with suppress(OSError):
                os.unlink(raw)
            raise
        file = LandedFile(
            seq=header.seq,
            directory=where,
            stem=stem,
            kind_prefix=prefix,
            relative=f"{self.session}/{directory}/{stem}{SD_SUFFIX}",
            dialect_generation=0,
        )
        self._staged.append(_Staged(seq=header.seq, raw=raw, sd=sd, file=file))
        self._staged_bytes += size

    def _make(self, directory: str) -> str:
        """The path of a directory below the session's, which exists from now on."""
        if (made := self._made.get(directory)) is not None:
            return made
        path = f"{self.directory}{os.sep}{directory.replace('/', os.sep)}"
        self._new_directories.update(map(os.path.dirname, make_private_directory(path)))
        self._made[directory] = path
        return path

    # -------------------------------------------------------------- publishing

    def commit(self) -> None:
        """Publish everything staged, then write the cursors that were set."""
        staged = sorted(self._staged, key=lambda each: each.seq)
        for (directory, name), cursor in self._cursors.items():
            temporary = write_unsynced_temporary(directory, (encode_cursor(cursor),))
            self._moves.append((temporary, directory, name))
        raws, sds = [each.raw for each in staged], [each.sd for each in staged]
        if staged and self._opened_at != self.at:
            self._mark = write_unsynced_temporary(
                str(self.directory), (encode_session_state(self._open_state(self.at)),)
            )
        marks = () if self._mark is None else (self._mark,)
        sync_files([*raws, *sds, *(temporary for temporary, _, _ in self._moves), *marks])
        if self._mark is not None:
            os.replace(self._mark, self.zone.state_path(self.session))
            sync_directory(self.directory)
            self._opened_at, self._mark = self.at, None
        if staged:
            for each in staged:
                _publish(each.raw, each.file.raw_name)
            for each in staged:
                _publish(each.sd, each.file.name)
        touched = {each.file.directory for each in staged} | self._new_directories
        sync_directories(sorted(touched))
        for temporary, directory, name in self._moves:
            os.replace(temporary, f"{directory}{os.sep}{name}")
        sync_directories(sorted({directory for _, directory, _ in self._moves}))
        self.landed += [each.file for each in staged]
        self._staged.clear()
        self._staged_bytes = 0
        self._cursors.clear()
        self._moves.clear()
        self._new_directories.clear()

    def save_next_seq(self) -> None:
        """Make the next free number durable before a name that proves it is removed."""
        at = self._opened_at or self.at
        write_session_state(self.zone.state_path(self.session), self._open_state(at))
        self._opened_at = at

    def close(self) -> None:
        """Write the state file: the pass is over and its index is written."""
        state = replace(
            self.state,
            next_seq=self.next_seq,
            last_scan=self.at,
            updated_at=self.at,
            open_pass=False,
        )
        if self._is_worth_writing(state):
            write_session_state(self.zone.state_path(self.session), state)
        self._opened_at = None

    def abort(self) -> None:
        """Remove the temporaries of what was staged and not published."""
        left = [path for each in self._staged for path in (each.raw, each.sd)]
        marks = () if self._mark is None else (self._mark,)
        for path in (*left, *(temporary for temporary, _, _ in self._moves), *marks):
            with suppress(OSError):
                os.unlink(path)
        self._staged.clear()
        self._moves.clear()

    def _open_state(self, at: str) -> SessionState:
        return replace(self.state, next_seq=self.next_seq, updated_at=at, open_pass=True)

    def _is_worth_writing(self, state: SessionState) -> bool:
        found = self._found_state
        if found is None or self._opened_at is not None:
            return True
        told = (found.next_seq, found.slugs, found.dialect)
        if told != (state.next_seq, state.slugs, state.dialect):
            return True
        scanned = parse_instant_ns(found.last_scan)
        return scanned is None or not 0 <= self.now_ns - scanned < _SCAN_NOTE_NS


@contextmanager
def open_pass(zone: Zone, session: str, now_ns: int) -> Iterator[SessionPass]:
    """A pass over a session, under its lock, with left-over temporaries removed.

    The block calls `commit` and, when the index is written, `close`. What was staged and not
    committed is removed at the end.

    Raises:
        LockedError: Another process holds the session's lock.
    """
    is_new = not zone.session_directory(session).is_dir()
    directory = zone.create_session(session)
    with exclusive_lock(zone.lock_path(session)):
        remove_temporaries(directory)
        current = SessionPass(zone, session, now_ns)
        if is_new:
            current.remember_new(zone.root)
        for each in current.directories.values():
            for temporary in each.temporaries:
                temporary.unlink(missing_ok=True)
        try:
            yield current
        finally:
            current.abort()


def _publish(temporary: str, target: str) -> None:
    if os.path.lexists(target):
        raise DamagedFileError(Path(target), "it exists already; a landed file is never replaced")
    os.chmod(temporary, PUBLISHED_FILE)
    os.replace(temporary, target)
