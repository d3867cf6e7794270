"""The views of a record: each is what one label of it shows, and one possible hit. Pure.

A record with two labels that mean the same words has one view, under the richest label that
is selected.
"""

from collections.abc import Callable, Iterator, Mapping
from typing import Any

from msgspec import Raw, Struct

from sessionizer.claude_code.blocks import Block
from sessionizer.claude_code.markers import ANSWER_OPENINGS, REJECTION_REASON, tag_value
from sessionizer.claude_code.values import ABSENT, decode_members, decode_text, decode_value
from sessionizer.transcripts import labels
from sessionizer.transcripts.answers import answer_text
from sessionizer.transcripts.labels import Standing, call_label
from sessionizer.transcripts.narration import is_narration
from sessionizer.transcripts.openers import raw_text
from sessionizer.transcripts.record import (
    TranscriptRecord,
    is_text,
    is_tool_result,
    is_tool_use,
)
from sessionizer.transcripts.sections import Section, split_sections
from sessionizer.transcripts.taxonomy import (
    AGENT_MESSAGE,
    ATTACHMENT,
    INBOX,
    NARRATION,
    PROGRESS,
    SENT,
    SIGNAL,
    SNAPSHOT,
    STOP_HOOKS,
    THINKING,
    TOOL_RESULT,
    TOOL_USE,
    TURN_DURATION,
    USER_ANSWER,
    USER_REJECTION,
    USER_UNSENT,
)
from sessionizer.transcripts.texts import (
    REDACTED,
    line_text,
    opener_text,
    record_text,
    rejection_text,
    section_text,
)
from sessionizer.transcripts.tool_texts import call_text, result_text

PAIRED, PENDING, ORPHAN = "paired", "pending", "orphan"
SELF = "self"
UNKNOWN = "?"
RUNTIME = "runtime"

_BLOCK_LABELS = frozenset(
    {
        AGENT_MESSAGE,
        THINKING,
        NARRATION,
        TOOL_USE,
        TOOL_RESULT,
        SENT,
        SIGNAL,
        USER_ANSWER,
        USER_REJECTION,
    }
)


class LaneContext(Struct, frozen=True, kw_only=True):
    """What a lane as a whole tells about each of its records.

    Attributes:
        owner: The lane's own id.
        parent: The session it belongs to.
        is_subagent: Whether it is an agent's lane.
        is_internal: Whether it is one of the runtime's own agents.
        children: Id of a tool use to the agent it started.
        teammates: Name of a teammate to its id.
        tools: Id of a tool use to the tool's name.
        plans: Id of a tool use to the path of the plan it proposed.
        calls: Ids of all tool uses, those that a lane of the runtime borrows included.
        answered: Ids of all tool results.
        persisted: Gives a result's whole text where only its beginning is inline; None to show
            what is inline.
    """

    owner: str = ""
    parent: str = ""
    is_subagent: bool = False
    is_internal: bool = False
    children: Mapping[str, str] = {}
    teammates: Mapping[str, str] = {}
    tools: Mapping[str, str] = {}
    plans: Mapping[str, str] = {}
    calls: frozenset[str] = frozenset()
    answered: frozenset[str] = frozenset()
    persisted: Callable[[TranscriptRecord, str], str] | None = None


class View(Struct, frozen=True, kw_only=True):
    """One label of a record with its text.

    Attributes:
        label: A leaf.
        text: What a pattern is tried on.
        payload: JSON whose string values a pattern is tried on as well; empty without.
        heading: What stands before the path of such a value.
        tool_name: Of a tool's call or result; None elsewhere or when unknown.
        tool_use_id: Of a tool's call or result.
        is_error: Of a result: whether it states an error; None for all other views.
        sender, receiver: Of a communication.
        pairing: `paired`, `pending` or `orphan`; None for a view that is no tool's.
    """

    label: str
    text: str
    payload: Raw = ABSENT
    heading: str = ""
    tool_name: str | None = None
    tool_use_id: str | None = None
    is_error: bool | None = None
    sender: str | None = None
    receiver: str | None = None
    pairing: str | None = None


Selects = Callable[[str], bool]


