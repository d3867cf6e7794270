"""`asz parse` as text."""

from collections.abc import Iterator, Sequence

from sessionizer.asz.parsing import ParsedConversation
from sessionizer.cli.table import render_table
from sessionizer.model.kinds import AGENT_CALL, EXACT_UNIQUE, TOOL
from sessionizer.rounds.fold import Folded
from sessionizer.rounds.frames import Summary

_HEADER = (
    "SESSION",
    "ROUND",
    "SEQ",
    "NODES",
    "RELS",
    "UNRES",
    "TALKS",
    "RUNS",
    "STEPS",
    "TOOLS",
    "CHILDREN",
)


def render(parsed: Sequence[ParsedConversation], *, empty: int) -> Iterator[str]:
    """A row per conversation, who is in one of several sessions, then the rounds written.

    `empty` sessions were left out because nothing has landed of them.
    """
    yield from render_table(_HEADER, [_cells(one) for one in parsed])
    for one in parsed:
        if [covered.session for covered in one.sessions] != [one.conversation]:
            listed = ", ".join(
                f"{covered.session} through {covered.through_seq}" for covered in one.sessions
            )
            yield f"{one.conversation} is of {len(one.sessions)} session(s): {listed}"
    if empty:
        yield f"{empty} session(s) left out: nothing has landed of them yet"
    yield f"{sum(one.round is not None for one in parsed)} round(s) written"


def _cells(parsed: ParsedConversation) -> tuple[object, ...]:
    counts = (parsed.counts.nodes, parsed.counts.relations, parsed.counts.unresolved)
    known = _folded_cells(parsed.folded)
    if parsed.assembly is not None:
        stats = parsed.assembly.statistics
        known = (
            stats.talks,
            stats.runs,
            stats.steps,
            f"{stats.tools_resolved}/{stats.tool_uses}",
            f"{stats.spawns_resolved}/{stats.spawns}",
        )
    return (parsed.conversation, parsed.round or "-", parsed.folded.through_seq, *counts, *known)


def _folded_cells(folded: Folded) -> tuple[object, ...]:
    """The same of a conversation that was not assembled again; statements are not in a fold."""
    summary = folded.summary or Summary()
    joins = [
        node.attrs.get("result_join")
        for node in folded.nodes.values()
        if node.kind in (TOOL, AGENT_CALL)
    ]
    return (
        summary.talks + summary.talks_inherited,
        summary.runs,
        summary.steps,
        f"{joins.count(EXACT_UNIQUE)}/{len(joins)}",
        "-",
    )
