"""No test reads what the person at the machine keeps: paths that must not be opened.

The rule holds for the whole process, whatever a test does with the environment: an audit
hook sees every `open`, `os.listdir` and `os.scandir`. Attempts raise, and are remembered,
since the program under test may swallow the error.
"""

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import platformdirs

RULE = "no test looks at the developer's own home: build one with tests.build.home.Home"
HANDED_ON = "SESSIONIZER_TEST_PRIVATE_PATHS"
_WATCHED = frozenset({"open", "os.listdir", "os.scandir"})
_REPOSITORY = str(Path(__file__).resolve().parents[2])


class Guard:
    """Paths nobody may open, and the attempts seen so far."""

    def __init__(self, forbidden: tuple[str, ...]) -> None:
        self.forbidden = forbidden
        self.attempts: list[str] = []

    def watch(self, event: str, arguments: tuple[object, ...]) -> None:
        """The audit hook: raises AssertionError when `event` opens a forbidden path."""
        if event not in _WATCHED or not arguments:
            return
        place = arguments[0]
        if isinstance(place, bytes):
            place = os.fsdecode(place)
        if isinstance(place, os.PathLike):
            place = os.fspath(place)
        if not isinstance(place, str):
            return  # a descriptor: it was opened by name before
        if not self.covers(place):
            return
        self.attempts.append(place)
        raise AssertionError(f"{RULE} (touched: {place})")

    def covers(self, place: str) -> bool:
        """Whether `place`, absolute or relative, lies below a forbidden path."""
        # abspath, not resolve: resolving reads links, and would be slow on every open.
        whole = os.path.abspath(place)  # noqa: PTH100
        if whole == _REPOSITORY or whole.startswith(_REPOSITORY + os.sep):
            return False
        return any(whole == path or whole.startswith(path + os.sep) for path in self.forbidden)

    @contextmanager
    def expecting_attempts(self) -> Iterator[None]:
        """Forget what is attempted inside: only for the tests of the guard itself."""
        before = len(self.attempts)
        try:
            yield
        finally:
            del self.attempts[before:]


def find_private_paths(environment: dict[str, str]) -> tuple[str, ...]:
    """Where this machine's user keeps agent data and sessionizer's own, resolved and not."""
    homes = {Path.home(), Path(os.path.expanduser("~"))}  # noqa: PTH111 - $HOME, as programs do
    places = [home / part for home in homes for part in (".claude", ".config/claude", ".codex")]
    places += [
        Path(environment[name]) / below
        for name, below in (("CLAUDE_CONFIG_DIR", ""), ("XDG_CONFIG_HOME", "claude"))
        if environment.get(name)
    ]
    places += [
        platformdirs.user_data_path("sessionizer"),
        platformdirs.user_config_path("sessionizer"),
    ]
    written = {str(place.absolute()) for place in places}
    return tuple(sorted(written | {str(place.resolve()) for place in places}))


def install_guard() -> Guard:
    """Start watching this process; the hook can not be removed again.

    The paths go into the environment: a parallel worker starts with the empty home of its
    parent and could not find the real one.
    """
    inherited = os.environ.get(HANDED_ON)
    forbidden = (
        tuple(inherited.split(os.pathsep)) if inherited else find_private_paths(dict(os.environ))
    )
    os.environ[HANDED_ON] = os.pathsep.join(forbidden)
    guard = Guard(forbidden)
    sys.addaudithook(guard.watch)
    return guard
