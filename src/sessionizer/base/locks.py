"""Advisory exclusive locks on a file, for one process at a time."""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from sessionizer.base.errors import SessionizerError


class LockedError(SessionizerError):
    """Another process holds the lock.

    Attributes:
        path: The lock file.
    """

    def __init__(self, path: Path) -> None:
        super().__init__(
            f"locked by another process: {path}", hint="wait for it to end, then retry"
        )
        self.path = path


@contextmanager
def exclusive_lock(path: Path) -> Iterator[None]:
    """Hold the lock file `path` (created 0600, never removed) while the block runs.

    Never waits. The system releases the lock when the process ends, however it ends.

    Raises:
        LockedError: Another process holds it.
    """
    descriptor = os.open(path, os.O_RDWR | os.O_CREAT, 0o600)
    try:
        _lock(descriptor, path)
        yield
    finally:
        os.close(descriptor)


if os.name == "nt":  # pragma: no cover - exercised on Windows only
    import msvcrt

    def _lock(descriptor: int, path: Path) -> None:
        try:
            msvcrt.locking(descriptor, msvcrt.LK_NBLCK, 1)  # type: ignore[attr-defined,unused-ignore]
        except OSError as error:
            raise LockedError(path) from error

else:
    import fcntl

    def _lock(descriptor: int, path: Path) -> None:
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError as error:
            raise LockedError(path) from error
