"""What a command may touch of the process: its two output streams and its environment."""

import os
import sys
from collections.abc import Iterable, Mapping

# `typing` costs a tenth of the start-up budget, so it is seen by the type checker only.
TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import BinaryIO


class Context:
    r"""Output and environment of one run.

    Data goes to standard output, everything else to standard error. Both are written as
    UTF-8 with `\n` line ends on every platform and in every locale; a lone surrogate
    becomes U+FFFD. A stream that was closed before the start is a reader that went away:
    BrokenPipeError for data, nothing for messages.

    Attributes:
        program: The program's name, for notes.
        environ: The environment variables.
    """

    def __init__(self, program: str, environ: Mapping[str, str] | None = None) -> None:
        self.program = program
        self.environ: Mapping[str, str] = os.environ if environ is None else environ

    def write(self, lines: Iterable[str]) -> None:
        """Write lines, given without their ends, to standard output."""
        out = _stdout()
        for line in lines:
            out.write(_encode(line) + b"\n")
        out.flush()

    def write_bytes(self, body: bytes) -> None:
        """Write bytes to standard output as they are."""
        out = _stdout()
        out.write(body)
        out.flush()

    def say(self, line: str) -> None:
        """Write one line to standard error as it is."""
        if sys.stderr is not None:
            sys.stderr.buffer.write(_encode(line) + b"\n")
            sys.stderr.buffer.flush()

    def note(self, text: str) -> None:
        """Tell the user something worth knowing."""
        self.say(f"{self.program}: note: {_visible(text)}")

    def warn(self, text: str) -> None:
        """Tell the user that something is not as it should be."""
        self.say(f"{self.program}: warning: {_visible(text)}")

    @property
    def is_terminal(self) -> bool:
        """Whether standard output is a terminal."""
        return sys.stdout is not None and sys.stdout.isatty()


def _stdout() -> "BinaryIO":
    if sys.stdout is None:  # closed before the start
        raise BrokenPipeError
    return sys.stdout.buffer


def _encode(line: str) -> bytes:
    try:
        return line.encode()
    except UnicodeEncodeError:
        return line.encode("utf-16", "surrogatepass").decode("utf-16", "replace").encode()


def _visible(text: str) -> str:
    if text.isprintable():
        return text
    from sessionizer.base.text import visible

    return visible(text)
