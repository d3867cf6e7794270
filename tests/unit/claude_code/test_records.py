"""One record: every field for itself, and never a crash."""

import json

import pytest
from msgspec import Raw

from sessionizer.claude_code.records import (
    ForkedFrom,
    Origin,
    Record,
    decode_record,
)

PLAIN = {
    "type": "user",
    "uuid": "u1",
    "parentUuid": None,
    "timestamp": "2026-01-02T10:00:00Z",
    "message": {"role": "user", "content": "hi"},
}


def encode(record: object) -> bytes:
    return json.dumps(record).encode()


def read(body: bytes) -> Record:
    decoded = decode_record(body)
    assert decoded.problem is None
    assert decoded.record is not None
    return decoded.record


def test_the_fields_of_an_ordinary_record_are_read() -> None:
    record = read(
        b'{"parentUuid":"u0","isSidechain":false,"promptId":"p1","type":"assistant",'
        b'"message":{"role":"assistant","id":"m1","model":"model-x","stop_reason":"end_turn",'
        b'"content":[{"type": "text","text":"ok"}],"usage":{"input_tokens": 3}},'
        b'"requestId":"r1","uuid":"u1","timestamp":"2026-01-02T10:00:00Z","isMeta":true,'
        b'"origin":{"kind":"human"},"forkedFrom":{"sessionId":"s0","messageUuid":"u9"},'
        b'"parentToolUseID":"t1","toolUseResult":{"agentId": "a1"},"durationMs":12.5}'
    )

    assert record.parent_uuid == "u0"
    assert record.is_sidechain is False
    assert record.is_meta is True
    assert record.is_compact_summary is None
    assert record.origin == Origin("human")
    assert record.forked_from == ForkedFrom("s0", "u9")
    assert record.parent_tool_use_id == "t1"
    assert record.duration_ms == 12.5
    assert record.message is not None
    assert (record.message.id, record.message.stop_reason) == ("m1", "end_turn")


def test_heavy_fields_are_the_sources_own_text() -> None:
    """Key order, spacing, numbers and escapes stay, so that nothing is respelled."""
    text = rb'{ "b" : 1.0, "a":12345678901234567890123, "a":"\u00e9\/" }'

    assert bytes(read(b'{"toolUseResult": ' + text + b' ,"type":"user"}').tool_use_result) == text


@pytest.mark.parametrize(
    ("key", "value"),
    [
        ("origin", "human"),
        ("origin", {"kind": 5}),
        ("parentUuid", 7),
        ("timestamp", 1_789_891_200_000),
        ("isMeta", "yes"),
        ("durationMs", "long"),
        ("durationMs", 10**400),
        ("cwd", ["/w"]),
        ("forkedFrom", []),
        ("agentId", {"x": 1}),
    ],
)
def test_a_field_of_another_type_reads_as_absent_and_costs_no_other(
    key: str, value: object
) -> None:
    record = read(encode({**PLAIN, key: value}))

    assert record.uuid == "u1"
    assert record.message is not None
    assert bytes(record.message.content) == b'"hi"'
    assert getattr(record.origin, "kind", None) is None
    assert (record.parent_uuid, record.is_meta, record.duration_ms) == (None, None, None)
    assert (record.cwd, record.forked_from, record.agent_id) == (None, None, None)


@pytest.mark.parametrize("message", [[], "text", 1, True])
def test_a_message_that_is_no_object_is_absent(message: object) -> None:
    record = read(encode({**PLAIN, "message": message}))

    assert record.message is None
    assert record.uuid == "u1"


def test_a_strange_field_of_a_message_costs_no_other() -> None:
    record = read(encode({**PLAIN, "message": {"role": 1, "id": "m1", "content": "hi"}}))

    assert record.message is not None
    assert record.message.role is None
    assert record.message.id == "m1"
    assert bytes(record.message.content) == b'"hi"'


@pytest.mark.parametrize("value", ["text", ["a"], {"status": "completed"}, None, 3])
def test_a_tool_result_may_be_of_any_type(value: object) -> None:
    """Seen: an object, a string (most versions), a list (1.0.119)."""
    assert bytes(read(encode({**PLAIN, "toolUseResult": value})).tool_use_result) == encode(value)


def test_keys_that_differ_in_case_are_other_keys() -> None:
    assert read(b'{"UUID":"x","type":"user"}').uuid is None


