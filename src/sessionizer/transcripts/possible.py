"""Every text that any view of a record can have, whatever its lane says about it. Pure.

A cheap question before a costly one: when a pattern is in none of these, the record is no
hit, and its file need not be read as a whole. More texts than views can have do no harm; a
text too few would hide a match. A law in the tests holds this module to `units`.
"""

from collections.abc import Iterator

from sessionizer.claude_code.values import decode_value, is_present
from sessionizer.transcripts.answers import answer_text
from sessionizer.transcripts.labels import section_labels
from sessionizer.transcripts.matching import iter_strings
from sessionizer.transcripts.openers import raw_text, rejection_reason
from sessionizer.transcripts.query import Find
from sessionizer.transcripts.record import (
    TranscriptRecord,
    is_text,
    is_tool_result,
    is_tool_use,
)
from sessionizer.transcripts.sections import split_sections
from sessionizer.transcripts.taxonomy import (
    ATTACHMENT,
    AWAY_SUMMARY,
    BOUNDARY,
    HOOK,
    NOTIFIED_SUBAGENT,
    PROGRESS,
    SNAPSHOT,
    STOP_HOOKS,
    SYSTEM,
    TURN_DURATION,
    USER_MESSAGE,
    USER_QUEUED,
)
from sessionizer.transcripts.texts import (
    REDACTED,
    line_text,
    opener_text,
    record_text,
    section_text,
)
from sessionizer.transcripts.tool_texts import call_text, result_text

_LINE_LABELS = {
    "attachment": (USER_QUEUED, HOOK, ATTACHMENT),
    "queue-operation": (USER_QUEUED,),
    "system": (AWAY_SUMMARY, BOUNDARY, SYSTEM),
    "progress": (PROGRESS,),
}


def may_be_hit(one: TranscriptRecord, find: Find) -> bool:
    """Whether the pattern is in any text that a view of the record can have."""
    if rejection_reason(one) is not None:
        return True  # its text may end with a path that stands on another line
    return any(find(text) is not None for text in iter_possible_texts(one))


def iter_possible_texts(one: TranscriptRecord) -> Iterator[str]:
    """Yield them, the likely ones first."""
    if one.type == "user":
        yield from _user_texts(one)
    elif one.type == "assistant" and isinstance(one.content, str):
        yield one.content
    for block in one.blocks:
        if is_text(block):
            yield block.text or ""
        elif block.type == "thinking":
            yield block.thinking or ""
        elif block.type == "redacted_thinking":
            yield REDACTED
        elif is_tool_use(block):
            yield call_text(block)
            if is_present(block.input):
                yield from (text for _, text in iter_strings(decode_value(block.input)))
        elif is_tool_result(block):
            yield result_text(block)
    yield from _line_texts(one)


def _user_texts(one: TranscriptRecord) -> Iterator[str]:
    yield raw_text(one)
    yield record_text(one, USER_MESSAGE) or ""
    yield record_text(one, NOTIFIED_SUBAGENT) or ""
    yield opener_text(one, {})
    if any(is_tool_result(block) for block in one.blocks):
        yield answer_text(one)
    for section in split_sections(raw_text(one)):
        yield from (section_text(section, label) for label in section_labels(section))


def _line_texts(one: TranscriptRecord) -> Iterator[str]:
    """Texts of lines that are no messages."""
    for label in _LINE_LABELS.get(one.type, ()):
        text = record_text(one, label)
        if text is not None:
            yield text
    for raw in (one.record.attachment, one.record.data):
        if is_present(raw):
            yield from (text for _, text in iter_strings(decode_value(raw)))
    if one.type == "system" or one.type.startswith("file-history-"):
        members = decode_value(one.whole)
        if isinstance(members, dict):
            texts = (
                line_text(label, members, one.type)
                for label in (TURN_DURATION, STOP_HOOKS, SNAPSHOT)
            )
            yield from (text for text in texts if text is not None)
