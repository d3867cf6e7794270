"""The structure of a folded conversation as a reader walks it. Pure; knows no time and no text."""

from collections.abc import Iterable, Iterator
from typing import Final

from msgspec import Struct

from sessionizer.model import kinds
from sessionizer.model.nodes import Node, Reference, Relation
from sessionizer.rounds.fold import Folded
from sessionizer.rounds.order import node_order

CONTAINERS: Final = frozenset(kinds.STRUCTURE_KINDS)
# What may stand before the command that opens a talk.
_BEFORE_COMMAND: Final = frozenset(
    {
        kinds.CONTEXT_INJECTION,
        kinds.CONTROL_NOTICE,
        kinds.EPOCH_BOUNDARY,
        kinds.EPOCH_SUMMARY,
    }
)

# Session (empty: the conversation's first), landed file, record.
Position = tuple[str, int, int]


class Placed(Struct, frozen=True, gc=False):
    """A node below another, and how far: 1 directly below."""

    node: Node
    depth: int


class Outline(Struct, frozen=True, kw_only=True):
    """A conversation, ready for questions.

    Attributes:
        children: By parent, in display order; only parents that have some.
        outgoing, incoming: Relations by either end, in order of their ids.
        talks, segments: In display order.
        streams: Main ones first, then in display order.
        stream_named: Streams by name.
        below: Everything below each talk, depth first, by talk.
        steps: The steps among it.
        first_talk: Id of the first talk of a stream, by the stream's name.
        talk_of: The talk that contains a node, by node.
        outside: Steps in no talk, in display order.
        sessions: Ids of the conversation's sessions, in order.
    """

    folded: Folded
    sessions: tuple[str, ...]
    children: dict[str, tuple[Node, ...]]
    outgoing: dict[str, tuple[Relation, ...]]
    incoming: dict[str, tuple[Relation, ...]]
    talks: tuple[Node, ...]
    streams: tuple[Node, ...]
    stream_named: dict[str, Node]
    segments: tuple[Node, ...]
    below: dict[str, tuple[Placed, ...]]
    steps: dict[str, tuple[Placed, ...]]
    first_talk: dict[str, str]
    talk_of: dict[str, str]
    outside: tuple[Node, ...]

    @property
    def nodes(self) -> dict[str, Node]:
        """All nodes, by id."""
        return self.folded.nodes

    def position(self, ref: Reference) -> Position:
        """Where `ref` points."""
        return position_of(ref, self.sessions)

    def related(self, node_id: str, relation_type: str) -> tuple[Relation, ...]:
        """Outgoing relations of one type."""
        return tuple(
            relation
            for relation in self.outgoing.get(node_id, ())
            if relation.type == relation_type
        )


def build_outline(folded: Folded) -> Outline:
    """The outline of `folded`. Parents that lead in a circle hang below nothing."""
    sessions = tuple(covered.session for covered in folded.sessions)
    ordered = sorted(folded.nodes.values(), key=lambda node: node_order(node, sessions))
    children: dict[str, list[Node]] = {}
    for node in ordered:
        if node.parent is not None:
            children.setdefault(node.parent, []).append(node)
    frozen = {parent: tuple(below) for parent, below in children.items()}
    talks = _of_kind(ordered, kinds.TALK)
    below = {talk.id: tuple(iter_below(talk.id, frozen)) for talk in talks}
    talk_of = {placed.node.id: talk for talk, found in below.items() for placed in found}
    talk_of |= {talk.id: talk.id for talk in talks}
    streams = _of_kind(ordered, kinds.STREAM)
    return Outline(
        folded=folded,
        sessions=sessions,
        children=frozen,
        outgoing=_group(folded.relations.values(), by_target=False),
        incoming=_group(folded.relations.values(), by_target=True),
        talks=talks,
        streams=tuple(sorted(streams, key=lambda stream: not is_main(stream))),
        stream_named={stream.stream or "": stream for stream in reversed(streams)},
        segments=_of_kind(ordered, kinds.SEGMENT),
        below=below,
        steps={
            talk: tuple(placed for placed in found if is_step(placed.node))
            for talk, found in below.items()
        },
        first_talk={talk.stream or "": talk.id for talk in reversed(talks)},
        talk_of=talk_of,
        outside=tuple(node for node in ordered if is_step(node) and node.id not in talk_of),
    )


def iter_below(root: str, children: dict[str, tuple[Node, ...]]) -> Iterator[Placed]:
    """Every node below `root`, depth first, each once, whatever its parents claim."""
    seen = {root}
    stack = [iter(children.get(root, ()))]
    while stack:
        node = next(stack[-1], None)
        if node is None:
            stack.pop()
        elif node.id not in seen:
            seen.add(node.id)
            yield Placed(node, len(stack))
            stack.append(iter(children.get(node.id, ())))


def opener_of(outline: Outline, talk: Node) -> Node | None:
    """What a person began `talk` with: a message, or a command that nothing else came before.

    A message that was queued while the agent worked began nothing.
    """
    steps = (placed.node for placed in outline.steps[talk.id])
    may_be_command = True
    for step in sorted(steps, key=lambda node: node_order(node, outline.sessions)):
        if step.kind == kinds.MESSAGE_EXTERNAL and "queue" not in step.attrs:
            return step
        if step.kind == kinds.CONTROL_COMMAND and may_be_command:
            return step
        may_be_command = may_be_command and step.kind in _BEFORE_COMMAND
    return None


def position_of(ref: Reference, sessions: tuple[str, ...]) -> Position:
    """Where `ref` points; the name of the first of `sessions` is never part of it."""
    session = ref.session or ""
    return ("" if session in sessions[:1] else session, ref.seq, ref.row)


def is_step(node: Node) -> bool:
    """Whether `node` is something that happened, and not a container of such things."""
    return node.kind not in CONTAINERS


def is_main(stream: Node) -> bool:
    """Whether a stream is a session's own transcript."""
    role = stream.attrs.get("role")
    return role == kinds.MAIN if role is not None else stream.stream == kinds.MAIN


def _of_kind(nodes: Iterable[Node], kind: str) -> tuple[Node, ...]:
    return tuple(node for node in nodes if node.kind == kind)


def _group(relations: Iterable[Relation], *, by_target: bool) -> dict[str, tuple[Relation, ...]]:
    groups: dict[str, list[Relation]] = {}
    for relation in sorted(relations, key=lambda relation: relation.id):
        groups.setdefault(relation.target if by_target else relation.source, []).append(relation)
    return {end: tuple(group) for end, group in groups.items()}
