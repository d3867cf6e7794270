"""One stretch of source bytes to one row: what its type says, and what all types share."""

from typing import Final

from msgspec.structs import replace

from sessionizer.adapters.claude_code_local.contract import SourceContext
from sessionizer.adapters.claude_code_local.conversion.links import (
    NO_LINKS,
    NO_OUTCOME,
    Links,
    Outcome,
    read_outcome,
)
from sessionizer.adapters.claude_code_local.conversion.parts import data_part, unknown_part
from sessionizer.adapters.claude_code_local.conversion.pieces import AnyRecord, Legible, Piece
from sessionizer.adapters.claude_code_local.conversion.readings import RUNTIME, Reading, read_record
from sessionizer.base.digests import short_sha256
from sessionizer.claude_code.ids import is_agent_id
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

REPLACED: Final = "not UTF-8; replaced by U+FFFD"

_JOURNALS: Final = frozenset({JOURNAL, JOURNAL_TAIL})
# Whatever the type of a line says, these are written by the runtime about an agent.
_RUNTIME_KINDS: Final = _JOURNALS | {AGENT_META}


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
        parts=(data_part(found.text, found.size_bytes),),
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
    lane = _name_lane(record) if aside else ""
    reading = read_record(found, in_main=source.main and not aside)
    outcome = read_outcome(record.tool_use_result)
    dropped = reading.content.dropped
    if found.replaced_bytes:
        dropped += _drop_replaced(found.replaced_bytes)
    row = Row(
        ord=piece.ord,
        off=piece.off,
        sha=short_sha256(piece.body),
        bytes=found.size_bytes,
        id=record.uuid or "",
        parent=record.parent_uuid or "",
        call=reading.call,
        run=record.prompt_id or reading.run,
        origin=RUNTIME if source.kind in _RUNTIME_KINDS else reading.origin,
        time=record.timestamp or "",
        trigger=reading.trigger,
        flags=_find_flags(source, record, reading, outcome, sidechain=aside and not lane),
        usage=_count_usage(found),
        parts=reading.content.parts,
        dropped=dropped,
    )
    # Most rows have none of the other keys. One call with more than 15 keywords costs four
    # times as much as this one: Python then makes a dict of them first.
    links = _find_links(source, record, reading, outcome)
    stream = source.stream if piece.carried else lane
    continues = reading.continues or record.logical_parent_uuid or ""
    copied_from = (record.forked_from and record.forked_from.session_id) or ""
    batch = outcome.run_id or source.batch
    label = reading.label or record.ai_title or record.description or record.workflow_name or ""
    started_by = record.parent_agent_id or ""
    queue = reading.queue
    if not (
        piece.glued
        or stream
        or continues
        or copied_from
        or links is not NO_LINKS
        or batch
        or label
        or started_by
        or queue
    ):
        return row
    return replace(
        row,
        glued=piece.glued,
        carried=piece.carried,
        stream=stream,
        continues=continues,
        copied_from=copied_from,
        tool=links.tool,
        child=links.child,
        batch=batch,
        label=label,
        started_by=started_by,
        queue=queue,
    )


def _name_lane(record: AnyRecord) -> str:
    """The child stream that a sidechain record of a main transcript names; empty for none."""
    return record.agent_id if record.agent_id and is_agent_id(record.agent_id) else ""


def _find_links(
    source: SourceContext, record: AnyRecord, reading: Reading, outcome: Outcome
) -> Links:
    if source.kind == AGENT_META:
        return Links(record.tool_use_id or "", record.agent_id or source.stream)
    if source.kind in _RUNTIME_KINDS:
        return Links(child=record.agent_id or "")
    if outcome is NO_OUTCOME:
        return reading.links
    return Links(outcome.tool_use_id or reading.links.tool, outcome.agent_id or reading.links.child)


def _find_flags(
    source: SourceContext,
    record: AnyRecord,
    reading: Reading,
    outcome: Outcome,
    *,
    sidechain: bool,
) -> tuple[str, ...]:
    found = []
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
    if not found:
        return reading.flags
    found.extend(reading.flags)
    return tuple(flag for flag in FLAGS if flag in found)


def _count_usage(found: Legible) -> Usage | None:
    usage = found.usage
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
