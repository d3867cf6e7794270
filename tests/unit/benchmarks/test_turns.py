"""Contestants take turns, and one that does not do its work has no times."""

from benchmarks.measuring.comparison import Contestant
from benchmarks.measuring.turns import Failed, Result, Skipped, Turn, take_turns

A, B, C = (Contestant(name=name, steps=(("true",),)) for name in "ABC")


def test_contestants_take_turns() -> None:
    """All of one and then all of the other would measure the hour of the day."""
    order: list[str] = []

    def prepare(contestant: Contestant) -> None:
        order.append(contestant.name.lower())

    def take(contestant: Contestant) -> Turn:
        order.append(contestant.name)
        return Turn(seconds=float(len(order)), peak_bytes=len(order))

    results = take_turns((A, B, C), 2, prepare, take)

    assert "".join(order) == "abcABCABC"
    assert results[0] == Result(name="A", state="measured", seconds=(4.0, 7.0), peak_bytes=7)
    assert [result.name for result in results] == ["A", "B", "C"]


def test_one_that_cannot_start_is_named_and_never_run() -> None:
    """Skipped and failed are different words: the one is absent, the other is wrong."""
    ran: list[str] = []

    def prepare(contestant: Contestant) -> None:
        if contestant is A:
            raise Skipped("no A here")
        if contestant is B:
            raise Failed("B found 5 of 6")

    def take(contestant: Contestant) -> Turn:
        ran.append(contestant.name)
        return Turn(seconds=1.0)

    results = take_turns((A, B, C), 2, prepare, take)

    assert ran == ["C", "C"]
    assert results[0] == Result(name="A", state="skipped", reason="no A here")
    assert results[1] == Result(name="B", state="failed", reason="B found 5 of 6")
    assert results[2].peak_bytes is None


def test_one_that_fails_later_keeps_no_times() -> None:
    """Its earlier turns may have failed to do the work as well."""
    taken: list[str] = []

    def take(contestant: Contestant) -> Turn:
        taken.append(contestant.name)
        bad = contestant is A and taken.count("A") == 2
        return Turn(seconds=1.0, failure="exit 3" if bad else None)

    results = take_turns((A, B), 3, lambda _: None, take)

    assert "".join(taken) == "ABABB"
    assert results[0] == Result(name="A", state="failed", reason="turn 2: exit 3")
    assert results[1].seconds == (1.0, 1.0, 1.0)
