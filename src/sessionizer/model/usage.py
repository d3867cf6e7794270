"""Tokens of one provider call: several claims about one number, and what they are worth.

The fragments of a call repeat a running total, the final one, or a placeholder. So per
counter the largest value counts, and never a sum.

The rule is over plain numbers, because the collector applies it to landed records and the
search to source lines.
"""

from collections.abc import Iterable
from typing import Final

from msgspec import Struct

from sessionizer.model.kinds import USAGE_ABSENT, USAGE_PARTIAL, USAGE_REPORTED, USAGE_STUB

# A placeholder is written before the answer is: a few tokens beside more text than as many
# tokens can hold.
STUB_TOKENS: Final = 8
BYTES_PER_TOKEN: Final = 8


class Usage(Struct, frozen=True, kw_only=True, gc=False):
    """Token counters, each None when nobody stated it. None and 0 are different answers."""

    input: int | None = None
    output: int | None = None
    cache_read: int | None = None
    cache_write: int | None = None


def largest(usages: Iterable[Usage]) -> Usage | None:
    """Per counter the largest stated value; None when there is no usage at all."""
    stated = tuple(usages)
    if not stated:
        return None
    return Usage(
        input=_max_stated(usage.input for usage in stated),
        output=_max_stated(usage.output for usage in stated),
        cache_read=_max_stated(usage.cache_read for usage in stated),
        cache_write=_max_stated(usage.cache_write for usage in stated),
    )


def usage_state(*, stated: bool, output: int | None, spoken_bytes: int, finished: bool) -> str:
    """What the usage of a call is worth: `absent`, `stub`, `reported` or `partial`.

    Args:
        stated: Some fragment has a usage object.
        output: The largest output count over the fragments; None counts as 0.
        spoken_bytes: UTF-8 length of its texts, readable thoughts and tool inputs together.
        finished: Some fragment states a stop reason.
    """
    tokens = output or 0
    if not stated:
        return USAGE_ABSENT
    if tokens <= STUB_TOKENS and spoken_bytes > BYTES_PER_TOKEN * max(tokens, 1):
        return USAGE_STUB
    return USAGE_REPORTED if finished else USAGE_PARTIAL


def _max_stated(counts: Iterable[int | None]) -> int | None:
    return max((count for count in counts if count is not None), default=None)
