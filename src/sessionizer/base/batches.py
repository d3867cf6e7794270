"""Many files made durable at once: write them all, then flush them all, then name them.

A flush waits for the disk. Together they wait about as long as one, where `base.files`
waits for each. Paths are text here: a path object per file doubles the cost of a small one.
"""

# ruff: noqa: PTH105, PTH108, PTH116, PTH120

import errno
import os
import sys
from collections.abc import Callable, Collection, Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from functools import cache
from itertools import count
from typing import Final

from sessionizer.base.files import PRIVATE_FILE, TEMPORARY_PREFIX, sync_directory

_FEW: Final = 4
_THREADS: Final = 8
# From this many on, one flush of the whole file system costs less than one per file.
_MANY: Final = 16
_NEW_FILE: Final = (
    os.O_RDWR
    | os.O_CREAT
    | os.O_EXCL
    | getattr(os, "O_BINARY", 0)
    | getattr(os, "O_CLOEXEC", 0)
    | getattr(os, "O_NOINHERIT", 0)
)
# What the disk refused to take is lost; any other error only means that there is no such call.
_LOST: Final = frozenset({errno.EIO, errno.ENOSPC, errno.EDQUOT})
_numbers = count()


def write_unsynced_temporary(directory: str, pieces: Iterable[bytes | memoryview]) -> str:
    """Write `pieces` to a new `.tmp-*` file (0600) in `directory`; `sync_files` is still due.

    When the pieces fail, no file is left and the error passes.
    """
    descriptor, path = _create(directory)
    try:
        try:
            for piece in pieces:
                _write(descriptor, piece)
        finally:
            os.close(descriptor)
    except BaseException:
        with suppress(FileNotFoundError):
            os.unlink(path)
        raise
    return path


def replace_files(files: Sequence[tuple[str, Iterable[bytes | memoryview]]]) -> None:
    """Give files, by path, new content (0600), durably: first all are written, then all named."""
    temporaries: list[tuple[str, str]] = []
    try:
        for path, pieces in files:
            temporaries.append((write_unsynced_temporary(os.path.dirname(path), pieces), path))
        sync_files([temporary for temporary, _ in temporaries])
        while temporaries:
            os.replace(*temporaries[0])
            del temporaries[0]
    finally:
        for temporary, _ in temporaries:
            with suppress(OSError):
                os.unlink(temporary)
    sync_directories({os.path.dirname(path) for path, _ in files})


def sync_files(paths: Collection[str]) -> None:
    """Make the content of files durable. They must still be writable."""
    if len(paths) < _MANY or not _sync_file_systems(set(map(os.path.dirname, paths))):
        _each(_sync_file, paths)


def sync_directories(directories: Collection[str]) -> None:
    """Make renames in directories durable, where the system can."""
    if len(directories) < _MANY or not _sync_file_systems(directories):
        _each(sync_directory, directories)


def _create(directory: str) -> tuple[int, str]:
    while True:
        path = f"{directory}{os.sep}{TEMPORARY_PREFIX}{os.getpid():x}-{next(_numbers):x}"
        try:
            return os.open(path, _NEW_FILE, PRIVATE_FILE), path
        except FileExistsError:  # left by a process that had the same number
            continue


def _write(descriptor: int, piece: bytes | memoryview) -> None:
    written = os.write(descriptor, piece)
    while written < len(piece):  # above 2 GiB, or the disk is nearly full
        written += os.write(descriptor, memoryview(piece)[written:])


def _sync_file(path: str) -> None:
    descriptor = os.open(path, os.O_RDWR)  # Windows flushes only what is open for writing
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def _each(sync: Callable[[str], None], paths: Collection[str]) -> None:
    if len(paths) <= _FEW:
        for path in paths:
            sync(path)
        return
    with ThreadPoolExecutor(min(_THREADS, len(paths))) as pool:
        for _ in pool.map(sync, paths):
            pass


def _sync_file_systems(directories: Iterable[str]) -> bool:
    """Flush all that waits on the file systems of `directories`; False where that is no way."""
    flush = _find_syncfs()
    if flush is None:
        return False
    one_of_each = {os.stat(directory).st_dev: directory for directory in directories}
    return all(_sync_file_system(flush, directory) for directory in one_of_each.values())


def _sync_file_system(flush: Callable[[int], int], directory: str) -> bool:
    descriptor = os.open(directory, os.O_RDONLY)
    try:
        code = flush(descriptor)
    finally:
        os.close(descriptor)
    if code in _LOST:
        raise OSError(code, os.strerror(code), directory)
    return code == 0


@cache
def _find_syncfs() -> Callable[[int], int] | None:
    """Linux's `syncfs`, which gives back 0 or the number of an error; None elsewhere."""
    if sys.platform != "linux":
        return None
    import ctypes  # a start that writes few files does without

    try:
        syncfs = ctypes.CDLL(None, use_errno=True).syncfs
    except (OSError, AttributeError):
        return None
    return lambda descriptor: (ctypes.get_errno() or errno.ENOSYS) if syncfs(descriptor) else 0
