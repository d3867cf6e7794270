"""Stage 6: cut each stream where the model context was reset.

Only a record that says so is a reset; counters, times and mismatches never are. The order
of lines decides: a reset has no parent, and its summary may be stamped earlier.
"""

from collections.abc import Iterable
from itertools import pairwise

from msgspec import Struct

from sessionizer.assembly.inheritance import Inheritance
from sessionizer.assembly.places import place_name, reference_to
from sessionizer.assembly.relations import relate
from sessionizer.assembly.streams import Stream, Streams
from sessionizer.index.entry import Entry
from sessionizer.index.lookup import Lookup
from sessionizer.model.ids import make_id, unresolved_id
from sessionizer.model.kinds import EPOCH, EXACT_UNIQUE, FOLLOWS, OBSERVED_REPLAYABLE
from sessionizer.model.nodes import Node, Relation, Unresolved


class Epoch(Struct, frozen=True, kw_only=True):
    """A part of a stream between two resets.

    Attributes:
        id: Its node.
        entries: In source order; never empty.
        reset: The entry that opened it; None for what came before any reset.
    """

    id: str
    stream: str
    entries: tuple[Entry, ...]
    reset: Entry | None


def split_epochs(streams: Streams) -> dict[str, tuple[Epoch, ...]]:
    """The epochs of every stream, by stream name, in order; each stream has at least one."""
    return {stream.name: tuple(_split(stream)) for stream in streams.ordered}


def _split(stream: Stream) -> Iterable[Epoch]:
    resets = [
        number for number, entry in enumerate(stream.entries) if "context_reset" in entry.flags
    ]
    starts = resets if resets[:1] == [0] else [0, *resets]
    for number, start in enumerate(starts):
        end = starts[number + 1] if number + 1 < len(starts) else len(stream.entries)
        first = stream.entries[start]
        reset = first if start in resets else None
        yield Epoch(
            id=make_id("epoch", stream.name, _evidence(first) if number else "0"),
            stream=stream.name,
            entries=stream.entries[start:end],
            reset=reset,
        )


def _evidence(reset: Entry) -> str:
    return reset.record or place_name(reset)


def epoch_nodes(epochs: dict[str, tuple[Epoch, ...]]) -> Iterable[Node]:
    """Yield a node per epoch."""
    for parts in epochs.values():
        for epoch in parts:
            attrs: dict[str, object] = {
                "records": len(epoch.entries),
                "reset": OBSERVED_REPLAYABLE if epoch.reset else "none",
            }
            if epoch.reset and epoch.reset.continues:
                attrs["continues_from"] = epoch.reset.continues
            yield Node(
                id=epoch.id,
                kind=EPOCH,
                parent=make_id("stream", epoch.stream),
                stream=epoch.stream,
                ref=reference_to(epoch.entries[0]),
                refs=(reference_to(epoch.reset),) if epoch.reset else (),
                attrs=attrs,
            )


def epoch_relations(epochs: dict[str, tuple[Epoch, ...]]) -> Iterable[Relation]:
    """Yield an edge from every epoch to the one before it."""
    for parts in epochs.values():
        for before, epoch in pairwise(parts):
            yield relate(
                FOLLOWS,
                epoch.id,
                before.id,
                quality=EXACT_UNIQUE,
                via="explicit context reset",
                evidence=(reference_to(epoch.entries[0]),),
            )


def epoch_gaps(
    epochs: dict[str, tuple[Epoch, ...]], lookup: Lookup, inheritance: Inheritance
) -> Iterable[Unresolved]:
    """Yield the records that a reset goes on from and that no session holds."""
    for parts in epochs.values():
        for epoch in parts:
            record = epoch.reset.continues if epoch.reset else ""
            if record and record not in lookup.by_record and record not in inheritance.elsewhere:
                yield Unresolved(
                    id=unresolved_id("epoch_continuation", record),
                    kind="epoch_continuation",
                    ref=record,
                    reason="a reset names a record that is not in the landed data",
                )
