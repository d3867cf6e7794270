"""Which sessions make up which conversation. Pure.

By default each session is a conversation of its own, under its own id. A list that was given
once stands in the newest round of the conversation, and later passes keep to it: the list only
grows, and a session is in one such conversation only.
"""

from collections.abc import Collection, Iterable, Mapping

from msgspec import Struct

from sessionizer.base.errors import SessionizerError
from sessionizer.rounds.errors import ConversationNameError
from sessionizer.rounds.store import check_conversation_id

Members = Mapping[str, tuple[str, ...]]


class TakenNameError(SessionizerError):
    """A conversation was to be called like a session that it does not begin with.

    Attributes:
        conversation: The name.
    """

    def __init__(self, conversation: str) -> None:
        super().__init__(
            f"conversation {conversation}: that is the id of another session",
            hint="choose a name that is no session's id, or put that session first in the list",
        )
        self.conversation = conversation


class TakenSessionError(SessionizerError):
    """A session was to join a second conversation.

    Attributes:
        conversation: The one it was to join.
        session: Its id.
        holder: The one that has it.
    """

    def __init__(self, conversation: str, *, session: str, holder: str) -> None:
        super().__init__(
            f"conversation {conversation}: session {session} is part of conversation {holder}",
            hint="a session is in one conversation only, and is never taken out of it",
        )
        self.conversation, self.session, self.holder = conversation, session, holder


class Refusal(Struct, frozen=True):
    """A conversation that may not be built as it was asked for, and why."""

    conversation: str
    error: SessionizerError


class Plan(Struct, frozen=True, kw_only=True):
    """What a parse builds.

    Attributes:
        members: Sessions in order by conversation: the lists first, then the single sessions.
        refused: Conversations that were asked for and may not be.
    """

    members: dict[str, tuple[str, ...]]
    refused: tuple[Refusal, ...] = ()

    def holding(self, sessions: Iterable[str]) -> tuple[str, ...]:
        """The conversations of these sessions, each once, in the order of the sessions."""
        holder = {one: name for name, members in self.members.items() for one in members}
        return tuple(dict.fromkeys(holder[one] for one in sessions if one in holder))

    def missing(self, sessions: Iterable[str]) -> tuple[str, ...]:
        """Those of `sessions` of which nothing has landed."""
        placed = {session for members in self.members.values() for session in members}
        placed |= {refusal.conversation for refusal in self.refused}
        return tuple(session for session in sessions if session not in placed)


def plan_conversations(kept: Collection[str], known: Members, wanted: Members) -> Plan:
    """Who is in which conversation.

    Args:
        kept: Ids of the sessions of which something has landed.
        known: Sessions by conversation as the newest rounds list them.
        wanted: The same as the configuration or the command line lists them. Sessions that
            have not landed are left out until they do.
    """
    members = {name: found for name, found in sorted(known.items()) if found != (name,)}
    holder = {session: name for name, found in members.items() for session in found}
    refused: list[Refusal] = []
    for name, sessions in wanted.items():
        before = known.get(name, ())
        landed = (one for one in sessions if one in kept)
        extended = tuple(dict.fromkeys((*before, *landed)))
        if not extended or (extended == before and name in members):
            continue
        error = _find_objection(name, extended, kept, holder)
        if error is not None:
            refused.append(Refusal(name, error))
            continue
        members[name] = extended
        holder |= dict.fromkeys(extended, name)
    for session in kept:
        if session in holder:
            continue
        if session in members:
            refused.append(Refusal(session, TakenNameError(session)))
        else:
            members[session] = (session,)
    return Plan(members=members, refused=tuple(refused))


def _find_objection(
    name: str, sessions: tuple[str, ...], kept: Collection[str], holder: Mapping[str, str]
) -> SessionizerError | None:
    try:
        check_conversation_id(name)
    except ConversationNameError as error:
        return error
    if name != sessions[0] and (name in kept or name in sessions):
        return TakenNameError(name)
    for session in sessions:
        if holder.get(session, name) != name:
            return TakenSessionError(name, session=session, holder=holder[session])
    return None
