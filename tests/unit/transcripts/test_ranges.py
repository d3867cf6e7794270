"""The grammar of ranges (K25)."""

import pytest

from sessionizer.transcripts.errors import RangeError
from sessionizer.transcripts.ranges import parse_range


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("2", [2]),
        (" 1..3 ", [1, 2, 3]),
        ("3..", [3, 4]),
        ("..1", [0, 1]),
        ("..", [0, 1, 2, 3, 4]),
        ("-1", [4]),
        ("-2..", [3, 4]),
        ("-9", [0]),
        ("-3..-2", [2, 3]),
        ("1..-2", [1, 2, 3]),
        ("4..99", [4]),
        ("99", []),
        ("3..-4", []),
        ("..-9", []),
    ],
)
def test_a_range_over_five_things_counted_from_zero(text: str, expected: list[int]) -> None:
    assert list(parse_range(text, base=0).resolve(5)) == expected


def test_counting_from_one() -> None:
    assert list(parse_range("-2..", base=1).resolve(5)) == [4, 5]
    assert list(parse_range("1", base=1).resolve(5)) == [1]


@pytest.mark.parametrize("length", [0, 1])
def test_few_things(length: int) -> None:
    assert list(parse_range("..", base=0).resolve(length)) == list(range(length))
    assert list(parse_range("-1", base=0).resolve(length)) == list(range(length))


@pytest.mark.parametrize(
    ("text", "base", "reason"),
    [
        ("0", 1, "starts at 1"),
        ("-0", 0, "-0"),
        ("5..2", 1, "end (2) is before start (5)"),
        ("1-2", 1, "START..END"),
        ("", 0, "expected"),
        ("x", 0, "expected"),
        ("1..x", 0, "expected"),
        ("٣", 0, "expected"),
    ],
)
def test_what_is_no_range(text: str, base: int, reason: str) -> None:
    with pytest.raises(RangeError) as refused:
        parse_range(text, base=base)

    assert reason in str(refused.value)
