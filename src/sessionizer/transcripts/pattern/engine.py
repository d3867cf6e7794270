"""Find a pattern in text: google-re2, or the `regex` package where re2 has no wheel.

Both see patterns that the one parser has passed, and give the same matches.
"""

from importlib import import_module
from typing import Any, Protocol

from msgspec import Struct

from sessionizer.transcripts.errors import PatternError
from sessionizer.transcripts.pattern.syntax import Node
from sessionizer.transcripts.pattern.translate import translate

DEADLINE_S = 5.0


class Match(Struct, frozen=True, gc=False):
    """Where a match stands, in characters; the ends may be equal."""

    start: int
    stop: int


class UndecidedError(Exception):
    """The engine gave up on one text within its deadline. The caller counts and discloses."""


class Engine(Protocol):
    """What finds a pattern.

    Attributes:
        name: For notes and `--version`.
        is_linear: Whether its time is linear in the text, whatever the pattern.
    """

    name: str
    is_linear: bool

    def search(self, text: str) -> Match | None:
        """The leftmost match in `text`; None without one."""
        ...


def choose_engine(
    pattern: str, root: Node, *, flags: str, deadline_s: float = DEADLINE_S
) -> Engine:
    """re2 where it is installed, else `regex`.

    Raises:
        PatternError: The engine refuses the pattern, or there is none.
    """
    try:
        import re2  # noqa: F401 - only whether it is there
    except ImportError:
        return RegexEngine(pattern, root, deadline_s=deadline_s)
    return Re2Engine(pattern, flags=flags)


class Re2Engine:
    """google-re2: linear in the text. Patterns and texts go in as UTF-8."""

    name = "re2"
    is_linear = True

    def __init__(self, pattern: str, *, flags: str) -> None:
        import re2

        options = re2.Options()
        options.log_errors = False
        head = f"(?{flags})" if flags else ""
        try:
            compiled = re2.compile((head + pattern).encode("utf-8", "replace"), options)
        except re2.error as error:
            raise PatternError(pattern, _explain(error)) from error
        # What the wrapper's `search` calls: its match objects cost more than the match.
        self._match = compiled._regexp.Match
        self._anywhere = re2._Anchor.UNANCHORED

    def search(self, text: str) -> Match | None:
        """The leftmost match in `text`; None without one."""
        encoded = text.encode("utf-8", "replace")
        start, stop = self._match(self._anywhere, encoded, 0, len(encoded))[0]
        if start < 0:
            return None
        if len(encoded) == len(text):
            return Match(start, stop)
        return Match(
            len(encoded[:start].decode("utf-8", "replace")),
            len(encoded[:stop].decode("utf-8", "replace")),
        )


class RegexEngine:
    """The `regex` package: not linear, so every search has a deadline."""

    name = "regex"
    is_linear = False

    def __init__(self, pattern: str, root: Node, *, deadline_s: float = DEADLINE_S) -> None:
        regex = _import_regex(pattern)
        self._deadline_s = deadline_s
        try:
            self._compiled = regex.compile(translate(root), regex.V1)
        except regex.error as error:
            raise PatternError(pattern, str(error)) from error

    def search(self, text: str) -> Match | None:
        """The leftmost match in `text`; None without one.

        Raises:
            UndecidedError: The deadline passed.
        """
        try:
            found = self._compiled.search(text, timeout=self._deadline_s)
        except TimeoutError as error:
            raise UndecidedError from error
        return None if found is None else Match(*found.span())


def _import_regex(pattern: str) -> Any:
    try:
        return import_module("regex")
    except ImportError as error:
        raise PatternError(
            pattern, "no engine is installed (google-re2, or the regex package)"
        ) from error


def _explain(error: Exception) -> str:
    reason = error.args[0] if error.args else error
    return reason.decode("utf-8", "replace") if isinstance(reason, bytes) else str(reason)
