"""One conversation in rows: talks, streams, segments, and every step without its words. Pure."""

from collections import Counter
from collections.abc import Iterable, Iterator
from typing import Final

from msgspec import Struct

from sessionizer.model import kinds
from sessionizer.model.nodes import Node, Reference, Unresolved
from sessionizer.rounds.fold import Folded
from sessionizer.rounds.frames import Inherited, Summary, Tokens
from sessionizer.rounds.order import node_order
from sessionizer.views.facts import Facts
from sessionizer.views.names import Names
from sessionizer.views.outline import Outline, is_main, is_step

KINDS_SHOWN: Final = 48
_TOOLS: Final = frozenset({kinds.TOOL, kinds.AGENT_CALL})
_COUNTERS: Final = ("in", "out", "cache_read", "cache_write")
# Nodes that an open entry may be about, by the first part of their ids.
_ABOUT: Final = ("tool", "stream", "call")


class Span(Struct, frozen=True, gc=False):
    """Smallest and largest known time, milliseconds since 1970; 0 and 0 when none is known."""

    start: int = 0
    end: int = 0


class TalkRow(Struct, frozen=True, kw_only=True, omit_defaults=True, rename={"start": "from"}):
    """One talk, its steps counted; `label_bytes` and `reply_bytes` only when the text is cut."""

    id: str
    stream: str
    label: str
    runs: int
    steps: int
    tools: int
    start: int
    to: int
    child: bool
    ref: Reference | None = None
    segment: str = ""
    reply: str = ""
    label_bytes: int = 0
    reply_bytes: int = 0
    trigger: str = ""
    failed: int = 0
    agents: int = 0
    tokens_out: int = 0
    inherited_from: str = ""
    quality: str = ""
    kinds: tuple[str, ...] = ()


class Opener(Struct, frozen=True, kw_only=True):
    """What started a stream, and in which talk; `step` may be a stream's id."""

    step: str
    stream: str
    quality: str
    talk: str


