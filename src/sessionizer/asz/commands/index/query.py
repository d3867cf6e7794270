"""An index in numbers."""

from collections import Counter

from msgspec import Struct

from sessionizer.index.entry import Entry
from sessionizer.index.session_index import Index

_TOOLS_SHOWN = 8
_SAMPLES = 12
_SAMPLES_PER_STREAM = 2


class IndexSummary(Struct, frozen=True, kw_only=True):
    """What `asz index` shows of one session.

    Attributes:
        strings: Distinct non-empty identifiers.
        kinds, tools: Counts, largest first, then by name; `tools` holds the most used.
        samples: A few entries, at most two per stream.
    """

    session: str
    entries: int
    blocks: int
    streams: int
    strings: int
    indexed_seq: int
    kinds: tuple[tuple[str, int], ...]
    tool_uses: int
    tool_results: int
    calls: int
    fragments: int
    with_record_id: int
    with_run: int
    tools: tuple[tuple[str, int], ...]
    samples: tuple[Entry, ...]


def summarise(session: str, index: Index) -> IndexSummary:
    """Count one index."""
    entries = index.entries
    blocks = [block for entry in entries for block in entry.blocks]
    fragments = [entry for entry in entries if entry.kind == "assistant" and entry.call]
    return IndexSummary(
        session=session,
        entries=len(entries),
        blocks=len(blocks),
        streams=len({entry.stream for entry in entries if entry.stream}),
        strings=len(_identifiers(entries)),
        indexed_seq=index.indexed_seq,
        kinds=_ranked(Counter(entry.kind for entry in entries)),
        tool_uses=sum(block.kind == "tool_use" for block in blocks),
        tool_results=sum(block.kind == "tool_result" for block in blocks),
        calls=len({entry.call for entry in fragments}),
        fragments=len(fragments),
        with_record_id=sum(bool(entry.record) for entry in entries),
        with_run=sum(bool(entry.run) for entry in entries),
        tools=_ranked(Counter(block.name for block in blocks if block.kind == "tool_use"))[
            :_TOOLS_SHOWN
        ],
        samples=_sample(entries),
    )


def _identifiers(entries: tuple[Entry, ...]) -> set[str]:
    found = {
        text
        for entry in entries
        for text in (entry.record, entry.parent, entry.call, entry.run, entry.tool, entry.child)
    }
    found.update(block.tool for entry in entries for block in entry.blocks)
    found.discard("")
    return found


def _ranked(counts: Counter[str]) -> tuple[tuple[str, int], ...]:
    return tuple(sorted(counts.items(), key=lambda pair: (-pair[1], pair[0])))


def _sample(entries: tuple[Entry, ...]) -> tuple[Entry, ...]:
    taken: Counter[str] = Counter()
    samples: list[Entry] = []
    for entry in entries:
        if taken[entry.stream] < _SAMPLES_PER_STREAM and len(samples) < _SAMPLES:
            taken[entry.stream] += 1
            samples.append(entry)
    return tuple(samples)
