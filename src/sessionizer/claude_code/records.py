"""Decode one record, tolerantly: what is not as expected reads as absent, the rest is read.

A typed decode reads nearly every line at full speed. Only where it objects is a line read
again, member by member, so that one strange field never costs another.

Fields that are large, or whose shape varies between versions, stay `msgspec.Raw`: the
source's own text, decoded when somebody asks (`values`, `blocks`).

Source: docs/formats/transcript.md.
"""

from typing import Annotated, Literal

import msgspec
from msgspec import Meta, Raw, Struct, field

from sessionizer.base.surrogates import replace_lone_surrogates
from sessionizer.claude_code.blocks import Block, decode_blocks
from sessionizer.claude_code.repairs import (
    Utf8,
    escape_controls,
    replace_bad_utf8,
    strip_damage,
)
from sessionizer.claude_code.shapes import read_members
from sessionizer.claude_code.values import ABSENT, decode_members, raw_compact

__all__ = [
    "Block",
    "Decoded",
    "ForkedFrom",
    "Message",
    "Origin",
    "Problem",
    "Record",
    "decode_blocks",
    "decode_record",
    "raw_compact",
    "strip_damage",
]

# Beyond what a double holds exactly, arithmetic would overflow; such a number says nothing.
EXACT = 2**53
Milliseconds = Annotated[int, Meta(ge=-EXACT, le=EXACT)] | float

Problem = Literal["blank", "not_json", "not_object", "invalid_utf8", "too_deep"]


class Origin(Struct, frozen=True, gc=False):
    """Who a record comes from, as the runtime states it."""

    kind: str | None = None


class ForkedFrom(Struct, frozen=True, rename="camel", gc=False):
    """Which record of which session this one is a copy of."""

    session_id: str | None = None
    message_uuid: str | None = None


class Message(Struct, frozen=True, kw_only=True, gc=False):
    """The message of a user or assistant record. `content` is a string or a list of blocks."""

    role: str | None = None
    id: str | None = None
    model: str | None = None
    stop_reason: str | None = None
    content: Raw = ABSENT
    usage: Raw = ABSENT


class Record(Struct, frozen=True, kw_only=True, rename="camel", gc=False):
    """One record of a transcript, sidecar, journal or manifest. Every field may be absent.

    A field of text is None when it is absent, null or not text. A `Raw` field is empty when
    absent, and may be `null`: `values.is_present` tells.
    """

    # In the order in which most lines have them: the decoder tries the next field first.
    parent_uuid: str | None = None
    logical_parent_uuid: str | None = None
    is_sidechain: bool | None = None
    prompt_id: str | None = None
    agent_id: str | None = None
    parent_agent_id: str | None = None
    type: str | None = None
    subtype: str | None = None
    message: Message | None = None
    content: Raw = ABSENT
    is_compact_summary: bool | None = None
    is_meta: bool | None = None
    request_id: str | None = None
    uuid: str | None = None
    timestamp: str | None = None
    prompt_source: str | None = None
    origin: Origin | None = None
    tool_use_result: Raw = ABSENT
    attachment: Raw = ABSENT
    data: Raw = ABSENT
    tool_use_id: str | None = None
    parent_tool_use_id: str | None = field(default=None, name="parentToolUseID")
    cwd: str | None = None
    session_id: str | None = None
    version: str | None = None
    git_branch: str | None = None
    slug: str | None = None
    forked_from: ForkedFrom | None = None
    # Lines about the session.
    operation: str | None = None
    reason: str | None = None
    level: str | None = None
    summary: str | None = None
    leaf_uuid: str | None = None
    ai_title: str | None = None
    custom_title: str | None = None
    last_prompt: str | None = None
    compact_metadata: Raw = ABSENT
    snapshot: Raw = ABSENT
    duration_ms: Milliseconds | None = None
    parent_last_uuid: str | None = None
    # Sidecars, journals, manifests.
    description: str | None = None
    agent_type: str | None = None
    name: str | None = None
    task_kind: str | None = None
    team_name: str | None = None
    workflow_name: str | None = None
    workflow_phase: str | None = None
    run_id: str | None = None
    result: Raw = ABSENT
    status: str | None = None
    # Markers of waiting questions that a hook writes.
    csift: str | None = None
    csift_phase: str | None = None
    csift_kind: str | None = None
    csift_key: str | None = None


class Decoded(Struct, frozen=True, kw_only=True, gc=False):
    """What came out of one object, and what it took to read it.

    Attributes:
        record: None when the text could not be read; `problem` then says why.
        text: What was decoded: the source, but with bytes that are no UTF-8 replaced.
        repaired: The text was read with replacements.
        replaced_bytes: How many of its bytes were no UTF-8.
    """

    record: Record | None
    text: bytes
    problem: Problem | None = None
    repaired: bool = False
    replaced_bytes: int = 0


_RECORD = msgspec.json.Decoder(Record)
_RAW = msgspec.json.Decoder(Raw)
_MEMBERS = msgspec.json.Decoder(dict[str, Raw])


def decode_record(body: bytes, *, lenient_controls: bool = False) -> Decoded:
    """Decode one object. Never raises.

    Keys that differ in case are other keys; the last of repeated keys counts; lone
    surrogates and bytes that are no UTF-8 read as U+FFFD; NaN and Infinity are no JSON.
    `Raw` fields are slices of the source, except where its bytes had to be replaced.

    Args:
        body: One whole line, or one span of `split_objects`.
        lenient_controls: Accept bare control characters inside strings.
    """
    utf8 = replace_bad_utf8(body)
    try:
        record = _RECORD.decode(utf8.body)
    except RecursionError:
        return Decoded(record=None, text=utf8.body, problem="too_deep")
    except msgspec.DecodeError:
        return _decode_by_member(utf8, lenient_controls=lenient_controls)
    return Decoded(
        record=record,
        text=utf8.body,
        repaired=utf8.replaced_bytes > 0,
        replaced_bytes=utf8.replaced_bytes,
    )


def _decode_by_member(utf8: Utf8, *, lenient_controls: bool) -> Decoded:
    text = escape_controls(utf8.body) if lenient_controls else utf8.body
    repaired = utf8.replaced_bytes > 0 or text != utf8.body
    members: dict[str, Raw] | None = None
    try:
        members = _MEMBERS.decode(text)
    except RecursionError:
        pass
    except msgspec.DecodeError:
        members = decode_members(text)
        repaired = True
    if members is None:
        problem = _name_problem(text, bad_utf8=utf8.replaced_bytes > 0)
        return Decoded(record=None, text=text, problem=problem)
    return Decoded(
        record=read_members(Record, members),
        text=text,
        repaired=repaired,
        replaced_bytes=utf8.replaced_bytes,
    )


def _name_problem(text: bytes, *, bad_utf8: bool) -> Problem:
    if not text.strip():
        return "blank"
    try:
        _RAW.decode(replace_lone_surrogates(text))
    except RecursionError:
        return "too_deep"
    except msgspec.DecodeError:
        return "invalid_utf8" if bad_utf8 else "not_json"
    return "not_object"
