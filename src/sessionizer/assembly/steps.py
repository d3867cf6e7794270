"""What happened, record by record: every step that is neither a call nor a tool use."""

from collections.abc import Iterable, Iterator
from typing import Final

from msgspec import Struct

from sessionizer.assembly.places import entry_id, reference_to
from sessionizer.assembly.queue import find_queued_prompts
from sessionizer.assembly.relations import relate
from sessionizer.assembly.spawns import Spawns
from sessionizer.assembly.streams import Stream, Streams
from sessionizer.index.entry import Entry, Position
from sessionizer.index.lookup import Lookup
from sessionizer.model.ids import make_id, unresolved_id
from sessionizer.model.kinds import (
    AGENT_LAUNCH_ACK,
    AGENT_OUTPUT,
    CHILD,
    CONTEXT_INJECTION,
    CONTROL_COMMAND,
    CONTROL_NOTICE,
    ENDS_WITH,
    EPOCH_BOUNDARY,
    EPOCH_SUMMARY,
    ERROR_API,
    EXACT_UNIQUE,
    MESSAGE_EXTERNAL,
    NOTIFICATION,
    OBSERVED_REPLAYABLE,
    REPORTS,
    RUNTIME_NOTIFICATION,
    STRONG_INFERENCE,
    SUMMARIZES,
    TURN_DURATION,
    UNAVAILABLE,
)
from sessionizer.model.nodes import Node, Relation, Unresolved


class _Rule(Struct, frozen=True):
    """A flag, and the step that an entry with it gives."""

    flag: str
    prefix: str
    kind: str
    attrs: dict[str, object] = {}


# Of each group an entry gives at most one step: the first that applies.
_BY_CONTAINER: Final = (
    (
        _Rule("external_input", "input", MESSAGE_EXTERNAL),
        _Rule("injected", "inject", CONTEXT_INJECTION),
    ),
    (
        _Rule("error", "error", ERROR_API, {"retry_state": UNAVAILABLE}),
        _Rule("turn_duration", "turn", TURN_DURATION, {"measured_by": OBSERVED_REPLAYABLE}),
        _Rule("command", "command", CONTROL_COMMAND),
        _Rule("notice", "notice", CONTROL_NOTICE),
    ),
)
_ACK: Final = _Rule("launch_ack", "ack", AGENT_LAUNCH_ACK)
_NOTIFICATION: Final = _Rule("", "notify", RUNTIME_NOTIFICATION)
_QUEUED: Final = _Rule("queued", "input", MESSAGE_EXTERNAL)
_BY_EPOCH: Final = (
    _Rule("context_reset", "boundary", EPOCH_BOUNDARY),
    _Rule("reset_summary", "summary", EPOCH_SUMMARY),
)


class Notifications(Struct, frozen=True, kw_only=True):
    """Notices of children's ends.

    Attributes:
        entries: In stream order.
        unmatched: How many name a child that has not landed.
        gaps: Those children.
        missing_in: Sessions whose notifications name such a child.
    """

    entries: tuple[Entry, ...]
    unmatched: int
    gaps: tuple[Unresolved, ...]
    missing_in: frozenset[str]


def find_notifications(streams: Streams) -> Notifications:
    """Find the notifications. Known before segments are cut: a missing child keeps one open."""
    entries = tuple(
        entry
        for stream in streams.ordered
        for entry in stream.entries
        if entry.trigger == NOTIFICATION and "launch_ack" not in entry.flags
    )
    missing = [
        entry
        for entry in entries
        if entry.child and streams.find(entry.child, entry.session) is None
    ]
    children = dict.fromkeys(streams.name_of(entry.child, entry.session) for entry in missing)
    return Notifications(
        entries=entries,
        unmatched=len(missing),
        gaps=tuple(
            Unresolved(
                id=unresolved_id("notified_child", child),
                kind="notified_child",
                ref=child,
                reason="a notification names a child whose stream has not landed",
            )
            for child in children
        ),
        missing_in=frozenset(entry.session for entry in missing),
    )


