"""Lines of text that several commands print alike: hits, the scope, damage."""

from collections.abc import Iterator

from sessionizer.base.text import normalise
from sessionizer.transcripts.exchanges import Hit
from sessionizer.transcripts.scope import ScopeCount
from sessionizer.transcripts.taxonomy import COMMUNICATION, NARRATION, TOOL_RESULT, TOOL_USE

_GLYPHS = {"user": "◂", "agent": "▸", "harness": "⚙"}


def glyph(hit: Hit) -> str:
    """Who speaks: the role of a hit's label."""
    return _GLYPHS[hit.label.partition(".")[0]]


def render_hit(hit: Hit) -> str:
    """Label, tool, direction, place, text and images of a hit; without a glyph."""
    name = f" {normalise(hit.tool_name)}" if hit.tool_name else ""
    direction = ""
    if hit.label in COMMUNICATION and hit.sender is not None:
        direction = f"{hit.sender} ⇨ {hit.receiver}  "
    images = ""
    if hit.image_ids:
        images = f"  [{len(hit.image_ids)} image(s): {', '.join(hit.image_ids)}]"
    return f"{_decorate(hit)}{name}  {direction}{_position(hit)}  {hit.text}{images}"


def render_scope(scope: ScopeCount) -> Iterator[str]:
    """The banner, and a blank line after it; nothing without agents in scope."""
    if scope.subagents:
        noun = "session" if scope.total == 1 else "sessions"
        yield (
            f"scope  {scope.total} {noun} in scope "
            f"({scope.top_level} top-level + {scope.subagents} subagent)"
        )
        yield ""


def render_damage(*, skipped: int, repaired: int) -> Iterator[str]:
    """What could not be read, and what was read with replacements; nothing without damage."""
    if skipped:
        yield f"({skipped} malformed line(s) skipped)"
    if repaired:
        yield f"({repaired} damaged line(s) read with replacements)"


def _position(hit: Hit) -> str:
    """`L12`, `L12.2` for the second object on a line, or the sidecar."""
    if hit.line is None:
        return "(elicitation sidecar)"
    return f"L{hit.line}" if hit.glued is None else f"L{hit.line}.{hit.glued}"


def _decorate(hit: Hit) -> str:
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
