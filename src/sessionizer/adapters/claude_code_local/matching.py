"""Whether a session is collected, by the names of its project directories. Pure.

All files of a session are collected, or none. Directory names can not be turned back into
paths, so a pattern that is a path is turned into names instead.
Source: docs/formats/storage.md, "Include and exclude".
"""

import fnmatch
import re
from collections.abc import Iterable
from typing import Final

from msgspec import Struct

from sessionizer.claude_code.directory_names import encode_directory, truncated_prefix

DEFAULT_EXCLUDE: Final = ("/private/tmp/**",)

_SUBTREE: Final = "/**"
_DRIVE: Final = re.compile(r"[A-Za-z]:")
_OLD_SPELLING: Final = str.maketrans("/. ", "---")


class Pattern(Struct, frozen=True):
    """One pattern, ready to match.

    Attributes:
        names: What a directory may be called: the pattern itself, or the spellings of a path.
        subtree: It also stands for directories below.
        is_glob: `*`, `?` and `[...]` in `names` have a meaning.
    """

    names: tuple[str, ...]
    subtree: bool = False
    is_glob: bool = True

    def matches(self, directory: str) -> bool:
        """Whether the project directory named `directory` matches."""
        return any(self._matches_name(directory, name) for name in self.names)

    def _matches_name(self, directory: str, name: str) -> bool:
        if directory == name:
            return True
        if self.subtree and directory.startswith(name + "-"):
            return True
        if not self.is_glob:
            # The writer cuts a long name and adds a hash that can not be computed here.
            cut = truncated_prefix(name)
            return cut is not None and directory.startswith(cut)
        return fnmatch.fnmatchcase(directory, name)


def parse_patterns(texts: Iterable[str]) -> tuple[Pattern, ...]:
    """Patterns as they stand in a configuration; empty ones are dropped."""
    stripped = (text.strip() for text in texts)
    return tuple(_parse_pattern(text) for text in stripped if text)


def is_collected(
    *,
    primary: str | None,
    projects: Iterable[str],
    include: tuple[Pattern, ...],
    exclude: tuple[Pattern, ...],
) -> bool:
    """Whether a session is collected.

    Only its primary directory is judged, or all of them when it has none. It is left out
    when every judged directory is excluded; else it is collected when nothing is included
    by name or some judged directory is.
    """
    judged = (primary,) if primary is not None else tuple(projects)
    if judged and all(_matches_any(directory, exclude) for directory in judged):
        return False
    return not include or any(_matches_any(directory, include) for directory in judged)


def _matches_any(directory: str, patterns: tuple[Pattern, ...]) -> bool:
    return any(pattern.matches(directory) for pattern in patterns)


def _parse_pattern(text: str) -> Pattern:
    subtree = text.endswith(_SUBTREE)
    name = text.removesuffix(_SUBTREE)
    is_windows = _DRIVE.match(name) is not None
    if is_windows:
        name = name.replace("\\", "/")
    if not is_windows and not name.startswith("/"):
        return Pattern(names=(name,), subtree=subtree, is_glob=not subtree)
    spellings = dict.fromkeys((name.translate(_OLD_SPELLING), encode_directory(name)))
    # A path has no wildcards, but a pattern may: `/home/*/app`.
    globs = (name.translate(_OLD_SPELLING),) if any(mark in name for mark in "*?[") else ()
    return Pattern(
        names=tuple(spellings) if not globs else (*globs, *spellings),
        subtree=subtree,
        is_glob=bool(globs) and not subtree,
    )
