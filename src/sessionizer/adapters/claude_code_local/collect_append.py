"""Collect one growing source: whole lines by windows, then what stands unterminated at its end.

Source: docs/formats/storage.md, "Reading an append source" and "The last line".
"""

import re
from typing import Final

from msgspec import Struct
from msgspec.structs import replace

from sessionizer.adapters.claude_code_local.claims import Place, place_of
from sessionizer.adapters.claude_code_local.cursors import TAIL_PREFIX
from sessionizer.adapters.claude_code_local.deriving import derive_rows
from sessionizer.adapters.claude_code_local.sources import Source
from sessionizer.adapters.claude_code_local.work import MAX_WINDOWS, SessionWork
from sessionizer.base.digests import sha256_hex
from sessionizer.claude_code.objects import split_objects
from sessionizer.landing.cursor import (
    ACTIVE,
    CLOSED,
    CONFLICT,
    AppendCursor,
    SnapshotCursor,
    stored_source,
)
from sessionizer.landing.errors import SourceError
from sessionizer.landing.names import MAX_GENERATION, generation_directory
from sessionizer.landing.reading import ByteSource, OpenSource, read_window
from sessionizer.landing.record import JOURNAL, JOURNAL_TAIL, TRANSCRIPT, TRANSCRIPT_TAIL
from sessionizer.landing.tail import (
    REST_NS,
    TAIL_BYTES,
    Action,
    SourceStat,
    Verdict,
    decide,
    is_unchanged,
    needs_tail_digest,
    settled_mtime_ns,
    tail_digest,
)

MAX_TAIL_BYTES: Final = 256 << 20
TAIL_SUFFIX: Final = "#tail"
_TAIL_KINDS: Final = {TRANSCRIPT: TRANSCRIPT_TAIL, JOURNAL: JOURNAL_TAIL}
_UUID: Final = re.compile(rb'"uuid"\s*:\s*"([^"\\]{1,200})"')


class _At(Struct, frozen=True, kw_only=True):
    """One generation of a source and the cursor it is read by."""

    place: Place
    generation: int
    cursor: AppendCursor
    is_new: bool


def collect_append(work: SessionWork, source: Source, generation: int, origin: ByteSource) -> None:
    """Land what is new in a growing source, and set its cursor.

    A source that contradicts what was kept of it becomes a conflict, and is landed from its
    start as the next generation in the same pass.

    Raises:
        CursorKindError: A cursor of another kind stands in its place.
        SourceError: A line or the remainder is too long, or there are too many generations.
    """
    at = _find(work, source, generation)
    stat = origin.stat()
    if stat is None:
        work.tally.gone += 1
        work.mark_gone(at.place, at.generation, None if at.is_new else at.cursor)
        return
    if _is_settled(work, source, at, stat):
        return
    with origin.open() as opened:
        stat = opened.stat()
        verdict, before = _judge(opened, stat, at.cursor)
        if verdict.action is Action.CONFLICT:
            at = _begin_generation(work, source, at, verdict.reason)
            verdict, before = Verdict(Action.READ), b""
        cursor, is_whole = at.cursor, True
        if verdict.action is Action.READ:
            cursor, is_whole = _land_windows(work, source, at, opened, stat, before=before)
        _save(work, source, at, cursor, stat)
        if is_whole:
            _keep_remainder(work, source, replace(at, cursor=cursor), opened, stat)


def _find(work: SessionWork, source: Source, generation: int) -> _At:
    """The cursor to read on with: that of the generation, or of the next one after a close."""
    place = place_of(source)
    while True:
        cursor = work.book.append_cursor(place, generation)
        if cursor is None or cursor.state not in CLOSED:
            break
        generation = _next_generation(work, source)
    fresh = AppendCursor(source=stored_source(source.src))
    return _At(place=place, generation=generation, cursor=cursor or fresh, is_new=cursor is None)


def _next_generation(work: SessionWork, source: Source) -> int:
    generation = len(work.book.generations().get(place_of(source), ())) + 1
    if generation > MAX_GENERATION:
        raise SourceError(source.src, f"more than {MAX_GENERATION} generations")
    return generation


def _begin_generation(work: SessionWork, source: Source, at: _At, reason: str) -> _At:
    closed = replace(at.cursor, state=CONFLICT, reason=reason, updated_at=work.current.at)
    work.book.set(at.place, at.generation, closed)
    fresh = AppendCursor(source=stored_source(source.src))
    return _At(place=at.place, generation=_next_generation(work, source), cursor=fresh, is_new=True)


def _is_settled(work: SessionWork, source: Source, at: _At, stat: SourceStat) -> bool:
    """Whether the file is as it was and nothing of it waits: it need not be opened."""
    cursor = at.cursor
    if at.is_new or cursor.state != ACTIVE or not is_unchanged(stat, cursor):
        return False
    if cursor.source != stored_source(source.src):
        return False
    if cursor.offset == stat.size:
        return True
    if source.kind not in _TAIL_KINDS or cursor.offset > stat.size:
        return False
    tail = work.book.snapshot_cursor((at.place[0], TAIL_PREFIX), at.generation)
    return tail is not None and (tail.offset, tail.size) == (
        cursor.offset,
        stat.size - cursor.offset,
    )


