"""Resets of the context (R38)."""

from sessionizer.assembly.inheritance import Inheritance
from tests.build.drawing import assembled, edges, gaps, ids, node
from tests.build.rows import Landing, document, human, reset, row


def test_a_session_that_begins_with_a_reset_has_no_empty_epoch_before_it() -> None:
    """The head of a continued session."""
    landing = Landing().main(reset("b1", "10:00:00", "older"), human("u1", "-", "", "p1"))

    whole = assembled(landing)

    assert ids(whole, "epoch") == ["epoch/main/0"]
    assert node(whole, "epoch/main/0").attrs["continues_from"] == "older"
    assert edges(whole, "follows") == []
    assert gaps(whole) == ["unres/epoch_continuation/older"]


def test_a_record_that_another_session_holds_is_no_gap() -> None:
    """The root has it, so nothing is missing."""
    landing = Landing().main(reset("b1", "10:00:00", "older"))

    assert gaps(assembled(landing, inheritance=Inheritance(elsewhere=frozenset({"older"})))) == []


def test_a_repeated_reset_opens_no_second_epoch() -> None:
    """A later compaction may append old history again."""
    landing = Landing().main(
        human("u1", "-", "10:00:00", "p1"), reset("b1", "10:00:01"), reset("b1", "10:00:01")
    )

    assert ids(assembled(landing), "epoch") == ["epoch/main/0", "epoch/main/b1"]


def test_a_reset_without_an_id_is_named_by_its_place() -> None:
    """Evidence, not a counter: later evidence must not rename it."""
    landing = Landing().main(human("u1", "-", "10:00:00", "p1"), reset("", "10:00:01"))

    assert ids(assembled(landing), "epoch") == ["epoch/main/0", "epoch/main/at_1_2"]


def test_a_trimmed_result_is_a_notice_and_no_reset() -> None:
    """A micro-compaction leaves the context where it is."""
    landing = Landing().main(
        human("u1", "-", "10:00:00", "p1"),
        row("x1", "u1", "10:00:01", document("{}"), flags=("notice",)),
    )

    whole = assembled(landing)

    assert ids(whole, "epoch", "control.notice") == ["epoch/main/0", "notice/1/2"]
