"""Where Claude Code keeps its files on this machine.

Kept free of msgspec and typing: `csift list --help` loads this module.

Source: docs/formats/transcript.md, "Home".
"""

import ntpath
import os
import posixpath
import sys
from collections.abc import Callable, Mapping
from contextlib import suppress

from sessionizer.base.errors import SessionizerError
from sessionizer.base.plain import Plain


class NoHomeError(SessionizerError):
    """No rule gives a home directory.

    Attributes:
        variable: The environment variable that should name it.
    """

    def __init__(self, variable: str) -> None:
        super().__init__(
            f"cannot tell where Claude Code keeps its files: {variable} is not set",
            hint="pass --claude-home DIR, or set CLAUDE_CONFIG_DIR",
        )
        self.variable = variable


class HomeChoice(Plain):
    """The directory to read, and which rule chose it.

    Attributes:
        path: As it was named; it need not exist.
        source: `flag`, `CLAUDE_CONFIG_DIR`, `XDG_CONFIG_HOME` or `default`.
        others: Further homes that CLAUDE_CONFIG_DIR names; they are not read.
    """

    __slots__ = ("path", "source", "others")  # noqa: RUF023 - the order in which they are shown
    path: str
    source: str
    others: tuple[str, ...]

    def __init__(self, path: str, source: str, others: tuple[str, ...] = ()) -> None:
        self._set(path=path, source=source, others=others)


def read_home(flag: str | None) -> HomeChoice:
    """The home on this machine; `flag` is the value of `--claude-home`, if given.

    Raises:
        NoHomeError: As `resolve_home`.
    """
    return resolve_home(flag=flag, environ=os.environ, platform=sys.platform, is_dir=os.path.isdir)


def resolve_home(
    *,
    flag: str | None,
    environ: Mapping[str, str],
    platform: str,
    is_dir: Callable[[str], bool],
) -> HomeChoice:
    """Choose the home: the flag, CLAUDE_CONFIG_DIR, `.claude`, then the XDG place.

    The XDG place is taken only when `.claude` has no `projects` directory and it has one.
    An empty flag or variable counts as unset.

    Args:
        flag: The value of `--claude-home`.
        environ: Environment variables.
        platform: As `sys.platform`.
        is_dir: Whether a path is a directory.

    Raises:
        NoHomeError: Neither flag nor CLAUDE_CONFIG_DIR is given, or one starts with `~/`,
            and the variable that names the user's directory is not set.
    """
    places = _Places(environ, platform)
    if flag:
        return HomeChoice(places.expand(flag), "flag")
    configured = environ.get("CLAUDE_CONFIG_DIR", "")
    if configured.strip():
        first, *others = _split_homes(configured, is_dir=is_dir)
        more = tuple(map(places.expand, others))
        return HomeChoice(places.expand(first), "CLAUDE_CONFIG_DIR", more)
    default = places.default()
    if not is_dir(places.join(default, "projects")):
        alternative = places.alternative()
        if is_dir(places.join(alternative, "projects")):
            return HomeChoice(alternative, "XDG_CONFIG_HOME")
    return HomeChoice(default, "default")


def list_homes(
    *, environ: Mapping[str, str], platform: str, is_dir: Callable[[str], bool]
) -> tuple[str, ...]:
    """Every home with a `projects` directory that a rule could choose, in the rules' order.

    Arguments as of `resolve_home`. Never raises: a rule that cannot be followed gives none.
    """
    places = _Places(environ, platform)
    configured = environ.get("CLAUDE_CONFIG_DIR", "")
    named = _split_homes(configured, is_dir=is_dir) if configured.strip() else []
    found: list[str] = []
    with suppress(NoHomeError):
        found += map(places.expand, named)
    with suppress(NoHomeError):
        found += (places.default(), places.alternative())
    return tuple(dict.fromkeys(each for each in found if is_dir(places.join(each, "projects"))))


class _Places:
    """Paths as the platform writes them."""

    def __init__(self, environ: Mapping[str, str], platform: str) -> None:
        self._environ = environ
        self._is_windows = platform == "win32"
        self.join = ntpath.join if self._is_windows else posixpath.join

    def user(self) -> str:
        return _require("USERPROFILE" if self._is_windows else "HOME", self._environ)

    def expand(self, path: str) -> str:
        begins = ("~/", "~\\") if self._is_windows else ("~/",)
        if path == "~" or path.startswith(begins):
            return self.join(self.user(), path[2:]) if path[2:] else self.user()
        return path

    def default(self) -> str:
        return self.join(self.user(), ".claude")

    def alternative(self) -> str:
        base = self._environ.get("XDG_CONFIG_HOME") or self.join(self.user(), ".config")
        return self.join(self.expand(base), "claude")


def _split_homes(configured: str, *, is_dir: Callable[[str], bool]) -> list[str]:
    # A directory's own name may hold a comma.
    if "," not in configured or is_dir(configured):
        return [configured]
    return [part.strip() for part in configured.split(",") if part.strip()] or [configured]


def _require(variable: str, environ: Mapping[str, str]) -> str:
    if value := environ.get(variable):
        return value
    raise NoHomeError(variable)
