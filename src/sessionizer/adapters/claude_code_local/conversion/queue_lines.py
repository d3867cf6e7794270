"""Lines about the queue of what was typed, or reported, while the agent was busy."""

from msgspec.structs import replace

from sessionizer.adapters.claude_code_local.conversion.content import convert_content
from sessionizer.adapters.claude_code_local.conversion.parts import Content
from sessionizer.adapters.claude_code_local.conversion.pieces import AnyRecord, read_content
from sessionizer.claude_code.markers import QUEUE_ENQUEUE, opens_with_machine_text
from sessionizer.landing.record import Part

COMMAND_MARK = "/"


def read_queued_prompt(record: AnyRecord) -> Content | None:
    """What a person put into the queue; None when the line says anything else.

    An enqueued notification is no prompt, and neither is a line which tells that something
    left the queue. A text that opens with `/` names its command.
    """
    if record.operation != QUEUE_ENQUEUE:
        return None
    content = convert_content(read_content(record.content))
    text = "\n".join(part.text for part in content.parts if part.k == "text")
    if not any(_says_something(part) for part in content.parts) or opens_with_machine_text(text):
        return None
    first, *others = content.parts
    return Content((_name_command(first), *others), content.dropped)


def _says_something(part: Part) -> bool:
    return part.k == "media" or (part.k == "text" and bool(part.text.strip()))


def _name_command(part: Part) -> Part:
    if part.k != "text" or not part.text.lstrip().startswith(COMMAND_MARK):
        return part
    return replace(part, name=part.text.split(maxsplit=1)[0])
