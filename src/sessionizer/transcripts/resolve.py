"""Targets and span to an ordered list of transcripts: the one door of all commands.

Kept free of msgspec and typing; what must decode records is imported when it is needed.
"""

# ruff: noqa: PTH208, PTH100, PTH110, PTH112, PTH113, PTH118, PTH119, PTH120

import os
from collections.abc import Callable, Iterable, Mapping, Sequence

from sessionizer.claude_code.directory_names import (
    encode_directory,
    normalise_windows,
    truncated_prefix,
)
from sessionizer.claude_code.discovery import discover
from sessionizer.transcripts import targets
from sessionizer.transcripts.calling import read_calling_session
from sessionizer.transcripts.errors import ACCEPTED_FORMS, AmbiguousTargetError, TargetError
from sessionizer.transcripts.files import Catalogue, TranscriptFile, Unread, list_transcripts
from sessionizer.transcripts.guard import WorkingDirectory, is_foreign, read_first_cwd
from sessionizer.transcripts.outside import read_outside
from sessionizer.transcripts.scope import Scope
from sessionizer.transcripts.targets import Token, parse_token

_MAIN_NOTE = (
    "@main is the TOP-LEVEL session; a subagent's environment carries its parent's id. "
    "@trap:<marker> identifies a subagent"
)
_TRAP_IS_MAIN_NOTE = (
    "the marker stands in the top-level transcript: the caller is the session itself, and "
    "@main is simpler"
)


def resolve_scope(
    tokens: Sequence[Token],
    *,
    home: str,
    environ: Mapping[str, str],
    subagents: bool,
    nothing_is_everything: bool = True,
    on_unread: Callable[[Unread], None] = lambda _: None,
) -> Scope:
    """The transcripts that `tokens` name.

    Args:
        tokens: In the order typed. A project token beside tokens that are looked up by id
            says where to look; it adds nothing of its own.
        home: The Claude home.
        environ: Where the calling session's id stands.
        subagents: Whether agents' transcripts are read with their sessions.
        nothing_is_everything: Whether no token means all projects; else it means nothing.
        on_unread: Told of everything the walk could not read, also when a target names nothing.

    Raises:
        TargetError: A token that names nothing.
        AmbiguousTargetError: A token that names several things.
        CallingSessionError: `@main` or `@trap:` without a calling session.
        MarkerError: `@trap:` found in no transcript.
        MissingProjectsError: There is no projects directory.
    """
    root = os.path.join(home, "projects")
    resolver = _Resolver(root, environ, subagents=subagents, on_unread=on_unread)
    if not tokens:
        files = resolver.spanned(resolver.catalogue.files) if nothing_is_everything else ()
        return resolver.scope(files, is_pinned=False)
    return resolver.resolve(tokens)


def parse_targets(texts: Iterable[str]) -> tuple[Token, ...]:
    """Read targets by their form. Raises as `targets.parse_token`."""
    return tuple(map(parse_token, texts))


