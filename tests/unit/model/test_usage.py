"""What several claims about the tokens of one call are worth."""

import pytest

from sessionizer.model.usage import Usage, largest, usage_state


def test_per_counter_the_largest_claim_counts() -> None:
    """Fragments repeat a running total, so adding them up counts it twice (P11)."""
    fragments = (
        Usage(input=3, output=1),
        Usage(input=3, output=7, cache_read=0),
        Usage(input=0, output=9),
    )

    assert largest(fragments) == Usage(input=3, output=9, cache_read=0)


def test_without_usage_there_is_no_largest() -> None:
    assert largest(()) is None
    assert largest((Usage(),)) == Usage()


@pytest.mark.parametrize(
    ("output", "spoken_bytes", "finished", "state"),
    [
        (9, 10_000, True, "reported"),
        (9, 10_000, False, "partial"),
        (5, 12, True, "reported"),
        (8, 64, True, "reported"),
        (8, 65, True, "stub"),
        (8, 65, False, "stub"),
        (0, 8, False, "partial"),
        (0, 9, False, "stub"),
        (None, 9, True, "stub"),
        (None, 0, True, "reported"),
    ],
)
def test_a_few_tokens_beside_a_long_text_are_a_placeholder(
    output: int | None, spoken_bytes: int, finished: bool, state: str
) -> None:
    assert (
        usage_state(stated=True, output=output, spoken_bytes=spoken_bytes, finished=finished)
        == state
    )


def test_nothing_stated_is_absent_whatever_else_is_known() -> None:
    assert usage_state(stated=False, output=None, spoken_bytes=100, finished=True) == "absent"
