"""Edges observed more than once become one edge with all its evidence."""

from collections.abc import Iterable

from msgspec.structs import replace

from sessionizer.model.ids import relation_id
from sessionizer.model.kinds import CONFLICT, QUALITIES
from sessionizer.model.nodes import Reference, Relation


def relate(
    relation_type: str,
    source: str,
    target: str,
    *,
    quality: str,
    via: str,
    evidence: Iterable[Reference] = (),
) -> Relation:
    """A relation with the id that its type and ends give it."""
    return Relation(
        id=relation_id(relation_type, source, target),
        type=relation_type,
        source=source,
        target=target,
        quality=quality,
        via=via,
        evidence=tuple(dict.fromkeys(evidence)),
    )


def merge_relations(observed: Iterable[Relation]) -> tuple[Relation, ...]:
    """One relation per id, in order of first appearance.

    The better quality wins, with what it rests on; of equal ones the first. A conflict stays
    a conflict and tells both grounds. Evidence adds up, each position once.
    """
    merged: dict[str, Relation] = {}
    for relation in observed:
        known = merged.get(relation.id)
        merged[relation.id] = relation if known is None else _joined(known, relation)
    return tuple(merged.values())


def _joined(known: Relation, new: Relation) -> Relation:
    evidence = tuple(dict.fromkeys(known.evidence + new.evidence))
    if CONFLICT in (known.quality, new.quality):
        grounds = dict.fromkeys(via for via in (known.via, new.via) if via)
        return replace(known, quality=CONFLICT, via="; ".join(grounds), evidence=evidence)
    better = new if QUALITIES.index(new.quality) < QUALITIES.index(known.quality) else known
    return replace(better, evidence=evidence)
