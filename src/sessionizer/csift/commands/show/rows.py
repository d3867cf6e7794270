"""`csift show` as JSON lines. Field names are a contract: docs/formats/json-rows.md."""

from collections.abc import Iterable, Iterator, Sequence

from sessionizer.cli import envelope
from sessionizer.csift.commands.show.query import Disclosure, Selection
from sessionizer.transcripts.branches import BranchPoint, Child
from sessionizer.transcripts.fetching import Unit
from sessionizer.transcripts.when import local_iso


def render(selection: Selection, units: Iterable[Unit], said: Disclosure) -> Iterator[str]:
    """The header, a row per unit, the summary."""
    yield envelope.line("header", command="show", **_transcript(said))
    for unit in units:
        yield envelope.line("record", **_unit(unit))
    yield envelope.line(
        "summary",
        records=selection.shown,
        dropped_by_cap=selection.dropped,
        refetch_remainder=selection.remainder,
        non_record_lines=selection.non_records,
        with_elicitation_sidecar=said.with_sidecar,
        **_damage(said),
    )


def render_branches(
    points: Sequence[BranchPoint], conversation: int, said: Disclosure
) -> Iterator[str]:
    """The header, a row per branch point, the summary."""
    yield envelope.line("header", command="show", mode="branch-points", **_transcript(said))
    for point in points:
        yield envelope.line(
            "branch-point",
            session_id=said.session_id,
            is_subagent=said.is_subagent,
            parent_session_id=said.parent_session_id,
            uuid=point.uuid,
            line=point.line,
            children=[_child(child) for child in point.children],
            widest_gap_seconds=point.widest_gap_seconds,
        )
    yield envelope.line(
        "summary", branch_points=len(points), conversation_records=conversation, **_damage(said)
    )


def _transcript(said: Disclosure) -> dict[str, object]:
    return {
        "session_id": said.session_id,
        "is_subagent": said.is_subagent,
        "parent_session_id": said.parent_session_id,
        "is_internal": said.is_internal,
        "path": said.path,
    }


def _damage(said: Disclosure) -> dict[str, object]:
    return {
        "skipped_lines": said.skipped_lines,
        "repaired_lines": said.repaired_lines,
        "recovered_records": said.recovered_records,
        "unreadable_sources": said.unreadable_sources,
    }


def _unit(unit: Unit) -> dict[str, object]:
    hit = unit.hit
    return {
        "session_id": hit.session_id,
        "is_subagent": hit.is_subagent,
        "parent_session_id": hit.parent_session_id,
        "turn_index": unit.turn,
        "superseded_draft": unit.is_draft,
        "copy_of": unit.copy_of,
        "line": hit.line,
        "glued": hit.glued,
        "uuid": hit.uuid,
        "label": hit.label,
        "labels": list(hit.labels),
        "tool_name": hit.tool_name,
        "from": hit.sender,
        "to": hit.receiver,
        "pairing": hit.pairing,
        "is_error": hit.is_error,
        "tool_use_id": hit.tool_use_id,
        "queue_operation": hit.queue_operation,
        "queue_reason": hit.queue_reason,
        "queue_outcome": hit.queue_outcome,
        "source": hit.source,
        "ts_utc": hit.timestamp,
        "ts_local": local_iso(hit.timestamp),
        "text": hit.text,
        "image_ids": list(hit.image_ids),
    }


def _child(child: Child) -> dict[str, object]:
    return {
        "line": child.line,
        "uuid": child.uuid,
        "record_type": child.type,
        "ts_utc": child.timestamp,
        "ts_local": local_iso(child.timestamp),
    }
