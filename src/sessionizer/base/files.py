"""Files that are whole or absent: atomic replacement and exclusive publication.

Everything private to a person is created 0700 (directories) and 0600 (files); published
files are 0444 and never change. Where a system has no such modes, or cannot fsync a
directory, that part is skipped without a word.
"""

# ruff: noqa: PTH101, PTH102, PTH112, PTH120 - a path object per directory costs as much as making it

import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

TEMPORARY_PREFIX = ".tmp-"
PRIVATE_FILE = 0o600
PUBLISHED_FILE = 0o444
PRIVATE_DIRECTORY = 0o700


def make_private_directory(path: Path | str) -> list[str]:
    """Create `path` and its missing parents, each 0700 whatever the umask; return these."""
    missing: list[str] = []
    directory = os.fspath(path)
    while not os.path.isdir(directory):
        missing.append(directory)
        directory = os.path.dirname(directory) or os.curdir
    missing.reverse()
    for directory in missing:
        with suppress(FileExistsError):
            os.mkdir(directory, PRIVATE_DIRECTORY)
            os.chmod(directory, PRIVATE_DIRECTORY)
    return missing


def write_temporary(directory: Path, body: bytes, *, mode: int = PRIVATE_FILE) -> Path:
    """Write `body` durably to a new `.tmp-*` file in `directory` and return its path."""
    descriptor, name = tempfile.mkstemp(prefix=TEMPORARY_PREFIX, dir=directory)
    path = Path(name)
    try:
        with os.fdopen(descriptor, "wb") as file:
            file.write(body)
            file.flush()
            os.fsync(file.fileno())
        path.chmod(mode)
    except BaseException:
        path.unlink(missing_ok=True)
        raise
    return path


def write_atomic(path: Path, body: bytes, *, mode: int = PRIVATE_FILE) -> None:
    """Replace `path` by `body`: a reader sees the old file or the new one, never a part."""
    with _removed_on_error(write_temporary(path.parent, body, mode=mode)) as temporary:
        temporary.replace(path)
    sync_directory(path.parent)


def write_exclusive(path: Path, body: bytes, *, mode: int = PUBLISHED_FILE) -> None:
    """Create `path` with `body`, whole or not at all.

    Raises:
        FileExistsError: The name is taken; the file there is left as it is.
    """
    with _removed_on_error(write_temporary(path.parent, body, mode=mode)) as temporary:
        try:
            os.link(temporary, path)
        except FileExistsError:
            raise
        except OSError:  # a file system without hard links
            descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, mode)
            with os.fdopen(descriptor, "wb") as file:
                file.write(body)
                file.flush()
                os.fsync(file.fileno())
        temporary.unlink()
    sync_directory(path.parent)


def remove_temporaries(directory: Path) -> int:
    """Remove left-over `.tmp-*` files directly in `directory`; return how many."""
    removed = 0
    for path in directory.glob(TEMPORARY_PREFIX + "*"):
        path.unlink(missing_ok=True)
        removed += 1
    return removed


def sync_directory(directory: Path | str) -> None:
    """Make renames in `directory` durable, where the system can."""
    with suppress(OSError):
        descriptor = os.open(directory, os.O_RDONLY)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)


@contextmanager
def _removed_on_error(temporary: Path) -> Iterator[Path]:
    try:
        yield temporary
    except BaseException:
        temporary.unlink(missing_ok=True)
        raise
