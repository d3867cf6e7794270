"""Count one transcript: every line is decoded, so what cannot be read is known exactly."""

import sys
from array import array
from collections.abc import Callable, Iterable, Iterator

from msgspec import Struct

from sessionizer.claude_code.blocks import Block
from sessionizer.claude_code.measurements import TOTALS_TYPE
from sessionizer.transcripts.account import AccountReader
from sessionizer.transcripts.calls import UNKNOWN_MODEL, CallCounter, digest_of
from sessionizer.transcripts.damage import Damage
from sessionizer.transcripts.facts import FileFacts
from sessionizer.transcripts.family import Family
from sessionizer.transcripts.files import TranscriptFile
from sessionizer.transcripts.fragments import FragmentBlock, read_fragment, read_header
from sessionizer.transcripts.framing import decode_line
from sessionizer.transcripts.gates import Gates
from sessionizer.transcripts.lanes import MAIN
from sessionizer.transcripts.narration import NARRATION, thinking_tag
from sessionizer.transcripts.queue import LateLedger, QueueLedger
from sessionizer.transcripts.quick import QuickReader
from sessionizer.transcripts.ranges import Range
from sessionizer.transcripts.reading import PhysicalLine, iter_physical_lines
from sessionizer.transcripts.record import TranscriptRecord
from sessionizer.transcripts.tallies import Instant, Kind, Tally
from sessionizer.transcripts.when import Window, parse_timestamp

UNTYPED = "(untyped)"
UNNAMED = "(unnamed)"
USER, SUMMARY, OTHER = Kind(type="user"), Kind(type="user", is_summary=True), Kind(type="")
AGENT = Kind(type="assistant")

_CONVERSATION = ("user", "assistant")


class Asked(Struct, frozen=True, kw_only=True):
    """Which records are counted.

    Attributes:
        window: By their own times.
        turns: Only members of these turns; None for all records.
        subagents: Whether agents' lanes inside a session's file are counted with it.
        identities: Whether digests are needed: more than one file is counted.
    """

    window: Window
    turns: Range | None = None
    subagents: bool = True
    identities: bool = True


def count_file(file: TranscriptFile, family: Family, asked: Asked) -> Tally:
    """Count one transcript.

    Raises:
        OSError: It cannot be read.
    """
    return _Counter(file, family, asked).run()


