"""Medians and ratios. Pure functions over numbers."""

from collections.abc import Sequence
from statistics import median

from msgspec import Struct


class Spread(Struct, frozen=True):
    """The middle of some values, and their ends."""

    median: float
    least: float
    most: float


def summarize(values: Sequence[float]) -> Spread:
    """The spread of at least one value."""
    return Spread(median(values), min(values), max(values))


def pair_ratios(subject: Sequence[float], reference: Sequence[float]) -> tuple[float, ...]:
    """Turn by turn, the subject's time over the reference's.

    Both take their turns next to each other, so a machine that is slow for a while is slow
    for both; the median of these ratios moves less than the ratio of the medians.
    """
    return tuple(above / below for above, below in zip(subject, reference, strict=True))


def judge(ratio: float, target: float | None) -> str:
    """`within`, `OVER`, or `no target`."""
    if target is None:
        return "no target"
    return "within" if ratio <= target else "OVER"
