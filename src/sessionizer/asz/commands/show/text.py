"""`asz show` as text."""

from collections.abc import Iterable, Iterator, Sequence

from msgspec import Struct

from sessionizer.asz.commands.show.query import Found, FoundBlock, FoundRecord
from sessionizer.base.text import truncate, visible
from sessionizer.landing.record import Header, Part, Row

_SHOWN_CHARACTERS = 300


class Shown(Struct, frozen=True, kw_only=True):
    """A record as it stands in its landed file; `file` is that file's path below the root."""

    found: FoundRecord
    file: str
    header: Header
    row: Row


def render(wanted: str, found: Found, records: Sequence[Shown]) -> Iterator[str]:
    """The blocks of a tool-use id, then every record, one empty line before each."""
    if found.blocks:
        yield from _render_blocks(wanted, found.blocks)
    for number, shown in enumerate(records):
        if number or found.blocks:
            yield ""
        yield from _render_record(shown)


def _render_blocks(wanted: str, blocks: Sequence[FoundBlock]) -> Iterator[str]:
    copies = sum(each.is_copy for each in blocks)
    beside = f", {copies} more in copies" if copies else ""
    yield f"tool-use id {visible(wanted)} resolves to {len(blocks) - copies} block(s){beside}"
    for each in blocks:
        entry = each.entry
        yield (
            f"  {each.block.kind:<11}  part {each.number} of {entry.seq}.{entry.row}"
            f"  stream {visible(entry.stream) or '-'}"
            + (f"  {visible(each.block.name)}" if each.block.name else "")
            + ("  (copy)" if each.is_copy else "")
        )


def _render_record(shown: Shown) -> Iterator[str]:
    entry, row = shown.found.entry, shown.row
    yield (
        f"record {visible(row.id) or '(no id)'}  seq {entry.seq}, row {entry.row}"
        f"  stream {visible(entry.stream) or '-'}" + ("  (copy)" if shown.found.is_copy else "")
    )
    glued = f", part {row.glued} of its line" if row.glued else ""
    carried = ", carried by the record before" if row.carried else ""
    fields = (
        ("file", shown.file),
        ("source", shown.header.src),
        ("at", f"ord {row.ord}, off {row.off}, sha {row.sha}, bytes {row.bytes}{glued}{carried}"),
        ("from", row.origin or "-"),
        ("time", row.time or "-"),
        ("trigger", row.trigger or "-"),
        ("flags", ", ".join(row.flags) or "-"),
    )
    yield from (f"  {name:<8} {visible(value)}" for name, value in fields)
    yield from _render_parts(row.parts)
    for drop in row.dropped:
        why = f": {visible(drop.why)}" if drop.why else ""
        yield f"  dropped  {visible(drop.what)}, {drop.bytes} bytes{why}"


def _render_parts(parts: Iterable[Part]) -> Iterator[str]:
    for number, part in enumerate(parts):
        names = " ".join(visible(word) for word in (part.name, part.id or part.of) if word)
        said = {True: ", failed", False: ", did not fail", None: ""}[part.failed]
        media = f", {visible(part.media)}" if part.media else ""
        yield (
            f"  part {number:<3} {part.k}{' ' if names else ''}{names}, "
            f"{part.state or 'no state'}, {part.bytes} bytes{media}{said}"
        )
        for name, content in (
            ("text", part.text),
            ("data", bytes(part.data).decode("utf-8", "replace")),
        ):
            if content:
                yield f"    {name}   {visible(truncate(content, _SHOWN_CHARACTERS))}"
