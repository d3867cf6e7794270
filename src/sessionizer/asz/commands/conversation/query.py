"""A folded conversation in numbers and as a tree."""

from collections import Counter
from collections.abc import Iterable

from msgspec import Struct

from sessionizer.model.kinds import EPOCH, LLM_CALL, OPEN, RUN, SEGMENT, STREAM, TALK
from sessionizer.model.nodes import Node, Unresolved
from sessionizer.rounds.fold import Folded
from sessionizer.rounds.order import OrderKey, node_order

_RANK = {STREAM: 0, EPOCH: 1, TALK: 2, RUN: 3, LLM_CALL: 4, SEGMENT: 6}
_OTHER_RANK = 5


class Words(Struct, frozen=True):
    """How kinds are named: `unified`, `native` or `both`, and the agent's word per term."""

    terms: str
    natives: dict[str, str]

    def name(self, term: str) -> str:
        """The word, or the words, for a term of the model."""
        native = self.natives.get(term)
        if native is None or self.terms == "unified":
            return term
        return native if self.terms == "native" else f"{term} ({native})"


class Branch(Struct, frozen=True, kw_only=True):
    """A node and what it contains, in display order."""

    node: Node
    children: tuple["Branch", ...]


class Description(Struct, frozen=True, kw_only=True):
    """What `asz conversation` shows.

    Attributes:
        kinds, relations, qualities: Counts, largest first, then by name.
        open: Open entries by id.
        roots: Nodes that nothing contains.
    """

    folded: Folded
    kinds: tuple[tuple[str, int], ...]
    relations: tuple[tuple[str, int], ...]
    qualities: tuple[tuple[str, int], ...]
    open: tuple[Unresolved, ...]
    roots: tuple[Branch, ...]


def describe(folded: Folded) -> Description:
    """Count and arrange a fold."""
    return Description(
        folded=folded,
        kinds=_count(node.kind for node in folded.nodes.values()),
        relations=_count(relation.type for relation in folded.relations.values()),
        qualities=_count(relation.quality for relation in folded.relations.values()),
        open=tuple(entry for _, entry in sorted(folded.unresolved.items()) if entry.state == OPEN),
        roots=_grow(folded.nodes),
    )


def _count(words: Iterable[str]) -> tuple[tuple[str, int], ...]:
    return tuple(sorted(Counter(words).items(), key=lambda pair: (-pair[1], pair[0])))


def _grow(nodes: dict[str, Node]) -> tuple[Branch, ...]:
    children: dict[str, list[Node]] = {}
    for node in nodes.values():
        parent = node.parent if node.parent in nodes else None
        children.setdefault(parent or "", []).append(node)

    def branch(node: Node) -> Branch:
        below = sorted(children.get(node.id, ()), key=_display_key)
        return Branch(node=node, children=tuple(branch(child) for child in below))

    return tuple(branch(root) for root in sorted(children.get("", ()), key=_display_key))


def _display_key(node: Node) -> tuple[int, OrderKey]:
    """Siblings by rank of their kind, then in display order."""
    return (_RANK.get(node.kind, _OTHER_RANK), node_order(node))
