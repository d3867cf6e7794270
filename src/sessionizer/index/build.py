"""Landed records to index entries. Pure: the same rows give the same entries, always.

A counter of 0 reads as absent, since a landed file does not tell the two apart and an index
made while collecting must equal one made from landed files.
"""

from collections.abc import Iterable
from typing import Final

import msgspec
from msgspec import Struct

from sessionizer.base.instants import parse_instant_ns
from sessionizer.index.entry import Block, Entry
from sessionizer.index.readable import data_object, readable_text, text_digest
from sessionizer.landing import record
from sessionizer.landing.record import Header, Part, Row, Usage

TAIL_SUFFIX: Final = "#tail"
_TAILS: Final = frozenset({record.TRANSCRIPT_TAIL, record.JOURNAL_TAIL})
_SNAPSHOTS: Final = _TAILS | {
    record.AGENT_META,
    record.WORKFLOW_MANIFEST,
    record.WORKFLOW_SCRIPT,
    record.SESSION_TITLE,
    record.FILE,
}
_IN_STREAM: Final = frozenset({record.TRANSCRIPT, record.TRANSCRIPT_TAIL, record.AGENT_META})
_KIND_OF_HEADER: Final = {
    record.AGENT_META: "agent_meta",
    record.JOURNAL: "journal",
    record.JOURNAL_TAIL: "journal",
    record.WORKFLOW_MANIFEST: "manifest",
    record.WORKFLOW_SCRIPT: "script",
    record.SESSION_TITLE: "session_title",
    record.FILE: "file",
    record.HISTORY: "history",
}
_KIND_OF_ORIGIN: Final = {"agent": "assistant", "external": "user", "runtime": "system"}
_KIND_OF_PART: Final = {
    "call": "tool_use",
    "result": "tool_result",
    "text": "text",
    "reasoning": "thinking",
}
_DIGESTED_FLAGS: Final = frozenset({"external_input", "queued"})


class _Typed(Struct):
    """Only the `type` of a JSON object; the rest is skipped without being built."""

    type: object = None


def entries_of(header: Header, rows: Iterable[Row], *, seq: int) -> tuple[Entry, ...]:
    """The entries of one landed file, one per row, `row` counted from 1."""
    src = header.src.removesuffix(TAIL_SUFFIX) if header.kind in _TAILS else header.src
    return tuple(
        _entry(header, row, seq=seq, number=number, src=src)
        for number, row in enumerate(rows, start=1)
    )


def _entry(header: Header, row: Row, *, seq: int, number: int, src: str) -> Entry:
    kind = _KIND_OF_HEADER.get(header.kind) or _KIND_OF_ORIGIN.get(row.origin or "", "unknown")
    usage = row.usage or Usage()
    sole = row.parts[0] if len(row.parts) == 1 else None
    return Entry(
        seq=seq,
        row=number,
        kind=kind,
        header_kind=header.kind,
        src=src,
        ord=row.ord,
        off=row.off,
        sha=row.sha,
        bytes=row.bytes,
        stream=(row.stream or header.stream or "") if header.kind in _IN_STREAM else "",
        batch=row.batch or header.batch or "",
        time_ns=(parse_instant_ns(row.time) or 0) if row.time else 0,
        trigger=row.trigger,
        flags=row.flags,
        record=row.id,
        parent=row.parent,
        call=row.call,
        run=row.run,
        continues=row.continues,
        copied_from=row.copied_from,
        tool=row.tool,
        child=row.child,
        started_by=row.started_by,
        label=row.label,
        queue=row.queue,
        role=header.role or "",
        file_class=header.file_class or "",
        gen=header.gen or 1,
        glued=row.glued,
        carried=row.carried,
        tail=header.kind in _TAILS,
        snapshot=header.kind in _SNAPSHOTS,
        text_sha=_text_sha(row),
        spoken=sum(part.bytes for part in row.parts if _is_spoken(part)),
        has_usage=row.usage is not None,
        usage_in=usage.input or None,
        usage_out=usage.output or None,
        usage_cache_read=usage.cache_read or None,
        usage_cache_write=usage.cache_write or None,
        reason=_unread_reason(row, sole),
        record_type=_stated_type(sole),
        blocks=tuple(
            Block(
                kind=_KIND_OF_PART.get(part.k, "other"),
                tool=part.of if part.k == "result" else part.id if part.k == "call" else "",
                name=part.name,
                prompt=part.prompt,
            )
            for part in row.parts
        ),
    )


def _text_sha(row: Row) -> str:
    wanted = row.origin == "external" or row.queue or not _DIGESTED_FLAGS.isdisjoint(row.flags)
    return text_digest(readable_text(row)) if wanted else ""


def _is_spoken(part: Part) -> bool:
    return part.k in ("text", "call") or (part.k == "reasoning" and part.state == "available")


def _unread_reason(row: Row, sole: Part | None) -> str:
    """Why the whole record is unknown. A record with one unknown *block* was read otherwise."""
    if sole is None or sole.k != "unknown":
        return ""
    read = row.id or row.parent or row.call or row.time or row.flags or row.origin != "runtime"
    return "" if read else sole.text


def _stated_type(sole: Part | None) -> str:
    if sole is None or sole.k != "data" or not bytes(sole.data).startswith(b"{"):
        return ""
    try:
        stated = msgspec.json.decode(sole.data, type=_Typed).type
    except (msgspec.DecodeError, RecursionError):
        stated = data_object(sole).get("type")
    return stated if isinstance(stated, str) else ""
