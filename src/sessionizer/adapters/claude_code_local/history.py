"""The shared `history.jsonl`: each session keeps the lines that name it, as if they were a file.

The file is read whole when it changed and not at all otherwise; what a session kept already
is known from its own cursor, so a pass that breaks off loses nothing and repeats nothing.
Source: docs/formats/storage.md, "The shared history".
"""

import re
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Final

import msgspec
from msgspec import Struct

from sessionizer.base.digests import sha256_hex, short_sha256
from sessionizer.base.files import make_private_directory, remove_temporaries, write_atomic
from sessionizer.base.locks import exclusive_lock
from sessionizer.base.state_text import format_state, parse_number, parse_state
from sessionizer.landing.errors import SourceError
from sessionizer.landing.reading import FileSource, OpenSource
from sessionizer.landing.tail import SourceStat, settled_mtime_ns

MAX_HISTORY_BYTES: Final = 256 << 20
_SCHEMA: Final = 1
_CHUNK: Final = 1 << 20
_STATED: Final = re.compile(rb'"sessionId"\s*:\s*"')


class _Line(Struct, frozen=True):
    sessionId: str = ""  # noqa: N815 - the file's key


_LINE: Final = msgspec.json.Decoder(_Line)


class Views(Struct, frozen=True, kw_only=True):
    """The shared file, told apart.

    Attributes:
        of_session: Per session its lines, newlines included, in file order.
        unnamed: Lines that name no session.
        mtime_ns: The file's time.
    """

    of_session: dict[str, bytes]
    line_counts: dict[str, int]
    unnamed: int
    mtime_ns: int


class HistoryState(Struct, frozen=True, kw_only=True):
    """What the file looked like when every collected session had its lines.

    Attributes:
        sessions: Digest over the ids of the sessions that were collected then: one more may
            own lines that were read before.
    """

    ino: int
    size: int
    mtime_ns: int
    offset: int
    sessions: str


def state_path(directory: Path, path: Path) -> Path:
    """The state file of the history at `path`, in the root's `_state`."""
    return directory / f"history-{short_sha256(str(path).encode('utf-8', 'surrogateescape'))}.state"


def sessions_digest(sessions: Iterable[str]) -> str:
    """One digest over a set of session ids."""
    return sha256_hex("\n".join(sorted(sessions)).encode())


def is_done(state: HistoryState | None, stat: SourceStat, sessions: str) -> bool:
    """Whether the file is as it was when all of these sessions had their lines."""
    return state is not None and (state.ino, state.size, state.mtime_ns, state.sessions) == (
        stat.ino,
        stat.size,
        stat.mtime_ns,
        sessions,
    )


def read_state(path: Path) -> HistoryState | None:
    """The state file; None when there is none."""
    try:
        pairs = parse_state(path.read_bytes().decode("utf-8", "replace"))
    except FileNotFoundError:
        return None
    return HistoryState(
        ino=parse_number(pairs.get("ino")),
        size=parse_number(pairs.get("size")),
        mtime_ns=parse_number(pairs.get("mtime_ns")),
        offset=parse_number(pairs.get("offset")),
        sessions=pairs.get("sessions", ""),
    )


def write_state(
    path: Path, stat: SourceStat, *, offset: int, sessions: str, at: str, now_ns: int
) -> None:
    """Remember that everything up to `offset` was given to these sessions.

    Raises:
        LockedError: Another process is writing it.
    """
    make_private_directory(path.parent)
    pairs: dict[str, str | int | None] = {
        "schema": _SCHEMA,
        "size": stat.size,
        "mtime": stat.mtime,
        "mtime_ns": settled_mtime_ns(stat, now_ns),
        "ino": stat.ino,
        "offset": offset,
        "sessions": sessions,
        "updated_at": at,
    }
    with exclusive_lock(path.parent / ".lock"):
        remove_temporaries(path.parent)
        write_atomic(path, format_state(pairs))


def read_views(path: Path) -> tuple[Views, SourceStat, int] | None:
    """The whole lines of the file by session, what it looked like, and where they end.

    None when the file is gone.

    Raises:
        SourceError: It is too large.
    """
    origin = FileSource(path)
    if origin.stat() is None:
        return None
    with origin.open() as opened:
        stat = opened.stat()
        if stat.size > MAX_HISTORY_BYTES:
            raise SourceError(path.name, f"{stat.size} bytes are more than {MAX_HISTORY_BYTES}")
        lines = _WholeLines(opened, stat.size)
        views = _tell_apart(lines, mtime_ns=stat.mtime_ns)
    return views, stat, lines.offset


def split_views(body: bytes, *, mtime_ns: int) -> Views:
    """Whole lines by the session they name."""
    return _tell_apart((line + b"\n" for line in body.split(b"\n")[:-1]), mtime_ns=mtime_ns)


class _WholeLines:
    """The whole lines of an open file, newlines included; never the file as a whole.

    Attributes:
        offset: Where the last one that was given out ends.
    """

    def __init__(self, opened: OpenSource, size: int) -> None:
        self._opened = opened
        self._size = size
        self.offset = 0

    def __iter__(self) -> Iterator[bytes]:
        position, pieces = 0, list[bytes]()
        while position < self._size:
            chunk = self._opened.read(position, min(_CHUNK, self._size - position))
            if not chunk:
                return
            position += len(chunk)
            *ends, rest = chunk.split(b"\n")
            for end in ends:
                line = b"".join((*pieces, end, b"\n"))
                pieces.clear()
                self.offset += len(line)
                yield line
            pieces.append(rest)


def _tell_apart(lines: Iterable[bytes], *, mtime_ns: int) -> Views:
    parts: dict[str, list[bytes]] = {}
    unnamed = 0
    for line in lines:
        session = _session_of(line)
        if session:
            parts.setdefault(session, []).append(line)
        else:
            unnamed += 1
    counts = {session: len(own) for session, own in parts.items()}
    joined: dict[str, bytes] = {}
    for session in list(parts):
        joined[session] = b"".join(parts.pop(session))
    return Views(of_session=joined, line_counts=counts, unnamed=unnamed, mtime_ns=mtime_ns)


def _session_of(line: bytes) -> str:
    if _STATED.search(line) is None:
        return ""
    try:
        return _LINE.decode(line).sessionId
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        return ""
