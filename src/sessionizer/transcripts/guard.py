"""Which working directory a transcript comes from. Several paths share one encoded name.

Kept free of msgspec and typing: every start comes through here.
"""

# ruff: noqa: PTH123

import json
import re

from sessionizer.base.plain import Plain
from sessionizer.claude_code.directory_names import normalise_windows

HEAD_BYTES = 64 * 1024

_CWD = re.compile(rb'"cwd"\s*:\s*("(?:[^"\\]|\\.)*")')


class WorkingDirectory(Plain):
    """A directory as the user named it.

    Attributes:
        spellings: Its absolute path: real, and as typed.
        windows: Whether it is a Windows path, which is compared without case.
    """

    __slots__ = ("spellings", "windows")
    spellings: tuple[str, ...]
    windows: bool

    def __init__(self, spellings: tuple[str, ...], *, windows: bool) -> None:
        self._set(spellings=spellings, windows=windows)

    def is_same(self, path: str) -> bool:
        """Whether `path`, from a transcript, is this directory."""
        if self.windows:
            wanted = {spelling.casefold() for spelling in self.spellings}
            return normalise_windows(path).casefold() in wanted
        return _trim(path) in {_trim(spelling) for spelling in self.spellings}


def is_foreign(path: str, working: WorkingDirectory) -> bool:
    """Whether the transcript's first line names another directory. Unknown is not foreign."""
    cwd = read_first_cwd(path)
    return cwd is not None and not working.is_same(cwd)


def read_first_cwd(path: str) -> str | None:
    """The `cwd` on a transcript's first line, of which at most 64 KiB are read."""
    try:
        with open(path, "rb") as file:
            line = file.readline(HEAD_BYTES)
    except OSError:
        return None
    line = line.removeprefix(b"\xef\xbb\xbf").strip(b"\0 \t\r\n")
    try:
        record = json.loads(line)
    except (ValueError, RecursionError):
        return _search_cwd(line)
    cwd = record.get("cwd") if isinstance(record, dict) else None
    return cwd if isinstance(cwd, str) and cwd else None


def _search_cwd(line: bytes) -> str | None:
    """The `cwd` of a line that is cut or damaged."""
    found = _CWD.search(line)
    if found is None:
        return None
    try:
        cwd = json.loads(found[1])
    except ValueError:
        return None
    return cwd if isinstance(cwd, str) and cwd else None


def _trim(path: str) -> str:
    return path.rstrip("/") or "/"
