"""Kept bytes: `.raw.zst`, one Zstandard frame and one skippable frame with a label.

Any decoder gives back the source's bytes and ignores the label. The label repeats the header
of the `.sd` beside it, so that everything else can be made again from raw files alone.
Source: docs/formats/storage.md, "Raw files".
"""

import hashlib
import struct
import threading
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import BinaryIO, Final

import msgspec
import zstandard
from msgspec import Struct

from sessionizer.base.digests import sha256_hex
from sessionizer.landing.errors import DamagedFileError
from sessionizer.landing.record import Header
from sessionizer.landing.session_data import decode_header, encode_header

RAW_SCHEMA: Final = "raw/1"
_SKIPPABLE_MAGIC: Final = 0x184D2A50
_FRAME_MAGIC: Final = 0xFD2FB528
_SKIPPABLE_HEADER: Final = struct.Struct("<II")
_CHUNK: Final = 1 << 20
# Of 1 GB of transcripts level 1 keeps 41 % where level 3 keeps 37 %, in 60 % of the time. Most
# of a storage root is Session Data, so it grows by 3 %.
_LEVEL: Final = 1


class Label(Struct, frozen=True, kw_only=True):
    """What the kept bytes of one delta are.

    Attributes:
        header: The header of the `.sd` beside it, as it landed.
        ord: Line number of the first line in the source, from 1.
        off: Offset of the first byte in the source, from 0.
        bytes: Number of kept bytes.
        sha256: SHA-256 of the kept bytes, 64 hex digits.
    """

    header: Header
    ord: int
    off: int
    bytes: int
    sha256: str


class RawDelta(Struct, frozen=True, kw_only=True):
    """One delta's label and its bytes, checked against each other."""

    label: Label
    body: bytes


class _WireLabel(Struct, frozen=True, forbid_unknown_fields=False):
    raw: str
    header: msgspec.Raw
    ord: int
    off: int
    bytes: int
    sha256: str


_OF_THREAD: Final = threading.local()
_LABEL_DECODER: Final = msgspec.json.Decoder(_WireLabel)


def label_of(header: Header, body: bytes, *, ord: int = 1, off: int = 0) -> Label:  # noqa: A002 - the format's word
    """The label of kept bytes whose first line is line `ord` at offset `off` of the source."""
    return Label(header=header, ord=ord, off=off, bytes=len(body), sha256=sha256_hex(body))


def encode_raw(label: Label, body: bytes) -> bytes:
    """The bytes of a raw file."""
    return _compressor().compress(body) + encode_label(label)


def iter_raw(label: Label, chunks: Iterable[bytes]) -> Iterator[bytes]:
    """The bytes of a raw file, piece by piece, for content that is not held in memory.

    Raises:
        ValueError: The chunks are not what the label says: the source changed meanwhile.
    """
    compressor = _new_compressor().compressobj(size=label.bytes)
    digest = hashlib.sha256()
    seen = 0
    for chunk in chunks:
        seen += len(chunk)
        if seen > label.bytes:
            break
        digest.update(chunk)
        if piece := compressor.compress(chunk):
            yield piece
    if seen != label.bytes:
        raise ValueError(f"{seen} bytes where {label.bytes} were expected")
    if digest.hexdigest() != label.sha256:
        raise ValueError("other bytes than before")
    yield compressor.flush()
    yield encode_label(label)


def _compressor() -> zstandard.ZstdCompressor:
    """The compressor of this thread; one is not safe in two."""
    if not hasattr(_OF_THREAD, "compressor"):
        _OF_THREAD.compressor = _new_compressor()
    compressor: zstandard.ZstdCompressor = _OF_THREAD.compressor
    return compressor


def _new_compressor() -> zstandard.ZstdCompressor:
    return zstandard.ZstdCompressor(level=_LEVEL, write_checksum=True, write_content_size=True)


def encode_label(label: Label) -> bytes:
    """The skippable frame that holds the label."""
    text = b'{"raw":"%s","header":%s,"ord":%d,"off":%d,"bytes":%d,"sha256":"%s"}' % (
        RAW_SCHEMA.encode(),
        encode_header(label.header),
        label.ord,
        label.off,
        label.bytes,
        label.sha256.encode(),
    )
    return _SKIPPABLE_HEADER.pack(_SKIPPABLE_MAGIC, len(text)) + text


