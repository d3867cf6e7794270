"""Make parts: their sizes, their JSON text, and what to do with what cannot be read."""

import base64
from typing import Final

import msgspec
from msgspec import Raw, Struct

from sessionizer.adapters.claude_code_local.conversion.nesting import TooDeepError, is_too_deep
from sessionizer.claude_code.records import raw_compact
from sessionizer.landing.record import Drop, Part

AVAILABLE: Final = "available"
UNAVAILABLE: Final = "unavailable"
REDACTED: Final = "redacted"
OMITTED: Final = "omitted"

# The encoder leaves out this very object; of any other empty one it writes a broken line.
_NO_DATA: Final = Part(k="data").data

_ENCODE_JSON = msgspec.json.Encoder().encode


class Content(Struct, frozen=True, gc=False):
    """The parts of a record, in source order, and what was left behind."""

    parts: tuple[Part, ...] = ()
    dropped: tuple[Drop, ...] = ()


def utf8_bytes(text: str) -> int:
    """The length of `text` in UTF-8."""
    return len(text) if text.isascii() else len(text.encode())


def compact(raw: Raw | bytes) -> bytes:
    """The source's own JSON text without the white space between its tokens.

    Raises:
        TooDeepError: It is nested too deep to be read back.
    """
    body = bytes(raw)
    if is_too_deep(body):
        raise TooDeepError
    return raw_compact(body)


def store_data(body: bytes) -> Raw:
    """JSON text as a part holds it; of no bytes, what is not written."""
    return Raw(body) if body else _NO_DATA


def text_part(text: str) -> Part:
    """A message."""
    return Part(k="text", text=text, state=AVAILABLE, bytes=utf8_bytes(text))


def data_part(raw: Raw | bytes, size_bytes: int | None = None) -> Part:
    """Structure that is not prose, without the white space between its tokens.

    Its size is `size_bytes`, else that of the text it holds.
    """
    body = compact(raw)
    size_bytes = len(body) if size_bytes is None else size_bytes
    return Part(k="data", data=Raw(body), state=AVAILABLE, bytes=size_bytes)


def unknown_part(reason: str, body: bytes) -> Part:
    """What no rule describes, kept whole: as text, or as base64 if it is no UTF-8."""
    try:
        data, encoding = _ENCODE_JSON(body.decode()), ""
    except UnicodeDecodeError:
        data, encoding = b'"%s"' % base64.b64encode(body), "base64"
    return Part(
        k="unknown",
        text=reason,
        data=Raw(data),
        encoding=encoding,
        state=AVAILABLE,
        bytes=len(body),
    )
