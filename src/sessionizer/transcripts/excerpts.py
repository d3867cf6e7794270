"""The part of a text that a hit shows. Pure; all lengths are characters."""

from msgspec import Struct

from sessionizer.base.text import normalise, truncate
from sessionizer.transcripts.pattern.engine import Match

BUDGET = 400
BEFORE = 100


class Excerpt(Struct, frozen=True, gc=False):
    """One line of text, and whether it leaves something out."""

    text: str
    clipped: bool


def cut_excerpt(text: str, match: Match | None, *, whole: bool) -> Excerpt:
    """The window of `text` around its match.

    Args:
        text: What was searched.
        match: Where the pattern stands; None for the empty pattern, which takes the head.
        whole: Show everything.
    """
    if whole:
        return Excerpt(normalise(text), clipped=False)
    if len(text) <= BUDGET or match is None:
        shown = normalise(text)
        return Excerpt(truncate(shown, BUDGET), clipped=len(shown) > BUDGET)
    start = max(match.start - BEFORE, 0)
    stop = start + BUDGET
    after = len(text) - stop
    shown = normalise(text[start:stop])
    head = "…" if start else ""
    tail = f"… (+{after} chars)" if after > 0 else ""
    return Excerpt(f"{head}{shown}{tail}", clipped=bool(head or tail))
