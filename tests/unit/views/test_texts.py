"""Texts of steps from records: which part speaks, and how much of it is shown."""

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec import Raw

from sessionizer.landing.record import Part, Row
from sessionizer.model.nodes import Node, Reference
from sessionizer.views.native import JournalWords, NativeWords, ToolDuration
from sessionizer.views.texts import MEDIA_BYTES, own_text, quote, result_text, returned_text

WORDS = NativeWords(
    turn_duration_ms="took",
    tool_durations=(ToolDuration("Slow", "seconds", unit_ms=1000),),
    journal=JournalWords(result="said"),
)


def row(*parts: Part) -> Row:
    return Row(ord=1, off=0, sha="", bytes=1, origin="external", parts=parts)


def step(kind: str = "message.external", block: int | None = None) -> Node:
    return Node(id="x", kind=kind, ref=Reference(1, 1, block))


def data(value: object, k: str = "data", **fields: object) -> Part:
    return Part(k=k, data=Raw(msgspec.json.encode(value)), **fields)  # type: ignore[arg-type]


@given(st.text(max_size=3000))
def test_a_quote_is_a_beginning_of_at_most_2000_bytes(text: str) -> None:
    """Valid UTF-8 whatever stands at the cut, and lone surrogates never reach an answer."""
    shown = quote(text)

    whole = text.encode("utf-8", "replace").decode()
    assert whole.startswith(shown.text)
    assert len(shown.text.encode()) <= 2000
    assert shown.bytes == len(whole.encode())
    assert (shown.cut_bytes > 0) == (shown.text != whole)


@given(st.text(min_size=1, max_size=900).map(lambda text: text * 5))
def test_a_cut_through_json_text_is_between_characters(text: str) -> None:
    """Structure is cut as bytes, before it is decoded."""
    part = data({"key": text.encode("utf-8", "replace").decode()}, k="call")

    shown = own_text(row(part), step("tool", 0), WORDS)

    assert bytes(part.data).decode().startswith(shown.text)
    assert 1990 < len(shown.text.encode()) <= 2000 or shown.text == bytes(part.data).decode()


def test_a_block_speaks_for_itself() -> None:
    """Other parts of the record are other steps."""
    parts = row(Part(k="text", text="one", bytes=3), Part(k="text", text="two", bytes=3))

    assert own_text(parts, step("message.assistant", 1), WORDS).text == "two"


def test_a_record_of_several_parts_speaks_its_texts() -> None:
    """Its size is that of all of them."""
    parts = row(
        Part(k="text", text="one"), Part(k="media", media="x/y"), Part(k="text", text="two")
    )

    shown = own_text(parts, step(), WORDS)

    assert (shown.text, shown.bytes) == ("one\ntwo", 7)


@pytest.mark.parametrize(
    ("value", "text"),
    [
        ({"type": "queued_command", "prompt": "also test"}, "also test"),
        ({"type": "queued_command", "prompt": [{"text": "a"}, {"text": "b"}]}, "a\nb"),
        ({"type": "todo_reminder", "itemCount": 2}, '{"type":"todo_reminder","itemCount":2}'),
        ("a \u20ac string", "a \u20ac string"),
        ([1, 2], "[1,2]"),
    ],
)
def test_structure_is_read_where_it_can_be_and_else_shown(value: object, text: str) -> None:
    """A string is shown as its value."""
    assert own_text(row(data(value)), step("context.injection"), WORDS).text == text


def test_a_block_that_is_not_there_says_nothing() -> None:
    """A record that was edited may have fewer parts."""
    parts = row(Part(k="text", text="one"))

    assert own_text(parts, step("message.assistant", 7), WORDS).state == ""
    assert result_text(parts, 7, WORDS) is None


def test_a_measured_duration_stands_instead_of_text() -> None:
    """Only a number counts as one."""
    measured = own_text(row(data({"took": 4100})), step("turn.duration"), WORDS)
    unmeasured = own_text(row(data({"took": "long"})), step("turn.duration"), WORDS)

    assert (measured.duration_ms, measured.text) == (4100, "")
    assert (unmeasured.duration_ms, unmeasured.text) == (None, '{"took":"long"}')


@pytest.mark.parametrize("seconds", ["1e999", "-1", "true", "null", '"2"', "[2]", "9" * 400])
def test_a_duration_that_is_none_is_left_out(seconds: str) -> None:
    """It stands in a foreign record."""
    part = Part(k="result", data=Raw(f'{{"seconds":{seconds}}}'.encode()), text="x")

    found = result_text(row(part), 0, WORDS)

    assert found is not None
    assert found.durations == {}


def test_a_result_is_its_text_and_else_its_structure() -> None:
    """Small structure comes along whole; the first result of a record counts without a block."""
    both = data({"seconds": 2}, k="result", text="done", failed=False, state="available", bytes=4)
    bare = data({"seconds": 2}, k="result", state="available", bytes=13)

    found = result_text(row(Part(k="text", text="x"), both), None, WORDS)

    assert found is not None
    assert (found.text, found.failed, found.bytes) == ("done", False, 4)
    assert found.structured is not None
    assert bytes(found.structured) == b'{"seconds":2}'
    assert found.durations == {"Slow": 2000}
    alone = result_text(row(bare), 0, WORDS)
    assert alone is not None
    assert alone.text == '{"seconds":2}'


def test_large_structure_is_left_to_the_record() -> None:
    """An answer holds many steps."""
    large = data({"x": "y" * 20_001}, k="result", text="done")
    call = data({"x": "y" * 20_001}, k="call", name="Write")

    result, shown = result_text(row(large), 0, WORDS), own_text(row(call), step("tool", 0), WORDS)

    assert result is not None
    assert (result.structured, shown.input) == (None, None)
    assert len(shown.text) == 2000


def test_what_a_child_returned_is_one_member_of_a_journal_line() -> None:
    """As it stands there, numbers included."""
    line = Part(k="data", data=Raw(b'{"said":{"n":1.0},"other":2}'), state="available")

    found = returned_text(row(line), WORDS)

    assert found is not None
    assert (found.text, found.bytes) == ('{"n":1.0}', 9)
    assert returned_text(row(data({"other": 1})), WORDS) is None
    assert returned_text(row(line), NativeWords()) is None


@pytest.mark.parametrize(
    ("media", "state", "size", "shown"),
    [
        ("image/png", "available", 4, True),
        ("image/svg+xml", "available", 4, False),
        ("application/pdf", "available", 4, False),
        ("image/png", "omitted", 4, False),
        ("image/png", "available", MEDIA_BYTES, False),
    ],
)
def test_only_pictures_a_browser_shows_safely_come_along(
    media: str, state: str, size: int, shown: bool
) -> None:
    """A drawing may hold scripts; a large picture is left to the record."""
    part = data("a" * size, k="media", media=media, state=state, bytes=size)

    (found,) = own_text(row(part), step(), WORDS).media

    assert (found.data is not None, found.media, found.bytes) == (shown, media, size)
