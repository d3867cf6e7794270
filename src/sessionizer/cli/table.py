"""Tables for people: left-aligned columns, two blanks between them."""

from collections.abc import Iterator, Sequence


def render_table(header: Sequence[str], rows: Sequence[Sequence[object]]) -> Iterator[str]:
    """The header and the rows as lines, each column as wide as its widest cell."""
    cells = [list(header), *([str(cell) for cell in row] for row in rows)]
    widths = [max(len(row[column]) for row in cells) for column in range(len(header))]
    for row in cells:
        padded = (f"{cell:<{width}}" for cell, width in zip(row, widths, strict=True))
        yield "  ".join(padded).rstrip()
