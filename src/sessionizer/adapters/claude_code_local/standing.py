"""How far what is on disk is kept, judged without changing anything.

Names, sizes, times and cursors decide; bytes are read where those leave it open. That kept
bytes are what they were is another question, which `landing.verify` answers.
"""

import hashlib
from collections.abc import Collection, Iterable
from pathlib import Path
from typing import Final

from msgspec import Struct

from sessionizer.adapters.claude_code_local import history
from sessionizer.adapters.claude_code_local.claims import (
    Claim,
    Place,
    assign_claims,
    place_of,
    unify_case,
)
from sessionizer.adapters.claude_code_local.cursors import TAIL_PREFIX
from sessionizer.adapters.claude_code_local.kept_sources import Conflict, KeptSources
from sessionizer.adapters.claude_code_local.sources import (
    AdapterConfig,
    SessionSources,
    Source,
    history_source,
    plan_source,
    select_sessions,
)
from sessionizer.base.errors import SessionizerError
from sessionizer.claude_code.discovery import discover, find_plans
from sessionizer.claude_code.last_time import read_last_time_ns
from sessionizer.landing.cursor import (
    CLOSED,
    AppendCursor,
    SnapshotCursor,
    stored_source,
)
from sessionizer.landing.reading import (
    ByteSource,
    FileSource,
    ViewSource,
    is_prefix_of,
    iter_file,
)
from sessionizer.landing.record import FILE, HISTORY, JOURNAL, TRANSCRIPT
from sessionizer.landing.snapshots import strip_snapshot
from sessionizer.landing.state import read_session_state
from sessionizer.landing.tail import (
    TAIL_BYTES,
    Action,
    SourceStat,
    decide,
    is_unchanged,
    needs_tail_digest,
    tail_digest,
)
from sessionizer.landing.zone import Zone

_GROWING: Final = frozenset({TRANSCRIPT, JOURNAL, HISTORY})


class FileStanding(Struct, frozen=True, kw_only=True):
    """One file on disk.

    Attributes:
        src: Its path below the source root.
        kind: A header kind.
        size: In bytes; of the shared history the size of the session's own lines.
        mtime_ns: When it was last written, in nanoseconds since 1970.
        unkept: How many of its bytes are not kept yet.
        reason: Why it is not kept, or not whole; empty when it is.
    """

    src: str
    kind: str
    size: int
    mtime_ns: int
    unkept: int = 0
    reason: str = ""


class SessionStanding(Struct, frozen=True, kw_only=True):
    """One session, on disk and in the storage root.

    Attributes:
        files: What is on disk, by path.
        gone: Kept sources that are not on disk any more.
        last_time_ns: The last time that a record of it states, in nanoseconds since 1970;
            None when nothing of it is on disk or none states one.
        conflicts: Those that wait.
    """

    session: str
    files: tuple[FileStanding, ...]
    gone: int
    last_time_ns: int | None
    conflicts: tuple[Conflict, ...]


class HomeStanding(Struct, frozen=True, kw_only=True):
    """One home.

    Attributes:
        sessions: Those that are collected, by id, and those of which only kept data is left.
        excluded: Sessions that the filters leave out.
        unplaced: (path, why) of what looks like a source and belongs to no session.
        unreadable: (path, why) of what could not be looked into.
    """

    source_root: Path
    sessions: tuple[SessionStanding, ...]
    excluded: int
    unplaced: tuple[tuple[str, str], ...]
    unreadable: tuple[tuple[str, str], ...]


def survey_home(
    config: AdapterConfig, zone: Zone, *, elsewhere: Collection[str] = ()
) -> HomeStanding:
    """How far the sessions of a home are kept.

    Args:
        config: Where to look.
        zone: The storage root, which need not exist.
        elsewhere: Sessions that another home has; they are left out.

    Raises:
        MissingProjectsError: The source root does not exist or can not be listed.
    """
    discovery = discover(str(config.source_root))
    selection = select_sessions(discovery, config)
    lines = _History(config)
    unreadable = [(each.path, each.reason) for each in discovery.unreadable]
    chosen = [each for each in selection.sessions if each.session not in elsewhere]
    found = {each.session for each in selection.sessions} | selection.left_out | {*elsewhere}
    vanished = [
        SessionSources(session=session)
        for session in zone.session_ids()
        if session not in found and zone.holds(session)
    ]
    return HomeStanding(
        source_root=config.source_root,
        sessions=tuple(
            _survey_session(each, zone, config, lines, unreadable) for each in (*chosen, *vanished)
        ),
        excluded=len(selection.left_out),
        unplaced=tuple((each.relative, each.reason) for each in discovery.unplaced),
        unreadable=tuple(unreadable),
    )


class _History:
    """The shared history of a home, told apart; read at the first question."""

    def __init__(self, config: AdapterConfig) -> None:
        self._path = None if config.home is None else config.home / "history.jsonl"
        self._views: history.Views | None = None
        self._is_read = False

    def of_session(self, session: str) -> tuple[Source, ViewSource] | None:
        """The session's own lines; None when it has none."""
        if not self._is_read and self._path is not None:
            self._is_read = True
            read = history.read_views(self._path)
            self._views = None if read is None else read[0]
        body = self._views.of_session.get(session, b"") if self._views else b""
        if self._path is None or self._views is None or not body:
            return None
        return history_source(self._path), ViewSource(body, self._views.mtime_ns)


