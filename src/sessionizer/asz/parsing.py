"""Assemble kept sessions and publish what changed: the work behind `parse` and `up`."""

from collections.abc import Iterable, Iterator, Mapping

from msgspec import Struct

from sessionizer.assembly.inheritance import NONE, Inheritance
from sessionizer.assembly.pipeline import Assembly, assemble_sessions
from sessionizer.assembly.sessions import SessionEntries
from sessionizer.asz.conversations import Members, plan_conversations
from sessionizer.asz.surveying import Known, Surveyor, read_current_index
from sessionizer.base.digests import sha256_hex
from sessionizer.base.errors import SessionizerError
from sessionizer.index.errors import NoLandedRecordsError
from sessionizer.index.session_index import Index
from sessionizer.landing.zone import LandedFile, Zone
from sessionizer.rounds.chain import read_members
from sessionizer.rounds.fold import Folded
from sessionizer.rounds.frames import Counts, SessionRange
from sessionizer.rounds.input_digest import Evidence
from sessionizer.rounds.interpretation import PARSER, POLICY, Interpretation
from sessionizer.rounds.publish import Draft, OpenChain, append_round, open_chain


class ParsedConversation(Struct, frozen=True, kw_only=True):
    """What a parse did to one conversation.

    Attributes:
        round: Number of the round written; None when nothing was new.
        counts: Frames written.
        folded: The conversation as it is now.
        assembly: None when it was plain from the chain's head that nothing is new.
    """

    conversation: str
    round: int | None
    counts: Counts
    folded: Folded
    assembly: Assembly | None

    @property
    def sessions(self) -> tuple[SessionRange, ...]:
        """What the conversation covers of each of its sessions."""
        return self.folded.sessions


class FailedConversation(Struct, frozen=True):
    """A conversation that could not be assembled, and why, in one line."""

    conversation: str
    message: str


class MixedDialectsError(SessionizerError):
    """Sessions of one conversation were read by different rules.

    Attributes:
        dialects: By session.
    """

    def __init__(self, dialects: Mapping[str, str]) -> None:
        listed = ", ".join(f"{session} in {dialect}" for session, dialect in dialects.items())
        super().__init__(
            f"the sessions were read in different dialects: {listed}",
            hint="`asz index --rebuild` reads every kept session in the newest one",
        )
        self.dialects = dialects


