"""Passes over every configured home, index included: the work behind `collect` and `up`."""

import time
from collections.abc import Callable, Iterator, Sequence

from msgspec import Struct

from sessionizer.adapters.claude_code_local.collect import collect_once, never, unseen
from sessionizer.adapters.claude_code_local.memory import PassMemory, memory_path
from sessionizer.adapters.claude_code_local.session_pass import Handover, Indexed
from sessionizer.adapters.claude_code_local.sources import (
    AdapterConfig,
    Selection,
    select_sessions,
)
from sessionizer.adapters.claude_code_local.tally import PassReport, Reached
from sessionizer.asz.settings import Source
from sessionizer.base.errors import SessionizerError
from sessionizer.claude_code.discovery import discover
from sessionizer.index.errors import NoLandedRecordsError
from sessionizer.index.session_index import extend_index
from sessionizer.landing.zone import Zone


class CollectedPass(Struct, frozen=True, kw_only=True):
    """What a pass over one home did.

    Attributes:
        touched: Sessions of which something landed or was indexed.
        elapsed_ns: How long it took.
    """

    source: Source
    report: PassReport
    touched: frozenset[str]
    elapsed_ns: int


class FailedPass(Struct, frozen=True, kw_only=True):
    """A home that could not be looked into at all."""

    source: Source
    error: SessionizerError | OSError


class Collector:
    """Passes over the configured homes; remembers from pass to pass which sessions rest.

    A session that several homes have is collected from the first of them.
    """

    def __init__(self, sources: Sequence[Source], zone: Zone) -> None:
        self._sources = tuple(sources)
        self._zone = zone
        self._memories = tuple(
            PassMemory(memory_path(zone, source.projects_root)) for source in self._sources
        )

    def run_pass(
        self,
        *,
        flush_tails: bool = False,
        accepts: Callable[[str], bool] = never,
        should_stop: Callable[[], bool] = never,
        on_reached: Callable[[Reached], None] = unseen,
    ) -> Iterator[CollectedPass | FailedPass]:
        """Keep what is new in each home, in order, and bring the indexes up to date."""
        elsewhere = sessions_elsewhere(self._sources)
        for source, memory, others in zip(self._sources, self._memories, elsewhere, strict=True):
            began_ns = time.monotonic_ns()
            indexer = _Indexer(self._zone)
            try:
                report = collect_once(
                    adapter_config(source),
                    self._zone,
                    now_ns=time.time_ns,
                    on_landed=indexer.catch_up,
                    flush_tails=flush_tails,
                    accepts=accepts,
                    should_stop=should_stop,
                    memory=memory,
                    elsewhere=others,
                    on_reached=on_reached,
                )
            except (SessionizerError, OSError) as error:
                yield FailedPass(source=source, error=error)
                continue
            yield CollectedPass(
                source=source,
                report=report,
                touched=frozenset(report.touched),
                elapsed_ns=time.monotonic_ns() - began_ns,
            )


def adapter_config(source: Source) -> AdapterConfig:
    """What the adapter needs to know of a configured source."""
    adapter = source.adapter
    return AdapterConfig(
        source_root=source.projects_root,
        include=adapter.include,
        exclude=adapter.exclude,
        max_delta_bytes=adapter.collector.max_delta_bytes,
    )


def sessions_elsewhere(sources: Sequence[Source]) -> tuple[frozenset[str], ...]:
    """Per home the sessions that are another home's to collect, or to leave out."""
    if len(sources) < 2:
        return (frozenset(),) * len(sources)
    selections = [_select(source) for source in sources]
    owners: dict[str, int] = {}
    for number, selection in enumerate(selections):
        for each in selection.sessions:
            owners.setdefault(each.session, number)
    left_out = {session for selection in selections for session in selection.left_out}
    return tuple(
        frozenset(session for session, owner in owners.items() if owner != number)
        | (left_out - owners.keys())
        for number in range(len(sources))
    )


def _select(source: Source) -> Selection:
    config = adapter_config(source)
    try:
        return select_sessions(discover(str(config.source_root)), config)
    except (SessionizerError, OSError):  # its own pass says why
        return Selection(sessions=(), left_out=frozenset())


class _Indexer:
    """Brings the index of a session up to date after its cursors are written."""

    def __init__(self, zone: Zone) -> None:
        self._zone = zone

    def catch_up(self, given: Handover) -> Indexed | None:
        above = self._zone.highest_indexed_seq(given.session)
        if not given.fresh and above >= given.highest_seq:
            return None
        own = {file.seq for file in given.fresh}
        try:
            extended = extend_index(
                self._zone, given.session, given.landed, given.drafts, now_ns=time.time_ns()
            )
        except NoLandedRecordsError:
            return None
        late = sum(count for seq, count in extended.added if seq > above and seq not in own)
        return Indexed(entries=extended.entries, reindexed=late)
