"""Windows of activity and what stands against closing them."""

from tests.build.drawing import assembled, edges, ids, node
from tests.build.rows import Landing, agent, call, document, human, note, result, row, user


def gates(landing: Landing, segment: str) -> object:
    return node(assembled(landing), segment).attrs["gates_unmet"]


def two_windows(*between: object) -> Landing:
    return Landing().main(
        human("u1", "-", "10:00:00", "p1"),
        *between,
        human("u2", "-", "11:00:00", "p2"),
        human("u3", "-", "11:10:00", "p3"),
    )


def test_a_gap_must_be_longer_than_the_idle_gap() -> None:
    """Ten minutes to the second do not cut."""
    assert ids(assembled(two_windows()), "segment") == ["segment/at_1_1", "segment/at_1_2"]
    assert node(assembled(two_windows()), "segment/at_1_2").attrs["talks"] == 2


def test_a_tool_that_is_still_open_keeps_its_window_open() -> None:
    """No result, a result outside the window, or two results."""
    request = agent("a1", "u1", "10:00:01", "m1", call("t1"))
    inside = user("r1", "a1", "10:00:02", "p1", result("t1"))
    outside = user("r1", "a1", "10:59:00", "", result("t1"))
    second = user("r9", "a1", "10:00:03", "p1", result("t1"))
    crossing = ["no_crossing_open_operation"]

    assert gates(two_windows(request, inside), "segment/at_1_1") == []
    assert gates(two_windows(request), "segment/at_1_1") == crossing
    assert gates(two_windows(request, inside, second), "segment/at_1_1") == crossing
    without_run = two_windows(request, human("u9", "-", "10:00:05", "p1"))
    without_run.main(user("r1", "-", "10:59:00", "", result("t1")))
    assert gates(without_run, "segment/at_1_1") == crossing
    assert outside.time > inside.time


def test_a_missing_child_keeps_every_window_open() -> None:
    """It may have worked at any time."""
    missing = note("n1", "u1", "10:00:01", "p1", child="c9")

    assert gates(two_windows(missing), "segment/at_1_1") == ["no_crossing_open_operation"]


def test_times_that_step_back_cut_nothing() -> None:
    """A talk that seems to begin before the one before it ended."""
    landing = Landing().main(
        human("u1", "-", "12:00:00", "p1"),
        human("u2", "-", "09:00:00", "p2"),
        human("u3", "-", "12:05:00", "p3"),
    )

    assert ids(assembled(landing), "segment") == ["segment/at_1_1", "segment/at_1_2"]
    assert node(assembled(landing), "segment/at_1_1").attrs["talks"] == 2


def test_without_times_there_is_one_window() -> None:
    """Nothing is known to lie apart."""
    landing = Landing().main(human("u1", "-", "", "p1"), human("u2", "-", "", "p2"))

    assert ids(assembled(landing), "segment") == ["segment/at_1_1"]


def test_a_childs_talk_lies_in_the_window_it_began_in() -> None:
    """An inference: nothing ties them but the time."""
    landing = two_windows().child("c1", user("c1", "-", "11:01:00", "pc", "look"))

    assert edges(landing_edges := assembled(landing), "in_segment")[0].startswith(
        "rel/in_segment/talk_c1/segment_at_1_2 strong_inference"
    )
    assert len(edges(landing_edges, "in_segment")) == 4


def test_a_child_outside_every_window_lies_in_no_segment() -> None:
    """Children are not cut themselves."""
    landing = two_windows().child("c1", user("c1", "-", "10:30:00", "pc", "look"))

    assert not [edge for edge in edges(assembled(landing), "in_segment") if "talk_c1" in edge]


def test_a_record_without_a_run_is_no_activity_of_a_talk() -> None:
    """The runtime's notes come at any time; the window ends where the agent loop ended."""
    tick = row("", "-", "10:55:00", document("{}"), flags=("notice",))

    assert ids(assembled(two_windows(tick)), "segment") == ["segment/at_1_1", "segment/at_1_3"]
