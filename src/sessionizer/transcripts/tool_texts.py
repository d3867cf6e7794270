"""Texts of tool calls and their results."""

import msgspec

from sessionizer.claude_code.blocks import Block, decode_blocks
from sessionizer.claude_code.values import decode_value, is_present, raw_compact
from sessionizer.transcripts.record import is_text

_ENCODER = msgspec.json.Encoder()


def result_text(block: Block) -> str:
    """What a tool's result says: the string, or its readable parts joined by newlines."""
    content = decode_blocks(block.content) if is_present(block.content) else None
    if content is None:
        return ""
    if isinstance(content, str):
        return content
    parts = (_part_text(part) for part in content)
    return "\n".join(text for text in parts if text is not None)


def input_text(block: Block) -> str:
    """The input of a call as compact JSON, characters unescaped, keys in their order."""
    if not is_present(block.input):
        return "{}" if not bytes(block.input) else "null"
    value = decode_value(block.input)
    if value is None:
        return raw_compact(block.input).decode("utf-8", "replace")
    try:
        return _ENCODER.encode(value).decode()
    except OverflowError:  # a whole number of more than 64 bits
        return raw_compact(block.input).decode("utf-8", "replace")


def call_text(block: Block) -> str:
    """`<name> <input>`."""
    return f"{block.name or ''} {input_text(block)}"


def _part_text(part: Block) -> str | None:
    if is_text(part):
        return part.text or ""
    if part.type == "tool_reference":
        return _member_text(part, "tool_name")
    if part.type == "document":
        return _document_text(part)
    return None


def _document_text(part: Block) -> str | None:
    source = decode_value(part.source) if is_present(part.source) else None
    if isinstance(source, dict) and source.get("type") == "text":
        data = source.get("data")
        return data if isinstance(data, str) else None
    return None


def _member_text(part: Block, name: str) -> str | None:
    whole = decode_value(part.whole)
    value = whole.get(name) if isinstance(whole, dict) else None
    return value if isinstance(value, str) else None
