"""Find what Claude Code left on disk, session by session.

A session's files may lie under several project directories: a child that ran elsewhere is
filed under the directory it ran in. So files are grouped by session id over all of them.

Kept free of msgspec and typing, and of a `stat` per file: every command starts here.

Source: docs/formats/transcript.md, "Files".
"""

# A path object per file doubles the time of a walk, and pathlib lengthens the start.
# ruff: noqa: PTH100, PTH118, PTH119, PTH120, PTH123

import os
import re
from collections.abc import Iterable

from sessionizer.base.errors import SessionizerError
from sessionizer.claude_code.found import Discovery, FoundFile, FoundSession, Unplaced, Unreadable
from sessionizer.claude_code.ids import (
    AGENT_ID,
    SESSION_ID,
    is_agent_id,
    is_batch_id,
    is_notified_agent_id,
    is_session_id,
)

__all__ = [
    "AGENT_ID",
    "SESSION_ID",
    "Discovery",
    "FoundFile",
    "FoundSession",
    "MissingProjectsError",
    "Unplaced",
    "Unreadable",
    "discover",
    "find_plans",
    "is_agent_id",
    "is_notified_agent_id",
    "is_session_id",
    "list_plans",
]

HEAD_BYTES = 64 * 1024  # where a child beside its session must name it
DEEPEST_SUBAGENTS = 3  # levels below `subagents` at which a directory of that name counts

_TRANSCRIPT = ".jsonl"
_SIDECAR = ".meta.json"
_AGENT = "agent-"
_SESSION_ID_LENGTH = 36
_SHORT_ID_LENGTH = 8
_NAMED_SESSION = re.compile(rb'"sessionId"\s*:\s*"([^"\\]*)"')

Entry = os.DirEntry[str]


class MissingProjectsError(SessionizerError):
    """The projects directory does not exist or cannot be listed.

    Attributes:
        path: The directory that was to be read.
    """

    def __init__(self, path: str, reason: str) -> None:
        super().__init__(
            f"cannot read the projects directory {path}: {reason}",
            hint="name the directory that holds `projects` with --claude-home DIR",
        )
        self.path = path


def discover(projects_root: str, *, with_kept_files: bool = True) -> Discovery:
    """Walk `projects_root` and group what it holds by session.

    Files beside the projects directory are looked for only when it is named `projects`,
    and only for sessions found below it.

    Args:
        projects_root: The projects directory; it may be a link.
        with_kept_files: Also list tool results, file history, todos and tasks, which no
            search reads.

    Raises:
        MissingProjectsError: The directory does not exist or cannot be listed.
    """
    walk = _Walk(projects_root, with_kept_files=with_kept_files)
    walk.visit_projects()
    if with_kept_files:
        walk.visit_home()
    return Discovery(
        projects_root=projects_root,
        sessions=_group_sessions(_drop_repeats(walk.files) if walk.followed_link else walk.files),
        unplaced=tuple(sorted(walk.unplaced, key=lambda thing: os.fsencode(thing.relative))),
        unreadable=tuple(sorted(walk.unreadable, key=lambda thing: os.fsencode(thing.path))),
    )


def find_plans(home: str, slugs: Iterable[str]) -> tuple[str, ...]:
    """Paths of the plans written under one of `slugs`: `<slug>.md`, `<slug>-agent-*.md`.

    A slug stands on the records of a session. An unreadable directory holds no plans.
    """
    wanted = tuple({slug for slug in slugs if slug})
    return tuple(
        path for name, path in list_plans(home) if any(_is_plan_of(name, slug) for slug in wanted)
    )


def list_plans(home: str) -> list[tuple[str, str]]:
    """Name and path of every file among the plans, by name."""
    walk = _Walk(os.path.join(home, "projects"), with_kept_files=True)
    return sorted(walk.list_files(os.path.join(home, "plans"), "../plans"))


def _is_plan_of(name: str, slug: str) -> bool:
    return name == f"{slug}.md" or (name.startswith(f"{slug}-agent-") and name.endswith(".md"))


