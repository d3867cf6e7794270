"""Stage 3: group record fragments into provider calls.

A provider's answer is written as several records, one content block each, that share a
key. Parents do not tell: parallel tool calls fork the chain, and results of the first may
stand between fragments of the same answer.
"""

from collections.abc import Iterable

from msgspec import Struct

from sessionizer.assembly.inheritance import Inheritance
from sessionizer.assembly.places import reference_to
from sessionizer.assembly.streams import Streams
from sessionizer.assembly.usage import LARGEST_PER_COUNTER, CallUsage, fold_usage
from sessionizer.index.entry import Entry
from sessionizer.model.ids import make_id, position_id
from sessionizer.model.kinds import (
    LLM_CALL,
    MESSAGE_ASSISTANT,
    MESSAGE_SYNTHETIC,
    OBSERVED_REPLAYABLE,
    THINKING,
    UNAVAILABLE,
    USAGE_ABSENT,
)
from sessionizer.model.nodes import Node, Reference


class Call(Struct, frozen=True, kw_only=True):
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
    """The calls in order of their first fragment, `main` first, and the call of each fragment."""

    calls: tuple[Call, ...]
    call_of: dict[tuple[int, int], str]


def group_calls(streams: Streams) -> Calls:
    """Group the agent's entries by stream and key. One without a key is a call of its own."""
    groups: dict[tuple[str, str], list[Entry]] = {}
    for stream in streams.main_first:
        for entry in stream.entries:
            if entry.kind == "assistant":
                key = entry.call or position_id("", entry.seq, entry.row)
                group = groups.get((stream.name, key))
                if group is None:
                    groups[stream.name, key] = [entry]
                else:
                    group.append(entry)
    usages = {group: fold_usage(fragments) for group, fragments in groups.items()}
    homes: dict[str, list[str]] = {}
    for stream_name, key in groups:
        homes.setdefault(key, []).append(stream_name)
    counted = {
        key: max(names, key=lambda name: (usages[name, key].completeness, -names.index(name)))
        for key, names in homes.items()
    }
    calls = tuple(
        _call(
            stream_name,
            fragments,
            usage=usages[stream_name, key],
            first_home=homes[key][0],
            counted=counted[key] == stream_name,
        )
        for (stream_name, key), fragments in groups.items()
    )
    return Calls(
        calls=calls,
        call_of={entry.position: call.id for call in calls for entry in call.fragments},
    )


def _call(
    stream_name: str, fragments: list[Entry], *, usage: CallUsage, first_home: str, counted: bool
) -> Call:
    first = fragments[0]
    first_id = (
        make_id("call", first.call) if first.call else position_id("call", first.seq, first.row)
    )
    is_first = stream_name == first_home
    return Call(
        id=first_id if is_first else make_id("call", first.call, stream_name),
        stream=stream_name,
        key=first.call,
        fragments=tuple(fragments),
        usage=usage,
        finished=any("finished" in entry.flags for entry in fragments),
        synthetic=any("synthetic" in entry.flags for entry in fragments),
        same_call="" if is_first else first_id,
        counted=counted,
    )


def call_nodes(
    calls: Calls, containers: dict[tuple[int, int], str], inheritance: Inheritance
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
                    id=position_id(prefix, entry.seq, entry.row, number),
                    kind=kind,
                    parent=call.id,
                    stream=call.stream,
                    ref=Reference(entry.seq, entry.row, number),
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