class StreamRow(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """One stream. `talk` is its first talk, `parent` the stream of its first opener."""

    id: str
    name: str
    role: str
    label: str
    named_by: str
    records: int
    parent: str
    talk: str
    steps: int
    opened_by: tuple[Opener, ...]
    tokens: dict[str, int] = {}
    carried: str = ""


class SegmentRow(Struct, frozen=True, kw_only=True, omit_defaults=True, rename={"start": "from"}):
    """One activity window, over its talks."""

    id: str
    state: str
    talks: int
    start: int
    to: int
    committable: bool
    gates_unmet: tuple[str, ...]


class OpenEntry(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A reference that nothing answers; `id` is a node it is about, when there is one."""

    kind: str
    ref: str
    reason: str
    id: str = ""


class Overview(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A conversation without the words of its steps."""

    id: str
    title: str
    session: str
    rounds: int
    digest: str
    parser: str
    policy: str
    through_seq: int
    nodes: int
    relations: int
    kinds: dict[str, int]
    relation_types: dict[str, int]
    quality: dict[str, int]
    talks: tuple[TalkRow, ...]
    unresolved: tuple[OpenEntry, ...]
    streams: tuple[StreamRow, ...]
    segments: tuple[SegmentRow, ...]
    title_by: str = ""
    dialect: str = ""
    generation: int = 1
    tokens: Tokens | None = None
    tokens_inherited: Tokens | None = None
    at_least: int = 0
    inherits: tuple[Inherited, ...] = ()
    sessions: tuple[str, ...] = ()
    project: str = ""
    state: str = ""


class FlowStep(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A step on the time axis; `depth` 1 is directly below its talk."""

    id: str
    kind: str
    stream: str
    talk: str
    parent: str = ""
    at: int
    name: str = ""
    depth: int


def build_overview(
    outline: Outline, facts: Facts, names: Names, *, generation: int, project: str
) -> Overview:
    """The overview of a folded conversation."""
    folded = outline.folded
    nodes, relations = folded.nodes.values(), folded.relations.values()
    summary = folded.summary or Summary()
    talks = tuple(_talk_row(outline, facts, names, talk) for talk in outline.talks)
    return Overview(
        id=folded.conversation,
        title=title_of(folded),
        title_by=summary.title_by,
        session=folded.session,
        rounds=folded.round,
        digest=folded.digest,
        parser=folded.parser,
        policy=folded.policy,
        dialect=folded.dialect,
        generation=generation,
        through_seq=folded.through_seq,
        nodes=len(folded.nodes),
        relations=len(folded.relations),
        kinds=_counted(node.kind for node in nodes),
        relation_types=_counted(relation.type for relation in relations),
        quality=_counted(relation.quality for relation in relations),
        talks=talks,
        unresolved=tuple(_open_entry(outline, entry) for entry in folded.open_unresolved),
        streams=_stream_rows(outline, names),
        segments=_segment_rows(outline, talks),
        tokens=summary.tokens,
        tokens_inherited=summary.tokens_inherited,
        at_least=summary.at_least,
        inherits=folded.inherits,
        sessions=outline.sessions if len(outline.sessions) > 1 else (),
        project=project,
    )


def title_of(folded: Folded) -> str:
    """The title of the first session that has one; empty when none has."""
    sessions = (folded.nodes.get(f"session/{one.session}") for one in folded.sessions)
    titles = (_text(session, "title") for session in sessions if session is not None)
    return next((title for title in titles if title), "")


def build_flow(outline: Outline, facts: Facts) -> tuple[FlowStep, ...]:
    """Every step: those of talks in order, depth first, then those in no talk."""
    return tuple(_iter_flow(outline, facts))


def span_of(outline: Outline, facts: Facts, talk: Node) -> Span:
    """The span of a talk and everything below it."""
    times = [_time_of(outline, facts, talk)]
    times += [_time_of(outline, facts, node) for node in _below(outline, talk)]
    known = [time for time in times if time]
    return Span(min(known), max(known)) if known else Span()


def _iter_flow(outline: Outline, facts: Facts) -> Iterator[FlowStep]:
    for talk in outline.talks:
        for placed in outline.steps[talk.id]:
            yield _flow_step(outline, facts, placed.node, talk.id, placed.depth)
    for node in outline.outside:
        yield _flow_step(outline, facts, node, "", 1)


def _flow_step(outline: Outline, facts: Facts, node: Node, talk: str, depth: int) -> FlowStep:
    return FlowStep(
        id=node.id,
        kind=node.kind,
        stream=node.stream or "",
        talk=talk,
        parent=node.parent or "",
        at=_time_of(outline, facts, node),
        name=_text(node, "name") if node.kind in _TOOLS else "",
        depth=depth,
    )


def _talk_row(outline: Outline, facts: Facts, names: Names, talk: Node) -> TalkRow:
    steps = [placed.node for placed in outline.steps[talk.id]]
    label, reply = names.labels.get(talk.id), names.replies.get(talk.id)
    span = span_of(outline, facts, talk)
    segment = outline.related(talk.id, kinds.IN_SEGMENT)
    runs = sum(node.kind == kinds.RUN for node in _below(outline, talk))
    stream = outline.stream_named.get(talk.stream or "")
    reading = sorted(steps, key=lambda node: node_order(node, outline.sessions))
    return TalkRow(
        id=talk.id,
        stream=talk.stream or "",
        label="" if label is None else label.text,
        runs=runs,
        steps=len(steps),
        tools=sum(node.kind in _TOOLS for node in steps),
        start=span.start,
        to=span.end,
        child=talk.stream != kinds.MAIN if stream is None else not is_main(stream),
        ref=talk.ref,
        segment=segment[0].target if segment else "",
        reply="" if reply is None else reply.text,
        label_bytes=0 if label is None else label.cut_bytes,
        reply_bytes=0 if reply is None else reply.cut_bytes,
        trigger=_text(talk, "trigger"),
        failed=names.failed.get(talk.id, 0),
        agents=sum(node.kind == kinds.AGENT_CALL for node in steps),
        tokens_out=_tokens(steps).get("out", 0),
        inherited_from=_text(talk, "inherited_from"),
        quality=_text(talk, "quality"),
        kinds=tuple(node.kind for node in reading[:KINDS_SHOWN]),
    )


def _below(outline: Outline, talk: Node) -> Iterator[Node]:
    return (placed.node for placed in outline.below[talk.id])


def _stream_rows(outline: Outline, names: Names) -> tuple[StreamRow, ...]:
    by_stream: dict[str, list[Node]] = {}
    for node in outline.nodes.values():
        if is_step(node):
            by_stream.setdefault(node.stream or "", []).append(node)
    rows = []
    for stream in outline.streams:
        name = stream.stream or ""
        known = names.of_stream(name)
        openers = _openers(outline, stream)
        records = stream.attrs.get("records")
        rows.append(
            StreamRow(
                id=stream.id,
                name=name,
                role=_text(stream, "role"),
                label=known.label,
                named_by=known.named_by,
                records=records if isinstance(records, int) else 0,
                parent=openers[0].stream if openers else "",
                talk=outline.first_talk.get(name, ""),
                steps=len(by_stream.get(name, ())),
                opened_by=openers,
                tokens=_tokens(by_stream.get(name, ())),
                carried=_text(stream, "carried"),
            )
        )
    return tuple(rows)


def _openers(outline: Outline, stream: Node) -> tuple[Opener, ...]:
    openers = []
    for relation in outline.incoming.get(stream.id, ()):
        if relation.type != kinds.STARTS:
            continue
        step = outline.nodes.get(relation.source)
        openers.append(
            Opener(
                step=relation.source,
                stream="" if step is None else step.stream or "",
                quality=relation.quality,
                talk=outline.talk_of.get(relation.source, ""),
            )
        )
    return tuple(openers)


def _segment_rows(outline: Outline, talks: tuple[TalkRow, ...]) -> tuple[SegmentRow, ...]:
    rows = []
    by_segment: dict[str, list[TalkRow]] = {}
    for talk in talks:
        by_segment.setdefault(talk.segment, []).append(talk)
    for segment in outline.segments:
        inside = by_segment.get(segment.id, [])
        starts = [talk.start for talk in inside if talk.start]
        counted, gates = segment.attrs.get("talks"), segment.attrs.get("gates_unmet")
        rows.append(
            SegmentRow(
                id=segment.id,
                state=_text(segment, "state"),
                talks=counted if isinstance(counted, int) else len(inside),
                start=min(starts, default=0),
                to=max((talk.to for talk in inside), default=0),
                committable=segment.attrs.get("committable") is True,
                gates_unmet=tuple(map(str, gates)) if isinstance(gates, list | tuple) else (),
            )
        )
    return tuple(rows)


def _open_entry(outline: Outline, entry: Unresolved) -> OpenEntry:
    about = (f"{prefix}/{entry.ref}" for prefix in _ABOUT)
    return OpenEntry(
        kind=entry.kind,
        ref=entry.ref or "",
        reason=entry.reason or "",
        id=next((node_id for node_id in about if node_id in outline.nodes), ""),
    )


def _tokens(steps: Iterable[Node]) -> dict[str, int]:
    """Sums over the calls among `steps`; a call that is told twice counts once."""
    sums: Counter[str] = Counter()
    for node in steps:
        tokens = node.attrs.get("tokens")
        if node.kind != kinds.LLM_CALL or not isinstance(tokens, dict):
            continue
        if "same_call" not in node.attrs:
            sums.update({key: count for key, count in tokens.items() if isinstance(count, int)})
    return {key: sums[key] for key in _COUNTERS if sums[key]}


def _time_of(outline: Outline, facts: Facts, node: Node) -> int:
    return 0 if node.ref is None else facts.time_at(outline.position(node.ref))


def _counted(words: Iterable[str]) -> dict[str, int]:
    return dict(sorted(Counter(words).items()))


def _text(node: Node, key: str) -> str:
    value = node.attrs.get(key)
    return value if isinstance(value, str) else ""
