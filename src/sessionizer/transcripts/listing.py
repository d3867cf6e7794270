"""The rows of `csift list`: what each transcript in scope says about itself."""

# ruff: noqa: PTH123

import json
from collections.abc import Iterable, Sequence

from sessionizer.base.plain import Plain
from sessionizer.transcripts.files import TranscriptFile
from sessionizer.transcripts.summary import Summary
from sessionizer.transcripts.summary_cache import SummaryCache
from sessionizer.transcripts.titles import Title, choose_title

# Fewer files are read as fast as a cache of them.
CACHED_FILES = 32


class Row(Plain):
    """One transcript.

    Attributes:
        file: Which one.
        summary: What its two ends tell.
        title: Its title and who gave it.
        pending: Texts of questions that wait for a person.
        skipped_lines: Malformed lines among those read, of the sidecar too.
        clone_of: Of a clone: the session it comes from; None when unknown.
    """

    __slots__ = ("clone_of", "file", "pending", "skipped_lines", "summary", "title")
    file: TranscriptFile
    summary: Summary
    title: Title
    pending: tuple[str, ...]
    skipped_lines: int
    clone_of: str | None

    def __init__(self, **fields: object) -> None:
        self._set(**fields)


class Rows(Plain):
    """Rows by path, and files that could not be read, each with the reason."""

    __slots__ = ("rows", "unreadable")
    rows: tuple[Row, ...]
    unreadable: tuple[tuple[str, str], ...]

    def __init__(self, rows: tuple[Row, ...], unreadable: tuple[tuple[str, str], ...]) -> None:
        self._set(rows=rows, unreadable=unreadable)


def read_rows(files: Sequence[TranscriptFile], *, cache: str | None) -> Rows:
    """Read the ends of every file, in order; those that did not change come from the cache.

    Args:
        files: What to read.
        cache: The cache's file; None to use none.
    """
    known = SummaryCache(cache if len(files) >= CACHED_FILES else None)
    summaries: list[tuple[TranscriptFile, Summary]] = []
    unreadable: list[tuple[str, str]] = []
    for file in files:
        try:
            summaries.append((file, known.read(file)))
        except OSError as error:
            unreadable.append((file.path, error.strerror or type(error).__name__))
    known.save()
    titles = [pair for _, summary in summaries for pair in summary.leaf_titles]
    rows = tuple(_make_row(file, summary, titles) for file, summary in summaries)
    return Rows(rows, tuple(unreadable))


def _make_row(file: TranscriptFile, summary: Summary, titles: Iterable[tuple[str, str]]) -> Row:
    pending, skipped = _read_pending(file)
    own = [*titles, *summary.leaf_titles]
    return Row(
        file=file,
        summary=summary,
        title=choose_title(summary, from_file=_read_title(file.title_file), leaf_titles=own),
        pending=pending,
        skipped_lines=summary.skipped_lines + skipped,
        clone_of=_find_origin(file, summary),
    )


def _find_origin(file: TranscriptFile, summary: Summary) -> str | None:
    if summary.boundary is None:
        return None
    from sessionizer.transcripts.clones import find_origin

    return find_origin(file.path, summary.boundary)


def _read_pending(file: TranscriptFile) -> tuple[tuple[str, ...], int]:
    """Questions that wait for a person, and malformed lines of the sidecar."""
    if file.elicitations is None:
        return (), 0
    from sessionizer.transcripts.ghosts import native_ids_among
    from sessionizer.transcripts.sidecar import (
        drop_ghosts,
        marker_key,
        pending_text,
        read_sidecar,
    )

    sidecar = read_sidecar(file.elicitations)
    keys = frozenset(marker_key(marker) for marker in sidecar.pending)
    waiting = drop_ghosts(sidecar.pending, native_ids_among(file.path, keys))
    return tuple(map(pending_text, waiting)), sidecar.skipped_lines


def _read_title(path: str | None) -> str | None:
    if path is None:
        return None
    try:
        with open(path, "rb") as file:
            stated = json.loads(file.read())
    except (OSError, ValueError, RecursionError):
        return None
    title = stated.get("customTitle") if isinstance(stated, dict) else None
    return title if isinstance(title, str) and title.strip() else None
