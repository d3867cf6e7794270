"""Read and verify the chain of one conversation."""

from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

from msgspec import Struct, structs

from sessionizer.rounds.errors import BrokenChainError, RefusedRoundError, UnknownRoundError
from sessionizer.rounds.fold import Folded, fold_rounds
from sessionizer.rounds.frames import Header
from sessionizer.rounds.round import CheckedRound, decode_header, decode_round
from sessionizer.rounds.store import (
    Generation,
    RoundFile,
    check_numbers,
    conversation_ids,
    head_generation,
)


class Chain(Struct, frozen=True, kw_only=True):
    """A verified chain and what it folds to; no rounds when there are none.

    Attributes:
        generation: Which generation of the conversation's chain, from 1.
    """

    generation: int = 1
    rounds: tuple[CheckedRound, ...] = ()
    folded: Folded


def read_chain(conversation_directory: Path, *, at_round: int | None = None) -> Chain:
    """The chain that readers use: the highest generation that has a round.

    With `at_round`, from 1, the chain as it was after that round; later ones are not read.

    Raises:
        UnknownRoundError: There is no such round.
        RefusedRoundError, BrokenChainError: The first check that fails.
    """
    generation = head_generation(conversation_directory)
    if at_round is None:
        return read_generation(conversation_directory, generation)
    if not 1 <= at_round <= len(generation.files):
        raise UnknownRoundError(conversation_directory.name, at_round, head=len(generation.files))
    check_numbers(generation)
    earlier = structs.replace(generation, files=generation.files[:at_round])
    return read_generation(conversation_directory, earlier)


def read_generation(conversation_directory: Path, generation: Generation) -> Chain:
    """Verify and fold one generation.

    Raises:
        RefusedRoundError, BrokenChainError: The first check that fails.
    """
    check_numbers(generation)
    rounds = tuple(read_rounds(conversation_directory, generation.files))
    return Chain(generation=generation.number, rounds=rounds, folded=fold_rounds(rounds))


def continue_chain(conversation_directory: Path, chain: Chain) -> Chain:
    """The chain as it is now, given as it was: old rounds are not read again.

    A chain that lost or replaced its rounds, or has a new generation, is read from the start.

    Raises:
        RefusedRoundError, BrokenChainError: The first check that fails.
    """
    generation = head_generation(conversation_directory)
    known = [(checked.header.round, checked.digest[:12]) for checked in chain.rounds]
    found = [(file.number, file.short_digest) for file in generation.files]
    if generation.number != chain.generation or found[: len(known)] != known:
        return read_generation(conversation_directory, generation)
    check_numbers(generation)
    rounds = tuple(read_rounds(conversation_directory, generation.files[len(known) :]))
    return Chain(
        generation=chain.generation,
        rounds=chain.rounds + rounds,
        folded=fold_rounds(rounds, chain.folded),
    )


def read_rounds(
    conversation_directory: Path, files: tuple[RoundFile, ...]
) -> Iterator[CheckedRound]:
    """Decode `files` one by one and hold each against its name.

    Raises:
        RefusedRoundError: The content is no sound round.
        BrokenChainError: The content is not what the name, or the directory, says.
    """
    for file in files:
        checked = _read_round(file)
        _check_names(checked, file, conversation_directory.name)
        yield checked


def read_head(conversation_directory: Path) -> CheckedRound | None:
    """The newest round, which alone is checked; None when there is no round.

    Raises:
        RefusedRoundError, BrokenChainError: That one file fails a check.
    """
    files = head_generation(conversation_directory).files
    return next(read_rounds(conversation_directory, files[-1:]), None)


def read_members(conversations_directory: Path) -> dict[str, tuple[str, ...]]:
    """The sessions of each conversation, in its order, by its id.

    The list in the newest round says so. Only that header is read: whoever goes on with a
    conversation checks its chain. One whose header cannot be read is left out.
    """
    members: dict[str, tuple[str, ...]] = {}
    for conversation in conversation_ids(conversations_directory):
        newest = head_generation(conversations_directory / conversation).files[-1:]
        for file in newest:
            with suppress(RefusedRoundError, OSError):
                header = _read_header(file)
                members[conversation] = tuple(covered.session for covered in header.ranges)
    return members


def _read_header(file: RoundFile) -> Header:
    with file.path.open("rb") as lines:
        return decode_header(lines.readline(), name=str(file.path))


def _read_round(file: RoundFile) -> CheckedRound:
    name = str(file.path)
    try:
        body = file.path.read_bytes()
    except OSError as error:
        raise RefusedRoundError(name, f"cannot be read: {error.strerror}") from error
    return decode_round(body, name=name)


def _check_names(checked: CheckedRound, file: RoundFile, conversation: str) -> None:
    header = checked.header
    if header.round != file.number:
        problem = f"expected round {file.number} by its name, found round {header.round}"
    elif not checked.digest.startswith(file.short_digest):
        problem = f"its name says digest {file.short_digest}, its content has {checked.digest[:12]}"
    elif header.conversation != conversation:
        problem = (
            f"it is of conversation {header.conversation!r} and lies in that of {conversation!r}"
        )
    else:
        return
    raise BrokenChainError(checked.name, file.number, problem)
