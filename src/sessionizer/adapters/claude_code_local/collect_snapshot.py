"""Collect one source that is rewritten as a whole: a version of it, when it changed.

Source: docs/formats/storage.md, "Snapshots".
"""

import hashlib
from typing import Final

from msgspec.structs import replace

from sessionizer.adapters.claude_code_local.claims import place_of
from sessionizer.adapters.claude_code_local.deriving import derive_file_rows, derive_rows
from sessionizer.adapters.claude_code_local.sources import Source
from sessionizer.adapters.claude_code_local.work import SessionWork
from sessionizer.base.digests import sha256_hex
from sessionizer.landing.cursor import ACTIVE, CLOSED, SnapshotCursor, stored_source
from sessionizer.landing.errors import SourceError
from sessionizer.landing.names import generation_directory
from sessionizer.landing.raw import Label
from sessionizer.landing.reading import FileSource, iter_file
from sessionizer.landing.record import FILE
from sessionizer.landing.snapshots import strip_snapshot
from sessionizer.landing.tail import is_unchanged, settled_mtime_ns

MAX_SNAPSHOT_BYTES: Final = 256 << 20
# A kept file above this is read twice instead of being held in memory.
_HELD_BYTES: Final = 32 << 20


def collect_snapshot(work: SessionWork, source: Source, generation: int) -> None:
    """Land a source when its content is not the one that was kept last.

    Raises:
        CursorKindError: A cursor of another kind stands in its place.
        SourceError: It is too large for what it is, or changed while it was read.
    """
    place = place_of(source)
    cursor = work.book.snapshot_cursor(place, generation)
    if cursor is not None and cursor.state in CLOSED:
        return
    origin = FileSource(source.file)
    stat = origin.stat()
    if stat is None:
        work.tally.gone += 1
        work.mark_gone(place, generation, cursor)
        return
    name = stored_source(source.src)
    is_followed = cursor is not None and (cursor.state, cursor.source) == (ACTIVE, name)
    if cursor is not None and is_followed and is_unchanged(stat, cursor):
        return
    known = cursor or SnapshotCursor(source=name)
    if source.kind == FILE and stat.size > _HELD_BYTES:
        landed = _land_large(work, source, generation, known)
    elif stat.size > MAX_SNAPSHOT_BYTES:
        raise SourceError(source.src, f"{stat.size} bytes are more than {MAX_SNAPSHOT_BYTES}")
    else:
        landed = _land(work, source, generation, known)
    if landed is None and cursor is None:
        return
    seen = replace(
        landed or known,
        source=name,
        ino=stat.ino,
        size=stat.size,
        mtime=stat.mtime,
        mtime_ns=settled_mtime_ns(stat, work.now_ns),
        state=ACTIVE,
        reason="",
    )
    if cursor is None or replace(seen, updated_at=cursor.updated_at) != cursor:
        work.book.set(place, generation, replace(seen, updated_at=work.current.at))
    work.publish_full_group()


def _land(
    work: SessionWork, source: Source, generation: int, known: SnapshotCursor
) -> SnapshotCursor | None:
    """Stage the content when it is new, and return the cursor for it."""
    body = source.path.read_bytes()
    is_file = source.kind == FILE
    content = body if is_file else strip_snapshot(body)
    if not content and not is_file:
        return None
    digest = sha256_hex(content)
    if digest == known.content_sha256:
        return None
    header = work.header(source, generation)
    if is_file:
        rows = derive_file_rows(header, size=len(body), sha256=digest)
    else:
        rows = derive_rows(header, body, ord=1, off=0)
    work.current.stage(generation_directory(source.directory, generation), header, rows, body)
    work.take_staged(source, header, rows)
    return replace(known, content_sha256=digest, last_seq=header.seq)


def _land_large(
    work: SessionWork, source: Source, generation: int, known: SnapshotCursor
) -> SnapshotCursor | None:
    """Like `_land`, of a kept file that is not held in memory."""
    digest = hashlib.sha256()
    size = 0
    for piece in iter_file(source.path):
        digest.update(piece)
        size += len(piece)
    sha256 = digest.hexdigest()
    if sha256 == known.content_sha256:
        return None
    header = work.header(source, generation)
    rows = derive_file_rows(header, size=size, sha256=sha256)
    label = Label(header=header, ord=1, off=0, bytes=size, sha256=sha256)
    directory = generation_directory(source.directory, generation)
    try:
        work.current.stage_stream(directory, label, rows, iter_file(source.path))
    except ValueError as error:
        raise SourceError(source.src, f"it changed while it was read: {error}") from error
    work.take_staged(source, header, rows, size)
    return replace(known, content_sha256=sha256, last_seq=header.seq)
