"""Mend what a strict decoder refuses, as little as possible, and say what was mended.

Damage comes from crashes (NUL bytes), editors (a byte order mark) and cuts in the middle of a
character (bad UTF-8). Cuts inside a surrogate pair: `base.surrogates`.
"""

import re

from msgspec import Struct

from sessionizer.claude_code.spans import STRING

BYTE_ORDER_MARK = b"\xef\xbb\xbf"
_NULS_AND_WHITE = b"\0 \t\r\n"

_REPLACEMENT = "\ufffd".encode()
_STRING = re.compile(STRING, re.DOTALL)
_CONTROL = re.compile(rb"[\x00-\x1f]")


class Utf8(Struct, frozen=True, gc=False):
    """Valid UTF-8, and how many bytes of the original it does not hold."""

    body: bytes
    replaced_bytes: int


def strip_damage(body: bytes, *, first_line: bool) -> tuple[bytes, bool]:
    """Take off a byte order mark (of a file's first line only) and NULs around the line.

    Returns:
        The line, and whether NULs were taken off. A byte order mark is no damage.
    """
    if first_line:
        body = body.removeprefix(BYTE_ORDER_MARK)
    if b"\0" not in body:
        return body, False
    stripped = body.strip(_NULS_AND_WHITE)
    if body.count(b"\0") == stripped.count(b"\0"):  # all of them stand inside
        return body, False
    return stripped, True


def replace_bad_utf8(body: bytes) -> Utf8:
    """Each byte sequence that is not UTF-8 becomes one U+FFFD."""
    if body.isascii():
        return Utf8(body, 0)
    try:
        body.decode()
    except UnicodeDecodeError:
        text = body.decode("utf-8", "replace")
        # EF is a lead byte and can be no continuation, so every EF BF BD was valid before.
        replacements = text.count("\ufffd") - body.count(_REPLACEMENT)
        mended = text.encode()
        kept = len(mended) - replacements * len(_REPLACEMENT)
        return Utf8(mended, len(body) - kept)
    return Utf8(body, 0)


def escape_controls(body: bytes) -> bytes:
    r"""Write control characters that stand bare inside strings as `\u00xx`."""
    return _STRING.sub(_escape_in_string, body)


def _escape_in_string(string: re.Match[bytes]) -> bytes:
    return _CONTROL.sub(lambda control: b"\\u%04x" % control[0][0], string[0])
