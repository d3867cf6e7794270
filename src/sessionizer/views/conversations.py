"""The list of conversations: one row each, also for those that can not be read."""

from collections import Counter

from msgspec import Struct

from sessionizer.base.instants import milliseconds, parse_instant_ns
from sessionizer.model import kinds
from sessionizer.rounds.fold import Folded
from sessionizer.rounds.frames import Tokens
from sessionizer.views.facts import Facts
from sessionizer.views.outline import Outline, is_step
from sessionizer.views.overview import Span, span_of, title_of

UNTITLED = "(untitled)"


class ConversationRow(
    Struct, frozen=True, kw_only=True, omit_defaults=True, rename={"start": "from"}
):
    """One conversation in numbers; with an `error` they are 0.

    Attributes:
        start, to: Milliseconds since 1970; 0 when no time is known.
        ask: Beginning of the first thing a person wrote, for a conversation without a title.
        main_talks: Talks of main streams; `talks` counts those of children too.
        open: Unresolved entries, as the newest header counts them.
        at_least: Calls whose usage is a lower bound.
        continued_in: The conversation of several sessions that tells of its session now.
    """

    id: str
    title: str
    talks: int
    steps: int
    streams: int
    segments: int
    rounds: int
    start: int
    to: int
    unresolved: int
    main_talks: int = 0
    ask: str = ""
    project: str = ""
    tokens: Tokens | None = None
    at_least: int = 0
    open: int = 0
    talks_inherited: int = 0
    state: str = ""
    continued_in: str = ""
    error: str = ""


def broken_row(conversation: str, error: str) -> ConversationRow:
    """The row of a conversation whose chain can not be read."""
    return ConversationRow(
        id=conversation,
        title=UNTITLED,
        talks=0,
        steps=0,
        streams=0,
        segments=0,
        rounds=0,
        start=0,
        to=0,
        unresolved=0,
        error=error,
    )


def count_row(folded: Folded, span: Span, *, ask: str, project: str) -> ConversationRow:
    """The row of a folded conversation."""
    nodes = folded.nodes.values()
    counts = Counter(node.kind for node in nodes)
    mains = {
        node.stream
        for node in nodes
        if node.kind == kinds.STREAM and node.attrs.get("role") == kinds.MAIN
    }
    summary = folded.summary
    return ConversationRow(
        id=folded.conversation,
        title=title_of(folded) or UNTITLED,
        talks=counts[kinds.TALK],
        steps=sum(map(is_step, nodes)),
        streams=counts[kinds.STREAM],
        segments=counts[kinds.SEGMENT],
        rounds=folded.round,
        start=span.start,
        to=span.end,
        unresolved=len(folded.open_unresolved),
        main_talks=sum(node.kind == kinds.TALK and node.stream in mains for node in nodes),
        ask=ask,
        project=project,
        tokens=None if summary is None else summary.tokens,
        at_least=0 if summary is None else summary.at_least,
        open=0 if summary is None else summary.open,
        talks_inherited=0 if summary is None else summary.talks_inherited,
    )


def stated_span(folded: Folded) -> Span | None:
    """The span that the newest header states; None when it states none."""
    if folded.summary is None:
        return None
    first = parse_instant_ns(folded.summary.first)
    last = parse_instant_ns(folded.summary.last)
    if first is None or last is None:
        return None
    return Span(milliseconds(first), milliseconds(last))


def counted_span(outline: Outline, facts: Facts) -> Span:
    """The span over all talks."""
    spans = [span_of(outline, facts, talk) for talk in outline.talks]
    known = [span for span in spans if span.start]
    return Span(
        min((span.start for span in known), default=0),
        max((span.end for span in known), default=0),
    )
