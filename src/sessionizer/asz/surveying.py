"""What has landed of each session, and what it shares with others; remembered between passes."""

from collections.abc import Iterable
from contextlib import suppress

from msgspec import Struct

from sessionizer.assembly.inheritance import (
    NONE,
    Holding,
    Inheritance,
    Survey,
    find_sharing,
    list_holding,
    share_records,
    survey_session,
)
from sessionizer.base.errors import SessionizerError
from sessionizer.base.locks import LockedError, exclusive_lock
from sessionizer.index.session_index import Index, load_index, update_index
from sessionizer.landing.zone import Zone


class Known(Struct, frozen=True):
    """What is known of a session: how far its index goes, its dialect, what it holds."""

    indexed_seq: int
    dialect: str
    holding: Holding


class Surveyor:
    """Knows the inheritance table of every session of one root, as of the last `refresh`.

    A record can stand in several sessions, so one table needs a look at all sessions. A
    session is looked at again only when it has grown, and surveyed only when it shares.
    """

    def __init__(self, zone: Zone) -> None:
        self._zone = zone
        self._landed: tuple[str, ...] = ()
        self._known: dict[str, Known] = {}
        self._failures: dict[str, SessionizerError | OSError] = {}
        self._surveys: dict[str, tuple[int, Survey]] = {}
        self._tables: dict[str, Inheritance] = {}

    @property
    def landed(self) -> tuple[str, ...]:
        """Ids of the sessions of which something has landed, sorted."""
        return self._landed

    def refresh(self, *, now_ns: int) -> None:
        """Learn what has changed since the last time."""
        highest = {session: self._zone.highest_seq(session) for session in self._zone.session_ids()}
        self._landed = tuple(session for session, seq in highest.items() if seq)
        grown = [session for session in self._landed if self._has_grown(session, highest[session])]
        for session in grown:
            self._look_at(session, now_ns)
        if grown:
            self._share(now_ns)

    def known(self, session: str) -> Known:
        """What is known of a session of which something has landed.

        Raises:
            NoLandedRecordsError, DamagedFileError, OSError: What stood in the way of reading it.
        """
        if session in self._failures:
            raise self._failures[session]
        return self._known[session]

    def tables(self, sessions: Iterable[str]) -> tuple[Inheritance, ...]:
        """The table of each of `sessions`, in their order."""
        return tuple(self._tables.get(session, NONE) for session in sessions)

    def _has_grown(self, session: str, highest_seq: int) -> bool:
        known = self._known.get(session)
        return known is None or known.indexed_seq != highest_seq

    def _look_at(self, session: str, now_ns: int) -> None:
        """A session that cannot be read now still shares what it shared before."""
        self._failures.pop(session, None)
        try:
            index = read_current_index(self._zone, session, now_ns=now_ns)
        except (SessionizerError, OSError) as error:
            self._failures[session] = error
            return
        holding = list_holding(session, index.entries)
        self._known[session] = Known(index.indexed_seq, index.dialect, holding)

    def _share(self, now_ns: int) -> None:
        sharing = find_sharing(known.holding for known in self._known.values())
        for session in sorted(sharing):
            surveyed_seq, _ = self._surveys.get(session, (0, None))
            if surveyed_seq != self._known[session].indexed_seq:
                with suppress(SessionizerError, OSError):  # it shares what it shared before
                    index = read_current_index(self._zone, session, now_ns=now_ns)
                    survey = survey_session(session, index.entries)
                    self._surveys[session] = (index.indexed_seq, survey)
        self._tables = share_records(
            survey for session, (_, survey) in self._surveys.items() if session in sharing
        )


def read_current_index(zone: Zone, session: str, *, now_ns: int) -> Index:
    """The index, stored when the session is free; made in memory beside a running collector.

    Raises:
        NoLandedRecordsError, DamagedFileError: As for `load_index`.
    """
    try:
        with exclusive_lock(zone.lock_path(session)):
            return update_index(zone, session, now_ns=now_ns)
    except LockedError:
        return load_index(zone, session)
