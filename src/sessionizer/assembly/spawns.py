"""Stage 5: which call started which child.

A child is named in many places: in the result of the call that started it, in its sidecar,
in the journal of a batch, in the notification of its end, in progress records. None of them
is always there, so each is read where it lies. Where nothing names the call, an equal prompt
may; where several calls have that prompt, no call is chosen.
"""

from collections.abc import Iterable, Iterator
from typing import Final

from msgspec import Struct

from sessionizer.assembly.places import reference_to
from sessionizer.assembly.relations import merge_relations, relate
from sessionizer.assembly.streams import Stream, Streams
from sessionizer.assembly.tools import Tool, Tools
from sessionizer.index.entry import Entry, Position
from sessionizer.index.lookup import Lookup
from sessionizer.model.ids import id_sort_key, make_id, scoped, unresolved_id
from sessionizer.model.kinds import (
    CHILD,
    EXACT_AMBIGUOUS,
    EXACT_UNIQUE,
    INTERNAL,
    MAIN,
    NOTIFICATION,
    STARTS,
    STRONG_INFERENCE,
)
from sessionizer.model.nodes import Relation, Unresolved

_BY_SIDECAR: Final = "child sidecar"
_BY_JOURNAL: Final = "run journal"
_BY_NOTIFICATION: Final = "completion notification"
_BY_PROGRESS: Final = "progress of the call"
_BY_RESULT: Final = "parent tool result"
_BY_PROMPT: Final = "equal prompt"
_BY_PARENT: Final = "first parent"


class Spawn(Struct, frozen=True, kw_only=True):
    """One statement that a child was started, by a tool or, failing that, by a parent agent.

    Attributes:
        tool: Tool id; empty when only the parent agent is known.
        parent: Stream of the agent that is said to have started the child.
        child: Stream of the child. Either stream may not have landed.
        witness: The entry that says so.
    """

    tool: str
    batch: str
    parent: str
    child: str
    quality: str
    via: str
    witness: Entry


class Spawns(Struct, frozen=True, kw_only=True):
    """The result of stage 5.

    Attributes:
        kept: Statements whose child and whose tool or parent have landed, by child.
        starters: Tool ids that started a child.
        children_of: Children by tool id, for every kept statement with a tool.
        relations: The `starts` edges.
        gaps: Children, calls and parents that are named and did not land.
        missing_in: Sessions whose records name a child that did not land.
        named: Statements whose child has landed.
        resolved: Those of `named` that are no gap.
        orphans: Children that nothing names well enough.
    """

    kept: tuple[Spawn, ...]
    starters: frozenset[str]
    children_of: dict[str, tuple[str, ...]]
    relations: tuple[Relation, ...]
    gaps: tuple[Unresolved, ...]
    missing_in: frozenset[str]
    named: int
    resolved: int
    orphans: int


def join_spawns(streams: Streams, tools: Tools, lookup: Lookup) -> Spawns:
    """Find the start of every child stream."""
    kept: list[Spawn] = []
    gaps: list[Unresolved] = []
    missing_in: set[str] = set()
    named = 0
    for spawn in _candidates(streams, tools):
        if spawn.child not in streams.by_name:
            gaps.append(_child_gap(spawn.child))
            missing_in.add(spawn.witness.session)
            continue
        named += 1
        gap = _call_gap(spawn, streams, tools)
        if gap is None:
            kept.append(spawn)
        else:
            gaps.append(gap)
    resolved = len(kept)
    unnamed = _unnamed_children(streams, kept)
    inferred = _equal_prompts(unnamed, streams, tools, lookup, kept)
    orphans = 0
    for stream in unnamed:
        guesses = inferred.get(stream.name, ())
        named += bool(guesses)
        if len(guesses) == 1:
            resolved += 1
        else:
            orphans += 1
            gaps.append(_orphan_gap(stream.name, several=bool(guesses)))
    kept += [spawn for guesses in inferred.values() for spawn in guesses]
    children: dict[str, dict[str, None]] = {}
    for spawn in kept:
        if spawn.tool:
            children.setdefault(spawn.tool, {})[spawn.child] = None
    return Spawns(
        kept=tuple(kept),
        starters=frozenset(children),
        children_of={tool: tuple(names) for tool, names in children.items()},
        relations=merge_relations(
            (*_start_relations(kept, streams, tools), *_first_parents(streams, lookup, kept))
        ),
        gaps=tuple(gaps),
        missing_in=frozenset(missing_in),
        named=named,
        resolved=resolved,
        orphans=orphans,
    )


def _candidates(streams: Streams, tools: Tools) -> list[Spawn]:
    """Every different statement about a child, sorted by child, tool and batch."""
    entries = [entry for stream in streams.main_first for entry in stream.entries]
    entries += streams.unplaced
    batch_tools = _batch_tools(entries)
    found: dict[tuple[str, str, str, str], Spawn] = {}
    for entry in entries:
        if not entry.child or entry.position in tools.echoed_rows:
            continue
        spawn = _statement(entry, batch_tools, streams)
        if spawn.tool or spawn.batch or spawn.parent:
            found.setdefault((spawn.tool, spawn.batch, spawn.parent, spawn.child), spawn)
    return sorted(
        found.values(),
        key=lambda spawn: (
            id_sort_key(spawn.child),
            id_sort_key(spawn.tool),
            id_sort_key(spawn.batch),
        ),
    )


def _batch_tools(entries: Iterable[Entry]) -> dict[str, str]:
    found: dict[str, str] = {}
    for entry in entries:
        if entry.batch and entry.kind != "journal" and entry.batch not in found:
            tool = _first_result(entry)
            if tool:
                found[entry.batch] = tool
    return found