def read_raw(path: Path) -> RawDelta:
    """Read and check the kept bytes of one delta.

    Raises:
        DamagedFileError: The frame, its checksum, the label or what the label says of the
            bytes is wrong.
    """
    label, chunks = _open(path)
    return RawDelta(label=label, body=b"".join(chunks))


def verify_raw(path: Path) -> Label:
    """The label of a raw file, after its bytes were checked in constant memory.

    Raises:
        DamagedFileError: As `read_raw`.
    """
    label, chunks = _open(path)
    for _ in chunks:
        pass
    return label


def iter_body(path: Path) -> Iterator[bytes]:
    """The kept bytes in pieces; the last one is not followed by an end before all is checked.

    Raises:
        DamagedFileError: As `read_raw`, at the latest after the last piece.
    """
    return _open(path)[1]


def read_label(path: Path) -> Label:
    """The label alone; the kept bytes are skipped, not checked.

    Raises:
        DamagedFileError: There is no whole frame, or no label after it.
    """
    with path.open("rb") as file:
        _skip_frame(file, path)
        return _decode_label(file.read(), path)


def _open(path: Path) -> tuple[Label, Iterator[bytes]]:
    label = read_label(path)
    return label, _iter_checked(path, label)


def _iter_checked(path: Path, label: Label) -> Iterator[bytes]:
    digest = hashlib.sha256()
    seen = 0
    decoder = zstandard.ZstdDecompressor().decompressobj()
    with path.open("rb") as file:
        while not decoder.eof and (chunk := file.read(_CHUNK)):
            try:
                piece = decoder.decompress(chunk)
            except zstandard.ZstdError as error:
                raise DamagedFileError(path, f"its bytes can not be read: {error}") from error
            if piece:
                seen += len(piece)
                digest.update(piece)
                yield piece
    if not decoder.eof:
        raise DamagedFileError(path, "its frame is incomplete")
    if seen != label.bytes:
        raise DamagedFileError(path, f"its label counts {label.bytes} bytes, it holds {seen}")
    if digest.hexdigest() != label.sha256:
        raise DamagedFileError(path, "its bytes differ from the digest in its label")


def _skip_frame(file: BinaryIO, path: Path) -> None:
    """Move behind the first frame: its header, its blocks, its checksum (RFC 8878)."""
    head = file.read(18)
    if len(head) < 6 or int.from_bytes(head[:4], "little") != _FRAME_MAGIC:
        raise DamagedFileError(path, "it does not begin with a Zstandard frame")
    try:
        position = zstandard.frame_header_size(head)
        has_checksum = zstandard.get_frame_parameters(head).has_checksum
    except zstandard.ZstdError as error:
        raise DamagedFileError(path, f"its frame header is not valid: {error}") from error
    if not has_checksum:
        raise DamagedFileError(path, "its frame has no checksum")
    last = False
    while not last:
        file.seek(position)
        block = file.read(3)
        if len(block) < 3:
            raise DamagedFileError(path, "its frame is incomplete")
        word = int.from_bytes(block, "little")
        last, kind, size = bool(word & 1), word >> 1 & 3, word >> 3
        position += 3 + (1 if kind == 1 else size)
    file.seek(position + 4)


def _decode_label(rest: bytes, path: Path) -> Label:
    if len(rest) < _SKIPPABLE_HEADER.size:
        raise DamagedFileError(path, "it has no label")
    magic, length = _SKIPPABLE_HEADER.unpack_from(rest)
    text = rest[_SKIPPABLE_HEADER.size :]
    if magic != _SKIPPABLE_MAGIC or length != len(text):
        raise DamagedFileError(path, "its label is not one whole skippable frame")
    try:
        wire = _LABEL_DECODER.decode(text)
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise DamagedFileError(path, f"its label is not valid: {error}") from error
    if wire.raw != RAW_SCHEMA:
        raise DamagedFileError(path, f"its label is {wire.raw!r}, expected {RAW_SCHEMA!r}")
    header = decode_header(bytes(wire.header), path)
    return Label(header=header, ord=wire.ord, off=wire.off, bytes=wire.bytes, sha256=wire.sha256)
