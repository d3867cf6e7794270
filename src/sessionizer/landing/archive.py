"""What is kept, seen as files under their original paths: the one door for searching it.

Read only. A source is its newest generation: the kept bytes of its deltas in order, then the
last line that was kept without its newline, if it still follows.
Source: docs/formats/storage.md.
"""

from collections.abc import Iterator
from pathlib import Path
from typing import Final

from msgspec import Struct

from sessionizer.landing.errors import DamagedFileError
from sessionizer.landing.kept import iter_kept
from sessionizer.landing.names import parse_generation
from sessionizer.landing.raw import iter_body, read_label, read_raw
from sessionizer.landing.record import Header
from sessionizer.landing.zone import RawFile, Zone

TRANSCRIPT: Final = "transcript"
SIDECAR: Final = "agent_meta"
TITLE: Final = "session_title"
FILE: Final = "file"

_TAIL_PREFIX: Final = "tail"
# What a search reads; files beside the transcripts may be many.
_READ_PLACES: Final = ("streams/", "files/tool-results/", "files/elicitations/")
_GROWING: Final = frozenset({TRANSCRIPT})


class KeptSource(Struct, frozen=True, kw_only=True):
    """One kept source.

    Attributes:
        session: Whose it is.
        header: What its last delta says of it; `src` is its path below the projects directory.
        raws: Its deltas by number: all of a transcript's, the newest of anything else.
        tail: The kept last line of a transcript, by its raw file; None without one.
        has_older: Whether an older generation is kept, which is not read.
    """

    session: str
    header: Header
    raws: tuple[RawFile, ...]
    tail: RawFile | None = None
    has_older: bool = False


class Unlisted(Struct, frozen=True):
    """A kept file whose label cannot be read, so that nobody knows what it holds."""

    session: str
    path: str
    reason: str


class Kept(Struct, frozen=True):
    """What a storage root holds: sources by path, and what could not be listed."""

    sources: tuple[KeptSource, ...]
    unlisted: tuple[Unlisted, ...]


def list_kept(root: Path) -> Kept:
    """List what a storage root holds. Labels are read, bytes are not.

    Raises:
        NoStorageRootError: There is no such root.
    """
    zone = Zone(root)
    zone.require()
    newest: dict[str, tuple[int, KeptSource]] = {}
    unlisted: list[Unlisted] = []
    for session in zone.session_ids():
        for generation, source in _iter_sources(zone, session, unlisted):
            found = (generation, source)
            known = newest.get(source.header.src)
            if known is not None:
                newer = max(known, found, key=lambda one: one[0])
                found = (newer[0], _with_older(newer[1]))
            newest[source.header.src] = found
    sources = sorted((source for _, source in newest.values()), key=lambda one: one.header.src)
    return Kept(tuple(sources), tuple(unlisted))


def size_of(source: KeptSource) -> int:
    """How many bytes the source has.

    Raises:
        DamagedFileError: A label can not be read.
    """
    return _reach(source) + (read_label(source.tail.path).bytes if source.tail else 0)


def iter_source(source: KeptSource) -> Iterator[bytes]:
    """The bytes of the source, in pieces.

    Raises:
        DamagedFileError: Kept bytes can not be read, or there is a gap.
    """
    if source.header.kind not in _GROWING:
        yield from iter_body(source.raws[-1].path)
        return
    yield from iter_kept(source.raws)
    if source.tail is not None:
        yield from iter_body(source.tail.path)


def read_range(source: KeptSource, offset: int, size: int) -> bytes:
    """Up to `size` bytes from `offset`; only the deltas that hold them are opened.

    Raises:
        DamagedFileError: As `iter_source`.
    """
    found = bytearray()
    for raw in (*source.raws, *((source.tail,) if source.tail else ())):
        label = read_label(raw.path)
        start, stop = label.off, label.off + label.bytes
        wanted = offset + len(found)
        if stop <= wanted or start > wanted:
            continue
        body = read_raw(raw.path).body
        found += body[wanted - start : wanted - start + size - len(found)]
        if len(found) >= size:
            break
    return bytes(found)


def _iter_sources(
    zone: Zone, session: str, unlisted: list[Unlisted]
) -> Iterator[tuple[int, KeptSource]]:
    for directory in zone.delta_directories(session):
        if not directory.relative.startswith(_READ_PLACES):
            continue
        _, generation = parse_generation(directory.relative)
        by_prefix: dict[str, list[RawFile]] = {}
        for raw in directory.raws:
            by_prefix.setdefault(raw.name.prefix, []).append(raw)
        tails = by_prefix.pop(_TAIL_PREFIX, [])
        for raws in by_prefix.values():
            try:
                yield generation, _make_source(session, raws, tails)
            except DamagedFileError as error:
                unlisted.append(Unlisted(session, str(error.path), error.problem))


def _make_source(session: str, raws: list[RawFile], tails: list[RawFile]) -> KeptSource:
    header = read_label(raws[-1].path).header
    if header.kind not in _GROWING:
        return KeptSource(session=session, header=header, raws=(raws[-1],))
    source = KeptSource(session=session, header=header, raws=tuple(raws))
    tail = tails[-1] if tails else None
    if tail is None or read_label(tail.path).off != _reach(source):
        return source
    return KeptSource(session=session, header=header, raws=tuple(raws), tail=tail)


def _reach(source: KeptSource) -> int:
    """Where its whole lines end, in bytes."""
    labels = [read_label(raw.path) for raw in source.raws[-1:]]
    return max(label.off + label.bytes for label in labels)


def _with_older(source: KeptSource) -> KeptSource:
    return KeptSource(
        session=source.session,
        header=source.header,
        raws=source.raws,
        tail=source.tail,
        has_older=True,
    )
