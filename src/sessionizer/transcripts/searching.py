"""Search any number of transcripts, on as many processors as there are.

Found exchanges go to spools; what stays in memory per exchange is where it is kept and what
ordering, folding and counting need.
"""

# ruff: noqa: PTH116

import os
from collections.abc import Iterable, Iterator, Sequence
from typing import Self

import msgspec
from msgspec import Struct

from sessionizer.transcripts.damage import Damage
from sessionizer.transcripts.exchanges import Exchange
from sessionizer.transcripts.family import Families
from sessionizer.transcripts.files import TranscriptFile
from sessionizer.transcripts.forking import run_forked
from sessionizer.transcripts.query import Query
from sessionizer.transcripts.scanner import Scanner
from sessionizer.transcripts.search_file import search_file
from sessionizer.transcripts.spool import Slot, Spool

MAX_PROCESSES = 8
# Below this much to read a second process costs more than it saves.
FORK_BYTES = 32 * 1024 * 1024


class Entry(Struct, frozen=True, kw_only=True, gc=False):
    """An exchange that was found, without its texts.

    Attributes:
        file: Which of the files, from 0.
        spool: Which spool keeps it.
        slot: Where in it.
        start_ns: When it starts; None when undated.
        session_id, parent_session_id: Whose turn it is.
        is_draft: Whether it is a superseded draft.
        clipped: Whether any excerpt leaves something out.
        digests: Of its hits; see `Hit`.
    """

    file: int
    spool: int
    slot: Slot
    start_ns: int | None
    session_id: str
    parent_session_id: str
    is_draft: bool
    clipped: bool
    digests: tuple[int, ...]


class FileReport(Struct, frozen=True, kw_only=True, gc=False):
    """What one file gave.

    Attributes:
        file: Which of the files, from 0.
        entries: Its exchanges, in order.
        skipped, repaired, recovered, undecided: See `Damage`.
        with_sidecar: Whether a question waits beside it.
        unreadable: Why it could not be read; None when it could.
    """

    file: int
    entries: tuple[Entry, ...] = ()
    skipped: int = 0
    repaired: int = 0
    recovered: int = 0
    undecided: int = 0
    with_sidecar: bool = False
    unreadable: str | None = None


_DECODER = msgspec.msgpack.Decoder(list[FileReport])


class Results:
    """What a search found in all files; a context, at whose end what it keeps is let go.

    Attributes:
        files: The files, in order.
        entries: The exchanges, by file, then in order of the file.
        damage: Over all files.
        with_sidecar: Whether a question waits beside any of them.
        unreadable: Files that could not be read, each with the reason.
    """

    def __init__(
        self,
        files: Sequence[TranscriptFile],
        reports: Iterable[FileReport],
        spools: Sequence[Spool],
    ) -> None:
        ordered = sorted(reports, key=lambda report: report.file)
        self.files = tuple(files)
        self.entries = tuple(entry for report in ordered for entry in report.entries)
        self.damage = Damage()
        self.damage.skipped = sum(report.skipped for report in ordered)
        self.damage.repaired = sum(report.repaired for report in ordered)
        self.damage.recovered = sum(report.recovered for report in ordered)
        self.damage.undecided = sum(report.undecided for report in ordered)
        self.with_sidecar = any(report.with_sidecar for report in ordered)
        self.unreadable = tuple(
            (files[report.file].path, report.unreadable)
            for report in ordered
            if report.unreadable is not None
        )
        self._spools = tuple(spools)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_error: object) -> None:
        for spool in self._spools:
            spool.close()

    def iter_exchanges(self, entries: Iterable[Entry]) -> Iterator[Exchange]:
        """Exchanges with their texts, read one by one."""
        return map(self.read, entries)

    def read(self, entry: Entry) -> Exchange:
        """An exchange with its texts."""
        return self._spools[entry.spool].read(entry.slot)


def search_files(
    files: Sequence[TranscriptFile],
    query: Query,
    families: Families,
    *,
    processes: int | None = None,
) -> Results:
    """Search all files. One that cannot be read is reported, and the others are answered.

    Args:
        files: In the order in which equal starts are shown.
        query: What is asked for.
        families: What is known of their sessions.
        processes: How many to use; None for one per processor, if there is enough to read.
    """
    sizes = [size_of(file.path) for file in files]
    shares = share_out(sizes, choose_processes(sizes) if processes is None else processes)
    workers = [
        _Worker(files, share, number, query, families, shared=len(shares) > 1)
        for number, share in enumerate(shares)
    ]
    answers = run_forked([worker.run for worker in workers])
    reports = [report for answer in answers for report in _DECODER.decode(answer)]
    return Results(files, reports, [worker.spool for worker in workers])


def share_out(sizes: Sequence[int], count: int) -> list[list[int]]:
    """Spread positions over `count` shares of nearly equal size, the largest first.

    Within a share the order is that of the positions.
    """
    shares: list[list[int]] = [[] for _ in range(max(1, min(count, len(sizes))))]
    totals = [0] * len(shares)
    for position in sorted(range(len(sizes)), key=lambda one: -sizes[one]):
        lightest = totals.index(min(totals))
        shares[lightest].append(position)
        totals[lightest] += sizes[position]
    return [sorted(share) for share in shares]


class _Worker:
    """Searches a share of the files, in a process of its own when there are several."""

    def __init__(
        self,
        files: Sequence[TranscriptFile],
        share: Sequence[int],
        number: int,
        query: Query,
        families: Families,
        *,
        shared: bool,
    ) -> None:
        self.files = files
        self.share = share
        self.number = number
        self.query = query
        self.families = families
        self.spool = Spool(shared=shared)

    def run(self) -> bytes:
        """Search; the reports, encoded."""
        scanner = Scanner(self.query)
        reports = [self.search(position, scanner) for position in self.share]
        self.spool.flush()
        return msgspec.msgpack.encode(reports)

    def search(self, position: int, scanner: Scanner) -> FileReport:
        file = self.files[position]
        try:
            result = search_file(file, scanner, self.families.of(file))
        except OSError as error:
            return FileReport(file=position, unreadable=error.strerror or type(error).__name__)
        return FileReport(
            file=position,
            entries=tuple(self.keep(position, exchange) for exchange in result.exchanges),
            skipped=result.damage.skipped,
            repaired=result.damage.repaired,
            recovered=result.damage.recovered,
            undecided=result.damage.undecided,
            with_sidecar=result.with_sidecar,
        )

    def keep(self, position: int, exchange: Exchange) -> Entry:
        return Entry(
            file=position,
            spool=self.number,
            slot=self.spool.write(exchange),
            start_ns=exchange.start_ns,
            session_id=exchange.session_id,
            parent_session_id=exchange.parent_session_id,
            is_draft=exchange.turn is None,
            clipped=any(hit.clipped for hit in exchange.hits),
            digests=tuple(hit.digest for hit in exchange.hits),
        )


def choose_processes(sizes: Sequence[int]) -> int:
    """How many processes files of these sizes are worth."""
    if sum(sizes) < FORK_BYTES:
        return 1
    return min(os.cpu_count() or 1, MAX_PROCESSES)


def size_of(path: str) -> int:
    """The size of a file in bytes; 0 when it is not there."""
    try:
        return os.stat(path).st_size
    except OSError:
        return 0