class _Counter:
    """The counts of one file. Where a record's lane or turn decides, the file is read twice."""

    def __init__(self, file: TranscriptFile, family: Family, asked: Asked) -> None:
        self.file = file
        self.asked = asked
        self.damage = Damage()
        self.gatherer = AccountReader(file, Gates(), family, self.damage).gatherer
        self.gatherer.queue = LateLedger(QueueLedger)  # nothing here asks for it
        self.quick = QuickReader(Gates())
        self.lines = 0
        self.types: dict[str, int] = {}
        self.replayed = 0
        self.cost = b""
        self.kinds: dict[Kind, int] = {}
        self.record_kinds = array("I")
        self.record_digests = array("Q")
        self.calls = CallCounter()
        self.first: Instant | None = None
        self.last: Instant | None = None

    def run(self) -> Tally:
        needs_lanes = self.asked.turns is not None or self.file.lane is not None
        for line in iter_physical_lines(self.file.path):
            self.lines += 1
            if needs_lanes or not self.take_quickly(line):
                self.take(line, counts=not needs_lanes)
        facts = self.gatherer.finish()
        if needs_lanes:
            admits = self.members(facts)
            for line in iter_physical_lines(self.file.path):
                for one in decode_line(line, Damage()):
                    for record in (one, *self.gatherer.carried(one)):
                        if admits(record):
                            self.widen(record.record.timestamp)
                            self.count(record)
        return self.finish(facts)

    def take(self, line: PhysicalLine, *, counts: bool) -> None:
        """Take every object of a line; `counts` unless only their facts are wanted so far."""
        for one in decode_line(line, self.damage):
            kind = one.record.type
            self.see_type(kind)
            if kind == TOTALS_TYPE:
                self.cost = one.whole
            counted = self.gatherer.add(one)
            if kind in _CONVERSATION and not counted:
                self.replayed += 1
            if counts:
                if self.is_inside(one):
                    self.widen(one.record.timestamp)
                for record in counted:
                    if self.is_inside(record):
                        self.count(record)

    def take_quickly(self, line: PhysicalLine) -> bool:
        """Take an ordinary line, whose texts need not be decoded; False for any other."""
        quick = self.quick.read(line)
        if quick is None:
            return False
        fact = quick.fact
        if fact is None:
            return self.take_header(line)
        fragment = None
        if fact.type == "assistant":
            fragment = read_fragment(line.body)
            if fragment is None or not (fragment.call or fact.uuid):
                return False
        counted = self.gatherer.add_quick(quick)
        self.see_type(fact.type)
        if counted is not None:
            self.replayed += not counted
            if self.asked.subagents or not fact.sidechain or self.file.is_subagent:
                if self.asked.window.admits(fact.timestamp):
                    self.widen(fact.timestamp)
                for record in counted:
                    if self.is_inside(record):
                        self.count(record)
            return True
        if not self.asked.window.admits(fact.timestamp):
            return True
        at_ns = self.widen(fact.timestamp)
        kind = USER
        if fragment is not None:
            self.calls.add_fragment(fragment, fact.uuid, at_ns)
            kind = _kind_of_blocks(fragment.blocks, fragment.model)
        self.remember(kind, fact.uuid, fact.timestamp)
        return True

    def take_header(self, line: PhysicalLine) -> bool:
        """Take a line that is no record here."""
        header = read_header(line.body)
        if header is None or header.type == TOTALS_TYPE:
            return False
        self.see_type(header.type)
        is_inline = bool(header.is_sidechain) and not self.file.is_subagent
        if (self.asked.subagents or not is_inline) and self.asked.window.admits(header.timestamp):
            self.widen(header.timestamp)
        return True

    def see_type(self, kind: str | None) -> None:
        name = UNTYPED if kind is None else kind
        self.types[name] = self.types.get(name, 0) + 1

    def is_inside(self, one: TranscriptRecord) -> bool:
        """Whether span and window admit a record."""
        if not self.asked.subagents and (one.carried > 0 or self.is_inline(one)):
            return False
        return self.asked.window.admits(one.record.timestamp)

    def is_inline(self, one: TranscriptRecord) -> bool:
        return bool(one.record.is_sidechain) and not self.file.is_subagent

    def members(self, facts: FileFacts) -> Callable[[TranscriptRecord], bool]:
        """Whether a record is one of the lane, and of the turns, that are asked for."""
        wanted = [
            self.wanted_turns(len(lane.turns.members))
            if self.file.lane in (None, lane.id)
            else range(0)
            for lane in facts.lanes
        ]

        def admits(one: TranscriptRecord) -> bool:
            place = facts.place_of.get((one.line, one.glued, one.carried))
            if place is None or not self.is_inside(one):
                return False
            turn = facts.lanes[place[0]].turns.turn_of[place[1]]
            if turn is None:  # a draft, which is in no turn
                return self.asked.turns is None and bool(wanted[place[0]])
            return turn in wanted[place[0]]

        return admits

    def wanted_turns(self, count: int) -> range:
        """The turns that are asked for, of a lane that has `count` turns."""
        return range(count) if self.asked.turns is None else self.asked.turns.resolve(count)

    def widen(self, text: str | None) -> int | None:
        """Take a time into the span; the time in nanoseconds."""
        ns = parse_timestamp(text)
        if ns is None or text is None:
            return None
        if self.first is None or ns < self.first.ns:
            self.first = Instant(ns, text)
        if self.last is None or ns > self.last.ns:
            self.last = Instant(ns, text)
        return ns

    def count(self, one: TranscriptRecord) -> None:
        """Count a record that is no copy."""
        record = one.record
        self.calls.add(one, parse_timestamp(record.timestamp))
        kind = USER
        if one.type == "assistant":
            kind = _kind_of_blocks(one.blocks, record.message.model if record.message else None)
        elif one.type != "user":
            kind = OTHER
        elif record.is_compact_summary:
            kind = SUMMARY
        self.remember(kind, record.uuid, record.timestamp)

    def remember(self, kind: Kind, uuid: str | None, timestamp: str | None) -> None:
        self.record_kinds.append(self.kinds.setdefault(kind, len(self.kinds)))
        self.record_digests.append(self.digest(uuid, timestamp))

    def digest(self, uuid: str | None, timestamp: str | None) -> int:
        if not uuid or not self.asked.identities:
            return 0
        return digest_of(uuid, timestamp or "")

    def finish(self, facts: FileFacts) -> Tally:
        return Tally(
            lines=self.lines,
            line_types=self.types,
            kinds=tuple(self.kinds),
            record_kinds=self.record_kinds.tobytes(),
            record_digests=self.record_digests.tobytes(),
            turn_digests=array("Q", self.turns(facts)).tobytes(),
            calls=self.calls.finish(),
            replayed=self.replayed,
            first=self.first,
            last=self.last,
            reported_cost=self.cost,
            skipped=self.damage.skipped,
            repaired=self.damage.repaired,
            recovered=self.damage.recovered,
        )

    def turns(self, facts: FileFacts) -> Iterator[int]:
        """A digest for each turn that counts: it is asked for, and the window admits of it."""
        for lane in facts.lanes:
            if lane.id != (self.file.lane or MAIN):
                continue
            for turn in self.wanted_turns(len(lane.turns.members)):
                members = (lane.facts[member] for member in lane.turns.members[turn])
                if not any(self.asked.window.admits(member.timestamp) for member in members):
                    continue
                opener = lane.turns.openers[turn]
                fact = None if opener is None else lane.facts[opener]
                yield 0 if fact is None else self.digest(fact.uuid, fact.timestamp)


def _kind_of_blocks(blocks: Iterable[Block | FragmentBlock], model: str | None) -> Kind:
    """What an agent's record adds to the counts."""
    tools: list[str] = []
    narrations = 0
    tags: list[str] = []
    for block in blocks:
        if block.type in ("tool_use", "server_tool_use"):
            tools.append(sys.intern(block.name or UNNAMED))
        elif block.type == "thinking" and block.signature:
            tag = thinking_tag(block.signature)
            if tag == NARRATION:
                narrations += 1
            elif tag is not None:
                tags.append(tag)
    if not tools and not narrations and not tags:
        return AGENT
    return Kind(
        type="assistant",
        tools=tuple(tools),
        model=(model or UNKNOWN_MODEL) if narrations else "",
        narrations=narrations,
        tags=tuple(tags),
    )
