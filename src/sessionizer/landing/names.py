"""Names in the storage root: stamps, landed files, directories of generations, file keys.

Only the sequence number in a name orders; the stamp is for people.
Source: docs/formats/storage.md, "Names".
"""

import re
from typing import Final

from msgspec import Struct

from sessionizer.base.digests import short_sha256
from sessionizer.base.instants import NANOSECONDS, format_instant_ns
from sessionizer.landing.errors import BadNameError

SD_SUFFIX: Final = ".sd"
RAW_SUFFIX: Final = ".raw.zst"
CURSOR_SUFFIX: Final = ".cursor"
MAX_GENERATION: Final = 100

_COMPONENT: Final = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,127}")
_SD_NAME: Final = re.compile(r"(?s)((.+)-(\d{6,}))(?:\.d(\d+))?\.sd", re.ASCII)
_RAW_NAME: Final = re.compile(r"(?s)((.+)-(\d{6,}))\.raw\.zst", re.ASCII)
_GENERATION: Final = re.compile(r"(?s)(.+)@(\d{1,3})", re.ASCII)
_KEY_LIMIT: Final = 150
_KEY_KEPT: Final = 120
_KEY_PLAIN: Final = frozenset(b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789._-")


class LandedName(Struct, frozen=True, kw_only=True):
    """What the name of a landed file says.

    Attributes:
        stem: The name without its suffixes; the two files of a delta share it.
        prefix: `transcript`, `meta` and so on.
        seq: The sequence number, from 1.
        dialect_generation: N of `.d<N>.sd`; 0 for the file as it landed.
    """

    stem: str
    prefix: str
    seq: int
    dialect_generation: int = 0


def format_stamp(instant_ns: int) -> str:
    """`20260102T030500.123456789Z`: UTC, always nine fraction digits."""
    seconds, fraction = divmod(instant_ns, NANOSECONDS)
    whole = format_instant_ns(seconds * NANOSECONDS).removesuffix("Z")
    return f"{whole.replace('-', '').replace(':', '')}.{fraction:09d}Z"


def landed_stem(prefix: str, stamp: str, seq: int) -> str:
    """`transcript-20260102T030500.123456789Z-000001`."""
    return f"{prefix}-{stamp}-{seq:06d}"


def parse_landed_name(name: str) -> LandedName | None:
    """The parts of `<stem>.sd` or `<stem>.d<N>.sd`; None for any other name."""
    match = _SD_NAME.fullmatch(name)
    if match is None:
        return None
    generation = int(match[4]) if match[4] else 0
    return _landed_name(match, dialect_generation=generation)


def parse_raw_name(name: str) -> LandedName | None:
    """The parts of `<stem>.raw.zst`; None for any other name."""
    match = _RAW_NAME.fullmatch(name)
    return None if match is None else _landed_name(match, dialect_generation=0)


def _landed_name(match: re.Match[str], *, dialect_generation: int) -> LandedName:
    prefix = match[2].partition("-")[0]
    return LandedName(
        stem=match[1], prefix=prefix, seq=int(match[3]), dialect_generation=dialect_generation
    )


def check_component(what: str, name: str) -> str:
    """`name`, when it may be one component of a path.

    Raises:
        BadNameError: It is not a plain name. `what` says what it names.
    """
    if _COMPONENT.fullmatch(name) is None:
        raise BadNameError(what, name)
    return name


def generation_directory(directory: str, generation: int) -> str:
    """Where generation `generation` (from 1) of the source in `directory` lands."""
    return directory if generation == 1 else f"{directory}@{generation}"


def parse_generation(directory: str) -> tuple[str, int]:
    """The first generation's directory and the generation, from 1."""
    match = _GENERATION.fullmatch(directory)
    return (directory, 1) if match is None else (match[1], int(match[2]))


def file_key(name: bytes) -> str:
    """A file name as one plain path component.

    Every byte outside `A-Za-z0-9._-`, and a leading dot, is written `%XX`. A key above 150
    characters is cut to 120, with `~` and 12 hex digits of its SHA-256, so keys stay distinct.
    """
    key = "".join(
        chr(byte) if byte in _KEY_PLAIN and not (index == 0 and byte == 0x2E) else f"%{byte:02X}"
        for index, byte in enumerate(name)
    )
    return key if len(key) <= _KEY_LIMIT else f"{key[:_KEY_KEPT]}~{short_sha256(key.encode())}"
