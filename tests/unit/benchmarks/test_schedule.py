"""Rare events are spread over the growth of a corpus, and none is forgotten."""

from benchmarks.corpus.schedule import Schedule


def test_one_event_stands_in_the_middle() -> None:
    """At the edge it would fall outside a corpus that ends a little early."""
    schedule = Schedule({"once": 1})

    taken = [
        progress for progress in (0.0, 0.25, 0.5, 0.75, 1.0) if schedule.take("once", progress)
    ]

    assert taken == [0.5]


def test_events_are_spread_evenly() -> None:
    """Four events in a hundred steps come one per quarter."""
    schedule = Schedule({"event": 4})

    taken = [step for step in range(101) if schedule.take("event", step / 100)]

    assert taken == [13, 38, 63, 88]


def test_what_was_not_made_is_left_over() -> None:
    """The last session goes on until nothing is."""
    schedule = Schedule({"early": 1, "late": 3, "never": 0})

    schedule.take("early", 0.6)
    schedule.take("late", 0.6)

    assert schedule.leftover() == ("late",)
    assert not schedule.take("unknown", 1.0)
