"""What a search asks for, resolved. Values only."""

from collections.abc import Callable

from msgspec import Struct

from sessionizer.transcripts.gates import Gates
from sessionizer.transcripts.pattern.engine import Match
from sessionizer.transcripts.pattern.needles import Needles
from sessionizer.transcripts.ranges import Range
from sessionizer.transcripts.taxonomy import Selection
from sessionizer.transcripts.when import Window

Find = Callable[[str], Match | None]


class Query(Struct, frozen=True, kw_only=True):
    """One search over any number of files.

    Attributes:
        find: The pattern's leftmost match in a text; None matches everything.
        needles: Every match contains one of them; None when nothing is known.
        selection: The labels.
        gates: Which lines are records.
        window: The time.
        turns: Turns by index; None for all, drafts included.
        whole_texts: Excerpts are not cut.
        siblings: Show the other records of a turn as well.
        persisted: Results are searched and shown in their whole stored output.
        folds_copies: Whether exchanges that are copies of another file's are folded.
        subagents: Whether agents' lanes inside a file are read.
    """

    find: Find | None
    needles: Needles | None
    selection: Selection
    gates: Gates
    window: Window
    turns: Range | None = None
    whole_texts: bool = False
    siblings: bool = False
    persisted: bool = False
    folds_copies: bool = False
    subagents: bool = True
