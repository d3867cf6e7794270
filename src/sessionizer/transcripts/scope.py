"""What a command reads: an ordered list of transcripts, and how it came about. Values only.

Kept free of msgspec and typing: every start comes through here.
"""

from collections.abc import Iterable

from sessionizer.base.plain import Plain
from sessionizer.transcripts.files import Catalogue, TranscriptFile


class Scope(Plain):
    """The transcripts that targets and span select, without repeats, by path.

    Attributes:
        files: In order of their paths.
        catalogue: Everything that could have been meant.
        is_pinned: Whether a target names one transcript, rather than a directory.
        notes: What the user should know about how targets were understood.
    """

    __slots__ = ("catalogue", "files", "is_pinned", "notes")
    files: tuple[TranscriptFile, ...]
    catalogue: Catalogue
    is_pinned: bool
    notes: tuple[str, ...]

    def __init__(
        self,
        files: tuple[TranscriptFile, ...],
        catalogue: Catalogue,
        *,
        is_pinned: bool,
        notes: tuple[str, ...],
    ) -> None:
        self._set(files=files, catalogue=catalogue, is_pinned=is_pinned, notes=notes)

    @property
    def unread(self) -> int:
        """How many things that may hold transcripts the walk could not read."""
        return len(self.catalogue.unread)

    @property
    def is_incomplete(self) -> bool:
        """Whether the walk failed anywhere, so that an answer may lack something."""
        return any(thing.is_failure for thing in self.catalogue.unread)


class ScopeCount(Plain):
    """How many transcripts are in scope, of which sort."""

    __slots__ = ("subagents", "top_level")
    subagents: int
    top_level: int

    def __init__(self, *, top_level: int, subagents: int) -> None:
        self._set(top_level=top_level, subagents=subagents)

    @property
    def total(self) -> int:
        """Both sorts together."""
        return self.top_level + self.subagents


def count_files(files: Iterable[TranscriptFile]) -> ScopeCount:
    """Count transcripts; an agent's is never top-level."""
    sorts = [file.is_subagent for file in files]
    return ScopeCount(top_level=sorts.count(False), subagents=sorts.count(True))
