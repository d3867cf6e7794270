"""Tell what the bytes of a record hold."""

import json
from collections.abc import Iterator
from typing import Any

encode = json.JSONEncoder(ensure_ascii=False, separators=(",", ":")).encode

CONTENT_OF_BLOCK = {
    "tool_result": ("tool_result", "content"),
    "tool_use": ("tool_input", "input"),
    "thinking": ("signature", "signature"),
    "text": ("text", "text"),
}
"""Block type to the part its bytes count as, and the key that holds them."""


def encoded_size(value: object) -> int:
    """Bytes of `value` as compact JSON in UTF-8."""
    return len(encode(value).encode())


def iter_parts(record: dict[str, Any]) -> Iterator[tuple[str, int]]:
    """Yield (part, bytes) for everything in `record` that is not envelope."""
    if "toolUseResult" in record:
        yield "tool_use_result", encoded_size(record["toolUseResult"])
    if "attachment" in record:
        yield "injected", encoded_size(record["attachment"])
    content = record.get("message", {}).get("content", ())
    if isinstance(content, str):
        yield "injected" if record.get("isMeta") else "text", encoded_size(content)
        return
    for block in content:
        part, key = CONTENT_OF_BLOCK.get(block["type"], ("text", None))
        yield part, encoded_size(block[key] if key else block)
