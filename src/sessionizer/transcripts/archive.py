"""Read what was kept, as if the home were still as it was.

Kept sources stand in the catalogue under their original paths. Their bytes are restored to a
private directory when a reader opens one, and removed again when others need the room.
"""

# ruff: noqa: PTH108, PTH118, PTH120, PTH123

import os
import tempfile
from collections.abc import Iterable, Mapping
from contextlib import suppress
from pathlib import Path

from sessionizer.landing.archive import (
    FILE,
    SIDECAR,
    TITLE,
    TRANSCRIPT,
    Kept,
    KeptSource,
    iter_source,
    list_kept,
    read_range,
    size_of,
)
from sessionizer.landing.errors import DamagedFileError
from sessionizer.transcripts.files import AgentSidecar, TranscriptFile

MAIN_STREAM = "main"
ELICITATIONS, TOOL_RESULTS = "elicitations", "tool-results"
# How much restored text may lie on disk at one time, beyond the file that is open.
RESTORED_BYTES = 512 * 1024 * 1024
COMPARED_BYTES = 4 * 1024

_ERRNO = 5  # EIO: the bytes are there and cannot be read


class Archive:
    """What a storage root holds, by original path.

    Args:
        root: The storage root.
        projects_root: The directory that original paths are relative to.

    Raises:
        NoStorageRootError: There is no such root.
    """

    def __init__(self, root: Path, projects_root: str) -> None:
        self._kept: Kept = list_kept(root)
        self._sources: dict[str, KeptSource] = {
            _original(projects_root, source): source
            for source in self._kept.sources
            if not source.header.src.startswith("../")
        }

    @property
    def sources(self) -> Mapping[str, KeptSource]:
        """Sources by original path."""
        return self._sources

    @property
    def unlisted(self) -> tuple[tuple[str, str], ...]:
        """Kept files that could not be listed: path, and the session and reason."""
        return tuple(
            (one.path, f"session {one.session}: {one.reason}") for one in self._kept.unlisted
        )

    def transcripts(self) -> tuple[TranscriptFile, ...]:
        """Every kept transcript, by path."""
        found = [
            _transcript(path, source, self._sources)
            for path, source in self._sources.items()
            if source.header.kind == TRANSCRIPT
        ]
        return tuple(sorted(found, key=lambda file: os.fsencode(file.path)))

    def sidecars(self) -> dict[str, tuple[AgentSidecar, ...]]:
        """The sidecars of agents, by session."""
        found: dict[str, list[AgentSidecar]] = {}
        for path, source in self._sources.items():
            if source.header.kind == SIDECAR and source.header.stream:
                sidecar = AgentSidecar(source.header.stream, path)
                found.setdefault(source.session, []).append(sidecar)
        return {session: tuple(sidecars) for session, sidecars in found.items()}

    def older(self, paths: Iterable[str]) -> tuple[str, ...]:
        """Those of `paths` of which an older generation is kept as well."""
        return tuple(path for path in paths if self._sources[path].has_older)


class KeptFiles:
    """Restores kept sources to files; a context, at whose end they are removed.

    Args:
        sources: By the path that readers ask for.
    """

    def __init__(self, sources: Mapping[str, KeptSource]) -> None:
        self._sources = dict(sources)
        self._directory = tempfile.TemporaryDirectory(prefix="csift-")
        self._restored: dict[str, tuple[str, int]] = {}
        self._owner = os.getpid()
        self._count = 0

    def close(self) -> None:
        """Remove what was restored."""
        self._directory.cleanup()

    def holds(self, path: str) -> bool:
        """Whether the bytes of a path are the kept ones."""
        return path in self._sources

    def size(self, path: str) -> int:
        """How many bytes are kept of a path."""
        try:
            return size_of(self._sources[path])
        except DamagedFileError as error:
            raise _unreadable(error) from error

    def list_directory(self, directory: str) -> tuple[str, ...]:
        """The paths in a directory whose bytes are the kept ones."""
        return tuple(path for path in self._sources if os.path.dirname(path) == directory)

    def restore(self, path: str) -> str:
        """A file with the kept bytes of a path; valid until the next call.

        Raises:
            OSError: The kept bytes are damaged.
        """
        if self._owner != os.getpid():  # a fork: what the parent restored may be removed there
            self._owner, self._restored = os.getpid(), {}
        known = self._restored.get(path)
        if known is not None:
            return known[0]
        self._count += 1
        place = os.path.join(self._directory.name, f"{os.getpid()}-{self._count}")
        size = 0
        try:
            with open(place, "wb") as file:
                for piece in iter_source(self._sources[path]):
                    size += file.write(piece)
        except DamagedFileError as error:
            with suppress(OSError):
                os.unlink(place)
            raise _unreadable(error) from error
        self._restored[path] = (place, size)
        self._make_room(path)
        return place

    def _make_room(self, newest: str) -> None:
        total = sum(size for _, size in self._restored.values())
        for path in tuple(self._restored):
            if total <= RESTORED_BYTES or path == newest:
                return
            place, size = self._restored.pop(path)
            with suppress(OSError):
                os.unlink(place)
            total -= size


class Choice:
    """Which of two copies of one source is read.

    Attributes:
        is_kept: Whether the kept one.
        differs: Whether the shorter one is no beginning of the longer one.
    """

    __slots__ = ("differs", "is_kept")

    def __init__(self, *, is_kept: bool, differs: bool) -> None:
        self.is_kept = is_kept
        self.differs = differs


def choose_copy(live: str, source: KeptSource) -> Choice:
    """The longer copy; of equal ones the live one. Their ends are compared.

    Raises:
        DamagedFileError: The kept bytes can not be read.
        OSError: The live ones can not.
    """
    with open(live, "rb") as file:
        live_size, kept_size = os.fstat(file.fileno()).st_size, size_of(source)
        shorter = min(live_size, kept_size)
        start = max(0, shorter - COMPARED_BYTES)
        file.seek(start)
        same = file.read(shorter - start) == read_range(source, start, shorter - start)
    if live_size == kept_size and same:
        return Choice(is_kept=False, differs=False)
    return Choice(is_kept=kept_size > live_size, differs=not same)


def _original(projects_root: str, source: KeptSource) -> str:
    return os.path.join(projects_root, *source.header.src.split("/"))


def _transcript(path: str, source: KeptSource, sources: Mapping[str, KeptSource]) -> TranscriptFile:
    agent = source.header.stream or ""
    is_subagent = agent != MAIN_STREAM
    project = source.header.src.partition("/")[0]
    if not is_subagent:
        folder = path.removesuffix(".jsonl")
        return TranscriptFile(
            path=path,
            session_id=source.session,
            is_subagent=False,
            parent_session_id=source.session,
            project=project,
            folder=folder,
            elicitations=_beside(folder, "elicitations.jsonl", FILE, sources),
            title_file=_beside(folder, "custom-title.json", TITLE, sources),
        )
    above, found, _ = path.partition(f"{os.sep}subagents{os.sep}")
    return TranscriptFile(
        path=path,
        session_id=agent,
        is_subagent=True,
        parent_session_id=source.session,
        project=project,
        folder=above if found else os.path.join(os.path.dirname(path), source.session),
    )


def _beside(folder: str, name: str, kind: str, sources: Mapping[str, KeptSource]) -> str | None:
    path = os.path.join(folder, name)
    source = sources.get(path)
    return path if source is not None and source.header.kind == kind else None


def _unreadable(error: DamagedFileError) -> OSError:
    return OSError(_ERRNO, f"kept bytes are damaged: {error.problem}", str(error.path))