def _group_sessions(files: list[FoundFile]) -> tuple[FoundSession, ...]:
    groups: dict[str, list[FoundFile]] = {}
    for file in _sort_by_relative(files):
        groups.setdefault(file.session, []).append(file)
    return tuple(
        FoundSession(
            session=session,
            primary=next((file.project for file in group if file.kind == "main"), None),
            projects=tuple(sorted({file.project for file in group if file.project})),
            files=tuple(group),
        )
        for session, group in sorted(groups.items())
        if any(file.kind != "elicitations" for file in group)
    )


def _drop_repeats(files: list[FoundFile]) -> list[FoundFile]:
    """Of several ways to one real file keep the one without a link, else the first."""
    kept: dict[tuple[str, str], FoundFile] = {}
    for file in _sort_by_relative(files):
        real = os.path.realpath(file.path)
        # Tasks of a shortened id are listed under every session it may mean.
        place = (real, file.session if file.kind == "task" else "")
        if place not in kept or real == os.path.abspath(file.path):
            kept[place] = file
    return list(kept.values())


def _sort_by_relative(files: list[FoundFile]) -> list[FoundFile]:
    """Files by the bytes of their relative paths."""
    if all(file.relative.isascii() for file in files):  # then text sorts as its bytes do
        return sorted(files, key=lambda file: file.relative)
    return sorted(files, key=lambda file: os.fsencode(file.relative))


def _contains(directory: str, path: str) -> bool:
    return path == directory or path.startswith(directory.rstrip(os.sep) + os.sep)


def _explain(error: OSError) -> str:
    return error.strerror or type(error).__name__


def _is_agent_file(name: str) -> bool:
    return name.startswith(_AGENT) and name.endswith((_TRANSCRIPT, _SIDECAR))


def _batch_of_script(name: str) -> str | None:
    """`a-wf_b-wf_c1-9.js` gives `wf_c1-9`: what follows the last dash before `wf_`."""
    stem, _, extension = name.rpartition(".")
    _, dash, rest = stem.rpartition("-wf_")
    batch = f"wf_{rest}"
    return batch if extension == "js" and dash and is_batch_id(batch) else None


