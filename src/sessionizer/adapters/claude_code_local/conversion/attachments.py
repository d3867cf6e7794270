"""Attachments: what the harness put beside a conversation.

Their types are many and grow with every version, so a few fields are read and the rest
travels as it is.
"""

from typing import Final

import msgspec
from msgspec import Raw, Struct

from sessionizer.adapters.claude_code_local.conversion.parts import Content, data_part, text_part
from sessionizer.claude_code.blocks import decode_blocks
from sessionizer.claude_code.markers import COMMAND_MODE_PROMPT
from sessionizer.claude_code.records import Origin, raw_compact
from sessionizer.claude_code.shapes import read_shape
from sessionizer.claude_code.values import ABSENT, decode_text
from sessionizer.landing.record import Drop

PROSE_ONLY: Final = "only the prose of this attachment is carried"


class Attachment(Struct, frozen=True, kw_only=True, rename="camel", gc=False):
    """The fields of an attachment that mean something here; None when absent."""

    type: str | None = None
    command_mode: str | None = None
    text: Raw = ABSENT
    content: Raw = ABSENT
    prompt: Raw = ABSENT
    origin: Origin | None = None
    is_meta: bool | None = None

    @property
    def is_queued_prompt(self) -> bool:
        """Whether it is what a person typed while the agent was busy.

        The same type also carries notifications, so the mode is needed too.
        """
        return self.type == "queued_command" and self.command_mode == COMMAND_MODE_PROMPT


_ATTACHMENT = msgspec.json.Decoder(Attachment)


def read_attachment(raw: Raw) -> Attachment | None:
    """The attachment of a record; None for anything but an object."""
    return read_shape(_ATTACHMENT, raw)


def convert_attachment(attachment: Attachment, raw: Raw) -> Content:
    """Its prose if it has any, else the whole object."""
    prose = decode_text(attachment.text) or decode_text(attachment.content)
    if not prose:
        return Content((data_part(raw),))
    return Content(
        (text_part(prose),), (Drop("attachment fields", len(raw_compact(raw)), PROSE_ONLY),)
    )


def prompt_text(attachment: Attachment) -> str:
    r"""The prompt of an attachment: a string, or the `text` of its items joined with `\n`."""
    prompt = decode_blocks(attachment.prompt)
    if isinstance(prompt, tuple):
        return "\n".join(item.text for item in prompt if item.text)
    return prompt or ""
