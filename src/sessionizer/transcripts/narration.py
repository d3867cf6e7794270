"""Tell a summary of thinking from thinking itself, by the tag inside its signature. Pure.

The signature is base64 of a protobuf message; the tag is the last field 8 of the last field 1
of the last field 2. Whatever cannot be read has no tag.
"""

import base64
import binascii

NARRATION = "narration"

_PATH = (2, 1, 8)
_VARINT, _FIXED64, _BYTES, _FIXED32 = 0, 1, 2, 5
_MAX_VARINT_BYTES = 10


def thinking_tag(signature: str | None) -> str | None:
    """The tag of a thinking block; None without one."""
    if not signature:
        return None
    try:
        body = base64.b64decode(signature, validate=True)
    except (binascii.Error, ValueError):
        return None
    for number in _PATH:
        found = _last_field(body, number)
        if found is None:
            return None
        body = found
    try:
        return body.decode()
    except UnicodeDecodeError:
        return None


def is_narration(signature: str | None) -> bool:
    """Whether the block summarises thinking, rather than being it."""
    return thinking_tag(signature) == NARRATION


def _last_field(body: bytes, wanted: int) -> bytes | None:
    """The last length-delimited field of that number; None without one, or when damaged."""
    position = 0
    found: bytes | None = None
    while position < len(body):
        key, position = _read_varint(body, position)
        if key is None:
            return None
        kind = key & 7
        if kind == _VARINT:
            value, position = _read_varint(body, position)
            if value is None:
                return None
        elif kind == _BYTES:
            length, position = _read_varint(body, position)
            if length is None or position + length > len(body):
                return None
            if key >> 3 == wanted:
                found = body[position : position + length]
            position += length
        elif kind in (_FIXED64, _FIXED32):
            position += 8 if kind == _FIXED64 else 4
            if position > len(body):
                return None
        else:
            return None
    return found


def _read_varint(body: bytes, position: int) -> tuple[int | None, int]:
    value = 0
    for count in range(_MAX_VARINT_BYTES):
        if position >= len(body):
            break
        byte = body[position]
        position += 1
        value |= (byte & 0x7F) << (7 * count)
        if byte < 0x80:
            return value, position
    return None, position
