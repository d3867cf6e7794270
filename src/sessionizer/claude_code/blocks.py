"""Decode the content of a message: a string, or a list of blocks."""

import msgspec
from msgspec import Raw, Struct
from msgspec.structs import force_setattr

from sessionizer.claude_code.shapes import read_shape
from sessionizer.claude_code.values import (
    ABSENT,
    decode_elements,
    decode_text,
)


class Block(Struct, frozen=True, kw_only=True, gc=False):
    """One content block. A field of another kind than expected reads as absent.

    Attributes:
        type: What kind of block; empty when it states none or is no object.
        text: Of a text block; the whole string when the block is a bare JSON string.
        is_error: Of a tool result: True, False, or None when it states neither.
        whole: The whole block as it stands in the source.
    """

    type: str = ""
    text: str | None = None
    thinking: str | None = None
    signature: str | None = None
    data: str | None = None
    id: str | None = None
    name: str | None = None
    input: Raw = ABSENT
    tool_use_id: str | None = None
    content: Raw = ABSENT
    is_error: bool | None = None
    source: Raw = ABSENT
    whole: Raw = ABSENT

    @property
    def is_string(self) -> bool:
        """Whether the block is a bare JSON string."""
        return bytes(memoryview(self.whole)[:1]) == b'"'

    @property
    def raw(self) -> bytes:
        """The whole block as it stands in the source, copied out of the line."""
        return bytes(self.whole)


_BLOCK = msgspec.json.Decoder(Block)


def decode_blocks(content: bytes | Raw) -> str | tuple[Block, ...] | None:
    """The content of a message: text, or its blocks in order; None for anything else."""
    elements = decode_elements(content)
    if elements is None:
        return decode_text(content)
    return tuple(map(decode_block, elements))


def decode_block(whole: Raw) -> Block:
    """One block. Anything that is no object is a block without a type."""
    block = read_shape(_BLOCK, whole) or Block(text=decode_text(whole))
    force_setattr(block, "whole", whole)  # whatever a key of that name in the source said
    return block
