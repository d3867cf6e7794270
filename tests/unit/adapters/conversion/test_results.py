"""What a tool returned: its own content, and the structured form of the record."""

from typing import Any

import pytest

from sessionizer.landing.record import Drop, Row
from tests.build.conversion import line, row

TEXT = {"type": "text", "text": "one"}
IMAGE = {"type": "image", "source": {"data": "aGk="}}
REPLACED = "replaced by the structured form"
REPEATED = "repeats the text"


def result(content: object, **fields: Any) -> Row:
    """The row of a record with one result block; `toolUseResult` by keyword."""
    block = {"type": "tool_result", "tool_use_id": "t1", "content": content}
    return row(line(type="user", message={"content": [block]}, **fields))


def read(made: Row) -> tuple[str, bytes, int]:
    """Text, data and size of its only part."""
    (part,) = made.parts
    assert (part.k, part.of, part.state) == ("result", "t1", "available")
    return part.text, bytes(part.data), part.bytes


@pytest.mark.parametrize(
    ("content", "expected"),
    [
        ("ok", ("ok", b"", 2)),
        ("ü", ("ü", b"", 2)),
        ("", ("", b"", 0)),
        (None, ("", b"", 0)),
        ([TEXT, {"type": "text", "text": ""}, {"text": "two"}], ("one\ntwo", b"", 7)),
        ([], ("", b"[]", 2)),
        ([{"type": "text", "text": ""}], ("", b'[{"type":"text","text":""}]', 27)),
        ({"a": 1}, ("", b'{"a":1}', 7)),
        (5, ("", b"5", 1)),
        ([TEXT, "two"], ("one\ntwo", b"", 7)),
    ],
)
def test_the_text_of_a_result_stands_alone_where_it_is_all(
    content: object, expected: tuple[str, bytes, int]
) -> None:
    """Structure is kept where there is more than text, and its size counts without text."""
    assert read(result(content)) == expected


def test_what_is_no_text_is_kept_beside_the_text() -> None:
    """A result may hold both; neither is lost."""
    content = [TEXT, IMAGE]

    assert read(result(content)) == ("one", line(x=content)[len('{"x":') : -1], 3)


def test_the_structured_form_stands_for_the_blocks_own_structure() -> None:
    """It repeats it in the runtime's own shape."""
    made = result([TEXT, IMAGE], toolUseResult={"n": 1.0})

    assert read(made) == ("one", b'{"n":1.0}', 3)
    size = len(line(x=[TEXT, IMAGE])) - len('{"x":}')
    assert made.dropped == (Drop("result content", size, REPLACED),)


def test_nothing_is_dropped_where_nothing_is_replaced() -> None:
    """Text is not structure."""
    assert result("ok", toolUseResult={"n": 1}).dropped == ()


@pytest.mark.parametrize(
    ("content", "structured", "expected", "dropped"),
    [
        ("boom", "Error: boom", ("boom", b"", 4), 13),
        ("", "Error: boom", ("Error: boom", b"", 11), 0),
        ([IMAGE], "seen", ("seen", b'[{"type":"image","source":{"data":"aGk="}}]', 4), 0),
        ("ok", [1, 2], ("ok", b"[1,2]", 2), 0),
        ("", [1, 2], ("", b"[1,2]", 5), 0),
        ([IMAGE], [1, 2], ("", b'[{"type":"image","source":{"data":"aGk="}}]', 43), 5),
        ("ok", True, ("ok", b"true", 2), 0),
        ("ok", None, ("ok", b"", 2), 0),
    ],
)
def test_a_structured_form_that_is_no_object_fills_what_is_missing(
    content: object, structured: object, expected: tuple[str, bytes, int], dropped: int
) -> None:
    """A string is text, anything else structure; where there is one already it is left out."""
    made = result(content, toolUseResult=structured)

    assert read(made) == expected
    assert made.dropped == ((Drop("structured result", dropped, REPEATED),) if dropped else ())


def test_every_result_of_a_record_gets_the_structured_form() -> None:
    """It stands on the record, which does not say whose it is."""
    blocks = [{"type": "tool_result", "tool_use_id": t, "content": t} for t in ("t1", "t2")]

    made = row(line(type="user", message={"content": blocks}, toolUseResult={"a": 1}))

    assert [(part.of, bytes(part.data)) for part in made.parts] == [
        ("t1", b'{"a":1}'),
        ("t2", b'{"a":1}'),
    ]


@pytest.mark.parametrize(
    ("stated", "failed"), [(True, True), (False, False), ("true", None), (None, None)]
)
def test_only_a_boolean_says_whether_it_failed(stated: object, failed: bool | None) -> None:
    """False and not stated are different answers."""
    block = {"type": "tool_result", "tool_use_id": "t1", "is_error": stated, "content": "x"}

    (part,) = row(line(type="user", message={"content": [block]})).parts

    assert part.failed is failed
