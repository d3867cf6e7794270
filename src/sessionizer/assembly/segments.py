"""Stage 8: windows of activity in the main stream, as proposals that are never committed."""

from bisect import bisect_left
from collections.abc import Iterable
from typing import Final

from msgspec import Struct

from sessionizer.assembly.places import reference_to
from sessionizer.assembly.relations import relate
from sessionizer.assembly.streams import Streams
from sessionizer.assembly.talks import Talk, Talks
from sessionizer.assembly.tools import Tool, Tools
from sessionizer.model.ids import make_id
from sessionizer.model.kinds import (
    CHILD,
    EXACT_UNIQUE,
    IN_SEGMENT,
    MAIN,
    SEGMENT,
    SESSION,
    STRONG_INFERENCE,
)
from sessionizer.model.nodes import Node, Relation

ACTIVITY_BOUNDARY: Final = "activity_boundary"
NO_CROSSING_OPEN_OPERATION: Final = "no_crossing_open_operation"
LATENESS_WATERMARK: Final = "lateness_watermark"
_NANOSECONDS: Final = 1_000_000


class Segment(Struct, frozen=True, kw_only=True):
    """One window of activity.

    Attributes:
        talks: Talks of the main stream, by first time; never empty.
        child_talks: Talks of children that begin inside the window.
        first_ns, last_ns: The window; 0 when no time is known.
        gates_unmet: What stands against closing it, in fixed order.
        is_last: Nothing after it is known yet.
    """

    talks: tuple[Talk, ...]
    child_talks: tuple[Talk, ...]
    first_ns: int
    last_ns: int
    gates_unmet: tuple[str, ...]
    is_last: bool

    @property
    def id(self) -> str:
        """Its node."""
        first = self.talks[0].first
        return make_id("segment", f"at_{first.seq}_{first.row}")


def cut_segments(
    talks: Talks,
    streams: Streams,
    tools: Tools,
    *,
    idle_gap_ms: int,
    has_missing_child: bool,
) -> tuple[Segment, ...]:
    """Cut the talks of `main` where nothing happened for longer than the idle gap.

    `has_missing_child` says that a child was named and has not landed: then no window is
    known to be closed.
    """
    gap_ns = idle_gap_ms * _NANOSECONDS
    main = [talk for talk in talks.talks if talk.stream == MAIN]
    if not main or streams.main is None:
        return ()
    groups: list[list[Talk]] = []
    for talk in sorted(main, key=lambda talk: talk.first_ns):
        before = groups[-1][-1] if groups else None
        if before is None or _is_apart(before, talk, gap_ns):
            groups.append([talk])
        else:
            groups[-1].append(talk)
    operations = sorted(
        ((tool.request.entry.time_ns, tool) for tool in tools.by_id.values()),
        key=lambda operation: operation[0],
    )
    times = [time_ns for time_ns, _ in operations]
    main_last_ns = max(entry.time_ns for entry in streams.main.entries)
    children = [
        talk for talk in talks.talks if talk.first_ns and streams.by_name[talk.stream].role == CHILD
    ]
    segments = []
    for number, group in enumerate(groups):
        is_last = number == len(groups) - 1
        first_ns = min((talk.first_ns for talk in group if talk.first_ns), default=0)
        last_ns = max(talk.last_ns for talk in group)
        inside = operations[bisect_left(times, first_ns) :] if first_ns else []
        crossing = has_missing_child or _any_crossing(inside, first_ns, last_ns)
        late = is_last or main_last_ns - last_ns <= gap_ns
        gates = (
            (ACTIVITY_BOUNDARY, is_last),
            (NO_CROSSING_OPEN_OPERATION, crossing),
            (LATENESS_WATERMARK, late),
        )
        segments.append(
            Segment(
                talks=tuple(group),
                child_talks=tuple(
                    talk for talk in children if first_ns and first_ns <= talk.first_ns <= last_ns
                ),
                first_ns=first_ns,
                last_ns=last_ns,
                gates_unmet=tuple(gate for gate, unmet in gates if unmet),
                is_last=is_last,
            )
        )
    return tuple(segments)


def _is_apart(before: Talk, talk: Talk, gap_ns: int) -> bool:
    if not before.last_ns or not talk.first_ns:
        return False
    return talk.first_ns - before.last_ns > gap_ns


def _any_crossing(operations: list[tuple[int, Tool]], first_ns: int, last_ns: int) -> bool:
    for time_ns, tool in operations:
        if time_ns > last_ns:
            return False
        result = tool.result
        if result is None or not first_ns <= result.entry.time_ns <= last_ns:
            return True
    return False


def segment_nodes(segments: Iterable[Segment], session: str) -> Iterable[Node]:
    """Yield a node per segment."""
    for segment in segments:
        yield Node(
            id=segment.id,
            kind=SEGMENT,
            parent=make_id(SESSION, session),
            ref=reference_to(segment.talks[0].first),
            attrs={
                "committable": not segment.gates_unmet,
                "gates_unmet": list(segment.gates_unmet),
                "state": "open" if segment.is_last else "candidate",
                "talks": len(segment.talks),
            },
        )


def segment_relations(segments: Iterable[Segment]) -> Iterable[Relation]:
    """Yield an edge from every talk to the segment it lies in."""
    for segment in segments:
        for talk in segment.talks:
            yield relate(
                IN_SEGMENT,
                talk.id,
                segment.id,
                quality=EXACT_UNIQUE,
                via="activity window",
                evidence=(reference_to(talk.first),),
            )
        for talk in segment.child_talks:
            yield relate(
                IN_SEGMENT,
                talk.id,
                segment.id,
                quality=STRONG_INFERENCE,
                via="inside the window of the talk that delegated it",
                evidence=(reference_to(talk.first),),
            )
