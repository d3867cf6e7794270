"""A folded conversation in numbers and as a tree."""

from collections import Counter
from collections.abc import Iterable

from msgspec import Struct

from sessionizer.model.kinds import EPOCH, LLM_CALL, OPEN, RUN, SEGMENT, STREAM, TALK
from sessionizer.model.nodes import Node, Unresolved
from sessionizer.rounds.fold import Folded
from sessionizer.rounds.frames import Summary, Tokens
from sessionizer.rounds.order import OrderKey, node_order
from sessionizer.views.totals import StatedTotals, name_counters, sum_counters

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


class Spent(Struct, frozen=True, kw_only=True):
    """Tokens: our sum, and what the runtime says.

    Attributes:
        counted: Over the conversation's own calls, each once.
        at_least: Calls in it whose usage is a lower bound.
        inherited: Over calls that an older session made.
        stated: The last statement of each session that has one.
        difference: All of `stated` minus `counted`, for the counters that are stated.
    """

    counted: dict[str, int]
    at_least: int
    inherited: dict[str, int]
    stated: tuple[StatedTotals, ...]
    difference: dict[str, int]


class Description(Struct, frozen=True, kw_only=True):
    """What `asz conversation` shows.

    Attributes:
        head: Number of the newest round; `folded` may be of an earlier one.
        kinds, relations, qualities: Counts, largest first, then by name.
        open: Open entries by id.
        roots: Nodes that nothing contains.
    """

    folded: Folded
    head: int
    spent: Spent
    kinds: tuple[tuple[str, int], ...]
    relations: tuple[tuple[str, int], ...]
    qualities: tuple[tuple[str, int], ...]
    open: tuple[Unresolved, ...]
    roots: tuple[Branch, ...]


def describe(folded: Folded, *, head: int, stated: tuple[StatedTotals, ...] = ()) -> Description:
    """Count and arrange a fold; `stated` is what the runtime says was spent."""
    return Description(
        folded=folded,
        head=head,
        spent=_spent(folded.summary or Summary(), stated),
        kinds=_count(node.kind for node in folded.nodes.values()),
        relations=_count(relation.type for relation in folded.relations.values()),
        qualities=_count(relation.quality for relation in folded.relations.values()),
        open=tuple(entry for _, entry in sorted(folded.unresolved.items()) if entry.state == OPEN),
        roots=_grow(folded.nodes),
    )


def _spent(summary: Summary, stated: tuple[StatedTotals, ...]) -> Spent:
    counted = name_counters(summary.tokens or Tokens())
    told = sum_counters(one.tokens for one in stated)
    return Spent(
        counted=counted,
        at_least=summary.at_least,
        inherited=name_counters(summary.tokens_inherited) if summary.tokens_inherited else {},
        stated=stated,
        difference={name: count - counted[name] for name, count in told.items()},
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
