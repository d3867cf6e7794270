"""Stage 2: which stream a record belongs to, what each stream is, what the session is called.

A child may have a file of its own, stand in its parent's file under its own name, or stand
there with nothing but a mark (old builds). The marked records are told apart by following
their parents back to the first marked one.
"""

from collections.abc import Iterable
from typing import Final

from msgspec import Struct

from sessionizer.assembly.places import reference_to
from sessionizer.index.entry import Entry
from sessionizer.index.lookup import Lookup
from sessionizer.model.ids import id_sort_key, make_id
from sessionizer.model.kinds import CHILD, INTERNAL, MAIN, SESSION, STREAM
from sessionizer.model.nodes import Node

SIDE_PREFIX: Final = "side-"
_SIDECAR: Final = "agent_meta"


class Stream(Struct, frozen=True, kw_only=True):
    """One lineage of records.

    Attributes:
        role: `main`, `child`, or `internal` for an agent that the runtime runs for itself.
        entries: In source order; never empty.
        label: What a sidecar calls it.
        carried: Whether all that is known of it stands in its parent's file.
    """

    name: str
    role: str
    entries: tuple[Entry, ...]
    label: str
    carried: bool

    @property
    def id(self) -> str:
        """Its node."""
        return make_id("stream", self.name)


class Streams(Struct, frozen=True, kw_only=True):
    """The streams by name, as UTF-8 bytes, and the entries that belong to none."""

    by_name: dict[str, Stream]
    unplaced: tuple[Entry, ...]

    @property
    def main(self) -> Stream | None:
        """The session's own transcript."""
        return self.by_name.get(MAIN)

    @property
    def ordered(self) -> tuple[Stream, ...]:
        """By name."""
        return tuple(self.by_name.values())

    @property
    def main_first(self) -> tuple[Stream, ...]:
        """By name, but `main` before the others: it has the first word on what both tell."""
        main = self.main
        others = tuple(stream for stream in self.by_name.values() if stream is not main)
        return others if main is None else (main, *others)


def group_streams(entries: Iterable[Entry], lookup: Lookup) -> Streams:
    """Place each of `entries`, which come in source order."""
    roots: dict[str, str] = {}
    groups: dict[str, list[Entry]] = {}
    unplaced: list[Entry] = []
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
    return Streams(
        by_name={
            name: Stream(
                name=name,
                role=_role(name, groups[name]),
                entries=tuple(groups[name]),
                label=labels.get(name, ""),
                carried=all(entry.carried for entry in groups[name]),
            )
            for name in sorted(groups, key=id_sort_key)
        },
        unplaced=tuple(unplaced),
    )


def stream_nodes(streams: Streams, session: str) -> Iterable[Node]:
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
            parent=make_id(SESSION, session),
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
