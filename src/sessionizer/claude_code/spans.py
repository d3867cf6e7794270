"""Where values stand in JSON text: byte spans, found without building anything.

Three facts make this cheap. Structure is ASCII, so UTF-8 text can be walked as bytes.
Strings are skipped by one expression. Depth is a number, not a call stack, so no nesting
is too deep. Nothing here checks that the text *is* JSON: the caller has done so, or does
so with the span it gets.
"""

import re
from collections.abc import Iterator

from msgspec import Struct


class Span(Struct, frozen=True, gc=False):
    """A half-open range of bytes, from 0."""

    start: int
    stop: int


# Possessive: a string of a million escapes needs no memory for ways back.
STRING = rb'"[^"\\]*+(?:\\.[^"\\]*+)*+"'
_STRING = re.compile(STRING, re.DOTALL)
_STEP = re.compile(STRING + rb"|[\[{]|[\]}]", re.DOTALL)
_SCALAR = re.compile(rb"[^\s,:\[\]{}\"]+")
_GAP = re.compile(rb"[ \t\r\n,:]*+")


def find_value_end(body: bytes, start: int, *, max_depth: int | None = None) -> int | None:
    """Where the value that begins at `start` ends; None when it does not.

    A number, `true` and the like end before the next structural byte or white space.

    Args:
        body: JSON text, or what may be some.
        start: The first byte of a value.
        max_depth: A value in which more objects and lists stand in each other has no end.
    """
    first = body[start : start + 1]
    if first == b'"':
        string = _STRING.match(body, start)
        return string.end() if string else None
    if first not in (b"{", b"["):
        scalar = _SCALAR.match(body, start)
        return scalar.end() if scalar else None
    depth = 0
    for step in _STEP.finditer(body, start):
        mark = body[step.start()]
        if mark in b"{[":
            depth += 1
            if max_depth is not None and depth > max_depth:
                return None
        elif mark in b"}]":
            depth -= 1
            if depth == 0:
                return step.end()
    return None


def iter_values(body: bytes) -> Iterator[Span]:
    """Yield the values directly inside the one object or list that `body` holds.

    Of an object these are keys and values in turn. `body` must be JSON.
    """
    position = _skip_gap(body, 0) + 1  # past the opening bracket
    while True:
        start = _skip_gap(body, position)
        if body[start : start + 1] in (b"]", b"}", b""):
            return
        stop = find_value_end(body, start)
        if stop is None:
            return
        yield Span(start, stop)
        position = stop


def _skip_gap(body: bytes, position: int) -> int:
    gap = _GAP.match(body, position)
    return gap.end() if gap else position
