"""Landed records of a conversation, read by position: one forward pass per landed file."""

import threading
import time
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Final

import msgspec
from msgspec import Raw, Struct

from sessionizer.base.errors import SessionizerError
from sessionizer.base.surrogates import decode_mended
from sessionizer.landing.record import Header, Row
from sessionizer.landing.session_data import END_MARK, read_header
from sessionizer.landing.zone import LandedFile, Zone
from sessionizer.views.outline import Position

# A file that is not known may just have landed; looking is not for every request.
RESCAN_SECONDS: Final = 1.0
_BUFFER: Final = 1 << 18
_ROW: Final = msgspec.json.Decoder(Row)
_RAW: Final = msgspec.json.Decoder(Raw)


class FoundRecord(Struct, frozen=True, kw_only=True):
    """One landed record as it stands in its file.

    Attributes:
        record: Its line, which is sound JSON.
        file: The landed file's path below the root.
    """

    record: Raw
    header: Header
    file: str


class Evidence:
    """The landed files of a conversation's sessions; `sessions` lists them, the first first."""

    def __init__(self, zone: Zone, sessions: tuple[str, ...]) -> None:
        self._zone = zone
        self._sessions = sessions
        self._lock = threading.Lock()
        self._files: dict[tuple[str, int], LandedFile] = {}
        self._scanned_at: float | None = None

    def find_file(self, session: str, seq: int) -> LandedFile | None:
        """The landed file with a number; `session` is empty for the first one.

        An unknown number makes the directories be listed again, at most once a second.
        """
        known = self._files.get((session, seq))
        if known is not None:
            return known
        with self._lock:
            now = time.monotonic()
            if self._scanned_at is None or now - self._scanned_at >= RESCAN_SECONDS:
                self._files = self._scan()
                self._scanned_at = now
        return self._files.get((session, seq))

    def iter_lines(self, positions: Iterable[Position]) -> Iterator[tuple[Position, bytes]]:
        """The lines at `positions`, file by file, each file read forward once.

        What is missing, or stands in a file that can not be read, is left out.
        """
        wanted: dict[tuple[str, int], set[int]] = {}
        for session, seq, row in positions:
            wanted.setdefault((session, seq), set()).add(row)
        for session, seq in sorted(wanted):
            file = self.find_file(session, seq)
            if file is not None:
                for row, line in _iter_lines(file.path, wanted[session, seq]):
                    yield (session, seq, row), line

    def iter_rows(self, positions: Iterable[Position]) -> Iterator[tuple[Position, Row]]:
        """The records at `positions`, as `iter_lines`. A line of a wrong shape is left out."""
        for position, line in self.iter_lines(positions):
            row = decode_row(line)
            if row is not None:
                yield position, row

    def find_record(self, session: str, seq: int, row: int) -> FoundRecord | None:
        """The record at a position, whole; None when there is none."""
        file = self.find_file(session, seq)
        if file is None or row < 1:
            return None
        for _, line in _iter_lines(file.path, {row}):
            try:
                decode_mended(_RAW, line)
                header = read_header(file.path)
            except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError):
                return None
            except (OSError, SessionizerError):
                return None
            return FoundRecord(record=Raw(line), header=header, file=file.relative)
        return None

    def _scan(self) -> dict[tuple[str, int], LandedFile]:
        found: dict[tuple[str, int], LandedFile] = {}
        for number, session in enumerate(self._sessions):
            try:
                landed = self._zone.landed(session)
            except SessionizerError:
                continue
            for file in landed:
                found.setdefault(("" if number == 0 else session, file.seq), file)
        return found


def decode_row(line: bytes) -> Row | None:
    """The record in a line of a landed file; None when it has not the shape of one."""
    try:
        return decode_mended(_ROW, line)
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError):
        return None


def _iter_lines(path: Path, rows: set[int]) -> Iterator[tuple[int, bytes]]:
    """The lines of some records (from 1) of a landed file, without their line ends."""
    last = max(rows)
    try:
        with path.open("rb", buffering=_BUFFER) as file:
            for number, line in enumerate(file):  # line 0 is the header
                if number > last or line.startswith(END_MARK) or not line.endswith(b"\n"):
                    return
                if number in rows:
                    yield number, line[:-1]
    except OSError:
        return
