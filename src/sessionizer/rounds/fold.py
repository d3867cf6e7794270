"""The state of a conversation after its rounds. Pure.

The last writer wins per id, whole entity; absence means unchanged; a tombstone removes.
Order is that of the chain. Times play no part.
"""

from collections.abc import Iterable

from msgspec import Struct, structs

from sessionizer.model.ids import id_sort_key
from sessionizer.model.kinds import OPEN
from sessionizer.model.nodes import Entities, Node, Relation, Unresolved
from sessionizer.rounds.errors import BrokenChainError
from sessionizer.rounds.frames import Header, Inherited, SessionRange, Summary
from sessionizer.rounds.interpretation import Interpretation
from sessionizer.rounds.round import CheckedRound


class Folded(Struct, frozen=True, kw_only=True):
    """A conversation after `round`. An empty chain folds to round 0 and empty text.

    Attributes:
        digest: Commit digest of the round, 64 hex digits.
        through_seq: Last landed file covered, of the first session.
        sessions: What is covered of each session from its first file on, in fixed order.
        unresolved: Resolved entries stay; see `open_unresolved`.
    """

    round: int = 0
    digest: str = ""
    through_seq: int = 0
    input_digest: str = ""
    parser: str = ""
    policy: str = ""
    dialect: str = ""
    session: str = ""
    conversation: str = ""
    sessions: tuple[SessionRange, ...] = ()
    inherits: tuple[Inherited, ...] = ()
    summary: Summary | None = None
    nodes: dict[str, Node] = {}
    relations: dict[str, Relation] = {}
    unresolved: dict[str, Unresolved] = {}

    @property
    def interpretation(self) -> Interpretation:
        """Parser, policy and dialect of the whole chain."""
        return Interpretation(self.parser, self.policy, self.dialect)

    @property
    def open_unresolved(self) -> tuple[Unresolved, ...]:
        """What is still open, sorted by id."""
        entries = (entry for entry in self.unresolved.values() if entry.state == OPEN)
        return tuple(sorted(entries, key=lambda entry: id_sort_key(entry.id)))

    @property
    def entities(self) -> Entities:
        """The entities as an assembly gives them: sorted, open entries only."""
        return Entities(
            nodes=tuple(sorted(self.nodes.values(), key=lambda node: id_sort_key(node.id))),
            relations=tuple(
                sorted(self.relations.values(), key=lambda relation: id_sort_key(relation.id))
            ),
            unresolved=self.open_unresolved,
        )


def fold_rounds(rounds: Iterable[CheckedRound], start: Folded | None = None) -> Folded:
    """The state after `rounds`, which follow `start` (by default: nothing).

    Raises:
        BrokenChainError: A round is not the one that follows.
    """
    head = start or Folded()
    nodes, relations = dict(head.nodes), dict(head.relations)
    unresolved = dict(head.unresolved)
    for checked in rounds:
        head = advance_head(head, checked)
        for node in checked.round.nodes:
            if node.tombstone:
                nodes.pop(node.id, None)
            else:
                nodes[node.id] = node.node
        for relation in checked.round.relations:
            if relation.tombstone:
                relations.pop(relation.id, None)
            else:
                relations[relation.id] = relation.relation
        for entry in checked.round.unresolved:
            if entry.tombstone:
                unresolved.pop(entry.id, None)
            else:
                unresolved[entry.id] = entry.unresolved
    return structs.replace(head, nodes=nodes, relations=relations, unresolved=unresolved)


def advance_head(head: Folded, checked: CheckedRound) -> Folded:
    """What the header of `checked` says of the chain, without any entities.

    Raises:
        BrokenChainError: `checked` does not follow `head`: number, previous digest, identity
            or range do not join on.
    """
    header = checked.header
    problem = _find_break(head, header)
    if problem is not None:
        raise BrokenChainError(checked.name, head.round + 1, problem)
    return Folded(
        round=header.round,
        digest=checked.digest,
        through_seq=header.through_seq,
        input_digest=header.input_digest,
        parser=header.parser,
        policy=header.policy,
        dialect=header.dialect,
        session=header.session,
        conversation=header.conversation,
        sessions=tuple(
            SessionRange(covered.session, 1, covered.through_seq) for covered in header.ranges
        ),
        inherits=header.inherits,
        summary=header.summary,
    )


def _find_break(head: Folded, header: Header) -> str | None:
    if header.round != head.round + 1:
        return f"expected round {head.round + 1}, found round {header.round}"
    if header.previous != head.digest:
        return f"its previous is {header.previous[:12]}, the round before is {head.digest[:12]}"
    if head.round > 0:
        for key in ("conversation", "session", "parser", "policy", "dialect"):
            before, now = getattr(head, key), getattr(header, key)
            if before != now:
                return f"its {key} is {now!r}, the chain's is {before!r}"
    before_names = [covered.session for covered in head.sessions]
    names = [covered.session for covered in header.ranges]
    if names[: len(before_names)] != before_names or len(set(names)) != len(names):
        return f"its sessions are {names}, the chain's are {before_names}"
    ends = {covered.session: covered.through_seq for covered in head.sessions}
    for covered in header.ranges:
        expected = ends.get(covered.session, 0) + 1
        if covered.from_seq != expected:
            return (
                f"landed files were skipped or repeated: from_seq is {covered.from_seq}, "
                f"expected {expected} (session {covered.session})"
            )
    return None
