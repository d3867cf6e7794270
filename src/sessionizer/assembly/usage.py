"""What the fragments of a call say about its tokens, and how much that is worth.

Fragments repeat a running total, or the final one, or placeholders; so per counter the
largest value counts, and never a sum.
"""

from collections.abc import Iterable
from typing import Final

from msgspec import Struct, field

from sessionizer.index.entry import Entry
from sessionizer.model.kinds import USAGE_ABSENT, USAGE_PARTIAL, USAGE_REPORTED, USAGE_STUB

LARGEST_PER_COUNTER: Final = "largest_per_counter"
# A stub is a number that was written before the answer was: one token stands for at most
# this many bytes of text, and at most this many tokens are ever written so.
_STUB_TOKENS: Final = 8
_BYTES_PER_TOKEN: Final = 8
_COMPLETENESS: Final = (USAGE_ABSENT, USAGE_STUB, USAGE_PARTIAL, USAGE_REPORTED)


class Tokens(Struct, frozen=True, kw_only=True, omit_defaults=True, gc=False):
    """Token counters, under the names that a round gives them. One that nobody stated is 0."""

    input: int = field(default=0, name="in")
    output: int = field(default=0, name="out")
    cache_read: int = 0
    cache_write: int = 0

    def __add__(self, other: "Tokens") -> "Tokens":
        return Tokens(
            input=self.input + other.input,
            output=self.output + other.output,
            cache_read=self.cache_read + other.cache_read,
            cache_write=self.cache_write + other.cache_write,
        )

    def named(self) -> dict[str, int]:
        """The counters that are not 0: `in`, `out`, `cache_read`, `cache_write`."""
        counters = {
            "in": self.input,
            "out": self.output,
            "cache_read": self.cache_read,
            "cache_write": self.cache_write,
        }
        return {name: count for name, count in counters.items() if count}


class CallUsage(Struct, frozen=True, gc=False):
    """The tokens of one call, and their state: `reported`, `partial`, `stub` or `absent`."""

    tokens: Tokens
    state: str

    @property
    def completeness(self) -> tuple[int, int]:
        """Greater is better: first the state, then the output tokens."""
        return (_COMPLETENESS.index(self.state), self.tokens.output)


def fold_usage(fragments: Iterable[Entry]) -> CallUsage:
    """The usage of the call that `fragments` are."""
    given = output = cache_read = cache_write = spoken = 0
    stated = finished = False
    for entry in fragments:
        spoken += entry.spoken
        finished = finished or "finished" in entry.flags
        if entry.has_usage:
            stated = True
            if (count := entry.usage_in or 0) > given:
                given = count
            if (count := entry.usage_out or 0) > output:
                output = count
            if (count := entry.usage_cache_read or 0) > cache_read:
                cache_read = count
            if (count := entry.usage_cache_write or 0) > cache_write:
                cache_write = count
    if not stated:
        return CallUsage(Tokens(), USAGE_ABSENT)
    if output <= _STUB_TOKENS and spoken > _BYTES_PER_TOKEN * max(output, 1):
        state = USAGE_STUB
    else:
        state = USAGE_REPORTED if finished else USAGE_PARTIAL
    tokens = Tokens(input=given, output=output, cache_read=cache_read, cache_write=cache_write)
    return CallUsage(tokens, state)