def list_views(
    one: TranscriptRecord,
    leaves: tuple[str, ...],
    standing: Standing,
    context: LaneContext,
    selects: Selects,
) -> Iterator[View]:
    """The views of a record under the labels that `selects` admits, in order.

    Args:
        one: The record.
        leaves: Its labels, as `classify` gives them.
        standing: What it is in its lane.
        context: The lane.
        selects: Whether a leaf is asked for.
    """
    if not any(map(selects, leaves)):
        return
    if standing.is_draft:
        if selects(USER_UNSENT):
            yield View(label=USER_UNSENT, text=opener_text(one, context.plans))
        return
    if one.record.csift is not None and one.record.csift_phase is not None:
        yield from _marker_views(one, selects)
        return
    sections = split_sections(raw_text(one)) if one.type == "user" else ()
    if sections and not one.record.is_compact_summary:
        for section in sections:
            yield from _section_views(section, context, selects)
        return
    if one.type in ("user", "assistant") and any(leaf in _BLOCK_LABELS for leaf in leaves):
        yield from _block_views(one, context, selects, leaves)
        return
    yield from _record_views(one, context, selects, leaves)


def _record_views(
    one: TranscriptRecord, context: LaneContext, selects: Selects, leaves: tuple[str, ...]
) -> Iterator[View]:
    """One view under the first selected label."""
    label = next((leaf for leaf in leaves if selects(leaf)), None)
    if label is None:
        return
    text = _line_text(one, label)
    if text is None:
        return
    sender = receiver = None
    if label == INBOX:
        sender, receiver = (RUNTIME if context.is_internal else context.parent) or UNKNOWN, SELF
    payload = ABSENT
    heading = ""
    if label in (ATTACHMENT, PROGRESS):
        payload = one.record.attachment if label == ATTACHMENT else one.record.data
        heading = _payload_type(payload) or one.type
    yield View(
        label=label,
        text=text,
        payload=payload,
        heading=heading,
        sender=sender,
        receiver=receiver,
    )


def _line_text(one: TranscriptRecord, label: str) -> str | None:
    if label in (TURN_DURATION, STOP_HOOKS, SNAPSHOT):
        members = decode_value(one.whole)
        return line_text(label, members, one.type) if isinstance(members, dict) else None
    return record_text(one, label)


def _payload_type(payload: Raw) -> str | None:
    members = decode_members(payload)
    return decode_text(members["type"]) if members and "type" in members else None


def _section_views(section: Section, context: LaneContext, selects: Selects) -> Iterator[View]:
    for label in labels.section_labels(section):
        if not selects(label):
            continue
        sender: str | None = None
        if section.is_notification:
            if label == INBOX:
                call = tag_value(section.text, "tool-use-id") or ""
                sender = context.children.get(call, UNKNOWN)
        else:
            sender = section.sender
        yield View(
            label=label,
            text=section_text(section, label),
            sender=sender,
            receiver=None if sender is None else SELF,
        )


def _marker_views(one: TranscriptRecord, selects: Selects) -> Iterator[View]:
    """The views of a question that waits for a person, from the elicitation sidecar."""
    if one.record.csift_phase != labels.PENDING or not selects(TOOL_USE):
        return
    blocks = [block for block in one.blocks if is_tool_use(block)]
    if not blocks:
        yield View(
            label=TOOL_USE,
            text=decode_text(one.record.content) or "",
            tool_name=one.record.csift_kind,
            pairing=PENDING,
        )
    for block in blocks:
        yield View(
            label=TOOL_USE,
            text=call_text(block),
            payload=block.input,
            heading=block.name or "",
            tool_name=block.name,
            tool_use_id=block.id,
            pairing=PENDING,
        )


