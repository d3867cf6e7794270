"""What to do with a growing source, judged from its cursor and what stands on disk now.

Pure: the caller looks at the disk, and asks `needs_tail_digest` whether to look further.
Source: docs/formats/storage.md, "Reading an append source".
"""

import hashlib
from enum import Enum
from typing import Final

from msgspec import Struct

from sessionizer.landing.cursor import AppendCursor, SnapshotCursor

TAIL_BYTES: Final = 1 << 20
# A remainder that is no whole object is a write in progress until the source rested this long.
REST_NS: Final = 600 * 1_000_000_000
# A file changed this recently can change again within the same clock tick, so its time proves
# nothing.
SETTLED_NS: Final = 2 * 1_000_000_000
_NANOSECONDS: Final = 1_000_000_000


class SourceStat(Struct, frozen=True, kw_only=True):
    """What a source looked like: device and inode (0 where there are none), size, time."""

    dev: int
    ino: int
    size: int
    mtime_ns: int

    @property
    def mtime(self) -> int:
        """Modification time in Unix seconds."""
        return self.mtime_ns // _NANOSECONDS


class Action(Enum):
    """What a pass does with a source."""

    NOTHING = "nothing"
    STORE = "store"
    READ = "read"
    CONFLICT = "conflict"


class Verdict(Struct, frozen=True):
    """The action, and on a conflict why."""

    action: Action
    reason: str = ""


def settled_mtime_ns(stat: SourceStat, now_ns: int) -> int | None:
    """The time to remember, or None when it is too recent to prove that nothing changed."""
    return stat.mtime_ns if now_ns - stat.mtime_ns > SETTLED_NS else None


def is_unchanged(stat: SourceStat, cursor: AppendCursor | SnapshotCursor) -> bool:
    """Whether the file is the one the cursor saw, judged without reading it."""
    return (
        cursor.mtime_ns is not None
        and cursor.mtime_ns == stat.mtime_ns
        and cursor.ino == stat.ino
        and cursor.size == stat.size
    )


def needs_tail_digest(stat: SourceStat, cursor: AppendCursor) -> bool:
    """Whether `decide` has to know the digest of the bytes before the cursor's offset."""
    if not cursor.offset or stat.size < cursor.offset:
        return False
    return bool(cursor.tail_sha256) and not is_unchanged(stat, cursor)


def decide(stat: SourceStat, cursor: AppendCursor, tail_sha256: str | None) -> Verdict:
    """What to do.

    `tail_sha256` is the digest of the bytes on disk before the cursor's offset; it may be
    None when `needs_tail_digest` said so. With offset 0 nothing was kept that could have been
    rewritten.
    """
    if stat.size < cursor.offset:
        return Verdict(
            Action.CONFLICT, f"truncated: {stat.size} bytes, {cursor.offset} were consumed"
        )
    same_size = stat.size == cursor.offset
    if is_unchanged(stat, cursor):
        return Verdict(Action.NOTHING if same_size else Action.READ)
    if cursor.offset:
        if cursor.tail_sha256 and tail_sha256 != cursor.tail_sha256:
            return Verdict(
                Action.CONFLICT,
                f"rewritten: the digest of the bytes before {cursor.offset} differs",
            )
        if not cursor.tail_sha256 and cursor.ino and stat.ino != cursor.ino:
            return Verdict(
                Action.CONFLICT, f"inode {cursor.ino} became {stat.ino}, and no digest is known"
            )
    return Verdict(Action.STORE if same_size else Action.READ)


def tail_digest(before: bytes) -> str:
    """The digest of (at most) the last `TAIL_BYTES` bytes that were consumed."""
    return hashlib.sha256(before[-TAIL_BYTES:]).hexdigest()


def consumable_size(window: bytes) -> int:
    """How many bytes of a window are whole lines: up to and including its last newline."""
    return window.rfind(b"\n") + 1
