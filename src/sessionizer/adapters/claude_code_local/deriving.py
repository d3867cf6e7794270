"""Rows of kept bytes: the one place where bytes become Session Data.

Collection and re-derivation both go through here, so that a lost `.sd` comes back byte for
byte.
"""

from collections.abc import Callable
from functools import partial
from typing import Final

from sessionizer.adapters.claude_code_local.contract import DIALECT, SourceContext
from sessionizer.adapters.claude_code_local.convert import (
    convert_history_line,
    convert_kept_file,
    convert_line,
    convert_snapshot,
)
from sessionizer.adapters.claude_code_local.sources import INTERNAL_ROLE, MAIN_STREAM
from sessionizer.landing.derive import Dialect
from sessionizer.landing.raw import Label, RawDelta
from sessionizer.landing.record import (
    FILE,
    HISTORY,
    JOURNAL,
    JOURNAL_TAIL,
    TRANSCRIPT,
    TRANSCRIPT_TAIL,
    Header,
    Row,
)
from sessionizer.landing.snapshots import strip_snapshot

# The tail of a source is converted as a line of it.
_GROWING: Final = {
    TRANSCRIPT: TRANSCRIPT,
    TRANSCRIPT_TAIL: TRANSCRIPT,
    JOURNAL: JOURNAL,
    JOURNAL_TAIL: JOURNAL,
}


def derive_rows(header: Header, body: bytes, *, ord: int, off: int) -> tuple[Row, ...]:  # noqa: A002
    """Rows of consumed bytes whose first line is line `ord` at offset `off` of the source."""
    if header.kind == HISTORY:
        return _convert_lines(body, convert_history_line, ord=ord, off=off)
    context = context_of(header)
    if header.kind in _GROWING:
        return _convert_lines(body, partial(convert_line, context), ord=ord, off=off)
    return convert_snapshot(context, strip_snapshot(body))


def _convert_lines(
    body: bytes,
    convert: Callable[..., tuple[Row, ...]],
    *,
    ord: int,  # noqa: A002 - the format's word
    off: int,
) -> tuple[Row, ...]:
    lines = body.split(b"\n")
    if not lines[-1]:  # nothing follows a final newline
        lines.pop()
    rows: list[Row] = []
    for number, line in enumerate(lines, start=ord):
        rows += convert(line, ord=number, off=off, first=off == 0)
        off += len(line) + 1
    return tuple(rows)


def derive_file_rows(header: Header, *, size: int, sha256: str) -> tuple[Row, ...]:
    """The row of a kept file, whose content stays in the raw file."""
    return convert_kept_file(header.src.rpartition("/")[2], size, sha256)


def context_of(header: Header) -> SourceContext:
    """Which source a header stands for, as conversion asks for it."""
    stream = header.stream or ""
    return SourceContext(
        kind=_GROWING.get(header.kind, header.kind),
        stream=stream,
        batch=header.batch or "",
        main=stream == MAIN_STREAM,
        internal=header.role == INTERNAL_ROLE,
    )


def _derive(delta: RawDelta) -> tuple[Row, ...]:
    label: Label = delta.label
    if label.header.kind == FILE:
        return derive_file_rows(label.header, size=label.bytes, sha256=label.sha256)
    return derive_rows(label.header, delta.body, ord=label.ord, off=label.off)


CLAUDE_CODE: Final = Dialect(name=DIALECT, number=int(DIALECT.rpartition("/")[2]), derive=_derive)
