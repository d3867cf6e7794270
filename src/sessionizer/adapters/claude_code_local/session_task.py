"""One session's share of a pass, in whichever process it is done."""

from collections.abc import Callable

from msgspec import Struct

from sessionizer.adapters.claude_code_local.memory import Look, Rested, look_at
from sessionizer.adapters.claude_code_local.session_pass import (
    History,
    OnLanded,
    Settings,
    collect_session,
)
from sessionizer.adapters.claude_code_local.sources import SessionSources
from sessionizer.adapters.claude_code_local.tally import PassReport, Tally
from sessionizer.base.errors import SessionizerError
from sessionizer.base.locks import LockedError
from sessionizer.landing.transaction import SessionPass, open_pass
from sessionizer.landing.zone import Zone


class SessionTask(Struct, frozen=True, kw_only=True):
    """A session to collect.

    Attributes:
        history: Its lines of the shared history; None when there is no such file.
        accepts: Whether a person accepts its conflicts.
    """

    sources: SessionSources
    history: History | None
    accepts: bool


class SessionDone(Struct, frozen=True, kw_only=True):
    """What came of it.

    Attributes:
        report: What was counted of this session.
        whole: Whether it has all its lines of the shared history.
        rested: What to remember of it; None when it does not rest.
    """

    report: PassReport
    whole: bool = True
    rested: Rested | None = None


class SessionCollector:
    """Collects one session after another. Travels to other processes when its parts can."""

    def __init__(
        self, zone: Zone, settings: Settings, *, now_ns: Callable[[], int], on_landed: OnLanded
    ) -> None:
        self._zone = zone
        self._settings = settings
        self._now_ns = now_ns
        self._on_landed = on_landed

    def __call__(
        self, task: SessionTask, *, should_stop: Callable[[], bool], tell: Callable[[int], None]
    ) -> SessionDone:
        """Collect a session under its lock. An error of it is counted and nothing is raised."""
        tally = Tally()
        session = task.sources.session

        def is_over() -> bool:
            tell(tally.bytes)
            return should_stop()

        try:
            with open_pass(self._zone, session, self._now_ns()) as current:
                # Before anything is read: what changes meanwhile is a change for the next pass.
                plans = self._settings.plans.paths(current.state.slugs or ())
                look = look_at((*task.sources.paths, *plans))
                try:
                    collect_session(
                        current,
                        task.sources.sources,
                        history=task.history,
                        accepts=task.accepts,
                        settings=self._settings,
                        tally=tally,
                        should_stop=is_over,
                        on_landed=self._on_landed,
                    )
                finally:
                    if current.landed:
                        tally.touched.add(session)
                report = tally.report()
                is_seen = plans == self._settings.plans.paths(current.state.slugs or ())
                rests = is_seen and not tally.history_failed and not should_stop()
                return SessionDone(
                    report=report,
                    whole=not tally.history_failed,
                    rested=_rest(current, look, report) if rests else None,
                )
        except LockedError:
            tally.busy += 1
        except (SessionizerError, OSError) as error:
            tally.errors.append(f"{session}: {error}")
        except Exception as error:  # a defect must not keep the other sessions from being kept
            tally.errors.append(f"{session}: this is a defect: {type(error).__name__}: {error}")
        return SessionDone(report=tally.report(), whole=False)


def _rest(current: SessionPass, look: Look, report: PassReport) -> Rested | None:
    """What to remember of a session in which nothing waits; None when something does."""
    if report.pending or report.conflicts or report.errors or not look.rests(current.now_ns):
        return None
    return Rested(
        look=look.digest,
        archive=current.zone.fingerprint(current.session),
        slugs=current.state.slugs or (),
        gone=report.gone,
        sources=report.sources,
    )
