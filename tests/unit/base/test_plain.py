"""Values that need no msgspec behave like those that do."""

import pytest

from sessionizer.base.plain import Plain


class Point(Plain):
    __slots__ = ("x", "y")
    x: int
    y: int

    def __init__(self, x: int, y: int) -> None:
        self._set(x=x, y=y)


class Other(Plain):
    __slots__ = ("x", "y")

    def __init__(self, x: int, y: int) -> None:
        self._set(x=x, y=y)


def test_equal_fields_of_one_class_are_equal() -> None:
    assert Point(1, 2) == Point(1, 2)
    assert Point(1, 2) != Point(2, 1)
    assert Point(1, 2) != Other(1, 2)
    assert len({Point(1, 2), Point(1, 2), Point(2, 1)}) == 2


def test_a_value_never_changes() -> None:
    point = Point(1, 2)

    with pytest.raises(AttributeError, match="immutable: x"):
        point.x = 3
    with pytest.raises(AttributeError, match="immutable: x"):
        del point.x
    assert point.x == 1


def test_a_value_shows_its_fields() -> None:
    assert repr(Point(1, 2)) == "Point(x=1, y=2)"
