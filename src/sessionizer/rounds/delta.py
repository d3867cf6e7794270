"""The difference between an assembly and what the chain already says. Pure."""

from msgspec import Struct

from sessionizer.base.canonical import encode_canonical
from sessionizer.model.ids import id_sort_key
from sessionizer.model.kinds import OPEN, RESOLVED
from sessionizer.model.nodes import Entities, Node, Relation, Unresolved
from sessionizer.rounds.fold import Folded
from sessionizer.rounds.frames import (
    Counts,
    NodeFrame,
    RelationFrame,
    UnresolvedFrame,
    node_frame,
    node_tombstone,
    relation_frame,
    relation_tombstone,
    unresolved_frame,
)


class Delta(Struct, frozen=True):
    """The frames of the next round, each group sorted by id. May be empty."""

    nodes: tuple[NodeFrame, ...]
    relations: tuple[RelationFrame, ...]
    unresolved: tuple[UnresolvedFrame, ...]

    @property
    def counts(self) -> Counts:
        """Numbers of frames."""
        return Counts(len(self.nodes), len(self.relations), len(self.unresolved))

    def __bool__(self) -> bool:
        return bool(self.nodes or self.relations or self.unresolved)


def diff_entities(entities: Entities, folded: Folded) -> Delta:
    """What has to be said so that the fold becomes `entities`, as frames of the next round.

    | entity              | in `entities` | in the fold                | frame               |
    |---------------------|---------------|----------------------------|---------------------|
    | node, relation      | yes           | no, or different           | the entity          |
    | node, relation      | no            | yes                        | a tombstone         |
    | unresolved          | yes           | no, different, or resolved | the entry           |
    | unresolved          | no            | open                       | the entry, resolved |
    | anything else       |               |                            | none                |
    """
    revision = folded.round + 1
    nodes = [
        node_frame(node, revision)
        for node in entities.nodes
        if not _same_node(node, folded.nodes.get(node.id))
    ]
    gone_nodes = folded.nodes.keys() - {node.id for node in entities.nodes}
    nodes += [node_tombstone(node_id, revision) for node_id in gone_nodes]
    relations = [
        relation_frame(relation, revision)
        for relation in entities.relations
        if not _same_relation(relation, folded.relations.get(relation.id))
    ]
    gone_relations = folded.relations.keys() - {relation.id for relation in entities.relations}
    relations += [relation_tombstone(relation_id, revision) for relation_id in gone_relations]
    unresolved = [
        unresolved_frame(entry, revision)
        for entry in entities.unresolved
        if not _same_unresolved(entry, folded.unresolved.get(entry.id))
    ]
    named = {entry.id for entry in entities.unresolved}
    unresolved += [
        _resolved(entry, revision)
        for entry in folded.unresolved.values()
        if entry.state == OPEN and entry.id not in named
    ]
    return Delta(
        tuple(sorted(nodes, key=lambda frame: id_sort_key(frame.id))),
        tuple(sorted(relations, key=lambda frame: id_sort_key(frame.id))),
        tuple(sorted(unresolved, key=lambda frame: id_sort_key(frame.id))),
    )


# Bytes decide, not `==`: True equals 1 in Python, and a list does not equal a tuple.


def _same_node(one: Node, other: Node | None) -> bool:
    return other is not None and encode_canonical(node_frame(one, 0)) == encode_canonical(
        node_frame(other, 0)
    )


def _same_relation(one: Relation, other: Relation | None) -> bool:
    return other is not None and encode_canonical(relation_frame(one, 0)) == encode_canonical(
        relation_frame(other, 0)
    )


def _same_unresolved(one: Unresolved, other: Unresolved | None) -> bool:
    return other is not None and encode_canonical(unresolved_frame(one, 0)) == encode_canonical(
        unresolved_frame(other, 0)
    )


def _resolved(entry: Unresolved, revision: int) -> UnresolvedFrame:
    return UnresolvedFrame(
        id=entry.id,
        revision=revision,
        kind=entry.kind,
        ref=entry.ref or "",
        reason=entry.reason or "",
        state=RESOLVED,
    )
