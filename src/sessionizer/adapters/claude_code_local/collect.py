"""One pass: find the sessions, and land what is new in each.

An error of one source or session is counted and does not stop the others.
Source: docs/formats/storage.md, "One pass".
"""

import os
from collections.abc import Callable, Collection, Iterable
from pathlib import Path

from msgspec import structs

from sessionizer.adapters.claude_code_local import history
from sessionizer.adapters.claude_code_local.memory import Look, PassMemory, Rested, look_at
from sessionizer.adapters.claude_code_local.session_pass import (
    History,
    OnLanded,
    Settings,
    collect_session,
)
from sessionizer.adapters.claude_code_local.sources import (
    AdapterConfig,
    Selection,
    SessionSources,
    select_sessions,
)
from sessionizer.adapters.claude_code_local.tally import PassReport, Reached, Tally
from sessionizer.base.errors import SessionizerError
from sessionizer.base.files import make_private_directory
from sessionizer.base.instants import format_instant_ns
from sessionizer.base.locks import LockedError
from sessionizer.claude_code.discovery import Discovery, discover
from sessionizer.landing.reading import FileSource
from sessionizer.landing.tail import SourceStat
from sessionizer.landing.transaction import SessionPass, open_pass
from sessionizer.landing.zone import Zone


def never(_session: str = "") -> bool:
    """No."""
    return False


def unseen(_reached: Reached) -> None:
    """Nobody watches."""


def collect_once(
    config: AdapterConfig,
    zone: Zone,
    *,
    now_ns: Callable[[], int],
    on_landed: OnLanded,
    flush_tails: bool = False,
    accepts: Callable[[str], bool] = never,
    should_stop: Callable[[], bool] = never,
    memory: PassMemory | None = None,
    elsewhere: Collection[str] = (),
    on_reached: Callable[[Reached], None] = unseen,
) -> PassReport:
    """Land what is new in every session that passes the filters.

    Args:
        config: What to collect from where.
        zone: Where to keep it; made when it does not exist.
        now_ns: The clock, in nanoseconds since 1970.
        on_landed: Called for every session under its lock, after its cursors are written,
            with what was landed in seq order, also when that is nothing: an index that an
            earlier pass left behind can catch up. Says what the index then holds, if asked.
        flush_tails: Keep every unterminated last line now, whole or not.
        accepts: Whether a person accepts the conflicts of a session.
        should_stop: Asked between deltas; true ends the pass early, in good order.
        memory: What a watch keeps from pass to pass, to leave sessions at rest alone.
        elsewhere: Sessions that another home of the same run has. They are not collected
            here, and not called gone.
        on_reached: Told how far the pass is, between deltas.

    Raises:
        MissingProjectsError: The source root does not exist or can not be listed.
    """
    discovery = discover(str(config.source_root))
    selection = select_sessions(discovery, config)
    make_private_directory(zone.root)
    tally = Tally()
    tally.unplaced = len(discovery.unplaced)
    tally.errors += [f"{each.path}: {each.reason}" for each in discovery.unreadable]
    chosen = tuple(each for each in selection.sessions if each.session not in elsewhere)
    tally.elsewhere = len(selection.sessions) - len(chosen)
    tally.sessions = len(chosen)
    every = (*chosen, *_find_vanished(zone, selection, elsewhere))
    looked_at = 0

    def is_over() -> bool:
        on_reached(Reached(sessions=looked_at, of=len(every), bytes=tally.bytes))
        return should_stop()

    settings = Settings(
        home=config.home,
        window_bytes=config.window_bytes,
        flush_tails=flush_tails,
        accepts=accepts,
        is_out_of_sight=_out_of_sight(discovery, config.source_root),
        should_stop=is_over,
    )
    shared = _SharedHistory(zone, config, (each.session for each in every), tally)
    for looked_at, sources in enumerate(every):  # noqa: B007 - `is_over` reads it
        if is_over():
            break
        of_history = shared.of_session(sources.session)
        has_lines = of_history is not None and bool(of_history.body)
        if memory is not None and not has_lines:
            rested = memory.recall(sources.session, sources.sources, config.home)
            if rested is not None:
                tally.sources += rested.sources
                tally.gone += rested.gone
                continue
        try:
            with open_pass(zone, sources.session, now_ns()) as current:
                look = look_at(sources.sources, current.state.slugs or (), config.home)
                before = tally.report()
                collect_session(
                    current,
                    sources,
                    history=of_history,
                    settings=settings,
                    tally=tally,
                    on_landed=on_landed,
                )
                if memory is not None:
                    _remember(memory, current, look, before, tally.report())
        except LockedError:
            tally.busy += 1
            tally.history_failed = True
        except (SessionizerError, OSError) as error:
            tally.history_failed = True
            tally.errors.append(f"{sources.session}: {error}")
    else:
        shared.finish(now_ns())
    return tally.report()


