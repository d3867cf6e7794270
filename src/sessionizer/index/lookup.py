"""Questions to the canonical entries of one session: by id, and by descent.

Every question is answered from the entries given, so an answer never looks past a watermark.
"""

from collections.abc import Callable, Iterable, Sequence
from functools import cached_property

from msgspec import Struct

from sessionizer.index.entry import Entry


class Site(Struct, frozen=True, gc=False):
    """One part of a record: the entry, and the part's number from 0."""

    entry: Entry
    block: int


class Lookup:
    """Look-ups over canonical entries in source order; each is built when first asked for.

    Attributes:
        entries: What is looked up in.
    """

    def __init__(self, entries: Sequence[Entry]) -> None:
        self.entries = entries
        self._runs: dict[str, str] = {}

    @cached_property
    def by_record(self) -> dict[str, Entry]:
        """The entry with a record id; of several that share it by accident, the first."""
        found: dict[str, Entry] = {}
        for entry in self.entries:
            if entry.record:
                found.setdefault(entry.record, entry)
        return found

    @cached_property
    def by_call(self) -> dict[str, tuple[Entry, ...]]:
        """Entries with a provider call's key."""
        return _grouped(self.entries, lambda entry: entry.call)

    @cached_property
    def by_batch(self) -> dict[str, tuple[Entry, ...]]:
        """Entries that name a batch."""
        return _grouped(self.entries, lambda entry: entry.batch)

    @cached_property
    def by_stream(self) -> dict[str, tuple[Entry, ...]]:
        """Entries of a stream, as landed: side chains are still in `main`."""
        return _grouped(self.entries, lambda entry: entry.stream)

    @cached_property
    def by_run(self) -> dict[str, tuple[Entry, ...]]:
        """Entries that state a run of their own."""
        return _grouped(self.entries, lambda entry: entry.run)

    @cached_property
    def by_tool(self) -> dict[str, tuple[Entry, ...]]:
        """Entries about a tool use, beside those that hold its blocks."""
        return _grouped(self.entries, lambda entry: entry.tool)

    @cached_property
    def by_child(self) -> dict[str, tuple[Entry, ...]]:
        """Entries about a child."""
        return _grouped(self.entries, lambda entry: entry.child)

    @cached_property
    def tool_blocks(self) -> dict[str, tuple[Site, ...]]:
        """Requests and results with a tool id."""
        found: dict[str, list[Site]] = {}
        for entry in self.entries:
            for number, block in enumerate(entry.blocks):
                if block.tool:
                    found.setdefault(block.tool, []).append(Site(entry, number))
        return {tool: tuple(sites) for tool, sites in found.items()}

    def run_of(self, entry: Entry) -> str:
        """The run of `entry`: its own, else that of its nearest ancestor with one, else none."""
        return entry.run or (self._run_of_record(entry.parent) if entry.parent else "")

    def _run_of_record(self, record: str) -> str:
        runs = self._runs
        trail: list[str] = []
        run = ""
        while record:
            known = runs.get(record)
            if known is not None:
                run = known
                break
            entry = self.by_record.get(record)
            if entry is None:
                break
            # Marked before going on: parents that lead in a circle end here, without a run.
            runs[record] = ""
            trail.append(record)
            if entry.run:
                run = entry.run
                break
            record = entry.parent
        for visited in trail:
            runs[visited] = run
        return run


def _grouped(entries: Iterable[Entry], key: Callable[[Entry], str]) -> dict[str, tuple[Entry, ...]]:
    groups: dict[str, list[Entry]] = {}
    for entry in entries:
        value = key(entry)
        if value:
            groups.setdefault(value, []).append(entry)
    return {value: tuple(group) for value, group in groups.items()}
