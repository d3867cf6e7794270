"""Reading one value that was kept as source text."""

import pytest
from msgspec import Raw

from sessionizer.claude_code.values import (
    decode_elements,
    decode_members,
    decode_text,
    decode_value,
    is_present,
    raw_compact,
)

DEEP = b"[" * 50_000 + b"]" * 50_000


def test_absent_and_null_are_not_present() -> None:
    assert not is_present(Raw(b""))
    assert not is_present(Raw(b"null"))
    assert is_present(Raw(b"0"))
    assert is_present(Raw(b'""'))
    assert is_present(Raw(b"[null]"))


@pytest.mark.parametrize(
    ("raw", "value"),
    [
        (b'{"a":[1,2.5,true,null]}', {"a": [1, 2.5, True, None]}),
        (rb'{"a":"\ud83d!"}', {"a": "\ufffd!"}),
        (b"", None),
        (b"null", None),
        (b"nonsense", None),
        (b"NaN", None),
        (rb'["\ud83d",NaN]', None),
        (DEEP, None),
    ],
)
def test_a_value_is_read_or_is_none(raw: bytes, value: object) -> None:
    assert decode_value(raw) == value
    assert decode_value(Raw(raw)) == value


def test_a_number_of_any_length_is_read() -> None:
    """Past the interpreter's limit of digits it reads as its own text."""
    assert decode_value(b"[" + b"7" * 30 + b"]") == [int("7" * 30)]
    assert decode_value(b"[" + b"7" * 5_000 + b"]") == ["7" * 5_000]


@pytest.mark.parametrize(
    ("raw", "text"),
    [
        (rb'"a\u00e9\n"', "aé\n"),
        (rb'"\ud83d"', "\ufffd"),
        (b"1", None),
        (b'["x"]', None),
        (b"", None),
        (b"null", None),
        (b'"open', None),
    ],
)
def test_only_a_string_is_text(raw: bytes, text: str | None) -> None:
    assert decode_text(raw) == text


def test_members_keep_their_own_source_text() -> None:
    raw = rb'{ "a" : { "x" :1.0 }, "b":12345678901234567890123, "\u0063":"\u00e9" }'

    assert {key: bytes(value) for key, value in (decode_members(raw) or {}).items()} == {
        "a": b'{ "x" :1.0 }',
        "b": b"12345678901234567890123",
        "c": rb'"\u00e9"',
    }


def test_members_keep_lone_surrogates_as_the_source_spells_them() -> None:
    """What is kept as structure keeps its escapes; only decoded text is mended."""
    raw = rb'{ "a" : "\ud83d" , "b":[ {"c":"}"} ] ,"\ud83d":1,"d":-1.5e3}'

    assert {key: bytes(value) for key, value in (decode_members(raw) or {}).items()} == {
        "a": rb'"\ud83d"',
        "b": b'[ {"c":"}"} ]',
        "\ufffd": b"1",
        "d": b"-1.5e3",
    }


def test_elements_keep_their_own_source_text() -> None:
    for raw in (rb'[ 1.0 , {"a": "]"} ,"x"]', rb'[ 1.0 , {"a": "]"} ,"x","\ud83d"]'):
        elements = decode_elements(raw)

        assert elements is not None
        assert [bytes(element) for element in elements[:3]] == [b"1.0", b'{"a": "]"}', b'"x"']


@pytest.mark.parametrize("raw", [b"", b"null", b"1", b'"x"', b"{", b"[", rb'["\ud83d"', DEEP])
def test_what_is_no_object_or_list_is_none(raw: bytes) -> None:
    assert decode_members(raw) is None
    assert raw == DEEP or decode_elements(raw) is None


def test_the_last_of_repeated_members_counts() -> None:
    for raw in (b'{"a":1,"a":2}', rb'{"a":1,"a":2,"b":"\ud83d"}'):
        assert bytes((decode_members(raw) or {})["a"]) == b"2"


@pytest.mark.parametrize(
    ("raw", "compact"),
    [
        (b' { "a" : [ 1.0 , 1e3, -0 ] ,\r\n\t"a":"x  y" } ', b'{"a":[1.0,1e3,-0],"a":"x  y"}'),
        (rb'{ "a":"\/ \u00e9" }', rb'{"a":"\/ \u00e9"}'),
        (rb'{ "a" : "\ud83d  \" " , "b":[ ] }', rb'{"a":"\ud83d  \" ","b":[]}'),
        (b"[12345678901234567890123456789]", b"[12345678901234567890123456789]"),
        ('{"a": "\u2028 \u00a0"}'.encode(), '{"a":"\u2028 \u00a0"}'.encode()),
    ],
)
def test_compact_text_loses_white_space_between_tokens_and_nothing_else(
    raw: bytes, compact: bytes
) -> None:
    assert raw_compact(raw) == compact
    assert raw_compact(compact) == compact
