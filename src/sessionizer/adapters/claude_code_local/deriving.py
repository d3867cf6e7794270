"""Rows of kept bytes: the one place where bytes become Session Data.

Collection and re-derivation both go through here, so that a lost `.sd` comes back byte for
byte.
"""

from typing import Final

from sessionizer.adapters.claude_code_local.contract import DIALECT, SourceContext
from sessionizer.adapters.claude_code_local.convert import (
    convert_history_line,
    convert_kept_file,
    convert_line,
    convert_snapshot,
)
from sessionizer.adapters.claude_code_local.sources import INTERNAL_ROLE, MAIN_STREAM
from sessionizer.claude_code.lines import iter_lines
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
    lines = iter_lines(body, offset=off, number=ord)
    if header.kind == HISTORY:
        return tuple(
            row
            for line in lines
            for row in convert_history_line(
                line.body, ord=line.number, off=line.offset, first=line.offset == 0
            )
        )
    context = context_of(header)
    if header.kind in _GROWING:
        return tuple(
            row
            for line in lines
            for row in convert_line(
                context, line.body, ord=line.number, off=line.offset, first=line.offset == 0
            )
        )
    return convert_snapshot(context, strip_snapshot(body))


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
