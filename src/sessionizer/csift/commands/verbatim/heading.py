"""What stands above the words of one session. Pure."""

from collections.abc import Iterator, Mapping

from msgspec import Struct

RULE = "─" * 60


class Heading(Struct, frozen=True, kw_only=True):
    """Whose words follow, and how they were chosen.

    Attributes:
        session_id, is_subagent, parent_session_id, is_internal: Whose.
        budget, used: Characters.
        fraction: The part of the budget for round trips.
        spanned, boundaries: Summaries between the words, and in the whole transcript.
        user, agent: Units of both sides; a unit of the agent is a message.
        turns: How many turns they belong to.
        selected: Turns that a task began, by kind, among the chosen ones.
        in_scope: The same, among all.
        flagged: Units that stand in the summary too.
        summary_line: Of the newest summary; None without.
        with_sidecar: Whether a question waits beside the transcript.
    """

    session_id: str
    is_subagent: bool
    parent_session_id: str
    is_internal: bool
    budget: int
    used: int
    fraction: float
    spanned: int
    boundaries: int
    user: int
    agent: int
    turns: int
    selected: Mapping[str, int]
    in_scope: Mapping[str, int]
    flagged: int
    summary_line: int | None
    with_sidecar: bool


def heading_lines(heading: Heading, *, at_most: bool = False) -> Iterator[str]:
    """The lines, the rule below them included.

    Args:
        heading: What to say.
        at_most: Every line that there may be, to see how much room they can take.
    """
    yield title_line(heading)
    yield (
        f"  budget {heading.budget} chars · round-trip-fraction {heading.fraction:.2f} · "
        f"spanned {heading.spanned} of {heading.boundaries} compaction boundaries in scope"
    )
    chosen = sum(heading.selected.values())
    triggers = ""
    if chosen:
        triggers = f" ({_count_triggers(chosen)}: {_spell(heading.selected)})"
    yield (
        f"  selected {heading.user} user{triggers} + {heading.agent} assistant units across "
        f"{heading.turns} turns · {heading.used} / {heading.budget} chars used"
    )
    every = sum(heading.in_scope.values())
    if every > chosen or (at_most and every):
        yield (
            f"  in scope (not all selected): {_count_triggers(every)} — {_spell(heading.in_scope)}"
        )
    if heading.summary_line is not None and (heading.flagged or at_most):
        yield (
            f"  dedup: {heading.flagged} units also present in summary L{heading.summary_line} "
            "(demoted, flagged)"
        )
    if heading.with_sidecar:
        yield "  with elicitation sidecar"
    yield f"  {RULE}"


def title_line(heading: Heading) -> str:
    """Whose words follow."""
    if not heading.is_subagent:
        return f"SESSION {heading.session_id}"
    internal = "  (internal)" if heading.is_internal else ""
    return (
        f"SUBAGENT {heading.session_id}  ·  parent SESSION {heading.parent_session_id}{internal}  "
        "(subagent transcript)"
    )


def _count_triggers(count: int) -> str:
    return f"{count} automation trigger{'' if count == 1 else 's'}"


def _spell(kinds: Mapping[str, int]) -> str:
    ordered = sorted(kinds.items(), key=lambda pair: (-pair[1], pair[0]))
    return ", ".join(f"{count} {kind}" for kind, count in ordered)
