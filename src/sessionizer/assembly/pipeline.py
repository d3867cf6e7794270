"""From index entries to the structure of a conversation: eight stages, then the steps.

Pure: no file, no clock, no text. Equal entries give equal entities.
"""

from collections.abc import Iterable, Sequence
from typing import Final

from msgspec import Struct

from sessionizer.assembly.calls import Calls, call_nodes, group_calls
from sessionizer.assembly.coverage import Coverage, Marks, account_entries
from sessionizer.assembly.epochs import (
    Epoch,
    epoch_gaps,
    epoch_nodes,
    epoch_relations,
    split_epochs,
)
from sessionizer.assembly.inheritance import NONE, Inheritance, Inherited, join_inheritance
from sessionizer.assembly.relations import merge_relations
from sessionizer.assembly.segments import (
    Segment,
    cut_segments,
    segment_nodes,
    segment_relations,
)
from sessionizer.assembly.sessions import (
    SessionEntries,
    find_title,
    gather_sessions,
    session_nodes,
    session_relations,
)
from sessionizer.assembly.spawns import Spawns, join_spawns
from sessionizer.assembly.statistics import Statistics
from sessionizer.assembly.steps import (
    Notifications,
    find_notifications,
    find_outputs,
    output_nodes,
    output_relations,
    step_nodes,
    step_relations,
)
from sessionizer.assembly.streams import Streams, group_streams, stream_nodes
from sessionizer.assembly.summary import Summary, find_ask, summarise
from sessionizer.assembly.talks import Talks, group_talks, talk_nodes
from sessionizer.assembly.tools import Tools, join_tools, tool_gaps, tool_nodes
from sessionizer.index.copies import Canonical, join_canonical
from sessionizer.index.entry import Entry, Position
from sessionizer.index.lookup import Lookup
from sessionizer.model.kinds import LLM_CALL, STEP_KINDS
from sessionizer.model.nodes import Entities, Node, Relation, Unresolved

IDLE_GAP_MS: Final = 600_000
_COUNTED_STEPS: Final = frozenset(STEP_KINDS) - {LLM_CALL}


class Assembly(Struct, frozen=True, kw_only=True):
    """A conversation assembled up to a watermark, normally of one session.

    Attributes:
        inherits: The older sessions outside the conversation that it has records of.
        canonical: The entries it was made from, sorted out.
        marks: Results that could not be joined.
    """

    entities: Entities
    statistics: Statistics
    summary: Summary
    inherits: tuple[Inherited, ...]
    canonical: Canonical
    marks: Marks

    @property
    def coverage(self) -> Coverage:
        """The account of every entry, worked out anew at each call."""
        return account_entries(self.canonical, self.entities.nodes, self.marks)


def assemble(
    entries: Iterable[Entry],
    *,
    session: str,
    conversation: str,
    through: int,
    idle_gap_ms: int = IDLE_GAP_MS,
    inheritance: Inheritance = NONE,
) -> Assembly:
    """Assemble one session: `entries`, in (seq, row) order, up to the landed file `through`."""
    given = SessionEntries(
        session=session, entries=entries, through=through, inheritance=inheritance
    )
    return assemble_sessions((given,), conversation=conversation, idle_gap_ms=idle_gap_ms)


