"""Records that also stand in another session, and which session they belong to.

A forked or continued session begins with copies of an older one. The table tells, for one
session, what is not its own; it is made from all sessions of a root, so assembly stays a
function of one session and this table. Only ids that two records never share by chance are
compared.
"""

from collections import Counter
from collections.abc import Iterable, Mapping
from typing import Final

from msgspec import Struct

from sessionizer.index.copies import is_uuid_shaped, select_canonical
from sessionizer.index.entry import Entry
from sessionizer.model.kinds import EXACT_AMBIGUOUS, EXACT_UNIQUE, QUALITIES, STRONG_INFERENCE


class Inherited(Struct, frozen=True):
    """An older session this one has records of: how many, and how sure that is."""

    session: str
    records: int
    quality: str


class Inheritance(Struct, frozen=True, kw_only=True):
    """What one session shares with others.

    Attributes:
        owners: The older sessions, by session id.
        record_owners: Owner by record id, for records that another session owns.
        call_owners: Owner by call key, for calls that another session owns.
        elsewhere: Ids of records that a reset names and that only another session holds.
    """

    owners: tuple[Inherited, ...] = ()
    record_owners: dict[str, str] = {}
    call_owners: dict[str, str] = {}
    elsewhere: frozenset[str] = frozenset()

    def owner_of_record(self, record: str) -> str:
        """The session that owns a record; empty when it is this one."""
        return self.record_owners.get(record, "") if record else ""

    def owner_of_call(self, key: str) -> str:
        """The session that owns a call; empty when it is this one."""
        return self.call_owners.get(key, "") if key else ""


NONE: Final = Inheritance()


class Holding(Struct, frozen=True, kw_only=True):
    """The ids of one session: enough to see that it shares nothing, as most do.

    Attributes:
        records: Every record id it holds.
        named: Ids that resets go on from and that it does not hold.
    """

    session: str
    records: frozenset[str]
    named: frozenset[str]


def list_holding(session: str, entries: Iterable[Entry]) -> Holding:
    """What `entries` hold and name."""
    records: set[str] = set()
    named: set[str] = set()
    for entry in entries:
        records.add(entry.record)
        if entry.continues and "context_reset" in entry.flags:
            named.add(entry.continues)
    records.discard("")
    return Holding(session=session, records=frozenset(records), named=frozenset(named - records))


def find_sharing(holdings: Iterable[Holding]) -> frozenset[str]:
    """The sessions that a survey is needed of: the others have no part in any table."""
    held: dict[str, str] = {}
    sharing: set[str] = set()
    named: dict[str, set[str]] = {}
    for holding in holdings:
        for record in holding.records:
            holder = held.setdefault(record, holding.session)
            if holder != holding.session:
                sharing.update((holder, holding.session))
        for record in holding.named:
            named.setdefault(record, set()).add(holding.session)
    for record, naming in named.items():
        if record in held:
            sharing.update(naming, (held[record],))
    return frozenset(sharing)


class RecordFacts(Struct, frozen=True, gc=False):
    """What tells copies of one record apart."""

    time_ns: int
    copied_from: str
    call: str


class Survey(Struct, frozen=True, kw_only=True):
    """What has to be known of one session to find what it shares.

    Attributes:
        records: Records with an id that no other record has by chance, in source order.
        first_other_ns: Smallest time of records without such an id; 0 without any.
        named: Ids that resets go on from and that this session does not hold.
    """

    session: str
    records: dict[str, RecordFacts]
    first_other_ns: int
    named: frozenset[str]


def survey_session(session: str, entries: Iterable[Entry]) -> Survey:
    """Survey `entries`, which come in (seq, row) order."""
    records: dict[str, RecordFacts] = {}
    named: set[str] = set()
    held: set[str] = set()
    first_other_ns = 0
    for entry in select_canonical(entries).entries:
        if "context_reset" in entry.flags and entry.continues:
            named.add(entry.continues)
        held.add(entry.record)
        if is_uuid_shaped(entry.record):
            facts = RecordFacts(entry.time_ns, entry.copied_from, entry.call)
            records.setdefault(entry.record, facts)
        else:
            first_other_ns = _earlier(first_other_ns, entry.time_ns)
    return Survey(
        session=session,
        records=records,
        first_other_ns=first_other_ns,
        named=frozenset(named - held),
    )