def _block_views(
    one: TranscriptRecord,
    context: LaneContext,
    selects: Selects,
    leaves: tuple[str, ...],
) -> Iterator[View]:
    if isinstance(one.content, str):
        if selects(AGENT_MESSAGE):
            yield View(label=AGENT_MESSAGE, text=one.content)
        return
    spoken = _spoken_block(one, leaves)
    returns = INBOX in leaves
    for block in one.blocks:
        if one.type == "assistant" and is_text(block):
            if (block.text or "").strip() and selects(AGENT_MESSAGE):
                yield View(label=AGENT_MESSAGE, text=block.text or "")
        elif block.type == "thinking":
            label = NARRATION if is_narration(block.signature) else THINKING
            if (block.thinking or "").strip() and selects(label):
                yield View(label=label, text=block.thinking or "")
        elif block.type == "redacted_thinking":
            if selects(THINKING):
                yield View(label=THINKING, text=REDACTED)
        elif is_tool_use(block):
            yield from _call_views(block, context, selects)
        elif is_tool_result(block):
            yield from _result_views(one, block, context, selects, spoken, returns=returns)
    if one.type == "user":
        yield from _beside_results(one, context, selects, leaves)


def _beside_results(
    one: TranscriptRecord,
    context: LaneContext,
    selects: Selects,
    leaves: tuple[str, ...],
) -> Iterator[View]:
    """Text that a record carries beside tool results."""
    spoken = tuple(leaf for leaf in leaves if leaf not in _BLOCK_LABELS and leaf != INBOX)
    if spoken:
        yield from _record_views(one, context, selects, spoken)


def _call_views(block: Block, context: LaneContext, selects: Selects) -> Iterator[View]:
    communication = call_label(block)
    label = communication if communication and selects(communication) else TOOL_USE
    if not selects(label):
        return
    receiver = _receiver(block, context) if communication == label else None
    yield View(
        label=label,
        text=call_text(block),
        payload=block.input,
        heading=block.name or "",
        tool_name=block.name,
        tool_use_id=block.id,
        sender=None if receiver is None else SELF,
        receiver=receiver,
        pairing=PAIRED if block.id in context.answered else PENDING,
    )


def _receiver(block: Block, context: LaneContext) -> str:
    given = decode_value(block.input)
    members = given if isinstance(given, dict) else {}
    if block.name == labels.SEND_TOOL:
        return _first_text(members, ("to", "recipient")) or UNKNOWN
    child = context.children.get(block.id or "")
    if child:
        return child
    named = _first_text(members, ("name", "subagent_type"))
    return context.teammates.get(named, named) if named else UNKNOWN


def _first_text(members: Mapping[str, Any], keys: tuple[str, ...]) -> str | None:
    for key in keys:
        value = members.get(key)
        if isinstance(value, str) and value:
            return value
    return None


def _result_views(
    one: TranscriptRecord,
    block: Block,
    context: LaneContext,
    selects: Selects,
    spoken: tuple[str, Block] | None,
    *,
    returns: bool,
) -> Iterator[View]:
    call = block.tool_use_id or ""
    label, text = TOOL_RESULT, None
    sender = None
    if spoken is not None and block is spoken[1] and selects(spoken[0]):
        label = spoken[0]
        text = answer_text(one) if label == USER_ANSWER else rejection_text(one, context.plans)
    elif returns and selects(INBOX):
        label = INBOX
        sender = context.children.get(call) or labels.returned_agent(one) or UNKNOWN
    if not selects(label):
        return
    if text is None:
        text = result_text(block)
        if context.persisted is not None:
            text = context.persisted(one, text)
    yield View(
        label=label,
        text=text,
        tool_name=context.tools.get(call),
        tool_use_id=block.tool_use_id,
        is_error=bool(block.is_error),
        sender=sender,
        receiver=None if sender is None else SELF,
        pairing=PAIRED if call in context.calls else ORPHAN,
    )


def _spoken_block(one: TranscriptRecord, leaves: tuple[str, ...]) -> tuple[str, Block] | None:
    """The result block that holds a person's answer or reason, and its label."""
    results = [block for block in one.blocks if is_tool_result(block)]
    if not results:
        return None
    if USER_ANSWER in leaves:
        for block in results:
            if result_text(block).lstrip().startswith(ANSWER_OPENINGS):
                return USER_ANSWER, block
        return USER_ANSWER, results[0]
    if USER_REJECTION in leaves:
        for block in results:
            if block.is_error and REJECTION_REASON in result_text(block):
                return USER_REJECTION, block
    return None
