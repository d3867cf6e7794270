"""Make Session Data from kept bytes again: raw files without `.sd`, or of an older dialect.

The conversion itself belongs to the adapter and is passed in.
Source: docs/formats/storage.md, "Kept bytes first".
"""

from collections.abc import Callable
from pathlib import Path

from msgspec import Struct
from msgspec.structs import replace

from sessionizer.base.files import PUBLISHED_FILE, write_atomic
from sessionizer.landing.errors import DamagedFileError
from sessionizer.landing.names import SD_SUFFIX
from sessionizer.landing.raw import RawDelta, read_label, read_raw
from sessionizer.landing.record import Header, Row
from sessionizer.landing.session_data import encode_landed, read_header
from sessionizer.landing.zone import LandedFile, RawFile, Zone


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
    written: list[Path] = []
    problems: list[str] = []
    for directory in zone.delta_directories(session):
        for raw in directory.raws:
            try:
                if (path := derive_missing(raw, dialect)) is not None:
                    written.append(path)
            except DamagedFileError as error:
                problems.append(str(error))
    return Derived(written=tuple(written), problems=tuple(problems))


def derive_missing(raw: RawFile, dialect: Dialect) -> Path | None:
    """Write the `.sd` of one delta in `dialect`, unless it is there; return its path.

    Raises:
        DamagedFileError: The raw file, or the `.sd` beside it, can not be read.
    """
    if raw.landed is not None and is_in_dialect(raw.landed, dialect):
        return None
    delta = read_raw(raw.path)
    landed_so = delta.label.header.dialect == dialect.name
    suffix = SD_SUFFIX if landed_so else f".d{dialect.number}{SD_SUFFIX}"
    path = raw.path.with_name(raw.name.stem + suffix)
    write_atomic(path, derive_body(delta, dialect), mode=PUBLISHED_FILE)
    return path


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
