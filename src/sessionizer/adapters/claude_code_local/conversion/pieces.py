"""Read the bytes that one row is made of."""

from typing import Final

from msgspec import Raw, Struct

from sessionizer.adapters.claude_code_local.conversion.plain import (
    PlainBlock,
    PlainRecord,
    PlainUsage,
    read_plain,
)
from sessionizer.claude_code.blocks import Block, decode_blocks
from sessionizer.claude_code.records import Record, decode_record
from sessionizer.claude_code.usage import Usage, read_usage
from sessionizer.claude_code.values import is_present

NOT_JSON: Final = "the record is not valid JSON"
NOT_OBJECT: Final = "the record is not an object"

AnyRecord = Record | PlainRecord
# Text, blocks, what is neither, or nothing.
MessageContent = str | tuple[PlainBlock | Block, ...] | Raw | None


class Piece(Struct, frozen=True, kw_only=True, gc=False):
    """The bytes one row is made of, and where they stand.

    Attributes:
        ord: Number of the line, from 1.
        off: Offset of `body` in the source, from 0.
        body: The source's own bytes.
        text: What of them is read: all but a byte order mark.
        glued: Ordinal of an object on a shared line, from 2; 0 when alone or first.
        carried: Whether it is a child's message inside a record of its parent.
    """

    ord: int
    off: int
    body: bytes
    text: bytes
    glued: int = 0
    carried: bool = False


class Legible(Struct, frozen=True, gc=False):
    """The record a piece holds, and what it took to read it.

    Attributes:
        content: The content of its message.
        usage: The counters of its message; None without any.
        text: The record as JSON text: the piece, with what is no UTF-8 replaced.
        size_bytes: The length of the piece.
        replaced_bytes: How many of its bytes were no UTF-8.
    """

    record: AnyRecord
    content: MessageContent
    usage: Usage | PlainUsage | None
    text: bytes
    size_bytes: int
    replaced_bytes: int = 0


class Illegible(Struct, frozen=True, gc=False):
    """Why a piece holds no record."""

    reason: str


def read_piece(piece: Piece) -> Legible | Illegible:
    """Read the bytes of a piece. Never raises."""
    text, size_bytes = piece.text, len(piece.body)
    plain = read_plain(text)
    if plain is not None:
        message = plain.message
        if message is None:
            return Legible(plain, None, None, text, size_bytes)
        return Legible(plain, message.content, message.usage, text, size_bytes)
    decoded = decode_record(text)
    record = decoded.record
    if record is None:
        return Illegible(NOT_OBJECT if decoded.problem == "not_object" else NOT_JSON)
    return Legible(
        record,
        read_content(record.message.content) if record.message else None,
        read_usage(record.message.usage) if record.message else None,
        decoded.text,
        size_bytes,
        decoded.replaced_bytes,
    )


def read_content(raw: Raw) -> MessageContent:
    """The content of a message, from its source text."""
    if not is_present(raw):
        return None
    content = decode_blocks(raw)
    return raw if content is None else content
