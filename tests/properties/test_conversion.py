"""Laws of conversion: nothing raises, nothing is lost, both ways of reading agree."""

import json
from typing import Any

import msgspec
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from sessionizer.adapters.claude_code_local.contract import SourceContext
from sessionizer.adapters.claude_code_local.conversion import pieces
from sessionizer.adapters.claude_code_local.convert import (
    convert_history_line,
    convert_line,
    convert_snapshot,
)
from sessionizer.base.digests import short_sha256
from sessionizer.landing.contiguity import check_contiguity
from sessionizer.landing.record import (
    AGENT_META,
    FLAGS,
    SESSION_TITLE,
    WORKFLOW_MANIFEST,
    WORKFLOW_SCRIPT,
    Row,
)
from tests.build.conversion import CHILD, MAIN, RUN_JOURNAL

GROWING = st.sampled_from([MAIN, CHILD, RUN_JOURNAL])
SNAPSHOTS = st.sampled_from(
    [
        SourceContext(kind=AGENT_META, stream="a1111111111111111"),
        SourceContext(kind=WORKFLOW_MANIFEST, batch="wf_abc-1"),
        SourceContext(kind=WORKFLOW_SCRIPT, batch="wf_abc-1"),
        SourceContext(kind=SESSION_TITLE, stream="main", main=True),
    ]
)

TEXT = st.text(max_size=8) | st.sampled_from(
    ["", " ", "\ud83d", "<task-notification><task-id>aab12cd</task-id>", "/go", "<command-name>/x"]
)
ANYTHING = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats(allow_nan=False, allow_infinity=False)
    | TEXT,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(TEXT, inner, max_size=3),
    max_leaves=4,
)


def some_of(fields: dict[str, st.SearchStrategy[Any]]) -> st.SearchStrategy[dict[str, Any]]:
    """Objects with any of these members; each may also have a value of any other kind."""
    return st.fixed_dictionaries({}, optional={k: v | ANYTHING for k, v in fields.items()})


BLOCK = some_of(
    {
        "type": st.sampled_from(
            ["text", "thinking", "tool_use", "tool_result", "image", "redacted_thinking", "new"]
        ),
        "text": TEXT,
        "thinking": TEXT,
        "signature": TEXT,
        "data": TEXT,
        "id": TEXT,
        "name": TEXT,
        "input": some_of({"prompt": TEXT}),
        "tool_use_id": TEXT,
        "content": TEXT | st.lists(some_of({"type": TEXT, "text": TEXT}), max_size=2),
        "is_error": st.booleans(),
        "source": some_of({"data": TEXT, "media_type": TEXT}),
        "whole": TEXT,
    }
)
MESSAGE = some_of(
    {
        "id": TEXT,
        "model": st.just("<synthetic>"),
        "stop_reason": TEXT,
        "content": TEXT | st.lists(BLOCK | TEXT, max_size=3),
        "usage": some_of({"input_tokens": st.integers(), "output_tokens": st.integers(0, 9)}),
    }
)
ORIGIN = some_of({"kind": st.sampled_from(["human", "task-notification", "peer", ""])})
RECORD = some_of(
    {
        "type": st.sampled_from(
            ["user", "assistant", "system", "attachment", "progress", "queue-operation", "summary"]
        ),
        "subtype": st.sampled_from(["compact_boundary", "local_command"]),
        "uuid": TEXT,
        "parentUuid": TEXT,
        "promptId": TEXT,
        "promptSource": st.sampled_from(["sdk", "system", "typed"]),
        "requestId": TEXT,
        "isMeta": st.booleans(),
        "isSidechain": st.booleans(),
        "isCompactSummary": st.booleans(),
        "agentId": TEXT,
        "origin": ORIGIN,
        "timestamp": TEXT,
        "message": MESSAGE,
        "toolUseResult": some_of({"status": TEXT, "agentId": TEXT, "runId": TEXT}),
        "attachment": some_of(
            {
                "type": st.just("queued_command"),
                "commandMode": st.just("prompt"),
                "prompt": TEXT,
                "text": TEXT,
                "origin": ORIGIN,
            }
        ),
        "operation": st.sampled_from(["enqueue", "remove"]),
        "content": TEXT | st.lists(BLOCK, max_size=2),
        "parentToolUseID": TEXT,
        "data": some_of(
            {
                "type": st.just("agent_progress"),
                "agentId": TEXT,
                "message": some_of({"type": st.just("user"), "uuid": TEXT, "message": MESSAGE}),
                "normalizedMessages": st.lists(some_of({"uuid": TEXT}) | TEXT, max_size=2),
            }
        ),
        "customTitle": TEXT,
        "summary": TEXT,
        "leafUuid": TEXT,
        "forkedFrom": some_of({"sessionId": TEXT}),
    }
)
ELEMENT = st.fixed_dictionaries({"text": TEXT})
ORDINARY_BLOCK = st.one_of(
    st.fixed_dictionaries({"type": st.just("text")}, optional={"text": TEXT}),
    st.fixed_dictionaries(
        {"type": st.just("thinking")}, optional={"thinking": TEXT, "signature": TEXT}
    ),
    st.fixed_dictionaries(
        {"type": st.just("tool_use")}, optional={"input": st.dictionaries(TEXT, TEXT, max_size=1)}
    ),
    st.fixed_dictionaries(
        {
            "type": st.just("tool_result"),
            "content": TEXT
            | st.lists(ELEMENT, max_size=3)
            | st.lists(ELEMENT | st.just({"type": "image"}), max_size=2),
        },
        optional={"is_error": st.booleans()},
    ),
)
ORDINARY_RECORD = st.fixed_dictionaries(
    {
        "type": st.sampled_from(["user", "assistant"]),
        "message": st.fixed_dictionaries(
            {"content": TEXT | st.lists(ORDINARY_BLOCK, max_size=2)},
            optional={
                "usage": st.fixed_dictionaries({"input_tokens": st.integers(-1, 1)}),
                "stop_reason": TEXT,
            },
        ),
    },
    optional={
        "toolUseResult": TEXT | st.lists(TEXT, max_size=1) | st.just({"status": "completed"})
    },
)
SEPARATORS = st.sampled_from([(",", ":"), (", ", ": "), (" ,\t", "  : ")])


