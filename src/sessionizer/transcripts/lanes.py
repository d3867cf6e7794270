"""The lanes of one file: its own conversation, and agents that have no file. Pure.

A lane is one agent's thread. Turns, drafts and pairing are per lane, and a lane's records
never open a turn of another one.
"""

from collections.abc import Iterable, Mapping

from msgspec import Struct

from sessionizer.transcripts.turns import Step, Turns, group_turns, pass_through

MAIN = ""

FILE, INLINE, CARRIED = "file", "inline", "carried"

Key = tuple[int | None, int | None, int]  # line, glued number, carried number


class Fact(Step, frozen=True, kw_only=True, gc=False):
    """What is remembered of a record when its text is let go.

    Attributes:
        line, glued, carried: Where it stands; see `TranscriptRecord`.
        offset, size: Its line's place in the file, in bytes.
        timestamp: As it stands; None without one.
        type: Its type.
        sidechain: Whether it says that it is an agent's.
        agent: The agent it names; empty without.
        is_summary: Whether it is the summary after a reset.
    """

    line: int | None
    offset: int
    size: int
    timestamp: str | None
    type: str
    glued: int | None = None
    carried: int = 0
    sidechain: bool = False
    agent: str = ""
    is_summary: bool = False

    @property
    def key(self) -> Key:
        """What tells it from every other record of the file."""
        return (self.line, self.glued, self.carried)


class Lane(Struct, frozen=True, kw_only=True):
    """One agent's thread, or the session's own.

    Attributes:
        id: The agent's id; empty for the file's own lane.
        shape: `file`, `inline` or `carried`.
        facts: Its records, in file order.
        turns: Their turns.
        seed: Position of the first opener that was written for this lane; None in a
            session's own lane, and where nothing opens.
    """

    id: str
    shape: str
    facts: tuple[Fact, ...]
    turns: Turns
    seed: int | None


def split_lanes(
    facts: Iterable[Fact], links: Mapping[str, str], *, is_subagent: bool
) -> dict[str, list[Fact]]:
    """The facts of a file by lane. An agent's own file is one lane.

    Args:
        facts: In file order; those of carried messages name their lane as `agent`.
        links: Parents of progress records.
        is_subagent: Whether the file is an agent's.
    """
    lanes: dict[str, list[Fact]] = {MAIN: []}
    sidechains: list[Fact] = []
    for fact in facts:
        if fact.carried > 0:
            lanes.setdefault(fact.agent, []).append(fact)
        elif is_subagent or not fact.sidechain:
            lanes[MAIN].append(fact)
        else:
            sidechains.append(fact)
    parents = {fact.uuid: fact.parent for fact in sidechains if fact.uuid}
    for fact in sidechains:
        lanes.setdefault(fact.agent or _root_id(fact, parents, links), []).append(fact)
    return lanes


def build_lane(
    lane: str,
    shape: str,
    facts: Iterable[Fact],
    links: Mapping[str, str],
    *,
    is_agent: bool,
    has_drafts: bool,
    inherited_until: str,
) -> Lane:
    """Group a lane's records and find its seed.

    Args:
        lane: Its id.
        shape: Where its records stand.
        facts: Its records, in file order.
        links: Parents of progress records.
        is_agent: Whether it is an agent's.
        has_drafts: False for the runtime's own agents: nobody types there.
        inherited_until: The last record copied from the parent's history; empty without.
    """
    listed = tuple(facts)
    turns = group_turns(listed, links)
    if not has_drafts and turns.drafts:
        turns = group_turns([_without_parent(fact) for fact in listed], links)
    seed = _find_seed(listed, turns, inherited_until) if is_agent else None
    return Lane(id=lane, shape=shape, facts=listed, turns=turns, seed=seed)


def _find_seed(facts: tuple[Fact, ...], turns: Turns, inherited_until: str) -> int | None:
    start = 0
    if inherited_until:
        for position, fact in enumerate(facts):
            if fact.uuid == inherited_until:
                start = position + 1
                break
    openers = (opener for opener in turns.openers if opener is not None)
    return next((opener for opener in openers if opener >= start), None)


def _root_id(fact: Fact, parents: Mapping[str, str], links: Mapping[str, str]) -> str:
    """`side-<root uuid>`: the first record of the chain that leads to `fact`."""
    root, passed = fact.uuid, set()
    parent = pass_through(fact.parent, links)
    while parent in parents and parent not in passed:
        passed.add(parent)
        root = parent
        parent = pass_through(parents[parent], links)
    return f"side-{root}" if root else f"side-L{fact.line}"


def _without_parent(fact: Fact) -> Step:
    return Step(opens=fact.opens, uuid=fact.uuid, parent="")
