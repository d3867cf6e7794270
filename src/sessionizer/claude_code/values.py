"""Read one JSON value that a record keeps as source text, without ever failing.

`msgspec.Raw` is the text of a value as it stands in the source. An absent value is empty
text. What is not there, or not of the kind asked for, reads as None.
"""

import json
import re
from typing import Any, NoReturn

import msgspec
from msgspec import Raw

from sessionizer.base.surrogates import replace_lone_surrogates
from sessionizer.claude_code.spans import STRING, iter_values

ABSENT = Raw(b"")

_ANY = msgspec.json.Decoder()
_TEXT = msgspec.json.Decoder(str)
_MEMBERS = msgspec.json.Decoder(dict[str, Raw])
_ELEMENTS = msgspec.json.Decoder(tuple[Raw, ...])
_WHITE_OR_STRING = re.compile(rb"(" + STRING + rb")|[ \t\r\n]++", re.DOTALL)

Text = bytes | Raw


def is_present(raw: Raw) -> bool:
    """Whether a value stands there, and is not null."""
    view = memoryview(raw)
    return len(view) > len(b"null") or bytes(view) not in (b"", b"null")


def decode_value(raw: Text) -> Any:
    """The value in Python's own types; None when it is absent, null or cannot be read.

    Lone surrogates read as U+FFFD. A number too long for Python's integers reads as text.
    """
    try:
        return _ANY.decode(raw)
    except RecursionError:
        return None
    except msgspec.DecodeError:
        return _decode_slowly(bytes(raw))


def decode_text(raw: Text) -> str | None:
    """The text of a JSON string; None for anything else. Lone surrogates read as U+FFFD."""
    try:
        return _TEXT.decode(raw)
    except msgspec.ValidationError:
        return None
    except msgspec.DecodeError:
        pass
    try:
        return _TEXT.decode(replace_lone_surrogates(bytes(raw)))
    except msgspec.DecodeError:
        return None


def decode_members(raw: Text) -> dict[str, Raw] | None:
    """The members of an object, each as its own source text; None for anything else.

    The last of equal keys counts.
    """
    try:
        return _MEMBERS.decode(raw)
    except (msgspec.ValidationError, RecursionError):
        return None
    except msgspec.DecodeError:
        return _slice_members(bytes(raw))


def decode_elements(raw: Text) -> tuple[Raw, ...] | None:
    """The elements of a list, each as its own source text; None for anything else."""
    try:
        return _ELEMENTS.decode(raw)
    except (msgspec.ValidationError, RecursionError):
        return None
    except msgspec.DecodeError:
        return _slice_elements(bytes(raw))


def raw_compact(raw: Text) -> bytes:
    """The same JSON text without the white space between its tokens.

    Everything else stays: key order, repeated keys, the spelling of numbers and escapes.
    """
    body = bytes(raw)
    try:
        return msgspec.json.format(body, indent=-1)
    except msgspec.DecodeError:  # a lone surrogate; the text was read before
        return _WHITE_OR_STRING.sub(rb"\1", body)


def _slice_members(body: bytes) -> dict[str, Raw] | None:
    if not body.lstrip().startswith(b"{") or not _is_mendable(body):
        return None
    spans = iter_values(body)
    members: dict[str, Raw] = {}
    for key, value in zip(spans, spans, strict=True):
        name = decode_text(body[key.start : key.stop])
        if name is not None:
            members[name] = Raw(body[value.start : value.stop])
    return members


def _slice_elements(body: bytes) -> tuple[Raw, ...] | None:
    if not body.lstrip().startswith(b"[") or not _is_mendable(body):
        return None
    return tuple(Raw(body[span.start : span.stop]) for span in iter_values(body))


def _is_mendable(body: bytes) -> bool:
    mended = replace_lone_surrogates(body)
    if mended == body:
        return False
    try:
        msgspec.json.decode(mended, type=Raw)
    except (msgspec.DecodeError, RecursionError):
        return False
    return True


def _decode_slowly(body: bytes) -> Any:
    mended = replace_lone_surrogates(body)
    try:
        return json.loads(mended, parse_int=_parse_int, parse_constant=_refuse_constant)
    except (ValueError, RecursionError):
        return None


def _parse_int(digits: str) -> int | str:
    try:
        return int(digits)
    except ValueError:  # over the interpreter's limit of digits
        return digits


def _refuse_constant(name: str) -> NoReturn:
    raise ValueError(name)
