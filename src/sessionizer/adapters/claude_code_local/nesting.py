"""Decide by one fixed number which lines are nested too deep to be read.

What a parser takes depends on the Python version and on how deep the caller stands. The
same bytes must give the same row everywhere, so the limit is ours, and far below theirs.
"""

import re
from itertools import accumulate
from typing import Final

MAX_DEPTH: Final = 200

_NOT_STRUCTURE = bytes(code for code in range(256) if code not in b'"[]{}')
_STRING = re.compile(rb'"[^"]*+"')
_STEPS: Final = {ord("["): 1, ord("{"): 1, ord("]"): -1, ord("}"): -1}


def is_too_deep(body: bytes) -> bool:
    """Whether objects and lists stand in each other more than `MAX_DEPTH` deep.

    Meant for JSON; of other text it says only whether it could be.
    """
    # Nearly every line ends here: too few brackets to be that deep.
    if len(body) <= MAX_DEPTH or body.count(b"{") + body.count(b"[") <= MAX_DEPTH:
        return False
    # Escapes go first, in this order, so that every quote left opens or closes a string.
    unescaped = body.replace(rb"\\", b"").replace(rb"\"", b"")
    brackets = _STRING.sub(b"", unescaped.translate(None, _NOT_STRUCTURE))
    return max(accumulate(_STEPS.get(mark, 0) for mark in brackets), default=0) > MAX_DEPTH
