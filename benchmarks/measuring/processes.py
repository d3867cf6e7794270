"""Run whole processes and time them. Needs a POSIX system."""

import os
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from threading import Timer

from msgspec import Struct

LONGEST_SECONDS = 900
RSS_UNIT = 1 if sys.platform == "darwin" else 1024


class Outcome(Struct, frozen=True, kw_only=True):
    """How a process ended: wall time, exit code (negative: a signal), peak memory, last words."""

    seconds: float
    exit_code: int
    peak_bytes: int
    errors: str


def run_process(
    command: Sequence[str],
    *,
    environment: Mapping[str, str],
    directory: Path,
    output: Path,
    longest_seconds: float = LONGEST_SECONDS,
) -> Outcome:
    """Run `command` to its end; what it prints goes to the file `output`.

    Not to /dev/null: GNU grep notices that, and stops at the first match.

    A process that takes longer than `longest_seconds` is killed with its children.

    Raises:
        OSError: The program cannot be started.
    """
    with output.open("wb") as stdout, tempfile.TemporaryFile() as stderr:
        started = time.perf_counter()
        process = subprocess.Popen(
            command,
            stdin=subprocess.DEVNULL,
            stdout=stdout,
            stderr=stderr,
            env=dict(environment),
            cwd=directory,
            start_new_session=True,
        )
        limit = Timer(longest_seconds, os.killpg, (process.pid, signal.SIGKILL))
        limit.start()
        try:
            _, status, usage = os.wait4(process.pid, 0)
        finally:
            limit.cancel()
        seconds = time.perf_counter() - started
        process.returncode = os.waitstatus_to_exitcode(status)
        stderr.seek(0)
        return Outcome(
            seconds=seconds,
            exit_code=process.returncode,
            peak_bytes=usage.ru_maxrss * RSS_UNIT,
            errors=stderr.read().decode("utf-8", "replace"),
        )


def own_peak_bytes() -> int:
    """Peak memory of this process: a child inherits it, so smaller peaks cannot be told."""
    import resource

    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * RSS_UNIT