class _Walk:
    """One walk: what it found, and what it could not place or read."""

    def __init__(self, projects_root: str, *, with_kept_files: bool) -> None:
        absolute = os.path.abspath(projects_root)
        self.root = projects_root
        self.real_root = os.path.realpath(absolute)
        self.home = os.path.dirname(absolute)
        self.real_home = os.path.realpath(self.home)
        self.has_home = os.path.basename(absolute) == "projects"
        self.with_kept_files = with_kept_files
        self.followed_link = False
        self.files: list[FoundFile] = []
        self.unplaced: list[Unplaced] = []
        self.unreadable: list[Unreadable] = []

    # Looking at one directory or one entry.

    def list_entries(self, path: str) -> list[Entry]:
        """The entries of a directory; none when it is missing. A failure is recorded."""
        try:
            with os.scandir(path) as entries:
                return list(entries)
        except FileNotFoundError:
            return []
        except OSError as error:
            self.unreadable.append(Unreadable(path, _explain(error)))
            return []

    def read_type(self, entry: Entry, relative: str) -> str:
        """`file`, `directory` or `other`; empty where a link was not followed, which is said."""
        try:
            if entry.is_symlink() and not self.follow(entry, relative):
                return ""
            if entry.is_file():
                return "file"
            return "directory" if entry.is_dir() else "other"
        except OSError as error:
            self.unreadable.append(Unreadable(entry.path, _explain(error)))
            return ""

    def follow(self, link: Entry, relative: str) -> bool:
        try:
            link.stat()
        except OSError as error:
            self.unreadable.append(Unreadable(link.path, f"broken link: {_explain(error)}"))
            return False
        real = os.path.realpath(link.path)
        if not (_contains(self.real_root, real) or _contains(self.real_home, real)):
            self.unplaced.append(Unplaced(relative, "a link that leads out of the home"))
            return False
        self.followed_link = True
        return True

    def list_files(self, path: str, relative: str) -> list[tuple[str, str]]:
        """Name and path of every regular file directly in a directory."""
        return [
            (entry.name, entry.path)
            for entry in self.list_entries(path)
            if self.read_type(entry, f"{relative}/{entry.name}") == "file"
        ]

    def add(self, entry: Entry, relative: str, kind: str, session: str, **place: str) -> None:
        """Record a source, if it is a regular file; say so if it is not."""
        found = self.read_type(entry, relative)
        if found == "file":
            project = relative.partition("/")[0]
            self.files.append(
                FoundFile(
                    kind=kind,
                    session=session,
                    relative=relative,
                    path=entry.path,
                    project="" if project == ".." else project,
                    **place,
                )
            )
        elif found:
            noun = "a directory" if found == "directory" else "neither a file nor a directory"
            self.unplaced.append(Unplaced(relative, f"{noun} where a file is expected"))

    def add_agent(
        self, entry: Entry, relative: str, session: str, layout: str, **place: str
    ) -> None:
        extension = _SIDECAR if entry.name.endswith(_SIDECAR) else _TRANSCRIPT
        agent = entry.name[len(_AGENT) : -len(extension)]
        if is_agent_id(agent):
            kind = "child_meta" if extension == _SIDECAR else "child"
            self.add(entry, relative, kind, session, agent=agent, layout=layout, **place)
        else:
            self.unplaced.append(Unplaced(relative, "its name holds no agent id"))

    # Going down, from the projects directory to a workflow's run.

    def visit_projects(self) -> None:
        try:
            with os.scandir(self.root) as listing:
                entries = list(listing)
        except OSError as error:
            raise MissingProjectsError(self.root, _explain(error)) from error
        links = []
        for entry in entries:
            if entry.is_symlink():
                links.append(entry)
            elif entry.is_dir():
                self.visit_project(entry.path, entry.name)
        self.visit_linked_projects(links)

    def visit_linked_projects(self, links: list[Entry]) -> None:
        """Follow links directly below the root: a person's own arrangement, wherever they lead.

        A link to a directory around the root would loop; a second way to one directory
        would find everything in it twice.
        """
        taken = set()
        for entry in sorted(links, key=lambda entry: os.fsencode(entry.name)):
            try:
                entry.stat()
            except OSError as error:
                self.unreadable.append(Unreadable(entry.path, f"broken link: {_explain(error)}"))
                continue
            real = os.path.realpath(entry.path)
            if not entry.is_dir() or real in taken:
                continue
            taken.add(real)
            if _contains(real, self.real_root):
                self.unplaced.append(Unplaced(entry.name, "a link to a directory around it"))
            elif os.path.dirname(real) != self.real_root:  # else found without the link
                self.followed_link = True
                self.visit_project(entry.path, entry.name)

    def visit_project(self, path: str, project: str) -> None:
        for entry in self.list_entries(path):
            name = entry.name
            relative = f"{project}/{name}"
            if name.endswith(_TRANSCRIPT) and is_session_id(name[: -len(_TRANSCRIPT)]):
                self.add(entry, relative, "main", name[: -len(_TRANSCRIPT)])
            elif is_session_id(name):
                if self.read_type(entry, relative) == "directory":
                    self.visit_session(entry.path, relative, name)
            elif _is_agent_file(name):
                self.visit_agent_beside(entry, relative)

    def visit_agent_beside(self, entry: Entry, relative: str) -> None:
        """A child's file beside the sessions: its transcript names the one it belongs to."""
        stem = entry.path.removesuffix(_SIDECAR).removesuffix(_TRANSCRIPT)
        if self.read_type(entry, relative) != "file":
            return self.add_agent(entry, relative, "", "beside")  # which says why not
        try:
            session = _read_named_session(stem + _TRANSCRIPT)
        except OSError as error:
            self.unreadable.append(Unreadable(entry.path, _explain(error)))
            return None
        if session is None or not is_session_id(session):
            reason = "names no session" if session is None else "what it names is no session id"
            self.unplaced.append(Unplaced(relative, f"{reason} (first {HEAD_BYTES} bytes)"))
            return None
        return self.add_agent(entry, relative, session, "beside")

    def visit_session(self, path: str, relative: str, session: str) -> None:
        for entry in self.list_entries(path):
            below = f"{relative}/{entry.name}"
            if entry.name == "subagents":
                self.visit_subagents(entry.path, below, session)
            elif entry.name == "workflows":
                self.visit_workflows(entry.path, below, session)
            elif entry.name == "tool-results" and self.with_kept_files:
                self.visit_kept(entry.path, below, "tool_result", session)
            elif entry.name == "custom-title.json":
                self.add(entry, below, "session_title", session)
            elif entry.name == "elicitations.jsonl":
                self.add(entry, below, "elicitations", session)

    def visit_subagents(self, path: str, relative: str, session: str, depth: int = 0) -> None:
        for entry in self.list_entries(path):
            below = f"{relative}/{entry.name}"
            if _is_agent_file(entry.name):
                self.add_agent(entry, below, session, "subagents")
            elif entry.name == "workflows" and depth == 0:
                self.visit_batches(entry.path, below, session)
            else:
                self.visit_deeper(entry, below, session, depth + 1)

    def visit_deeper(self, entry: Entry, relative: str, session: str, depth: int) -> None:
        """Below `subagents` only further directories of that name hold children."""
        if depth > DEEPEST_SUBAGENTS or not entry.is_dir(follow_symlinks=False):
            return
        if entry.name == "subagents":
            self.visit_subagents(entry.path, relative, session, depth)
            return
        for inner in self.list_entries(entry.path):
            self.visit_deeper(inner, f"{relative}/{inner.name}", session, depth + 1)

    def visit_batches(self, path: str, relative: str, session: str) -> None:
        for directory in self.list_entries(path):
            if self.read_type(directory, f"{relative}/{directory.name}") != "directory":
                continue
            for entry in self.list_entries(directory.path):
                below = f"{relative}/{directory.name}/{entry.name}"
                if entry.name == "journal.jsonl":
                    self.add(entry, below, "journal", session, batch=directory.name)
                elif _is_agent_file(entry.name):
                    self.add_agent(entry, below, session, "workflow", batch=directory.name)

    def visit_workflows(self, path: str, relative: str, session: str) -> None:
        for entry in self.list_entries(path):
            below = f"{relative}/{entry.name}"
            batch = entry.name.removesuffix(".json")
            if batch != entry.name and is_batch_id(batch):
                self.add(entry, below, "manifest", session, batch=batch)
            elif entry.name == "scripts":
                for script in self.list_entries(entry.path):
                    named = _batch_of_script(script.name)
                    if named is not None:
                        place = f"{below}/{script.name}"
                        self.add(script, place, "script", session, batch=named)

    # Files that are kept with a session but are no part of its transcript.

    def visit_kept(self, path: str, relative: str, kind: str, session: str) -> None:
        for entry in self.list_entries(path):
            below = f"{relative}/{entry.name}"
            if self.read_type(entry, below) == "file":
                self.add(entry, below, kind, session)

    def visit_home(self) -> None:
        """Files of the sessions found so far that lie beside the projects directory."""
        if not self.has_home:
            return
        sessions = {file.session for file in self.files}
        for entry in self.list_entries(os.path.join(self.home, "file-history")):
            if entry.name in sessions:
                self.visit_kept(
                    entry.path, f"../file-history/{entry.name}", "file_history", entry.name
                )
        for entry in self.list_entries(os.path.join(self.home, "todos")):
            session = entry.name[:_SESSION_ID_LENGTH]
            if session in sessions and entry.name[len(session) :].startswith("-"):
                self.add(entry, f"../todos/{entry.name}", "todo", session)
        for entry in self.list_entries(os.path.join(self.home, "tasks")):
            for session in _name_owners(entry.name, sessions):
                self.visit_kept(entry.path, f"../tasks/{entry.name}", "task", session)


def _name_owners(directory: str, sessions: set[str]) -> list[str]:
    """The sessions whose tasks lie in a directory named after the id, or its first 8 digits."""
    if directory in sessions:
        return [directory]
    short = directory.removeprefix("session-")
    if short == directory or len(short) != _SHORT_ID_LENGTH:
        return []
    return sorted(session for session in sessions if session.startswith(short))


def _read_named_session(path: str) -> str | None:
    with open(path, "rb") as file:
        named = _NAMED_SESSION.search(file.read(HEAD_BYTES))
    return named.group(1).decode("utf-8", "replace") if named else None
