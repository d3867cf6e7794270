"""Which call, child agent and batch a record is about, beside its own blocks."""

from typing import Final

import msgspec
from msgspec import Raw, Struct

from sessionizer.claude_code.ids import is_notified_agent_id
from sessionizer.claude_code.markers import (
    NOTIFICATION_OPEN,
    STATUS_COMPLETED,
    STATUS_LAUNCHED,
    tag_value,
    tag_values,
)
from sessionizer.claude_code.shapes import read_shape
from sessionizer.claude_code.values import ABSENT


class Outcome(Struct, frozen=True, kw_only=True, rename="camel", gc=False):
    """What the structured form of a tool's result says about the child it started."""

    status: str | None = None
    tool_use_id: str | None = None
    agent_id: str | None = None
    run_id: str | None = None

    @property
    def is_launch(self) -> bool:
        """Whether a child was started and goes on by itself; a fork is none."""
        return self.status == STATUS_LAUNCHED

    @property
    def is_completed(self) -> bool:
        """Whether a child came to its end."""
        return self.status == STATUS_COMPLETED


class Links(Struct, frozen=True, gc=False):
    """A tool use and a child agent, each empty when the record names none."""

    tool: str = ""
    child: str = ""


NO_OUTCOME: Final = Outcome()
NO_LINKS: Final = Links()

_OUTCOME = msgspec.json.Decoder(Outcome)


def read_outcome(tool_use_result: Raw) -> Outcome:
    """The outcome that a record states; an empty one when it states none."""
    if tool_use_result is ABSENT:
        return NO_OUTCOME
    return read_shape(_OUTCOME, tool_use_result) or NO_OUTCOME


def is_notification_text(text: str) -> bool:
    """Whether the text holds a notification of the runtime, wherever it stands in it."""
    return NOTIFICATION_OPEN in text


def read_notification(text: str) -> Links:
    """What the notifications in a text name; nothing if there are none.

    A task id is a generic handle, of commands and workflows too; only one with the shape of
    an agent's id names a child. One notification may name several tasks: the first child
    counts.
    """
    if not is_notification_text(text):
        return NO_LINKS
    tasks = tag_values(text, "task-id")
    return Links(
        tool=tag_value(text, "tool-use-id") or "",
        child=next(filter(is_notified_agent_id, tasks), ""),
    )