def step_nodes(
    streams: Streams,
    epoch_of: dict[Position, str],
    containers: dict[Position, str],
) -> Iterator[Node]:
    """Yield the steps that single entries give, stream by stream.

    `epoch_of` has to know the epochs of resets and their summaries only.
    """
    for stream in streams.ordered:
        for entry in stream.entries:
            flags = entry.flags
            if not flags and entry.trigger != NOTIFICATION:
                continue
            container = containers[entry.position]
            for rule in _BY_EPOCH:
                if rule.flag in flags:
                    yield _step(stream.name, entry, rule, epoch_of[entry.position])
                    break
            if _ACK.flag in flags:
                yield _step(stream.name, entry, _ACK, container)
            elif entry.trigger == NOTIFICATION:
                yield _step(stream.name, entry, _NOTIFICATION, container)
            for group in _BY_CONTAINER:
                for rule in group:
                    if rule.flag in flags:
                        yield _step(stream.name, entry, rule, container)
                        break
    for main in streams.mains:
        for prompt in find_queued_prompts(main.entries):
            container = containers[prompt.entry.position]
            yield _step(main.name, prompt.entry, _QUEUED, container, {"queue": prompt.outcome})


def _step(
    stream: str,
    entry: Entry,
    rule: _Rule,
    parent: str,
    attrs: dict[str, object] | None = None,
) -> Node:
    return Node(
        id=entry_id(rule.prefix, entry),
        kind=rule.kind,
        parent=parent,
        stream=stream,
        ref=reference_to(entry),
        attrs=rule.attrs if attrs is None else attrs,
    )


def step_relations(
    streams: Streams, notifications: Notifications, spawns: Spawns, lookup: Lookup
) -> Iterator[Relation]:
    """Yield what summaries summarise and which children notifications report on."""
    for stream in streams.ordered:
        for entry in stream.entries:
            if "reset_summary" in entry.flags and "context_reset" not in entry.flags:
                reset = lookup.by_record.get(entry.parent) if entry.parent else None
                if reset is not None and "context_reset" in reset.flags:
                    yield relate(
                        SUMMARIZES,
                        entry_id("summary", entry),
                        entry_id("boundary", reset),
                        quality=EXACT_UNIQUE,
                        via="containment parent",
                        evidence=(reference_to(entry),),
                    )
    for entry in notifications.entries:
        children: tuple[str, ...]
        if entry.child:
            named = streams.find(entry.child, entry.session)
            children = () if named is None else (named.name,)
            quality, via = EXACT_UNIQUE, "task id on the notification"
        else:
            children = spawns.children_of.get(entry.tool, ()) if entry.tool else ()
            quality, via = STRONG_INFERENCE, "the call the notification completes"
        for child in children:
            yield relate(
                REPORTS,
                entry_id("notify", entry),
                streams.by_name[child].id,
                quality=quality,
                via=via,
                evidence=(reference_to(entry),),
            )


class ChildOutput(Struct, frozen=True):
    """What a child handed back: its last response, and what a journal says it returned."""

    stream: str
    last: Entry | None
    returned: Entry | None

    @property
    def entries(self) -> tuple[Entry, ...]:
        """The last response, then what was returned; never empty."""
        return tuple(entry for entry in (self.last, self.returned) if entry is not None)


def find_outputs(streams: Streams) -> tuple[ChildOutput, ...]:
    """The output of every child stream that has one, by stream name."""
    returned: dict[str, Entry] = {}
    for entry in streams.unplaced:
        if entry.kind == "journal" and entry.child and "child_result" in entry.flags:
            returned.setdefault(streams.name_of(entry.child, entry.session), entry)
    outputs = (
        ChildOutput(stream.name, _last_response(stream), returned.get(stream.name))
        for stream in streams.ordered
        if stream.role == CHILD
    )
    return tuple(output for output in outputs if output.entries)


def _last_response(stream: Stream) -> Entry | None:
    for entry in reversed(stream.entries):
        if entry.kind == "assistant" and "synthetic" not in entry.flags:
            return entry
    return None


def output_nodes(outputs: Iterable[ChildOutput], containers: dict[Position, str]) -> Iterator[Node]:
    """Yield a node per child with an output."""
    for output in outputs:
        first = output.entries[0]
        yield Node(
            id=make_id("output", output.stream),
            kind=AGENT_OUTPUT,
            parent=containers.get(first.position) or make_id("talk", output.stream),
            stream=output.stream,
            ref=reference_to(first),
            refs=tuple(reference_to(entry) for entry in output.entries),
            attrs={"returned_value": OBSERVED_REPLAYABLE if output.returned else UNAVAILABLE},
        )


def output_relations(outputs: Iterable[ChildOutput]) -> Iterator[Relation]:
    """Yield an edge from every child stream to its output."""
    for output in outputs:
        yield relate(
            ENDS_WITH,
            make_id("stream", output.stream),
            make_id("output", output.stream),
            quality=EXACT_UNIQUE,
            via="the last response in the child stream, and what it returned",
            evidence=tuple(reference_to(entry) for entry in output.entries),
        )