def _survey_session(
    sources: SessionSources,
    zone: Zone,
    config: AdapterConfig,
    lines: _History,
    unreadable: list[tuple[str, str]],
) -> SessionStanding:
    kept = KeptSources(zone, sources.session)
    found = [*sources.sources, *_plans(zone, sources.session, config)]
    if zone.is_case_insensitive(sources.session):
        found = list(unify_case(found, kept.directories()))
    files: list[FileStanding] = []
    last_times: list[int] = []
    for claim in assign_claims(found, kept.generations()):
        source = claim.source
        try:
            standing = _survey_claim(claim, kept)
            if source.kind == TRANSCRIPT:
                last_times.append(read_last_time_ns(source.path) or 0)
        except (SessionizerError, OSError) as error:
            unreadable.append((source.src, getattr(error, "strerror", None) or str(error)))
            continue
        if standing is not None:
            files.append(standing)
    seen = {stored_source(source.src) for source in found}
    try:
        own = lines.of_session(sources.session) if sources.files else None
    except (SessionizerError, OSError) as error:
        unreadable.append(("../history.jsonl", str(error)))
        own = None
    if own is not None:
        source, view = own
        seen.add(stored_source(source.src))
        files.append(_survey_growing(source, view, kept.newest(place_of(source)), kept))
    return SessionStanding(
        session=sources.session,
        files=tuple(files),
        gone=sum(
            place[1] != TAIL_PREFIX and cursor.state not in CLOSED and cursor.source not in seen
            for place, cursor in kept.items()
        ),
        last_time_ns=max(last_times, default=0) or None,
        conflicts=kept.conflicts(),
    )


def _plans(zone: Zone, session: str, config: AdapterConfig) -> Iterable[Source]:
    state = read_session_state(zone.state_path(session), session)
    if config.home is None or state is None or not state.slugs:
        return ()
    paths = sorted(find_plans(str(config.home), state.slugs))
    return tuple(plan_source(path, f"../plans/{Path(path).name}") for path in paths)


def _survey_claim(claim: Claim, kept: KeptSources) -> FileStanding | None:
    """The standing of one file; None when it vanished meanwhile."""
    source = claim.source
    origin = FileSource(source.path)
    stat = origin.stat()
    if stat is None:
        return None
    if claim.generation is None and claim.owner is not None:
        if is_prefix_of(source.path, claim.owner.path):
            return _standing(source, stat)
        reason = f"lands where {claim.owner.src} does, and is refused"
        return _standing(source, stat, stat.size, reason)
    generation = claim.generation or 1
    if source.kind in _GROWING:
        return _survey_growing(source, origin, generation, kept)
    return _survey_snapshot(source, stat, generation, kept)


def _standing(source: Source, stat: SourceStat, unkept: int = 0, reason: str = "") -> FileStanding:
    return FileStanding(
        src=source.src,
        kind=source.kind,
        size=stat.size,
        mtime_ns=stat.mtime_ns,
        unkept=unkept,
        reason=reason,
    )


def _survey_growing(
    source: Source, origin: ByteSource, generation: int, kept: KeptSources
) -> FileStanding:
    place = place_of(source)
    cursor = kept.cursor(place, generation)
    with origin.open() as opened:
        stat = opened.stat()
        if not isinstance(cursor, AppendCursor) or not cursor.offset:
            offset, reason = 0, "never collected" if cursor is None else "grown since"
        elif cursor.state in CLOSED or not kept.holds(place, generation, cursor.last_seq):
            return _standing(source, stat, stat.size, "its kept bytes are missing")
        else:
            digest = None
            if needs_tail_digest(stat, cursor):
                start = max(0, cursor.offset - TAIL_BYTES)
                digest = tail_digest(opened.read(start, cursor.offset - start))
            verdict = decide(stat, cursor, digest)
            if verdict.action is Action.CONFLICT:
                return _standing(source, stat, stat.size, verdict.reason)
            offset, reason = cursor.offset, "grown since"
        rest = stat.size - offset
        if rest and not _is_kept_tail(kept, (place[0], TAIL_PREFIX), generation, offset, rest):
            return _standing(source, stat, rest, reason)
    return _standing(source, stat)


def _is_kept_tail(kept: KeptSources, place: Place, generation: int, offset: int, size: int) -> bool:
    tail = kept.cursor(place, generation)
    return (
        isinstance(tail, SnapshotCursor)
        and (tail.offset, tail.size) == (offset, size)
        and kept.holds(place, generation, tail.last_seq)
    )


def _survey_snapshot(
    source: Source, stat: SourceStat, generation: int, kept: KeptSources
) -> FileStanding:
    place = place_of(source)
    cursor = kept.cursor(place, generation)
    if not isinstance(cursor, SnapshotCursor):
        # An empty sidecar says nothing and never lands.
        if source.kind != FILE and not _content_of(source):
            return _standing(source, stat)
        return _standing(source, stat, stat.size, "never collected")
    if not kept.holds(place, generation, cursor.last_seq):
        return _standing(source, stat, stat.size, "its kept bytes are missing")
    if is_unchanged(stat, cursor) or _digest_of(source) == cursor.content_sha256:
        return _standing(source, stat)
    return _standing(source, stat, stat.size, "rewritten since")


def _content_of(source: Source) -> bytes:
    return strip_snapshot(source.path.read_bytes())


def _digest_of(source: Source) -> str:
    if source.kind != FILE:
        return hashlib.sha256(_content_of(source)).hexdigest()
    digest = hashlib.sha256()
    for piece in iter_file(source.path):
        digest.update(piece)
    return digest.hexdigest()
