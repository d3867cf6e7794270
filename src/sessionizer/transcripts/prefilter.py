"""Which lines may hold a match, told from their bytes alone.

A line is passed over only when no text made from it can hold a match. A text is made of
pieces of its line and of a few fixed words, so a line may match when it holds a needle, an
escape that can spell one, or what a needle made of fixed words needs.

Source: docs/commands/csift-search.md, "Why a filter cannot hide a match".
"""

import re
from collections.abc import Iterator
from typing import NamedTuple

from msgspec import Struct

from sessionizer.claude_code.markers import ANSWER_OPENINGS, NOTIFICATION_OPEN
from sessionizer.transcripts.gates import Gates
from sessionizer.transcripts.labels import BOUNDARY_SUBTYPE, SUBTYPES
from sessionizer.transcripts.literals import Buffer, Finder, make_finder
from sessionizer.transcripts.pattern.needles import Needle, Needles
from sessionizer.transcripts.persisted import MARKERS
from sessionizer.transcripts.taxonomy import BOUNDARY, SNAPSHOT, SYSTEM

# k and s have a partner beyond ASCII under Unicode case folding.
KELVIN_SIGN, LONG_S = "\u212a".encode(), "\u017f".encode()
_ESCAPE = b"\\u00"
# An escape can spell an ASCII character, or, in a tool's input, become a shorter escape whose
# letter then stands before the text. What is written `\u001b` stays `\u001b`.
_TELLING_ESCAPE = re.compile(rb"\\u00(?:[2-7][0-9a-fA-F]|0[0-9a-fA-F]|1[A-F])")
_ANY_ESCAPE = b"\\u"


class Synthesis(Struct, frozen=True):
    """Texts of one sort that are made from pieces and fixed words.

    Attributes:
        markers: Bytes of which every such line holds one.
        words: The fixed words, in lower case.
        glue: Characters that stand between a fixed word and a piece without a space.
        numbered: Letters that stand before a running number.
    """

    markers: tuple[bytes, ...]
    words: tuple[str, ...]
    glue: str = ""
    numbered: str = ""

    def may_make(self, needle: Needle) -> bool:
        """Whether a needle may be in such a text without being in its line."""
        text = needle.text.lower()
        return (
            any(text in word for word in self.words)
            or any(mark in text for mark in self.glue)
            or (text[:1] in self.numbered and text[1:].isdigit())
        )


SYNTHESES = (
    Synthesis(
        (NOTIFICATION_OPEN.encode(),),
        ("background-command", "workflow", "agent", "monitor", "task", "completed"),
    ),
    Synthesis(
        (b'"answers"', b'"response"', *(opening.encode() for opening in ANSWER_OPENINGS)),
        ("askuserquestion", "question", "questions", "note", "response"),
        glue="()",
        numbered="qa",
    ),
    Synthesis((b"stopped by the user",), ("subagent", "stopped")),
    Synthesis((b"To tell you how to proceed",), ("plan",)),
    Synthesis(
        (BOUNDARY_SUBTYPE.encode(),),
        ("compaction", "boundary", "logicalparent"),
        glue="=",
    ),
)
# The path of a refused plan stands on the line that proposed it, not on the refusal.
BORROWING = (b"To tell you how to proceed",)


class Place(NamedTuple):
    """What makes a line one that may match.

    Attributes:
        find: Finds it in a block.
        tells: What must stand there or further on in the line; None when finding is enough.
    """

    find: Finder
    tells: re.Pattern[bytes] | None = None


class LineFilter:
    """Tells which lines of a file may match; made once per search."""

    def __init__(self, needles: Needles, gates: Gates, *, persisted: bool = False) -> None:
        self._sensitive = [needle.text.encode() for needle in needles if not needle.folded]
        self._folded = [needle.text.encode() for needle in needles if needle.folded]
        self._markers = (*_list_markers(needles, gates), *(MARKERS if persisted else ()))
        beyond_ascii = any(not needle.text.isascii() for needle in needles)
        self._any_escape = bool(self._folded) or beyond_ascii
        letters = {letter for needle in needles if needle.folded for letter in needle.text}
        self._partners = tuple(
            partner for letter, partner in (("k", KELVIN_SIGN), ("s", LONG_S)) if letter in letters
        )
        self._literals = (*self._sensitive, *self._partners, *self._markers)

    def places(self) -> tuple[Place, ...]:
        """What to look for in a block of lines: each line with such a place may match."""
        return (
            *(Place(make_finder(literal, folded=False)) for literal in self._literals),
            *(Place(make_finder(literal, folded=True)) for literal in self._folded),
            Place(make_finder(_ANY_ESCAPE, folded=False))
            if self._any_escape
            else Place(make_finder(_ESCAPE, folded=False), _TELLING_ESCAPE),
        )

    def borrowing_places(self) -> tuple[Place, ...]:
        """What else to look for in a file that is known to hold a match."""
        return tuple(Place(make_finder(marker, folded=False)) for marker in BORROWING)

    def may_match(self, body: Buffer) -> bool:
        """Whether a text made from this line, seen alone, can hold a match."""
        if any(literal in body for literal in self._literals):
            return True
        if self._folded:
            lowered = body[:].lower()
            if any(literal in lowered for literal in self._folded):
                return True
        if self._any_escape:
            return _ANY_ESCAPE in body[:]
        return _ESCAPE in body[:] and _TELLING_ESCAPE.search(body) is not None

    def may_borrow(self, body: bytes) -> bool:
        """Whether its text may hold something that stands on another line of its file."""
        return any(marker in body for marker in BORROWING)


def make_filter(
    needles: Needles | None, gates: Gates, *, persisted: bool = False
) -> LineFilter | None:
    """A filter, or None when every line may match.

    Args:
        needles: Every match contains one of them.
        gates: Which lines are records.
        persisted: Whether the text of a result may lie in another file.
    """
    return None if needles is None else LineFilter(needles, gates, persisted=persisted)


def _list_markers(needles: Needles, gates: Gates) -> Iterator[bytes]:
    for synthesis in SYNTHESES:
        if any(synthesis.may_make(needle) for needle in needles):
            yield from synthesis.markers
    # Texts of these lines are made of numbers and fixed words throughout.
    yield from (word.encode() for word, leaf in SUBTYPES.items() if leaf in gates.leaves)
    if BOUNDARY in gates.leaves and SYSTEM in gates.leaves:
        yield BOUNDARY_SUBTYPE.encode()
    if SNAPSHOT in gates.leaves:
        yield b'"file-history-'
    if SYSTEM in gates.leaves:
        yield b'"subtype"'
