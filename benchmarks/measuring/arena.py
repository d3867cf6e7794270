"""Where contestants run: an empty directory, a clean environment, fresh places to write to."""

import os
import re
import shutil
import tempfile
from collections.abc import Mapping
from pathlib import Path
from types import TracebackType
from typing import Self

from benchmarks.measuring.comparison import Check, Command, Contestant
from benchmarks.measuring.processes import Outcome, run_process
from benchmarks.measuring.readings import READINGS
from benchmarks.measuring.settings import fill
from benchmarks.measuring.turns import Failed, Skipped, Turn

LONGEST_REASON = 200
ABSOLUTE_FOLDER = re.compile(r"(?<![\w.])/(?:[^/\s'\"()]+/)+")


class Arena:
    """Runs contestants. Everything they write goes below one temporary directory."""

    def __init__(self, settings: Mapping[str, str | None], facts: Mapping[str, object]) -> None:
        self._facts = facts
        self._ground = Path(tempfile.mkdtemp(prefix="benchmark-"))
        self._output = self._ground / "output"
        self._empty = self._ground / "empty"
        self._fresh = self._ground / "fresh"
        self._kept = self._ground / "kept"
        self._empty.mkdir()
        self._settings = {**settings, "fresh": str(self._fresh), "kept": str(self._kept)}

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        """Remove the temporary directory."""
        shutil.rmtree(self._ground, ignore_errors=True)

    def prepare(self, contestant: Contestant) -> None:
        """Get a contestant ready, prove that it does its work, and run it once untimed.

        Raises:
            Skipped: It, or something it needs, does not exist here.
            Failed: A command failed, or the check found another number than was planted.
        """
        for step in contestant.steps:
            fill(step, self._settings)
        if contestant.probe is not None:
            outcome = self._run(contestant.probe, contestant)
            if outcome.exit_code != 0:
                raise Skipped(self._explain(contestant.probe, outcome))
        if contestant.setup:
            shutil.rmtree(self._kept, ignore_errors=True)
        for step in contestant.setup:
            self._require(step, contestant)
        if contestant.check is not None:
            self._prove(contestant, contestant.check)
        turn = self.take(contestant)
        if turn.failure is not None:
            raise Failed(turn.failure)

    def take(self, contestant: Contestant) -> Turn:
        """Run a contestant's steps once; `fresh` does not exist before, nor after."""
        seconds, peak = 0.0, 0
        try:
            for step in contestant.steps:
                outcome = self._run(step, contestant)
                seconds += outcome.seconds
                peak = max(peak, outcome.peak_bytes)
                if outcome.exit_code not in contestant.accepts:
                    return Turn(seconds=seconds, failure=self._explain(step, outcome))
        finally:
            shutil.rmtree(self._fresh, ignore_errors=True)
        return Turn(seconds=seconds, peak_bytes=peak)

    def _prove(self, contestant: Contestant, check: Check) -> None:
        if check.fact not in self._facts:
            raise Skipped(f"the corpus summary has no {check.fact} to check it against")
        expected = self._facts[check.fact]
        try:
            self._require(check.command, contestant)
        finally:
            shutil.rmtree(self._fresh, ignore_errors=True)
        printed = self._output.read_text(encoding="utf-8", errors="replace")
        try:
            found = READINGS[check.reading](printed)
        except (ValueError, LookupError) as error:
            raise Failed(f"its check printed no {check.reading}: {printed[:60]!r}") from error
        if found != expected:
            raise Failed(f"its check found {found}, but {check.fact} is {expected}")

    def _require(self, command: Command, contestant: Contestant) -> None:
        outcome = self._run(command, contestant)
        if outcome.exit_code not in contestant.accepts:
            raise Failed(self._explain(command, outcome))

    def _run(self, command: Command, contestant: Contestant) -> Outcome:
        variables = {
            name: fill((value,), self._settings)[0] for name, value in contestant.environment
        }
        try:
            return run_process(
                fill(command, self._settings),
                # Not the caller's: their settings, locale and home must not change a result.
                environment={
                    "PATH": os.environ.get("PATH", os.defpath),
                    "HOME": str(self._empty),
                    "LC_ALL": "C.UTF-8",
                    **variables,
                },
                directory=self._empty,
                output=self._output,
            )
        except OSError as error:
            raise Failed(self._hide_places(f"cannot start {command[0]}: {error}")) from error

    def _explain(self, command: Command, outcome: Outcome) -> str:
        """Why a command is taken to have failed: its name, exit code and last words."""
        words = outcome.errors.strip().splitlines()
        name = " ".join(argument.strip("{}") for argument in command[:3])
        said = f": {words[-1]}" if words else ""
        return self._hide_places(f"`{name}` ended with {outcome.exit_code}{said}")[:LONGEST_REASON]

    def _hide_places(self, text: str) -> str:
        """`text` without folders of this machine; reports are published."""
        places = [(value, name) for name, value in self._settings.items() if value]
        for value, name in sorted(places, key=lambda place: -len(place[0])):
            if os.sep in value:
                text = text.replace(value, name.upper())
        return ABSOLUTE_FOLDER.sub("", text.replace(str(self._ground), "TMP"))
