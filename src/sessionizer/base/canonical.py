"""Canonical JSON: equal values give equal bytes on every machine and Python version.

UTF-8, no spaces, struct fields in their order, mapping keys in byte order at every depth.
Beside what JSON requires, `<`, `>`, `&`, U+2028 and U+2029 are written as escapes (asz
formats, "Round JSON text").
"""

import msgspec

_ENCODER = msgspec.json.Encoder(order="deterministic")
# These bytes occur in JSON text inside strings only, so replacing them is safe.
_ESCAPES = (
    (b"<", b"\\u003c"),
    (b">", b"\\u003e"),
    (b"&", b"\\u0026"),
    ("\u2028".encode(), b"\\u2028"),
    ("\u2029".encode(), b"\\u2029"),
)


def encode_canonical(value: object) -> bytes:
    """The one JSON text of `value`, without a line end. Numbers must be integers."""
    body = _ENCODER.encode(value)
    for character, escape in _ESCAPES:
        if character in body:
            body = body.replace(character, escape)
    return body
