"""Remember what the ends of transcripts said, for as long as the files stay as they were.

Derived and disposable: a row counts only when device, inode, size and both times agree, and
when the file was not written shortly before the row was made, since a clock has no smaller
steps. A cache that cannot be read or written is no cache; the answer is the same without.

Kept free of msgspec and typing: with every file unchanged, `csift list` needs neither.
"""

# ruff: noqa: PTH116, PTH118, PTH123

import json
import os
import sys
import time
from collections.abc import Mapping

from sessionizer.transcripts.files import TranscriptFile
from sessionizer.transcripts.summary import Preview, Summary

FORMAT = 1
SETTLED_NS = 2_000_000_000

_TEXTS = ("cwd", "version_first", "version_last", "branch_first", "branch_last", "boundary")
_PREVIEWS = ("first_user", "last_user", "last_agent")
_SWITCHES = ("last_user_unread", "last_agent_unread")


def find_cache(environ: Mapping[str, str], platform: str = sys.platform) -> str | None:
    """Where the cache lies: in the user's cache directory. None when there is none."""
    if platform == "win32":
        base = environ.get("LOCALAPPDATA", "")
    elif platform == "darwin":
        home = environ.get("HOME", "")
        base = os.path.join(home, "Library", "Caches") if home else ""
    else:
        home = environ.get("HOME", "")
        base = environ.get("XDG_CACHE_HOME") or (os.path.join(home, ".cache") if home else "")
    return os.path.join(base, "sessionizer", "summaries.json") if base else None


class SummaryCache:
    """Summaries by path.

    Args:
        path: The cache's file; None to remember nothing.
    """

    def __init__(self, path: str | None) -> None:
        self._path = path
        self._rows: dict[str, list[object]] = _load(path) if path is not None else {}
        self._is_changed = False

    def read(self, file: TranscriptFile) -> Summary:
        """A file's summary, from the cache or from the file.

        Raises:
            OSError: The file cannot be read.
        """
        if self._path is None:
            return _read(file)
        stat = os.stat(file.path)
        identity = [stat.st_dev, stat.st_ino, stat.st_size, stat.st_mtime_ns, stat.st_ctime_ns]
        row = self._rows.get(file.path)
        if row is not None and row[0] == identity:
            try:
                return _decode(row[1])
            except (KeyError, TypeError, ValueError, AttributeError):
                pass  # a row of another making: read the file
        summary = _read(file)
        # The row is for the file as it was before it was read; a later one has other times.
        if stat.st_mtime_ns < time.time_ns() - SETTLED_NS:
            self._rows[file.path] = [identity, _encode(summary)]
            self._is_changed = True
        return summary

    def save(self) -> None:
        """Write the cache, if it changed, without the files that are gone."""
        if self._path is None or not self._is_changed:
            return
        from contextlib import suppress
        from pathlib import Path

        from sessionizer.base.files import make_private_directory, write_atomic

        rows = {path: row for path, row in self._rows.items() if os.path.lexists(path)}
        with suppress(OSError):
            path = Path(self._path)
            make_private_directory(path.parent)
            write_atomic(path, json.dumps({"format": FORMAT, "rows": rows}).encode())


def _read(file: TranscriptFile) -> Summary:
    from sessionizer.transcripts.summaries import read_summary

    return read_summary(file)


def _load(path: str) -> dict[str, list[object]]:
    try:
        with open(path, "rb") as file:
            stored = json.loads(file.read())
    except (OSError, ValueError, RecursionError):
        return {}
    if not isinstance(stored, dict) or stored.get("format") != FORMAT:
        return {}
    rows = stored.get("rows")
    if not isinstance(rows, dict):
        return {}
    return {path: row for path, row in rows.items() if isinstance(row, list) and len(row) == 2}


def _encode(summary: Summary) -> dict[str, object]:
    fields: dict[str, object] = {name: getattr(summary, name) for name in (*_TEXTS, *_SWITCHES)}
    for name in _PREVIEWS:
        preview = getattr(summary, name)
        fields[name] = None if preview is None else [preview.timestamp, preview.excerpt]
    return {
        **fields,
        "custom_title": summary.custom_title,
        "ai_title": summary.ai_title,
        "skipped_lines": summary.skipped_lines,
        "leaf_titles": summary.leaf_titles,
        "uuids": sorted(summary.uuids),
    }


def _decode(stored: object) -> Summary:
    fields = dict(stored.items()) if isinstance(stored, dict) else {}
    for name in _PREVIEWS:
        pair = fields[name]
        fields[name] = None if pair is None else Preview(pair[0], pair[1])
    fields["leaf_titles"] = tuple((leaf, title) for leaf, title in fields["leaf_titles"])
    fields["uuids"] = frozenset(fields["uuids"])
    if set(fields) != set(Summary.__slots__):
        raise ValueError("a row of another format")
    return Summary(**fields)
