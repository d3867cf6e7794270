"""Tell a person's words among `user` records.

Newer versions state where a record comes from. Of older ones, and of headless use, the
shape has to tell; a row judged so carries the flag `by_shape`. Only a session's own lineage
holds a person's words: what a child is asked comes from its parent.
"""

from typing import Final

from msgspec import Struct

from sessionizer.adapters.claude_code_local.conversion.links import is_notification_text
from sessionizer.adapters.claude_code_local.conversion.pieces import AnyRecord, Legible
from sessionizer.claude_code.markers import (
    ORIGIN_HUMAN,
    PROMPT_SOURCE_SDK,
    PROMPT_SOURCE_SYSTEM,
    is_slash_wrapper,
    opens_with_machine_text,
)
from sessionizer.claude_code.values import is_present
from sessionizer.landing.record import Part

EXTERNAL: Final = "external"
NOTIFICATION: Final = "notification"
UNKNOWN: Final = "unknown"

EXTERNAL_INPUT: Final = "external_input"
COMMAND: Final = "command"
BY_SHAPE: Final = "by_shape"


class Verdict(Struct, frozen=True, gc=False):
    """What a record is as input.

    Attributes:
        trigger: What its shape says started the agent; empty when the shape says nothing.
        flags: In the order of `FLAGS`.
        starts_run: It begins a run under its own id, unless it states a run.
    """

    trigger: str = ""
    flags: tuple[str, ...] = ()
    starts_run: bool = False


NO_VERDICT: Final = Verdict()
_STATED_PROMPT: Final = Verdict(flags=(EXTERNAL_INPUT,))
_STATED_COMMAND: Final = Verdict(flags=(COMMAND,))
_HEADLESS_PROMPT: Final = Verdict(EXTERNAL, (EXTERNAL_INPUT,))
_HEADLESS_COMMAND: Final = Verdict(EXTERNAL, (COMMAND,))
_SHAPED_PROMPT: Final = Verdict(EXTERNAL, (EXTERNAL_INPUT, BY_SHAPE), starts_run=True)
_SHAPED_COMMAND: Final = Verdict(EXTERNAL, (COMMAND, BY_SHAPE), starts_run=True)
_SHAPED_NOTIFICATION: Final = Verdict(NOTIFICATION)
_SCHEDULED: Final = Verdict(UNKNOWN)


def judge_user(found: Legible, parts: tuple[Part, ...], *, stated: str, in_main: bool) -> Verdict:
    """What a `user` record is as input.

    Args:
        found: The record.
        parts: Its content.
        stated: The kind of origin it states; empty when it states none.
        in_main: Whether it belongs to the session's own lineage.
    """
    record = found.record
    if not stated and record.prompt_source == PROMPT_SOURCE_SYSTEM:
        return _SCHEDULED
    if not in_main or record.is_meta or record.is_compact_summary:
        return NO_VERDICT
    text = _typed_text(record, parts)
    if text is None:
        return _STATED_PROMPT if stated == ORIGIN_HUMAN else NO_VERDICT
    if is_slash_wrapper(text.lstrip()):
        return _judge_command(record, stated)
    if stated:
        return _STATED_PROMPT if stated == ORIGIN_HUMAN else NO_VERDICT
    if record.prompt_source:
        return _HEADLESS_PROMPT if record.prompt_source == PROMPT_SOURCE_SDK else NO_VERDICT
    return _judge_shape(found, text, parts)


def _judge_command(record: AnyRecord, stated: str) -> Verdict:
    if stated:
        return _STATED_COMMAND
    if record.prompt_source == PROMPT_SOURCE_SDK:
        return _HEADLESS_COMMAND
    # With a run of its own the record needs no trigger: a run without any starts a talk.
    return _STATED_COMMAND if record.prompt_id else _SHAPED_COMMAND


def _judge_shape(found: Legible, text: str, parts: tuple[Part, ...]) -> Verdict:
    says_something = bool(text.strip()) or any(part.k == "media" for part in parts)
    if says_something and not opens_with_machine_text(text):
        return _SHAPED_PROMPT
    if isinstance(found.content, str) and is_notification_text(text):
        return _SHAPED_NOTIFICATION
    return NO_VERDICT


def _typed_text(record: AnyRecord, parts: tuple[Part, ...]) -> str | None:
    r"""The texts of `parts`, joined with `\n`; None for a tool's result."""
    if is_present(record.tool_use_result) or any(part.k == "result" for part in parts):
        return None
    return "\n".join(part.text for part in parts if part.k == "text")
