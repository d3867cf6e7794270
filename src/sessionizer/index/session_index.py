"""The index of one session: read what is stored, and close the gap to what has landed.

The landed files are the authority. What the store lacks, or holds in a form this program
does not read, is made from them again.
"""

from collections.abc import Iterable, Iterator, Sequence

from msgspec import Struct

from sessionizer.base.errors import SessionizerError
from sessionizer.base.instants import format_instant_ns
from sessionizer.index.build import entries_of
from sessionizer.index.census import Census, survey_segment
from sessionizer.index.codec import Segment, SegmentBody, decode_segment, encode_entries
from sessionizer.index.drafts import Drafts
from sessionizer.index.entry import Entry
from sessionizer.index.errors import NoLandedRecordsError
from sessionizer.index.store import IndexStore
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


class Extended(Struct, frozen=True, kw_only=True):
    """What the index of a session holds after it was brought up to date.

    Attributes:
        entries: How many entries.
        added: Landed files that were not stored before, each with its entries: how many.
    """

    entries: int
    added: tuple[tuple[int, int], ...]


def load_index(zone: Zone, session: str) -> Index:
    """The index of everything landed, without writing anything and without a lock.

    Raises:
        NoLandedRecordsError: Nothing has landed.
        DamagedFileError: A landed file that is not in the stored index can not be read.
    """
    landed, dialect = _landed(zone, session)
    stored, segments = _store(zone, session).read(decode_segment, dialect=dialect)
    entries = _join(segments)
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
    before, segments = store.read(decode_segment, dialect=dialect)
    entries = _join(segments)
    known = len(entries)
    through, failure = before.indexed_seq, None
    try:
        for seq, found in _iter_entries(landed, before.indexed_seq):
            entries += found
            through = seq
    except SessionizerError as error:
        failure = error
    now = format_instant_ns(now_ns)
    if through > before.indexed_seq:
        bodies = (encode_entries(entries[known:]),)
        store.append(
            before, bodies, through=through, dialect=dialect, census=Census(entries), now=now
        )
    elif not store.state_path.exists():
        store.write_state(before, Census(entries), now=now)
    if failure is not None:
        raise failure
    return Index(entries=tuple(entries), indexed_seq=through, dialect=dialect)


def extend_index(
    zone: Zone, session: str, landed: Sequence[LandedFile], drafts: Drafts, *, now_ns: int
) -> Extended:
    """Like `update_index`, without making a value of every entry of the session.

    Args:
        zone: The storage root.
        session: The session, whose lock the caller holds.
        landed: Every landed file of it, by seq.
        drafts: The entries of those that this process landed.
        now_ns: The time.

    Raises:
        NoLandedRecordsError: Nothing has landed.
        DamagedFileError: A landed file can not be read.
    """
    if not landed:
        raise NoLandedRecordsError(session)
    newest = drafts.get(landed[-1].seq)
    dialect = read_header(landed[-1].path).dialect if newest is None else newest.dialect
    store = _store(zone, session)
    before, surveys = store.read(survey_segment, dialect=dialect)
    census = Census()
    for survey in surveys:
        census.merge(survey.census)
    added: list[tuple[int, SegmentBody]] = []
    failure = None
    try:
        for file in landed:
            if file.seq > before.indexed_seq:
                added.append((file.seq, _spell_entries(file, drafts)))
    except SessionizerError as error:
        failure = error
    now = format_instant_ns(now_ns)
    bodies = tuple(body for _, body in added)
    census.merge(drafts.count(bodies))
    if added:
        through = added[-1][0]
        store.append(before, bodies, through=through, dialect=dialect, census=census, now=now)
    elif not store.state_path.exists():
        store.write_state(before, census, now=now)
    if failure is not None:
        raise failure
    return Extended(entries=census.entries, added=tuple((seq, body.count) for seq, body in added))


def _spell_entries(file: LandedFile, drafts: Drafts) -> SegmentBody:
    draft = drafts.get(file.seq)
    if draft is not None:
        return draft.body
    read = read_landed(file.path)
    return encode_entries(entries_of(read.header, read.rows, seq=file.seq))


def _join(segments: Iterable[Segment]) -> list[Entry]:
    return [entry for segment in segments for entry in segment.entries]


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