def assemble_sessions(
    given: Sequence[SessionEntries], *, conversation: str, idle_gap_ms: int = IDLE_GAP_MS
) -> Assembly:
    """Assemble the sessions of a conversation, at least one, in the conversation's order.

    A record that several hold counts in the first of them. Talks, epochs and segments are
    those of one session each.
    """
    sessions = gather_sessions(given)
    first_session = sessions[0].id
    canonical = join_canonical([session.canonical for session in sessions])
    inheritance = join_inheritance({session.id: session.inheritance for session in sessions})
    lookup = Lookup(canonical.entries)
    streams = group_streams(canonical.entries, lookup)
    calls = group_calls(streams, canonical.shared)
    tools = join_tools(streams)
    spawns = join_spawns(streams, tools, lookup)
    epochs = split_epochs(streams)
    talks = group_talks(streams, epochs, lookup)
    notifications = find_notifications(streams)
    segments = cut_segments(
        talks,
        streams,
        tools,
        idle_gap_ms=idle_gap_ms,
        missing_in=spawns.missing_in | notifications.missing_in,
    )
    outputs = find_outputs(streams)

    entities = Entities(
        nodes=_unique_nodes(
            (
                *session_nodes(sessions, conversation),
                *stream_nodes(streams, first_session),
                *epoch_nodes(epochs),
                *talk_nodes(talks, inheritance),
                *segment_nodes(segments, first_session),
                *call_nodes(calls, talks.containers, inheritance),
                *tool_nodes(tools, calls, talks.containers, spawns.starters),
                *step_nodes(streams, _reset_epochs(epochs), talks.containers),
                *output_nodes(outputs, talks.containers),
            )
        ),
        relations=_sorted_relations(
            (
                *session_relations(sessions),
                *epoch_relations(epochs),
                *segment_relations(segments),
                *step_relations(streams, notifications, spawns, lookup),
                *output_relations(outputs),
                *spawns.relations,
            )
        ),
        unresolved=_unique_gaps(
            (
                *tool_gaps(tools),
                *spawns.gaps,
                *epoch_gaps(epochs, lookup, inheritance),
                *notifications.gaps,
            )
        ),
    )
    statistics = _count(
        canonical,
        entities,
        calls=calls,
        tools=tools,
        spawns=spawns,
        notifications=notifications,
        segments=segments,
        talks=talks,
        epochs=epochs,
        streams=streams,
    )
    return Assembly(
        entities=entities,
        statistics=statistics,
        summary=summarise(
            entities,
            statistics,
            entries=canonical.entries,
            calls=calls,
            title=find_title(sessions),
            ask=find_ask(canonical.entries, entities.nodes),
            inheritance=inheritance,
        ),
        inherits=inheritance.owners,
        canonical=canonical,
        marks=Marks(echoed=tools.echoed_rows, unrequested=tools.unrequested_rows),
    )


def _reset_epochs(epochs: dict[str, tuple[Epoch, ...]]) -> dict[Position, str]:
    return {
        entry.position: epoch.id
        for parts in epochs.values()
        for epoch in parts
        for entry in epoch.entries
        if "context_reset" in entry.flags or "reset_summary" in entry.flags
    }


# Strings compare by code point, which is the order of their UTF-8 bytes.
def _unique_nodes(nodes: Iterable[Node]) -> tuple[Node, ...]:
    return tuple(sorted({node.id: node for node in nodes}.values(), key=lambda node: node.id))


def _sorted_relations(observed: Iterable[Relation]) -> tuple[Relation, ...]:
    return tuple(sorted(merge_relations(observed), key=lambda relation: relation.id))


def _unique_gaps(gaps: Iterable[Unresolved]) -> tuple[Unresolved, ...]:
    first: dict[str, Unresolved] = {}
    for gap in gaps:
        first.setdefault(gap.id, gap)
    return tuple(sorted(first.values(), key=lambda gap: gap.id))


def _count(
    canonical: Canonical,
    entities: Entities,
    *,
    calls: Calls,
    tools: Tools,
    spawns: Spawns,
    notifications: Notifications,
    segments: tuple[Segment, ...],
    talks: Talks,
    epochs: dict[str, tuple[Epoch, ...]],
    streams: Streams,
) -> Statistics:
    resolved = sum(tool.result is not None for tool in tools.by_id.values())
    return Statistics(
        entries=len(canonical.entries),
        duplicates=len(canonical.copies),
        beyond=len(canonical.beyond),
        torn_tails=len(canonical.torn_tails),
        id_collisions=canonical.id_collisions,
        streams=len(streams.by_name),
        epochs=sum(len(parts) for parts in epochs.values()),
        talks=len(talks.talks),
        runs=len(talks.runs),
        steps=sum(node.kind in _COUNTED_STEPS for node in entities.nodes),
        provider_calls=len(calls.calls),
        call_fragments=sum(len(call.fragments) for call in calls.calls),
        calls_without_end=sum(not call.finished for call in calls.calls),
        synthetic_messages=sum(call.synthetic for call in calls.calls),
        tool_uses=len(tools.by_id),
        tools_resolved=resolved,
        tools_unmatched=len(tools.by_id) - resolved,
        echoed_results=len(tools.echoed_rows),
        spawns=spawns.named,
        spawns_resolved=spawns.resolved,
        children_orphan=spawns.orphans,
        notifications=len(notifications.entries),
        notify_unmatched=notifications.unmatched,
        segments_open=sum(segment.is_last for segment in segments),
        segments_candidate=sum(not segment.is_last for segment in segments),
    )
