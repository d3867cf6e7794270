"""Which labels a record carries. Pure; the first rule that applies decides.

Source: docs/formats/labels.md.
"""

from collections.abc import Iterator, Mapping

from msgspec import Struct

from sessionizer.claude_code.blocks import Block
from sessionizer.claude_code.markers import (
    CONTINUATION as CONTINUATION_TEXT,
)
from sessionizer.claude_code.markers import (
    DYNAMIC_LOOP,
    EDIT_FAILED,
    IMAGE_OPENING,
    LAUNCH_OPENING,
    LOCAL_CAVEAT,
    LOOP_CALL,
    LOOP_CHECK_OPENING,
    LOOP_TICK_OPENING,
    STATUS_LAUNCHED,
    STATUS_TEAMMATE,
    STOP_HOOK_OPENING,
    TIMER_CALL,
    command_arguments,
    is_slash_wrapper,
    tells_agents_stopped,
)
from sessionizer.claude_code.markers import (
    INTERRUPT_TOOL as INTERRUPT_TOOL_TEXT,
)
from sessionizer.claude_code.markers import (
    INTERRUPT_USER as INTERRUPT_USER_TEXT,
)
from sessionizer.claude_code.values import decode_members, decode_text, decode_value, is_present
from sessionizer.transcripts.narration import is_narration
from sessionizer.transcripts.openers import (
    HARNESS_OPENINGS,
    STDOUT_OPENINGS,
    is_answer,
    raw_text,
    rejection_reason,
    tool_results,
)
from sessionizer.transcripts.queue import QUEUED_COMMAND, queue_text
from sessionizer.transcripts.record import (
    TranscriptRecord,
    is_text,
    is_tool_result,
    is_tool_use,
)
from sessionizer.transcripts.sections import (
    Section,
    notification_kind,
    notification_result,
    split_sections,
)
from sessionizer.transcripts.taxonomy import (
    AGENT_MESSAGE,
    ATTACHMENT,
    AWAY_SUMMARY,
    BOUNDARY,
    CONTINUATION,
    HOOK,
    INBOX,
    INTERRUPT_TOOL,
    INTERRUPT_USER,
    INVOCATION,
    LOOP,
    NARRATION,
    NOTIFICATIONS,
    NOTIFIED_SUBAGENT,
    PROGRESS,
    SENT,
    SIGNAL,
    SNAPSHOT,
    STDOUT,
    STOP_HOOKS,
    SUMMARY,
    SYSTEM,
    THINKING,
    TOOL_RESULT,
    TOOL_USE,
    TURN_DURATION,
    USER_ANSWER,
    USER_MESSAGE,
    USER_QUEUED,
    USER_REJECTION,
    USER_UNSENT,
    WAKEUP,
)
from sessionizer.transcripts.tool_texts import result_text

SPAWN_TOOLS = ("Task", "Agent", "Workflow")
SEND_TOOL = "SendMessage"
PENDING, RESOLVED = "pending", "resolved"
HOOK_CONTEXT = "hook_additional_context"
BOUNDARY_SUBTYPE = "compact_boundary"
SUBTYPES = {
    "turn_duration": TURN_DURATION,
    "away_summary": AWAY_SUMMARY,
    "stop_hook_summary": STOP_HOOKS,
}
SNAPSHOT_TYPES = ("file-history-snapshot", "file-history-delta")
_PLAIN_KINDS = ("message", "direct")


class Standing(Struct, frozen=True, kw_only=True):
    """What a record is in its lane: the part of its labels that it does not state itself.

    Attributes:
        is_draft: It was typed, recalled and sent again.
        is_seed: It is the first opener of an agent's lane.
        is_internal: The lane is one of the runtime's own agents.
        children: Ids of tool uses that started an agent, and which agent.
    """

    is_draft: bool = False
    is_seed: bool = False
    is_internal: bool = False
    children: Mapping[str, str] = {}


def classify(one: TranscriptRecord, standing: Standing) -> tuple[str, ...]:
    """The labels of a record, without repeats, in the order of the rules; may be empty."""
    return tuple(dict.fromkeys(_labels(one, standing)))


def _labels(one: TranscriptRecord, standing: Standing) -> Iterator[str]:
    record = one.record
    if standing.is_draft:
        yield USER_UNSENT
    elif record.csift is not None and record.csift_phase is not None:
        if record.csift_phase == PENDING:
            yield TOOL_USE
    elif record.type == "attachment":
        yield from _attachment_labels(one, standing)
    elif record.type == "queue-operation":
        if queue_text(one) is not None and not standing.is_internal:
            yield USER_QUEUED
    elif record.type == "system":
        yield _system_label(record.subtype)
    elif record.type in SNAPSHOT_TYPES:
        yield SNAPSHOT
    elif record.type == "progress":
        if is_present(record.data):
            yield PROGRESS
    elif record.type == "assistant":
        yield from _assistant_labels(one)
    elif record.type == "user":
        yield from _user_labels(one, standing)


def _attachment_labels(one: TranscriptRecord, standing: Standing) -> Iterator[str]:
    members = decode_members(one.record.attachment)
    if members is None:
        return
    kind = decode_text(members["type"]) if "type" in members else None
    if kind == HOOK_CONTEXT and "content" in members:
        yield HOOK
    elif kind == QUEUED_COMMAND and queue_text(one) is not None and not standing.is_internal:
        yield USER_QUEUED
    else:
        yield ATTACHMENT


def _system_label(subtype: str | None) -> str:
    if subtype == BOUNDARY_SUBTYPE:
        return BOUNDARY
    return SUBTYPES.get(subtype or "", SYSTEM)


