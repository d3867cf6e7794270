"""Which of an agent's messages in a turn are worth their place. Pure."""

import re
from collections.abc import Sequence

from msgspec import Struct

LONGEST, LAST, RICH, ALL = "longest", "eot-only", "rich", "all"

_NEAR = 16
_NUMBER = re.compile(r"[0-9]{2,}")
_COUNTED = re.compile(
    r"\b(?:passed|failed|tests?|errors?|files?|chars|lines?|ops|cases?)\b", re.IGNORECASE
)
_EVIDENCE = re.compile(
    r"\b[0-9]+/[0-9]+\b"
    r"|\b[0-9]+ of [0-9]+\b"
    r"|[A-Za-z0-9_-]\.[A-Za-z0-9_]+:[0-9]+"
    r"|(?<![\w./-])(?:src|tests)/"
    r"|`[^`]+`"
)
_WORDS = re.compile(
    r"\b(?:found|confirmed|verified|proven|proof|root cause|root-cause|defer|deferred|fails|"
    r"failed|failure|error|bug|correction|corrected|fix|fixed|regression)\b",
    re.IGNORECASE,
)
_HEX = re.compile(r"\b[0-9a-fA-F]{7,40}\b")
_DECLARATIONS = (
    "let me",
    "i'll",
    "i will",
    "now i",
    "now let",
    "next i",
    "next,",
    "let's",
)
_OPENING = 24


class Profile(Struct, frozen=True, kw_only=True):
    """How much is kept.

    Attributes:
        run_threshold: Up to so many messages are all kept by `rich`.
        rich_min: A message of so many characters is rich.
        declaration_max: A declaration of fewer characters may be dropped.
    """

    run_threshold: int
    rich_min: int
    declaration_max: int


DEFAULT = Profile(run_threshold=6, rich_min=280, declaration_max=200)
PROFILES = {
    "heavy": Profile(run_threshold=4, rich_min=200, declaration_max=140),
    "light": Profile(run_threshold=8, rich_min=360, declaration_max=240),
}


def keep_messages(texts: Sequence[str], *, mode: str, profile: Profile) -> tuple[bool, ...]:
    """Whether each message of a turn is kept.

    Args:
        texts: In order.
        mode: `longest`, `eot-only`, `rich` or `all`.
        profile: How much.
    """
    last = len(texts) - 1
    if len(texts) < 2 or mode == ALL:
        return (True,) * len(texts)
    if mode == LAST:
        return tuple(index == last for index in range(len(texts)))
    if mode == RICH:
        if len(texts) <= profile.run_threshold:
            return (True,) * len(texts)
        return tuple(
            index in (0, last) or not is_droppable(text, profile)
            for index, text in enumerate(texts)
        )
    longest = max(range(len(texts)), key=lambda index: (len(texts[index]), index))
    return tuple(
        index == longest
        or (len(text) >= profile.rich_min if index == 0 else is_rich(text, profile))
        for index, text in enumerate(texts)
    )


def is_rich(text: str, profile: Profile) -> bool:
    """Whether a message holds something that a reader would miss."""
    return (
        len(text) >= profile.rich_min
        or _EVIDENCE.search(text) is not None
        or _WORDS.search(text) is not None
        or any(not found.group().isdigit() for found in _HEX.finditer(text))
        or _counts_something(text)
    )


def is_droppable(text: str, profile: Profile) -> bool:
    """Whether a message only says what comes next."""
    return (
        len(text) < profile.declaration_max
        and text[:_OPENING].lower().startswith(_DECLARATIONS)
        and not is_rich(text, profile)
    )


def _counts_something(text: str) -> bool:
    """Whether a number of two digits or more stands near a word for what is counted."""
    words = [found.span() for found in _COUNTED.finditer(text)]
    if not words:
        return False
    return any(
        max(start - number.end(), number.start() - end) <= _NEAR
        for number in _NUMBER.finditer(text)
        for start, end in words
    )
