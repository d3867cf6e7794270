"""Which lines or turns some addresses name, and which of those cannot be there. Pure."""

from collections.abc import Iterable

from sessionizer.base.plain import Plain
from sessionizer.transcripts.ranges import Range


class Addressed(Plain):
    """Addresses against a length.

    Attributes:
        numbers: What they name, ascending, each once.
        single: Those of them that were named one by one: each has to be there.
        missing: Addresses that lie outside altogether, as a message names them.
    """

    __slots__ = ("missing", "numbers", "single")
    numbers: tuple[int, ...]
    single: frozenset[int]
    missing: tuple[str, ...]

    def __init__(
        self, numbers: tuple[int, ...], single: frozenset[int], missing: tuple[str, ...]
    ) -> None:
        self._set(numbers=numbers, single=single, missing=missing)


def resolve_addresses(ranges: Iterable[Range], length: int, *, prefix: str) -> Addressed:
    """Place `ranges` among `length` things.

    A single number, and a closed range that begins past the end, must be there. An open range
    may be empty, and so may one that only turns out to be reversed.

    Args:
        ranges: In the order typed.
        length: How many things there are.
        prefix: What stands before a number in a message: `L`, `t`.
    """
    numbers: set[int] = set()
    single: set[int] = set()
    missing: list[str] = []
    for one in ranges:
        found = one.resolve(length)
        if one.is_single:
            if found:
                single.update(found)
            else:
                missing.append(f"{prefix}{one.text}")
        elif _begins_past_end(one, length):
            missing.append(f"{prefix}{one.first}-{one.last}")
        numbers.update(found)
    return Addressed(tuple(sorted(numbers)), frozenset(single), tuple(missing))


def _begins_past_end(one: Range, length: int) -> bool:
    """Whether a range with both ends counted from the start lies past the end."""
    if one.first is None or one.last is None or one.first < 0 or one.last < 0:
        return False
    return one.first > one.base + length - 1
