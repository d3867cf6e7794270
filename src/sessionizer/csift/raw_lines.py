"""Lines of a transcript exactly as they stand in it."""

from collections.abc import Iterable

from sessionizer.base.text import visible
from sessionizer.cli.context import Context


def write_raw_lines(bodies: Iterable[bytes], context: Context) -> None:
    """Write lines, given with or without their ends; on a terminal control characters are spelled.

    A pipe gets the exact bytes, and a newline after each line.
    """
    spelled = False
    for body in bodies:
        line = body.removesuffix(b"\n")
        if context.is_terminal:
            line = visible(line.decode("utf-8", "replace"), keep="\t").encode()
            spelled = True
        context.write_bytes(line + b"\n")
    if spelled:
        context.note("control characters are shown as escapes on a terminal; a pipe is exact")
