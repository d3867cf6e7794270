"""Laws of reading a transcript: no byte is lost, no input is too strange."""

import io
import json
import re

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec import Raw

from sessionizer.base.surrogates import replace_lone_surrogates
from sessionizer.claude_code.blocks import decode_blocks
from sessionizer.claude_code.lines import iter_file_lines, iter_lines
from sessionizer.claude_code.objects import recover_records, split_objects
from sessionizer.claude_code.records import Record, decode_record, strip_damage
from sessionizer.claude_code.repairs import (
    escape_controls,
    replace_bad_utf8,
)
from sessionizer.claude_code.values import (
    decode_elements,
    decode_members,
    decode_text,
    decode_value,
    raw_compact,
)

# With lone surrogates, which JavaScript writes and Python's strings can hold.
TEXT = st.text(st.characters(exclude_categories=()))
JSON = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats(allow_nan=False, allow_infinity=False)
    | TEXT,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(TEXT, inner, max_size=3),
    max_leaves=8,
)
# Bytes that look like JSON far more often than chance would have it.
PIECES = st.sampled_from(
    [bytes([byte]) for byte in b'{}[]",: \\\n\r\t\0\x1f\xff\xe4\xb8-1']
    + [b'{"a":1}', b'"type"', b'"uuid"', b'"x":', rb"\ud83d", rb"\u", b"NaN", b"1e9", b"null"]
)
BYTES = st.binary(max_size=60) | st.lists(PIECES, max_size=25).map(b"".join)

KEYS = [field.encode_name for field in msgspec.structs.fields(Record)]
TEXT_KEYS = ["uuid", "cwd", "slug", "timestamp", "sessionId", "version", "summary"]


def mend(text: str) -> str:
    """The text as UTF-16 tells it: pairs joined, lone halves replaced."""
    return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")


@given(BYTES, st.integers(1, 7))
def test_framing_loses_no_byte(data: bytes, buffer_bytes: int) -> None:
    r"""Bodies joined by `\n` are the input; offsets and numbers tell where each stood."""
    lines = list(iter_lines(data))

    assert b"\n".join(line.body for line in lines) == data.removesuffix(b"\n")
    assert [line.number for line in lines] == list(range(1, len(lines) + 1))
    for line in lines:
        assert data[line.offset :].startswith(line.body)
        assert line.offset == 0 or data[line.offset - 1 : line.offset] == b"\n"
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("sessionizer.claude_code.lines.BUFFER_BYTES", buffer_bytes)
        assert list(iter_file_lines(io.BytesIO(data))) == lines


@given(BYTES, st.booleans())
def test_splitting_a_line_loses_no_byte(body: bytes, lenient: bool) -> None:
    """Spans and rest join without a gap, and every span is a record that decodes."""
    objects = split_objects(body, lenient_controls=lenient)

    pieces = [*objects.spans, *([objects.rest] if objects.rest else [])]
    assert [piece.start for piece in pieces] == [0, *(piece.stop for piece in pieces[:-1])]
    assert pieces[-1].stop == len(body)
    for span in objects.spans:
        decoded = decode_record(body[span.start : span.stop], lenient_controls=lenient)
        assert decoded.record is not None


@given(st.lists(st.dictionaries(TEXT, JSON, max_size=3), min_size=1, max_size=4))
def test_glued_objects_come_apart_where_they_were_joined(values: list[dict[str, object]]) -> None:
    written = [json.dumps(value, ensure_ascii=index % 2 == 0) for index, value in enumerate(values)]
    texts = [text.encode("utf-8", "surrogatepass") for text in written]
    body = b"".join(texts)

    spans = split_objects(body).spans

    assert [body[span.start : span.stop] for span in spans] == texts


@given(BYTES, st.booleans())
def test_no_bytes_make_a_reader_fail(body: bytes, lenient: bool) -> None:
    """Every function that meets source bytes answers for any of them."""
    stripped, _ = strip_damage(body, first_line=True)
    decoded = decode_record(stripped, lenient_controls=lenient)
    assert (decoded.record is None) == (decoded.problem is not None)
    recover_records(body)
    replace_bad_utf8(body).body.decode()
    escape_controls(body)
    assert len(replace_lone_surrogates(body)) == len(body)
    for read in (decode_value, decode_text, decode_members, decode_elements, decode_blocks):
        read(body)
        read(Raw(body))


@given(BYTES)
def test_every_byte_is_kept_or_counted(body: bytes) -> None:
    utf8 = replace_bad_utf8(body)
    added = utf8.body.count("\ufffd".encode()) - body.count("\ufffd".encode())

    assert len(utf8.body) - 3 * added + utf8.replaced_bytes == len(body)
    assert (utf8.replaced_bytes == 0) == (utf8.body == body)


@given(st.dictionaries(st.sampled_from(KEYS), JSON), st.sampled_from(TEXT_KEYS), TEXT)
def test_known_fields_of_any_type_never_cost_another(
    fields: dict[str, object], key: str, value: str
) -> None:
    """Whatever stands in the other fields, a field of the right type is read."""
    body = json.dumps({**fields, key: value}).encode()

    decoded = decode_record(body)

    assert decoded.record is not None
    attribute = re.sub(r"(?<!^)(?=[A-Z])", "_", key).lower()
    assert getattr(decoded.record, attribute) == mend(value)
    if decoded.record.message is not None:
        decode_blocks(decoded.record.message.content)


@given(st.lists(st.dictionaries(st.sampled_from(["type", "text", "id", "input"]), JSON) | JSON))
def test_blocks_come_out_one_by_one_whatever_they_are(content: list[object]) -> None:
    written = [json.dumps(block) for block in content]

    decoded = decode_blocks(("[" + ", ".join(written) + "]").encode())

    assert isinstance(decoded, tuple)
    assert [block.raw.decode() for block in decoded] == written


@given(JSON, st.sampled_from([(", ", ": "), (",", ":"), (" ,\t", "\r\n: ")]))
def test_compact_text_is_the_same_document(value: object, separators: tuple[str, str]) -> None:
    """Only the white space between tokens goes; the tokens stay byte for byte."""
    spaced = json.dumps(value, separators=separators).encode()

    assert raw_compact(spaced) == json.dumps(value, separators=(",", ":")).encode()


@given(st.dictionaries(TEXT, JSON))
def test_members_are_slices_of_the_source(value: dict[str, object]) -> None:
    """Their own text, spacing and escapes included, with and without lone surrogates."""
    members = decode_members(json.dumps(value).encode())

    assert members is not None
    mended = {mend(key): inner for key, inner in value.items()}
    assert {key: bytes(raw).decode() for key, raw in members.items()} == {
        key: json.dumps(inner) for key, inner in mended.items()
    }


@given(st.integers(0, 40), st.text(alphabet='{}[]"\\,: a', max_size=20))
def test_a_cut_record_never_hides_the_next_one(cut: int, text: str) -> None:
    """BR-47, for a cut anywhere inside the first record but in its last bytes."""
    first = json.dumps({"type": "assistant", "message": {"content": [{"text": text}]}})
    second = b'{"type":"user","uuid":"u2","message":{"content":"still here"}}'
    broken = first[: min(cut, len(first) - 1)].encode()

    spans = recover_records(broken + second) if broken else split_objects(second).spans

    assert [(broken + second)[span.start : span.stop] for span in spans] == [second]