class Parser:
    """Assembles conversations of one root; remembers what it learned between passes.

    Args:
        wanted: Conversations of several sessions that are asked for, by name.
    """

    def __init__(self, zone: Zone, wanted: Members | None = None) -> None:
        self._zone = zone
        self._wanted: Members = wanted or {}
        self._surveyor = Surveyor(zone)
        # The tables that the newest round of a conversation was made with.
        self._tables: dict[str, tuple[Inheritance, ...]] = {}

    def parse(
        self,
        sessions: Iterable[str] | None = None,
        *,
        now_ns: int,
        again: bool = False,
        only: str | None = None,
    ) -> Iterator[ParsedConversation | FailedConversation]:
        """Bring the conversations of `sessions`, and of what shares records with them, up to date.

        Args:
            sessions: Ids of kept sessions; None means every one of which something has landed.
            now_ns: For the state file of an index.
            again: Assemble them even when they are up to date.
            only: Only this conversation, whatever `sessions` are.
        """
        self._surveyor.refresh(now_ns=now_ns)
        known = read_members(self._zone.conversations_directory)
        plan = plan_conversations(self._surveyor.landed, known, self._wanted)
        refused = [one for one in plan.refused if only in (None, one.conversation)]
        for refusal in refused:
            yield FailedConversation(refusal.conversation, str(refusal.error))
        asked = self._surveyor.landed if sessions is None else tuple(sessions)
        for session in plan.missing(asked):
            yield FailedConversation(session, str(NoLandedRecordsError(session)))
        if only is None:
            chosen = (*plan.holding(asked), *self._disturbed(plan.members))
        else:
            chosen = () if refused else (only,)
        for conversation in dict.fromkeys(chosen):
            members = plan.members.get(conversation)
            if members is None:
                continue
            try:
                yield self._parse_one(conversation, members, now_ns=now_ns, again=again)
            except (SessionizerError, OSError) as error:
                yield FailedConversation(conversation, str(error))

    def _disturbed(self, members: Mapping[str, tuple[str, ...]]) -> Iterator[str]:
        """Conversations that were made with other tables than those of now."""
        for conversation, before in self._tables.items():
            sessions = members.get(conversation, ())
            if self._surveyor.tables(sessions) != before:
                yield conversation

    def _parse_one(
        self, conversation: str, sessions: tuple[str, ...], *, now_ns: int, again: bool
    ) -> ParsedConversation:
        tables = self._surveyor.tables(sessions)
        known = {session: self._surveyor.known(session) for session in sessions}
        dialect = _common_dialect({session: one.dialect for session, one in known.items()})
        interpretation = Interpretation(PARSER, POLICY, dialect)
        directory = self._zone.conversation_directory(conversation)
        with open_chain(directory, interpretation=interpretation) as chain:
            if not again and self._is_current(chain.folded, conversation, known, tables):
                parsed = ParsedConversation(
                    conversation=conversation,
                    round=None,
                    counts=Counts(0, 0, 0),
                    folded=chain.folded,
                    assembly=None,
                )
            else:
                indexes = {
                    session: read_current_index(self._zone, session, now_ns=now_ns)
                    for session in sessions
                }
                parsed = self._publish(chain, conversation, indexes, tables)
        self._tables[conversation] = tables
        return parsed

    def _is_current(
        self,
        folded: Folded,
        conversation: str,
        known: Mapping[str, Known],
        tables: tuple[Inheritance, ...],
    ) -> bool:
        covered = {one.session: one.through_seq for one in folded.sessions}
        if covered != {session: one.indexed_seq for session, one in known.items()}:
            return False
        if conversation in self._tables:
            return self._tables[conversation] == tables
        # Nobody remembers the tables. A session that shares nothing now, and names nothing
        # outside of itself, never did otherwise: records that landed stay.
        shares = folded.inherits or any(table != NONE for table in tables)
        return not shares and not any(one.holding.named for one in known.values())

    def _publish(
        self,
        chain: OpenChain,
        conversation: str,
        indexes: Mapping[str, Index],
        tables: tuple[Inheritance, ...],
    ) -> ParsedConversation:
        dialects = {session: index.dialect for session, index in indexes.items()}
        if _common_dialect(dialects) != chain.interpretation.dialect:
            raise MixedDialectsError(dialects)  # they were read anew just now
        assembly = assemble_sessions(
            [
                SessionEntries(
                    session=session,
                    entries=index.entries,
                    through=index.indexed_seq,
                    inheritance=table,
                )
                for (session, index), table in zip(indexes.items(), tables, strict=True)
            ],
            conversation=conversation,
        )
        published = append_round(
            chain,
            Draft(
                conversation=conversation,
                evidence=tuple(
                    self._evidence(session, index, chain.folded)
                    for session, index in indexes.items()
                ),
                entities=assembly.entities,
                interpretation=chain.interpretation,
                summary=assembly.summary,
                inherits=assembly.inherits,
            ),
        )
        return ParsedConversation(
            conversation=conversation,
            round=published.round,
            counts=published.counts,
            folded=published.folded,
            assembly=assembly,
        )

    def _evidence(self, session: str, index: Index, folded: Folded) -> Evidence:
        ends = {covered.session: covered.through_seq for covered in folded.sessions}
        above = ends.get(session, 0)
        new_files = (file for file in self._zone.landed(session) if file.seq > above)
        return Evidence(
            session=session, through_seq=index.indexed_seq, landed=tuple(_digests(new_files))
        )


def _common_dialect(dialects: Mapping[str, str]) -> str:
    if len(set(dialects.values())) > 1:
        raise MixedDialectsError(dialects)
    return next(iter(dialects.values()))


def _digests(files: Iterable[LandedFile]) -> Iterator[tuple[int, str]]:
    for file in files:
        yield file.seq, sha256_hex(file.path.read_bytes())
