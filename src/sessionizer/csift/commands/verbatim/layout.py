"""The lines of a document: words, placeholders for what is left out, boundaries. Pure.

All lengths are characters. A line costs its characters and one for its end.
"""

from collections.abc import Iterable, Sequence

from msgspec import Struct

from sessionizer.transcripts.spoken import AgentWords, UserWords, Words
from sessionizer.transcripts.taxonomy import USER_QUEUED
from sessionizer.transcripts.when import format_local

ALSO = "   (also in summary)"
_PLAIN_ROLE = "user."


class Caps(Struct, frozen=True, kw_only=True):
    """How long a body may be; the share of it that its beginning gets is fixed."""

    user: int = 600
    agent: int = 900


USER_SHARE, AGENT_SHARE = 0.60, 0.66


class Body(Struct, frozen=True, kw_only=True):
    """A text as it is printed, and what was taken out of its middle."""

    text: str
    elided_chars: int = 0
    elided_lines: int = 0


class Run(Struct, frozen=True, kw_only=True):
    """Messages that follow each other and are left out."""

    words: tuple[AgentWords, ...]

    @property
    def tool_calls(self) -> int:
        """Tools called before them."""
        return sum(one.tool_calls for one in self.words)

    @property
    def failed(self) -> int:
        """Results before them that state an error."""
        return sum(one.failed for one in self.words)


Part = AgentWords | Run


class Unit(Struct, frozen=True, kw_only=True):
    """A turn made ready for a document.

    Attributes:
        words: The turn.
        parts: The agent's messages that are kept, and runs of those that are not.
        user_flagged: What began it stands in the summary too.
        agent_flagged: The agent's last message does.
    """

    words: Words
    parts: tuple[Part, ...]
    user_flagged: bool
    agent_flagged: bool

    @property
    def kept(self) -> tuple[AgentWords, ...]:
        """The messages that are kept."""
        return tuple(part for part in self.parts if isinstance(part, AgentWords))


def cap_body(text: str, cap: int, share: float) -> Body:
    """The beginning and the end of a text, and how much is missing between them."""
    if len(text) <= cap:
        return Body(text=text)
    head = int(cap * share + 0.5)
    tail = cap - head
    middle = text[head : len(text) - tail]
    lines = middle.count("\n")
    note = f"[+{len(middle)} chars, {lines} lines elided]" if lines else f"[+{len(middle)} chars]"
    return Body(
        text=f"{text[:head]} … {note} … {text[len(text) - tail :]}",
        elided_chars=len(middle),
        elided_lines=lines,
    )


def split_runs(words: Sequence[AgentWords], kept: Sequence[bool]) -> tuple[Part, ...]:
    """Kept messages, with one run for every stretch of dropped ones."""
    parts: list[Part] = []
    run: list[AgentWords] = []
    for one, keep in zip(words, kept, strict=True):
        if not keep:
            run.append(one)
            continue
        if run:
            parts.append(Run(words=tuple(run)))
            run = []
        parts.append(one)
    if run:
        parts.append(Run(words=tuple(run)))
    return tuple(parts)


def cost_of(lines: Iterable[str]) -> int:
    """What lines take of a budget."""
    return sum(len(line) + 1 for line in lines)


def user_lines(unit: Unit, caps: Caps, *, with_calls: bool) -> list[str]:
    """What began a turn.

    Args:
        unit: The turn.
        caps: How long a body may be.
        with_calls: Whether the agent's side stands below: then the tools are counted.
    """
    user = unit.words.user
    if user is None:
        return []
    where = "(elicitation sidecar)" if user.line is None else f"L{user.line}"
    flag = ALSO if unit.user_flagged else ""
    when = format_local(user.timestamp, milliseconds=False)
    lines = [f"▽ {where}  {_heading(user)}  ({when}){flag}"]
    body = cap_body(user.text, caps.user, USER_SHARE).text
    if body:
        lines += body.split("\n")
    if user.image_ids:
        lines.append(f"  [{len(user.image_ids)} image(s): {', '.join(user.image_ids)}]")
    if with_calls and unit.words.tool_calls:
        lines.append(f"  [{unit.words.tool_calls} tool calls]")
    return lines


def agent_lines(unit: Unit, caps: Caps) -> list[str]:
    """The agent's side of a turn."""
    lines: list[str] = []
    for part in unit.parts:
        if isinstance(part, Run):
            lines.append(_placeholder(part))
            continue
        flag = ALSO if unit.agent_flagged and part is unit.words.agent[-1] else ""
        when = format_local(part.timestamp, milliseconds=False)
        lines.append(f"△ L{part.line}  ASSISTANT  ({when}){flag}")
        lines += cap_body(part.text, caps.agent, AGENT_SHARE).text.split("\n")
    return lines


def boundary_line(line: int) -> str:
    """Between what came before a summary and what came after it."""
    return f"══ compaction boundary · summary at L{line} · (turns above predate it) ══"


def _heading(user: UserWords) -> str:
    """Who speaks. Only a person, and a task in a person's place, is called USER."""
    if user.sender is not None:
        return f"{user.label}  {user.sender} ⇨ {user.receiver}"
    if user.label == USER_QUEUED:
        parts = [part for part in (user.queue_operation, user.queue_reason) if part]
        if user.queue_outcome in ("removed", "taken_back"):
            parts.append("removed later")
        return f"{user.label} [{' · '.join(parts)}]" if parts else user.label
    if user.trigger is not None or user.line is None or user.label.startswith(_PLAIN_ROLE):
        return "USER"
    return user.label


def _placeholder(run: Run) -> str:
    first, last = run.words[0].line, run.words[-1].line
    where = f"L{first}" if first == last else f"L{first}–L{last}"
    counts = [_plural(len(run.words), "agent message"), _plural(run.tool_calls, "tool call")]
    if run.failed:
        counts.append(f"{run.failed} failed")
    return f"△ {where}  [{', '.join(counts)}]"


def _plural(count: int, noun: str) -> str:
    return f"{count} {noun}" if count == 1 else f"{count} {noun}s"
