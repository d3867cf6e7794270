"""Choose the rows to list."""

from collections.abc import Iterable

from sessionizer.base.plain import Plain
from sessionizer.transcripts.listing import Row
from sessionizer.transcripts.scope import ScopeCount, count_files
from sessionizer.transcripts.when import Window, parse_timestamp

DEFAULT_CAP = 50


class Listing(Plain):
    """The rows to print, by path, and what is left out.

    Attributes:
        rows: After window and cap.
        scope: Transcripts after the window, before the cap.
        dropped: Rows that the cap took away.
        unread: Files and directories that could not be read.
    """

    __slots__ = ("dropped", "rows", "scope", "unread")
    rows: tuple[Row, ...]
    scope: ScopeCount
    dropped: int
    unread: int

    def __init__(
        self, *, rows: tuple[Row, ...], scope: ScopeCount, dropped: int, unread: int
    ) -> None:
        self._set(rows=rows, scope=scope, dropped=dropped, unread=unread)


def choose(rows: Iterable[Row], *, window: Window, cap: int, unread: int = 0) -> Listing:
    """Keep the rows inside `window`, and of those the `cap` most recently active; 0 keeps all.

    A row spans the times of its previews, and is inside when that span meets the window.
    Without any time it is the oldest, and in no bounded window.
    """
    inside = [row for row in rows if _meets(row, window)]
    kept = inside
    if cap and len(inside) > cap:
        latest = sorted(inside, key=_activity, reverse=True)[:cap]
        paths = {row.file.path for row in latest}
        kept = [row for row in inside if row.file.path in paths]
    return Listing(
        rows=tuple(kept),
        scope=count_files(row.file for row in inside),
        dropped=len(inside) - len(kept),
        unread=unread,
    )


def _meets(row: Row, window: Window) -> bool:
    if not window.is_bounded:
        return True
    times = _times(row)
    if not times:
        return False
    return (window.since is None or max(times) >= window.since) and (
        window.until is None or min(times) <= window.until
    )


def _activity(row: Row) -> tuple[bool, int]:
    times = _times(row)
    return (bool(times), max(times, default=0))


def _times(row: Row) -> list[int]:
    parsed = (parse_timestamp(preview.timestamp) for preview in row.summary.previews)
    return [instant for instant in parsed if instant is not None]
