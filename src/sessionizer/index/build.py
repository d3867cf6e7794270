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
_SPOKEN: Final = frozenset({"text", "call"})
_NO_USAGE: Final = Usage()
_DIGESTED_FLAGS: Final = frozenset({"external_input", "queued"})


class _Typed(Struct):
    """Only the `type` of a JSON object; the rest is skipped without being built."""

    type: object = None


def entries_of(header: Header, rows: Iterable[Row], *, seq: int) -> tuple[Entry, ...]:
    """The entries of one landed file, one per row, `row` counted from 1."""
    file = _File(
        seq=seq,
        kind=_KIND_OF_HEADER.get(header.kind, ""),
        header_kind=header.kind,
        src=header.src.removesuffix(TAIL_SUFFIX) if header.kind in _TAILS else header.src,
        is_in_stream=header.kind in _IN_STREAM,
        stream=header.stream or "",
        batch=header.batch or "",
        role=header.role or "",
        file_class=header.file_class or "",
        gen=header.gen or 1,
        tail=header.kind in _TAILS,
        snapshot=header.kind in _SNAPSHOTS,
    )
    return tuple([_entry(file, row, number) for number, row in enumerate(rows, start=1)])


class _File(Struct, frozen=True, kw_only=True, gc=False):
    """What all entries of one landed file have in common."""

    seq: int
    kind: str
    header_kind: str
    src: str
    is_in_stream: bool
    stream: str
    batch: str
    role: str
    file_class: str
    gen: int
    tail: bool
    snapshot: bool


def _entry(file: _File, row: Row, number: int) -> Entry:
    parts, usage = row.parts, row.usage or _NO_USAGE
    sole = parts[0] if len(parts) == 1 else None
    spoken = 0
    for part in parts:
        kind = part.k
        if kind in _SPOKEN or (kind == "reasoning" and part.state == "available"):
            spoken += part.bytes
    return Entry(
        file.seq,
        number,
        file.kind or _KIND_OF_ORIGIN.get(row.origin or "", "unknown"),
        file.header_kind,
        file.src,
        row.ord,
        row.off,
        row.sha,
        row.bytes,
        (row.stream or file.stream) if file.is_in_stream else "",
        row.batch or file.batch,
        (parse_instant_ns(row.time) or 0) if row.time else 0,
        row.trigger,
        row.flags,
        row.id,
        row.parent,
        row.call,
        row.run,
        row.continues,
        row.copied_from,
        row.tool,
        row.child,
        row.started_by,
        row.label,
        row.queue,
        file.role,
        file.file_class,
        file.gen,
        row.glued,
        row.carried,
        tail=file.tail,
        snapshot=file.snapshot,
        text_sha=text_digest(readable_text(row)) if _is_digested(row) else "",
        spoken=spoken,
        has_usage=row.usage is not None,
        usage_in=usage.input or None,
        usage_out=usage.output or None,
        usage_cache_read=usage.cache_read or None,
        usage_cache_write=usage.cache_write or None,
        reason=_unread_reason(row, sole) if sole is not None and sole.k == "unknown" else "",
        record_type=_stated_type(sole) if sole is not None and sole.k == "data" else "",
        blocks=tuple([_block(part) for part in parts]),
    )


def _block(part: Part) -> Block:
    kind = part.k
    tool = part.of if kind == "result" else part.id if kind == "call" else ""
    return Block(_KIND_OF_PART.get(kind, "other"), tool, part.name, part.prompt)


def _is_digested(row: Row) -> bool:
    if row.origin == "external" or row.queue:
        return True
    return bool(row.flags) and not _DIGESTED_FLAGS.isdisjoint(row.flags)


def _unread_reason(row: Row, sole: Part) -> str:
    """Why the whole record is unknown. A record with one unknown *block* was read otherwise."""
    read = row.id or row.parent or row.call or row.time or row.flags or row.origin != "runtime"
    return "" if read else sole.text


def _stated_type(sole: Part) -> str:
    if not bytes(sole.data).startswith(b"{"):
        return ""
    try:
        stated = msgspec.json.decode(sole.data, type=_Typed).type
    except (msgspec.DecodeError, RecursionError):
        stated = data_object(sole).get("type")
    return stated if isinstance(stated, str) else ""
