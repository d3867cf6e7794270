"""Read the usage object of a message. The rules over usages are in `model.usage`.

Source: docs/formats/transcript.md, "Usage".
"""

from typing import Annotated

import msgspec
from msgspec import Meta, Raw, Struct, field

from sessionizer.claude_code.shapes import read_shape
from sessionizer.model.usage import Usage, largest, usage_state

__all__ = ["Usage", "largest", "read_usage", "usage_state"]

Count = Annotated[int, Meta(ge=0, le=2**53)]  # what MessagePack and JSON readers can hold


class _Counters(Struct, frozen=True, gc=False):
    input: Count | None = field(default=None, name="input_tokens")
    output: Count | None = field(default=None, name="output_tokens")
    cache_read: Count | None = field(default=None, name="cache_read_input_tokens")
    cache_write: Count | None = field(default=None, name="cache_creation_input_tokens")


_COUNTERS = msgspec.json.Decoder(_Counters)


def read_usage(raw: bytes | Raw) -> Usage | None:
    """The four counters of a usage object; None when `raw` is absent or no object.

    A counter that is no whole number from 0 to 2**53 reads as absent.
    """
    counters = read_shape(_COUNTERS, raw)
    if counters is None:
        return None
    return Usage(
        input=counters.input,
        output=counters.output,
        cache_read=counters.cache_read,
        cache_write=counters.cache_write,
    )
