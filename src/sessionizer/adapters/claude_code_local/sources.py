"""The files of a session as sources: what each is kept as, and where it lands.

Source: docs/formats/storage.md, "What is kept".
"""

import os
from pathlib import Path
from typing import Final

from msgspec import Struct

from sessionizer.adapters.claude_code_local.matching import (
    DEFAULT_EXCLUDE,
    is_collected,
    parse_patterns,
)
from sessionizer.claude_code.discovery import Discovery, FoundFile, FoundSession, discover
from sessionizer.claude_code.markers import INTERNAL_AGENT_PREFIXES
from sessionizer.landing.names import file_key
from sessionizer.landing.record import (
    AGENT_META,
    FILE,
    HISTORY,
    JOURNAL,
    SESSION_TITLE,
    TRANSCRIPT,
    WORKFLOW_MANIFEST,
    WORKFLOW_SCRIPT,
)

DEFAULT_MAX_DELTA_BYTES: Final = 8 << 20
MAIN_STREAM: Final = "main"
INTERNAL_ROLE: Final = "internal"
HISTORY_DIRECTORY: Final = "files/history"
HISTORY_SRC: Final = "../history.jsonl"

_KINDS: Final = {
    "main": TRANSCRIPT,
    "child": TRANSCRIPT,
    "child_meta": AGENT_META,
    "journal": JOURNAL,
    "manifest": WORKFLOW_MANIFEST,
    "script": WORKFLOW_SCRIPT,
    "session_title": SESSION_TITLE,
}
_FILE_CLASSES: Final = {
    "tool_result": "tool-results",
    "file_history": "file-history",
    "todo": "todos",
    "task": "tasks",
    "elicitations": "elicitations",
}
_PLAN_CLASS: Final = "plans"


class AdapterConfig(Struct, frozen=True, kw_only=True):
    """What to collect from where.

    Attributes:
        source_root: The projects directory.
        include: Patterns of project directories; empty means all.
        exclude: Patterns of project directories that are left out.
        max_delta_bytes: How much of a growing source one delta takes; 0 or less means the
            default of 8 MiB.
    """

    source_root: Path
    include: tuple[str, ...] = ()
    exclude: tuple[str, ...] = DEFAULT_EXCLUDE
    max_delta_bytes: int = DEFAULT_MAX_DELTA_BYTES

    @property
    def window_bytes(self) -> int:
        """`max_delta_bytes`, or the default."""
        return self.max_delta_bytes if self.max_delta_bytes > 0 else DEFAULT_MAX_DELTA_BYTES

    @property
    def home(self) -> Path | None:
        """The Claude home around the projects directory, when it is one."""
        absolute = Path(os.path.abspath(self.source_root))  # noqa: PTH100 - links stay
        return absolute.parent if absolute.name == "projects" else None


class Source(Struct, frozen=True, kw_only=True):
    """One file of a session, and what it is kept as.

    Attributes:
        file: Where it is.
        src: Its path relative to the source root, as headers state it; one line of text.
        kind: A header kind.
        directory: Where it lands, below the session's directory, first generation.
        stream: On transcripts and sidecars.
        batch: On journals, manifests and scripts.
        file_class: On kept files.
        role: `internal` for an agent that the runtime starts for itself.
    """

    file: str
    src: str
    kind: str
    directory: str
    stream: str | None = None
    batch: str | None = None
    file_class: str | None = None
    role: str | None = None

    @property
    def path(self) -> Path:
        """`file` as a path."""
        return Path(self.file)


class SessionSources(Struct, frozen=True, kw_only=True):
    """A session that passed the filters, or of which only kept data is left. Files by path."""

    session: str
    directories: tuple[str, ...] = ()
    files: tuple[FoundFile, ...] = ()

    @property
    def paths(self) -> tuple[str, ...]:
        """Where its files are."""
        return tuple([file.path for file in self.files])

    @property
    def sources(self) -> tuple[Source, ...]:
        """Its files as sources; made anew, because most passes need only the paths."""
        return tuple([_source(file) for file in self.files])


class SessionListing(Struct, frozen=True, kw_only=True):
    """One session as `asz sources` shows it: how many of each."""

    session: str
    directories: int
    streams: int
    sidecars: int
    journals: int
    manifests: int