def _judge(opened: OpenSource, stat: SourceStat, cursor: AppendCursor) -> tuple[Verdict, bytes]:
    """The verdict, and the up to 1 MiB before the cursor's offset."""
    before = b""
    if cursor.offset and stat.size >= cursor.offset:
        start = max(0, cursor.offset - TAIL_BYTES)
        before = opened.read(start, cursor.offset - start)
    digest = tail_digest(before) if needs_tail_digest(stat, cursor) else None
    return decide(stat, cursor, digest), before


def _land_windows(
    work: SessionWork,
    source: Source,
    at: _At,
    opened: OpenSource,
    stat: SourceStat,
    *,
    before: bytes,
) -> tuple[AppendCursor, bool]:
    """Stage whole lines up to the size seen.

    Returns:
        The cursor behind the last one, and whether no other one waits.
    """
    cursor = at.cursor
    for _ in range(MAX_WINDOWS):
        if work.should_stop():
            return cursor, False
        body = read_window(opened, cursor.offset, stat.size, work.window_bytes, source.src)
        if not body:
            return cursor, True
        header = work.header(source, at.generation)
        ord_, off = cursor.ord + 1, cursor.offset
        rows = derive_rows(header, body, ord=ord_, off=off)
        directory = generation_directory(source.directory, at.generation)
        label = work.current.stage(directory, header, rows, body, ord=ord_, off=off)
        work.take_staged(source, header, rows)
        work.learn_slugs(source, body)
        before = body[-TAIL_BYTES:] if len(body) >= TAIL_BYTES else (before + body)[-TAIL_BYTES:]
        cursor = replace(
            cursor,
            offset=off + len(body),
            ord=rows[-1].ord,
            last_uuid=_last_uuid(body) or cursor.last_uuid,
            tail_sha256=label.sha256 if len(before) == len(body) else tail_digest(before),
            last_seq=header.seq,
        )
        # At once: what is staged is published even if the next line can not be read.
        _save(work, source, at, cursor, stat)
        work.publish_full_group()
    if not read_window(opened, cursor.offset, stat.size, work.window_bytes, source.src):
        return cursor, True
    work.tally.pending += 1
    return cursor, False


def _save(
    work: SessionWork, source: Source, at: _At, cursor: AppendCursor, stat: SourceStat
) -> None:
    seen = replace(
        cursor,
        source=stored_source(source.src),
        dev=stat.dev,
        ino=stat.ino,
        size=stat.size,
        mtime=stat.mtime,
        mtime_ns=settled_mtime_ns(stat, work.now_ns),
        state=ACTIVE,
        reason="",
    )
    known = None if at.is_new else work.book.append_cursor(at.place, at.generation)
    if known is None or replace(seen, updated_at=known.updated_at) != known:
        work.book.set(at.place, at.generation, replace(seen, updated_at=work.current.at))


def _last_uuid(body: bytes) -> str:
    # The last lines are enough nearly always; the whole window only when they have none.
    for piece in (body[-(64 << 10) :], body):
        found = _UUID.findall(piece)
        if found:
            return str(found[-1].decode("utf-8", "replace"))
    return ""


# ------------------------------------------------------------------ the unterminated last line


def _keep_remainder(
    work: SessionWork, source: Source, at: _At, opened: OpenSource, stat: SourceStat
) -> None:
    """Land what stands behind the last newline, once it is an object or came to rest."""
    kind = _TAIL_KINDS.get(source.kind)
    offset = at.cursor.offset
    size = stat.size - offset
    if kind is None or size <= 0 or work.should_stop():
        return
    if size > MAX_TAIL_BYTES:
        raise SourceError(source.src, f"its last line is longer than {MAX_TAIL_BYTES} bytes")
    place = (at.place[0], TAIL_PREFIX)
    known = work.book.snapshot_cursor(place, at.generation)
    body = opened.read(offset, size)
    if b"\n" in body or not body:
        return  # it was rewritten or cut meanwhile
    digest = sha256_hex(body)
    if known is not None and (known.offset, known.content_sha256) == (offset, digest):
        return
    rests = work.flush_tails or work.now_ns - stat.mtime_ns >= REST_NS
    if not rests and not _is_whole_object(body):
        return
    src = source.src + TAIL_SUFFIX
    header = work.header(source, at.generation, kind=kind, src=src)
    ord_ = at.cursor.ord + 1
    rows = derive_rows(header, body, ord=ord_, off=offset)
    directory = generation_directory(source.directory, at.generation)
    work.current.stage(directory, header, rows, body, ord=ord_, off=offset)
    work.take_staged(source, header, rows)
    work.learn_slugs(source, body)
    cursor = SnapshotCursor(
        source=stored_source(src),
        content_sha256=digest,
        ino=stat.ino,
        offset=offset,
        ord=ord_,
        size=size,
        mtime=stat.mtime,
        last_seq=header.seq,
        updated_at=work.current.at,
    )
    work.book.set(place, at.generation, cursor)


def _is_whole_object(body: bytes) -> bool:
    text = body.removeprefix(b"\xef\xbb\xbf").strip()
    if not (text.startswith(b"{") and text.endswith(b"}")):
        return False
    objects = split_objects(text)
    return len(objects.spans) == 1 and objects.rest is None
