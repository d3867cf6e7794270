"""Errors about rounds and the chains they form."""

from pathlib import Path

from sessionizer.base.errors import SessionizerError

_KEEP = "restore the file from a copy; a chain is never repaired in place"


class RefusedRoundError(SessionizerError):
    """One round file breaks a rule that every round keeps.

    Attributes:
        name: The file, as the reader named it.
        problem: Which rule, with what was expected and found.
    """

    def __init__(self, name: str, problem: str) -> None:
        super().__init__(f"round file refused: {problem} ({name})", hint=_KEEP)
        self.name, self.problem = name, problem


class BrokenChainError(SessionizerError):
    """A round is sound by itself, and is not the one its chain calls for.

    Attributes:
        name: The file, or the directory that lacks one.
        number: The round that the chain calls for there, from 1.
        problem: What does not fit.
    """

    def __init__(self, name: str, number: int, problem: str) -> None:
        super().__init__(f"chain broken at round {number}: {problem} ({name})", hint=_KEEP)
        self.name, self.number, self.problem = name, number, problem


class UnknownRoundError(SessionizerError):
    """A conversation has no round of this number.

    Attributes:
        conversation: Its id.
        number: The number as given.
        head: Number of its newest round.
    """

    def __init__(self, conversation: str, number: int, *, head: int) -> None:
        super().__init__(
            f"conversation {conversation} has no round {number}",
            hint=f"its rounds are 1 to {head}",
        )
        self.conversation, self.number, self.head = conversation, number, head


class ConversationNameError(SessionizerError):
    """An id cannot name a directory of its own.

    Attributes:
        name: The id as it was given.
    """

    def __init__(self, name: str) -> None:
        super().__init__(
            f"not usable as a conversation id: {name!r}",
            hint="use 1 to 128 of A-Z a-z 0-9 . _ -, beginning with a letter or a digit",
        )
        self.name = name


class ChainLockedError(SessionizerError):
    """Another process is publishing into the same conversation.

    Attributes:
        conversation: Its id.
    """

    def __init__(self, conversation: str) -> None:
        super().__init__(
            f"conversation {conversation} is locked by another builder",
            hint="wait for it to end, then retry",
        )
        self.conversation = conversation


class InterpretationError(SessionizerError):
    """The chain was written by an interpretation this program may not continue or replace.

    Attributes:
        conversation: Its id.
        chain, program: Parser, policy and dialect of each, as one text.
    """

    def __init__(self, conversation: str, *, chain: str, program: str) -> None:
        super().__init__(
            f"conversation {conversation}: a chain is one interpretation; "
            f"this one is {chain}, this program is {program}",
            hint="use the program version that wrote it, or move the conversation's directory "
            "away to start over",
        )
        self.conversation, self.chain, self.program = conversation, chain, program


class OtherSessionsError(SessionizerError):
    """The chain tells of other sessions than the ones given.

    Attributes:
        conversation: Its id.
        expected: The chain's sessions, in order.
        found: The sessions given.
    """

    def __init__(
        self, conversation: str, *, expected: tuple[str, ...], found: tuple[str, ...]
    ) -> None:
        super().__init__(
            f"conversation {conversation} is of session(s) {', '.join(expected)}, "
            f"not of {', '.join(found)}",
            hint="sessions are only ever appended to a conversation; choose another id",
        )
        self.conversation, self.expected, self.found = conversation, expected, found


class LostEvidenceError(SessionizerError):
    """The chain already covers more landed files than there are now.

    Attributes:
        session: Whose files.
        covered: The chain's `through_seq`.
        found: The highest sequence number there is now.
    """

    def __init__(self, session: str, *, covered: int, found: int) -> None:
        super().__init__(
            f"session {session}: the chain covers landed files through {covered}, "
            f"but they end at {found}",
            hint="restore the landed files or the index from a copy",
        )
        self.session, self.covered, self.found = session, covered, found


class MovedHeadError(SessionizerError):
    """Somebody published while this program, which holds the lock, was building.

    Attributes:
        directory: Where the rounds stand.
        expected: Number of the round that was the head before.
    """

    def __init__(self, directory: Path, *, expected: int) -> None:
        super().__init__(
            f"the head of the chain is no longer round {expected}: {directory}",
            hint="find out what writes there without the lock, then retry",
        )
        self.directory, self.expected = directory, expected
