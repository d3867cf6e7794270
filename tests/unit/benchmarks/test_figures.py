"""Medians, ratios and verdicts on given numbers."""

import pytest

from benchmarks.measuring.figures import Spread, judge, pair_ratios, summarize


@pytest.mark.parametrize(
    ("values", "spread"),
    [
        ([3.0], Spread(3.0, 3.0, 3.0)),
        ([9.0, 1.0, 2.0], Spread(2.0, 1.0, 9.0)),
        ([4.0, 1.0, 2.0, 100.0], Spread(3.0, 1.0, 100.0)),
    ],
)
def test_a_spread_is_the_median_and_the_ends(values: list[float], spread: Spread) -> None:
    """One slow turn moves the end, not the middle."""
    assert summarize(values) == spread


def test_ratios_are_taken_turn_by_turn() -> None:
    """While the machine was slow, both were: the pairs say 2, the medians would say 3."""
    subject, reference = [2.0, 6.0, 20.0], [1.0, 3.0, 10.0]

    assert pair_ratios(subject, reference) == (2.0, 2.0, 2.0)


def test_turns_that_do_not_pair_are_refused() -> None:
    """A missing turn would shift all later pairs."""
    with pytest.raises(ValueError, match="shorter"):
        pair_ratios([1.0, 2.0], [1.0])


@pytest.mark.parametrize(
    ("ratio", "target", "verdict"),
    [(2.5, 2.5, "within"), (2.51, 2.5, "OVER"), (0.1, None, "no target")],
)
def test_the_target_itself_is_within(ratio: float, target: float | None, verdict: str) -> None:
    """A target is the most that is allowed."""
    assert judge(ratio, target) == verdict
