"""Where the rounds of a conversation stand: names, generations, directories.

`<conversations>/<conversation>/rounds/` holds the first generation of the chain, `g2/rounds/`
the second, and so on. A name is not proof: `chain` compares it with the content.
"""

import re
from pathlib import Path

from msgspec import Struct

from sessionizer.base.digests import SHORT_DIGITS
from sessionizer.rounds.errors import BrokenChainError, ConversationNameError

_ROUND_NAME = re.compile(r"r([0-9]{6,18})-([0-9a-f]{12})\.sf")
_GENERATION_NAME = re.compile(r"g([1-9][0-9]{0,8})")
_CONVERSATION_ID = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,127}")


class RoundFile(Struct, frozen=True, order=True):
    """A file whose name is that of a round; nothing about its content is known.

    Attributes:
        number: The round it should hold, from 1.
        short_digest: First 12 hex digits of the digest it should end in.
    """

    number: int
    short_digest: str
    path: Path


class Generation(Struct, frozen=True):
    """One generation of a chain, from 1, and its round files by number; maybe none."""

    number: int
    directory: Path
    files: tuple[RoundFile, ...]


def check_conversation_id(conversation: str) -> str:
    """`conversation` itself.

    Raises:
        ConversationNameError: It may not name a directory.
    """
    if not _CONVERSATION_ID.fullmatch(conversation):
        raise ConversationNameError(conversation)
    return conversation


def round_name(number: int, digest: str) -> str:
    """`r000001-07c925618c53.sf`."""
    return f"r{number:06d}-{digest[:SHORT_DIGITS]}.sf"


def rounds_directory(conversation_directory: Path, generation: int) -> Path:
    """Where the rounds of a generation stand, whether it exists or not."""
    if generation == 1:
        return conversation_directory / "rounds"
    return conversation_directory / f"g{generation}" / "rounds"


def list_rounds(directory: Path) -> tuple[RoundFile, ...]:
    """The round files directly in `directory`, by number; none when it does not exist.

    Other names are ignored.
    """
    try:
        paths = sorted(directory.iterdir())
    except (FileNotFoundError, NotADirectoryError):
        return ()
    matches = ((path, _ROUND_NAME.fullmatch(path.name)) for path in paths)
    return tuple(
        sorted(RoundFile(int(match[1]), match[2], path) for path, match in matches if match)
    )


def list_generations(conversation_directory: Path) -> tuple[Generation, ...]:
    """Every generation that has a directory, the first one always, by number."""
    numbers = {1}
    try:
        names = [path.name for path in conversation_directory.iterdir()]
    except (FileNotFoundError, NotADirectoryError):
        names = []
    numbers |= {int(match[1]) for match in map(_GENERATION_NAME.fullmatch, names) if match}
    directories = ((number, rounds_directory(conversation_directory, number)) for number in numbers)
    return tuple(
        Generation(number, directory, list_rounds(directory))
        for number, directory in sorted(directories)
    )


def select_generation(generations: tuple[Generation, ...]) -> Generation:
    """The one that readers use: the highest that has a round, else the first."""
    with_rounds = [generation for generation in generations if generation.files]
    return with_rounds[-1] if with_rounds else generations[0]


def head_generation(conversation_directory: Path) -> Generation:
    """The generation that readers of this conversation use."""
    return select_generation(list_generations(conversation_directory))


def conversation_ids(conversations_directory: Path) -> tuple[str, ...]:
    """Ids of the conversations that have a round, sorted. Names of other shapes are none."""
    try:
        directories = list(conversations_directory.iterdir())
    except (FileNotFoundError, NotADirectoryError):
        return ()
    return tuple(
        sorted(
            directory.name
            for directory in directories
            if _CONVERSATION_ID.fullmatch(directory.name) and head_generation(directory).files
        )
    )


def check_numbers(generation: Generation) -> None:
    """Refuse a generation whose file names are not rounds 1, 2, 3 and so on.

    Raises:
        BrokenChainError: A number is missing or stands twice.
    """
    for expected, file in enumerate(generation.files, start=1):
        if file.number == expected - 1 and expected > 1:
            raise BrokenChainError(
                str(file.path), file.number, f"round {file.number} is there twice"
            )
        if file.number != expected:
            problem = f"expected round {expected}, found round {file.number}"
            raise BrokenChainError(str(file.path), expected, problem)
