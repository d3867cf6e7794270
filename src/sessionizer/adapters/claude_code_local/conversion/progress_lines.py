"""Progress records: hooks, shell output, and the messages of child agents carried along.

Up to about version 2.1.67 a parent's transcript repeats what its children say. Where a
child's own file is gone, these copies are all that is left of it.
"""

from collections.abc import Iterator
from typing import Final

import msgspec
from msgspec import Raw, Struct

from sessionizer.adapters.claude_code_local.conversion.links import Links
from sessionizer.adapters.claude_code_local.conversion.pieces import AnyRecord
from sessionizer.claude_code.ids import is_agent_id
from sessionizer.claude_code.shapes import read_shape
from sessionizer.claude_code.spans import Span, iter_values
from sessionizer.claude_code.values import ABSENT, decode_text, is_present

AGENT_PROGRESS: Final = "agent_progress"


class Progress(Struct, frozen=True, kw_only=True, rename="camel", gc=False):
    """The data of a progress record."""

    type: str | None = None
    agent_id: str | None = None
    message: Raw = ABSENT
    normalized_messages: Raw = ABSENT


_PROGRESS = msgspec.json.Decoder(Progress)


def read_agent_progress(record: AnyRecord) -> Progress | None:
    """What a child agent reports through its parent; None for any other progress."""
    progress = read_shape(_PROGRESS, record.data) if is_present(record.data) else None
    return progress if progress is not None and progress.type == AGENT_PROGRESS else None


def link_progress(record: AnyRecord, progress: Progress) -> Links:
    """The call that started the child, and the child."""
    return Links(record.parent_tool_use_id or "", progress.agent_id or "")


def name_stream(record: AnyRecord, progress: Progress) -> str:
    """The stream of the carried messages: the child's id, else one named after its call."""
    if progress.agent_id and is_agent_id(progress.agent_id):
        return progress.agent_id
    return f"carried-{record.parent_tool_use_id or record.uuid or ''}"


def find_messages(text: bytes, progress: Progress) -> tuple[Span, ...]:
    """Where the carried messages stand in `text`, the JSON text of the record.

    It is the one message of the child, else the list of them that some versions write.
    """
    if _is_object(bytes(memoryview(progress.message)[:1])):
        message = bytes(progress.message)
        start = text.find(message)
        # Only a value that stands there once is certainly found by its bytes.
        if start >= 0 and text.find(message, start + 1) < 0:
            return (Span(start, start + len(message)),)
    data = _find_member(text, Span(0, len(text)), "data")
    if data is None:
        return ()
    span = _find_member(text, data, "message")
    if span is not None and _is_object(text[span.start : span.start + 1]):
        return (span,)
    messages = _find_member(text, data, "normalizedMessages")
    if messages is None or text[messages.start : messages.start + 1] != b"[":
        return ()
    return tuple(
        element
        for element in _iter_inside(text, messages)
        if _is_object(text[element.start : element.start + 1])
    )


def _is_object(first: bytes) -> bool:
    return first == b"{"


def _find_member(text: bytes, span: Span, key: str) -> Span | None:
    """Where the last member named `key` of the object at `span` has its value."""
    if text[span.start : span.stop].lstrip()[:1] != b"{":
        return None
    values = _iter_inside(text, span)
    found = None
    for name, value in zip(values, values, strict=True):
        if decode_text(text[name.start : name.stop]) == key:
            found = value
    return found


def _iter_inside(text: bytes, span: Span) -> Iterator[Span]:
    for value in iter_values(text[span.start : span.stop]):
        yield Span(span.start + value.start, span.start + value.stop)
