"""Notifications and messages of other agents inside the text of a user record.

A tag begins a section only where the harness puts one: at the start of the text, after a
relay's preamble, or after another section. Anywhere else it is prose about tags.
Kept free of msgspec and typing: `csift list` previews openers.
"""

import re

from sessionizer.base.plain import Plain
from sessionizer.base.text import normalise
from sessionizer.claude_code.markers import (
    AGENT_TAG,
    NOTIFICATION_KINDS,
    NOTIFICATION_TAG,
    PEER_TAGS,
    RELAY_PREAMBLES,
    SECTION_CLOSES,
    TEAMMATE_TAG,
    tag_value,
    tag_values,
)

TASK_KIND = "task"
_ORPHAN = "__orphan_summary"
_OPEN = re.compile(rf"<({NOTIFICATION_TAG}>|{TEAMMATE_TAG}\b|{AGENT_TAG}\b)")
_MAY_OPEN = ("<" + NOTIFICATION_TAG, "<" + TEAMMATE_TAG, "<" + AGENT_TAG)


class Section(Plain):
    """One section of a user record's text.

    Attributes:
        tag: `task-notification`, `teammate-message` or `agent-message`.
        text: From its open tag to its close tag inclusive, or to the end of the text.
    """

    __slots__ = ("tag", "text")
    tag: str
    text: str

    def __init__(self, tag: str, text: str) -> None:
        self._set(tag=tag, text=text)

    @property
    def is_notification(self) -> bool:
        """Whether it tells of a background task, rather than passing on a message."""
        return self.tag == NOTIFICATION_TAG

    @property
    def body(self) -> str:
        """What stands between the tags, trimmed."""
        _, _, rest = self.text.partition(">")
        return rest.removesuffix(f"</{self.tag}>").strip()

    def attribute(self, name: str) -> str | None:
        """The value of an attribute of the open tag; None without it."""
        head, _, _ = self.text.partition(">")
        match = re.search(rf'\b{re.escape(name)}\s*=\s*(?:"([^"]*)"|\'([^\']*)\')', head)
        return None if match is None else (match[1] if match[1] is not None else match[2])

    @property
    def sender(self) -> str:
        """Who sent a message; `?` when the tag does not say."""
        name = "teammate_id" if self.tag == TEAMMATE_TAG else "from"
        return self.attribute(name) or "?"


def may_hold_sections(text: str) -> bool:
    """Whether `text` holds a tag at all, wherever: a cheap first question."""
    return "<" in text and any(tag in text for tag in _MAY_OPEN)


def split_sections(text: str) -> tuple[Section, ...]:
    """The sections of `text`, in order; none for ordinary prose."""
    if not may_hold_sections(text):
        return ()
    sections: list[Section] = []
    position = 0
    while True:
        opened = _OPEN.search(text, position)
        if opened is None:
            return tuple(sections)
        if not _is_boundary(text[: opened.start()]):
            position = opened.end()
            continue
        tag = opened[1].rstrip(">")
        close = f"</{tag}>"
        end = text.find(close, opened.end())
        stop = len(text) if end < 0 else end + len(close)
        sections.append(Section(tag, text[opened.start() : stop]))
        position = stop


def has_peer_section(text: str) -> bool:
    """Whether another agent's message stands at a section boundary."""
    return any(section.tag in PEER_TAGS for section in split_sections(text))


def notification_kind(section: Section) -> str:
    """Which sort of task a notification tells of, by what its summary begins with."""
    summary = (tag_value(section.text, "summary") or "").lstrip().lower()
    for beginning, kind in NOTIFICATION_KINDS:
        if summary.startswith(beginning):
            return kind
    return TASK_KIND


def notification_label(section: Section) -> str:
    """`[monitor b1 READY] Monitor event: build`. A state is shown only as it was given."""
    ids = tag_values(section.text, "task-id")
    task = next((one for one in ids if not one.startswith(_ORPHAN)), "?") or "?"
    status = tag_value(section.text, "status") or normalise(tag_value(section.text, "event") or "")
    head = f"[{notification_kind(section)} {task} {status or 'completed'}]"
    summary = normalise(tag_value(section.text, "summary") or "")
    return f"{head} {summary}" if summary else head


def notification_result(section: Section) -> str | None:
    """What the task brought back, in one line; the label if it is blank; None without any."""
    if "<result>" not in section.text:
        return None
    _, _, rest = section.text.partition("<result>")
    body, closed, _ = rest.rpartition("</result>")
    return normalise(body if closed else rest) or notification_label(section)


def _is_boundary(before: str) -> bool:
    before = before.rstrip()
    return not before or before.endswith((*RELAY_PREAMBLES, *SECTION_CLOSES))
