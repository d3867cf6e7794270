"""The content of a message."""

import pytest
from msgspec import Raw

from sessionizer.claude_code.records import Block, decode_blocks


def blocks(content: bytes) -> tuple[Block, ...]:
    decoded = decode_blocks(Raw(content))
    assert isinstance(decoded, tuple)
    return decoded


def test_content_is_text_or_blocks_or_neither() -> None:
    assert decode_blocks(b'"hello"') == "hello"
    assert decode_blocks(rb'"\ud83d"') == "\ufffd"
    assert decode_blocks(b"[]") == ()
    for neither in (b"", b"null", b"1", b"{}"):
        assert decode_blocks(neither) is None


def test_a_tool_use_keeps_its_input_as_written() -> None:
    (block,) = blocks(b'[{"type":"tool_use","id":"t1","name":"Read","input":{ "n":1.0 }}]')

    assert (block.type, block.id, block.name) == ("tool_use", "t1", "Read")
    assert bytes(block.input) == b'{ "n":1.0 }'
    assert block.raw == b'{"type":"tool_use","id":"t1","name":"Read","input":{ "n":1.0 }}'


@pytest.mark.parametrize(
    ("stated", "read"),
    [(b"true", True), (b"false", False), (b'"true"', None), (b"null", None)],
)
def test_a_result_has_failed_only_if_it_says_so_as_a_boolean(
    stated: bytes, read: bool | None
) -> None:
    """False and not stated are different answers."""
    (block,) = blocks(
        b'[{"type":"tool_result","tool_use_id":"t1","is_error":' + stated + b',"content":"x"}]'
    )

    assert block.is_error is read
    assert block.tool_use_id == "t1"
    assert bytes(block.content) == b'"x"'


def test_a_string_among_blocks_is_told_apart() -> None:
    string, number, text = blocks(b'["hello", 7, {"type":"text","text":"there"}]')

    assert (string.is_string, string.type, string.text) == (True, "", "hello")
    assert (number.is_string, number.type, number.text, number.raw) == (False, "", None, b"7")
    assert (text.is_string, text.type, text.text) == (False, "text", "there")


def test_a_strange_field_costs_no_other() -> None:
    (block,) = blocks(b'[{"type":"text","text":"x","name":5,"id":["t"]}]')

    assert (block.type, block.text, block.name, block.id) == ("text", "x", None, None)


def test_a_block_without_a_readable_type_has_none() -> None:
    assert [block.type for block in blocks(b'[{"text":"x"},{"type":5,"text":"x"}]')] == ["", ""]


def test_a_key_named_like_one_of_ours_is_not_taken_for_it() -> None:
    """What the source says about `whole` or `raw` is not what it is."""
    (block,) = blocks(b'[{"type":"text","whole":"fake","raw":"fake","is_string":true}]')

    assert block.raw == b'{"type":"text","whole":"fake","raw":"fake","is_string":true}'
    assert not block.is_string


def test_lone_surrogates_are_read_in_text_and_kept_in_source() -> None:
    text, use = blocks(
        rb'[{"type":"text","text":"a\ud83d"}, {"type":"tool_use","input":{"p":"\ud83d"}}]'
    )

    assert text.text == "a\ufffd"
    assert bytes(use.input) == rb'{"p":"\ud83d"}'


@pytest.mark.parametrize(
    "kind",
    ["thinking", "redacted_thinking", "server_tool_use", "fallback", "document", "tool_reference"],
)
def test_any_type_is_kept_whole(kind: str) -> None:
    body = f'{{"type":"{kind}","thinking":"t","data":"d","signature":"s"}}'.encode()

    (block,) = blocks(b"[" + body + b"]")

    assert (block.type, block.thinking, block.data, block.signature) == (kind, "t", "d", "s")
    assert block.raw == body