def _statement(entry: Entry, batch_tools: dict[str, str], streams: Streams) -> Spawn:
    tool, batch, parent, quality = entry.tool or _first_result(entry), "", "", EXACT_UNIQUE
    if entry.kind == "journal":
        tool, batch = batch_tools.get(entry.batch, ""), entry.batch
        quality, via = STRONG_INFERENCE, _BY_JOURNAL
    elif entry.kind == "agent_meta":
        via = _BY_SIDECAR
        if entry.started_by:
            parent = streams.name_of(entry.started_by, entry.session)
    elif entry.trigger == NOTIFICATION:
        via = _BY_NOTIFICATION
    elif "progress" in entry.flags:
        via = _BY_PROGRESS
    else:
        via = _BY_RESULT
    return Spawn(
        tool=tool,
        batch=batch,
        parent=parent,
        child=streams.name_of(entry.child, entry.session),
        quality=quality,
        via=via,
        witness=entry,
    )


def _first_result(entry: Entry) -> str:
    for block in entry.blocks:
        if block.kind == "tool_result" and block.tool:
            return block.tool
    return ""


def _child_gap(child: str) -> Unresolved:
    return Unresolved(
        id=unresolved_id("child_stream", child),
        kind="child_stream",
        ref=child,
        reason="announced, but no transcript has landed yet",
    )


def _call_gap(spawn: Spawn, streams: Streams, tools: Tools) -> Unresolved | None:
    """What keeps a statement from being an edge; None when nothing does."""
    if spawn.tool:
        if spawn.tool in tools.by_id:
            return None
        ref, reason = spawn.tool, "a child names a call that was never landed"
    elif spawn.parent and spawn.parent in streams.by_name:
        return None
    elif spawn.batch:
        ref, reason = spawn.batch, "a batch names children but its launch call was never landed"
    else:
        ref, reason = spawn.parent, "a child names a parent agent that has not landed"
    return Unresolved(
        id=unresolved_id("spawn_call", ref), kind="spawn_call", ref=ref, reason=reason
    )


def _orphan_gap(child: str, *, several: bool) -> Unresolved:
    none = "no landed record names the call that started this stream"
    return Unresolved(
        id=unresolved_id("spawn_of_child", child),
        kind="spawn_of_child",
        ref=child,
        reason="several calls have the same prompt" if several else none,
    )


def _unnamed_children(streams: Streams, kept: list[Spawn]) -> tuple[Stream, ...]:
    known = {spawn.child for spawn in kept}
    return tuple(
        stream for stream in streams.ordered if stream.role == CHILD and stream.name not in known
    )


def _equal_prompts(
    unnamed: tuple[Stream, ...],
    streams: Streams,
    tools: Tools,
    lookup: Lookup,
    kept: list[Spawn],
) -> dict[str, tuple[Spawn, ...]]:
    """Calls whose prompt is the child's first words, by child; a taken call is no candidate."""
    if not unnamed:
        return {}
    taken = {spawn.tool for spawn in kept}
    by_prompt: dict[tuple[str, str], list[Tool]] = {}
    for tool in tools.by_id.values():
        if tool.prompt and tool.tool not in taken:
            by_prompt.setdefault((tool.stream, tool.prompt), []).append(tool)
    stream_of = _streams_by_record(streams) if by_prompt else {}
    found: dict[str, tuple[Spawn, ...]] = {}
    for stream in unnamed:
        first = next((entry for entry in stream.entries if entry.text_sha), None)
        if first is None:
            continue
        parent = _parent_stream(stream, lookup, stream_of) or scoped(stream.session, MAIN)
        matches = by_prompt.get((parent, first.text_sha), [])
        quality = STRONG_INFERENCE if len(matches) == 1 else EXACT_AMBIGUOUS
        if matches:
            found[stream.name] = tuple(
                Spawn(
                    tool=tool.tool,
                    batch="",
                    parent="",
                    child=stream.name,
                    quality=quality,
                    via=_BY_PROMPT,
                    witness=first,
                )
                for tool in matches
            )
    return found


def _start_relations(kept: list[Spawn], streams: Streams, tools: Tools) -> Iterator[Relation]:
    with_tool = {spawn.child for spawn in kept if spawn.tool}
    for spawn in kept:
        if spawn.tool:
            source = tools.by_id[spawn.tool].id
        elif spawn.child not in with_tool:
            source = make_id("stream", spawn.parent)
        else:
            continue
        yield relate(
            STARTS,
            source,
            streams.by_name[spawn.child].id,
            quality=spawn.quality,
            via=spawn.via,
            evidence=(reference_to(spawn.witness),),
        )


def _first_parents(streams: Streams, lookup: Lookup, kept: list[Spawn]) -> Iterator[Relation]:
    """Edges to internal streams: no call starts them, but their first record has a parent."""
    internal = [stream for stream in streams.ordered if stream.role == INTERNAL]
    if not internal:
        return
    known = {spawn.child for spawn in kept}
    stream_of = _streams_by_record(streams)
    for stream in internal:
        parent = _parent_stream(stream, lookup, stream_of)
        if parent and stream.name not in known:
            yield relate(
                STARTS,
                make_id("stream", parent),
                stream.id,
                quality=EXACT_UNIQUE,
                via=_BY_PARENT,
                evidence=(reference_to(stream.entries[0]),),
            )


def _parent_stream(stream: Stream, lookup: Lookup, stream_of: dict[Position, str]) -> str:
    """The other stream that holds the parent of the first record; empty when none does."""
    first_parent = stream.entries[0].parent
    parent = lookup.by_record.get(first_parent) if first_parent else None
    name = stream_of.get(parent.position, "") if parent else ""
    return name if name != stream.name else ""


def _streams_by_record(streams: Streams) -> dict[Position, str]:
    return {entry.position: stream.name for stream in streams.ordered for entry in stream.entries}
