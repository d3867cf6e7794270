"""The sessions of a conversation: their nodes, the older ones they go on from, and the edges.

Normally there is one. Of several, the first is the scope of every name and position that does
not state another.
"""

from collections.abc import Iterable, Iterator, Sequence

from msgspec import Struct

from sessionizer.assembly.inheritance import NONE, Inheritance
from sessionizer.assembly.places import reference_to
from sessionizer.assembly.relations import relate
from sessionizer.assembly.titles import Title, choose_title
from sessionizer.index.copies import Canonical, select_canonical
from sessionizer.index.entry import Entry, scope_entries
from sessionizer.model.ids import make_id
from sessionizer.model.kinds import CONTINUES, OBSERVED_REPLAYABLE, SESSION
from sessionizer.model.nodes import Node, Relation


class SessionEntries(Struct, frozen=True, kw_only=True):
    """One session as it goes into an assembly.

    Attributes:
        entries: In (seq, row) order.
        through: The last landed file that counts.
        inheritance: What it shares with any other session.
    """

    session: str
    entries: Iterable[Entry]
    through: int
    inheritance: Inheritance = NONE


class Session(Struct, frozen=True, kw_only=True):
    """One session of a conversation, sorted out by itself.

    Attributes:
        canonical: Before what an earlier session of the conversation holds is left out.
    """

    id: str
    canonical: Canonical
    title: Title | None
    inheritance: Inheritance


def gather_sessions(given: Sequence[SessionEntries]) -> tuple[Session, ...]:
    """The sessions in the order given; entries of all but the first name their session."""
    return tuple(_gather(one, is_first=number == 0) for number, one in enumerate(given))


def _gather(given: SessionEntries, *, is_first: bool) -> Session:
    entries = given.entries if is_first else scope_entries(given.entries, given.session)
    canonical = select_canonical(entries, through=given.through)
    return Session(
        id=given.session,
        canonical=canonical,
        title=choose_title(canonical.entries),
        inheritance=given.inheritance,
    )


def find_title(sessions: Iterable[Session]) -> Title | None:
    """The title of the conversation: that of the first session that has one."""
    return next((session.title for session in sessions if session.title is not None), None)


def session_nodes(sessions: Sequence[Session], conversation: str) -> Iterator[Node]:
    """Yield each session, and a bare node per older session that is not one of them."""
    ids = {session.id for session in sessions}
    for session in sessions:
        attrs: dict[str, object] = {"conversation": conversation}
        if session.title is not None:
            attrs |= {
                "title": session.title.text,
                "title_by": session.title.given_by,
                "title_from": OBSERVED_REPLAYABLE,
            }
        yield Node(id=make_id(SESSION, session.id), kind=SESSION, attrs=attrs)
        for owner in session.inheritance.owners:
            if owner.session not in ids:
                yield Node(
                    id=make_id(SESSION, owner.session), kind=SESSION, attrs={"elsewhere": True}
                )


def session_relations(sessions: Iterable[Session]) -> Iterator[Relation]:
    """Yield an edge to each older session, with the first and the last record it owns."""
    for session in sessions:
        ends = _inherited_ends(session)
        for inherited in session.inheritance.owners:
            yield relate(
                CONTINUES,
                make_id(SESSION, session.id),
                make_id(SESSION, inherited.session),
                quality=inherited.quality,
                via="records copied from an older session",
                evidence=(reference_to(entry) for entry in ends.get(inherited.session, ())),
            )


def _inherited_ends(session: Session) -> dict[str, tuple[Entry, Entry]]:
    """The first and the last entry that each older session owns, by its id."""
    ends: dict[str, tuple[Entry, Entry]] = {}
    for entry in session.canonical.entries if session.inheritance.owners else ():
        owner = session.inheritance.owner_of_record(entry.record)
        if owner:
            ends[owner] = (ends.get(owner, (entry, entry))[0], entry)
    return ends
