"""Words planted on purpose, so that a search of the corpus has a known answer."""

from typing import NamedTuple


class Needle(NamedTuple):
    """A word to search for.

    Attributes:
        name: What it stands for in the summary and in the runner.
        text: The literal. No generated word holds its letters.
        exactly: How many records hold it; None means often, at `FREQUENT_CHANCE`.
    """

    name: str
    text: str
    exactly: int | None


RARE = Needle("rare", "zephyquix", 6)
HAN = Needle("han", "織雪", 4)
FREQUENT = Needle("frequent", "quoxwick", None)
ABSENT = Needle("absent", "wyxomquaz", 0)

NEEDLES = (RARE, HAN, FREQUENT, ABSENT)
COUNTED = (RARE, HAN)

FREQUENT_CHANCE = 0.4
"""Chance that a plantable text takes `FREQUENT`; about one line in eight holds it then."""
