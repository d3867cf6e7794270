"""Read sources: by windows of whole lines, or whole. Sources are only ever opened for reading."""

# ruff: noqa: PTH116, PTH123 - a path object per file doubles the cost of a small one

import os
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager
from io import FileIO
from pathlib import Path
from stat import S_ISREG
from typing import Final, Protocol

from sessionizer.landing.errors import SourceError
from sessionizer.landing.tail import SourceStat, consumable_size

# A line above this is refused: it could not be held in memory beside its record.
MAX_LINE_BYTES: Final = 512 << 20
_CHUNK: Final = 1 << 20


class OpenSource(Protocol):
    """Bytes that were opened once: what is read belongs to what was seen."""

    def stat(self) -> SourceStat:
        """What they look like now."""

    def read(self, offset: int, size: int) -> bytes:
        """Up to `size` bytes from `offset`; fewer only where they end."""


class ByteSource(Protocol):
    """Bytes that may grow: a file, or a filtered view of one."""

    def stat(self) -> SourceStat | None:
        """What it looks like now, without opening it; None when it is gone."""

    def open(self) -> AbstractContextManager[OpenSource]:
        """Open it for reading."""


class FileSource:
    """A file."""

    def __init__(self, path: Path | str) -> None:
        self.path = path

    def stat(self) -> SourceStat | None:
        """What the file looks like now; None when it is gone."""
        try:
            return _seen(os.stat(self.path))
        except (FileNotFoundError, NotADirectoryError):
            return None

    @contextmanager
    def open(self) -> Iterator[OpenSource]:
        """Open the file.

        Raises:
            SourceError: It is no regular file; a pipe would be waited for without end.
        """
        if not S_ISREG(os.stat(self.path).st_mode):
            raise SourceError(os.path.basename(self.path), "not a regular file")  # noqa: PTH119
        with open(self.path, "rb", buffering=0) as file:
            yield _OpenFile(file)


class _OpenFile:
    def __init__(self, file: FileIO) -> None:
        self._file = file

    def stat(self) -> SourceStat:
        return _seen(os.fstat(self._file.fileno()))

    def read(self, offset: int, size: int) -> bytes:
        self._file.seek(offset)
        pieces = []
        while size > 0 and (piece := self._file.read(min(size, _CHUNK))):
            pieces.append(piece)
            size -= len(piece)
        return b"".join(pieces)


class ViewSource:
    """A view of a file, held in memory. It has no inode, and the time of its file."""

    def __init__(self, body: bytes, mtime_ns: int) -> None:
        self.body = body
        self.mtime_ns = mtime_ns

    def stat(self) -> SourceStat:
        """Size of the view, time of the file."""
        return SourceStat(dev=0, ino=0, size=len(self.body), mtime_ns=self.mtime_ns)

    def read(self, offset: int, size: int) -> bytes:
        """Up to `size` bytes from `offset`."""
        return self.body[offset : offset + size]

    @contextmanager
    def open(self) -> Iterator[OpenSource]:
        """The view itself."""
        yield self


def _seen(found: os.stat_result) -> SourceStat:
    return SourceStat(
        dev=found.st_dev, ino=found.st_ino, size=found.st_size, mtime_ns=found.st_mtime_ns
    )


def read_window(source: OpenSource, offset: int, end: int, window: int, src: str) -> bytes:
    """The whole lines in the `window` bytes from `offset`, never beyond `end`.

    A line that is longer than the window comes alone. Without a newline before `end` there
    is nothing to consume.

    Raises:
        SourceError: A line is longer than `MAX_LINE_BYTES`. `src` names the source.
    """
    body = source.read(offset, min(window, end - offset))
    if size := consumable_size(body):
        return body[:size]
    pieces = [body]
    seen = len(body)
    while body and offset + seen < end:
        if seen > MAX_LINE_BYTES:
            raise SourceError(
                src, f"the line at byte {offset} is longer than {MAX_LINE_BYTES} bytes"
            )
        body = source.read(offset + seen, min(_CHUNK, end - offset - seen))
        seen += len(body)
        stop = body.find(b"\n") + 1
        if stop:
            return b"".join([*pieces, body[:stop]])
        pieces.append(body)
    return b""


def iter_file(path: Path) -> Iterator[bytes]:
    """The bytes of a file in pieces of up to 1 MiB."""
    with path.open("rb", buffering=0) as file:
        while piece := file.read(_CHUNK):
            yield piece


def is_prefix_of(shorter: Path, longer: Path) -> bool:
    """Whether the first file's bytes are the beginning of the second's, or all of it.

    A file that can not be read is no prefix.
    """
    try:
        if shorter.stat().st_size > longer.stat().st_size:
            return False
        with shorter.open("rb") as left, longer.open("rb") as right:
            while piece := left.read(_CHUNK):
                if right.read(len(piece)) != piece:
                    return False
    except OSError:
        return False
    return True
