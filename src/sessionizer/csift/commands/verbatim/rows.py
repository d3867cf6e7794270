"""`csift verbatim` as JSON lines. Field names are a contract: docs/formats/json-rows.md."""

from collections import Counter
from collections.abc import Iterator

from sessionizer.cli import envelope
from sessionizer.csift.commands.verbatim.layout import (
    AGENT_SHARE,
    USER_SHARE,
    Body,
    Caps,
    Run,
    Unit,
    cap_body,
)
from sessionizer.csift.commands.verbatim.query import Document, Piece, Restored
from sessionizer.transcripts.spoken import AgentWords, UserWords
from sessionizer.transcripts.taxonomy import AGENT_MESSAGE
from sessionizer.transcripts.when import local_iso

KINDS = ("background-command", "agent", "workflow", "monitor", "task")


def render(document: Document) -> Iterator[str]:
    """The header, the rows of every conversation in order of its document, the summary."""
    yield _header(document)
    for one in document.rendered:
        for piece in one.pieces:
            yield from _rows(piece, one, document.asked.caps)
    yield envelope.line(
        "summary",
        sessions_skipped=[
            {"session_id": one.heading.session_id, "needs_chars": one.needs}
            for one in document.sessions
            if not one.pieces
        ],
        skipped_lines=document.skipped_lines,
        repaired_lines=document.repaired_lines,
        unreadable_sources=document.unreadable,
    )


def _header(document: Document) -> str:
    headings = [one.heading for one in document.rendered]
    selected: Counter[str] = Counter()
    in_scope: Counter[str] = Counter()
    for heading in headings:
        selected.update(heading.selected)
    for one in document.sessions:
        in_scope.update(one.heading.in_scope)
    return envelope.line(
        "header",
        command="verbatim",
        sessions_in_scope=document.scope.total,
        top_level_sessions=document.scope.top_level,
        subagent_sessions=document.scope.subagents,
        sessions_rendered=len(headings),
        budget_chars=document.asked.budget,
        budget_is_per_session=True,
        max_total_chars=document.max_total,
        round_trip_fraction=document.asked.fraction,
        chars_used=sum(heading.used for heading in headings),
        boundaries_spanned=sum(heading.spanned for heading in headings),
        boundaries_total=sum(one.heading.boundaries for one in document.sessions),
        selected_user=sum(heading.user for heading in headings),
        selected_assistant=sum(heading.agent for heading in headings),
        automation_triggers=sum(selected.values()),
        automation_by_kind={kind: selected[kind] for kind in KINDS},
        automation_in_scope_by_kind={kind: in_scope[kind] for kind in KINDS},
        with_elicitation_sidecar=any(one.heading.with_sidecar for one in document.sessions),
    )


def _rows(piece: Piece, one: Restored, caps: Caps) -> Iterator[str]:
    trio: dict[str, object] = {
        "session_id": one.heading.session_id,
        "is_subagent": one.heading.is_subagent,
        "parent_session_id": one.heading.parent_session_id,
    }
    if piece.boundary is not None:
        yield envelope.line(
            "compaction_boundary",
            **trio,
            line=piece.boundary.line,
            summary_chars=len(piece.boundary.text),
        )
    unit = piece.unit
    if unit is None:
        return
    if piece.with_user and unit.words.user is not None:
        yield envelope.line("turn", **trio, **_user(unit.words.user, unit, caps))
    for part in unit.parts if piece.with_agent else ():
        if isinstance(part, Run):
            yield envelope.line("collapsed_agents", **trio, **_run(part, unit, one.holder))
        else:
            yield envelope.line("turn", **trio, **_agent(part, unit, caps))


def _user(user: UserWords, unit: Unit, caps: Caps) -> dict[str, object]:
    fields: dict[str, object] = {
        "turn_index": unit.words.turn,
        "line": user.line,
        "source": user.source,
        "role": "user",
        "label": user.label,
        "uuid": user.uuid,
        "ts_utc": user.timestamp,
        "ts_local": local_iso(user.timestamp),
        "tool_calls": unit.words.tool_calls,
        **_body(user.text, cap_body(user.text, caps.user, USER_SHARE)),
        "also_in_summary": unit.user_flagged,
        "compactions_before": unit.words.compactions_before,
        "text": user.text,
        "image_ids": list(user.image_ids),
        "queue_operation": user.queue_operation,
        "queue_reason": user.queue_reason,
        "queue_outcome": user.queue_outcome,
        "is_automation": user.trigger is not None,
    }
    if user.trigger is not None:
        fields |= {
            "trigger_kind": user.trigger.kind,
            "task_id": user.trigger.task_id,
            "status": user.trigger.status,
            "event": user.trigger.event,
        }
    if user.sender is not None:
        fields |= {
            "is_inbound_comm": True,
            "comm_label": user.label,
            "comm_from": user.sender,
            "comm_to": user.receiver,
        }
    return fields


def _agent(words: AgentWords, unit: Unit, caps: Caps) -> dict[str, object]:
    return {
        "turn_index": unit.words.turn,
        "line": words.line,
        "source": "transcript",
        "role": "assistant",
        "label": AGENT_MESSAGE,
        "uuid": words.uuid,
        "ts_utc": words.timestamp,
        "ts_local": local_iso(words.timestamp),
        "tool_calls": words.tool_calls,
        **_body(words.text, cap_body(words.text, caps.agent, AGENT_SHARE)),
        "also_in_summary": unit.agent_flagged and words is unit.words.agent[-1],
        "compactions_before": unit.words.compactions_before,
        "text": words.text,
        "image_ids": [],
        "queue_operation": None,
        "queue_reason": None,
        "queue_outcome": None,
        "is_automation": False,
    }


def _run(run: Run, unit: Unit, holder: str) -> dict[str, object]:
    first, last = run.words[0].line, run.words[-1].line
    return {
        "turn_index": unit.words.turn,
        "agent_messages": len(run.words),
        "tool_calls": run.tool_calls,
        "failed": run.failed,
        "first_line": first,
        "last_line": last,
        "compactions_before": unit.words.compactions_before,
        "refetch": f"csift show {holder} --line {first}..{last}",
    }


def _body(text: str, body: Body) -> dict[str, object]:
    return {
        "full_chars": len(text),
        "rendered_chars": len(body.text),
        "truncated": body.elided_chars > 0,
        "elided_chars": body.elided_chars,
        "elided_lines": body.elided_lines,
    }
