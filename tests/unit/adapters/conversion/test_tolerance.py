"""Damage: never an error, never more lost than what is damaged."""

import base64
from pathlib import Path

import msgspec
import pytest

from sessionizer.adapters.claude_code_local.conversion.nesting import MAX_DEPTH, is_too_deep
from sessionizer.base.digests import short_sha256
from sessionizer.landing.record import TRANSCRIPT, Drop, Header, Part
from sessionizer.landing.session_data import decode_landed, encode_landed
from tests.build.conversion import CHILD, MAIN, line, row, rows, user

NOT_JSON = "the record is not valid JSON"


def only_part(body: bytes) -> Part:
    """The one part of the one row; it is never interpreted."""
    made = row(body)
    assert (made.origin, made.id, made.flags, made.dropped) == ("runtime", "", (), ())
    assert (made.bytes, made.sha) == (len(body), short_sha256(body))
    (part,) = made.parts
    return part


@pytest.mark.parametrize(
    "body",
    [
        b" ",
        b"garbage",
        b'{"uuid":"u1"',
        b'{"uuid":"u1",}',
        b"{'uuid':'u1'}",
        b'{"a":NaN}',
        b'{"a":Infinity}',
        b'{"a":-Infinity}',
        b'{"a":01}',
        b'{"a":"\x00"}',
        b'{"a":"\t"}',
        b"\x00\x00",
        b'{"a":"\\x"}',
        b'\xef\xbb\xbf{"a":1}',
        "{\u2028}".encode(),
    ],
)
def test_what_is_no_json_is_kept_as_text(body: bytes) -> None:
    """The whole line, and the reason."""
    part = only_part(body)

    assert (part.k, part.text, part.encoding, part.bytes) == ("unknown", NOT_JSON, "", len(body))
    assert msgspec.json.decode(part.data) == body.decode()


@pytest.mark.parametrize("body", [b"[1,2]", b'"text"', b"7", b"null", b"true", b" [] "])
def test_json_that_is_no_object_is_kept_as_text(body: bytes) -> None:
    """There is no record in it."""
    part = only_part(body)

    assert (part.k, part.text) == ("unknown", "the record is not an object")
    assert msgspec.json.decode(part.data) == body.decode()


@pytest.mark.parametrize("body", [b'{"type":"us\xff', b"\xff\xfe", b'["\xff"]', b'"\xff"'])
def test_bytes_that_are_neither_json_nor_text_are_kept_exactly(body: bytes) -> None:
    """As base64: replacing them would lose what they were."""
    part = only_part(body)

    assert (part.k, part.encoding, part.bytes) == ("unknown", "base64", len(body))
    assert base64.b64decode(msgspec.json.decode(part.data)) == body


def test_bad_bytes_inside_a_record_are_replaced_and_counted() -> None:
    """The record is read, and its digest is that of the source."""
    body = b'{"type":"user","uuid":"u1","cwd":"\xff","message":{"content":"a\xe2\x82b\xffc"}}'

    made = row(body)

    assert (made.id, made.parts[0].text, made.parts[0].bytes) == ("u1", "a\ufffdb\ufffdc", 9)
    assert made.dropped == (Drop("invalid bytes", 4, "not UTF-8; replaced by U+FFFD"),)
    assert (made.bytes, made.sha) == (len(body), short_sha256(body))


def test_structure_with_bad_bytes_is_text_again() -> None:
    """A landed file is UTF-8, whatever its source was."""
    body = b'{"type":"mode","x":"\xff"}'

    made = row(body)

    assert bytes(made.parts[0].data).decode() == '{"type":"mode","x":"\ufffd"}'
    assert (made.parts[0].bytes, made.dropped[0].bytes) == (len(body), 1)


def test_lone_surrogates_are_replaced_in_text_and_stay_in_structure() -> None:
    """JavaScript cuts strings between the halves of a pair, and writes the lone half."""
    body = (
        rb'{"type":"assistant","uuid":"a\ud83d","message":{"content":['
        rb'{"type":"text","text":"x\ud83dy \ud83d\ude00"},'
        rb'{"type":"tool_use","id":"t1","name":"N","input":{ "s": "\ud83d" }}]}}'
    )

    made = row(body)

    text, call = made.parts
    assert (made.id, text.text, text.bytes) == ("a\ufffd", "x\ufffdy 😀", 10)
    assert bytes(call.data) == rb'{"s":"\ud83d"}'
    assert made.dropped == ()
    assert msgspec.json.encode(made)


@pytest.mark.parametrize(
    "strange",
    [
        b'"origin":"human"',
        b'"origin":{"kind":5}',
        b'"parentUuid":7',
        b'"timestamp":1767323045',
        b'"isMeta":"yes"',
        b'"forkedFrom":[]',
        b'"promptSource":{}',
        b'"requestId":[1]',
        b'"customTitle":1e999',
        b'"agentId":12345678901234567890123',
        b'"isSidechain":0',
        b'"promptId":false',
    ],
)
def test_a_key_of_another_kind_counts_as_absent(strange: bytes) -> None:
    """Everything else of the line is read as if it were not there."""
    body = b'{"type":"user","uuid":"u1",' + strange + b',"message":{"content":"hi"}}'
    plain = b'{"type":"user","uuid":"u1","message":{"content":"hi"}}'

    made = row(body)

    assert msgspec.structs.replace(made, sha="", bytes=0) == msgspec.structs.replace(
        row(plain), sha="", bytes=0
    )


