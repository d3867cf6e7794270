"""Compare kept bytes with what stands on disk now. Nothing is printed and nothing is changed.

Source: docs/formats/verification.md, "Against the sources".
"""

import hashlib
from collections.abc import Callable, Iterator
from typing import Final

from msgspec import Struct

from sessionizer.base.errors import SessionizerError
from sessionizer.base.instants import parse_instant_ns
from sessionizer.landing.errors import DamagedFileError
from sessionizer.landing.kept import iter_kept
from sessionizer.landing.names import parse_generation
from sessionizer.landing.raw import Label, read_label, read_raw
from sessionizer.landing.record import PREFIX_OF_KIND, TRANSCRIPT_TAIL, Header
from sessionizer.landing.repair import APPEND_KINDS
from sessionizer.landing.snapshots import EXACT_KINDS, strip_snapshot
from sessionizer.landing.tail import SETTLED_NS
from sessionizer.landing.zone import DeltaDirectory, RawFile, Zone

_TAIL_PREFIX: Final = PREFIX_OF_KIND[TRANSCRIPT_TAIL]


class Original(Struct, frozen=True):
    """A source as it stands now: its bytes, in the form they are kept, and its file's time."""

    chunks: Iterator[bytes]
    mtime_ns: int


class SourceCheck(Struct, frozen=True, kw_only=True):
    """What the sources of one session say about what was kept.

    Attributes:
        compared: Sources compared byte for byte.
        gone: Sources that are not there any more.
        not_yet_kept: (source, bytes) of what was written since it was kept.
        problems: One line each.
    """

    compared: int
    gone: int
    not_yet_kept: tuple[tuple[str, int], ...]
    problems: tuple[str, ...]


class _Kept(Struct, frozen=True, kw_only=True):
    """The deltas of one source in its newest generation; `label` is that of the last one."""

    directory: DeltaDirectory
    raws: tuple[RawFile, ...]
    label: Label


def verify_against_sources(
    zone: Zone, session: str, read_source: Callable[[Header], Original | None]
) -> SourceCheck:
    """Compare what was kept of a session with what stands on disk now.

    Of a growing source the newest generation counts, of a snapshot the newest version.

    Args:
        zone: The storage root.
        session: The session.
        read_source: The source a header names; None when it is gone.
    """
    compared = gone = 0
    not_yet: list[tuple[str, int]] = []
    problems: list[str] = []
    for kept in _newest(zone, session, problems):
        src = kept.label.header.src
        try:
            original = read_source(kept.label.header)
            if original is None:
                gone += 1
                continue
            compared += 1
            more = _compare(kept, original)
        except SessionizerError as error:
            problems.append(str(error))
            continue
        except OSError as error:
            problems.append(f"{src}: it can not be read: {error.strerror or error}")
            continue
        if more is None:
            problems.append(f"{src}: the source differs from what was kept of it")
        elif more:
            not_yet.append((src, more))
    return SourceCheck(
        compared=compared, gone=gone, not_yet_kept=tuple(not_yet), problems=tuple(problems)
    )


def _newest(zone: Zone, session: str, problems: list[str]) -> tuple[_Kept, ...]:
    """Every source of which something was kept, by place; what can not be told is a problem."""
    newest: dict[tuple[str, str, str], tuple[int, _Kept]] = {}
    for directory in zone.delta_directories(session):
        base, generation = parse_generation(directory.relative)
        for prefix in directory.prefixes:
            raws = tuple(raw for raw in directory.raws if raw.name.prefix == prefix)
            if prefix == _TAIL_PREFIX or not raws:
                continue
            try:
                label = read_label(raws[-1].path)
            except (DamagedFileError, OSError) as error:
                problems.append(str(error))
                continue
            # Two sources may have claimed one place; each generation names its own.
            place = (base, prefix, label.header.src)
            if place not in newest or newest[place][0] < generation:
                kept = _Kept(directory=directory, raws=raws, label=label)
                newest[place] = (generation, kept)
    return tuple(kept for _, kept in newest.values())


def _compare(kept: _Kept, original: Original) -> int | None:
    """How many bytes of the source are not kept; None when it differs from what is."""
    if kept.label.header.kind not in APPEND_KINDS:
        return _compare_snapshot(kept, original)
    rest = _rest_of_source(kept.raws, original.chunks)
    if rest is None:
        return None
    tails = [raw for raw in kept.directory.raws if raw.name.prefix == _TAIL_PREFIX]
    if rest.size and tails:
        tail = read_label(tails[-1].path)
        if (tail.off, tail.bytes, tail.sha256) == (rest.off, rest.size, rest.sha256):
            return 0
    return rest.size


def _compare_snapshot(kept: _Kept, original: Original) -> int | None:
    size, is_equal = _match_snapshot(kept, original.chunks)
    if is_equal:
        return 0
    # A newer version is no fault; a file that was not written since then must be what was kept.
    at_ns = parse_instant_ns(kept.label.header.at) or 0
    return size if original.mtime_ns > at_ns - SETTLED_NS else None


def _match_snapshot(kept: _Kept, chunks: Iterator[bytes]) -> tuple[int, bool]:
    """The source's size, and whether it is the version that was kept last."""
    if kept.label.header.kind in EXACT_KINDS:
        size, digest = 0, hashlib.sha256()
        for piece in chunks:
            size += len(piece)
            digest.update(piece)
        return size, digest.hexdigest() == kept.label.sha256
    body = b"".join(chunks)
    return len(body), strip_snapshot(body) == strip_snapshot(read_raw(kept.raws[-1].path).body)


class _Rest(Struct, frozen=True, kw_only=True):
    off: int
    size: int
    sha256: str


def _rest_of_source(raws: tuple[RawFile, ...], chunks: Iterator[bytes]) -> _Rest | None:
    """What the source has behind the kept bytes; None when it does not begin with them."""
    pending = b""
    off = 0
    for kept in iter_kept(raws):
        while len(pending) < len(kept):
            piece = next(chunks, None)
            if piece is None:
                return None
            pending += piece
        if not pending.startswith(kept):
            return None
        pending = pending[len(kept) :]
        off += len(kept)
    digest = hashlib.sha256(pending)
    size = len(pending)
    for piece in chunks:
        digest.update(piece)
        size += len(piece)
    return _Rest(off=off, size=size, sha256=digest.hexdigest())
