"""The frames of a round: header, entities, commit. Field order is key order in the file.

A field left at its default is not written; one without a default always is. So the keys of
a tombstone, which are empty, still stand there.
"""

from collections.abc import Iterable
from typing import Final

from msgspec import Struct, convert, field, structs

from sessionizer.model.nodes import Node, Reference, Relation, Unresolved

SCHEMA: Final = "sf/1"


class Tokens(Struct, frozen=True, kw_only=True, omit_defaults=True, gc=False):
    """Sums of token counters; a counter that is 0 is not written."""

    input: int = field(default=0, name="in")
    output: int = field(default=0, name="out")
    cache_read: int = 0
    cache_write: int = 0


class Summary(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """The conversation after a round, in numbers, so that a list needs no fold.

    Attributes:
        title_by: `custom`, `runtime` or `summary`.
        ask: Position of the first `message.external`.
        first, last: Smallest and largest record time, RFC 3339 UTC, trailing zeros trimmed.
        talks: Without inherited ones, which `talks_inherited` counts.
        open: Unresolved entries that are open.
        tokens: Without inherited calls, which `tokens_inherited` adds up.
        at_least: Number of calls in `tokens` whose usage is partial or a stub.
    """

    title: str = ""
    title_by: str = ""
    ask: Reference | None = None
    first: str = ""
    last: str = ""
    records: int = 0
    streams: int = 0
    talks: int = 0
    talks_inherited: int = 0
    runs: int = 0
    steps: int = 0
    calls: int = 0
    tools: int = 0
    open: int = 0
    tokens: Tokens | None = None
    tokens_inherited: Tokens | None = None
    at_least: int = 0


class Inherited(Struct, frozen=True):
    """How many records of this session are copies from an older one, and how sure that is."""

    session: str
    records: int
    quality: str


class SessionRange(Struct, frozen=True):
    """Landed files of one session that a round covers; `through_seq` may be one less."""

    session: str
    from_seq: int
    through_seq: int


class Header(Struct, frozen=True, kw_only=True, omit_defaults=True, tag_field="t", tag="header"):
    """The first frame.

    Attributes:
        session: The conversation's first session: scope of references without their own.
        round: From 1.
        previous: Commit digest of the round before, 64 hex digits; empty in round 1.
        from_seq: First landed file covered: one above the round before.
        through_seq: Last one; `from_seq` - 1 when there is no new evidence.
        sessions: Only in a conversation of several sessions; then all, in fixed order.
        summary: After this round. Not an entity: a change in it alone writes no round.
    """

    schema: str
    conversation: str
    session: str
    round: int
    previous: str = ""
    from_seq: int
    through_seq: int
    input_digest: str
    parser: str
    policy: str
    dialect: str = ""
    inherits: tuple[Inherited, ...] = ()
    sessions: tuple[SessionRange, ...] = ()
    summary: Summary | None = None

    @property
    def ranges(self) -> tuple[SessionRange, ...]:
        """What is covered per session, also where there is one session only."""
        own = SessionRange(self.session, self.from_seq, self.through_seq)
        return self.sessions or (own,)


class NodeFrame(
    Struct,
    frozen=True,
    kw_only=True,
    omit_defaults=True,
    tag_field="t",
    tag="node",
    gc=False,
):
    """A node as it is after this round, or its removal."""

    id: str
    revision: int
    tombstone: bool = False
    kind: str
    parent: str = ""
    stream: str = ""
    ref: Reference | None = None
    refs: tuple[Reference, ...] = ()
    attrs: dict[str, object] = {}

    @property
    def references(self) -> Iterable[Reference]:
        """Every position this frame names."""
        return self.refs if self.ref is None else (self.ref, *self.refs)

    @property
    def node(self) -> Node:
        """The entity alone."""
        return Node(
            id=self.id,
            kind=self.kind,
            parent=self.parent or None,
            stream=self.stream or None,
            ref=self.ref,
            refs=self.refs,
            attrs=self.attrs,
        )


class RelationFrame(
    Struct,
    frozen=True,
    kw_only=True,
    omit_defaults=True,
    tag_field="t",
    tag="relation",
    gc=False,
):
    """A relation as it is after this round, or its removal."""

    id: str
    revision: int
    tombstone: bool = False
    type: str
    source: str = field(name="from")
    target: str = field(name="to")
    quality: str
    via: str = ""
    evidence: tuple[Reference, ...] = ()

    @property
    def references(self) -> Iterable[Reference]:
        """Every position this frame names."""
        return self.evidence

    @property
    def relation(self) -> Relation:
        """The entity alone."""
        return Relation(
            id=self.id,
            type=self.type,
            source=self.source,
            target=self.target,
            quality=self.quality,
            via=self.via or None,
            evidence=self.evidence,
        )


class UnresolvedFrame(
    Struct,
    frozen=True,
    kw_only=True,
    omit_defaults=True,
    tag_field="t",
    tag="unresolved",
    gc=False,
):
    """An entry of the unresolved catalogue as it is after this round."""

    id: str
    revision: int
    tombstone: bool = False
    kind: str
    ref: str = ""
    reason: str = ""
    state: str

    @property
    def unresolved(self) -> Unresolved:
        """The entity alone."""
        return Unresolved(
            id=self.id,
            kind=self.kind,
            ref=self.ref or None,
            reason=self.reason or None,
            state=self.state,
        )


class Counts(Struct, frozen=True, gc=False):
    """Numbers of frames in a round, tombstones included."""

    nodes: int
    relations: int
    unresolved: int


class Commit(Struct, frozen=True, kw_only=True, tag_field="t", tag="commit"):
    """The last frame: the digest of all bytes before it, and how many frames they hold."""

    digest: str
    counts: Counts


Frame = Header | NodeFrame | RelationFrame | UnresolvedFrame | Commit


def adopt_summary(assembled: object) -> Summary:
    """The summary of an assembly, which has the same fields, as the header writes it.

    Token sums that are all 0 become absent.
    """
    summary = convert(assembled, Summary, from_attributes=True)
    empty = Tokens()
    return structs.replace(
        summary,
        tokens=None if summary.tokens == empty else summary.tokens,
        tokens_inherited=None if summary.tokens_inherited == empty else summary.tokens_inherited,
    )


def adopt_inherited(assembled: Iterable[object]) -> tuple[Inherited, ...]:
    """What an assembly says of older sessions, as the header writes it: by session id."""
    adopted = (convert(one, Inherited, from_attributes=True) for one in assembled)
    return tuple(sorted(adopted, key=lambda one: one.session))


def node_frame(node: Node, revision: int) -> NodeFrame:
    """`node` as the frame of round `revision`. Empty fields become absent."""
    return NodeFrame(
        id=node.id,
        revision=revision,
        kind=node.kind,
        parent=node.parent or "",
        stream=node.stream or "",
        ref=node.ref,
        refs=node.refs,
        attrs=node.attrs,
    )


def relation_frame(relation: Relation, revision: int) -> RelationFrame:
    """`relation` as the frame of round `revision`."""
    return RelationFrame(
        id=relation.id,
        revision=revision,
        type=relation.type,
        source=relation.source,
        target=relation.target,
        quality=relation.quality,
        via=relation.via or "",
        evidence=relation.evidence,
    )


def unresolved_frame(entry: Unresolved, revision: int) -> UnresolvedFrame:
    """`entry` as the frame of round `revision`."""
    return UnresolvedFrame(
        id=entry.id,
        revision=revision,
        kind=entry.kind,
        ref=entry.ref or "",
        reason=entry.reason or "",
        state=entry.state,
    )


def node_tombstone(node_id: str, revision: int) -> NodeFrame:
    """The frame that removes a node."""
    return NodeFrame(id=node_id, revision=revision, tombstone=True, kind="")


def relation_tombstone(relation_id: str, revision: int) -> RelationFrame:
    """The frame that removes a relation."""
    return RelationFrame(
        id=relation_id, revision=revision, tombstone=True, type="", source="", target="", quality=""
    )
