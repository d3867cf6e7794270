"""Run several pieces of work at once, each in a process that begins as a copy of this one.

A fork starts in milliseconds and shares what was read so far. Where there is none, the pieces
run one after the other.
"""

import os
import signal
from collections.abc import Callable, Sequence
from contextlib import suppress

Work = Callable[[], bytes]

can_fork = hasattr(os, "fork")


class WorkerError(RuntimeError):
    """A worker ended without an answer: a defect, or the system killed it."""


def run_forked(works: Sequence[Work]) -> list[bytes]:
    """The answers of all works, in order. The last one runs in this process.

    Raises:
        WorkerError: A worker ended without an answer.
    """
    if not can_fork or len(works) < 2:
        return [work() for work in works]
    workers = [_Worker(work) for work in works[:-1]]
    try:
        own = works[-1]()
        return [*(worker.answer() for worker in workers), own]
    finally:
        for worker in workers:
            worker.end()


class _Worker:
    """One forked process."""

    def __init__(self, work: Work) -> None:
        self._out, into = os.pipe()
        self._pid = os.fork()
        self._ended = False
        if self._pid == 0:
            os.close(self._out)
            _work_and_exit(work, into)
        os.close(into)

    def answer(self) -> bytes:
        """Wait for the answer."""
        with os.fdopen(self._out, "rb") as out:
            self._out = -1
            body = out.read()
        _, status = os.waitpid(self._pid, 0)
        self._ended = True
        if status != 0:
            raise WorkerError(f"a search process ended with status {status}")
        return body

    def end(self) -> None:
        """Stop the process if it still runs."""
        if self._out >= 0:
            os.close(self._out)
            self._out = -1
        if not self._ended:
            with suppress(OSError):
                os.kill(self._pid, signal.SIGTERM)
            with suppress(OSError):
                os.waitpid(self._pid, 0)
            self._ended = True


def _work_and_exit(work: Work, into: int) -> None:
    """In the forked process: nothing of the parent's may run here but the work."""
    status = 1
    try:
        body = work()
        with os.fdopen(into, "wb") as pipe:
            pipe.write(body)
        status = 0
    finally:
        os._exit(status)
