"""Make Session Data from kept bytes again: raw files without `.sd`, or of an older dialect.

The conversion itself belongs to the adapter and is passed in.
Source: docs/formats/storage.md, "Kept bytes first".
"""

from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Final

from msgspec import Struct
from msgspec.structs import replace

from sessionizer.base.batches import sync_directories, sync_files, write_unsynced_temporary
from sessionizer.base.files import PUBLISHED_FILE, write_atomic
from sessionizer.landing.errors import DamagedFileError
from sessionizer.landing.names import SD_SUFFIX
from sessionizer.landing.raw import RawDelta, read_label, read_raw
from sessionizer.landing.record import Header, Row
from sessionizer.landing.session_data import encode_landed, read_header
from sessionizer.landing.zone import LandedFile, RawFile, Zone

# Files are flushed when they hold this many bytes together, so that temporaries stay bounded.
GROUP_BYTES: Final = 64 << 20


class Dialect(Struct, frozen=True, kw_only=True):
    """The conversion that this program can do.

    Attributes:
        name: `claude-code/1`, as headers state it.
        number: Its number, N of `.d<N>.sd`.
        derive: Rows of the kept bytes of one delta.
    """

    name: str
    number: int
    derive: Callable[[RawDelta], tuple[Row, ...]]


class Derived(Struct, frozen=True, kw_only=True):
    """What was made again, and the problems with what could not be."""

    written: tuple[Path, ...]
    problems: tuple[str, ...]


def derive_session(zone: Zone, session: str, dialect: Dialect) -> Derived:
    """Write every `.sd` that is missing in `dialect`. The caller holds the session's lock.

    A delta that landed in `dialect` gets `<stem>.sd` back. One of an older dialect gets
    `<stem>.d<N>.sd` beside it; nothing is replaced.
    """
    problems: list[str] = []
    with _Group() as group:
        for directory in zone.delta_directories(session):
            for raw in directory.raws:
                try:
                    if (made := _derive_missing(raw, dialect)) is not None:
                        group.add(made)
                except DamagedFileError as error:
                    problems.append(str(error))
        group.publish()
    return Derived(written=tuple(group.written), problems=tuple(problems))


def derive_missing(raw: RawFile, dialect: Dialect) -> Path | None:
    """Write the `.sd` of one delta in `dialect`, unless it is there; return its path.

    Raises:
        DamagedFileError: The raw file, or the `.sd` beside it, can not be read.
    """
    made = _derive_missing(raw, dialect)
    if made is None:
        return None
    write_atomic(made.path, made.body, mode=PUBLISHED_FILE)
    return made.path


class _Made(Struct, frozen=True):
    path: Path
    body: bytes


def _derive_missing(raw: RawFile, dialect: Dialect) -> _Made | None:
    if raw.landed is not None and is_in_dialect(raw.landed, dialect):
        return None
    delta = read_raw(raw.path)
    landed_so = delta.label.header.dialect == dialect.name
    suffix = SD_SUFFIX if landed_so else f".d{dialect.number}{SD_SUFFIX}"
    return _Made(raw.path.with_name(raw.name.stem + suffix), derive_body(delta, dialect))


class _Group:
    """Files that are written and flushed together: one wait for the disk, not one for each."""

    def __init__(self) -> None:
        self.written: list[Path] = []
        self._temporaries: dict[Path, str] = {}
        self._bytes = 0

    def add(self, made: _Made) -> None:
        directory = str(made.path.parent)
        self._temporaries[made.path] = write_unsynced_temporary(directory, (made.body,))
        self._bytes += len(made.body)
        if self._bytes >= GROUP_BYTES:
            self.publish()

    def publish(self) -> None:
        sync_files(tuple(self._temporaries.values()))
        for path, temporary in self._temporaries.items():
            Path(temporary).chmod(PUBLISHED_FILE)
            Path(temporary).replace(path)
        sync_directories(sorted({str(path.parent) for path in self._temporaries}))
        self.written += self._temporaries
        self._temporaries.clear()
        self._bytes = 0

    def __enter__(self) -> "_Group":
        return self

    def __exit__(self, *_: object) -> None:
        for temporary in self._temporaries.values():
            with suppress(OSError):
                Path(temporary).unlink()


def derive_body(delta: RawDelta, dialect: Dialect) -> bytes:
    """The bytes of the `.sd` of one delta."""
    header = replace(delta.label.header, dialect=dialect.name)
    return encode_landed(header, dialect.derive(delta))


def is_in_dialect(landed: LandedFile, dialect: Dialect) -> bool:
    """Whether a landed file already speaks `dialect`."""
    if landed.dialect_generation:
        return landed.dialect_generation == dialect.number
    return read_header(landed.path).dialect == dialect.name


def header_of(raw: RawFile) -> Header:
    """The header of a delta, by its raw file.

    Raises:
        DamagedFileError: The raw file can not be read.
    """
    return read_label(raw.path).header
