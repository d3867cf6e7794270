"""Entities as short lines, so that a test can show everything it expects."""

from collections.abc import Iterable

from sessionizer.assembly.inheritance import NONE, Inheritance
from sessionizer.assembly.pipeline import Assembly, assemble
from sessionizer.index.entry import Entry
from sessionizer.model.nodes import Node, Reference
from tests.build.rows import SESSION, Landing


def assembled(
    landing: Landing,
    *,
    through: int | None = None,
    inheritance: Inheritance = NONE,
    reverse: bool = False,
) -> Assembly:
    """Everything landed, or what landed up to `through`."""
    entries: Iterable[Entry] = reversed(landing.entries) if reverse else landing.entries
    return assemble(
        entries,
        session=SESSION,
        conversation=SESSION,
        through=landing.seq if through is None else through,
        inheritance=inheritance,
    )


def spell(reference: Reference | None) -> str:
    """`1/2`, or with a part `1/2:0`; `-` for none."""
    if reference is None:
        return "-"
    block = "" if reference.block is None else f":{reference.block}"
    return f"{reference.seq}/{reference.row}{block}"


def spell_all(references: Iterable[Reference]) -> str:
    """References joined with commas."""
    return ",".join(spell(reference) for reference in references)


def node(assembly: Assembly, node_id: str) -> Node:
    """The node with this id; a KeyError names it when there is none."""
    return {found.id: found for found in assembly.entities.nodes}[node_id]


def ids(assembly: Assembly, *kinds: str) -> list[str]:
    """Ids of nodes of these kinds, or of all nodes, in order."""
    return [found.id for found in assembly.entities.nodes if not kinds or found.kind in kinds]


def edges(assembly: Assembly, *types: str) -> list[str]:
    """Relations as `id quality | via | evidence`, of these types or of all."""
    return [
        f"{edge.id} {edge.quality} | {edge.via} | {spell_all(edge.evidence)}"
        for edge in assembly.entities.relations
        if not types or edge.type in types
    ]


def gaps(assembly: Assembly) -> list[str]:
    """Ids of unresolved entries."""
    return [gap.id for gap in assembly.entities.unresolved]


def containers(assembly: Assembly, kind: str) -> dict[str, str | None]:
    """Parents of the nodes of a kind, by id."""
    return {found.id: found.parent for found in assembly.entities.nodes if found.kind == kind}
