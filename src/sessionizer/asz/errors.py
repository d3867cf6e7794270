"""Errors of the collector program itself."""

from sessionizer.base.errors import SessionizerError


class ConfigurationError(SessionizerError):
    """The configuration file says something that cannot be followed.

    Attributes:
        where: The file, or the built-in defaults.
    """

    def __init__(self, where: str, problem: str, *, hint: str | None = None) -> None:
        super().__init__(f"configuration {where}: {problem}", hint=hint)
        self.where = where


class PassIncompleteError(SessionizerError):
    """A pass of `collect` left something undone; what was landed stays landed."""

    def __init__(self, *, pending: int, conflicts: int, errors: int) -> None:
        super().__init__(
            f"pass incomplete: {pending} pending, {conflicts} conflict(s), {errors} error(s)",
            hint="the lines above name each; what was landed is safe",
        )
        self.pending, self.conflicts, self.errors = pending, conflicts, errors


class UnknownSessionError(SessionizerError):
    """No session of that id has been kept."""

    def __init__(self, session: str, root: str) -> None:
        super().__init__(
            f"no session {session!r} is kept in {root}",
            hint="`asz index` lists the kept ones; `asz collect --once` keeps what is on disk",
        )
        self.session = session


class UnknownConversationError(SessionizerError):
    """No conversation of that id has a round."""

    def __init__(self, conversation: str, root: str) -> None:
        super().__init__(
            f"no conversation {conversation!r} with a round in {root}",
            hint="`asz parse` assembles what is kept",
        )
        self.conversation = conversation


class ParseFailedError(SessionizerError):
    """At least one session could not be assembled; the others were."""

    def __init__(self, failed: int) -> None:
        super().__init__(f"{failed} session(s) failed to parse", hint="the lines above name each")
        self.failed = failed


class IndexFailedError(SessionizerError):
    """The index of at least one session can not be made; those of the others can."""

    def __init__(self, failed: int) -> None:
        super().__init__(f"{failed} session(s) not indexed", hint="the lines above name each")
        self.failed = failed


class VerificationError(SessionizerError):
    """Kept data is not what it was when it was kept."""

    def __init__(self, problems: int) -> None:
        super().__init__(
            f"{problems} contiguity or integrity problem(s)",
            hint="the lines above name each file; restore it from a copy",
        )
        self.problems = problems


class UnaccountedError(SessionizerError):
    """Kept records fit no account, so nobody can say what became of them."""

    def __init__(self, records: int) -> None:
        super().__init__(
            f"{records} record(s) without an account",
            hint="the lines above name each; what is kept is whole, so please report it",
        )
        self.records = records


class UnknownRecordError(SessionizerError):
    """No kept record of the session has that id, and no part of one."""

    def __init__(self, wanted: str, session: str) -> None:
        super().__init__(
            f"no record and no tool use {wanted!r} is kept of session {session}",
            hint="`asz index SESSION` shows some of its ids",
        )
        self.wanted, self.session = wanted, session


class MissingSessionDataError(SessionizerError):
    """The index knows a landed file whose Session Data is not there any more."""

    def __init__(self, session: str, seq: int) -> None:
        super().__init__(
            f"the Session Data of landed file {seq} of session {session} is missing",
            hint=f"`asz index {session} --rebuild` makes it again from the kept bytes",
        )
        self.session, self.seq = session, seq