class SourcesReport(Struct, frozen=True, kw_only=True):
    """What there is to collect.

    Attributes:
        source_root: The projects directory.
        filtered: How many sessions the filters leave out.
        sessions: The others, by id.
        unplaced: (path, why) of what looks like a source and belongs to no session.
        unreadable: (path, why) of what could not be looked into.
    """

    source_root: Path
    filtered: int
    sessions: tuple[SessionListing, ...]
    unplaced: tuple[tuple[str, str], ...]
    unreadable: tuple[tuple[str, str], ...]


class Selection(Struct, frozen=True, kw_only=True):
    """What discovery found, filtered.

    Attributes:
        sessions: To be collected, by id.
        left_out: Ids of the sessions that the filters leave out.
    """

    sessions: tuple[SessionSources, ...]
    left_out: frozenset[str]


def list_sources(config: AdapterConfig) -> SourcesReport:
    """Walk the source root and list the sessions that would be collected.

    Raises:
        MissingProjectsError: The source root does not exist or can not be listed.
    """
    discovery = discover(str(config.source_root))
    selection = select_sessions(discovery, config)
    return SourcesReport(
        source_root=config.source_root,
        filtered=len(selection.left_out),
        sessions=tuple(_list_session(each) for each in selection.sessions),
        unplaced=tuple((each.relative, each.reason) for each in discovery.unplaced),
        unreadable=tuple((each.path, each.reason) for each in discovery.unreadable),
    )


def select_sessions(discovery: Discovery, config: AdapterConfig) -> Selection:
    """The sessions to collect, with their sources."""
    include, exclude = parse_patterns(config.include), parse_patterns(config.exclude)
    chosen: list[SessionSources] = []
    left_out: set[str] = set()
    for found in discovery.sessions:
        if is_collected(
            primary=found.primary, projects=found.projects, include=include, exclude=exclude
        ):
            chosen.append(_session_sources(found))
        else:
            left_out.add(found.session)
    return Selection(sessions=tuple(chosen), left_out=frozenset(left_out))


def plan_source(path: str, relative: str) -> Source:
    """The source of a plan that belongs to a session by its name."""
    return _kept_file(path, relative, _PLAN_CLASS)


def history_source(path: Path) -> Source:
    """The source of a session's lines of the shared history file."""
    return Source(file=str(path), src=HISTORY_SRC, kind=HISTORY, directory=HISTORY_DIRECTORY)


def _session_sources(found: FoundSession) -> SessionSources:
    return SessionSources(
        session=found.session, directories=tuple(found.projects), files=tuple(found.files)
    )


def _source(file: FoundFile) -> Source:
    kind = _KINDS.get(file.kind)
    if kind is None:
        return _kept_file(file.path, file.relative, _FILE_CLASSES.get(file.kind, file.kind))
    path, src = file.path, _printable(file.relative)
    if file.batch is not None and kind in {JOURNAL, WORKFLOW_MANIFEST, WORKFLOW_SCRIPT}:
        directory = f"runs/{file_key(os.fsencode(file.batch))}"
        return Source(
            file=path, src=src, kind=kind, directory=directory, batch=_printable(file.batch)
        )
    if kind == SESSION_TITLE:
        return Source(file=path, src=src, kind=kind, directory=f"streams/{MAIN_STREAM}")
    stream = MAIN_STREAM if file.agent is None else file.agent
    return Source(
        file=path,
        src=src,
        kind=kind,
        directory=f"streams/{stream}",
        stream=stream,
        role=INTERNAL_ROLE if stream.startswith(INTERNAL_AGENT_PREFIXES) else None,
    )


def _kept_file(path: str, relative: str, file_class: str) -> Source:
    name = relative.rpartition("/")[2]
    return Source(
        file=path,
        src=_printable(relative),
        kind=FILE,
        directory=f"files/{file_class}/{file_key(os.fsencode(name))}",
        file_class=file_class,
    )


def _printable(text: str) -> str:
    r"""`text` with bytes that are no UTF-8 written as `\xff`: headers are text."""
    if text.isascii():
        return text
    return os.fsencode(text).decode("utf-8", "backslashreplace")


def _list_session(each: SessionSources) -> SessionListing:
    kinds = [source.kind for source in each.sources]
    return SessionListing(
        session=each.session,
        directories=len(each.directories),
        streams=kinds.count(TRANSCRIPT),
        sidecars=kinds.count(AGENT_META),
        journals=kinds.count(JOURNAL),
        manifests=kinds.count(WORKFLOW_MANIFEST),
    )
