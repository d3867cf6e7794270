"""The text of a label: what a reader sees, and what a pattern sees. Pure.

Source: docs/formats/labels.md, "Texts".
"""

from collections.abc import Mapping
from typing import Any

from sessionizer.base.text import normalise
from sessionizer.claude_code.markers import (
    command_arguments,
    command_name,
    is_slash_wrapper,
    tells_agents_stopped,
)
from sessionizer.claude_code.values import decode_members, decode_value, is_present
from sessionizer.transcripts import runtime_texts
from sessionizer.transcripts.answers import answer_text
from sessionizer.transcripts.openers import (
    flat_text,
    is_answer,
    raw_text,
    rejection_reason,
    tool_results,
)
from sessionizer.transcripts.queue import queue_text
from sessionizer.transcripts.record import TranscriptRecord
from sessionizer.transcripts.sections import (
    Section,
    notification_label,
    notification_result,
    split_sections,
)
from sessionizer.transcripts.taxonomy import (
    ATTACHMENT,
    AWAY_SUMMARY,
    BOUNDARY,
    HOOK,
    INBOX,
    NOTIFIED_SUBAGENT,
    PROGRESS,
    SNAPSHOT,
    STOP_HOOKS,
    SYSTEM,
    TURN_DURATION,
    USER_MESSAGE,
    USER_QUEUED,
)

REDACTED = "[redacted thinking]"


def record_text(one: TranscriptRecord, label: str) -> str | None:
    """The text of a label that belongs to a whole record; None when there is nothing to show."""
    record = one.record
    if label == USER_MESSAGE:
        return message_text(one)
    if label == USER_QUEUED:
        return queue_text(one)
    if label == AWAY_SUMMARY:
        return runtime_texts.content_text(record)
    if label == BOUNDARY:
        return runtime_texts.boundary_text(record)
    if label == SYSTEM:
        return runtime_texts.system_text(record)
    if label == HOOK and one.type == "attachment":
        return _hook_text(one)
    if label == ATTACHMENT:
        return _source_text(record.attachment)
    if label == PROGRESS:
        return _source_text(record.data)
    if label == NOTIFIED_SUBAGENT and tells_agents_stopped(raw_text(one)):
        return f"[subagent stopped] {raw_text(one).strip()}"
    return raw_text(one)


def line_text(label: str, members: Mapping[str, Any], kind: str) -> str | None:
    """The text of a promoted line, made from its top-level members.

    Args:
        label: One of `turn-duration`, `stop-hooks` and `snapshot`.
        members: The decoded line.
        kind: Its type.
    """
    if label == TURN_DURATION:
        return runtime_texts.turn_duration_text(members)
    if label == STOP_HOOKS:
        return runtime_texts.stop_hooks_text(members)
    return runtime_texts.snapshot_text(members, kind) if label == SNAPSHOT else None


def message_text(one: TranscriptRecord) -> str:
    """A person's message in one line; of a slash command what was typed."""
    text = raw_text(one)
    if is_slash_wrapper(text):
        return slash_text(text)
    return flat_text(one)


def slash_text(wrapper: str) -> str:
    """`/name arguments` of a slash command; the arguments alone without a name."""
    parts = (command_name(wrapper), normalise(command_arguments(wrapper) or ""))
    return " ".join(part for part in parts if part)


def rejection_text(one: TranscriptRecord, plans: Mapping[str, str]) -> str:
    """Why a person refused, and the plan that was refused.

    Args:
        one: A typed rejection.
        plans: Id of the tool use that proposed a plan to the plan's path.
    """
    reason = normalise(rejection_reason(one) or "")
    for block in tool_results(one):
        path = plans.get(block.tool_use_id or "")
        if path:
            return f"{reason} [plan: {path}]"
    return reason


def section_text(section: Section, label: str) -> str:
    """The text of one section under one of its labels."""
    if not section.is_notification:
        return section.body
    if label == INBOX:
        return notification_result(section) or ""
    return notification_label(section)


def opener_text(one: TranscriptRecord, plans: Mapping[str, str]) -> str:
    """What an opener says, in one line, whatever sort of opener it is."""
    if tool_results(one):
        if is_answer(one):
            return answer_text(one)
        if rejection_reason(one) is not None:
            return rejection_text(one, plans)
    sections = split_sections(raw_text(one))
    if sections:
        shown = (
            notification_label(section) if section.is_notification else section.body
            for section in sections
        )
        return normalise(" ".join(shown))
    return message_text(one)


def _hook_text(one: TranscriptRecord) -> str | None:
    members = decode_members(one.record.attachment) or {}
    content = decode_value(members["content"]) if "content" in members else None
    if isinstance(content, str):
        return content
    if isinstance(content, list):
        return "\n".join(part for part in content if isinstance(part, str))
    return None


def _source_text(raw: Any) -> str | None:
    """JSON exactly as it stands in the line."""
    return bytes(raw).decode("utf-8", "replace") if is_present(raw) else None
