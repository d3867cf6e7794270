"""Cursors: how far a source was read, and what it looked like then.

A cursor is a cache of what the landed files say; a lost one is rebuilt from them.
Source: docs/formats/storage.md, "Cursors".
"""

from collections.abc import Callable, Mapping
from functools import lru_cache
from pathlib import Path
from typing import Final

from msgspec import Struct

from sessionizer.base.state_text import format_state, parse_number, parse_state
from sessionizer.landing.errors import CursorKindError

ACTIVE: Final = "active"
SOURCE_GONE: Final = "source_gone"
CONFLICT: Final = "conflict"
SUPERSEDED: Final = "superseded"
# A cursor in one of these states is never read on; a person or a new generation takes over.
CLOSED: Final = frozenset({CONFLICT, SUPERSEDED})

_SCHEMA: Final = 1
_APPEND: Final = "append"
_SNAPSHOT: Final = "snapshot"


class AppendCursor(Struct, frozen=True, kw_only=True):
    """How far a growing source was read.

    Attributes:
        source: Its path relative to the source root.
        dev: Device of the file that was read; 0 when unknown.
        ino: Inode of the file that was read; 0 when unknown.
        offset: Bytes consumed, up to and including a newline.
        ord: Lines consumed.
        last_uuid: The last `uuid` seen in a consumed line; for people.
        tail_sha256: Of the up to 1 MiB before `offset`; empty when unknown.
        size: Size of the file when it was read.
        mtime: Its modification time in Unix seconds.
        mtime_ns: The same in nanoseconds; None when it can not prove that nothing changed.
        last_seq: Sequence number of the last delta.
        updated_at: RFC 3339 UTC.
        state: `active`, `source_gone`, `conflict` or `superseded`.
        reason: Why it is in conflict.
    """

    source: str
    dev: int = 0
    ino: int = 0
    offset: int = 0
    ord: int = 0
    last_uuid: str = ""
    tail_sha256: str = ""
    size: int = 0
    mtime: int = 0
    mtime_ns: int | None = None
    last_seq: int = 0
    updated_at: str = ""
    state: str = ACTIVE
    reason: str = ""


class SnapshotCursor(Struct, frozen=True, kw_only=True):
    """Which version of a rewritten source was kept last.

    Attributes:
        content_sha256: Of the content that decides whether it changed.
        offset: On a kept unterminated line: where it stands in the source.
        ord: On a kept unterminated line: its line number.
        (others): As `AppendCursor`.
    """

    source: str
    content_sha256: str = ""
    ino: int = 0
    offset: int = 0
    ord: int = 0
    size: int = 0
    mtime: int = 0
    mtime_ns: int | None = None
    last_seq: int = 0
    updated_at: str = ""
    state: str = ACTIVE
    reason: str = ""


Cursor = AppendCursor | SnapshotCursor


@lru_cache(maxsize=4096)
def stored_source(src: str) -> str:
    """`src` as a cursor gives it back: one line, without outer blanks."""
    return src.replace("\n", " ").replace("\r", " ").rstrip().lstrip(" ")


def encode_cursor(cursor: Cursor) -> bytes:
    """The cursor's file."""
    tail: dict[str, str | int | None] = {
        "size": cursor.size,
        "mtime": cursor.mtime,
        "mtime_ns": cursor.mtime_ns,
        "last_seq": cursor.last_seq,
        "updated_at": cursor.updated_at,
        "state": cursor.state,
        "reason": cursor.reason or None,
    }
    if isinstance(cursor, AppendCursor):
        return format_state(
            {
                "schema": _SCHEMA,
                "kind": _APPEND,
                "source": cursor.source,
                "dev": cursor.dev,
                "ino": cursor.ino,
                "offset": cursor.offset,
                "ord": cursor.ord,
                "last_uuid": cursor.last_uuid or None,
                "tail_sha256": cursor.tail_sha256 or None,
                **tail,
            }
        )
    return format_state(
        {
            "schema": _SCHEMA,
            "kind": _SNAPSHOT,
            "source": cursor.source,
            "content_sha256": cursor.content_sha256,
            "ino": cursor.ino or None,
            "offset": cursor.offset or None,
            "ord": cursor.ord or None,
            **tail,
        }
    )


def read_append_cursor(path: Path) -> AppendCursor | None:
    """The cursor at `path`; None when there is none.

    Raises:
        CursorKindError: It is a cursor of another kind.
    """
    pairs = _read(path, _APPEND)
    return None if pairs is None else _append(pairs)


def read_snapshot_cursor(path: Path) -> SnapshotCursor | None:
    """The cursor at `path`; None when there is none.

    Raises:
        CursorKindError: It is a cursor of another kind.
    """
    pairs = _read(path, _SNAPSHOT)
    return None if pairs is None else _snapshot(pairs)


def read_cursor(path: Path) -> Cursor | None:
    """The cursor at `path`, of whichever kind it says it is; None when there is none.

    Raises:
        CursorKindError: It is of no kind.
    """
    pairs = _read_pairs(path)
    if pairs is None:
        return None
    if pairs.get("kind") == _APPEND:
        return _append(pairs)
    if pairs.get("kind") == _SNAPSHOT:
        return _snapshot(pairs)
    raise CursorKindError(path, expected=f"{_APPEND} or {_SNAPSHOT}", found=pairs.get("kind", ""))


def _read_pairs(path: Path) -> dict[str, str] | None:
    try:
        return parse_state(path.read_bytes().decode("utf-8", "replace"))
    except FileNotFoundError:
        return None


def _read(path: Path, kind: str) -> dict[str, str] | None:
    pairs = _read_pairs(path)
    if pairs is not None and pairs.get("kind") != kind:
        raise CursorKindError(path, expected=kind, found=pairs.get("kind", ""))
    return pairs


def _append(pairs: Mapping[str, str]) -> AppendCursor:
    number = _numbers(pairs)
    return AppendCursor(
        source=pairs.get("source", ""),
        dev=number("dev"),
        ino=number("ino"),
        offset=number("offset"),
        ord=number("ord"),
        last_uuid=pairs.get("last_uuid", ""),
        tail_sha256=pairs.get("tail_sha256", ""),
        size=number("size"),
        mtime=number("mtime"),
        mtime_ns=number("mtime_ns") or None,
        last_seq=number("last_seq"),
        updated_at=pairs.get("updated_at", ""),
        state=pairs.get("state") or ACTIVE,
        reason=pairs.get("reason", ""),
    )


def _snapshot(pairs: Mapping[str, str]) -> SnapshotCursor:
    number = _numbers(pairs)
    return SnapshotCursor(
        source=pairs.get("source", ""),
        content_sha256=pairs.get("content_sha256", ""),
        ino=number("ino"),
        offset=number("offset"),
        ord=number("ord"),
        size=number("size"),
        mtime=number("mtime"),
        mtime_ns=number("mtime_ns") or None,
        last_seq=number("last_seq"),
        updated_at=pairs.get("updated_at", ""),
        state=pairs.get("state") or ACTIVE,
        reason=pairs.get("reason", ""),
    )


def _numbers(pairs: Mapping[str, str]) -> Callable[[str], int]:
    return lambda key: parse_number(pairs.get(key))
