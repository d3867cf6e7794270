"""What every round said about one entity. Pure."""

from typing import Final

from msgspec import Struct

from sessionizer.rounds.chain import Chain
from sessionizer.rounds.frames import NodeFrame, RelationFrame, UnresolvedFrame
from sessionizer.views.errors import UnknownEntityError

SCHEMA: Final = "entity-history/1"


class EntityHistory(Struct, frozen=True, kw_only=True):
    """The frames of one entity, as they stand in the rounds, oldest first.

    Attributes:
        round: The last round that was looked at.
    """

    schema: str = SCHEMA
    conversation: str
    id: str
    round: int
    revisions: tuple[NodeFrame | RelationFrame | UnresolvedFrame, ...]


def find_revisions(chain: Chain, entity_id: str) -> EntityHistory:
    """Every revision of a node, relation or unresolved entry.

    Raises:
        UnknownEntityError: No round of the chain says anything about it.
    """
    found = tuple(
        frame
        for checked in chain.rounds
        for group in (checked.round.nodes, checked.round.relations, checked.round.unresolved)
        for frame in group
        if frame.id == entity_id
    )
    if not found:
        raise UnknownEntityError(entity_id, chain.folded.conversation, chain.folded.round)
    return EntityHistory(
        conversation=chain.folded.conversation,
        id=entity_id,
        round=chain.folded.round,
        revisions=found,
    )