@pytest.mark.parametrize("message", [b"[]", b'"hi"', b"7", b"null", b"{}"])
def test_a_strange_message_does_not_hide_whose_record_it_is(message: bytes) -> None:
    """The record is kept whole, with its ids."""
    body = b'{"type":"user","uuid":"u1","parentUuid":"a0","message":' + message + b"}"

    made = row(body)

    assert (made.id, made.parent, made.origin) == ("u1", "a0", "external")
    assert [(part.k, bytes(part.data)) for part in made.parts] == [("data", body)]


def test_a_record_of_no_type_or_a_new_one_is_the_runtimes() -> None:
    """Unknown shapes are kept and shown."""
    for body in (line(uuid="x1"), line(type="brand-new", uuid="x1"), line(type=5, uuid="x1")):
        made = row(body)
        assert (made.origin, made.id, made.flags) == ("runtime", "x1", ())
        assert bytes(made.parts[0].data) == body


def test_keys_that_differ_in_case_are_other_keys() -> None:
    """`UUID` is not `uuid`."""
    assert row(line(type="mode", UUID="x1", Uuid="x2")).id == ""


def test_the_last_of_repeated_keys_counts() -> None:
    """Whatever the kinds of the others; the whole text keeps them all."""
    assert row(b'{"uuid":"x1","uuid":"x2"}').id == "x2"
    assert row(b'{"uuid":5,"uuid":"x2"}').id == "x2"
    assert row(b'{"uuid":"x1","uuid":5}').id == ""
    assert bytes(row(b'{"uuid":"x1","uuid":5}').parts[0].data) == b'{"uuid":"x1","uuid":5}'


def test_a_carriage_return_belongs_to_the_line() -> None:
    """P3. It is white space to the reader, and a byte of the source."""
    body = user("hi", origin={"kind": "human"}) + b"\r"

    made = row(body)

    assert (made.id, made.bytes, made.sha) == ("u1", len(body), short_sha256(body))


def test_a_byte_order_mark_is_skipped_at_the_start_of_a_file_only() -> None:
    """There it is no damage; anywhere else it is no JSON."""
    body = b'\xef\xbb\xbf{"type":"mode","uuid":"x1"}'

    (first,) = rows(body, first=True)
    (other,) = rows(body)

    assert (first.id, first.bytes, first.sha) == ("x1", len(body), short_sha256(body))
    assert bytes(first.parts[0].data) == body[3:]
    assert other.parts[0].text == NOT_JSON


def nest(depth: int, opening: bytes = b"[", closing: bytes = b"]") -> bytes:
    """A record with a value this deep inside it."""
    return b'{"type":"mode","uuid":"x1","x":' + opening * depth + closing * depth + b"}"


def test_structure_is_kept_up_to_a_fixed_depth() -> None:
    """The limit is ours: the same bytes give the same row on every interpreter."""
    deepest = row(nest(MAX_DEPTH - 1))
    deeper = row(nest(MAX_DEPTH))

    assert (deepest.id, deepest.parts[0].k) == ("x1", "data")
    assert (deeper.id, deeper.parts[0].text) == ("", NOT_JSON)


@pytest.mark.parametrize("depth", [5_000, 300_000])
@pytest.mark.parametrize("source", [MAIN, CHILD])
def test_no_depth_is_too_deep_to_be_kept(depth: int, source: object) -> None:
    """As text, of which every byte is there."""
    body = nest(depth)

    (made,) = rows(body, source)  # type: ignore[arg-type]

    assert (made.parts[0].text, made.parts[0].bytes) == (NOT_JSON, len(body))


def test_what_is_kept_as_structure_can_be_read_back() -> None:
    """A row that could be written and not read would damage its whole file."""
    header = Header(
        seq=1,
        at="2026-01-02T03:05:00Z",
        kind=TRANSCRIPT,
        adapter="a",
        dialect="d",
        src="s",
        session="s",
    )
    block = b'{"type":"tool_use","id":"t1","name":"N","input":' + b'{"a":' * 490 + b"1" + b"}" * 490
    converted = (
        *rows(nest(MAX_DEPTH - 1)),
        *rows(b'{"type":"assistant","uuid":"a1","message":{"content":[' + block + b"}]}}"),
        *rows(rb'{"type":"mode","uuid":"x2","x":"\ud83d"}'),
    )

    landed = decode_landed(encode_landed(header, converted), Path("x.sd"))

    assert [made.id for made in landed.rows] == ["x1", "a1", "x2"]


def test_brackets_inside_strings_are_no_depth() -> None:
    """Source code is full of them, and so are its escapes."""
    assert not is_too_deep(b'["' + b"[" * 2_000 + b'"]')
    assert not is_too_deep(b'["\\"' + b"[" * 2_000 + b'\\\\"]')
    assert not is_too_deep(b"[" + b"[]," * 2_000 + b"[]]")
    assert is_too_deep(b'["\\\\",' + b"[" * MAX_DEPTH + b"]" * MAX_DEPTH + b"]")


def test_a_line_of_thirty_megabytes_is_one_row() -> None:
    """Seen: 2 MB. Nothing has a limit of length."""
    text = "x" * 30_000_000
    body = user(text)

    made = row(body)

    assert (made.parts[0].bytes, made.bytes) == (30_000_000, len(body))
    assert made.parts[0].text == text