def _assistant_labels(one: TranscriptRecord) -> Iterator[str]:
    if isinstance(one.content, str):
        if one.content.strip():
            yield AGENT_MESSAGE
        return
    for block in one.blocks:
        if is_text(block):
            if (block.text or "").strip():
                yield AGENT_MESSAGE
        elif block.type == "thinking":
            yield NARRATION if is_narration(block.signature) else THINKING
        elif block.type == "redacted_thinking":
            yield THINKING
        elif is_tool_use(block):
            yield TOOL_USE
            communication = call_label(block)
            if communication is not None:
                yield communication
        elif is_tool_result(block):
            yield TOOL_RESULT


def call_label(block: Block) -> str | None:
    """The communication label of a tool's call; None for an ordinary one."""
    if block.name in SPAWN_TOOLS:
        return SENT
    if block.name != SEND_TOOL:
        return None
    given = decode_value(block.input)
    kind = _message_kind(given) if isinstance(given, dict) else None
    return SIGNAL if kind is not None and kind not in _PLAIN_KINDS else SENT


def _message_kind(given: Mapping[str, object]) -> str | None:
    kind = given.get("type")
    if not isinstance(kind, str):
        message = given.get("message")
        kind = message.get("type") if isinstance(message, dict) else None
    return kind if isinstance(kind, str) else None


def _user_labels(one: TranscriptRecord, standing: Standing) -> Iterator[str]:
    if one.record.is_compact_summary:
        yield SUMMARY
        return
    sections = split_sections(raw_text(one))
    if sections:
        for section in sections:
            yield from section_labels(section)
        return
    if tool_results(one):
        spoken = _spoken_label(one)
        if spoken is not None and not standing.is_internal:
            yield spoken
        yield TOOL_RESULT
        if spoken is None and _is_return(one, standing):
            yield INBOX
    yield from _text_labels(one, standing)


def section_labels(section: Section) -> tuple[str, ...]:
    """The labels of one section, in order."""
    if section.is_notification:
        label = NOTIFICATIONS[notification_kind(section)]
        return (label,) if notification_result(section) is None else (label, INBOX)
    return (SIGNAL,) if is_signal(section) else (INBOX,)


def is_signal(section: Section) -> bool:
    """Whether a teammate's message is a control payload: an object that states a type."""
    if section.tag != "teammate-message" or not section.body.startswith("{"):
        return False
    body = decode_value(section.body.encode("utf-8", "replace"))
    kind = body.get("type") if isinstance(body, dict) else None
    return isinstance(kind, str) and kind != ""


def _spoken_label(one: TranscriptRecord) -> str | None:
    """What a person said through a tool's result; None for an ordinary result."""
    if is_answer(one):
        return USER_ANSWER
    return USER_REJECTION if rejection_reason(one) is not None else None


def _is_return(one: TranscriptRecord, standing: Standing) -> bool:
    """Whether a record brings back what a child agent answered."""
    results = tool_results(one)
    is_childs = any(block.tool_use_id in standing.children for block in results)
    return (is_childs or returned_agent(one) is not None) and not _is_launch(one, results)


def returned_agent(one: TranscriptRecord) -> str | None:
    """The agent that a result says it comes from; None when it says nothing."""
    if not one.may_hold(b'"agentId"'):
        return None
    members = decode_members(one.record.tool_use_result)
    agent = decode_text(members["agentId"]) if members and "agentId" in members else None
    return agent or None


def _is_launch(one: TranscriptRecord, results: tuple[Block, ...]) -> bool:
    """Whether a result only says that an agent was started."""
    members = decode_members(one.record.tool_use_result) or {}
    status = decode_text(members["status"]) if "status" in members else None
    if status in (STATUS_LAUNCHED, STATUS_TEAMMATE):
        return True
    if "isAsync" in members and decode_value(members["isAsync"]) is True:
        return True
    return any(result_text(block).startswith(LAUNCH_OPENING) for block in results)


def _text_labels(one: TranscriptRecord, standing: Standing) -> Iterator[str]:
    text = raw_text(one)
    if not text.strip():
        return
    stripped = text.strip()
    if stripped == INTERRUPT_USER_TEXT:
        yield INTERRUPT_USER
    elif stripped == INTERRUPT_TOOL_TEXT:
        yield INTERRUPT_TOOL
    elif text.startswith(STDOUT_OPENINGS):
        yield STDOUT
    elif is_slash_wrapper(text):
        if command_arguments(text) and not standing.is_internal:
            yield USER_MESSAGE
        yield INVOCATION
    elif stripped == CONTINUATION_TEXT and one.record.is_meta:
        yield CONTINUATION
    elif _is_wakeup(text):
        yield WAKEUP
    elif _is_hook(text):
        yield HOOK
    elif text.startswith(LOOP_TICK_OPENING) or LOOP_CALL in text:
        yield LOOP
    elif text.startswith(IMAGE_OPENING):
        return
    elif tells_agents_stopped(text):
        yield NOTIFIED_SUBAGENT
    elif standing.is_seed and not tool_results(one):
        yield INBOX
    elif one.record.is_meta:
        return
    elif standing.is_internal:
        yield INBOX
    else:
        yield USER_MESSAGE


def _is_wakeup(text: str) -> bool:
    return DYNAMIC_LOOP in text or TIMER_CALL in text or text.startswith(LOOP_CHECK_OPENING)


def _is_hook(text: str) -> bool:
    return (
        text.startswith((STOP_HOOK_OPENING, LOCAL_CAVEAT, *HARNESS_OPENINGS)) or EDIT_FAILED in text
    )