@st.composite
def source_lines(draw: st.DrawFn) -> bytes:
    """One or several records on a line, spelled in any way, now and then damaged."""
    objects = draw(st.lists(RECORD | ORDINARY_RECORD, min_size=1, max_size=2))
    body = b"".join(
        json.dumps(found, separators=draw(SEPARATORS), ensure_ascii=draw(st.booleans())).encode(
            "utf-8", "surrogatepass"
        )
        for found in objects
    )
    body += draw(st.sampled_from([b"", b"\r", b" ", b"{", b"x"]))
    if draw(st.booleans()):
        return body
    at = draw(st.integers(0, len(body)))
    return body[:at] + draw(st.binary(max_size=2)) + body[at + draw(st.integers(0, 2)) :]


@given(GROWING, st.binary(max_size=60) | source_lines(), st.booleans())
@example(MAIN, b"\xef\xbb\xbf", True)
@example(MAIN, b"\xef\xbb\xbf {}{}", True)
def test_rows_describe_slices_of_their_line(
    source: SourceContext,
    body: bytes,
    first: bool,
) -> None:
    """Any bytes at all: no error, no gap, no byte that no row accounts for."""
    converted = convert_line(source, body, ord=1, off=0, first=first)

    own = [row for row in converted if not row.carried]
    assert sum(row.bytes for row in own) == len(body)
    assert check_contiguity([("x.sd", converted)]).problems == ()
    for row in converted:
        assert row.sha == short_sha256(body[row.off : row.off + row.bytes])


@given(GROWING, source_lines())
def test_every_row_is_one_line_of_valid_text(source: SourceContext, body: bytes) -> None:
    """What is written can be read: UTF-8, JSON, no line end inside, at least one part."""
    for row in convert_line(source, body, ord=1, off=0):
        written = msgspec.json.encode(row)
        assert b"\n" not in written
        document = json.loads(written.decode())
        assert document["parts"]
        assert list(row.flags) == [flag for flag in FLAGS if flag in row.flags]


@given(GROWING, source_lines() | ORDINARY_RECORD.map(json.dumps).map(str.encode))
@settings(max_examples=200)
def test_reading_in_one_pass_changes_nothing(source: SourceContext, body: bytes) -> None:
    """The quick way is only quick: member by member gives the same bytes."""
    quick = convert_line(source, body, ord=1, off=0)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(pieces, "read_plain", lambda _text: None)
        slow = convert_line(source, body, ord=1, off=0)

    assert encode(quick) == encode(slow)


@given(st.dictionaries(st.sampled_from(["type", "origin", "isMeta", "message"]), ANYTHING))
def test_ids_are_never_lost_to_a_strange_field(strange: dict[str, Any]) -> None:
    """One field of another kind must not cost the record its place among the others."""
    fields = {**strange, "uuid": "u1", "parentUuid": "u0", "promptId": "p1", "timestamp": "T"}
    body = json.dumps(fields).encode()

    row = convert_line(MAIN, body, ord=1, off=0)[0]

    assert (row.id, row.parent, row.run, row.time) == ("u1", "u0", "p1", "T")


@given(SNAPSHOTS, st.binary(max_size=60) | source_lines())
def test_a_snapshot_is_always_one_row(source: SourceContext, body: bytes) -> None:
    """Whatever it holds, over its content without the line ends behind it."""
    (row,) = convert_snapshot(source, body)

    stripped = body.rstrip(b"\r\n")
    assert (row.ord, row.off, row.glued) == (1, 0, 0)
    assert (row.bytes, row.sha) == (len(stripped), short_sha256(stripped))
    assert msgspec.json.encode(row)


@given(st.binary(max_size=60) | source_lines())
def test_history_lines_are_whole_and_nobodys(body: bytes) -> None:
    """Nothing of them is interpreted."""
    for row in convert_history_line(body, ord=1, off=0):
        assert (row.origin, row.id, row.flags, row.trigger) == ("runtime", "", (), "")
        assert msgspec.json.encode(row)


def encode(rows: tuple[Row, ...]) -> list[bytes]:
    """Rows as the file holds them."""
    return [msgspec.json.encode(row) for row in rows]
