"""Group the records of one lane into turns, and find drafts. Pure.

Turns are counted from 0. Records before the first opener belong to the first turn. A draft is
a message that was typed, recalled and sent again: it stands outside all turns.
"""

from collections.abc import Mapping, Sequence

from msgspec import Struct


class Step(Struct, frozen=True, kw_only=True, gc=False):
    """What grouping needs to know of a record, in file order.

    Attributes:
        opens: Whether it is a turn opener by its own shape.
        uuid: Its id; empty without one.
        parent: The id of the record before it; empty without one.
    """

    opens: bool
    uuid: str
    parent: str


class Turns(Struct, frozen=True, kw_only=True):
    """Where every record of a lane belongs.

    Attributes:
        members: The positions of each turn's records, turns by index; never an empty turn.
        turn_of: The turn of each position; None for a draft.
        drafts: Positions of superseded drafts.
        openers: Position of each turn's opener; None for a turn without one.
    """

    members: tuple[tuple[int, ...], ...]
    turn_of: tuple[int | None, ...]
    drafts: frozenset[int]
    openers: tuple[int | None, ...]


def group_turns(steps: Sequence[Step], links: Mapping[str, str]) -> Turns:
    """Group `steps` into turns.

    Args:
        steps: The records of one lane.
        links: Parents of records that are no steps (progress): a look at a parent passes
            through them.
    """
    drafts, replays = find_drafts(steps, links)
    members: list[list[int]] = []
    openers: list[int | None] = []
    turn_of: list[int | None] = []
    lead: list[int] = []
    for position, step in enumerate(steps):
        if position in drafts:
            turn_of.append(None)
            continue
        if step.opens and position not in replays:
            members.append([*lead, position])
            openers.append(position)
            lead = []
        elif members:
            members[-1].append(position)
        else:
            lead.append(position)
        turn_of.append(max(len(members) - 1, 0))
    if lead:
        members.append(lead)
        openers.append(None)
    return Turns(
        members=tuple(map(tuple, members)),
        turn_of=tuple(turn_of),
        drafts=frozenset(drafts),
        openers=tuple(openers),
    )


def find_drafts(steps: Sequence[Step], links: Mapping[str, str]) -> tuple[set[int], set[int]]:
    """Positions of drafts, and of openers that only repeat an earlier one.

    Of openers with one parent the last is live. A null parent joins nothing.
    """
    last: dict[str, int] = {}
    seen: set[tuple[str, str]] = set()
    drafts: set[int] = set()
    replays: set[int] = set()
    for position, step in enumerate(steps):
        if not step.opens:
            continue
        if step.parent and step.uuid:
            if (step.parent, step.uuid) in seen:
                replays.add(position)
                continue
            seen.add((step.parent, step.uuid))
        parent = pass_through(step.parent, links)
        if not parent:
            continue
        if parent in last:
            drafts.add(last[parent])
        last[parent] = position
    return drafts, replays


def pass_through(parent: str, links: Mapping[str, str]) -> str:
    """The first ancestor that is a step; empty when there is none."""
    passed = set()
    while parent in links and parent not in passed:
        passed.add(parent)
        parent = links[parent]
    return parent
