"""Which rules turned evidence into structure: parser, policy and dialect of a chain.

A chain holds one interpretation. A newer program starts a new generation of the chain
beside the old one; an older program may not go on.
"""

import re
from enum import Enum
from typing import Final

from msgspec import Struct

_NUMBERED = re.compile(r"(.*?)v?([0-9]{1,18})(\+.*)?", re.DOTALL)


def policy_text(idle_gap_ms: int) -> str:
    """The policy with this idle gap, in Go's notation of durations: `v1+idle=10m0s`."""
    return f"v1+idle={_duration_text(idle_gap_ms)}"


def _duration_text(duration_ms: int) -> str:
    if 0 < duration_ms < 1000:
        return f"{duration_ms}ms"
    seconds, fraction = divmod(duration_ms, 1000)
    minutes, seconds = divmod(seconds, 60)
    hours, minutes = divmod(minutes, 60)
    tail = f".{fraction:03d}".rstrip("0") if fraction else ""
    text = f"{seconds}{tail}s"
    if hours:
        return f"{hours}h{minutes}m{text}"
    return f"{minutes}m{text}" if minutes else text


IDLE_GAP_MS: Final = 600_000
PARSER: Final = "v2"
POLICY: Final = policy_text(IDLE_GAP_MS)


class Age(Enum):
    """How one interpretation stands to another."""

    SAME = "same"
    NEWER = "newer"
    OLDER = "older"
    INCOMPARABLE = "incomparable"


class Interpretation(Struct, frozen=True):
    """Parser, policy and dialect; the dialect is empty in chains of parser `v1`."""

    parser: str
    policy: str
    dialect: str

    def __str__(self) -> str:
        return f"parser {self.parser}, policy {self.policy}, dialect {self.dialect or 'unstated'}"


def compare_interpretations(one: Interpretation, other: Interpretation) -> Age:
    """How `one` stands to `other`.

    Newer means: no part is older, and one is newer. Parts compare by their number; parts
    that differ in anything else (another agent's dialect, another idle gap) do not compare.
    """
    ages = {
        _compare(one.parser, other.parser),
        _compare(one.policy, other.policy),
        _compare(one.dialect, other.dialect),
    } - {Age.SAME}
    if not ages:
        return Age.SAME
    return ages.pop() if len(ages) == 1 else Age.INCOMPARABLE


def _compare(one: str, other: str) -> Age:
    if one == other:
        return Age.SAME
    if not one or not other:
        return Age.NEWER if one else Age.OLDER
    ours, theirs = _NUMBERED.fullmatch(one), _NUMBERED.fullmatch(other)
    if ours is None or theirs is None or ours[1] != theirs[1] or int(ours[2]) == int(theirs[2]):
        return Age.INCOMPARABLE
    return Age.NEWER if int(ours[2]) > int(theirs[2]) else Age.OLDER
