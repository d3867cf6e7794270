"""Stage 2: which stream a record belongs to, and what each stream is.

A child may have a file of its own, stand in its parent's file under its own name, or stand
there with nothing but a mark (old builds). The marked records are told apart by following
their parents back to the first marked one.
"""

from collections.abc import Iterable, Iterator
from itertools import groupby
from typing import Final

from msgspec import Struct

from sessionizer.assembly.places import reference_to
from sessionizer.index.entry import Entry
from sessionizer.index.lookup import Lookup
from sessionizer.model.ids import id_sort_key, make_id, scoped
from sessionizer.model.kinds import CHILD, INTERNAL, MAIN, SESSION, STREAM
from sessionizer.model.nodes import Node

SIDE_PREFIX: Final = "side-"
_SIDECAR: Final = "agent_meta"


class Stream(Struct, frozen=True, kw_only=True):
    """One lineage of records.

    Attributes:
        name: Unique in the conversation: `main`, of a further session `<session>:main`.
        session: Empty for the conversation's first.
        role: `main`, `child`, or `internal` for an agent that the runtime runs for itself.
        entries: In source order; never empty.
        label: What a sidecar calls it.
        carried: Whether all that is known of it stands in its parent's file.
    """

    name: str
    session: str
    role: str
    entries: tuple[Entry, ...]
    label: str
    carried: bool

    @property
    def id(self) -> str:
        """Its node."""
        return make_id("stream", self.name)

    @property
    def is_main(self) -> bool:
        """Whether it is a session's own transcript."""
        return self.role == MAIN


class Streams(Struct, frozen=True, kw_only=True):
    """The streams by name, and the entries that belong to none.

    Attributes:
        by_name: Session by session, in a session by name as UTF-8 bytes.
        agents: Streams that are not `main`, by their names without a session.
    """

    by_name: dict[str, Stream]
    agents: dict[str, tuple[Stream, ...]]
    unplaced: tuple[Entry, ...]

    @property
    def mains(self) -> tuple[Stream, ...]:
        """The sessions' own transcripts; at most one of each session."""
        return tuple(stream for stream in self.by_name.values() if stream.is_main)

    @property
    def ordered(self) -> tuple[Stream, ...]:
        """By session and name."""
        return tuple(self.by_name.values())

    @property
    def main_first(self) -> tuple[Stream, ...]:
        """As `ordered`, but `main` before the others: it has the first word on what both tell."""
        return tuple(
            stream
            for _, own in groupby(self.by_name.values(), key=lambda stream: stream.session)
            for stream in sorted(own, key=lambda stream: not stream.is_main)
        )

    def find(self, agent: str, session: str) -> Stream | None:
        """The stream of an agent that a record of `session` names; None when it has not landed.

        It may stand in another session of the conversation, if it stands in one only.
        """
        own = self.by_name.get(scoped(session, agent))
        if own is not None:
            return own
        others = self.agents.get(agent, ())
        return others[0] if len(others) == 1 else None

    def name_of(self, agent: str, session: str) -> str:
        """The name of that stream, or the name that it will have."""
        found = self.find(agent, session)
        return scoped(session, agent) if found is None else found.name


def group_streams(entries: Iterable[Entry], lookup: Lookup) -> Streams:
    """Place each of `entries`, which come in source order."""
    unplaced: list[Entry] = []
    by_name: dict[str, Stream] = {}
    agents: dict[str, list[Stream]] = {}
    for session, own in groupby(entries, key=lambda entry: entry.session):
        for agent, stream in _group_session(session, own, lookup, unplaced):
            by_name[stream.name] = stream
            if not stream.is_main:
                agents.setdefault(agent, []).append(stream)
    return Streams(
        by_name=by_name,
        agents={agent: tuple(found) for agent, found in agents.items()},
        unplaced=tuple(unplaced),
    )


def _group_session(
    session: str, entries: Iterable[Entry], lookup: Lookup, unplaced: list[Entry]
) -> Iterator[tuple[str, Stream]]:
    """The streams of one session with their plain names; entries without one go to `unplaced`."""
    roots: dict[str, str] = {}
    groups: dict[str, list[Entry]] = {}
    labels: dict[str, str] = {}
    for entry in entries:
        if not entry.stream:
            unplaced.append(entry)
            continue
        name = _side_name(entry, lookup, roots) if _is_marked(entry) else entry.stream
        group = groups.get(name)
        if group is None:
            groups[name] = [entry]
        else:
            group.append(entry)
        if entry.kind == _SIDECAR and entry.label:
            labels.setdefault(entry.stream, entry.label)
            labels.setdefault(entry.child, entry.label)
    for name in sorted(groups, key=id_sort_key):
        yield (
            name,
            Stream(
                name=scoped(session, name),
                session=session,
                role=_role(name, groups[name]),
                entries=tuple(groups[name]),
                label=labels.get(name, ""),
                carried=all(entry.carried for entry in groups[name]),
            ),
        )


def stream_nodes(streams: Streams, first_session: str) -> Iterable[Node]:
    """Yield a node per stream."""
    for stream in streams.ordered:
        attrs: dict[str, object] = {"records": len(stream.entries), "role": stream.role}
        if stream.label:
            attrs["label"] = stream.label
        if stream.carried:
            attrs["carried"] = "parent"
        yield Node(
            id=stream.id,
            kind=STREAM,
            parent=make_id(SESSION, stream.session or first_session),
            stream=stream.name,
            ref=reference_to(stream.entries[0]),
            attrs=attrs,
        )


def _role(name: str, entries: list[Entry]) -> str:
    if name == MAIN:
        return MAIN
    return INTERNAL if any(entry.role == INTERNAL for entry in entries) else CHILD


def _is_marked(entry: Entry) -> bool:
    return "sidechain" in entry.flags and entry.stream == MAIN


def _side_name(entry: Entry, lookup: Lookup, roots: dict[str, str]) -> str:
    """The stream of a marked entry, after the first marked record on its way back.

    `roots` remembers that record for every id met.
    """
    if not entry.record:
        parent = lookup.by_record.get(entry.parent) if entry.parent else None
        if parent is None or not _is_marked(parent):
            return f"{SIDE_PREFIX}{entry.seq}_{entry.row}"
        return _side_name(parent, lookup, roots)
    trail: dict[str, None] = {}
    record, root = entry.record, entry.record
    parent_id = entry.parent
    while True:
        if record in roots:
            root = roots[record]
            break
        if record in trail:
            # The parents lead in a circle, which has no first record: take the smallest id.
            circle = list(trail)
            root = min(circle[circle.index(record) :], key=id_sort_key)
            break
        trail[record] = None
        root = record
        parent = lookup.by_record.get(parent_id) if parent_id else None
        if parent is None or not _is_marked(parent):
            break
        record, parent_id = parent.record, parent.parent
    for visited in trail:
        roots[visited] = root
    return SIDE_PREFIX + root
