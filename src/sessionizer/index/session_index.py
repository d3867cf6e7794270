"""The index of one session: read what is stored, and close the gap to what has landed.

The landed files are the authority. What the store lacks, or holds in a form this program
does not read, is made from them again.
"""

from collections.abc import Iterator

from msgspec import Struct

from sessionizer.base.errors import SessionizerError
from sessionizer.base.instants import format_instant_ns
from sessionizer.index.build import entries_of
from sessionizer.index.entry import Entry
from sessionizer.index.errors import NoLandedRecordsError
from sessionizer.index.store import IndexStore, StoredIndex
from sessionizer.landing.session_data import read_header, read_landed
from sessionizer.landing.zone import LandedFile, Zone


class Index(Struct, frozen=True, kw_only=True):
    """What has landed of one session.

    Attributes:
        entries: In (seq, row) order; never empty.
        indexed_seq: The last landed file covered, from 1.
        dialect: The dialect of the landed files.
    """

    entries: tuple[Entry, ...]
    indexed_seq: int
    dialect: str


def load_index(zone: Zone, session: str) -> Index:
    """The index of everything landed, without writing anything and without a lock.

    Raises:
        NoLandedRecordsError: Nothing has landed.
        DamagedFileError: A landed file that is not in the stored index can not be read.
    """
    landed, dialect = _landed(zone, session)
    stored = _store(zone, session).read(dialect=dialect)
    entries = list(stored.entries)
    for _, found in _iter_entries(landed, stored.indexed_seq):
        entries += found
    return Index(
        entries=tuple(entries),
        indexed_seq=max(landed[-1].seq, stored.indexed_seq),
        dialect=dialect,
    )


def update_index(zone: Zone, session: str, *, now_ns: int, rebuild: bool = False) -> Index:
    """Bring the stored index up to date and return it. The caller holds the session's lock.

    With `rebuild` nothing stored is trusted. When a landed file can not be read, what lies
    below it is indexed all the same.

    Raises:
        NoLandedRecordsError: Nothing has landed.
        DamagedFileError: A landed file can not be read.
    """
    landed, dialect = _landed(zone, session)
    store = _store(zone, session)
    if rebuild:
        store.clear()
    before = store.read(dialect=dialect)
    entries: list[Entry] = []
    through, failure = before.indexed_seq, None
    try:
        for seq, found in _iter_entries(landed, before.indexed_seq):
            entries += found
            through = seq
    except SessionizerError as error:
        failure = error
    stored = before
    if through > before.indexed_seq:
        stored = store.append(before, tuple(entries), through=through, dialect=dialect)
    if stored is not before or not store.state_path.exists():
        _write_state(store, stored, now_ns, is_new=not before.paths)
    if failure is not None:
        raise failure
    return Index(entries=stored.entries, indexed_seq=stored.indexed_seq, dialect=dialect)


def _write_state(store: IndexStore, stored: StoredIndex, now_ns: int, *, is_new: bool) -> None:
    if store.directory.is_dir():
        store.write_state(stored, now=format_instant_ns(now_ns), is_new=is_new)


def _landed(zone: Zone, session: str) -> tuple[tuple[LandedFile, ...], str]:
    landed = zone.landed(session)
    if not landed:
        raise NoLandedRecordsError(session)
    # One session is read in one dialect, so the newest file speaks for all.
    return landed, read_header(landed[-1].path).dialect


def _store(zone: Zone, session: str) -> IndexStore:
    return IndexStore(zone.session_directory(session))


def _iter_entries(
    landed: tuple[LandedFile, ...], above: int
) -> Iterator[tuple[int, tuple[Entry, ...]]]:
    for file in landed:
        if file.seq > above:
            read = read_landed(file.path)
            yield file.seq, entries_of(read.header, read.rows, seq=file.seq)
