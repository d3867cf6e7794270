"""Read an ordinary record in one pass, message, blocks and counters included.

Nearly every line is exactly what its type calls for. Such a line is worth one typed decode
and nothing else: every further look at its bytes costs as much as that. Any other line is
refused here as a whole, and `pieces` reads it member by member. Both ways give the same row.
"""

import msgspec
from msgspec import Raw, Struct, field

from sessionizer.claude_code.records import ForkedFrom, Origin
from sessionizer.claude_code.usage import Count
from sessionizer.claude_code.values import ABSENT


class PlainElement(Struct, frozen=True, gc=False):
    """An element of a result's content that has a text."""

    text: str


class PlainBlock(Struct, frozen=True, kw_only=True, gc=False):
    """A content block of one of the four usual types."""

    type: str
    text: str | None = None
    thinking: str | None = None
    signature: str | None = None
    id: str | None = None
    name: str | None = None
    input: Raw = ABSENT
    tool_use_id: str | None = None
    content: str | tuple[PlainElement, ...] | None = None
    is_error: bool | None = None

    @property
    def is_plain(self) -> bool:
        """Whether it can be converted without its source text."""
        kind = self.type
        if kind == "tool_use":
            return True
        if kind == "tool_result":
            return not isinstance(self.content, tuple) or bool(any(e.text for e in self.content))
        return (kind == "text" and self.text is not None) or (
            kind == "thinking" and self.thinking is not None
        )


class PlainUsage(Struct, frozen=True, gc=False):
    """The counters of a message."""

    input: Count | None = field(default=None, name="input_tokens")
    output: Count | None = field(default=None, name="output_tokens")
    cache_read: Count | None = field(default=None, name="cache_read_input_tokens")
    cache_write: Count | None = field(default=None, name="cache_creation_input_tokens")


class PlainMessage(Struct, frozen=True, kw_only=True, gc=False):
    """A message whose content is text or a list of plain blocks."""

    id: str | None = None
    model: str | None = None
    stop_reason: str | None = None
    content: str | tuple[PlainBlock, ...] | None = None
    usage: PlainUsage | None = None


class PlainRecord(Struct, frozen=True, kw_only=True, rename="camel", gc=False):
    """A record, with the fields that conversion reads. Names are those of the dialect."""

    # In the order in which most lines have them: the decoder tries the next field first.
    parent_uuid: str | None = None
    logical_parent_uuid: str | None = None
    is_sidechain: bool | None = None
    prompt_id: str | None = None
    agent_id: str | None = None
    parent_agent_id: str | None = None
    type: str | None = None
    subtype: str | None = None
    message: PlainMessage | None = None
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
    forked_from: ForkedFrom | None = None
    operation: str | None = None
    summary: str | None = None
    leaf_uuid: str | None = None
    ai_title: str | None = None
    custom_title: str | None = None
    description: str | None = None
    workflow_name: str | None = None
    run_id: str | None = None
    result: Raw = ABSENT


_PLAIN = msgspec.json.Decoder(PlainRecord)


def read_plain(text: bytes) -> PlainRecord | None:
    """The record that `text` holds; None when anything about it is out of the ordinary."""
    if not _is_utf8(text):
        return None
    try:
        record = _PLAIN.decode(text)
    except (msgspec.DecodeError, RecursionError):
        return None
    message = record.message
    if message is not None and isinstance(message.content, tuple):
        for block in message.content:
            if not block.is_plain:
                return None
    return record


def _is_utf8(text: bytes) -> bool:
    # What a decoder skips over it does not check.
    if text.isascii():
        return True
    try:
        text.decode()
    except UnicodeDecodeError:
        return False
    return True
