"""Versions of the rules: their texts, and which is newer."""

import pytest

from sessionizer.rounds.interpretation import (
    POLICY,
    Age,
    Interpretation,
    compare_interpretations,
    policy_text,
)


@pytest.mark.parametrize(
    ("seconds", "text"),
    [
        (600, "10m0s"),
        (1200, "20m0s"),
        (3600, "1h0m0s"),
        (90, "1m30s"),
        (45, "45s"),
        (0, "0s"),
        (90.5, "1m30.5s"),
        (0.25, "250ms"),
    ],
)
def test_the_idle_gap_is_written_as_go_writes_it(seconds: float, text: str) -> None:
    """The text is compared, never parsed."""
    assert policy_text(int(seconds * 1000)) == f"v1+idle={text}"


def test_versions_compare_by_number() -> None:
    """`v10` is newer than `v9`, although it sorts before it."""
    old = Interpretation("v9", POLICY, "claude-code/1")
    new = Interpretation("v10", POLICY, "claude-code/1")

    assert compare_interpretations(new, old) is Age.NEWER
    assert compare_interpretations(old, new) is Age.OLDER
    assert compare_interpretations(old, old) is Age.SAME


def test_a_stated_dialect_is_newer_than_none() -> None:
    """Chains of parser v1 did not state one."""
    old = Interpretation("v1", POLICY, "")
    new = Interpretation("v2", POLICY, "claude-code/1")

    assert compare_interpretations(new, old) is Age.NEWER


def test_a_number_beyond_reason_does_not_compare() -> None:
    """It came from a file; turning it into an integer may not fail."""
    one = Interpretation("v" + "9" * 5000, POLICY, "claude-code/1")
    other = Interpretation("v2", POLICY, "claude-code/1")

    assert compare_interpretations(one, other) is Age.INCOMPARABLE
