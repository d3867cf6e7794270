"""`asz index` as text."""

from collections.abc import Iterator, Sequence

from sessionizer.asz.commands.index.query import IndexSummary
from sessionizer.base.text import normalise, visible
from sessionizer.cli.table import render_table

_HEADER = ("SESSION", "ENTRIES", "BLOCKS", "STREAMS", "STRINGS", "INDEXED_SEQ")
_SAMPLE_HEADER = ("SEQ", "ROW", "KIND", "STREAM", "RECORD", "CALL")


def render(summaries: Sequence[IndexSummary]) -> Iterator[str]:
    """A row per session, then the total."""
    rows = [
        (one.session, one.entries, one.blocks, one.streams, one.strings, one.indexed_seq)
        for one in summaries
    ]
    yield from render_table(_HEADER, rows)
    entries = sum(one.entries for one in summaries)
    blocks = sum(one.blocks for one in summaries)
    yield f"total: {entries} entries, {blocks} joinable blocks"


def render_detail(one: IndexSummary) -> Iterator[str]:
    """What one session's records are made of."""
    yield from render((one,))
    yield "record kinds:"
    yield from (f"  {count:>6}  {kind}" for kind, count in one.kinds)
    yield f"tool_use blocks: {one.tool_uses}, tool_result blocks: {one.tool_results}"
    mean = one.fragments / one.calls if one.calls else 0.0
    yield (
        f"provider calls: {one.calls} distinct message ids over {one.fragments} fragment records "
        f"(mean {mean:.2f})"
    )
    yield (
        f"identity coverage: uuid={one.with_record_id} run={one.with_run} of {one.entries} entries"
    )
    if one.tools:
        yield "most used tools:"
        yield from (f"  {count:>6}  {visible(normalise(name))}" for name, count in one.tools)
    yield "sample entries:"
    rows = [
        (entry.seq, entry.row, entry.kind, entry.stream or "-", entry.record, entry.call)
        for entry in one.samples
    ]
    yield from render_table(_SAMPLE_HEADER, [[visible(str(cell)) for cell in row] for row in rows])


def problem_line(session: str, problem: str) -> str:
    """Why a session has no index."""
    return f"  {session}: {visible(problem)}"