def test_the_last_of_repeated_keys_counts() -> None:
    assert read(b'{"uuid":"a","uuid":"b"}').uuid == "b"
    assert read(b'{"uuid":"a","uuid":"b","isMeta":1}').uuid == "b"


def test_a_lone_surrogate_reads_as_a_replacement_and_stays_in_source_text() -> None:
    """JavaScript writes half an emoji where it cuts a string; strict decoders refuse it."""
    decoded = decode_record(
        rb'{"type":"user","slug":"a\ud83d","toolUseResult":{"x":"\ud83d"},"cwd":"\ud83d\ude00"}'
    )

    assert decoded.repaired
    assert decoded.record is not None
    assert decoded.record.slug == "a\ufffd"
    assert decoded.record.cwd == "\U0001f600"
    assert bytes(decoded.record.tool_use_result) == rb'{"x":"\ud83d"}'


def test_bytes_that_are_no_utf8_are_replaced_and_counted() -> None:
    decoded = decode_record(b'{"type":"user","slug":"a\xff\xfe","toolUseResult":"\xe4"}')

    assert decoded.record is not None
    assert decoded.record.slug == "a\ufffd\ufffd"
    assert bytes(decoded.record.tool_use_result) == '"\ufffd"'.encode()
    assert (decoded.repaired, decoded.replaced_bytes) == (True, 3)
    assert decoded.text.decode().count("\ufffd") == 3


def test_an_undamaged_line_is_not_called_repaired() -> None:
    for body in (encode(PLAIN), encode({**PLAIN, "isMeta": "odd"}), b'{"a":"\xe4\xb8\xad"}'):
        decoded = decode_record(body)

        assert not decoded.repaired
        assert decoded.text == body


def test_control_characters_are_read_only_when_asked_for() -> None:
    """Landing keeps the rule of JSON; searching reads what it can."""
    body = b'{"type":"user","slug":"a\tb\x00c"}'

    assert decode_record(body).problem == "not_json"
    lenient = decode_record(body, lenient_controls=True)
    assert lenient.repaired
    assert lenient.record is not None
    assert lenient.record.slug == "a\tb\x00c"


@pytest.mark.parametrize(
    ("body", "problem"),
    [
        (b"", "blank"),
        (b" \t\r", "blank"),
        (b"garbage", "not_json"),
        (b'{"a":1', "not_json"),
        (b'{"a":1}{"b":2}', "not_json"),
        (b'{"a":1}\x00', "not_json"),
        (b'{"a":NaN}', "not_json"),
        (b'{"a":-Infinity}', "not_json"),
        (b'{"a":01}', "not_json"),
        (b"\xef\xbb\xbf{}", "not_json"),
        (b'{"a":"\xff"', "invalid_utf8"),
        (b"\xff\xfe", "invalid_utf8"),
        (b"[1]", "not_object"),
        (b"[1", "not_json"),
        (rb'["\ud83d"]', "not_object"),
        (b"null", "not_object"),
        (b'"text"', "not_object"),
        (b'{"a":' + b"[" * 10_000 + b"]" * 10_000 + b"}", "too_deep"),
        (b'{"a":' * 10_000 + b"1" + b"}" * 10_000, "too_deep"),
        (b"[" * 10_000, "too_deep"),
    ],
)
def test_what_cannot_be_read_says_why(body: bytes, problem: str) -> None:
    decoded = decode_record(body)

    assert decoded.record is None
    assert decoded.problem == problem


def test_a_line_of_thirty_megabytes_is_read() -> None:
    """Pasted images make such lines; BR-32 is about a reader that hangs on one."""
    body = b'{"type":"user","message":{"content":"' + b"A" * 30_000_000 + b'"},"uuid":"u1"}'

    record = read(body)

    assert record.uuid == "u1"
    assert record.message is not None
    assert len(memoryview(record.message.content)) == 30_000_002


def test_a_number_of_any_length_passes() -> None:
    digits = b"7" * 6_000

    record = read(b'{"uuid":"u1","durationMs":' + digits + b',"data":[' + digits + b"]}")

    assert record.uuid == "u1"
    assert record.duration_ms is None
    assert bytes(record.data) == b"[" + digits + b"]"


def test_an_absent_source_text_is_empty() -> None:
    assert Record().data == Raw(b"") or bytes(Record().data) == b""
