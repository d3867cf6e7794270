"""Where the bytes of a path are opened: on disk, or restored from what is kept.

Every reader here asks for the place right before it opens one. A process reads the live home,
or has an archive put in its place, once, before anything is read.

Kept free of msgspec and typing: every start comes through here.
"""

# ruff: noqa: PTH112, PTH116, PTH118, PTH120, PTH208

import os

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Protocol

    class Restorer(Protocol):
        """Gives kept sources a place on disk."""

        def holds(self, path: str) -> bool:
            """Whether the bytes of a path are the kept ones."""

        def restore(self, path: str) -> str:
            """A file with the kept bytes of a path; valid until the next call."""

        def size(self, path: str) -> int:
            """How many bytes are kept of a path."""

        def list_directory(self, directory: str) -> tuple[str, ...]:
            """The paths in a directory whose bytes are the kept ones."""


class _Process:
    """What this process reads beside the disk."""

    restorer: "Restorer | None" = None


def use_restorer(restorer: "Restorer | None") -> None:
    """Read the paths that `restorer` holds from it; None reads everything from disk."""
    _Process.restorer = restorer


def place_of(path: str) -> str:
    """Where to open `path`. Ask again for every opening.

    Raises:
        OSError: Kept bytes can not be restored.
    """
    restorer = _Process.restorer
    return restorer.restore(path) if restorer is not None and restorer.holds(path) else path


def is_kept(path: str) -> bool:
    """Whether the bytes of `path` come from what is kept."""
    restorer = _Process.restorer
    return restorer is not None and restorer.holds(path)


def count_bytes(path: str) -> int:
    """How many bytes `path` has.

    Raises:
        OSError: It is not there.
    """
    restorer = _Process.restorer
    if restorer is not None and restorer.holds(path):
        return restorer.size(path)
    return os.stat(path).st_size


def list_beside(path: str) -> tuple[str, ...]:
    """The other files in the directory of `path`, by name; what is kept counts as there."""
    directory = os.path.dirname(path)
    restorer = _Process.restorer
    found = set(restorer.list_directory(directory) if restorer is not None else ())
    if os.path.isdir(directory):
        found.update(os.path.join(directory, name) for name in os.listdir(directory))
    return tuple(sorted(found - {path}))
