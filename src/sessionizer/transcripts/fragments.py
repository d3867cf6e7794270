"""Read what counts of an agent's ordinary record, without decoding its texts.

A fragment of a provider's answer: its call, its usage, the tools it names. A record with
anything unusual is left to the slow path.
"""

import msgspec
from msgspec import Struct

from sessionizer.claude_code.usage import Count
from sessionizer.model.usage import STUB_TOKENS, Usage


class _Usage(Struct, frozen=True, gc=False):
    input_tokens: Count | None = None
    output_tokens: Count | None = None
    cache_read_input_tokens: Count | None = None
    cache_creation_input_tokens: Count | None = None


class FragmentBlock(Struct, frozen=True, gc=False):
    """What counts of a block: its type, the tool's name, the signature of thinking."""

    type: str = ""
    name: str | None = None
    signature: str | None = None


class _Message(Struct, frozen=True, gc=False):
    content: list[FragmentBlock]
    id: str | None = None
    model: str | None = None
    stop_reason: str | None = None
    usage: _Usage | None = None


class _Line(Struct, frozen=True, rename="camel", gc=False):
    message: _Message
    request_id: str | None = None


class Header(Struct, frozen=True, rename="camel", gc=False):
    """What every object may have: a type and a time; and whether it says it is an agent's."""

    type: str | None = None
    timestamp: str | None = None
    is_sidechain: bool | None = None


class Fragment(Struct, frozen=True, kw_only=True, gc=False):
    """One record of a provider's answer.

    Attributes:
        call: What the fragments of a call share, its own uuid aside; empty without.
        model: None when it does not say.
        usage: More output tokens than a stub has.
        finished: It states a stop reason.
        blocks: Its blocks.
    """

    call: str
    model: str | None
    usage: Usage
    finished: bool
    blocks: list[FragmentBlock]


_LINE = msgspec.json.Decoder(_Line)
_HEADER = msgspec.json.Decoder(Header)


def read_fragment(body: bytes) -> Fragment | None:
    """The fragment on a line that holds one ordinary assistant record; None to read it slowly.

    A usage that may be a stub is left to the slow path: its texts have to be measured.
    """
    try:
        line = _LINE.decode(body)
    except (msgspec.DecodeError, RecursionError):
        return None
    message = line.message
    stated = message.usage
    if stated is None or (stated.output_tokens or 0) <= STUB_TOKENS:
        return None
    return Fragment(
        call=message.id or line.request_id or "",
        model=message.model,
        usage=Usage(
            input=stated.input_tokens,
            output=stated.output_tokens,
            cache_read=stated.cache_read_input_tokens,
            cache_write=stated.cache_creation_input_tokens,
        ),
        finished=bool(message.stop_reason),
        blocks=message.content,
    )


def read_header(body: bytes) -> Header | None:
    """Type and time of the one object on a line; None when they are not as expected."""
    try:
        return _HEADER.decode(body)
    except (msgspec.DecodeError, RecursionError):
        return None
