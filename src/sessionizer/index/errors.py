"""Errors about the index of a session."""

from sessionizer.base.errors import SessionizerError


class NoLandedRecordsError(SessionizerError):
    """Nothing of this session has landed, so there is nothing to index.

    Attributes:
        session: The session id as given.
    """

    def __init__(self, session: str) -> None:
        super().__init__(
            f"session {session} has no landed records",
            hint="`asz collect` lands them; `asz index --rebuild` makes lost Session Data again",
        )
        self.session = session
