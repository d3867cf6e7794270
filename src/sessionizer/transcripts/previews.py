"""Short forms of messages for a list: what a person said, what the agent said. Pure."""

from sessionizer.base.text import normalise, truncate
from sessionizer.claude_code.markers import TEAMMATE_TAG, command_arguments, is_slash_wrapper
from sessionizer.transcripts.answers import answer_text
from sessionizer.transcripts.labels import is_signal
from sessionizer.transcripts.openers import (
    flat_text,
    is_answer,
    is_genuine,
    raw_text,
    rejection_reason,
)
from sessionizer.transcripts.record import TranscriptRecord, is_text
from sessionizer.transcripts.sections import notification_label, split_sections
from sessionizer.transcripts.summary import EXCERPT
from sessionizer.transcripts.taxonomy import INBOX, SIGNAL
from sessionizer.transcripts.texts import slash_text


def preview_user(one: TranscriptRecord) -> str | None:
    """What a list shows of a user record; None when it is no message."""
    text = _user_text(one)
    shown = normalise(text) if text is not None else ""
    return truncate(shown, EXCERPT) if shown else None


def preview_agent(one: TranscriptRecord) -> str | None:
    """What a list shows of an assistant record; None when it says nothing."""
    if one.type != "assistant":
        return None
    if isinstance(one.content, str):
        shown = normalise(one.content)
    else:
        texts = (block.text or "" for block in one.blocks if is_text(block))
        shown = normalise(" ".join(text for text in texts if text.strip()))
    return truncate(shown, EXCERPT) if shown else None


def _user_text(one: TranscriptRecord) -> str | None:
    if one.type != "user":
        return None
    if is_answer(one):
        return answer_text(one)
    reason = rejection_reason(one)
    if reason is not None:
        return reason
    text = raw_text(one)
    for section in split_sections(text):
        if section.is_notification:
            return notification_label(section)
        if section.tag == TEAMMATE_TAG:
            label = SIGNAL if is_signal(section) else INBOX
            return f"{label}  {section.sender} ⇨ self  {section.body}"
    if is_slash_wrapper(text) and command_arguments(text) and not one.record.is_meta:
        return slash_text(text)
    return flat_text(one) if is_genuine(one) else None
