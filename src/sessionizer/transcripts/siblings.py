"""Which other records of an exchange are shown beside its hits. Pure."""

from collections.abc import Iterable

from msgspec import Struct

from sessionizer.transcripts.exchanges import Hit
from sessionizer.transcripts.taxonomy import NARRATION, THINKING, TOOL_RESULT, TOOL_USE

_CAPS = {THINKING: 2, NARRATION: 1, TOOL_USE: 3, TOOL_RESULT: 3}
HARNESS_CAP = 2


class Siblings(Struct, frozen=True):
    """What is shown, in file order, and how many more there are."""

    shown: tuple[Hit, ...]
    hidden: int


def cap_siblings(views: Iterable[Hit]) -> Siblings:
    """The first few views of every label; messages and communication are never cut."""
    counts: dict[str, int] = {}
    shown = []
    hidden = 0
    for view in views:
        counts[view.label] = counts.get(view.label, 0) + 1
        cap = sibling_cap(view.label)
        if cap is None or counts[view.label] <= cap:
            shown.append(view)
        else:
            hidden += 1
    return Siblings(tuple(shown), hidden)


def sibling_cap(label: str) -> int | None:
    """How many siblings of a label are shown; None for all."""
    return HARNESS_CAP if label.startswith("harness.") else _CAPS.get(label)
