"""Which messages of a turn are kept: what counts as rich, and as an announcement."""

import pytest

from sessionizer.csift.commands.verbatim.keeping import (
    DEFAULT,
    PROFILES,
    is_droppable,
    is_rich,
    keep_messages,
)


@pytest.mark.parametrize(
    "text",
    [
        "x" * 280,
        "12 tests passed",
        "passed: all of 12",
        "changed files, 14 of them",
        "3/4 done",
        "3 of 4",
        "see abc1234",
        "at name.py:12",
        "in src/app",
        "under (tests/unit)",
        "run `make`",
        "that was the root cause",
        "Confirmed.",
        "it FAILED",
    ],
)
def test_evidence_is_rich(text: str) -> None:
    assert is_rich(text, DEFAULT)


@pytest.mark.parametrize(
    "text",
    [
        "x" * 279,
        "I look at it",
        "7 tests",  # one digit
        "12 apples and then a very long way to the tests",
        "1234567",  # digits alone are no hash
        "abc123",  # too short for one
        "foundation, prefix, debugging",  # words inside words
        "mysrc/app",
        "one ` backtick",
    ],
)
def test_what_is_not_rich(text: str) -> None:
    assert not is_rich(text, DEFAULT)


def test_an_announcement_is_short_and_says_what_comes_next() -> None:
    assert is_droppable("Let me look at the tests", DEFAULT)
    assert is_droppable("I'll begin", DEFAULT)
    assert not is_droppable("Let me " + "x" * 193, DEFAULT)
    assert not is_droppable("Let me say: it is fixed", DEFAULT)
    assert not is_droppable("The lamp is on", DEFAULT)


def test_rich_keeps_short_runs_whole_and_thins_long_ones() -> None:
    texts = ["Let me start", "Let me look", "plain words", "it is fixed", "Now I go", "x", "end"]

    assert keep_messages(texts[:6], mode="rich", profile=DEFAULT) == (True,) * 6
    assert keep_messages(texts, mode="rich", profile=DEFAULT) == (
        True,
        False,
        True,
        True,
        False,
        True,
        True,
    )
    heavy = keep_messages(texts[:5], mode="rich", profile=PROFILES["heavy"])
    assert heavy == (True, False, True, True, True)


def test_longest_prefers_the_last_of_equals_and_keeps_a_long_first_one() -> None:
    assert keep_messages(["ab", "cd", "x"], mode="longest", profile=DEFAULT) == (False, True, False)
    first = "a" * 280
    assert keep_messages([first, "b" * 300, "c"], mode="longest", profile=DEFAULT) == (
        True,
        True,
        False,
    )
    assert keep_messages(["fixed", "b" * 9, "c"], mode="longest", profile=DEFAULT) == (
        False,
        True,
        False,
    )


def test_one_message_is_always_kept() -> None:
    for mode in ("longest", "eot-only", "rich", "all"):
        assert keep_messages(["Let me look"], mode=mode, profile=DEFAULT) == (True,)
        assert keep_messages([], mode=mode, profile=DEFAULT) == ()
