"""One pass: find the sessions, and land what is new in each.

An error of one source or session is counted and does not stop the others.
Source: docs/formats/storage.md, "One pass".
"""

import os
import time
from collections.abc import Callable, Collection, Iterable, Sequence
from pathlib import Path
from typing import Final

from sessionizer.adapters.claude_code_local import history
from sessionizer.adapters.claude_code_local.memory import PassMemory, Rested, look_at
from sessionizer.adapters.claude_code_local.plans import PlanShelf
from sessionizer.adapters.claude_code_local.session_pass import History, OnLanded, Settings
from sessionizer.adapters.claude_code_local.session_task import (
    SessionCollector,
    SessionDone,
    SessionTask,
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
from sessionizer.base.workers import Lost, count_workers, run_all
from sessionizer.claude_code.discovery import discover
from sessionizer.landing.reading import FileSource
from sessionizer.landing.tail import SourceStat
from sessionizer.landing.zone import Zone

_SHOW_SECONDS: Final = 0.05


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
    shared = _SharedHistory(zone, config, (each.session for each in every), tally)
    plans = PlanShelf(config.home)
    tasks: list[SessionTask] = []
    for sources in every:
        task = SessionTask(
            sources=sources,
            history=shared.of_session(sources.session),
            accepts=accepts(sources.session),
        )
        rested = None if memory is None else _recall(memory, task, zone, plans)
        if rested is None:
            tasks.append(task)
        else:
            tally.sources += rested.sources
            tally.gone += rested.gone
    settings = Settings(
        source_root=config.source_root,
        plans=plans,
        window_bytes=config.window_bytes,
        flush_tails=flush_tails,
        closed=tuple(os.path.abspath(each.path) for each in discovery.unreadable),  # noqa: PTH100
    )
    collector = SessionCollector(zone, settings, now_ns=now_ns, on_landed=on_landed)
    progress = _Progress(on_reached, of=len(every), resting=len(every) - len(tasks))
    done = _collect_tasks(collector, zone, tasks, should_stop, progress)
    for task, result in zip(tasks, done, strict=True):
        if result is None:
            continue
        tally.add(result.report)
        tally.history_failed |= not result.whole
        if memory is not None:
            memory.set(task.sources.session, result.rested)
    if not should_stop():
        shared.finish(now_ns())
    if memory is not None:
        _save(memory, (each.session for each in every), tally)
    return tally.report()


def _save(memory: PassMemory, sessions: Iterable[str], tally: Tally) -> None:
    try:
        memory.save(sessions)
    except OSError as error:
        tally.errors.append(f"{memory.name}: {error}")


def _recall(memory: PassMemory, task: SessionTask, zone: Zone, plans: PlanShelf) -> Rested | None:
    """A session that need not be opened: it rests, and nothing waits for it."""
    session = task.sources.session
    known = memory.known(session)
    if known is None or (task.history is not None and task.history.body):
        return None
    return memory.recall(zone, session, look_at((*task.sources.paths, *plans.paths(known.slugs))))


def _collect_tasks(
    collector: SessionCollector,
    zone: Zone,
    tasks: Sequence[SessionTask],
    should_stop: Callable[[], bool],
    progress: "_Progress",
) -> list[SessionDone | None]:
    """What came of each task; None for one that a stop came before."""
    sizes = [_size_if_new(zone, task.sources) for task in tasks]
    workers = count_workers(sum(sizes), len(tasks))
    order = list(range(len(tasks)))
    if workers > 1:  # the longest first, so that no process works alone at the end
        order.sort(key=lambda number: -sizes[number])

    done: list[SessionDone | None] = [None] * len(tasks)
    results = run_all(
        collector,
        [tasks[number] for number in order],
        workers=workers,
        should_stop=should_stop,
        on_news=progress.hear,
    )
    for place, result in results:
        number = order[place]
        session_done = _lose(tasks[number], result) if isinstance(result, Lost) else result
        done[number] = session_done
        progress.finish(place, session_done.report.bytes)
    return done


def _lose(task: SessionTask, lost: Lost) -> SessionDone:
    session = task.sources.session
    error = f"{session}: its process ended with exit code {lost.exit_code}"
    return SessionDone(report=PassReport(errors=(error,)), whole=False)


def _size_if_new(zone: Zone, sources: SessionSources) -> int:
    """The bytes of a session that was never collected; 0 of any other, which has little new."""
    if zone.state_path(sources.session).exists():
        return 0
    stats = (FileSource(path).stat() for path in sources.paths)
    return sum(stat.size for stat in stats if stat is not None)


class _Progress:
    """How far a pass is, from the news of several sessions at once."""

    def __init__(self, on_reached: Callable[[Reached], None], *, of: int, resting: int) -> None:
        self._on_reached = on_reached
        self._of = of
        self._looked_at = resting
        self._landed = 0
        self._of_session: dict[int, int] = {}
        self._shown = 0.0
        self._show()

    def hear(self, place: int, size: int) -> None:
        self._landed += size - self._of_session.get(place, 0)
        self._of_session[place] = size
        if time.monotonic() - self._shown >= _SHOW_SECONDS:
            self._show()

    def finish(self, place: int, size: int) -> None:
        self._looked_at += 1
        self.hear(place, size)

    def _show(self) -> None:
        self._shown = time.monotonic()
        reached = Reached(sessions=self._looked_at, of=self._of, bytes=self._landed)
        self._on_reached(reached)


def _find_vanished(
    zone: Zone, selection: Selection, elsewhere: Collection[str]
) -> tuple[SessionSources, ...]:
    """Sessions of which something is kept and nothing was found."""
    found = {each.session for each in selection.sessions} | selection.left_out
    found.update(elsewhere)
    return tuple(
        SessionSources(session=session)
        for session in zone.session_ids()
        if session not in found and zone.holds(session)
    )


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
