"""Stage 3: group record fragments into provider calls.

A provider's answer is written as several records, one content block each, that share a
key. Parents do not tell: parallel tool calls fork the chain, and results of the first may
stand between fragments of the same answer.
"""

from collections.abc import Iterable

from msgspec import Struct

from sessionizer.assembly.inheritance import Inheritance
from sessionizer.assembly.places import entry_id, reference_to
from sessionizer.assembly.streams import Streams
from sessionizer.assembly.usage import LARGEST_PER_COUNTER, CallUsage, fold_usage
from sessionizer.index.entry import Entry, Position
from sessionizer.model.ids import make_id
from sessionizer.model.kinds import (
    LLM_CALL,
    MESSAGE_ASSISTANT,
    MESSAGE_SYNTHETIC,
    OBSERVED_REPLAYABLE,
    THINKING,
    UNAVAILABLE,
    USAGE_ABSENT,
)
from sessionizer.model.nodes import Node


class Call(Struct, frozen=True, kw_only=True, gc=False):
    """One provider call in one stream.

    Attributes:
        id: Its node.
        key: What its fragments share; empty for a record without one.
        fragments: In source order; never empty.
        synthetic: The client made it, not a provider.
        same_call: Node of the same call in an earlier stream; empty in the first.
        counted: Whether sums take this one: of the same call, the most complete.
    """

    id: str
    stream: str
    key: str
    fragments: tuple[Entry, ...]
    usage: CallUsage
    finished: bool
    synthetic: bool
    same_call: str
    counted: bool


class Calls(Struct, frozen=True, kw_only=True):
    """The calls in order of their keys' first fragments, `main` first; the call of a fragment."""

    calls: tuple[Call, ...]
    call_of: dict[Position, str]


def group_calls(streams: Streams, shared: Iterable[Entry] = ()) -> Calls:
    """Group the agent's entries by stream and key. One without a key is a call of its own.

    `shared` are copies of what an earlier session holds. Where they begin a call, what a later
    session has of it beyond them belongs to the call of the earlier one.
    """
    begun = {(entry.session, entry.stream, entry.call) for entry in shared if entry.call}
    groups: dict[str, dict[str, list[Entry]]] = {}
    for stream in streams.main_first:
        for entry in stream.entries:
            if entry.kind == "assistant":
                # NUL stands in no key, so a record without one meets no other.
                key = entry.call or entry_id("\0", entry)
                homes = groups.get(key)
                if homes is None:
                    groups[key] = {stream.name: [entry]}
                elif stream.name in homes:
                    homes[stream.name].append(entry)
                elif (entry.session, entry.stream, entry.call) in begun:
                    next(iter(homes.values())).append(entry)
                else:
                    homes[stream.name] = [entry]
    calls = tuple(call for homes in groups.values() for call in _calls_with_one_key(homes))
    return Calls(
        calls=calls,
        call_of={entry.position: call.id for call in calls for entry in call.fragments},
    )


def _calls_with_one_key(homes: dict[str, list[Entry]]) -> Iterable[Call]:
    usages = {stream: fold_usage(fragments) for stream, fragments in homes.items()}
    # `max` takes the first of equals, and `main` comes first.
    several = len(usages) > 1
    counted = max(usages, key=lambda stream: usages[stream].completeness) if several else ""
    first_id = ""
    for stream, fragments in homes.items():
        first = fragments[0]
        flags = {flag for entry in fragments for flag in entry.flags}
        if first_id:
            call_id = make_id("call", first.call, stream)
        elif first.call:
            call_id = make_id("call", first.call)
        else:
            call_id = entry_id("call", first)
        yield Call(
            id=call_id,
            stream=stream,
            key=first.call,
            fragments=tuple(fragments),
            usage=usages[stream],
            finished="finished" in flags,
            synthetic="synthetic" in flags,
            same_call=first_id,
            counted=not several or stream == counted,
        )
        first_id = first_id or call_id


def call_nodes(
    calls: Calls, containers: dict[Position, str], inheritance: Inheritance
) -> Iterable[Node]:
    """Yield a node per call, and below it one per text and per reasoning block."""
    for call in calls.calls:
        first = call.fragments[0]
        yield Node(
            id=call.id,
            kind=LLM_CALL,
            parent=containers[first.position],
            stream=call.stream,
            ref=reference_to(first),
            refs=tuple(reference_to(entry) for entry in call.fragments),
            attrs=_attributes(call, inheritance.owner_of_call(call.key)),
        )
        message = MESSAGE_SYNTHETIC if call.synthetic else MESSAGE_ASSISTANT
        for entry in call.fragments:
            for number, block in enumerate(entry.blocks):
                if block.kind == "text":
                    prefix, kind = "msg", message
                elif block.kind == "thinking":
                    prefix, kind = "think", THINKING
                else:
                    continue
                yield Node(
                    id=entry_id(prefix, entry, number),
                    kind=kind,
                    parent=call.id,
                    stream=call.stream,
                    ref=reference_to(entry, number),
                )


def _attributes(call: Call, owner: str) -> dict[str, object]:
    absent = call.usage.state == USAGE_ABSENT
    attrs: dict[str, object] = {
        "fragments": len(call.fragments),
        "usage": UNAVAILABLE if absent else OBSERVED_REPLAYABLE,
        "usage_from": LARGEST_PER_COUNTER,
        "usage_state": call.usage.state,
    }
    tokens = call.usage.tokens.named()
    if tokens:
        attrs["tokens"] = tokens
    if not call.finished:
        attrs["stop_reason"] = UNAVAILABLE
    if call.same_call:
        attrs["same_call"] = call.same_call
    if owner:
        attrs["inherited_from"] = owner
    return attrs
