"""Errors about the storage root and what lies in it."""

from pathlib import Path

from sessionizer.base.errors import SessionizerError


class NoStorageRootError(SessionizerError):
    """There is no storage root at this place.

    Attributes:
        root: Where it was looked for.
    """

    def __init__(self, root: Path) -> None:
        super().__init__(
            f"no storage root at {root}: run `asz collect` first",
            hint="`asz collect` creates it; --root DIR names another",
        )
        self.root = root


class BadNameError(SessionizerError):
    """A name that would become part of a path is not a plain one.

    Attributes:
        name: The name as given.
    """

    def __init__(self, what: str, name: str) -> None:
        super().__init__(
            f"{what} {name!r} can not be a name in the storage root",
            hint="letters, digits, `.`, `_` and `-` only, at most 128",
        )
        self.name = name


class DamagedFileError(SessionizerError):
    """A file of ours does not hold what it says.

    Attributes:
        path: The file.
        problem: What is wrong with it, without the file's name.
    """

    def __init__(self, path: Path, problem: str) -> None:
        super().__init__(
            f"{path.name}: {problem} ({path.parent})",
            hint="restore it from a copy, or remove it and derive it again from its raw file",
        )
        self.path, self.problem = path, problem


class CursorKindError(SessionizerError):
    """A cursor stands where one of another kind belongs; it is left alone.

    Attributes:
        path: The cursor.
    """

    def __init__(self, path: Path, *, expected: str, found: str) -> None:
        super().__init__(
            f"cursor {path} is of kind {found!r}, expected {expected!r}",
            hint="move the file away; it is rebuilt from the landed files",
        )
        self.path = path


class SourceError(SessionizerError):
    """One source can not be kept now; the others are.

    Attributes:
        src: The source, relative to the source root.
    """

    def __init__(self, src: str, problem: str) -> None:
        super().__init__(f"{src}: {problem}")
        self.src = src
