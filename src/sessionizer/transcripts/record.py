"""One record as the search side sees it: what it says, and where it stands."""

from typing import Any

from msgspec import Struct

from sessionizer.claude_code.blocks import Block
from sessionizer.claude_code.records import Record, decode_blocks
from sessionizer.claude_code.values import is_present

TRANSCRIPT = "transcript"
SIDECAR = "elicitation-sidecar"

Content = str | tuple[Block, ...] | None


class TranscriptRecord(Struct, frozen=True, kw_only=True, gc=False):
    """A record and its place.

    Attributes:
        line: Physical line in its file, from 1; None for one of the elicitation sidecar.
        glued: Its number among several objects on one line, from 2; None for the first.
        offset: Where its line begins in the file, in bytes.
        size: Length of the line in bytes.
        record: What it says.
        content: Of its message: text, or blocks; None without any.
        source: `transcript` or `elicitation-sidecar`.
        whole: The object's own text, as it was decoded.
        carried: Its number among the agent's messages that a progress record carries, from
            1; 0 for a record of its own; below 0 its number among waiting questions.
        lane: The agent that a carried message belongs to; empty for all others.
    """

    line: int | None
    record: Record
    content: Content
    glued: int | None = None
    offset: int = 0
    size: int = 0
    source: str = TRANSCRIPT
    whole: bytes = b""
    carried: int = 0
    lane: str = ""

    @property
    def blocks(self) -> tuple[Block, ...]:
        """The blocks of its message; none when it is text."""
        return self.content if isinstance(self.content, tuple) else ()

    def may_hold(self, word: bytes) -> bool:
        """Whether a key or word may stand in it: a first question before decoding a part."""
        return not self.whole or word in self.whole

    @property
    def type(self) -> str:
        """Its type; empty when it states none."""
        return self.record.type or ""


def place_record(record: Record, *, line: int | None, **place: Any) -> TranscriptRecord:
    """Join a record with its place, and decode the content of its message."""
    content: Content = None
    if record.message is not None and is_present(record.message.content):
        content = decode_blocks(record.message.content)
    return TranscriptRecord(line=line, record=record, content=content, **place)


def is_text(block: Block) -> bool:
    """Whether a block is prose: a text block, or a bare string among blocks."""
    return block.type == "text" or block.is_string


def is_tool_use(block: Block) -> bool:
    """Whether a block calls a tool, the provider's own ones included."""
    return block.type in ("tool_use", "server_tool_use")


def is_tool_result(block: Block) -> bool:
    """Whether a block answers a tool's call."""
    return block.type == "tool_result" or block.type.endswith("_tool_result")
