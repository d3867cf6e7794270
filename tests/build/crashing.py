"""End a pass at its k-th change of the disk, as if the machine had stopped there."""

import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

_EFFECTS = ("replace", "unlink", "mkdir", "fsync", "chmod", "link", "write")


class Crash(BaseException):
    """The machine stopped. Nothing catches it, and nothing is cleaned up after it."""


class Machine:
    """Counts changes of the disk; from the `stops_at`-th on (from 1) every one fails."""

    def __init__(self, stops_at: int) -> None:
        self.stops_at = stops_at
        self.steps = 0

    def step(self) -> None:
        """One change is about to happen."""
        self.steps += 1
        if self.steps >= self.stops_at:
            raise Crash


@contextmanager
def crash_at(step: int) -> Iterator[Machine]:
    """Stop at change number `step` of the block; the block ends with `Crash` then."""
    machine = Machine(step)
    originals = {name: getattr(os, name) for name in _EFFECTS}

    def stopping(original: Callable[..., Any]) -> Callable[..., Any]:
        def effect(*args: Any, **more: Any) -> Any:
            machine.step()
            return original(*args, **more)

        return effect

    for name, original in originals.items():
        setattr(os, name, stopping(original))
    try:
        yield machine
    finally:
        for name, original in originals.items():
            setattr(os, name, original)
