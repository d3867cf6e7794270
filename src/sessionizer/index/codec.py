"""Segments of the index as bytes.

8 bytes magic, 8 bytes little-endian length, that many bytes of MessagePack, the SHA-256 of
these as 32 bytes. A segment that is torn, damaged or of another schema decodes to nothing:
the index is derived, so it is made again and never repaired (docs/formats/index.md).
"""

import hashlib
from typing import Final

import msgspec
from msgspec import Struct

from sessionizer.index.entry import Entry

MAGIC: Final = b"ASZIDX01"
# Raised by every change to `Entry`, `Block` or the rules that make them.
SCHEMA: Final = 1
_LENGTH_BYTES: Final = 8
_DIGEST_BYTES: Final = 32
_HEAD_BYTES: Final = len(MAGIC) + _LENGTH_BYTES


class SegmentHeader(Struct, frozen=True, array_like=True):
    """Which rules made a segment, and of what."""

    schema: int
    dialect: str
    session: str


class Segment(Struct, frozen=True, array_like=True):
    """A closed range of landed files, as entries in (seq, row) order."""

    header: SegmentHeader
    entries: tuple[Entry, ...]


_ENCODER: Final = msgspec.msgpack.Encoder()
_DECODER: Final = msgspec.msgpack.Decoder(Segment)


def encode_segment(segment: Segment) -> bytes:
    """The bytes of a segment file."""
    payload = _ENCODER.encode(segment)
    length = len(payload).to_bytes(_LENGTH_BYTES, "little")
    return b"".join((MAGIC, length, payload, hashlib.sha256(payload).digest()))


def decode_segment(body: bytes) -> Segment | None:
    """The segment in `body`; None when the bytes are not whole or of another schema."""
    view = memoryview(body)
    length = int.from_bytes(view[len(MAGIC) : _HEAD_BYTES], "little")
    if not body.startswith(MAGIC) or len(view) != _HEAD_BYTES + length + _DIGEST_BYTES:
        return None
    payload = view[_HEAD_BYTES : _HEAD_BYTES + length]
    if hashlib.sha256(payload).digest() != view[_HEAD_BYTES + length :]:
        return None
    try:
        segment = _DECODER.decode(payload)
    except msgspec.DecodeError:  # written by a program with other fields
        return None
    return segment if segment.header.schema == SCHEMA else None
