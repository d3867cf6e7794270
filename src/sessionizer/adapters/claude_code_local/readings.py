"""What a record of each type says: its content, who produced it, what it set off.

One function per type. What all types share is added by `convert`.
"""

from collections.abc import Callable, Mapping
from typing import Final

from msgspec import Struct
from msgspec.structs import replace

from sessionizer.adapters.claude_code_local.attachments import (
    Attachment,
    convert_attachment,
    prompt_text,
    read_attachment,
)
from sessionizer.adapters.claude_code_local.content import convert_content
from sessionizer.adapters.claude_code_local.links import (
    NO_LINKS,
    Links,
    holds_text,
    read_notification,
)
from sessionizer.adapters.claude_code_local.parts import Content, data_part
from sessionizer.adapters.claude_code_local.progress_lines import (
    link_progress,
    read_agent_progress,
)
from sessionizer.adapters.claude_code_local.prompts import (
    COMMAND,
    EXTERNAL,
    EXTERNAL_INPUT,
    NOTIFICATION,
    UNKNOWN,
    judge_user,
)
from sessionizer.adapters.claude_code_local.queue_lines import read_queued_prompt
from sessionizer.claude_code.markers import (
    ORIGIN_HUMAN,
    ORIGIN_NOTIFICATION,
    SYNTHETIC_MODEL,
    command_name,
)
from sessionizer.claude_code.records import Record
from sessionizer.claude_code.values import ABSENT

AGENT: Final = "agent"
RUNTIME: Final = "runtime"
CUSTOM_TITLE: Final = "custom_title"

_TRIGGERS: Final[Mapping[str, str]] = {
    "": "",
    ORIGIN_HUMAN: EXTERNAL,
    ORIGIN_NOTIFICATION: NOTIFICATION,
}
_SUBTYPE_FLAGS: Final[Mapping[str, str]] = {
    "compact_boundary": "context_reset",
    "api_error": "error",
    "turn_duration": "turn_duration",
    "local_command": COMMAND,
}


class Line(Struct, frozen=True, gc=False):
    """A record, and what it stands in.

    Attributes:
        text: The record as JSON text.
        size_bytes: The length of its source.
        in_main: Whether it belongs to a session's own lineage, not to a child's.
    """

    record: Record
    text: bytes
    size_bytes: int
    in_main: bool


class Reading(Struct, frozen=True, kw_only=True, gc=False):
    """What one record says. Names are those of a row, and empty means absent.

    Attributes:
        run: Id of the run, where the record begins one without stating its id.
        flags: Without order.
    """

    content: Content
    origin: str = RUNTIME
    trigger: str = ""
    run: str = ""
    call: str = ""
    label: str = ""
    continues: str = ""
    queue: str = ""
    links: Links = NO_LINKS
    flags: tuple[str, ...] = ()


def read_line(line: Line) -> Reading:
    """What the record says, by its type. A type without rules of its own is kept whole."""
    return _READERS.get(line.record.type or "", _read_other)(line)


def _read_assistant(line: Line) -> Reading:
    record = line.record
    message = record.message
    synthetic = message is not None and message.model == SYNTHETIC_MODEL
    flags: tuple[str, ...] = ("synthetic",) if synthetic else ()
    if message is not None and message.stop_reason:
        flags += ("finished",)
    return Reading(
        content=_read_message(line),
        origin=AGENT,
        trigger=_read_trigger(record),
        call=(message.id if message else None)
        or (record.request_id if not synthetic else None)
        or record.uuid
        or "",
        flags=flags,
    )


def _read_user(line: Line) -> Reading:
    record = line.record
    content = _read_message(line)
    stated = _state_origin(record)
    verdict = judge_user(record, content.parts, stated=stated, in_main=line.in_main)
    trigger = _TRIGGERS.get(stated, UNKNOWN) or verdict.trigger
    links = NO_LINKS
    # A person may paste a notification; then it tells of nothing that ended here.
    if trigger != EXTERNAL and holds_text(record):
        links = read_notification(content.parts[0].text)
    return Reading(
        content=_name_command(content) if COMMAND in verdict.flags else content,
        origin="external",
        trigger=trigger,
        run=(record.uuid or "") if verdict.starts_run else "",
        links=links,
        flags=verdict.flags,
    )


