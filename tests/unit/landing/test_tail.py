import pytest

from sessionizer.landing.cursor import AppendCursor
from sessionizer.landing.tail import (
    Action,
    SourceStat,
    decide,
    is_unchanged,
    needs_tail_digest,
    settled_mtime_ns,
)

OLD_NS = 5_000_000_000
CURSOR = AppendCursor(
    source="s", dev=1, ino=7, offset=10, ord=2, tail_sha256="aa", size=10, mtime=5, mtime_ns=OLD_NS
)


def look(*, size: int = 10, ino: int = 7, mtime_ns: int = OLD_NS) -> SourceStat:
    return SourceStat(dev=1, ino=ino, size=size, mtime_ns=mtime_ns)


@pytest.mark.parametrize(
    ("stat", "digest", "action"),
    [
        (look(), None, Action.NOTHING),
        (look(mtime_ns=6), "aa", Action.STORE),
        (look(ino=8), "aa", Action.STORE),
        (look(size=14, mtime_ns=6), "aa", Action.READ),
        (look(size=14, ino=8, mtime_ns=6), "aa", Action.READ),
    ],
    ids=["same", "touched", "replaced by equal", "grown", "replaced and grown"],
)
def test_what_fits_the_cursor_is_read_on(
    stat: SourceStat, digest: str | None, action: Action
) -> None:
    """A changed inode is no conflict while the bytes before the offset are the same."""
    assert decide(stat, CURSOR, digest).action is action


@pytest.mark.parametrize(
    ("stat", "reason"),
    [
        (look(size=5), "truncated: 5 bytes, 10"),
        (look(mtime_ns=6), "rewritten: the digest"),
        (look(ino=8), "rewritten: the digest"),
        (look(size=14, mtime_ns=6), "rewritten: the digest"),
    ],
)
def test_what_contradicts_the_cursor_is_a_conflict(stat: SourceStat, reason: str) -> None:
    """Equal size is not equal content."""
    verdict = decide(stat, CURSOR, "bb")

    assert verdict.action is Action.CONFLICT
    assert verdict.reason.startswith(reason)


def test_without_a_digest_the_inode_decides() -> None:
    """Then there is nothing else to tell a replaced file by."""
    bare = AppendCursor(source="s", ino=7, offset=10, size=10)

    assert decide(look(size=12, ino=8), bare, None).action is Action.CONFLICT
    assert decide(look(size=12, ino=8), bare, None).reason.startswith("inode 7 became 8")
    assert decide(look(size=12), bare, None).action is Action.READ


def test_a_fresh_source_is_read_whatever_its_inode() -> None:
    """Nothing was kept that could have been rewritten."""
    fresh = AppendCursor(source="s")

    assert decide(look(size=3, ino=9), fresh, None).action is Action.READ
    assert decide(look(size=0), fresh, None).action is Action.STORE
    assert not needs_tail_digest(look(size=3), fresh)


def test_an_unchanged_file_is_not_read_again() -> None:
    """Its bytes were checked when the cursor was written."""
    assert is_unchanged(look(), CURSOR)
    assert not needs_tail_digest(look(), CURSOR)
    assert needs_tail_digest(look(mtime_ns=6), CURSOR)
    assert not needs_tail_digest(look(size=3), CURSOR)


def test_a_time_too_recent_proves_nothing() -> None:
    """A second write may fall in the same tick of the file system's clock."""
    recent = look(mtime_ns=OLD_NS)

    assert settled_mtime_ns(recent, OLD_NS + 1) is None
    assert settled_mtime_ns(recent, OLD_NS - 1) is None
    assert settled_mtime_ns(recent, OLD_NS + 3_000_000_000) == OLD_NS
