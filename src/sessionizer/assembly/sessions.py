"""The session's own node, the older sessions it goes on from, and the edges to them."""

from collections.abc import Iterable, Iterator

from sessionizer.assembly.inheritance import Inheritance
from sessionizer.assembly.places import reference_to
from sessionizer.assembly.relations import relate
from sessionizer.assembly.titles import Title
from sessionizer.index.entry import Entry
from sessionizer.model.ids import make_id
from sessionizer.model.kinds import CONTINUES, OBSERVED_REPLAYABLE, SESSION
from sessionizer.model.nodes import Node, Relation


def session_nodes(
    session: str, conversation: str, title: Title | None, inheritance: Inheritance
) -> Iterator[Node]:
    """Yield the session, and a bare node per older session that is not part of this one."""
    attrs: dict[str, object] = {"conversation": conversation}
    if title is not None:
        attrs |= {
            "title": title.text,
            "title_by": title.given_by,
            "title_from": OBSERVED_REPLAYABLE,
        }
    yield Node(id=make_id(SESSION, session), kind=SESSION, attrs=attrs)
    for owner in inheritance.owners:
        yield Node(id=make_id(SESSION, owner.session), kind=SESSION, attrs={"elsewhere": True})


def session_relations(
    session: str, entries: Iterable[Entry], inheritance: Inheritance
) -> Iterator[Relation]:
    """Yield an edge to each older session, with the first and the last record it owns."""
    if not inheritance.owners:
        return
    ends: dict[str, tuple[Entry, Entry]] = {}
    for entry in entries:
        owner = inheritance.owner_of_record(entry.record)
        if owner:
            ends[owner] = (ends.get(owner, (entry, entry))[0], entry)
    for inherited in inheritance.owners:
        yield relate(
            CONTINUES,
            make_id(SESSION, session),
            make_id(SESSION, inherited.session),
            quality=inherited.quality,
            via="records copied from an older session",
            evidence=(reference_to(entry) for entry in ends.get(inherited.session, ())),
        )
