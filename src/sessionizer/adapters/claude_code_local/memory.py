"""What passes remember of each other: sessions at rest need no look at their archive.

Only what was quiet: a session of which nothing changed for ten minutes, and in which nothing
waits. It is judged as cursors judge a source, by inode, size and time. Between processes the
memory is a file of the storage root, and a session is recalled from it only when its
directories in the root are as they were, too.
Source: docs/formats/storage.md, "State files".
"""

import os
from collections.abc import Iterable
from pathlib import Path
from typing import Final

import msgspec
from msgspec import Struct

from sessionizer.adapters.claude_code_local.contract import ADAPTER, DIALECT
from sessionizer.base.batches import write_unsynced_temporary
from sessionizer.base.digests import sha256_hex, short_sha256
from sessionizer.base.files import make_private_directory
from sessionizer.landing.tail import REST_NS
from sessionizer.landing.zone import Zone

# Raised by any change to what a pass would do with a session that rests.
_SCHEMA: Final = f"rest/1 {ADAPTER} {DIALECT}"


class Look(Struct, frozen=True):
    """What a session's files looked like.

    Attributes:
        digest: Over path, inode, size and time of each.
        newest_ns: The latest time among them, in nanoseconds since 1970; None when one of
            them is gone.
    """

    digest: str
    newest_ns: int | None

    def rests(self, now_ns: int) -> bool:
        """Whether nothing of it changed for so long that no tail waits and no time is racy."""
        return self.newest_ns is not None and now_ns - self.newest_ns > REST_NS


class Rested(Struct, frozen=True, kw_only=True):
    """A session at rest.

    Attributes:
        look: The digest of what its files looked like.
        archive: The digest of what its directories in the storage root looked like.
        slugs: The plan names it has.
        gone: How many of its kept sources are not there any more.
        sources: How many sources were seen.
    """

    look: str
    archive: str
    slugs: tuple[str, ...] = ()
    gone: int = 0
    sources: int = 0


class _File(Struct, frozen=True, kw_only=True):
    schema: str
    sessions: dict[str, Rested]


_DECODER: Final = msgspec.json.Decoder(_File)


class PassMemory:
    """Sessions at rest, by id; kept at `path` from process to process, or nowhere."""

    def __init__(self, path: Path | None = None) -> None:
        self._path = path
        self._rested: dict[str, Rested] = {} if path is None else _read(path)
        self._unproven = set(self._rested)
        self._is_changed = False

    def known(self, session: str) -> Rested | None:
        """What is remembered of a session, without a look at it."""
        return self._rested.get(session)

    def recall(self, zone: Zone, session: str, look: Look) -> Rested | None:
        """The session, when all of its files are as they were."""
        rested = self._rested.get(session)
        if rested is None or rested.look != look.digest:
            return None
        if session in self._unproven:
            if zone.fingerprint(session) != rested.archive:
                return None
            self._unproven.discard(session)
        return rested

    def set(self, session: str, rested: Rested | None) -> None:
        """The session was looked at: what to remember of it, or None to look again."""
        self._unproven.discard(session)
        if self._rested.get(session) == rested:
            return
        self._is_changed = True
        if rested is None:
            del self._rested[session]
        else:
            self._rested[session] = rested

    @property
    def name(self) -> str:
        """What it is called in a message."""
        return "" if self._path is None else self._path.name

    def save(self, sessions: Iterable[str]) -> None:
        """Forget all but `sessions`, and write what changed.

        Nothing is flushed: a file that is torn is not read.
        """
        for session in self._rested.keys() - set(sessions):
            self.set(session, None)
        if self._path is None or not self._is_changed:
            return
        body = msgspec.json.encode(_File(schema=_SCHEMA, sessions=self._rested))
        make_private_directory(self._path.parent)
        temporary = write_unsynced_temporary(str(self._path.parent), (body,))
        Path(temporary).replace(self._path)
        self._is_changed = False


def memory_path(zone: Zone, source_root: Path) -> Path:
    """Where the memory of passes over `source_root` lies."""
    name = short_sha256(os.fsencode(os.path.abspath(source_root)))  # noqa: PTH100 - links stay
    return zone.state_directory / f"rest-{name}.json"


def look_at(files: Iterable[str]) -> Look:
    """Look at files, by path."""
    lines: list[str] = []
    newest_ns, is_gone = 0, False
    for file in files:
        try:
            found = os.stat(file)  # noqa: PTH116 - a path object costs more than the look
        except (FileNotFoundError, NotADirectoryError):
            is_gone = True
            lines.append(file)
            continue
        time_ns = found.st_mtime_ns
        newest_ns = max(newest_ns, time_ns)
        lines.append(f"{file}\0{found.st_ino} {found.st_size} {time_ns}")
    digest = sha256_hex(os.fsencode("\0".join(lines)))
    return Look(digest, None if is_gone else newest_ns)


def _read(path: Path) -> dict[str, Rested]:
    try:
        read = _DECODER.decode(path.read_bytes())
    except (OSError, msgspec.DecodeError, UnicodeDecodeError):
        return {}
    return read.sessions if read.schema == _SCHEMA else {}
