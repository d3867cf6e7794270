"""The one grammar of ranges: `3`, `2..5`, `-3..`, `..-2`, `..`. Pure.

Kept free of msgspec and typing, so that a wrong range is refused before anything is read.
"""

import re

from sessionizer.base.plain import Plain
from sessionizer.transcripts.errors import RangeError

_NUMBER = re.compile(r"-?[0-9]+")
_DASHED = re.compile(r"[0-9]+-[0-9]+")


class Range(Plain):
    """A range before it meets a length. Ends count from the end when negative.

    Attributes:
        text: As it was typed.
        first: Its start; None for the beginning.
        last: Its end, inclusive; None for the end.
        base: The number of the first thing: 0 or 1.
    """

    __slots__ = ("base", "first", "last", "text")
    text: str
    first: int | None
    last: int | None
    base: int

    def __init__(self, text: str, first: int | None, last: int | None, *, base: int) -> None:
        self._set(text=text, first=first, last=last, base=base)

    @property
    def is_single(self) -> bool:
        """Whether it names one thing, rather than a stretch."""
        return ".." not in self.text

    def resolve(self, length: int) -> range:
        """The numbers it means among `length` things; empty when there are none.

        A start before the beginning, or an end past the end, is moved there.
        """
        low, high = self.base, self.base + length - 1
        first = low if self.first is None else self._place(self.first, length)
        last = high if self.last is None else self._place(self.last, length)
        if self.last is not None and self.last < 0 and last < low and not self.is_single:
            return range(low, low)
        return range(max(first, low), min(max(last, low) if self.is_single else last, high) + 1)

    def _place(self, number: int, length: int) -> int:
        return number if number >= 0 else self.base + length + number


def parse_range(text: str, *, base: int) -> Range:
    """Read a range over things counted from `base`, 0 or 1.

    Raises:
        RangeError: `text` is no range.
    """
    spec = text.strip()
    if ".." not in spec:
        if _DASHED.fullmatch(spec):
            raise RangeError(f"{text!r} is no range: write START..END")
        number = _parse_number(spec, text, base=base)
        return Range(spec, number, number, base=base)
    start, _, end = spec.partition("..")
    first = _parse_number(start, text, base=base) if start.strip() else None
    last = _parse_number(end, text, base=base) if end.strip() else None
    if first is not None and last is not None and (first < 0) == (last < 0) and last < first:
        raise RangeError(f"{text!r} is no range: end ({last}) is before start ({first})")
    return Range(spec, first, last, base=base)


def _parse_number(part: str, text: str, *, base: int) -> int:
    part = part.strip()
    if not _NUMBER.fullmatch(part) or not part.isascii():
        raise RangeError(f"{text!r} is no range: expected N, A..B, A.., ..B or -k")
    number = int(part)
    if part.startswith("-") and number == 0:
        raise RangeError(f"{text!r} is no range: -0 names nothing")
    if base == 1 and number == 0:
        raise RangeError(f"{text!r} is no range: counting starts at 1")
    return number
