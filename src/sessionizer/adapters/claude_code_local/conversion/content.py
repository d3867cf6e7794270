"""The content of a message: text, or a list of blocks."""

from typing import Final

from msgspec import Raw

from sessionizer.adapters.claude_code_local.conversion.blocks import convert_block
from sessionizer.adapters.claude_code_local.conversion.parts import Content, text_part, unknown_part
from sessionizer.adapters.claude_code_local.conversion.pieces import MessageContent
from sessionizer.adapters.claude_code_local.conversion.results import read_structured
from sessionizer.claude_code.values import ABSENT
from sessionizer.landing.record import Drop, Part

NOT_CONTENT: Final = "the content is neither text nor a list of blocks"


def convert_content(content: MessageContent, tool_use_result: Raw = ABSENT) -> Content:
    """The parts of a message's content; none of no content, or of an empty list.

    Args:
        content: What was read of it.
        tool_use_result: What the record adds to the results among its blocks.
    """
    if content is None:
        return Content()
    if isinstance(content, str):
        return Content((text_part(content),))
    if isinstance(content, Raw):
        return Content((unknown_part(NOT_CONTENT, bytes(content)),))
    structured = read_structured(tool_use_result)
    parts: list[Part] = []
    dropped: list[Drop] = []
    for block in content:
        part, drop = convert_block(block, structured)
        parts.append(part)
        if drop is not None:
            dropped.append(drop)
    return Content(tuple(parts), tuple(dropped))
