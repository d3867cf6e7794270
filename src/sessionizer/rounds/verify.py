"""A report on every chain, one problem per broken generation."""

from collections.abc import Iterator
from pathlib import Path

from msgspec import Struct

from sessionizer.rounds.chain import read_rounds
from sessionizer.rounds.errors import BrokenChainError, RefusedRoundError
from sessionizer.rounds.fold import Folded, advance_head
from sessionizer.rounds.store import Generation, check_numbers, conversation_ids, list_generations


class ChainReport(Struct, frozen=True, kw_only=True):
    """One generation of one conversation.

    Attributes:
        rounds: Rounds that passed, counted from the first.
        problem: The first check that failed, one line naming the file; None when all passed.
    """

    conversation: str
    generation: int
    rounds: int
    problem: str | None = None


def verify_chains(
    conversations_directory: Path, *, conversation: str | None = None
) -> Iterator[ChainReport]:
    """A report per generation that has a round, of every conversation or of one, by id."""
    for name in conversation_ids(conversations_directory):
        if conversation in (None, name):
            yield from verify_conversation(conversations_directory / name)


def verify_conversation(conversation_directory: Path) -> Iterator[ChainReport]:
    """A report per generation of one conversation that has a round."""
    for generation in list_generations(conversation_directory):
        if generation.files:
            yield _verify_generation(conversation_directory, generation)


def _verify_generation(conversation_directory: Path, generation: Generation) -> ChainReport:
    head, problem = Folded(), None
    try:
        check_numbers(generation)
        for checked in read_rounds(conversation_directory, generation.files):
            head = advance_head(head, checked)
    except (BrokenChainError, RefusedRoundError) as error:
        problem = str(error)
    return ChainReport(
        conversation=conversation_directory.name,
        generation=generation.number,
        rounds=head.round,
        problem=problem,
    )
