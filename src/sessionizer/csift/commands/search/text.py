"""`csift search` as text."""

from collections.abc import Iterator

from sessionizer.base.text import normalise, visible
from sessionizer.csift.commands.search.query import Disclosure, Outcome, refetch
from sessionizer.transcripts.exchanges import Exchange, Hit
from sessionizer.transcripts.handles import Handles
from sessionizer.transcripts.scope import ScopeCount
from sessionizer.transcripts.taxonomy import COMMUNICATION, NARRATION, TOOL_RESULT, TOOL_USE
from sessionizer.transcripts.when import format_local

_GLYPHS = {"user": "◂", "agent": "▸", "harness": "⚙"}


def render(outcome: Outcome, said: Disclosure, handles: Handles) -> Iterator[str]:
    """The matches and everything that has to be said about them."""
    for line in _render(outcome, said, handles):
        yield visible(line)


def _render(outcome: Outcome, said: Disclosure, handles: Handles) -> Iterator[str]:
    yield from scope_banner(said.scope)
    if not outcome.total:
        yield "no matching exchanges"
        yield from _damage(said)
        return
    yield _first_line(outcome)
    for exchange in outcome.shown:
        yield ""
        yield _heading(exchange, handles)
        for hit in exchange.hits:
            yield from _hit_lines(hit, exchange)
    yield ""
    yield _footer(outcome, said)
    if said.with_sidecar:
        yield "with elicitation sidecar"
    if said.drafts:
        yield (
            f"({said.drafts} superseded draft(s) outside turn numbering — searchable as "
            "-t user.unsent, fetch with csift show --line)"
        )
    yield from _damage(said)
    if any(hit.clipped for exchange in outcome.shown for hit in exchange.hits):
        yield ""
        yield "note: matches above are TRUNCATED, match-centered FRAGMENTS — not summaries."
        yield "  whole records: re-run with --no-truncate"
        yield "  one record in full: csift show <@session|@agent-id> --line <N>"


def scope_banner(scope: ScopeCount) -> Iterator[str]:
    """How many transcripts are in scope; nothing when none of them is an agent's."""
    if scope.subagents:
        noun = "session" if scope.total == 1 else "sessions"
        yield (
            f"scope  {scope.total} {noun} in scope "
            f"({scope.top_level} top-level + {scope.subagents} subagent)"
        )
        yield ""


def _first_line(outcome: Outcome) -> str:
    parts = [
        f"matches  {outcome.total} exchange(s)",
        f"{len(outcome.transcripts)} session(s)",
        "oldest first",
    ]
    if outcome.dropped:
        which = "earliest" if outcome.cap > 0 else "latest"
        parts.append(f"showing {which} {len(outcome.shown)}")
    if outcome.undated:
        parts.append("undated last")
    return " · ".join(parts)


def _heading(exchange: Exchange, handles: Handles) -> str:
    token = handles.token(exchange.session_id)
    when = format_local(exchange.timestamp, milliseconds=True)
    if exchange.turn is None:
        return f"{token}·draft (superseded — outside turn numbering)  {when}"
    parent = f" (parent {exchange.parent_session_id[:8]})" if exchange.is_subagent else ""
    return f"{token}·t{exchange.turn}{parent}  {when}"


def _hit_lines(hit: Hit, exchange: Exchange) -> Iterator[str]:
    glyph = _GLYPHS[hit.label.partition(".")[0]]
    yield f"  {glyph} {hit_line(hit)}"
    if exchange.is_subagent and hit.line is not None:
        yield f"      ↳ {refetch(hit, exchange)}"


def hit_line(hit: Hit) -> str:
    """A hit without its glyph: label, tool, direction, place, excerpt, images."""
    name = f" {normalise(hit.tool_name)}" if hit.tool_name else ""
    direction = ""
    if hit.label in COMMUNICATION and hit.sender is not None:
        direction = f"{hit.sender} ⇨ {hit.receiver}  "
    images = ""
    if hit.image_ids:
        images = f"  [{len(hit.image_ids)} image(s): {', '.join(hit.image_ids)}]"
    return f"{decorate(hit)}{name}  {direction}{position(hit)}  {hit.text}{images}"


def position(hit: Hit) -> str:
    """`L12`, `L12.2` for the second object on a line, or the sidecar."""
    if hit.line is None:
        return "(elicitation sidecar)"
    return f"L{hit.line}" if hit.glued is None else f"L{hit.line}.{hit.glued}"


def decorate(hit: Hit) -> str:
    """The label, and what is known about the thing it names. Nothing of it can be matched."""
    label = hit.label
    if label in (TOOL_USE, TOOL_RESULT):
        if hit.pairing == "paired":
            label = f"{TOOL_USE} ▹ {TOOL_RESULT}"
        elif hit.pairing == "pending":
            label = f"{TOOL_USE} (no result — pending)"
        elif hit.pairing == "orphan":
            label = f"{TOOL_RESULT} (use not in scope)"
    if label == NARRATION:
        label = f"{label} [narration summary]"
    if hit.is_error:
        label = f"{label} [error]"
    if hit.queue_operation:
        parts = [hit.queue_operation]
        if hit.queue_reason:
            parts.append(hit.queue_reason)
        if hit.queue_outcome in ("removed", "taken_back"):
            parts.append("removed later")
        label = f"{label} [{' · '.join(parts)}]"
    return label


def _footer(outcome: Outcome, said: Disclosure) -> str:
    sessions = len({exchange.session_id for exchange in outcome.shown})
    parts = [
        f"matched {len(outcome.shown)} exchange(s)",
        f"{sessions} session(s)",
        f"label={said.label}",
    ]
    if said.label_not:
        parts.append(f"label-not={said.label_not}")
    if outcome.dropped:
        which = "later" if outcome.cap > 0 else "earlier"
        parts.append(f"{outcome.dropped} {which} dropped by --max-count")
    return " · ".join(parts)


def _damage(said: Disclosure) -> Iterator[str]:
    if said.skipped_lines:
        yield f"({said.skipped_lines} malformed line(s) skipped)"
    if said.repaired_lines:
        yield f"({said.repaired_lines} damaged line(s) read with replacements)"
