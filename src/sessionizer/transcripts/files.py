"""The transcripts below a projects directory, and whose they are.

Kept free of msgspec and typing: every start comes through here.
"""

# A path object per file doubles the time of a walk, and pathlib lengthens the start.
# ruff: noqa: PTH113, PTH114, PTH118, PTH120

import os
from collections.abc import Iterable

from sessionizer.base.plain import Plain
from sessionizer.claude_code.found import Discovery, FoundFile, FoundSession
from sessionizer.claude_code.markers import is_internal_agent

_NO_TRANSCRIPTS = (".json", ".js")


class TranscriptFile(Plain):
    """One transcript and the ids of every row made from it.

    Attributes:
        path: The file.
        session_id: Its own id: the session's, or the agent's without `agent-`.
        is_subagent: Whether it is an agent's.
        parent_session_id: The session it belongs to; its own id when it is top-level. Empty
            when a child's file names none.
        project: Name of its project directory; empty outside the projects directory.
        folder: `<project>/<session>/`, where further files of the session lie.
        elicitations: The session's file of waiting questions; None when it has none.
        title_file: The session's `custom-title.json`; None when it has none.
        lane: Read only this lane of the file, by its id; None for all of it.
    """

    __slots__ = (
        "elicitations",
        "folder",
        "is_subagent",
        "lane",
        "parent_session_id",
        "path",
        "project",
        "session_id",
        "title_file",
    )
    path: str
    session_id: str
    is_subagent: bool
    parent_session_id: str
    project: str
    folder: str
    elicitations: str | None
    title_file: str | None
    lane: str | None

    def __init__(
        self,
        *,
        path: str,
        session_id: str,
        is_subagent: bool,
        parent_session_id: str,
        project: str = "",
        folder: str = "",
        elicitations: str | None = None,
        title_file: str | None = None,
        lane: str | None = None,
    ) -> None:
        self._set(
            path=path,
            session_id=session_id,
            is_subagent=is_subagent,
            parent_session_id=parent_session_id,
            project=project,
            folder=folder,
            elicitations=elicitations,
            title_file=title_file,
            lane=lane,
        )

    @property
    def is_internal(self) -> bool:
        """Whether the runtime started this agent for itself."""
        return self.is_subagent and is_internal_agent(self.session_id)

    def narrowed(self, lane: str) -> "TranscriptFile":
        """The same file, of which only one lane is read."""
        fields = {name: getattr(self, name) for name in self.__slots__}
        return TranscriptFile(**{**fields, "lane": lane})


class AgentSidecar(Plain):
    """Where an agent's `.meta.json` lies, and whose agent it is."""

    __slots__ = ("agent_id", "path")
    agent_id: str
    path: str

    def __init__(self, agent_id: str, path: str) -> None:
        self._set(agent_id=agent_id, path=path)


class Unread(Plain):
    """What may hold a transcript and could not be read.

    Attributes:
        path: A file or a directory.
        reason: Why, in a few words.
        is_failure: Whether the system refused it, or it is no file. Else it is a file or a link
            that is not followed, and belongs to no session.
    """

    __slots__ = ("is_failure", "path", "reason")
    path: str
    reason: str
    is_failure: bool

    def __init__(self, path: str, reason: str, *, is_failure: bool) -> None:
        self._set(path=path, reason=reason, is_failure=is_failure)


class Catalogue(Plain):
    """Every transcript that can be meant, by path, and the sidecars of their agents.

    Attributes:
        files: By path.
        sidecars: Session id to the sidecars of its agents.
        unread: What the walk could not place or read.
    """

    __slots__ = ("files", "sidecars", "unread")
    files: tuple[TranscriptFile, ...]
    sidecars: dict[str, tuple[AgentSidecar, ...]]
    unread: tuple[Unread, ...]

    def __init__(
        self,
        files: tuple[TranscriptFile, ...],
        sidecars: dict[str, tuple[AgentSidecar, ...]],
        unread: tuple[Unread, ...] = (),
    ) -> None:
        self._set(files=files, sidecars=sidecars, unread=unread)


def list_transcripts(found: Discovery) -> Catalogue:
    """The transcripts of a walk, in order of their paths."""
    files: list[TranscriptFile] = []
    sidecars: dict[str, tuple[AgentSidecar, ...]] = {}
    for session in found.sessions:
        files.extend(_session_files(session))
        agents = tuple(
            AgentSidecar(file.agent, file.path)
            for file in session.files
            if file.kind == "child_meta" and file.agent
        )
        if agents:
            sidecars[session.session] = agents
    files.sort(key=lambda file: os.fsencode(file.path))
    return Catalogue(tuple(files), sidecars, _list_unread(found))


def _list_unread(found: Discovery) -> tuple[Unread, ...]:
    """By path; the walk may come by a thing twice."""
    unread = {
        thing.path: Unread(thing.path, thing.reason, is_failure=True) for thing in found.unreadable
    }
    for one in found.unplaced:
        # A link around the root leads to what is found without it; sidecars hold no records.
        if "/" not in one.relative or one.relative.endswith(_NO_TRANSCRIPTS):
            continue
        path = os.path.join(found.projects_root, one.relative)
        belongs_nowhere = os.path.islink(path) or os.path.isfile(path)
        unread.setdefault(path, Unread(path, one.reason, is_failure=not belongs_nowhere))
    return tuple(unread[path] for path in sorted(unread, key=os.fsencode))


def _session_files(session: FoundSession) -> Iterable[TranscriptFile]:
    by_folder = {
        (file.kind, os.path.dirname(file.path)): file.path
        for file in session.files
        if file.kind in ("elicitations", "session_title")
    }
    for file in session.files:
        if file.kind == "main":
            folder = file.path.removesuffix(".jsonl")
            yield TranscriptFile(
                path=file.path,
                session_id=session.session,
                is_subagent=False,
                parent_session_id=session.session,
                project=file.project,
                folder=folder,
                elicitations=by_folder.get(("elicitations", folder)),
                title_file=by_folder.get(("session_title", folder)),
            )
        elif file.kind == "child" and file.agent:
            yield _agent_file(file, session.session)


def _agent_file(file: FoundFile, session: str) -> TranscriptFile:
    above, found, _ = file.path.partition(f"{os.sep}subagents{os.sep}")
    beside = os.path.join(os.path.dirname(file.path), session)
    return TranscriptFile(
        path=file.path,
        session_id=file.agent or "",
        is_subagent=True,
        parent_session_id=session,
        project=file.project,
        folder=above if found else beside,
    )
