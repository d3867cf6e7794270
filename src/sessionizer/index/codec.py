"""Segments of the index as bytes.

8 bytes magic, 8 bytes little-endian length, that many bytes of MessagePack, the SHA-256 of
these as 32 bytes. A segment that is torn, damaged or of another schema decodes to nothing:
the index is derived, so it is made again and never repaired (docs/formats/index.md).
"""

import hashlib
from collections.abc import Iterable, Iterator, Sequence
from typing import Final

import msgspec
from msgspec import Struct

from sessionizer.index.entry import Entry

MAGIC: Final = b"ASZIDX01"
# Raised by every change to `Entry`, `Block` or the rules that make them.
SCHEMA: Final = 1
_LENGTH_BYTES: Final = 8
Buffer = bytes | memoryview
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


class SegmentBody(Struct, frozen=True, gc=False):
    """The entries of a segment as they are spelled: a MessagePack array, not decoded."""

    array: Buffer

    @property
    def count(self) -> int:
        """How many entries there are."""
        return _read_array_head(self.array)[1]

    @property
    def entries(self) -> memoryview:
        """Their bytes, one after another."""
        return memoryview(self.array)[_read_array_head(self.array)[0] :]


class OpenSegment(Struct, frozen=True, array_like=True):
    """A segment of which no entry was made."""

    header: SegmentHeader
    entries: msgspec.Raw

    @property
    def body(self) -> SegmentBody:
        """Its entries as they are spelled; a view of the file's bytes."""
        return SegmentBody(memoryview(self.entries))


_ENCODER: Final = msgspec.msgpack.Encoder()
_DECODER: Final = msgspec.msgpack.Decoder(Segment)
_OPENER: Final = msgspec.msgpack.Decoder(OpenSegment)
_SPLITTER: Final = msgspec.msgpack.Decoder(tuple[msgspec.Raw, ...])
_ENTRY_DECODER: Final = msgspec.msgpack.Decoder(Entry)


def encode_segment(segment: Segment) -> bytes:
    """The bytes of a segment file."""
    body = encode_entries(segment.entries)
    pieces = join_segment(segment.header, (body,), count=body.count, size=len(body.entries))
    return b"".join(pieces)


def encode_entries(entries: Sequence[Entry]) -> SegmentBody:
    """Entries as a segment spells them."""
    return SegmentBody(_ENCODER.encode(entries))


def join_segment(
    header: SegmentHeader, bodies: Iterable[SegmentBody], *, count: int, size: int
) -> Iterator[Buffer]:
    """The bytes of a segment file, in pieces, of entries that are encoded already.

    `count` and `size` of all entries in `bodies` are known before these are: there may be
    more of them than fit in memory.
    """
    head = _array_head(2) + _ENCODER.encode(header) + _array_head(count)
    yield MAGIC
    yield (len(head) + size).to_bytes(_LENGTH_BYTES, "little")
    digest = hashlib.sha256(head)
    yield head
    for body in bodies:
        entries = body.entries
        digest.update(entries)
        yield entries
    yield digest.digest()


def _array_head(count: int) -> bytes:
    """The head of a MessagePack array."""
    if count < 1 << 4:
        return bytes((0x90 | count,))
    if count < 1 << 16:
        return b"\xdc" + count.to_bytes(2, "big")
    return b"\xdd" + count.to_bytes(4, "big")


def _read_array_head(array: Buffer) -> tuple[int, int]:
    """The size of the head of a MessagePack array, and how many items follow."""
    if array[0] & 0xF0 == 0x90:
        return 1, array[0] & 0x0F
    size = 3 if array[0] == 0xDC else 5
    return size, int.from_bytes(array[1:size], "big")


def decode_segment(body: bytes) -> Segment | None:
    """The segment in `body`; None when the bytes are not whole or of another schema."""
    payload = _take_payload(body)
    if payload is None:
        return None
    try:
        segment = _DECODER.decode(payload)
    except msgspec.DecodeError:  # written by a program with other fields
        return None
    return segment if segment.header.schema == SCHEMA else None


def open_segment(body: bytes) -> OpenSegment | None:
    """Like `decode_segment`, with the entries left as they are spelled."""
    payload = _take_payload(body)
    if payload is None:
        return None
    try:
        segment = _OPENER.decode(payload)
    except msgspec.DecodeError:
        return None
    return segment if segment.header.schema == SCHEMA else None


def iter_entries(body: SegmentBody) -> Iterator[Entry]:
    """Entries from their bytes, one after another.

    Raises:
        msgspec.DecodeError: They are of another shape.
    """
    return map(_ENTRY_DECODER.decode, _SPLITTER.decode(body.array))


def _take_payload(body: bytes) -> memoryview | None:
    """The payload of a segment file; None when the bytes are not whole."""
    view = memoryview(body)
    length = int.from_bytes(view[len(MAGIC) : _HEAD_BYTES], "little")
    if not body.startswith(MAGIC) or len(view) != _HEAD_BYTES + length + _DIGEST_BYTES:
        return None
    payload = view[_HEAD_BYTES : _HEAD_BYTES + length]
    return payload if hashlib.sha256(payload).digest() == view[_HEAD_BYTES + length :] else None
