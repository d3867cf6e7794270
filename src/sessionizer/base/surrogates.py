r"""Lone surrogate escapes in JSON text.

JavaScript cuts strings between the halves of a surrogate pair and writes the half as `\ud800`.
That is allowed JSON and no text: a strict decoder refuses everything around it.
"""

import re
from typing import Final, TypeVar

import msgspec

_Value = TypeVar("_Value")

_ESCAPE: Final = re.compile(
    rb"\\(?:u[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2}"  # a whole pair
    rb"|(?P<lone>u[dD][89a-fA-F][0-9a-fA-F]{2})"
    rb"|.)",
    re.DOTALL,
)


def replace_lone_surrogates(body: bytes) -> bytes:
    r"""Spell every lone surrogate escape `\ufffd`. The length, and so every offset, stays."""
    if b"\\u" not in body:
        return body
    return _ESCAPE.sub(_spell_lone, body)


def decode_mended(decoder: "msgspec.json.Decoder[_Value]", body: bytes) -> _Value:
    """Decode `body`; lone surrogates in it read as U+FFFD.

    Raises:
        msgspec.DecodeError: It is refused for another reason.
        UnicodeDecodeError: It is no UTF-8.
        RecursionError: It is nested too deep.
    """
    try:
        return decoder.decode(body)
    except msgspec.DecodeError:
        mended = replace_lone_surrogates(body)
        if mended == body:
            raise
        return decoder.decode(mended)


def _spell_lone(escape: re.Match[bytes]) -> bytes:
    return rb"\ufffd" if escape["lone"] else escape[0]
