"""One stretch of source bytes to one row: what its type says, and what all types share."""

from typing import Final

from msgspec import Raw, Struct

from sessionizer.adapters.claude_code_local.contract import SourceContext
from sessionizer.adapters.claude_code_local.links import Links, Outcome, read_outcome
from sessionizer.adapters.claude_code_local.nesting import is_too_deep
from sessionizer.adapters.claude_code_local.parts import data_part, unknown_part
from sessionizer.adapters.claude_code_local.readings import RUNTIME, Line, Reading, read_line
from sessionizer.base.digests import short_sha256
from sessionizer.claude_code.ids import is_agent_id
from sessionizer.claude_code.records import Record, decode_record
from sessionizer.claude_code.repairs import replace_bad_utf8
from sessionizer.claude_code.usage import read_usage
from sessionizer.claude_code.values import is_present
from sessionizer.landing.record import (
    AGENT_META,
    FLAGS,
    JOURNAL,
    JOURNAL_TAIL,
    Drop,
    Row,
    Usage,
)

NOT_JSON: Final = "the record is not valid JSON"
NOT_OBJECT: Final = "the record is not an object"
REPLACED: Final = "not UTF-8; replaced by U+FFFD"

_JOURNALS: Final = frozenset({JOURNAL, JOURNAL_TAIL})
# Whatever the type of a line says, these are written by the runtime about an agent.
_RUNTIME_KINDS: Final = _JOURNALS | {AGENT_META}


class Piece(Struct, frozen=True, kw_only=True, gc=False):
    """The bytes one row is made of, and where they stand.

    Attributes:
        ord: Number of the line, from 1.
        off: Offset of `body` in the source, from 0.
        body: The source's own bytes.
        text: What of them is read: all but a byte order mark.
        glued: Ordinal of an object on a shared line, from 2; 0 when alone or first.
        carried: Whether it is a child's message inside a record of its parent.
    """

    ord: int
    off: int
    body: bytes
    text: bytes
    glued: int = 0
    carried: bool = False


class Legible(Struct, frozen=True, gc=False):
    """The record a piece holds, its JSON text, and how many bytes of it were no UTF-8."""

    record: Record
    text: bytes
    replaced_bytes: int


class Illegible(Struct, frozen=True, gc=False):
    """Why a piece holds no record."""

    reason: str


def read_piece(piece: Piece) -> Legible | Illegible:
    """Read the bytes of a piece. Never raises."""
    if is_too_deep(piece.text):
        return Illegible(NOT_JSON)
    decoded = decode_record(piece.text)
    if decoded.record is None:
        return Illegible(NOT_OBJECT if decoded.problem == "not_object" else NOT_JSON)
    text = replace_bad_utf8(piece.text).body if decoded.replaced_bytes else piece.text
    return Legible(decoded.record, text, decoded.replaced_bytes)


def keep_unread(piece: Piece, reason: str) -> Row:
    """The row of bytes of which nothing is interpreted."""
    return Row(
        ord=piece.ord,
        off=piece.off,
        sha=short_sha256(piece.body),
        bytes=len(piece.body),
        glued=piece.glued,
        origin=RUNTIME,
        parts=(unknown_part(reason, piece.body),),
    )


def keep_whole(
    piece: Piece,
    found: Legible,
    *,
    label: str | None = None,
    batch: str = "",
    flags: tuple[str, ...] = (),
) -> Row:
    """The row of a record that travels as it is, with what little is said about it."""
    return Row(
        ord=piece.ord,
        off=piece.off,
        sha=short_sha256(piece.body),
        bytes=len(piece.body),
        glued=piece.glued,
        batch=batch,
        label=label or "",
        origin=RUNTIME,
        time=found.record.timestamp or "",
        flags=flags,
        parts=(data_part(found.text, len(piece.body)),),
        dropped=_drop_replaced(found.replaced_bytes),
    )


def convert_record(source: SourceContext, piece: Piece, found: Legible) -> Row:
    """The row of one record of a transcript, sidecar or journal.

    Args:
        source: Where it stands. Of a carried message: the child's stream.
        piece: Its bytes.
        found: What was read of them.
    """
    record = found.record
    aside = source.main and record.is_sidechain is True
    lane = record.agent_id if aside and is_agent_id(record.agent_id or "") else None
    reading = read_line(Line(record, found.text, len(piece.body), source.main and not aside))
    outcome = read_outcome(record.tool_use_result)
    links = _find_links(source, record, reading, outcome)
    forked_from = record.forked_from
    return Row(
        ord=piece.ord,
        off=piece.off,
        sha=short_sha256(piece.body),
        bytes=len(piece.body),
        glued=piece.glued,
        carried=piece.carried,
        stream=source.stream if piece.carried else lane or "",
        id=record.uuid or "",
        parent=record.parent_uuid or "",
        call=reading.call,
        run=record.prompt_id or reading.run,
        continues=reading.continues or record.logical_parent_uuid or "",
        copied_from=(forked_from.session_id or "") if forked_from else "",
        tool=links.tool,
        child=links.child,
        batch=outcome.run_id or source.batch,
        label=reading.label or record.ai_title or record.description or record.workflow_name or "",
        started_by=record.parent_agent_id or "",
        origin=RUNTIME if source.kind in _RUNTIME_KINDS else reading.origin,
        time=record.timestamp or "",
        trigger=reading.trigger,
        queue=reading.queue,
        flags=_find_flags(source, record, reading, outcome, sidechain=aside and lane is None),
        usage=_read_usage(record.message.usage) if record.message else None,
        parts=reading.content.parts,
        dropped=reading.content.dropped + _drop_replaced(found.replaced_bytes),
    )


def _find_links(source: SourceContext, record: Record, reading: Reading, outcome: Outcome) -> Links:
    if source.kind == AGENT_META:
        return Links(record.tool_use_id or "", record.agent_id or source.stream)
    if source.kind in _RUNTIME_KINDS:
        return Links(child=record.agent_id or "")
    return Links(outcome.tool_use_id or reading.links.tool, outcome.agent_id or reading.links.child)


def _find_flags(
    source: SourceContext,
    record: Record,
    reading: Reading,
    outcome: Outcome,
    *,
    sidechain: bool,
) -> tuple[str, ...]:
    found = list(reading.flags)
    if record.is_compact_summary:
        found.append("reset_summary")
    if record.is_meta:
        found.append("injected")
    if outcome.is_launch:
        found.append("launch_ack")
    if outcome.is_completed or (source.kind in _JOURNALS and is_present(record.result)):
        found.append("child_result")
    if sidechain:
        found.append("sidechain")
    if len(found) < 2:
        return tuple(found)
    return tuple(flag for flag in FLAGS if flag in found)


def _read_usage(raw: Raw) -> Usage | None:
    if not is_present(raw):
        return None
    usage = read_usage(raw)
    if usage is None:
        return None
    # A counter of 0 is left out, like an absent one.
    return Usage(
        input=usage.input or None,
        output=usage.output or None,
        cache_read=usage.cache_read or None,
        cache_write=usage.cache_write or None,
    )


def _drop_replaced(replaced_bytes: int) -> tuple[Drop, ...]:
    return (Drop("invalid bytes", replaced_bytes, REPLACED),) if replaced_bytes else ()
