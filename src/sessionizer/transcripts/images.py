"""The pictures of a record, by the ids that name them. Pure."""

from collections.abc import Iterator

from sessionizer.claude_code.blocks import Block, decode_blocks
from sessionizer.claude_code.values import decode_members, is_present
from sessionizer.transcripts.record import TranscriptRecord, is_tool_result


def image_ids(one: TranscriptRecord, *, before: int = 0) -> tuple[str, ...]:
    """`L12i1`, `L12i2`: line and number of each image on it.

    Args:
        one: The record.
        before: Images of earlier records on the same line.
    """
    count = sum(1 for _ in _images(one))
    return tuple(f"L{one.line}i{before + number}" for number in range(1, count + 1))


def _images(one: TranscriptRecord) -> Iterator[Block]:
    for block in one.blocks:
        if block.type == "image":
            yield block
        elif is_tool_result(block) and is_present(block.content):
            parts = decode_blocks(block.content)
            yield from _image_blocks(parts)
    if one.type == "attachment":
        members = decode_members(one.record.attachment)
        if members and "prompt" in members:
            yield from _image_blocks(decode_blocks(members["prompt"]))


def _image_blocks(parts: str | tuple[Block, ...] | None) -> Iterator[Block]:
    if isinstance(parts, tuple):
        yield from (part for part in parts if part.type == "image")
