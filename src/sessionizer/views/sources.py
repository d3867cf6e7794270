"""What the storage root says about where a session comes from, and whether it still grows."""

from typing import Final

from sessionizer.base.errors import SessionizerError
from sessionizer.landing.cursor import SOURCE_GONE, AppendCursor, read_append_cursor
from sessionizer.landing.names import parse_generation
from sessionizer.landing.record import TRANSCRIPT
from sessionizer.landing.session_data import read_header
from sessionizer.landing.zone import Zone
from sessionizer.model.kinds import MAIN

LIVE: Final = "live"
QUIET: Final = "quiet"
GONE: Final = "source gone"
UNKNOWN: Final = "unknown"
# The pause after which the segments of a conversation end, too.
LIVE_SECONDS: Final = 600


def read_state(zone: Zone, session: str, *, last_ms: int, now_s: float) -> str:
    """Whether the session still grows, as far as the last pass saw.

    `live` when its transcript, and its last record at `last_ms` if that is known, are younger
    than ten minutes: a copied file is new and its records are not. `source gone` when the last
    pass did not find it, `unknown` without a cursor, else `quiet`.
    """
    cursor = _main_cursor(zone, session)
    if cursor is None:
        return UNKNOWN
    if cursor.state == SOURCE_GONE:
        return GONE
    oldest_s = min(cursor.mtime, last_ms / 1000) if last_ms else cursor.mtime
    return LIVE if now_s - oldest_s < LIVE_SECONDS else QUIET


def read_project(zone: Zone, session: str) -> str:
    """The folder that the session's transcript lies in, as the source is named; maybe empty."""
    try:
        transcripts = (file for file in zone.landed(session) if file.kind_prefix == TRANSCRIPT)
        for file in transcripts:
            header = read_header(file.path)
            if header.stream == MAIN and "/" in header.src:
                return header.src.partition("/")[0]
    except (SessionizerError, OSError):
        pass
    return ""


def _main_cursor(zone: Zone, session: str) -> AppendCursor | None:
    """The cursor that is followed: that of the highest generation of the main transcript."""
    try:
        streams = zone.session_directory(session) / "streams"
        found = [
            (parse_generation(path.name)[1], path)
            for path in streams.iterdir()
            if parse_generation(path.name)[0] == MAIN
        ]
        for _, path in sorted(found, reverse=True):
            cursor = read_append_cursor(path / f"{TRANSCRIPT}.cursor")
            if cursor is not None:
                return cursor
    except (SessionizerError, OSError):
        pass
    return None
