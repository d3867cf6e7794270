"""Find the objects on one line: usually one, sometimes several glued together.

Two programs that write to one file at once can lose the newline between two records
(docs/formats/transcript.md, "Lines"). Both are read; nothing between them is lost.
"""

import re

import msgspec
from msgspec import Raw, Struct

from sessionizer.claude_code.repairs import escape_controls, replace_lone_surrogates
from sessionizer.claude_code.spans import Span, find_value_end

_RAW = msgspec.json.Decoder(Raw)
_WHITE = re.compile(rb"[ \t\r\n]*+")


class Objects(Struct, frozen=True):
    """The whole objects of a line, in order, and what is left when they are cut off.

    Spans and rest join without a gap and cover the line. White space belongs to the object
    before it, leading white space to the first one. Without any whole object at the start
    of the line, the rest is the whole line.
    """

    spans: tuple[Span, ...]
    rest: Span | None


def split_objects(body: bytes, *, lenient_controls: bool = False) -> Objects:
    """Split a line into its whole objects.

    Only a line that *begins* with a whole object is split; of any other, all is rest.

    Args:
        body: The line, damage around it already stripped.
        lenient_controls: Bare control characters inside strings do not break an object.
    """
    if _is_object(body, lenient_controls=lenient_controls):
        return Objects((Span(0, len(body)),), None)
    spans: list[Span] = []
    start = 0
    while start < len(body):
        begin = _skip_white(body, start)
        end = find_value_end(body, begin) if body[begin : begin + 1] == b"{" else None
        if end is None or not _is_object(body[begin:end], lenient_controls=lenient_controls):
            break
        stop = _skip_white(body, end)
        spans.append(Span(start, stop))
        start = stop
    rest = Span(start, len(body)) if start < len(body) or not spans else None
    return Objects(tuple(spans), rest)


def _is_object(body: bytes, *, lenient_controls: bool) -> bool:
    first = _skip_white(body, 0)
    if body[first : first + 1] != b"{":
        return False
    try:
        _RAW.decode(body)
    except RecursionError:
        return False
    except msgspec.DecodeError:
        return _is_mended_object(body, lenient_controls=lenient_controls)
    return True


def _is_mended_object(body: bytes, *, lenient_controls: bool) -> bool:
    mended = replace_lone_surrogates(body)
    if lenient_controls:
        mended = escape_controls(mended)
    if mended == body:
        return False
    try:
        _RAW.decode(mended)
    except (msgspec.DecodeError, RecursionError):
        return False
    return True


def _skip_white(body: bytes, start: int) -> int:
    white = _WHITE.match(body, start)
    return white.end() if white else start