def _find_vanished(
    zone: Zone, selection: Selection, elsewhere: Collection[str]
) -> tuple[SessionSources, ...]:
    """Sessions of which something is kept and nothing was found."""
    found = {each.session for each in selection.sessions} | selection.left_out
    found.update(elsewhere)
    return tuple(
        SessionSources(session=session, directories=(), sources=())
        for session in zone.session_ids()
        if session not in found and zone.holds(session)
    )


def _remember(
    memory: PassMemory, current: SessionPass, look: Look, before: PassReport, after: PassReport
) -> None:
    """Remember a session that had nothing new and in which nothing waits."""
    counted = structs.replace(after, gone=before.gone, sources=before.sources)
    if counted != before or not look.rests(current.now_ns):
        memory.forget(current.session)
        return
    rested = Rested(
        look=look,
        slugs=current.state.slugs or (),
        gone=after.gone - before.gone,
        sources=after.sources - before.sources,
    )
    memory.remember(current.session, rested)


def _out_of_sight(discovery: Discovery, source_root: Path) -> Callable[[str], bool]:
    """Whether a source lies below something that could not be looked into."""
    closed = [os.path.abspath(each.path) for each in discovery.unreadable]  # noqa: PTH100

    def is_out_of_sight(src: str) -> bool:
        path = os.path.abspath(source_root / src)  # noqa: PTH100 - `..` goes, links stay
        return any(path == each or path.startswith(each + os.sep) for each in closed)

    return is_out_of_sight


class _SharedHistory:
    """The shared history during a pass: read once at most, and only when it changed."""

    def __init__(
        self, zone: Zone, config: AdapterConfig, sessions: Iterable[str], tally: Tally
    ) -> None:
        self._tally = tally
        self._views: history.Views | None = None
        self._seen: tuple[SourceStat, int] | None = None
        self._sessions = history.sessions_digest(ids := sorted(sessions))
        self._path = None if config.home is None else config.home / "history.jsonl"
        if self._path is None:
            return
        self._state = history.state_path(zone.state_directory, self._path)
        stat = FileSource(self._path).stat()
        self._exists = stat is not None
        if stat is not None and not history.is_done(
            history.read_state(self._state), stat, self._sessions
        ):
            self._read(self._path, set(ids))

    def _read(self, path: Path, sessions: set[str]) -> None:
        try:
            read = history.read_views(path)
        except (SessionizerError, OSError) as error:
            self._tally.errors.append(f"../{path.name}: {error}")
            return
        if read is None:
            self._exists = False
            return
        self._views, stat, offset = read
        self._seen = (stat, offset)
        counts = self._views.line_counts
        elsewhere = sum(count for session, count in counts.items() if session not in sessions)
        self._tally.history_skipped = self._views.unnamed + elsewhere

    def of_session(self, session: str) -> History | None:
        """The session's lines; None when there is no such file in this home."""
        if self._path is None:
            return None
        views = self._views
        return History(
            path=self._path,
            body=None if views is None else views.of_session.get(session, b""),
            mtime_ns=0 if views is None else views.mtime_ns,
            exists=self._exists,
        )

    def finish(self, now_ns: int) -> None:
        """Remember the file, when every session got its lines."""
        if self._seen is None or self._tally.history_failed:
            return
        stat, offset = self._seen
        try:
            history.write_state(
                self._state,
                stat,
                offset=offset,
                sessions=self._sessions,
                at=format_instant_ns(now_ns),
                now_ns=now_ns,
            )
        except LockedError:
            return  # the other collector remembers it; if not, the next pass reads again
        except OSError as error:
            self._tally.errors.append(f"{self._state.name}: {error}")
