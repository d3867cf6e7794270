"""Encode and read `.sd` files: a header line, one line per row, a closing line.

Reading checks everything: a `Landed` that comes out of here has been proven against its own
closing line. Random access to one row is the exception, and says so. A row stands in the file as
the source spelled it; a lone surrogate escape in it reads as U+FFFD.
Source: docs/formats/session-data.md.
"""

import hashlib
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Final

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from sessionizer.base.digests import sha256_hex
from sessionizer.base.surrogates import decode_mended
from sessionizer.landing.errors import DamagedFileError
from sessionizer.landing.record import ENVELOPE_VERSION, SCHEMA, Header, Row

END_MARK: Final = b'{"t":"end"'
_BUFFER: Final = 1 << 18
_ENVELOPE: Final = f'{{"h":{ENVELOPE_VERSION},"schema":"{SCHEMA}",'.encode()
_ENCODER: Final = msgspec.json.Encoder()


class _Envelope(Struct, frozen=True):
    h: msgspec.Raw = msgspec.Raw()
    schema: msgspec.Raw = msgspec.Raw()


class _End(Struct, frozen=True):
    records: int
    digest: str


_ENVELOPE_DECODER: Final = msgspec.json.Decoder(_Envelope)
_HEADER_DECODER: Final = msgspec.json.Decoder(Header)
_ROW_DECODER: Final = msgspec.json.Decoder(Row)
_END_DECODER: Final = msgspec.json.Decoder(_End)


class Landed(Struct, frozen=True, kw_only=True):
    """One landed file, checked.

    Attributes:
        header: Its first line.
        rows: Its records; row N of the formats is `rows[N - 1]`. Never empty.
        digest: SHA-256 of the whole file, 64 hex digits.
    """

    header: Header
    rows: tuple[Row, ...]
    digest: str


def encode_header(header: Header) -> bytes:
    """The header line, without its newline."""
    # The two envelope keys are always written, but the encoder leaves out what is at its
    # default. It tells a default by identity, which a header that was read does not have.
    plain = replace(header, h=ENVELOPE_VERSION, schema=SCHEMA)
    return _ENVELOPE + _ENCODER.encode(plain)[1:]


def encode_landed(header: Header, rows: Sequence[Row]) -> bytes:
    """The bytes of a landed file.

    Raises:
        ValueError: There is no row; such a file is never written.
    """
    return b"".join(encode_pieces(header, rows))


def encode_pieces(header: Header, rows: Sequence[Row]) -> tuple[bytes, bytes, bytes]:
    """Like `encode_landed`, as header line, rows and closing line, which are not joined."""
    if not rows:
        raise ValueError("a landed file has at least one row")
    first = encode_header(header) + b"\n"
    lines = _ENCODER.encode_lines(rows)
    digest = hashlib.sha256(first)
    digest.update(lines)
    end = b'{"t":"end","records":%d,"digest":"%s"}\n' % (len(rows), digest.hexdigest().encode())
    return first, lines, end


def read_landed(path: Path) -> Landed:
    """Read and check one landed file.

    Raises:
        DamagedFileError: It stops before its closing line, its digest or its number of rows
            differ from what the closing line says, bytes follow it, or a line is not of the
            shape it must have.
    """
    return decode_landed(path.read_bytes(), path)


def decode_landed(body: bytes, path: Path) -> Landed:
    """Like `read_landed`, of the bytes of a file; `path` is for messages."""
    rows: list[Row] = []
    header: Header | None = None
    for start, stop in _spans(body):
        line = body[start:stop]
        if line.startswith(END_MARK):
            end = _decode_end(line, path)
            _check_end(end, body, (start, stop), len(rows), path)
            if header is None or not rows:
                raise DamagedFileError(path, "it holds no record")
            return Landed(header=header, rows=tuple(rows), digest=sha256_hex(body))
        if header is None:
            header = decode_header(line, path)
        else:
            rows.append(_decode_row(line, path, len(rows) + 1))
    raise _incomplete(path)


def read_header(path: Path) -> Header:
    """The header alone, checked for its own shape only."""
    with path.open("rb") as file:
        line = file.readline()
    if not line.endswith(b"\n"):
        raise _incomplete(path)
    return decode_header(line[:-1], path)


def read_row(path: Path, row: int) -> tuple[Header, Row]:
    """The header and row `row` (from 1) of a landed file, without checking its digest.

    Raises:
        DamagedFileError: There is no such row, or a line on the way has a wrong shape.
    """
    with path.open("rb", buffering=_BUFFER) as file:
        first = file.readline()
        if not first.endswith(b"\n"):
            raise _incomplete(path)
        header = decode_header(first[:-1], path)
        for number, line in enumerate(file, start=1):
            if line.startswith(END_MARK):
                raise DamagedFileError(path, f"it has no row {row}, only {number - 1}")
            if not line.endswith(b"\n"):
                break
            if number == row:
                return header, _decode_row(line, path, row)
    raise _incomplete(path)


def digest_of_file(path: Path) -> str:
    """SHA-256 of the whole file, 64 hex digits: what input digests are made of."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def decode_header(line: bytes, path: Path) -> Header:
    """A header line, checked.

    Raises:
        DamagedFileError: It is of another version or lacks one of its fields, which is named.
    """
    try:
        envelope = _ENVELOPE_DECODER.decode(line)
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise DamagedFileError(path, f"its header is not an object: {error}") from error
    for key, found, expected in (
        ("h", envelope.h, b"%d" % ENVELOPE_VERSION),
        ("schema", envelope.schema, b'"%s"' % SCHEMA.encode()),
    ):
        if bytes(found) != expected:
            shown = bytes(found)[:40].decode("utf-8", "replace") or "absent"
            raise DamagedFileError(
                path, f"its header's {key} is {shown}, expected {expected.decode()}"
            )
    try:
        header = _HEADER_DECODER.decode(line)
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise DamagedFileError(path, f"its header is not valid: {error}") from error
    for key in ("kind", "session", "src", "dialect"):
        if not getattr(header, key):
            raise DamagedFileError(path, f"its header has an empty {key}")
    return header


def _spans(body: bytes) -> Iterator[tuple[int, int]]:
    start = 0
    while (stop := body.find(b"\n", start)) >= 0:
        yield start, stop
        start = stop + 1


def _decode_row(line: bytes, path: Path, number: int) -> Row:
    try:
        return decode_mended(_ROW_DECODER, line)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise DamagedFileError(path, f"row {number} is not valid: {error}") from error


def _decode_end(line: bytes, path: Path) -> _End:
    try:
        return _END_DECODER.decode(line)
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise DamagedFileError(path, f"its closing line is not valid: {error}") from error


def _check_end(end: _End, body: bytes, line: tuple[int, int], rows: int, path: Path) -> None:
    start, stop = line
    if sha256_hex(memoryview(body)[:start]) != end.digest:
        raise DamagedFileError(path, "its digest differs from its content")
    if end.records != rows:
        raise DamagedFileError(
            path, f"its closing line counts {end.records} records, it holds {rows}"
        )
    if len(body) > stop + 1:
        raise DamagedFileError(path, f"{len(body) - stop - 1} bytes follow its closing line")


def _incomplete(path: Path) -> DamagedFileError:
    return DamagedFileError(path, "no closing line: the file is incomplete")
