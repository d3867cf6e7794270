"""Whether the landed rows of one growing source follow each other without a gap. Pure.

Source: docs/formats/verification.md, "Contiguity".
"""

from collections.abc import Iterable

from msgspec import Struct

from sessionizer.landing.record import Row


class Contiguity(Struct, frozen=True, kw_only=True):
    """What was found: rows seen, rows that had landed before, and problems in order."""

    rows: int
    repeated: int
    problems: tuple[str, ...]


class _Position(Struct, frozen=True):
    """A row's place: line, offset, length, and its ordinal on a shared line, from 1."""

    ord: int
    off: int
    size: int
    glued: int


class _Seen(Struct, frozen=True):
    off: int
    sha: str


def check_contiguity(files: Iterable[tuple[str, tuple[Row, ...]]]) -> Contiguity:
    """Check the rows of the landed files of one source, given by name in seq order.

    A row that stood before with the same offset and digest is counted as repeated; after
    it contiguity goes on from the highest row. Each problem begins with the file's name.
    """
    last: _Position | None = None
    host: Row | None = None
    seen: dict[tuple[int, int], _Seen] = {}
    rows_seen = repeated = 0
    problems: list[str] = []
    for name, rows in files:
        for row in rows:
            rows_seen += 1
            if row.carried:
                if host is None or not _lies_inside(row, host):
                    problems.append(f"{name}: byte gap: carried bytes at {row.off} lie elsewhere")
                continue
            host = row
            here = _Position(row.ord, row.off, row.bytes, row.glued or 1)
            known = seen.get((here.ord, here.glued))
            if known is not None:
                if known == _Seen(row.off, row.sha):
                    repeated += 1
                else:
                    problems.append(f"{name}: rewritten: line {row.ord} landed with other bytes")
                continue
            if problem := _gap(last, here):
                problems.append(f"{name}: {problem}")
            seen[here.ord, here.glued] = _Seen(row.off, row.sha)
            if last is None or (here.ord, here.glued) > (last.ord, last.glued):
                last = here
    return Contiguity(rows=rows_seen, repeated=repeated, problems=tuple(problems))


def _lies_inside(row: Row, host: Row) -> bool:
    return host.off <= row.off and row.off + row.bytes <= host.off + host.bytes


def _gap(last: _Position | None, here: _Position) -> str:
    """What is wrong with `here` after `last`; empty when it joins on."""
    if last is not None and here.ord == last.ord:
        if here.glued != last.glued + 1:
            return f"ord gap: part {here.glued} of line {here.ord} follows part {last.glued}"
        end = last.off + last.size
        return "" if here.off == end else f"byte gap: {here.off} where {end} was expected"
    line = 1 if last is None else last.ord + 1
    if here.ord != line or here.glued != 1:
        return f"ord gap: line {here.ord} where {line} was expected"
    end = 0 if last is None else last.off + last.size + 1
    return "" if here.off == end else f"byte gap: {here.off} where {end} was expected"
