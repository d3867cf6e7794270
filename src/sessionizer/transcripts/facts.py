"""Gather what a file as a whole tells: its lanes, tools, queue and copies.

Records go in one by one, in file order, and are let go; only small facts stay.
"""

from collections.abc import Callable, Iterator, Mapping

from msgspec import Raw, Struct

from sessionizer.claude_code.markers import is_internal_agent
from sessionizer.claude_code.values import decode_members, decode_text, is_present
from sessionizer.transcripts.carried import carried_lane, iter_carried
from sessionizer.transcripts.gates import Gates, admits
from sessionizer.transcripts.labels import returned_agent
from sessionizer.transcripts.lanes import (
    CARRIED,
    FILE,
    INLINE,
    MAIN,
    Fact,
    Key,
    Lane,
    build_lane,
    split_lanes,
)
from sessionizer.transcripts.openers import opens_turn
from sessionizer.transcripts.queue import QueueLedger
from sessionizer.transcripts.quick import PLAN_TOOL, QuickFact
from sessionizer.transcripts.record import TranscriptRecord, is_tool_result, is_tool_use

FORK_TYPE = "fork-context-ref"


class FileFacts(Struct, frozen=True, kw_only=True):
    """What one file tells, without its texts.

    Attributes:
        lanes: The file's own lane first, then agents in order of their first record.
        place_of: Lane and position of each record that counts; replays have none.
        copy_of: Of each replay: the line of the record it repeats.
        tools, plans, children: See `LaneContext`; over all lanes of the file.
        calls, answered: Ids of tool uses and of tool results, by lane.
        queue: What became of queued prompts.
        fork_parent: The last record copied from the parent's history; empty without.
    """

    lanes: tuple[Lane, ...]
    place_of: Mapping[Key, tuple[int, int]]
    copy_of: Mapping[Key, int]
    tools: Mapping[str, str]
    plans: Mapping[str, str]
    children: Mapping[str, str]
    calls: Mapping[str, frozenset[str]]
    answered: Mapping[str, frozenset[str]]
    queue: QueueLedger
    fork_parent: str


def _is_not(_agent: str, _uuid: str) -> bool:
    return False


def _nothing(_fact: "Fact") -> TranscriptRecord | None:
    return None


