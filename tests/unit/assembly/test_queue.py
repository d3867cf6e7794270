"""Prompts that stand in queue lines (R37)."""

import pytest

from sessionizer.landing.record import Row
from tests.build.drawing import assembled, ids, node
from tests.build.rows import Landing, document, human, row, text, user


def queued(words: str, *, name: str = "") -> Row:
    return row(
        "",
        "-",
        "10:00:00",
        text(words, name=name),
        origin="external",
        trigger="external",
        flags=("queued",),
        queue="enqueue",
    )


def moved(operation: str, content: str = "") -> Row:
    body = f'{{"content":"{content}"}}' if content else "{}"
    return row("", "-", "10:00:01", document(body), queue=operation)


def shown(*rows: Row) -> dict[str, object]:
    """The outcome of every queued prompt that is a step, by id."""
    whole = assembled(Landing().main(*rows))
    found = [node(whole, name) for name in ids(whole, "message.external")]
    return {step.id: step.attrs["queue"] for step in found if step.attrs}


def test_a_prompt_that_never_comes_back_is_shown_from_its_queue_line() -> None:
    """It stands nowhere else; whether the agent saw it is not claimed."""
    assert shown(queued("hello"), moved("dequeue")) == {"input/1/1": "dequeued"}


def test_a_prompt_that_comes_back_is_shown_there() -> None:
    """The later record has the same words."""
    assert shown(queued("hello"), moved("dequeue"), human("u1", "-", "", "p1", " hello ")) == {}


def test_words_said_before_do_not_answer() -> None:
    """Only a later record is the queued prompt coming back."""
    rows = (human("u1", "-", "", "p1", "hello"), queued("hello"))

    assert shown(*rows) == {"input/1/2": "waiting"}


def test_one_record_answers_one_queue_line_the_oldest() -> None:
    """The same words twice are two prompts."""
    rows = (queued("hello"), queued("hello"), human("u1", "-", "", "p1", "hello"))

    assert shown(*rows) == {"input/1/2": "waiting"}


def test_a_typed_command_is_answered_by_its_name() -> None:
    """The record of a command has other words than its queue line."""
    command = user("u1", "-", "", "p1", text("<x>/mcp</x>", name="/mcp"), flags=("command",))

    assert shown(queued("/mcp", name="/mcp"), command) == {}
    assert shown(queued("/help", name="/help"), command) == {"input/1/1": "waiting"}


@pytest.mark.parametrize(
    ("operations", "outcomes"),
    [
        ((moved("dequeue"),), ["dequeued", "waiting", "waiting"]),
        ((moved("remove"),), ["waiting", "waiting", "removed"]),
        ((moved("remove", "two"),), ["waiting", "removed", "waiting"]),
        ((moved("remove", "none"),), ["waiting", "waiting", "waiting"]),
        ((moved("dequeue"), moved("popAll")), ["dequeued", "taken_back", "taken_back"]),
        ((moved("later-invention"),), ["waiting", "waiting", "waiting"]),
    ],
)
def test_how_a_prompt_leaves_the_queue(operations: tuple[Row, ...], outcomes: list[str]) -> None:
    """The oldest, the newest, the one with these words, or all."""
    assert list(shown(queued("one"), queued("two"), queued("three"), *operations).values()) == (
        outcomes
    )


def test_notifications_take_their_place_in_the_queue() -> None:
    """A `dequeue` takes the oldest line, whatever it is; a notification is no prompt."""
    notification = moved("enqueue", "<task-notification>")

    assert shown(notification, queued("hello"), moved("dequeue")) == {"input/1/2": "waiting"}


def test_a_queued_prompt_starts_no_talk() -> None:
    """It lies in the talk that is going on, else in the epoch."""
    before = assembled(Landing().main(queued("hello")))
    during = assembled(Landing().main(human("u1", "-", "10:00:00", "p1"), queued("hello")))

    assert node(before, "input/1/1").parent == "epoch/main/0"
    assert node(during, "input/1/2").parent == "talk/main/p1"
    assert during.statistics.talks == 1
    assert during.coverage.counts == {"node": 2}
