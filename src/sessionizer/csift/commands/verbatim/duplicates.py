"""Tell which words stand in a summary too, by how they begin. Pure."""

import re
from collections.abc import Iterable

from sessionizer.base.text import normalise

LENGTH = 80

_QUOTED = re.compile(r'"([^"]+)"|“([^”]+)”')


def fingerprint(text: str) -> str:
    """How a text begins, without regard to case and white space."""
    return normalise(text.lower())[:LENGTH]


def read_fingerprints(summary: str) -> tuple[str, ...]:
    """The beginnings of what a summary quotes, and of its bullets; without repeats."""
    found: dict[str, None] = {}
    for line in summary.split("\n"):
        quoted = _QUOTED.search(line)
        text = line.strip()
        if quoted is not None:
            words = quoted[1] or quoted[2]
        elif text.startswith("- "):
            words = text[2:]
        else:
            continue
        if print_ := fingerprint(words):
            found[print_] = None
    return tuple(found)


def stands_in(text: str, fingerprints: Iterable[str]) -> bool:
    """Whether a text begins as one of `fingerprints` does, as far as the shorter one goes."""
    own = fingerprint(text)
    return bool(own) and any(
        own.startswith(other) or other.startswith(own) for other in fingerprints
    )
