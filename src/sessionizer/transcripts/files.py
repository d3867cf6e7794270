"""The transcripts below a projects directory, and whose they are.

Kept free of msgspec and typing: every start comes through here.
"""

# A path object per file doubles the time of a walk, and pathlib lengthens the start.
# ruff: noqa: PTH118, PTH120

import os
from collections.abc import Iterable

from sessionizer.base.plain import Plain
from sessionizer.claude_code.found import Discovery, FoundFile, FoundSession
from sessionizer.claude_code.markers import is_internal_agent


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


class Catalogue(Plain):
    """Every transcript that can be meant, by path, and the sidecars of their agents.

    Attributes:
        files: By path.
        sidecars: Session id to the sidecars of its agents.
        remarks: What could not be placed or read, one line each.
    """

    __slots__ = ("files", "remarks", "sidecars")
    files: tuple[TranscriptFile, ...]
    sidecars: dict[str, tuple[AgentSidecar, ...]]
    remarks: tuple[str, ...]

    def __init__(
        self,
        files: tuple[TranscriptFile, ...],
        sidecars: dict[str, tuple[AgentSidecar, ...]],
        remarks: tuple[str, ...] = (),
    ) -> None:
        self._set(files=files, sidecars=sidecars, remarks=remarks)


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
    remarks = [
        *(f"{thing.relative}: {thing.reason}" for thing in found.unplaced),
        *(f"{thing.path}: {thing.reason}" for thing in found.unreadable),
    ]
    return Catalogue(tuple(files), sidecars, tuple(remarks))


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
