"""Convert source lines into rows of Session Data. Pure: bytes in, rows out.

One line gives one row, except where several objects stand on it: glued records, and
messages of a child carried inside a progress record. `sha` and `bytes` of a row always
describe the source's own bytes, whatever had to be mended to read them.

Read `rows` next, then `readings`.
"""

from collections.abc import Callable, Iterator
from typing import Final

from sessionizer.adapters.claude_code_local.contract import SourceContext
from sessionizer.adapters.claude_code_local.conversion.nesting import TooDeepError
from sessionizer.adapters.claude_code_local.conversion.parts import OMITTED
from sessionizer.adapters.claude_code_local.conversion.pieces import (
    NOT_JSON,
    Illegible,
    Legible,
    Piece,
    read_piece,
)
from sessionizer.adapters.claude_code_local.conversion.progress_lines import (
    find_messages,
    name_stream,
    read_agent_progress,
)
from sessionizer.adapters.claude_code_local.conversion.readings import CUSTOM_TITLE, RUNTIME
from sessionizer.adapters.claude_code_local.conversion.rows import (
    convert_record,
    keep_unread,
    keep_whole,
)
from sessionizer.base.digests import SHORT_DIGITS
from sessionizer.claude_code.markers import is_internal_agent
from sessionizer.claude_code.objects import split_objects
from sessionizer.claude_code.repairs import BYTE_ORDER_MARK
from sessionizer.claude_code.spans import Span
from sessionizer.landing.record import (
    HISTORY,
    SESSION_TITLE,
    TRANSCRIPT,
    WORKFLOW_MANIFEST,
    WORKFLOW_SCRIPT,
    Part,
    Row,
)

AFTER_RECORD: Final = "text after the record"
PROGRAM: Final = "the source is a program, not data"

ToRows = Callable[[SourceContext, Piece, Legible], tuple[Row, ...]]

_TYPED: Final = SourceContext(kind=HISTORY)


def convert_line(
    source: SourceContext,
    body: bytes,
    *,
    ord: int,  # noqa: A002 - the key of the file
    off: int,
    first: bool = False,
) -> tuple[Row, ...]:
    r"""The rows of one line of a transcript or journal. Never none, and never an error.

    Args:
        source: The source it stands in.
        body: The line without its `\n`; a `\r` before that belongs to it.
        ord: Its number, from 1.
        off: Its offset in the source, from 0.
        first: Whether a byte order mark may stand before it.
    """
    line = _piece_of(body, ord=ord, off=off, first=first)
    return _convert_pieces(source, line, _convert_object)


def convert_history_line(
    body: bytes,
    *,
    ord: int,  # noqa: A002 - the key of the file
    off: int,
    first: bool = False,
) -> tuple[Row, ...]:
    """The rows of one line of the typed history: each object whole, nothing interpreted."""
    line = _piece_of(body, ord=ord, off=off, first=first)
    return _convert_pieces(_TYPED, line, _keep_object)


def convert_snapshot(source: SourceContext, body: bytes) -> tuple[Row, ...]:
    """The one row of a sidecar, manifest, script or title file.

    Args:
        source: Which of them it is.
        body: Its content; line ends behind it do not count.
    """
    piece = _piece_of(body.rstrip(b"\r\n"), ord=1, off=0, first=True)
    if source.kind == WORKFLOW_SCRIPT:
        return (keep_unread(piece, PROGRAM),)
    return _convert_piece(source, piece, _convert_document)


def convert_kept_file(name: str, size_bytes: int, sha256: str) -> tuple[Row, ...]:
    """The one row of a file kept for itself: its content stays in the kept bytes.

    Args:
        name: The file's name.
        size_bytes: Its length.
        sha256: Hex digits of the SHA-256 of its content, 12 or more.
    """
    part = Part(k="data", name=name, state=OMITTED, bytes=size_bytes)
    sha = sha256[:SHORT_DIGITS]
    return (Row(ord=1, off=0, sha=sha, bytes=size_bytes, origin=RUNTIME, parts=(part,)),)


