"""Collect and assemble again and again beside the page: the working half of `asz up`."""

import threading
import time
from collections.abc import Callable

from sessionizer.asz.collecting import CollectedPass, Collector, FailedPass
from sessionizer.asz.parsing import FailedConversation, Parser
from sessionizer.asz.settings import Settings
from sessionizer.landing.zone import Zone


class Follower:
    """A thread that keeps the storage root up to date until it is told to stop.

    Args:
        on_pass: Told of every pass, in this thread.
        on_problem: Told, in one line, what went wrong; each problem once while it lasts.
    """

    def __init__(
        self,
        settings: Settings,
        zone: Zone,
        *,
        on_pass: Callable[[CollectedPass], None],
        on_problem: Callable[[str], None],
    ) -> None:
        self._settings = settings
        self._zone = zone
        self._collector = Collector(settings.sources, zone)
        self._parser = Parser(zone, settings.conversations)
        self._on_pass = on_pass
        self._on_problem = on_problem
        self._problems: set[str] = set()
        self._first_pass = threading.Event()
        self.stop = threading.Event()
        self._thread = threading.Thread(target=self._run, name="follower", daemon=True)

    def start(self) -> None:
        """Begin with a first pass over everything."""
        self._thread.start()

    def wait_first_pass(self, seconds: float) -> bool:
        """Whether the first pass has ended, after waiting for it at most so long."""
        return self._first_pass.wait(seconds)

    def finish(self) -> None:
        """Stop after the file in progress, with its cursor and index written."""
        self.stop.set()
        self._thread.join()

    def _run(self) -> None:
        pause_ms = min(
            (each.adapter.collector.interval_ms for each in self._settings.sources), default=5_000
        )
        everything = True
        while not self.stop.is_set():
            try:
                problems = self._pass(everything=everything)
            except Exception as error:  # a thread that dies silently would show an old page
                problems = [f"this is a defect of asz: {type(error).__name__}: {error}"]
            for problem in problems:
                if problem not in self._problems:
                    self._on_problem(problem)
            self._problems = set(problems)
            everything = False
            self._first_pass.set()
            self.stop.wait(pause_ms / 1000)

    def _pass(self, *, everything: bool) -> list[str]:
        """One pass over every home and a parse of what it touched; returns what went wrong."""
        problems: list[str] = []
        touched: set[str] = set()
        for done in self._collector.run_pass(should_stop=self.stop.is_set):
            if isinstance(done, FailedPass):
                problems.append(str(done.error))
                continue
            problems += done.report.errors
            touched |= done.touched
            self._on_pass(done)
        sessions = None if everything else sorted(touched)
        for parsed in self._parser.parse(sessions, now_ns=time.time_ns()):
            if isinstance(parsed, FailedConversation):
                problems.append(f"{parsed.conversation}: {parsed.message}")
            if self.stop.is_set():
                break
        return problems
