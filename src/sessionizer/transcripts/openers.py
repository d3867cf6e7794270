"""What opens a turn: a person's words, an answer, a rejection with a reason, a message.

This is the only turn delimiter. Labels are another axis: a notification opens a turn and is
labelled harness.
"""

from msgspec import Raw

from sessionizer.base.text import normalise
from sessionizer.claude_code.blocks import Block
from sessionizer.claude_code.markers import (
    ANSWER_OPENINGS,
    BASH_STDERR,
    BASH_STDOUT,
    INTERRUPT_TOOL,
    INTERRUPT_USER,
    LOCAL_CAVEAT,
    LOCAL_STDERR,
    LOCAL_STDOUT,
    REJECTION,
    REJECTION_REASON,
    SYSTEM_REMINDER,
    is_slash_wrapper,
    tells_agents_stopped,
)
from sessionizer.claude_code.values import decode_members, decode_text, decode_value
from sessionizer.transcripts.record import (
    TranscriptRecord,
    is_text,
    is_tool_result,
)
from sessionizer.transcripts.sections import has_peer_section
from sessionizer.transcripts.tool_texts import result_text

_ANSWER_BYTES = tuple(opening.encode() for opening in ANSWER_OPENINGS)
_HEAD_BYTES = 64
# The blanks before a text that leave enough of its first bytes to tell how it opens.
_MOST_BLANKS = 24

INTERRUPTS = (INTERRUPT_USER, INTERRUPT_TOOL)
STDOUT_OPENINGS = (LOCAL_STDOUT, LOCAL_STDERR, BASH_STDOUT, BASH_STDERR)
OLD_CAVEAT = "Caveat: The messages below were generated"
HARNESS_OPENINGS = (SYSTEM_REMINDER, OLD_CAVEAT)


def raw_text(one: TranscriptRecord) -> str:
    """The text of a message: the string, or its text blocks joined by newlines."""
    if isinstance(one.content, str):
        return one.content
    return "\n".join(block.text or "" for block in one.blocks if is_text(block))


def flat_text(one: TranscriptRecord) -> str:
    """The text of a message in one line."""
    if isinstance(one.content, str):
        return normalise(one.content)
    return normalise(" ".join(block.text or "" for block in one.blocks if is_text(block)))


def tool_results(one: TranscriptRecord) -> tuple[Block, ...]:
    """The tool results that a record carries."""
    return tuple(block for block in one.blocks if is_tool_result(block))


def is_genuine(one: TranscriptRecord) -> bool:
    """Whether a person, or a task that speaks in a person's place, wrote the record.

    A notification passes: it begins a turn as a person's message does.
    """
    record = one.record
    if record.type != "user" or record.is_compact_summary or record.is_meta:
        return False
    if record.message is None or record.message.role != "user":
        return False
    if isinstance(one.content, tuple):
        if tool_results(one) or not any(is_text(block) for block in one.blocks):
            return False
    elif one.content is None:
        return False
    text = raw_text(one)
    return not is_machine_text(text) and not has_peer_section(text)


def is_machine_text(text: str) -> bool:
    """Whether the harness wrote the text of a user record that looks like a person's."""
    return (
        text.strip() in INTERRUPTS
        or text.startswith((*STDOUT_OPENINGS, *HARNESS_OPENINGS, LOCAL_CAVEAT))
        or is_slash_wrapper(text)
        or tells_agents_stopped(text)
    )


def is_answer(one: TranscriptRecord) -> bool:
    """Whether the record answers questions to the person. A time-out is no answer."""
    results = tool_results(one)
    if one.record.type != "user" or not results:
        return False
    if any(block.is_error for block in results):
        return False
    return _states_answers(one) or any(
        may_answer(block.content) and result_text(block).lstrip().startswith(ANSWER_OPENINGS)
        for block in results
    )


def may_answer(content: Raw) -> bool:
    """Whether a result's content may open as an answer does; told from its first bytes."""
    head = bytes(memoryview(content)[:_HEAD_BYTES])
    text = head[1:].lstrip(b" ")
    if head[:1] != b'"' or len(text) < len(head) - _MOST_BLANKS:
        return True
    if not b"!" <= text[:1] < b"\x7f" or text[:1] == b"\\":
        return True  # white space beyond ASCII, or an escape
    return text.startswith(_ANSWER_BYTES)


def rejection_reason(one: TranscriptRecord) -> str | None:
    """What a person typed when refusing a tool's call; None when this is no such record."""
    if one.record.type != "user":
        return None
    for block in tool_results(one):
        if not block.is_error:
            continue
        text = result_text(block)
        if REJECTION not in text:
            continue
        _, _, reason = text.partition(REJECTION_REASON)
        if reason.strip():
            return reason.strip()
    return None


def is_peer_message(one: TranscriptRecord) -> bool:
    """Whether another agent's message came in with this record."""
    return one.record.type == "user" and has_peer_section(raw_text(one))


def opens_turn(one: TranscriptRecord) -> bool:
    """Whether a turn begins here."""
    if one.record.type != "user":
        return False
    if any(is_tool_result(block) for block in one.blocks):
        return is_answer(one) or rejection_reason(one) is not None or is_peer_message(one)
    return is_genuine(one) or is_peer_message(one)


def _states_answers(one: TranscriptRecord) -> bool:
    if not (one.may_hold(b'"answers"') or one.may_hold(b'"response"')):
        return False
    members = decode_members(one.record.tool_use_result)
    if not members:
        return False
    if "answers" in members:
        answers = decode_value(members["answers"])
        if isinstance(answers, dict) and answers:
            return True
    response = decode_text(members["response"]) if "response" in members else None
    return bool(response and response.strip()) and ("answers" in members or "questions" in members)