class FactGatherer:
    """Takes a file's records in order; `finish` gives the facts.

    Args:
        gates: Which lines are records at all.
        is_subagent: Whether the file is an agent's.
        is_internal: Whether it is one of the runtime's own agents.
        agents_with_files: Agents of the session that have a file of their own.
        agents_of_calls: Ids of tool uses that started an agent with a file of its own.
        is_filed: Whether a record of an agent, by its uuid, stands in that agent's file.
        reread: The record that stands at a place of the file, once more.
    """

    def __init__(
        self,
        gates: Gates,
        *,
        is_subagent: bool,
        is_internal: bool = False,
        agents_with_files: frozenset[str] = frozenset(),
        agents_of_calls: Mapping[str, str] | None = None,
        is_filed: Callable[[str, str], bool] = _is_not,
        reread: Callable[[Fact], TranscriptRecord | None] = _nothing,
    ) -> None:
        self.gates = gates
        self.is_subagent = is_subagent
        self.is_internal = is_internal
        self.agents_with_files = agents_with_files
        self.agents_of_calls = agents_of_calls or {}
        self.is_filed = is_filed
        self.reread = reread
        self.queue = QueueLedger()
        self.fork_parent = ""
        self._facts: list[Fact] = []
        self._links: dict[str, str] = {}
        self._first: dict[str, Fact] = {}
        self._copies: dict[Key, int] = {}
        self._tools: dict[str, str] = {}
        self._plans: dict[str, str] = {}
        self._children: dict[str, str] = {}
        self._calls: list[tuple[Key, str]] = []
        self._answers: list[tuple[Key, str]] = []

    def add(self, one: TranscriptRecord) -> list[TranscriptRecord]:
        """Take the next record of the file.

        Returns:
            What counts of it: itself and the messages it carries, copies left out.
        """
        self.queue.add(one)
        record = one.record
        counted: list[TranscriptRecord] = []
        if one.type == "progress":
            if record.uuid:
                self._links.setdefault(record.uuid, record.parent_uuid or "")
            counted += [carried for carried in self.carried(one) if self._remember(carried)]
        elif one.type == FORK_TYPE and self.is_subagent:
            self.fork_parent = self.fork_parent or record.parent_last_uuid or ""
        if admits(one, self.gates) and self._remember(one):
            counted.append(one)
        return counted

    def add_quick(self, quick: QuickFact) -> list[TranscriptRecord] | None:
        """Take an ordinary record that was not decoded as a whole.

        Returns:
            None when its fact is kept. Else it had to be decoded after all: what counts of it,
            as `add` tells.
        """
        fact = quick.fact
        if fact is None:
            return []
        if fact.uuid in self._first or (fact.sidechain and not self.is_subagent):
            one = self.reread(fact)
            return [] if one is None else self.add(one)
        if fact.uuid:
            self._first[fact.uuid] = fact
        self._facts.append(fact)
        for call, name in quick.calls:
            self._calls.append((fact.key, call))
            self._tools.setdefault(call, name)
        self._answers.extend((fact.key, call) for call in quick.answers)
        return None

    def carried(self, one: TranscriptRecord) -> Iterator[TranscriptRecord]:
        """The messages of an agent without a file that a progress record carries."""
        lane = carried_lane(one)
        if lane is None or self.is_subagent or lane in self.agents_with_files:
            return
        if (one.record.parent_tool_use_id or "") in self.agents_of_calls:
            return
        yield from iter_carried(one)

    def native_ids(self) -> frozenset[str]:
        """Ids of all tool uses and results so far."""
        return frozenset(call for _, call in (*self._calls, *self._answers))

    def finish(self) -> FileFacts:
        """Group what was taken."""
        split = split_lanes(self._facts, self._links, is_subagent=self.is_subagent)
        carried = {fact.agent for fact in self._facts if fact.carried > 0}
        lanes = []
        for name, facts in split.items():
            lanes.append(
                build_lane(
                    name,
                    FILE if name == MAIN else CARRIED if name in carried else INLINE,
                    facts,
                    self._links,
                    is_agent=self.is_subagent or name != MAIN,
                    has_drafts=not (self.is_internal if name == MAIN else is_internal_agent(name)),
                    inherited_until=self.fork_parent,
                )
            )
        place_of = {
            fact.key: (number, position)
            for number, lane in enumerate(lanes)
            for position, fact in enumerate(lane.facts)
        }
        return FileFacts(
            lanes=tuple(lanes),
            place_of=place_of,
            copy_of=self._copies,
            tools=self._tools,
            plans=self._plans,
            children=self._children,
            calls=_by_lane(self._calls, place_of, lanes),
            answered=_by_lane(self._answers, place_of, lanes),
            queue=self.queue,
            fork_parent=self.fork_parent,
        )

    def _remember(self, one: TranscriptRecord) -> bool:
        """Keep the facts of a record; False for a copy, of which none are kept."""
        record = one.record
        fact = Fact(
            opens=opens_turn(one),
            uuid=record.uuid or "",
            parent=record.parent_uuid or "",
            line=one.line,
            glued=one.glued,
            carried=one.carried,
            offset=one.offset,
            size=one.size,
            timestamp=record.timestamp,
            type=one.type,
            sidechain=bool(record.is_sidechain),
            agent=one.lane or record.agent_id or "",
            is_summary=one.type == "user" and bool(record.is_compact_summary),
        )
        if self._is_replay(one, fact):
            return False
        self._facts.append(fact)
        for block in one.blocks:
            if is_tool_use(block) and block.id:
                self._calls.append((fact.key, block.id))
                self._tools.setdefault(block.id, block.name or "")
                if block.name == PLAN_TOOL:
                    self._remember_plan(block.id, block.input)
            elif is_tool_result(block) and block.tool_use_id:
                self._answers.append((fact.key, block.tool_use_id))
                agent = returned_agent(one)
                if agent is not None:
                    self._children.setdefault(block.tool_use_id, agent)
        return True

    def _is_replay(self, one: TranscriptRecord, fact: Fact) -> bool:
        """Whether the record only repeats an earlier one of the file, uuid and message."""
        if not fact.uuid:
            return False
        if self._is_inline(fact) and self.is_filed(fact.agent, fact.uuid):
            return True
        first = self._first.get(fact.uuid)
        if first is None:
            self._first[fact.uuid] = fact
            return False
        original = self.reread(first)
        if original is None or message_bytes(original) != message_bytes(one):
            return False
        self._copies[fact.key] = first.line or 0
        return True

    def _is_inline(self, fact: Fact) -> bool:
        """Whether it is an agent's record in its session's own file."""
        return fact.sidechain and not self.is_subagent and fact.carried == 0

    def _remember_plan(self, call: str, given: Raw) -> None:
        members = decode_members(given)
        path = decode_text(members["planFilePath"]) if members and "planFilePath" in members else ""
        if path:
            self._plans.setdefault(call, path)


def message_bytes(one: TranscriptRecord) -> bytes:
    """What makes two records of one uuid the same: their message, or their payload."""
    record = one.record
    if record.message is not None:
        return bytes(record.message.content)
    for raw in (record.attachment, record.content, record.data):
        if is_present(raw):
            return bytes(raw)
    return b""


def _by_lane(
    pairs: list[tuple[Key, str]], place_of: Mapping[Key, tuple[int, int]], lanes: list[Lane]
) -> dict[str, frozenset[str]]:
    found: dict[str, set[str]] = {lane.id: set() for lane in lanes}
    for key, call in pairs:
        number, _ = place_of[key]
        found[lanes[number].id].add(call)
    return {lane: frozenset(calls) for lane, calls in found.items()}
