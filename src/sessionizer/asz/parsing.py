"""Assemble kept sessions and publish what changed: the work behind `parse` and `up`."""

from collections.abc import Iterable, Iterator
from contextlib import suppress

import msgspec
from msgspec import Struct

from sessionizer.assembly.inheritance import (
    NONE,
    Inheritance,
    Survey,
    share_records,
    survey_session,
)
from sessionizer.assembly.pipeline import Assembly, assemble
from sessionizer.base.digests import sha256_hex
from sessionizer.base.errors import SessionizerError
from sessionizer.base.locks import LockedError, exclusive_lock
from sessionizer.index.session_index import Index, load_index, update_index
from sessionizer.landing.zone import LandedFile, Zone
from sessionizer.rounds.frames import Counts, Inherited, Summary
from sessionizer.rounds.input_digest import Evidence
from sessionizer.rounds.interpretation import PARSER, POLICY, Interpretation
from sessionizer.rounds.publish import Draft, OpenChain, append_round, open_chain


class ParsedSession(Struct, frozen=True, kw_only=True):
    """What a parse did to one session's conversation.

    Attributes:
        round: Number of the round written; None when nothing was new.
        through_seq: The last landed file the conversation covers now.
        counts: Frames written.
        assembly: None when it was plain from the chain's head that nothing is new.
    """

    session: str
    round: int | None
    through_seq: int
    counts: Counts
    assembly: Assembly | None


class FailedSession(Struct, frozen=True):
    """A session that could not be assembled, and why, in one line."""

    session: str
    message: str


class Parser:
    """Assembles sessions of one root; remembers what it learned of each between passes.

    A record can stand in several sessions, so parsing one needs a survey of all. A survey is
    made again only when its session has grown.
    """

    def __init__(self, zone: Zone) -> None:
        self._zone = zone
        self._surveys: dict[str, tuple[int, Survey]] = {}

    def parse(
        self, sessions: Iterable[str], *, now_ns: int, again: bool = False
    ) -> Iterator[ParsedSession | FailedSession]:
        """Bring the conversation of each session up to date.

        With `again`, a conversation that is up to date is assembled all the same.
        """
        for session in self._zone.session_ids():
            self._survey(session, now_ns)
        tables = share_records(survey for _, survey in self._surveys.values())
        for session in sessions:
            try:
                index = _current_index(self._zone, session, now_ns)
                yield self._parse_one(session, index, tables.get(session, NONE), again=again)
            except (SessionizerError, OSError) as error:
                yield FailedSession(session, str(error))

    def _survey(self, session: str, now_ns: int) -> None:
        """Learn what the session shares, unless nothing has landed since the last time.

        A session that cannot be read now shares what it shared before: its own parse says why.
        """
        known_seq, _ = self._surveys.get(session, (-1, None))
        if known_seq == self._zone.highest_seq(session):
            return
        with suppress(SessionizerError, OSError):
            index = _current_index(self._zone, session, now_ns)
            survey = survey_session(session, index.entries)
            self._surveys[session] = (index.indexed_seq, survey)

    def _parse_one(
        self, session: str, index: Index, inheritance: Inheritance, *, again: bool
    ) -> ParsedSession:
        directory = self._zone.conversation_directory(session)
        interpretation = Interpretation(PARSER, POLICY, index.dialect)
        with open_chain(directory, interpretation=interpretation) as chain:
            if again or not _is_current(chain, index, inheritance):
                return self._publish(chain, session, index, inheritance)
            return ParsedSession(
                session=session,
                round=None,
                through_seq=chain.folded.through_seq,
                counts=Counts(0, 0, 0),
                assembly=None,
            )

    def _publish(
        self, chain: OpenChain, session: str, index: Index, inheritance: Inheritance
    ) -> ParsedSession:
        assembly = assemble(
            index.entries,
            session=session,
            conversation=session,
            through=index.indexed_seq,
            inheritance=inheritance,
        )
        above = chain.folded.through_seq
        new_files = (file for file in self._zone.landed(session) if file.seq > above)
        published = append_round(
            chain,
            Draft(
                conversation=session,
                evidence=(
                    Evidence(
                        session=session,
                        through_seq=index.indexed_seq,
                        landed=tuple(_digests(new_files)),
                    ),
                ),
                entities=assembly.entities,
                interpretation=chain.interpretation,
                summary=msgspec.convert(msgspec.to_builtins(assembly.summary), Summary),
                inherits=_inherited(inheritance),
            ),
        )
        return ParsedSession(
            session=session,
            round=published.round,
            through_seq=published.folded.through_seq,
            counts=published.counts,
            assembly=assembly,
        )


def _current_index(zone: Zone, session: str, now_ns: int) -> Index:
    """The index, stored when the session is free; made in memory beside a running collector."""
    try:
        with exclusive_lock(zone.lock_path(session)):
            return update_index(zone, session, now_ns=now_ns)
    except LockedError:
        return load_index(zone, session)


def _is_current(chain: OpenChain, index: Index, inheritance: Inheritance) -> bool:
    folded = chain.folded
    return (
        folded.round > 0
        and folded.through_seq == index.indexed_seq
        and folded.inherits == _inherited(inheritance)
    )


def _inherited(inheritance: Inheritance) -> tuple[Inherited, ...]:
    return tuple(Inherited(one.session, one.records, one.quality) for one in inheritance.owners)


def _digests(files: Iterable[LandedFile]) -> Iterator[tuple[int, str]]:
    for file in files:
        yield file.seq, sha256_hex(file.path.read_bytes())
