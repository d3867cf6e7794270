"""One pass over every configured home, index included: the work behind `collect` and `up`."""

import time
from collections.abc import Callable

from msgspec import Struct

from sessionizer.adapters.claude_code_local.collect import collect_once, never
from sessionizer.adapters.claude_code_local.session_pass import Indexed
from sessionizer.adapters.claude_code_local.sources import AdapterConfig
from sessionizer.adapters.claude_code_local.tally import PassReport
from sessionizer.asz.settings import Source
from sessionizer.index.errors import NoLandedRecordsError
from sessionizer.index.session_index import update_index
from sessionizer.landing.zone import LandedFile, Zone


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


def collect_pass(
    source: Source,
    zone: Zone,
    *,
    flush_tails: bool = False,
    should_stop: Callable[[], bool] = never,
) -> CollectedPass:
    """Keep what is new below one source root and bring the indexes up to date.

    Raises:
        MissingProjectsError: The source root does not exist or cannot be listed.
    """
    began_ns = time.monotonic_ns()
    touched: set[str] = set()

    def on_landed(session: str, files: tuple[LandedFile, ...]) -> Indexed | None:
        if not files and zone.highest_indexed_seq(session) >= zone.highest_seq(session):
            return None
        touched.add(session)
        return _catch_up(zone, session, files)

    report = collect_once(
        adapter_config(source),
        zone,
        now_ns=time.time_ns,
        on_landed=on_landed,
        flush_tails=flush_tails,
        should_stop=should_stop,
    )
    return CollectedPass(
        source=source,
        report=report,
        touched=frozenset(touched),
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


def _catch_up(zone: Zone, session: str, files: tuple[LandedFile, ...]) -> Indexed | None:
    above = zone.highest_indexed_seq(session)
    own = {file.seq for file in files}
    try:
        index = update_index(zone, session, now_ns=time.time_ns())
    except NoLandedRecordsError:
        return None
    late = sum(entry.seq > above and entry.seq not in own for entry in index.entries)
    return Indexed(entries=len(index.entries), reindexed=late)
