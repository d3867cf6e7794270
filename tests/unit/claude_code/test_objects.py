"""Several records on one line, and records cut off by others."""

from pathlib import Path

import pytest

from sessionizer.claude_code.lines import iter_lines
from sessionizer.claude_code.objects import MAX_DEPTH, Objects, recover_records, split_objects
from sessionizer.claude_code.spans import Span

RECORD = b'{"type":"user","uuid":"u2","sessionId":"s1"}'


@pytest.mark.parametrize(
    ("body", "spans", "rest"),
    [
        (b'{"a":1}', [(0, 7)], None),
        (b' {"a":1} \r', [(0, 10)], None),
        (b'{"a":1}{"b":2}', [(0, 7), (7, 14)], None),
        (b' {"a":1} \t{"b":2}\r', [(0, 10), (10, 18)], None),
        (b'{"a":1}{"b":', [(0, 7)], (7, 12)),
        (b'{"a":1} garbage{"b":2}', [(0, 8)], (8, 22)),
        (b'{"a":1}[1]', [(0, 7)], (7, 10)),
        (b'{"a":1},{"b":2}', [(0, 7)], (7, 15)),
        (b'{"a":1}\x00', [(0, 7)], (7, 8)),
        (b'{"a":{"b":2}', [], (0, 12)),
        (b'[1]{"a":1}', [], (0, 10)),
        (b'garbage{"a":1}', [], (0, 14)),
        (b"null", [], (0, 4)),
        (b"   ", [], (0, 3)),
        (b"", [], (0, 0)),
        (b'{"a":NaN}{"b":2}', [], (0, 16)),
    ],
)
def test_a_line_is_its_whole_objects_and_a_rest(
    body: bytes, spans: list[tuple[int, int]], rest: tuple[int, int] | None
) -> None:
    """Only a line that begins with a whole object is split (ruling of glued lines)."""
    assert split_objects(body) == Objects(
        tuple(Span(*span) for span in spans), Span(*rest) if rest else None
    )


def test_brackets_inside_strings_glue_nothing() -> None:
    r"""BR-49: a text may hold `}{`, escaped quotes included."""
    first = rb'{"t":"q \"}{\" in text }{ \\"}'
    second = b'{"u":"}{"}'

    assert split_objects(first).spans == (Span(0, len(first)),)
    assert split_objects(first + second).spans == (
        Span(0, len(first)),
        Span(len(first), len(first) + len(second)),
    )


@pytest.mark.parametrize("first", [b'{"t":"\\ud83d"}', b'{"t":"\xff"}', '{"t":"\u4e2d"}'.encode()])
def test_text_that_a_strict_decoder_refuses_is_still_one_object(first: bytes) -> None:
    """A lone surrogate or a bad byte is damage inside an object, not between two."""
    assert split_objects(first).spans == (Span(0, len(first)),)
    assert len(split_objects(first + b'{"b":2}').spans) == 2


def test_bare_control_characters_break_an_object_unless_they_are_allowed() -> None:
    body = b'{"t":"a\x01b"}{"b":2}'

    assert split_objects(body).spans == ()
    assert split_objects(body, lenient_controls=True).spans == (Span(0, 11), Span(11, 18))


def test_a_line_nested_too_deep_is_rest_and_no_crash() -> None:
    body = b'{"a":' + b"[" * 100_000 + b"]" * 100_000 + b"}"

    assert split_objects(body) == Objects((), Span(0, len(body)))


@pytest.mark.parametrize(("depth", "spans"), [(MAX_DEPTH, 2), (MAX_DEPTH + 1, 0)])
def test_where_a_line_is_cut_does_not_depend_on_the_interpreter(depth: int, spans: int) -> None:
    """A decoder's own limit lies higher and moves with its caller."""
    deep = b'{"a":' * (depth - 1) + b"{}" + b"}" * (depth - 1)

    assert len(split_objects(deep + b'{"b":2}').spans) == spans
    assert len(split_objects(deep).spans) == 1


def test_a_million_small_objects_take_linear_time() -> None:
    """A hostile line must not cost the square of its length."""
    body = b"{}" * 200_000

    assert len(split_objects(body).spans) == 200_000


def test_a_record_behind_a_cut_off_one_is_found() -> None:
    """BR-47: the next record was written into the middle of an unfinished one."""
    body = b'{"type":"assistant","message":{"content":[{"type":"text","te' + RECORD

    assert split_objects(body).spans == ()
    assert recover_records(body) == (Span(len(body) - len(RECORD), len(body)),)


def test_several_records_behind_a_cut_off_one_are_found() -> None:
    body = b'{"type":"assistant","message":{"content":[' + RECORD + RECORD

    assert [body[span.start : span.stop] for span in recover_records(body)] == [RECORD, RECORD]


@pytest.mark.parametrize(
    "body",
    [
        b'{"type":"x","content":[{"type":"text","text":"t"}',  # a block is no record
        b'{"data":{"type":"user","uuid":"u"},"ti',  # a record inside, not behind
        b"garbage",
        b"",
        b'{"a',
    ],
)
def test_what_lies_inside_a_broken_record_is_no_record(body: bytes) -> None:
    assert recover_records(body) == ()


def test_looking_for_records_in_a_hostile_line_ends() -> None:
    """Each opening bracket could begin a record; the search gives up instead of trying all."""
    assert recover_records(b'{"a' * 300_000) == ()


@pytest.mark.real_data
def test_the_glued_line_of_a_real_transcript_holds_two_records(real_data: Path) -> None:
    """170 lines, 171 objects; line 128 is the glued one."""
    (path,) = (real_data / "v2.1.12-glued-line").glob("projects/*/*.jsonl")
    counts = {line.number: split_objects(line.body) for line in iter_lines(path.read_bytes())}

    assert len(counts) == 170
    assert sum(len(objects.spans) for objects in counts.values()) == 171
    assert [number for number, objects in counts.items() if len(objects.spans) > 1] == [128]
    assert all(objects.rest is None for objects in counts.values())
