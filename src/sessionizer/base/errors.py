"""The two error classes everything else derives from, and the shape of a message."""


class SessionizerError(Exception):
    """What was asked for is missing, ambiguous, refused or damaged.

    Every subclass stands in the package that raises it. The message is one line: what was
    expected, what was found, where. `cli.program` prints it and exits with 1.

    Attributes:
        hint: What to do next, one line; None when the message already says it.
    """

    exit_code = 1

    def __init__(self, message: str, *, hint: str | None = None) -> None:
        super().__init__(message)
        self.hint = hint


class UsageError(SessionizerError):
    """The command line itself is wrong. Printed with a usage line, exit 2."""

    exit_code = 2
