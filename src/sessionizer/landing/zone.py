"""The storage root: where everything of a session lies, and what has landed.

All access to the root's layout goes through `Zone`. It reads names only, never content.
Source: docs/formats/storage.md, "Layout".
"""

import os
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from msgspec import Struct

from sessionizer.base.digests import sha256_hex
from sessionizer.base.files import TEMPORARY_PREFIX, make_private_directory
from sessionizer.landing.errors import NoStorageRootError
from sessionizer.landing.names import (
    CURSOR_SUFFIX,
    RAW_SUFFIX,
    SD_SUFFIX,
    LandedName,
    check_component,
    parse_landed_name,
    parse_raw_name,
)

# The newest dialect number this program writes and reads; a file of a later one is left alone.
KNOWN_DIALECT_GENERATION: Final = 1

_SEGMENT_NAME: Final = re.compile(r"seg-(\d{6,})-(\d{6,})\.bin", re.ASCII)


class LandedFile(Struct, frozen=True, kw_only=True):
    """One delta as its names show it.

    Attributes:
        seq: Its sequence number, from 1.
        directory: Where its files lie.
        stem: What their names have in common.
        suffix: How the name goes on that has the highest dialect this program knows.
        kind_prefix: `transcript`, `meta` and so on.
        relative: `path` below the root, `/` separators.
        dialect_generation: N of `.d<N>.sd`; 0 for the file as it landed.
    """

    seq: int
    directory: str
    stem: str
    suffix: str = SD_SUFFIX
    kind_prefix: str
    relative: str
    dialect_generation: int = 0

    @property
    def name(self) -> str:
        """The full name of the `.sd`."""
        return f"{self.directory}{os.sep}{self.stem}{self.suffix}"

    @property
    def raw_name(self) -> str:
        """The full name of the kept bytes beside it; the file may be missing."""
        return f"{self.directory}{os.sep}{self.stem}{RAW_SUFFIX}"

    @property
    def path(self) -> Path:
        """`name` as a path."""
        return Path(self.name)

    @property
    def raw_path(self) -> Path:
        """`raw_name` as a path."""
        return Path(self.raw_name)


class RawFile(Struct, frozen=True, kw_only=True):
    """The kept bytes of one delta, and the `.sd` that goes with them, if there is one."""

    name: LandedName
    directory: str
    landed: LandedFile | None

    @property
    def path(self) -> Path:
        """The file."""
        return Path(self.directory, self.name.stem + RAW_SUFFIX)


class DeltaDirectory(Struct, frozen=True, kw_only=True):
    """One directory that deltas land in.

    Attributes:
        relative: Its path below the session directory, `streams/main@2`.
        place: Its whole path.
        raws: By seq.
        landed: By seq; a delta of which only the raw file is left is not among them.
        cursors: Prefixes that have a cursor.
        highest_seq: The highest number in any name, of any dialect; 0 when there is none.
        temporaries: Left-over temporary files.
    """

    relative: str
    place: str
    raws: tuple[RawFile, ...]
    landed: tuple[LandedFile, ...]
    cursors: tuple[str, ...]
    highest_seq: int = 0
    temporaries: tuple[Path, ...] = ()

    @property
    def path(self) -> Path:
        """`place` as a path."""
        return Path(self.place)

    @property
    def prefixes(self) -> tuple[str, ...]:
        """Prefixes of which something landed, sorted."""
        names = {file.name.prefix for file in self.raws}
        return tuple(sorted(names | {file.kind_prefix for file in self.landed}))


