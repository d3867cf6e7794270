"""What a record of each type says: its content, who produced it, what it set off.

One function per type. What all types share is added by `convert`.
"""

from collections.abc import Callable, Mapping
from typing import Final

from msgspec import Struct
from msgspec.structs import replace

from sessionizer.adapters.claude_code_local.conversion.attachments import (
    Attachment,
    convert_attachment,
    prompt_text,
    read_attachment,
)
from sessionizer.adapters.claude_code_local.conversion.content import convert_content
from sessionizer.adapters.claude_code_local.conversion.links import (
    NO_LINKS,
    Links,
    read_notification,
)
from sessionizer.adapters.claude_code_local.conversion.parts import Content, data_part
from sessionizer.adapters.claude_code_local.conversion.pieces import AnyRecord, Legible
from sessionizer.adapters.claude_code_local.conversion.progress_lines import (
    link_progress,
    read_agent_progress,
)
from sessionizer.adapters.claude_code_local.conversion.prompts import (
    COMMAND,
    EXTERNAL,
    EXTERNAL_INPUT,
    NOTIFICATION,
    UNKNOWN,
    judge_user,
)
from sessionizer.adapters.claude_code_local.conversion.queue_lines import read_queued_prompt
from sessionizer.claude_code.markers import (
    ORIGIN_HUMAN,
    ORIGIN_NOTIFICATION,
    SYNTHETIC_MODEL,
    command_name,
)

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


class Reading(Struct, frozen=True, kw_only=True, gc=False):
    """What one record says. Names are those of a row, and empty means absent.

    Attributes:
        run: Id of the run, where the record begins one without stating its id.
        flags: In the order of `FLAGS`.
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


def read_record(found: Legible, *, in_main: bool) -> Reading:
    """What a record says, by its type. A type without rules of its own is kept whole.

    Args:
        found: The record.
        in_main: Whether it belongs to a session's own lineage, not to a child's.
    """
    return _READERS.get(found.record.type or "", _read_other)(found, in_main)


def _read_assistant(found: Legible, _in_main: bool) -> Reading:
    record = found.record
    message = record.message
    synthetic = message is not None and message.model == SYNTHETIC_MODEL
    flags: tuple[str, ...] = ("synthetic",) if synthetic else ()
    if message is not None and message.stop_reason:
        flags += ("finished",)
    return Reading(
        content=_read_message(found),
        origin=AGENT,
        trigger=_read_trigger(record),
        call=(message.id if message else None)
        or (record.request_id if not synthetic else None)
        or record.uuid
        or "",
        flags=flags,
    )


def _read_user(found: Legible, in_main: bool) -> Reading:
    record = found.record
    content = _read_message(found)
    stated = _state_origin(record)
    verdict = judge_user(found, content.parts, stated=stated, in_main=in_main)
    trigger = _TRIGGERS.get(stated, UNKNOWN) or verdict.trigger
    links = NO_LINKS
    # A person may paste a notification; then it tells of nothing that ended here.
    if trigger != EXTERNAL and isinstance(found.content, str):
        links = read_notification(content.parts[0].text)
    return Reading(
        content=_name_command(content) if COMMAND in verdict.flags else content,
        origin="external",
        trigger=trigger,
        run=(record.uuid or "") if verdict.starts_run else "",
        links=links,
        flags=verdict.flags,
    )


def _read_system(found: Legible, _in_main: bool) -> Reading:
    flag = _SUBTYPE_FLAGS.get(found.record.subtype or "", "notice")
    return Reading(content=_read_message(found), trigger=_read_trigger(found.record), flags=(flag,))


def _read_attachment(found: Legible, in_main: bool) -> Reading:
    record = found.record
    attachment = read_attachment(record.attachment)
    if attachment is None:
        return Reading(
            content=_keep_whole(found), trigger=_read_trigger(record), flags=("injected",)
        )
    stated = _state_origin(record, attachment)
    trigger = _TRIGGERS.get(stated, UNKNOWN)
    typed = attachment.is_queued_prompt and stated in ("", ORIGIN_HUMAN)
    is_input = typed and in_main and not (record.is_meta or attachment.is_meta)
    return Reading(
        content=convert_attachment(attachment, record.attachment),
        trigger=trigger,
        links=read_notification(prompt_text(attachment)) if trigger == NOTIFICATION else NO_LINKS,
        flags=(EXTERNAL_INPUT if is_input else "injected",),
    )


def _read_progress(found: Legible, _in_main: bool) -> Reading:
    record = found.record
    progress = read_agent_progress(record)
    return Reading(
        content=_keep_whole(found),
        links=link_progress(record, progress) if progress else NO_LINKS,
        flags=("progress",),
    )


def _read_queue_line(found: Legible, in_main: bool) -> Reading:
    queue = found.record.operation or ""
    prompt = read_queued_prompt(found.record) if in_main else None
    if prompt is None:
        return Reading(content=_keep_whole(found), queue=queue)
    return Reading(
        content=prompt, origin="external", trigger=EXTERNAL, queue=queue, flags=("queued",)
    )


def _read_custom_title(found: Legible, _in_main: bool) -> Reading:
    return Reading(
        content=_read_message(found),
        trigger=_read_trigger(found.record),
        label=found.record.custom_title or "",
        flags=(CUSTOM_TITLE,),
    )


def _read_summary(found: Legible, _in_main: bool) -> Reading:
    return Reading(
        content=_read_message(found),
        trigger=_read_trigger(found.record),
        label=found.record.summary or "",
        continues=found.record.leaf_uuid or "",
        flags=("summary_title",),
    )


def _read_other(found: Legible, _in_main: bool) -> Reading:
    return Reading(content=_read_message(found), trigger=_read_trigger(found.record))


_READERS: Final[Mapping[str, Callable[[Legible, bool], Reading]]] = {
    "assistant": _read_assistant,
    "user": _read_user,
    "system": _read_system,
    "attachment": _read_attachment,
    "progress": _read_progress,
    "queue-operation": _read_queue_line,
    "custom-title": _read_custom_title,
    "summary": _read_summary,
}


def _read_message(found: Legible) -> Content:
    """The content of the message; the whole record if there is none."""
    content = convert_content(found.content, found.record.tool_use_result)
    return content if content.parts else _keep_whole(found)


def _keep_whole(found: Legible) -> Content:
    return Content((data_part(found.text, found.size_bytes),))


def _name_command(content: Content) -> Content:
    """The content of a typed command; the text that names it gets the name."""
    parts = tuple(
        replace(part, name=command_name(part.text) or "") if part.k == "text" else part
        for part in content.parts
    )
    return Content(parts, content.dropped)


def _state_origin(record: AnyRecord, attachment: Attachment | None = None) -> str:
    """The kind of origin that the record states, else its attachment; empty for neither."""
    if record.origin is not None and record.origin.kind:
        return record.origin.kind
    origin = attachment.origin if attachment is not None else None
    return (origin.kind if origin is not None else None) or ""


def _read_trigger(record: AnyRecord) -> str:
    return _TRIGGERS.get(_state_origin(record), UNKNOWN)
