"""Join the fragments of provider calls within one file. Pure.

A call's answer is written as several records that repeat its usage. Per counter the largest
value counts.
"""

from hashlib import blake2b

from msgspec import Struct

from sessionizer.claude_code.blocks import Block
from sessionizer.claude_code.markers import SYNTHETIC_MODEL
from sessionizer.claude_code.usage import Usage, largest, read_usage, usage_state
from sessionizer.claude_code.values import raw_compact
from sessionizer.model.usage import STUB_TOKENS
from sessionizer.transcripts.fragments import Fragment
from sessionizer.transcripts.record import TranscriptRecord, is_text, is_tool_use
from sessionizer.transcripts.tallies import Call

UNKNOWN_MODEL = "(unknown)"

_DIGEST_BYTES = 8
_ANONYMOUS = "\0"  # no id begins so


class _Fragments(Struct):
    usages: list[Usage]
    spoken: int = 0
    finished: bool = False
    at_ns: int | None = None


class CallCounter:
    """Takes an agent's records one by one; `finish` gives the calls."""

    def __init__(self) -> None:
        self._calls: dict[tuple[str, str], _Fragments] = {}

    def add(self, one: TranscriptRecord, at_ns: int | None) -> None:
        """Take a record into account, if it is a provider's answer."""
        message = one.record.message
        if one.type != "assistant" or message is None or message.model == SYNTHETIC_MODEL:
            return
        record = one.record
        key = message.id or record.request_id or record.uuid
        found = self._call(
            key or f"{_ANONYMOUS}{one.line}.{one.glued}.{one.carried}", message.model
        )
        usage = read_usage(message.usage)
        if usage is not None and usage not in found.usages:
            found.usages.append(usage)
        if usage is None or (usage.output or 0) <= STUB_TOKENS:
            found.spoken += _spoken_bytes(one)
        _finish(found, finished=bool(message.stop_reason), at_ns=at_ns)

    def add_fragment(self, fragment: Fragment, uuid: str, at_ns: int | None) -> None:
        """Take an ordinary record with a call, or an id of its own, into account."""
        if fragment.model == SYNTHETIC_MODEL:
            return
        found = self._call(fragment.call or uuid, fragment.model)
        if fragment.usage not in found.usages:
            found.usages.append(fragment.usage)
        _finish(found, finished=fragment.finished, at_ns=at_ns)

    def _call(self, key: str, model: str | None) -> _Fragments:
        place = (key, model or UNKNOWN_MODEL)
        found = self._calls.get(place)
        if found is None:
            found = self._calls[place] = _Fragments([])
        return found

    def finish(self) -> tuple[Call, ...]:
        """The calls, in order of their first records."""
        return tuple(_fold(*key, found) for key, found in self._calls.items())


def _finish(found: _Fragments, *, finished: bool, at_ns: int | None) -> None:
    found.finished = found.finished or finished
    if at_ns is not None and (found.at_ns is None or at_ns < found.at_ns):
        found.at_ns = at_ns


def digest_of(*parts: str) -> int:
    """A number of 64 bits for some texts; never 0."""
    body = "\0".join(parts).encode("utf-8", "replace")
    return int.from_bytes(blake2b(body, digest_size=_DIGEST_BYTES).digest()) or 1


def _fold(key: str, model: str, found: _Fragments) -> Call:
    usage = largest(found.usages)
    return Call(
        digest=0 if key.startswith(_ANONYMOUS) else digest_of(key, model),
        model=model,
        state=usage_state(
            stated=usage is not None,
            output=usage.output if usage else None,
            spoken_bytes=found.spoken,
            finished=found.finished,
        ),
        input=(usage.input if usage else None) or 0,
        output=(usage.output if usage else None) or 0,
        cache_read=(usage.cache_read if usage else None) or 0,
        cache_write=(usage.cache_write if usage else None) or 0,
        at_ns=found.at_ns,
    )


def _spoken_bytes(one: TranscriptRecord) -> int:
    """UTF-8 length of texts, thinking and inputs."""
    if isinstance(one.content, str):
        return len(one.content.encode("utf-8", "replace"))
    return sum(map(_block_bytes, one.blocks))


def _block_bytes(block: Block) -> int:
    if is_tool_use(block):
        return len(raw_compact(block.input)) if bytes(block.input) else 0
    text = block.text if is_text(block) else block.thinking
    return len((text or "").encode("utf-8", "replace"))