class _Resolver:
    """One resolution: the walk, and what it said about itself."""

    def __init__(
        self,
        root: str,
        environ: Mapping[str, str],
        *,
        subagents: bool,
        on_unread: Callable[[Unread], None],
    ) -> None:
        self.root = root
        self.environ = environ
        self.subagents = subagents
        self.on_unread = on_unread
        self.notes: list[str] = []
        self._catalogue: Catalogue | None = None

    @property
    def catalogue(self) -> Catalogue:
        if self._catalogue is None:
            self._catalogue = list_transcripts(discover(self.root, with_kept_files=False))
            for thing in self._catalogue.unread:
                self.on_unread(thing)
        return self._catalogue

    def scope(self, files: Iterable[TranscriptFile], *, is_pinned: bool) -> Scope:
        unique = {(file.path, file.lane): file for file in files}
        whole = {path for path, lane in unique if lane is None}
        kept = [file for file in unique.values() if file.lane is None or file.path not in whole]
        kept.sort(key=lambda file: (os.fsencode(file.path), file.lane or ""))
        catalogue = self._catalogue or Catalogue((), {})
        return Scope(tuple(kept), catalogue, is_pinned=is_pinned, notes=tuple(self.notes))

    def resolve(self, tokens: Sequence[Token]) -> Scope:
        """Files and ids add up; directories beside ids only say where to look."""
        projects = [token for token in tokens if self.is_project(token)]
        files = [token for token in tokens if token.kind == targets.FILE]
        ids = [token for token in tokens if token not in projects and token not in files]
        pool = self.in_projects(projects) if projects else ()
        chosen = [file for token in files for file in self.by_path(token)]
        if ids:
            where = pool if projects else self.catalogue.files
            chosen += [file for token in ids for file in self.by_id(token, where)]
        else:
            chosen += self.spanned(pool)
        return self.scope(chosen, is_pinned=bool(files or ids))

    def spanned(self, files: Iterable[TranscriptFile]) -> tuple[TranscriptFile, ...]:
        """What the span admits of whole sessions and directories."""
        return tuple(file for file in files if self.subagents or not file.is_subagent)

    # Directories.

    def is_project(self, token: Token) -> bool:
        if token.kind != targets.NAME:
            return token.is_project
        return targets.is_encoded(token.value) and self.has_directory(token.value)

    def has_directory(self, name: str) -> bool:
        return os.path.isdir(os.path.join(self.root, name))

    def in_projects(self, tokens: Sequence[Token]) -> tuple[TranscriptFile, ...]:
        chosen: dict[str, TranscriptFile] = {}
        for token in tokens:
            directory, working = self.find_directory(token)
            for file in self.of_directory(directory, working):
                chosen[file.path] = file
        return tuple(chosen.values())

    def of_directory(
        self, directory: str, working: WorkingDirectory | None
    ) -> tuple[TranscriptFile, ...]:
        """The sessions of a project directory with their agents, wherever those are filed.

        Args:
            directory: Its name.
            working: The real path the user gave. Several paths have one encoded name, so
                sessions that ran in another one are left out.
        """
        mains = [
            file
            for file in self.catalogue.files
            if file.project == directory and not file.is_subagent
        ]
        foreign = {
            file.session_id
            for file in mains
            if working is not None and is_foreign(file.path, working)
        }
        own = {file.session_id for file in mains} - foreign
        return tuple(
            file
            for file in self.catalogue.files
            if (file.project == directory or file.is_subagent)
            and (file.parent_session_id in own or (file.is_subagent and file.project == directory))
            and file.parent_session_id not in foreign
        )

    def find_directory(self, token: Token) -> tuple[str, WorkingDirectory | None]:
        """The project directory of a token, and the path it stands for, if a path was given."""
        if token.kind in (targets.DIRECTORY, targets.NAME):
            if not self.has_directory(token.value):
                raise TargetError(
                    token.text, f"no project directory {token.value} below {self.root}"
                )
            return token.value, None
        if token.kind == targets.DRIVE and self.has_directory(token.value):
            return token.value, None
        if token.kind == targets.WINDOWS:
            path = normalise_windows(token.value)
            return self.find_encoded(token, [path]), WorkingDirectory((path,), windows=True)
        return self.find_path(token)

    def find_path(self, token: Token) -> tuple[str, WorkingDirectory | None]:
        lexical = os.path.abspath(token.value)
        if not os.path.exists(lexical) and targets.is_id_shaped(token.value):
            raise TargetError(
                token.text,
                f"no path {token.value} exists; an id is written with @: @{token.value}",
            )
        if os.path.dirname(lexical) == os.path.abspath(self.root):
            name = os.path.basename(lexical)
            if self.has_directory(name):
                return name, None
        spellings = list(dict.fromkeys((os.path.realpath(lexical), lexical)))
        working = WorkingDirectory(tuple(spellings), windows=False)
        return self.find_encoded(token, spellings), working

    def find_encoded(self, token: Token, paths: Sequence[str]) -> str:
        for path in paths:
            encoded = encode_directory(path)
            if self.has_directory(encoded):
                return encoded
            found = self.find_truncated(encoded, path)
            if found:
                return found
        raise TargetError(
            token.text,
            f"no sessions for {paths[0]}: there is no directory {encode_directory(paths[0])} "
            f"below {self.root}",
        )

    def find_truncated(self, encoded: str, path: str) -> str | None:
        """A directory whose name was too long: its end is a hash that only the writer knows."""
        beginning = truncated_prefix(encoded)
        if beginning is None:
            return None
        try:
            names = sorted(name for name in os.listdir(self.root) if name.startswith(beginning))
        except OSError:
            return None
        if len(names) < 2:
            return names[0] if names else None
        for name in names:
            first = next((file for file in self.catalogue.files if file.project == name), None)
            if first is not None and read_first_cwd(first.path) == path:
                return name
        return names[0]

    # One transcript by its path.

    def by_path(self, token: Token) -> tuple[TranscriptFile, ...]:
        path = os.path.abspath(token.value)
        if not os.path.isfile(path):
            raise TargetError(token.text, f"no file {path}")
        inside = path.startswith(os.path.abspath(self.root) + os.sep)
        if inside:
            for file in self.catalogue.files:
                if os.path.abspath(file.path) == path:
                    return self.with_family(file, self.catalogue.files)
        found, catalogue = read_outside(path)
        if not inside and self._catalogue is None:
            self._catalogue = catalogue
        return self.with_family(found, catalogue.files, catalogue)

    # Ids.

    def by_id(self, token: Token, pool: Sequence[TranscriptFile]) -> tuple[TranscriptFile, ...]:
        if token.kind == targets.MAIN:
            self.notes.append(_MAIN_NOTE)
            return self.by_session(token, read_calling_session(self.environ), pool)
        if token.kind == targets.SESSION:
            return self.by_session(token, token.value, pool)
        if token.kind == targets.TRAP:
            return self.by_marker(token)
        return self.by_name(token, pool)

    def by_session(
        self, token: Token, session: str, pool: Sequence[TranscriptFile]
    ) -> tuple[TranscriptFile, ...]:
        found = self.spanned(file for file in pool if file.parent_session_id == session)
        if not found:
            raise TargetError(
                token.text, f"{token.text}: no transcript of session {session} below {self.root}"
            )
        return found

    def by_name(self, token: Token, pool: Sequence[TranscriptFile]) -> tuple[TranscriptFile, ...]:
        """An existing agent; else the beginning of an id; else a lane inside a file."""
        name = token.value
        agents = [file for file in pool if file.is_subagent]
        exact = [file for file in agents if file.session_id == name]
        if exact:
            return self.with_family(_only(token, exact), pool)
        beginning = name.lower()
        if targets.is_prefix(name) or targets.is_agent_shaped(name):
            domain = pool if targets.is_prefix(name) else agents
            found = [file for file in domain if file.session_id.lower().startswith(beginning)]
            ids = sorted({file.session_id for file in found})
            if len(ids) > 1:
                raise AmbiguousTargetError(token.text, "ids", ids)
            if found and not found[0].is_subagent:
                return self.by_session(token, ids[0], pool)
            if found:
                return self.with_family(_only(token, found), pool)
        lane = self.by_lane(name, pool)
        if lane:
            return lane
        if targets.is_encoded(name):
            raise TargetError(token.text, f"no project directory {name} below {self.root}")
        raise TargetError(
            token.text,
            f"{token.text}: no session or agent of that id below {self.root}",
            hint=ACCEPTED_FORMS,
        )

    def by_lane(self, name: str, pool: Sequence[TranscriptFile]) -> tuple[TranscriptFile, ...]:
        """The file that holds an agent without a file of its own, narrowed to that agent."""
        from sessionizer.transcripts.lane_search import find_lane

        for file in pool:
            if not file.is_subagent and find_lane(file, name, self.catalogue):
                return (file.narrowed(name),)
        return ()

    def by_marker(self, token: Token) -> tuple[TranscriptFile, ...]:
        from sessionizer.transcripts.trap import find_marker

        session = read_calling_session(self.environ)
        family = [file for file in self.catalogue.files if file.parent_session_id == session]
        found = find_marker(token.value, family)
        if not found.is_subagent:
            self.notes.append(_TRAP_IS_MAIN_NOTE)
            return self.by_session(token, session, self.catalogue.files)
        return self.with_family(found, self.catalogue.files)

    def with_family(
        self,
        file: TranscriptFile,
        pool: Sequence[TranscriptFile],
        catalogue: Catalogue | None = None,
    ) -> tuple[TranscriptFile, ...]:
        """A transcript and, as far as the span admits, what was started from it."""
        if not self.subagents:
            return (file,)
        family = [
            other
            for other in pool
            if other.is_subagent
            and other.parent_session_id == file.parent_session_id
            and other.path != file.path
        ]
        if not file.is_subagent:
            return (file, *family)
        if not family:
            return (file,)
        from sessionizer.transcripts.descent import find_descendants

        return (file, *find_descendants(file, family, catalogue or self.catalogue))


def _only(token: Token, found: Sequence[TranscriptFile]) -> TranscriptFile:
    """The one transcript of an agent's id; the id may stand in several sessions."""
    parents = sorted({file.parent_session_id for file in found})
    if len(parents) > 1:
        raise AmbiguousTargetError(token.text, "sessions with such an agent", parents)
    return found[0]
