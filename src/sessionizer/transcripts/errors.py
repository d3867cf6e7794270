"""Errors about targets and what they name. Kept free of msgspec and typing."""

from collections.abc import Sequence

from sessionizer.base.errors import SessionizerError, UsageError

ACCEPTED_FORMS = (
    "accepted: @main, @trap:<marker>, @<session uuid>, @<agent id>, @<prefix of 4-11 hex>, "
    "@-<encoded directory>, a path, -<encoded directory>, FILE.jsonl"
)


class TargetError(SessionizerError):
    """A target names nothing, or is not of an accepted form.

    Attributes:
        token: As it was typed.
    """

    def __init__(self, token: str, message: str, *, hint: str | None = None) -> None:
        super().__init__(message, hint=hint)
        self.token = token


class AmbiguousTargetError(SessionizerError):
    """A target names more than one thing.

    Attributes:
        token: As it was typed.
        candidates: What it may mean; never fewer than two.
    """

    def __init__(self, token: str, noun: str, candidates: Sequence[str]) -> None:
        super().__init__(
            f"{token} is AMBIGUOUS: it names {len(candidates)} {noun}: {', '.join(candidates)}",
            hint="give more of the id, or a project beside it",
        )
        self.token, self.candidates = token, tuple(candidates)


class CallingSessionError(SessionizerError):
    """The environment does not tell which session calls."""


class MarkerError(SessionizerError):
    """An `@trap:` marker breaks its grammar, or is found nowhere."""


class RangeError(SessionizerError):
    """A RANGE is none."""


class WhenError(SessionizerError):
    """A WHEN is none, or two of them contradict each other."""


class SelectorError(UsageError):
    """A label selector selects no label."""


class EmptySelectionError(SessionizerError):
    """The excluded labels include every selected one."""


class PatternError(SessionizerError):
    """A pattern is refused.

    Attributes:
        pattern: As it was typed.
        offset: Where the refused construct begins, in characters from 0; None if unknown.
    """

    def __init__(self, pattern: str, reason: str, offset: int | None = None) -> None:
        place = "" if offset is None else f" at offset {offset}"
        super().__init__(f"pattern refused: {reason}{place}: {pattern!r}")
        self.pattern, self.offset = pattern, offset