def share_records(surveys: Iterable[Survey]) -> dict[str, Inheritance]:
    """The table of every session that shares anything, by session id.

    A record belongs to the session that its copies name; else to the one whose own records
    are the oldest; else, since one must be chosen, to the smallest session id.
    """
    by_session = {survey.session: survey for survey in surveys}
    first_holder: dict[str, str] = {}
    shared: dict[str, list[str]] = {}
    for session in sorted(by_session):
        for record in by_session[session].records:
            holder = first_holder.setdefault(record, session)
            if holder != session:
                shared.setdefault(record, [holder]).append(session)
    begins = {session: _first_own_ns(survey, shared) for session, survey in by_session.items()}
    owners = {
        record: _owner(record, holders, by_session, begins) for record, holders in shared.items()
    }
    tables = {
        session: _table(survey, owners, first_holder) for session, survey in by_session.items()
    }
    return {session: table for session, table in tables.items() if table != NONE}


def join_inheritance(tables: Mapping[str, Inheritance]) -> Inheritance:
    """The table of a conversation of several sessions, from theirs by session id.

    What belongs to one of them is the conversation's own, whichever of them holds it.
    """
    if len(tables) == 1:
        return next(iter(tables.values()))
    record_owners: dict[str, str] = {}
    call_owners: dict[str, str] = {}
    qualities: dict[str, str] = {}
    for table in tables.values():
        record_owners |= {
            record: owner for record, owner in table.record_owners.items() if owner not in tables
        }
        for call, owner in table.call_owners.items():
            if owner not in tables:
                call_owners.setdefault(call, owner)
        for inherited in table.owners:
            known = qualities.get(inherited.session, inherited.quality)
            qualities[inherited.session] = min(known, inherited.quality, key=QUALITIES.index)
    counts = Counter(record_owners.values())
    return Inheritance(
        owners=tuple(
            Inherited(session, counts[session], qualities[session]) for session in sorted(counts)
        ),
        record_owners=record_owners,
        call_owners=call_owners,
        elsewhere=frozenset().union(*(table.elsewhere for table in tables.values())),
    )


class _Owner(Struct, frozen=True):
    session: str
    quality: str


def _owner(
    record: str, holders: list[str], by_session: dict[str, Survey], begins: dict[str, int]
) -> _Owner:
    named = {
        session: by_session[session].records[record].copied_from
        for session in holders
        if by_session[session].records[record].copied_from in holders
    }
    ends = {_follow(session, named) for session in named}
    if len(ends) == 1:
        return _Owner(ends.pop(), EXACT_UNIQUE)
    candidates = sorted(ends or holders)
    dated = sorted((begins[session], session) for session in candidates if begins[session])
    if dated and (len(dated) == 1 or dated[0][0] < dated[1][0]):
        return _Owner(dated[0][1], STRONG_INFERENCE)
    return _Owner(candidates[0], EXACT_AMBIGUOUS)


def _follow(session: str, named: dict[str, str]) -> str:
    seen = [session]
    while (older := named.get(seen[-1])) is not None:
        if older in seen:  # sessions that name each other: none of them is the older one
            return min(seen[seen.index(older) :])
        seen.append(older)
    return seen[-1]


def _first_own_ns(survey: Survey, shared: dict[str, list[str]]) -> int:
    first = survey.first_other_ns
    for record, facts in survey.records.items():
        if record not in shared:
            first = _earlier(first, facts.time_ns)
    return first


def _earlier(one_ns: int, other_ns: int) -> int:
    return min(one_ns, other_ns) if one_ns and other_ns else one_ns or other_ns


def _table(survey: Survey, owners: dict[str, _Owner], first_holder: dict[str, str]) -> Inheritance:
    record_owners: dict[str, str] = {}
    call_owners: dict[str, str] = {}
    counts: dict[str, int] = {}
    qualities: dict[str, str] = {}
    for record, facts in survey.records.items():
        owner = owners.get(record)
        if owner is None or owner.session == survey.session:
            continue
        record_owners[record] = owner.session
        if facts.call:
            call_owners.setdefault(facts.call, owner.session)
        counts[owner.session] = counts.get(owner.session, 0) + 1
        known = qualities.get(owner.session, owner.quality)
        qualities[owner.session] = min(known, owner.quality, key=QUALITIES.index)
    return Inheritance(
        owners=tuple(
            Inherited(session, counts[session], qualities[session]) for session in sorted(counts)
        ),
        record_owners=record_owners,
        call_owners=call_owners,
        elsewhere=frozenset(record for record in survey.named if record in first_holder),
    )
