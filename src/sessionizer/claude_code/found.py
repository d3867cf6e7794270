"""What a walk over a Claude home finds. Values only.

Kept free of msgspec and typing: every command starts with a walk.
"""

from sessionizer.base.plain import Plain


class FoundFile(Plain):
    """One file of a session.

    Attributes:
        kind: `main`, `child`, `child_meta`, `journal`, `manifest`, `script`,
            `session_title`, `tool_result`, `elicitations`, `file_history`, `todo`, `task`.
        session: The session it belongs to.
        relative: Path below the projects directory, with `/`; files that lie in the home
            beside that directory begin with `../`.
        path: Where it was found.
        project: Name of its project directory; empty for files beside that directory.
        agent: Of a child's files: the agent's id.
        batch: Of a workflow's files: the run's id.
        layout: Where a child's file lies: `subagents`, `workflow`, or `beside` its session;
            empty for all other files.
    """

    __slots__ = ("agent", "batch", "kind", "layout", "path", "project", "relative", "session")
    kind: str
    session: str
    relative: str
    path: str
    project: str
    agent: str | None
    batch: str | None
    layout: str

    def __init__(
        self,
        *,
        kind: str,
        session: str,
        relative: str,
        path: str,
        project: str = "",
        agent: str | None = None,
        batch: str | None = None,
        layout: str = "",
    ) -> None:
        # One by one: there are thousands of these, and a call of `_set` costs four times as much.
        put = object.__setattr__
        put(self, "kind", kind)
        put(self, "session", session)
        put(self, "relative", relative)
        put(self, "path", path)
        put(self, "project", project)
        put(self, "agent", agent)
        put(self, "batch", batch)
        put(self, "layout", layout)


class Unplaced(Plain):
    """Something that looks like a source but belongs to no session, and why."""

    __slots__ = ("reason", "relative")
    relative: str
    reason: str

    def __init__(self, relative: str, reason: str) -> None:
        self._set(relative=relative, reason=reason)


class Unreadable(Plain):
    """A directory or link that could not be looked into, and why."""

    __slots__ = ("path", "reason")
    path: str
    reason: str

    def __init__(self, path: str, reason: str) -> None:
        self._set(path=path, reason=reason)


class FoundSession(Plain):
    """The files of one session, by relative path.

    Attributes:
        session: Its id, byte for byte.
        primary: The project directory with its main transcript; None when that is gone.
        projects: Every project directory that holds a file of it, by name.
        files: Never empty.
    """

    __slots__ = ("files", "primary", "projects", "session")
    session: str
    primary: str | None
    projects: tuple[str, ...]
    files: tuple[FoundFile, ...]

    def __init__(
        self,
        *,
        session: str,
        primary: str | None,
        projects: tuple[str, ...],
        files: tuple[FoundFile, ...],
    ) -> None:
        self._set(session=session, primary=primary, projects=projects, files=files)


class Discovery(Plain):
    """What one walk found. Sessions by id; the rest by path."""

    __slots__ = ("projects_root", "sessions", "unplaced", "unreadable")
    projects_root: str
    sessions: tuple[FoundSession, ...]
    unplaced: tuple[Unplaced, ...]
    unreadable: tuple[Unreadable, ...]

    def __init__(
        self,
        *,
        projects_root: str,
        sessions: tuple[FoundSession, ...],
        unplaced: tuple[Unplaced, ...],
        unreadable: tuple[Unreadable, ...],
    ) -> None:
        self._set(
            projects_root=projects_root,
            sessions=sessions,
            unplaced=unplaced,
            unreadable=unreadable,
        )