class Zone:
    """The storage root at `root`, which need not exist yet."""

    def __init__(self, root: Path, *, known_dialect: int = KNOWN_DIALECT_GENERATION) -> None:
        self.root = root
        self.known_dialect = known_dialect

    def require(self) -> None:
        """Do nothing when the root exists.

        Raises:
            NoStorageRootError: It does not.
        """
        if not self.root.is_dir():
            raise NoStorageRootError(self.root)

    @property
    def conversations_directory(self) -> Path:
        """Where chains of rounds lie."""
        return self.root / "_conversations"

    @property
    def state_directory(self) -> Path:
        """Where state that belongs to no session lies."""
        return self.root / "_state"

    def session_ids(self) -> tuple[str, ...]:
        """Sessions with a directory, sorted. Reserved names and plain files are no sessions."""
        try:
            with os.scandir(self.root) as entries:
                names = [entry.name for entry in entries if entry.is_dir()]
        except FileNotFoundError:
            return ()
        return tuple(sorted(name for name in names if not name.startswith(("_", "."))))

    def holds(self, session: str) -> bool:
        """Whether the directory of that name is a session's, and not somebody else's."""
        directory = self.root / session
        return any((directory / name).exists() for name in ("session.state", "streams", "runs"))

    def session_directory(self, session: str) -> Path:
        """The directory of a session, which need not exist.

        Raises:
            BadNameError: `session` can not be a path component.
        """
        return self.root / check_component("session id", session)

    def conversation_directory(self, conversation: str) -> Path:
        """The directory of a conversation, which need not exist.

        Raises:
            BadNameError: `conversation` can not be a path component.
        """
        return self.conversations_directory / check_component("conversation id", conversation)

    def lock_path(self, session: str) -> Path:
        """The file whose lock a pass over the session holds."""
        return self.session_directory(session) / ".lock"

    def state_path(self, session: str) -> Path:
        """The session's state file."""
        return self.session_directory(session) / "session.state"

    def index_directory(self, session: str) -> Path:
        """The session's derived index."""
        return self.session_directory(session) / "index"

    def create_session(self, session: str) -> Path:
        """Make the session's directory, private, and return it."""
        directory = self.session_directory(session)
        make_private_directory(directory)
        return directory

    def is_case_insensitive(self, session: str) -> bool:
        """Whether two names that differ in case are one, as seen at the session's directory."""
        directory = self.session_directory(session)
        return directory.is_dir() and (directory / "STREAMS").exists()

    def fingerprint(self, session: str) -> str:
        """A digest of what the session's directories and its state file look like.

        Equal digests: no file was made, renamed or removed in between.
        """
        base = str(self.session_directory(session))
        lines: list[str] = []
        for relative in ("session.state", "index", *sorted(_iter_leaves(base))):
            try:
                found = os.stat(_below(base, relative))  # noqa: PTH116
            except FileNotFoundError:
                continue
            lines.append(f"{relative}\0{found.st_mtime_ns}")
        return sha256_hex(os.fsencode("\0".join(lines)))

    def landed(self, session: str) -> tuple[LandedFile, ...]:
        """Every landed file of a session by seq; of a delta's dialects the highest known."""
        found = [file for each in self.delta_directories(session) for file in each.landed]
        return tuple(sorted(found, key=lambda file: (file.seq, file.relative)))

    def landed_by_seq(self, session: str) -> dict[int, LandedFile]:
        """Landed files of a session by sequence number."""
        return {file.seq: file for file in self.landed(session)}

    def delta_directories(self, session: str) -> tuple[DeltaDirectory, ...]:
        """Every directory of a session that deltas land in, by path."""
        base = str(self.session_directory(session))
        leaves = sorted(_iter_leaves(base))
        return tuple(self._read_directory(session, base, relative) for relative in leaves)

    def delta_directory(self, session: str, relative: str) -> DeltaDirectory:
        """One directory that deltas land in; empty when it does not exist."""
        return self._read_directory(session, str(self.session_directory(session)), relative)

    def highest_seq(self, session: str) -> int:
        """The highest sequence number in any name of the session, whatever is left of it."""
        return max((each.highest_seq for each in self.delta_directories(session)), default=0)

    def highest_indexed_seq(self, session: str) -> int:
        """The highest sequence number an index segment claims to cover, whether valid or not."""
        names = _names(self.index_directory(session))
        found = (_SEGMENT_NAME.fullmatch(name) for name in names)
        return max((int(match[2]) for match in found if match), default=0)

    def _read_directory(self, session: str, base: str, relative: str) -> DeltaDirectory:
        place = _below(base, relative)
        best: dict[str, LandedFile] = {}
        raw_names: list[LandedName] = []
        cursors: list[str] = []
        temporaries: list[Path] = []
        highest = 0
        for name in _names(place):
            if name.endswith(CURSOR_SUFFIX):
                cursors.append(name.removesuffix(CURSOR_SUFFIX))
            elif raw := parse_raw_name(name):
                raw_names.append(raw)
                highest = max(highest, raw.seq)
            elif landed := parse_landed_name(name):
                highest = max(highest, landed.seq)
                known = best.get(landed.stem)
                if landed.dialect_generation <= self.known_dialect and (
                    known is None or known.dialect_generation < landed.dialect_generation
                ):
                    best[landed.stem] = LandedFile(
                        seq=landed.seq,
                        directory=place,
                        stem=landed.stem,
                        suffix=name[len(landed.stem) :],
                        kind_prefix=landed.prefix,
                        relative=f"{session}/{relative}/{name}",
                        dialect_generation=landed.dialect_generation,
                    )
            elif name.startswith(TEMPORARY_PREFIX):
                temporaries.append(Path(place, name))
        raws = [RawFile(name=raw, directory=place, landed=best.get(raw.stem)) for raw in raw_names]
        return DeltaDirectory(
            relative=relative,
            place=place,
            raws=tuple(sorted(raws, key=lambda raw: (raw.name.seq, raw.name.stem))),
            landed=tuple(sorted(best.values(), key=lambda file: (file.seq, file.relative))),
            cursors=tuple(sorted(cursors)),
            highest_seq=highest,
            temporaries=tuple(sorted(temporaries)),
        )


def _iter_leaves(base: str) -> Iterator[str]:
    """`streams/*`, `runs/*`, `files/<class>/*`, and `files/history`, which has no keys below."""
    for top in ("streams", "runs", "files"):
        for directory in _directories(base, top):
            yield directory
            if top == "files":
                yield from _directories(base, directory)


def _directories(base: str, relative: str) -> list[str]:
    try:
        with os.scandir(_below(base, relative)) as entries:
            return [f"{relative}/{entry.name}" for entry in entries if entry.is_dir()]
    except (FileNotFoundError, NotADirectoryError):
        return []


def _below(base: str, relative: str) -> str:
    return f"{base}{os.sep}{relative.replace('/', os.sep)}"


def _names(directory: Path | str) -> list[str]:
    try:
        return os.listdir(directory)  # noqa: PTH208 - a listing of names is all that is needed
    except (FileNotFoundError, NotADirectoryError):
        return []
