"""Errors about what a reader asked the page for, and about serving it."""

from pathlib import Path

from sessionizer.base.errors import SessionizerError


class NotFoundError(SessionizerError):
    """What was asked for is not there. Each kind says what."""


class UnknownConversationError(NotFoundError):
    """There is no conversation of this id.

    Attributes:
        conversation: The id as given.
    """

    def __init__(self, conversation: str) -> None:
        super().__init__(f"no conversation {conversation!r}")
        self.conversation = conversation


class UnknownTalkError(NotFoundError):
    """The conversation has no talk of this id.

    Attributes:
        talk: The id as given.
    """

    def __init__(self, talk: str) -> None:
        super().__init__(f"no talk {talk!r} in this conversation")
        self.talk = talk


class UnknownRecordError(NotFoundError):
    """Nothing has landed at this position, or it can not be read.

    Attributes:
        seq, row: The position as given.
    """

    def __init__(self, seq: str, row: str) -> None:
        super().__init__(f"no landed record {seq}/{row}: seq {seq}, row {row}")
        self.seq, self.row = seq, row


class UnknownEntityError(NotFoundError):
    """No round says anything about an entity of this id.

    Attributes:
        entity: The id as given.
    """

    def __init__(self, entity: str, conversation: str, round_: int) -> None:
        super().__init__(
            f"nothing called {entity!r} in rounds 1 to {round_} of conversation {conversation}",
            hint="ids look like tool/toolu_1 or talk/main/p1; `--format json` lists all of them",
        )
        self.entity = entity


class NoConversationsError(SessionizerError):
    """There is nothing to serve.

    Attributes:
        root: The storage root.
    """

    def __init__(self, root: Path) -> None:
        super().__init__(
            f"no conversations under {root}: run `asz parse` first",
            hint="`asz up` collects, assembles and serves in one go",
        )
        self.root = root


class AddressError(SessionizerError):
    """The page can not be served at this address.

    Attributes:
        address: `host:port`.
    """

    def __init__(self, address: str, problem: str) -> None:
        super().__init__(
            f"cannot serve at {address}: {problem}", hint="choose another port; 0 takes a free one"
        )
        self.address = address


class OpenAddressError(SessionizerError):
    """Other machines could reach the page, and nothing would ask them for a token.

    Attributes:
        host: The address as given.
    """

    def __init__(self, host: str) -> None:
        super().__init__(
            f"{host} is not a loopback address: everything kept would be readable from there",
            hint="serve with a token, or on 127.0.0.1",
        )
        self.host = host
