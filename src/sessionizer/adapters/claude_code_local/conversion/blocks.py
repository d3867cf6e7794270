"""Content blocks to parts: one block gives one part, and at most one drop."""

from collections.abc import Callable, Mapping
from typing import Final

import msgspec
from msgspec import Raw, Struct

from sessionizer.adapters.claude_code_local.conversion.parts import (
    AVAILABLE,
    REDACTED,
    UNAVAILABLE,
    compact,
    store_data,
    text_part,
    unknown_part,
    utf8_bytes,
)
from sessionizer.adapters.claude_code_local.conversion.plain import PlainBlock
from sessionizer.adapters.claude_code_local.conversion.results import Structured, convert_result
from sessionizer.claude_code.blocks import Block
from sessionizer.claude_code.shapes import read_shape
from sessionizer.claude_code.values import ABSENT, decode_members, decode_text, is_present
from sessionizer.index.readable import text_digest
from sessionizer.landing.record import Drop, Part

SIGNATURE: Final = "a provider verifies it; a reader cannot read it"
ENCRYPTED: Final = "encrypted by the provider"

Converted = tuple[Part, Drop | None]


class _Source(Struct, frozen=True, gc=False):
    media_type: str | None = None
    data: Raw = ABSENT


_SOURCE = msgspec.json.Decoder(_Source)


def convert_block(block: PlainBlock | Block, structured: Structured) -> Converted:
    """The part of one block. `structured` is what the record adds to a tool's result."""
    kind = block.type
    if kind == "tool_result":
        return convert_result(block, structured)
    if kind == "tool_use":
        return _convert_call(block)
    if isinstance(block, Block):
        return _CONVERTERS.get(kind, _convert_other)(block)
    if kind == "text":
        return text_part(block.text or ""), None
    return _convert_reasoning(block)


def _convert_call(block: PlainBlock | Block) -> Converted:
    raw = compact(block.input) if is_present(block.input) else b""
    part = Part(
        k="call",
        data=store_data(raw),
        id=block.id or "",
        name=block.name or "",
        prompt=_digest_prompt(raw),
        state=AVAILABLE,
        bytes=len(raw),
    )
    return part, None


def _convert_reasoning(block: PlainBlock | Block) -> Converted:
    text = block.thinking or ""
    part = Part(
        k="reasoning",
        text=text,
        state=AVAILABLE if text else UNAVAILABLE,
        bytes=utf8_bytes(text),
    )
    return part, _drop("reasoning signature", block.signature, SIGNATURE)


def _convert_text(block: Block) -> Converted:
    if block.text is None:
        return _keep("a text block without text", block)
    return text_part(block.text), None


def _convert_thinking(block: Block) -> Converted:
    if block.thinking is None and _states(block, "thinking"):
        return _keep("a thinking block without text", block)
    return _convert_reasoning(block)


def _convert_redacted(block: Block) -> Converted:
    part = Part(k="reasoning", state=REDACTED)
    return part, _drop("redacted reasoning", block.data, ENCRYPTED)


def _convert_media(block: Block) -> Converted:
    source = read_shape(_SOURCE, block.source)
    payload = decode_text(source.data) if source else None
    if source is None or payload is None:
        what = "an image" if block.type == "image" else "a document"
        return _keep(f"{what} without data", block)
    part = Part(
        k="media",
        data=source.data,
        media=source.media_type or "",
        state=AVAILABLE,
        bytes=utf8_bytes(payload),
    )
    return part, None


def _convert_other(block: Block) -> Converted:
    if block.is_string:
        return text_part(block.text or ""), None
    if not block.raw.startswith(b"{"):
        return _keep("the block is not an object", block)
    return _keep(f'block type "{block.type}" is not one this dialect describes', block)


_CONVERTERS: Final[Mapping[str, Callable[[Block], Converted]]] = {
    "text": _convert_text,
    "thinking": _convert_thinking,
    "redacted_thinking": _convert_redacted,
    "server_tool_use": _convert_call,
    "image": _convert_media,
    "document": _convert_media,
}


def _keep(reason: str, block: Block) -> Converted:
    return unknown_part(reason, block.raw), None


def _drop(what: str, text: str | None, why: str) -> Drop | None:
    return Drop(what, utf8_bytes(text), why) if text else None


def _states(block: Block, key: str) -> bool:
    """Whether the source has a value under `key`, of whatever kind."""
    members = decode_members(block.whole) or {}
    return key in members and is_present(members[key])


def _digest_prompt(raw: bytes) -> str:
    if b'"prompt"' not in raw:  # so it is with most inputs, and their keys need no reading
        return ""
    members = decode_members(raw) or {}
    prompt = decode_text(members["prompt"]) if "prompt" in members else None
    return text_digest(prompt or "")
