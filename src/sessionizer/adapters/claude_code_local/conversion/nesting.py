"""Refuse structure that is nested too deep to be read back.

What a parser takes depends on the Python version and on how deep the caller stands. A row
that one program could write and the next could not read would damage a whole landed file,
so what is kept as structure has a limit of its own, far below theirs.
"""

import re
from itertools import accumulate
from typing import Final

MAX_DEPTH: Final = 500

_NOT_STRUCTURE = bytes(code for code in range(256) if code not in b'"[]{}')
_STRING = re.compile(rb'"[^"]*+"')
_STEPS: Final = {ord("["): 1, ord("{"): 1, ord("]"): -1, ord("}"): -1}


class TooDeepError(Exception):
    """Structure is nested deeper than `MAX_DEPTH`. Never leaves the conversion."""


def is_too_deep(body: bytes) -> bool:
    """Whether objects and lists stand in each other more than `MAX_DEPTH` deep in JSON text."""
    # What is opened is closed again, so such text has twice as many brackets as levels.
    if len(body) <= 2 * MAX_DEPTH or body.count(b"{") + body.count(b"[") <= MAX_DEPTH:
        return False
    # Escapes go first, in this order, so that every quote left opens or closes a string.
    unescaped = body.replace(rb"\\", b"").replace(rb"\"", b"")
    brackets = _STRING.sub(b"", unescaped.translate(None, _NOT_STRUCTURE))
    return max(accumulate(_STEPS.get(mark, 0) for mark in brackets), default=0) > MAX_DEPTH
