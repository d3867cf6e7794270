"""The content of a message: text, or a list of blocks."""

from typing import Final

from msgspec import Raw

from sessionizer.adapters.claude_code_local.blocks import convert_block
from sessionizer.adapters.claude_code_local.parts import Content, text_part, unknown_part
from sessionizer.adapters.claude_code_local.results import read_structured
from sessionizer.claude_code.blocks import decode_blocks
from sessionizer.claude_code.values import ABSENT, is_present

NOT_CONTENT: Final = "the content is neither text nor a list of blocks"


def convert_content(content: Raw, tool_use_result: Raw = ABSENT) -> Content:
    """The parts of a message's content; none of what is absent, null or an empty list.

    Args:
        content: As it stands in the source.
        tool_use_result: What the record adds to the results among its blocks.
    """
    if not is_present(content):
        return Content()
    blocks = decode_blocks(content)
    if isinstance(blocks, str):
        return Content((text_part(blocks),))
    if blocks is None:
        return Content((unknown_part(NOT_CONTENT, bytes(content)),))
    structured = read_structured(tool_use_result)
    converted = [convert_block(block, structured) for block in blocks]
    return Content(
        tuple(part for part, _ in converted),
        tuple(drop for _, drop in converted if drop is not None),
    )
