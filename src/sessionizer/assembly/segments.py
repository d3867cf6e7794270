"""Stage 8: windows of activity in a main stream, as proposals that are never committed."""

from bisect import bisect_left
from collections.abc import Iterable
from typing import Final

from msgspec import Struct

from sessionizer.assembly.places import place_name, reference_to
from sessionizer.assembly.relations import relate
from sessionizer.assembly.streams import Stream, Streams
from sessionizer.assembly.talks import Talk, Talks
from sessionizer.assembly.tools import Tool, Tools
from sessionizer.model.ids import make_id
from sessionizer.model.kinds import (
    CHILD,
    EXACT_UNIQUE,
    IN_SEGMENT,
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
    """One window of activity of one session.

    Attributes:
        session: Empty for the conversation's first.
        talks: Talks of the main stream, by first time; never empty.
        child_talks: Talks of children that begin inside the window.
        first_ns, last_ns: The window; 0 when no time is known.
        gates_unmet: What stands against closing it, in fixed order.
        is_last: Nothing after it is known yet.
    """

    session: str
    talks: tuple[Talk, ...]
    child_talks: tuple[Talk, ...]
    first_ns: int
    last_ns: int
    gates_unmet: tuple[str, ...]
    is_last: bool

    @property
    def id(self) -> str:
        """Its node."""
        return make_id("segment", place_name(self.talks[0].first))


def cut_segments(
    talks: Talks,
    streams: Streams,
    tools: Tools,
    *,
    idle_gap_ms: int,
    missing_in: frozenset[str],
) -> tuple[Segment, ...]:
    """Cut the talks of each main stream where nothing happened for longer than the idle gap.

    `missing_in` names the sessions in which a child was named that has not landed: there no
    window is known to be closed.
    """
    gap_ns = idle_gap_ms * _NANOSECONDS
    return tuple(
        segment
        for main in streams.mains
        for segment in _cut(
            main,
            talks,
            streams,
            tools,
            gap_ns=gap_ns,
            has_missing_child=main.session in missing_in,
        )
    )


def _cut(
    main: Stream,
    talks: Talks,
    streams: Streams,
    tools: Tools,
    *,
    gap_ns: int,
    has_missing_child: bool,
) -> list[Segment]:
    groups: list[list[Talk]] = []
    own = (talk for talk in talks.talks if talk.stream == main.name)
    for talk in sorted(own, key=lambda talk: talk.first_ns):
        before = groups[-1][-1] if groups else None
        if before is None or _is_apart(before, talk, gap_ns):
            groups.append([talk])
        else:
            groups[-1].append(talk)
    operations = sorted(
        (
            (tool.request.entry.time_ns, tool)
            for tool in tools.by_id.values()
            if tool.request.entry.session == main.session
        ),
        key=lambda operation: operation[0],
    )
    times = [time_ns for time_ns, _ in operations]
    main_last_ns = max(entry.time_ns for entry in main.entries)
    children = [
        talk
        for talk in talks.talks
        if talk.first_ns and _is_child_of(streams.by_name[talk.stream], main)
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
                session=main.session,
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
    return segments


def _is_child_of(stream: Stream, main: Stream) -> bool:
    return stream.role == CHILD and stream.session == main.session


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


def segment_nodes(segments: Iterable[Segment], first_session: str) -> Iterable[Node]:
    """Yield a node per segment."""
    for segment in segments:
        yield Node(
            id=segment.id,
            kind=SEGMENT,
            parent=make_id(SESSION, segment.session or first_session),
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
