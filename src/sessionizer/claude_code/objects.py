"""Find the objects on one line: usually one, sometimes several glued together.

Two programs that write to one file at once can lose the newline between two records, or cut
one off in the middle of a line (docs/formats/transcript.md, "Lines").

Nearly every line is one object, so a reader that is in a hurry decodes first and comes here
with the lines that are not.
"""

import re

import msgspec
from msgspec import Raw, Struct

from sessionizer.base.surrogates import replace_lone_surrogates
from sessionizer.claude_code.repairs import escape_controls
from sessionizer.claude_code.spans import Span, find_value_end
from sessionizer.claude_code.values import decode_members

# How deep a decoder goes depends on the interpreter and on its caller. Where a line is cut
# into records must not, so glued objects have a limit of their own.
MAX_DEPTH = 500

_RAW = msgspec.json.Decoder(Raw)
_OBJECT_START = re.compile(rb'\{"')
# How often a broken line may be read to its end: a cut leaves few brackets open, and a
# hostile line must not cost the square of its length.
_SCANS = 32
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
        end = None
        if body[begin : begin + 1] == b"{":
            end = find_value_end(body, begin, max_depth=MAX_DEPTH)
        if end is None or not _is_object(body[begin:end], lenient_controls=lenient_controls):
            break
        stop = _skip_white(body, end)
        spans.append(Span(start, stop))
        start = stop
    rest = Span(start, len(body)) if start < len(body) or not spans else None
    return Objects(tuple(spans), rest)


def recover_records(body: bytes, *, lenient_controls: bool = False) -> tuple[Span, ...]:
    """The whole records at the end of a line whose beginning is broken; usually none.

    A record is an object with a `type` and a `uuid` or `sessionId`, which tells it from a
    block inside the broken one. The spans join and end with the line.
    """
    budget = _SCANS * len(body)
    for begin in _OBJECT_START.finditer(body, 1):
        start = begin.start()
        end = find_value_end(body, start)
        budget -= (len(body) if end is None else end) - start
        if budget < 0:
            break
        if end is None or _peek(body, end) not in (b"", b"{"):
            continue
        objects = split_objects(body[start:], lenient_controls=lenient_controls)
        if objects.rest is None and all(
            _is_record(body[start + span.start : start + span.stop]) for span in objects.spans
        ):
            return tuple(Span(start + span.start, start + span.stop) for span in objects.spans)
    return ()


def _is_record(body: bytes) -> bool:
    members = decode_members(body) or {}
    return "type" in members and ("uuid" in members or "sessionId" in members)


def _is_object(body: bytes, *, lenient_controls: bool) -> bool:
    if _peek(body, 0) != b"{":
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


def _peek(body: bytes, start: int) -> bytes:
    position = _skip_white(body, start)
    return body[position : position + 1]


def _skip_white(body: bytes, start: int) -> int:
    white = _WHITE.match(body, start)
    return white.end() if white else start
