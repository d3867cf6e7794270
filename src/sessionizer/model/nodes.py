"""The entities of a conversation: nodes, relations, unresolved references.

Field order is the key order of the round file (docs/formats/round.md).
"""

from msgspec import Struct


class Reference(Struct, frozen=True, omit_defaults=True, order=True, gc=False):
    """A position in the landed data, optionally one part of the record there.

    Attributes:
        seq: Landed file, from 1.
        row: Record in that file, from 1.
        block: Part of that record, from 0; None means the whole record.
        session: Set only for a session other than the conversation's first.
    """

    seq: int
    row: int
    block: int | None = None
    session: str | None = None


class Node(Struct, frozen=True, kw_only=True, omit_defaults=True, gc=False):
    """Something that happened, or a container of such things.

    Attributes:
        attrs: Built once and never changed; values are text, integers, booleans, and lists
            and mappings of these.
    """

    id: str
    kind: str
    parent: str | None = None
    stream: str | None = None
    ref: Reference | None = None
    refs: tuple[Reference, ...] = ()
    attrs: dict[str, object] = {}


class Relation(Struct, frozen=True, kw_only=True, omit_defaults=True, gc=False):
    """A typed edge from one node to another, with how well it is known and by what."""

    id: str
    type: str
    source: str
    target: str
    quality: str
    via: str | None = None
    evidence: tuple[Reference, ...] = ()


class Unresolved(Struct, frozen=True, kw_only=True, omit_defaults=True, gc=False):
    """A reference that nothing landed answers, or that several things answer.

    Attributes:
        ref: What the gap is about, as the source named it.
        state: `open`, `resolved` or `terminal`.
    """

    id: str
    kind: str
    ref: str | None = None
    reason: str | None = None
    state: str = "open"


class Entities(Struct, frozen=True, kw_only=True):
    """One conversation's structure, each tuple unique by id and sorted by id as UTF-8 bytes."""

    nodes: tuple[Node, ...] = ()
    relations: tuple[Relation, ...] = ()
    unresolved: tuple[Unresolved, ...] = ()
