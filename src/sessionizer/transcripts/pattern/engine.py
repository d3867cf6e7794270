"""Find a pattern in text, with an engine whose time is linear in the text."""

from msgspec import Struct

from sessionizer.transcripts.errors import PatternError


class Match(Struct, frozen=True, gc=False):
    """Where a match stands, in characters; the ends may be equal."""

    start: int
    stop: int


class Re2Engine:
    """google-re2. Times are linear whatever the pattern."""

    name = "re2"

    def __init__(self, pattern: str) -> None:
        import re2

        options = re2.Options()
        options.log_errors = False
        try:
            self._compiled = re2.compile(pattern, options)
        except re2.error as error:
            reason = error.args[0] if error.args else error
            text = reason.decode("utf-8", "replace") if isinstance(reason, bytes) else str(reason)
            raise PatternError(pattern, text) from error

    def search(self, text: str) -> Match | None:
        """The leftmost match in `text`; None without one."""
        encoded = text.encode("utf-8", "replace")
        found = self._compiled.search(encoded)
        if found is None:
            return None
        start, stop = found.span()
        if len(encoded) == len(text):
            return Match(start, stop)
        return Match(
            len(encoded[:start].decode("utf-8", "replace")),
            len(encoded[:stop].decode("utf-8", "replace")),
        )
