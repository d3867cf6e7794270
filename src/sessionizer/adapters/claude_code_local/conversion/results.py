"""What a tool returned: the block's own content, and the runtime's structured form beside it.

The structured form (`toolUseResult`) stands on the record, not in the block, so every
result block of a record gets it. It may be an object, a string, a list, or anything else.
"""

from typing import Final

from msgspec import Raw, Struct

from sessionizer.adapters.claude_code_local.conversion.parts import (
    AVAILABLE,
    compact,
    store_data,
    utf8_bytes,
)
from sessionizer.adapters.claude_code_local.conversion.plain import PlainBlock
from sessionizer.claude_code.blocks import Block, decode_blocks
from sessionizer.claude_code.values import ABSENT, decode_text, is_present
from sessionizer.landing.record import Drop, Part

REPLACED: Final = "replaced by the structured form"
REPEATED: Final = "repeats the text"


class Structured(Struct, frozen=True, gc=False):
    """The runtime's structured form of a record's results.

    Attributes:
        raw: Its JSON text, compacted; empty when there is none.
        text: Its value when it is a string; None otherwise.
        is_object: Whether it is an object, which then stands for the block's own structure.
    """

    raw: bytes = b""
    text: str | None = None
    is_object: bool = False


NO_STRUCTURED: Final = Structured()


class _Own(Struct, frozen=True, gc=False):
    """The content of a result block: its text, and its structure where that is more."""

    text: str = ""
    raw: bytes = b""


def read_structured(tool_use_result: Raw) -> Structured:
    """The structured form of a record; absent and null are none."""
    if tool_use_result is ABSENT or not is_present(tool_use_result):
        return NO_STRUCTURED
    raw = compact(tool_use_result)
    if raw.startswith(b"{"):
        return Structured(raw, is_object=True)
    return Structured(raw, text=decode_text(raw) if raw.startswith(b'"') else None)


def convert_result(block: PlainBlock | Block, structured: Structured) -> tuple[Part, Drop | None]:
    """The `result` part of a tool's result block, and what was left behind of it."""
    own = _take_own(block) if isinstance(block, PlainBlock) else _read_own(block.content)
    own, drop = _join(own, structured)
    part = Part(
        k="result",
        text=own.text,
        data=store_data(own.raw),
        of=block.tool_use_id or "",
        failed=block.is_error,
        state=AVAILABLE,
        bytes=utf8_bytes(own.text) or len(own.raw),
    )
    return part, drop


def _take_own(block: PlainBlock) -> _Own:
    content = block.content
    if isinstance(content, tuple):
        return _Own("\n".join(element.text for element in content if element.text))
    return _Own(content or "")


def _read_own(content: Raw) -> _Own:
    if not is_present(content):
        return _Own()
    elements = decode_blocks(content)
    if isinstance(elements, str):
        return _Own(elements)
    if elements is None:
        return _Own(raw=compact(content))
    text = "\n".join(element.text for element in elements if element.text)
    is_all_text = text and all(element.text is not None for element in elements)
    return _Own(text, b"" if is_all_text else compact(content))


def _join(own: _Own, structured: Structured) -> tuple[_Own, Drop | None]:
    if not structured.raw:
        return own, None
    if structured.is_object:
        drop = Drop("result content", len(own.raw), REPLACED) if own.raw else None
        return _Own(own.text, structured.raw), drop
    if structured.text is not None:
        if not own.text:
            return _Own(structured.text, own.raw), None
    elif not own.raw:
        return _Own(own.text, structured.raw), None
    return own, Drop("structured result", len(structured.raw), REPEATED)
