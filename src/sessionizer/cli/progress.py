"""How far a long pass is: one line that rewrites itself, and only on a terminal."""

import time
from collections.abc import Callable

from sessionizer.cli.context import Context

# What ends sooner needs no line; a line that changes more often than this only flickers.
DELAY_SECONDS = 1.0
_PAUSE_SECONDS = 0.2


class Progress:
    """A block of work whose progress may be shown; the line is gone when the block ends.

    Args:
        context: Where the run writes. Nothing is written unless that is a terminal.
        now: A clock in seconds.
    """

    def __init__(self, context: Context, now: Callable[[], float] = time.monotonic) -> None:
        self._context = context
        self._now = now
        self._next = now() + DELAY_SECONDS
        self._width = 0
        self._is_shown = context.is_terminal

    def show(self, line: str) -> None:
        """Say how far the work is, unless that was just said."""
        if not self._is_shown or self._now() < self._next:
            return
        self._next = self._now() + _PAUSE_SECONDS
        self._write(f"\r{line:<{self._width}}")
        self._width = len(line)

    def clear(self) -> None:
        """Take the line away, before something else is written."""
        if self._width:
            self._write(f"\r{'':<{self._width}}\r")
            self._width = 0

    def __enter__(self) -> "Progress":
        """Begin."""
        return self

    def __exit__(self, *_: object) -> None:
        """Take the line away, however the work ended."""
        self.clear()

    def _write(self, text: str) -> None:
        self._context.write_bytes(text.encode("utf-8", "replace"))