def _read_system(line: Line) -> Reading:
    flag = _SUBTYPE_FLAGS.get(line.record.subtype or "", "notice")
    return Reading(content=_read_message(line), trigger=_read_trigger(line.record), flags=(flag,))


def _read_attachment(line: Line) -> Reading:
    record = line.record
    attachment = read_attachment(record.attachment)
    if attachment is None:
        return Reading(
            content=_keep_whole(line), trigger=_read_trigger(record), flags=("injected",)
        )
    stated = _state_origin(record, attachment)
    trigger = _TRIGGERS.get(stated, UNKNOWN)
    typed = attachment.is_queued_prompt and stated in ("", ORIGIN_HUMAN)
    is_input = typed and line.in_main and not (record.is_meta or attachment.is_meta)
    return Reading(
        content=convert_attachment(attachment, record.attachment),
        trigger=trigger,
        links=read_notification(prompt_text(attachment)) if trigger == NOTIFICATION else NO_LINKS,
        flags=(EXTERNAL_INPUT if is_input else "injected",),
    )


def _read_progress(line: Line) -> Reading:
    record = line.record
    progress = read_agent_progress(record)
    return Reading(
        content=_keep_whole(line),
        links=link_progress(record, progress) if progress else NO_LINKS,
        flags=("progress",),
    )


def _read_queue_line(line: Line) -> Reading:
    queue = line.record.operation or ""
    prompt = read_queued_prompt(line.record) if line.in_main else None
    if prompt is None:
        return Reading(content=_keep_whole(line), queue=queue)
    return Reading(
        content=prompt, origin="external", trigger=EXTERNAL, queue=queue, flags=("queued",)
    )


def _read_custom_title(line: Line) -> Reading:
    return Reading(
        content=_read_message(line),
        trigger=_read_trigger(line.record),
        label=line.record.custom_title or "",
        flags=(CUSTOM_TITLE,),
    )


def _read_summary(line: Line) -> Reading:
    return Reading(
        content=_read_message(line),
        trigger=_read_trigger(line.record),
        label=line.record.summary or "",
        continues=line.record.leaf_uuid or "",
        flags=("summary_title",),
    )


def _read_other(line: Line) -> Reading:
    return Reading(content=_read_message(line), trigger=_read_trigger(line.record))


_READERS: Final[Mapping[str, Callable[[Line], Reading]]] = {
    "assistant": _read_assistant,
    "user": _read_user,
    "system": _read_system,
    "attachment": _read_attachment,
    "progress": _read_progress,
    "queue-operation": _read_queue_line,
    "custom-title": _read_custom_title,
    "summary": _read_summary,
}


def _read_message(line: Line) -> Content:
    """The content of the message; the whole record if there is none."""
    message = line.record.message
    content = convert_content(message.content if message else ABSENT, line.record.tool_use_result)
    return content if content.parts else _keep_whole(line)


def _keep_whole(line: Line) -> Content:
    return Content((data_part(line.text, line.size_bytes),))


def _name_command(content: Content) -> Content:
    """The content of a typed command; the text that names it gets the name."""
    parts = tuple(
        replace(part, name=command_name(part.text) or "") if part.k == "text" else part
        for part in content.parts
    )
    return Content(parts, content.dropped)


def _state_origin(record: Record, attachment: Attachment | None = None) -> str:
    """The kind of origin that the record states, else its attachment; empty for neither."""
    if record.origin is not None and record.origin.kind:
        return record.origin.kind
    origin = attachment.origin if attachment is not None else None
    return (origin.kind if origin is not None else None) or ""


def _read_trigger(record: Record) -> str:
    return _TRIGGERS.get(_state_origin(record), UNKNOWN)
