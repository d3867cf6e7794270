"""Where Claude Code keeps its files on this machine.

Kept free of msgspec and typing: `csift list --help` loads this module.

Source: docs/formats/transcript.md, "Home".
"""

import ntpath
import os
import posixpath
import sys
from collections.abc import Callable, Mapping

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
    windows = platform == "win32"
    join = ntpath.join if windows else posixpath.join
    variable = "USERPROFILE" if windows else "HOME"

    def user_home() -> str:
        return _require(variable, environ)

    def expand(path: str) -> str:
        if path == "~" or path.startswith("~/") or (windows and path.startswith("~\\")):
            return join(user_home(), path[2:]) if path[2:] else user_home()
        return path

    if flag:
        return HomeChoice(expand(flag), "flag")
    configured = environ.get("CLAUDE_CONFIG_DIR", "")
    if configured.strip():
        first, *others = _split_homes(configured, is_dir=is_dir)
        return HomeChoice(expand(first), "CLAUDE_CONFIG_DIR", tuple(map(expand, others)))
    default = join(user_home(), ".claude")
    if not is_dir(join(default, "projects")):
        base = environ.get("XDG_CONFIG_HOME") or join(user_home(), ".config")
        alternative = join(expand(base), "claude")
        if is_dir(join(alternative, "projects")):
            return HomeChoice(alternative, "XDG_CONFIG_HOME")
    return HomeChoice(default, "default")


def _split_homes(configured: str, *, is_dir: Callable[[str], bool]) -> list[str]:
    # A directory's own name may hold a comma.
    if "," not in configured or is_dir(configured):
        return [configured]
    return [part.strip() for part in configured.split(",") if part.strip()] or [configured]


def _require(variable: str, environ: Mapping[str, str]) -> str:
    if value := environ.get(variable):
        return value
    raise NoHomeError(variable)
