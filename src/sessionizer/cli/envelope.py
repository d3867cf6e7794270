r"""JSON output: one object per line, a header first, a summary last.

`kind` is reserved for the envelope. Text is written unescaped, except for what a terminal
would act on: control and bidirectional characters are written as `\uXXXX`.
"""

import json
import re

_UNSAFE = re.compile("[\x7f-\x9f\u202a-\u202e\u2066-\u2069]")


def line(kind: str, /, **fields: object) -> str:
    """One row of output. Keys come out in the order given; missing values are `null`."""
    text = json.dumps({"kind": kind, **fields}, ensure_ascii=False, separators=(",", ":"))
    return escape_unsafe(text)


def escape_unsafe(text: str) -> str:
    r"""JSON text with what a terminal would act on as `\uXXXX`; the value stays the same."""
    return _UNSAFE.sub(lambda match: f"\\u{ord(match.group()):04x}", text)
