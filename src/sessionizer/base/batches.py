"""Many files made durable at once: write them all, then flush them all, then name them.

A flush waits for the disk. Together they wait about as long as one, where `base.files`
waits for each.
"""

import os
import tempfile
from collections.abc import Callable, Collection, Iterable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from sessionizer.base.files import TEMPORARY_PREFIX, sync_directory

_FEW = 4
_THREADS = 8


def write_unsynced_temporary(directory: Path, pieces: Iterable[bytes]) -> Path:
    """Write `pieces` to a new `.tmp-*` file (0600) in `directory`; `sync_files` is still due.

    When the pieces fail, no file is left and the error passes.
    """
    descriptor, name = tempfile.mkstemp(prefix=TEMPORARY_PREFIX, dir=directory)
    path = Path(name)
    try:
        with os.fdopen(descriptor, "wb") as file:
            for piece in pieces:
                file.write(piece)
    except BaseException:
        path.unlink(missing_ok=True)
        raise
    return path


def sync_files(paths: Collection[Path]) -> None:
    """Make the content of files durable. They must still be writable."""
    _each(_sync_file, paths)


def sync_directories(directories: Collection[Path]) -> None:
    """Make renames in directories durable, where the system can."""
    _each(sync_directory, directories)


def _sync_file(path: Path) -> None:
    descriptor = os.open(path, os.O_RDWR)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def _each(sync: Callable[[Path], None], paths: Collection[Path]) -> None:
    if len(paths) <= _FEW:
        for path in paths:
            sync(path)
        return
    with ThreadPoolExecutor(min(_THREADS, len(paths))) as pool:
        for _ in pool.map(sync, paths):
            pass