def _piece_of(body: bytes, *, ord: int, off: int, first: bool) -> Piece:  # noqa: A002
    text = body.removeprefix(BYTE_ORDER_MARK) if first else body
    return Piece(ord=ord, off=off, body=body, text=text)


def _convert_pieces(source: SourceContext, line: Piece, to_rows: ToRows) -> tuple[Row, ...]:
    """The rows of a line by the objects on it: one on nearly every line, or several glued."""
    found = read_piece(line)
    if isinstance(found, Legible):
        return _convert_found(source, line, found, to_rows)
    objects = split_objects(line.text)
    if not objects.spans:
        return (keep_unread(line, found.reason),)
    rows: list[Row] = []
    for number, span in enumerate(objects.spans, start=1):
        rows += _convert_piece(source, _cut(line, span, glued=number), to_rows)
    if objects.rest is not None:
        rest = _cut(line, objects.rest, glued=len(objects.spans) + 1)
        rows.append(keep_unread(rest, AFTER_RECORD))
    return tuple(rows)


def _convert_piece(source: SourceContext, piece: Piece, to_rows: ToRows) -> tuple[Row, ...]:
    found = read_piece(piece)
    if isinstance(found, Illegible):
        return (keep_unread(piece, found.reason),)
    return _convert_found(source, piece, found, to_rows)


def _convert_found(
    source: SourceContext, piece: Piece, found: Legible, to_rows: ToRows
) -> tuple[Row, ...]:
    try:
        return to_rows(source, piece, found)
    except TooDeepError:
        return (keep_unread(piece, NOT_JSON),)


def _cut(line: Piece, span: Span, *, glued: int) -> Piece:
    """The piece at `span` of the text of a line. A byte order mark stays with the first."""
    mark = len(line.body) - len(line.text)
    start = span.start + mark if span.start else 0
    return Piece(
        ord=line.ord,
        off=line.off + start,
        body=line.body[start : span.stop + mark],
        text=line.text[span.start : span.stop],
        glued=glued if glued > 1 else 0,
    )


def _convert_document(source: SourceContext, piece: Piece, found: Legible) -> tuple[Row, ...]:
    """The row of a snapshot that holds one object."""
    record = found.record
    if source.kind == WORKFLOW_MANIFEST:
        batch = record.run_id or source.batch
        return (keep_whole(piece, found, label=record.workflow_name, batch=batch),)
    if source.kind == SESSION_TITLE:
        return (keep_whole(piece, found, label=record.custom_title, flags=(CUSTOM_TITLE,)),)
    return (convert_record(source, piece, found),)


def _convert_object(source: SourceContext, piece: Piece, found: Legible) -> tuple[Row, ...]:
    """The row of an object, and one for every message of a child that it carries."""
    row = convert_record(source, piece, found)
    if found.record.type != "progress":
        return (row,)
    return (row, *_convert_carried(piece, found))


def _convert_carried(piece: Piece, found: Legible) -> Iterator[Row]:
    progress = read_agent_progress(found.record)
    if progress is None:
        return
    stream = name_stream(found.record, progress)
    child = SourceContext(kind=TRANSCRIPT, stream=stream, internal=is_internal_agent(stream))
    text_off = piece.off + len(piece.body) - len(piece.text)
    for span in find_messages(piece.text, progress):
        body = piece.text[span.start : span.stop]
        message = Piece(
            ord=piece.ord, off=text_off + span.start, body=body, text=body, carried=True
        )
        inner = read_piece(message)
        if isinstance(inner, Legible):  # always: it is an object inside one that was read
            yield from _convert_object(child, message, inner)


def _keep_object(_source: SourceContext, piece: Piece, found: Legible) -> tuple[Row, ...]:
    return (keep_whole(piece, found),)
