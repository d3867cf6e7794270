"""Stage 7: runs, and the talks they make up.

A run is one agent loop and is stated by records; the others belong to the run of their
nearest ancestor. A talk is what one person's input set going, with everything after it that
nobody else's input did. No record states a talk.
"""

from collections.abc import Iterable

from msgspec import Struct

from sessionizer.assembly.epochs import Epoch
from sessionizer.assembly.inheritance import Inheritance
from sessionizer.assembly.places import reference_to
from sessionizer.assembly.streams import Stream, Streams
from sessionizer.index.entry import Entry, Position
from sessionizer.index.lookup import Lookup
from sessionizer.model.ids import make_id
from sessionizer.model.kinds import (
    EXTERNAL,
    NOTIFICATION,
    RUN,
    STRONG_INFERENCE,
    TALK,
    UNKNOWN,
)
from sessionizer.model.nodes import Node


class Trigger(Struct, frozen=True):
    """What set a run going, and whether that only follows from the shape of a record."""

    kind: str
    by_shape: bool = False


class Run(Struct, frozen=True, kw_only=True):
    """One agent loop in one stream."""

    id: str
    talk: str
    stream: str
    first: Entry
    trigger: Trigger


class Talk(Struct, frozen=True, kw_only=True):
    """One person's input and what followed, or all of a child's work.

    Attributes:
        epoch: The epoch in which it began; it may go on in the next.
        trigger: That of its first run.
        first_ns, last_ns: Smallest and largest time of entries with a run; 0 when unknown.
    """

    id: str
    stream: str
    epoch: str
    first: Entry
    runs: int
    trigger: Trigger
    first_ns: int
    last_ns: int


class Talks(Struct, frozen=True, kw_only=True):
    """The result of stage 7: talks and runs by stream and order, and where each entry lies.

    Attributes:
        containers: By position, the innermost of run, talk and epoch that holds the entry.
    """

    talks: tuple[Talk, ...]
    runs: tuple[Run, ...]
    containers: dict[Position, str]


class _OpenTalk:
    """A talk while its entries are being read."""

    def __init__(self, talk_id: str, epoch: str, trigger: Trigger) -> None:
        self.id, self.epoch, self.trigger = talk_id, epoch, trigger
        self.first: Entry | None = None
        self.runs = 0
        self.first_ns = 0
        self.last_ns = 0

    def take_time(self, time_ns: int) -> None:
        if time_ns and (not self.first_ns or time_ns < self.first_ns):
            self.first_ns = time_ns
        self.last_ns = max(self.last_ns, time_ns)


class _RunFacts:
    """What the entries that state a run themselves say about it."""

    def __init__(self) -> None:
        self.triggers: dict[str, bool] = {}

    def take(self, entry: Entry) -> None:
        if entry.trigger:
            by_shape = "by_shape" in entry.flags
            self.triggers[entry.trigger] = by_shape and self.triggers.get(entry.trigger, True)

    @property
    def trigger(self) -> Trigger:
        for kind in (EXTERNAL, NOTIFICATION):
            if kind in self.triggers:
                return Trigger(kind, self.triggers[kind])
        return Trigger(UNKNOWN)

    @property
    def starts_talk(self) -> bool:
        # No trigger at all is a command typed locally, which is a person acting.
        return EXTERNAL in self.triggers or not self.triggers


def group_talks(streams: Streams, epochs: dict[str, tuple[Epoch, ...]], lookup: Lookup) -> Talks:
    """Group the entries of every stream into runs and talks."""
    parts = [_group_stream(stream, epochs[stream.name], lookup) for stream in streams.ordered]
    containers: dict[Position, str] = {}
    for part in parts:
        containers.update(part.containers)
    return Talks(
        talks=tuple(talk for part in parts for talk in part.talks),
        runs=tuple(run for part in parts for run in part.runs),
        containers=containers,
    )


def _group_stream(stream: Stream, epochs: tuple[Epoch, ...], lookup: Lookup) -> Talks:
    facts: dict[str, _RunFacts] = {}
    for entry in stream.entries:
        if entry.run:
            facts.setdefault(entry.run, _RunFacts()).take(entry)
    opened: list[_OpenTalk] = []
    runs: list[Run] = []
    containers: dict[Position, str] = {}
    talk_of_run: dict[str, tuple[_OpenTalk, str]] = {}
    current: _OpenTalk | None = None
    if not stream.is_main:
        current = _OpenTalk(make_id("talk", stream.name), epochs[0].id, Trigger(UNKNOWN))
        opened.append(current)
    for epoch in epochs:
        for entry in epoch.entries:
            run = entry.run or lookup.run_of(entry)
            if not run:
                if current and current.first is None:
                    current.first = entry
                containers[entry.position] = current.id if current else epoch.id
                continue
            known = talk_of_run.get(run)
            if known is None:
                said = facts.get(run) or _RunFacts()
                if current is None or (stream.is_main and said.starts_talk):
                    current = _OpenTalk(make_id("talk", stream.name, run), epoch.id, said.trigger)
                    opened.append(current)
                talk, run_id = current, make_id("run", current.id, run)
                talk.runs += 1
                talk_of_run[run] = (talk, run_id)
                runs.append(
                    Run(
                        id=run_id,
                        talk=talk.id,
                        stream=stream.name,
                        first=entry,
                        trigger=said.trigger,
                    )
                )
            else:
                talk, run_id = known
            if talk.first is None:
                talk.first = entry
            talk.take_time(entry.time_ns)
            containers[entry.position] = run_id
    talks = tuple(
        Talk(
            id=talk.id,
            stream=stream.name,
            epoch=talk.epoch,
            first=talk.first or stream.entries[0],
            runs=talk.runs,
            trigger=talk.trigger,
            first_ns=talk.first_ns,
            last_ns=talk.last_ns,
        )
        for talk in opened
    )
    return Talks(talks=talks, runs=tuple(runs), containers=containers)


def talk_nodes(talks: Talks, inheritance: Inheritance) -> Iterable[Node]:
    """Yield a node per talk and per run."""
    for talk in talks.talks:
        attrs = {"loops": talk.runs, "runs": talk.runs, **_trigger_attributes(talk.trigger)}
        owner = inheritance.owner_of_record(talk.first.record)
        if owner:
            attrs["inherited_from"] = owner
        yield Node(
            id=talk.id,
            kind=TALK,
            parent=talk.epoch,
            stream=talk.stream,
            ref=reference_to(talk.first),
            attrs=attrs,
        )
    for run in talks.runs:
        yield Node(
            id=run.id,
            kind=RUN,
            parent=run.talk,
            stream=run.stream,
            ref=reference_to(run.first),
            attrs=_trigger_attributes(run.trigger),
        )


def _trigger_attributes(trigger: Trigger) -> dict[str, object]:
    attrs: dict[str, object] = {"trigger": trigger.kind}
    if trigger.by_shape:
        attrs["quality"] = STRONG_INFERENCE
    return attrs
