"""Count one transcript: every line is decoded, so what cannot be read is known exactly."""

import sys
from array import array
from collections.abc import Callable, Iterator

from msgspec import Struct

from sessionizer.claude_code.measurements import TOTALS_TYPE
from sessionizer.transcripts.account import AccountReader
from sessionizer.transcripts.calls import UNKNOWN_MODEL, CallCounter, digest_of
from sessionizer.transcripts.damage import Damage
from sessionizer.transcripts.facts import FileFacts
from sessionizer.transcripts.family import Family
from sessionizer.transcripts.files import TranscriptFile
from sessionizer.transcripts.framing import decode_line
from sessionizer.transcripts.gates import Gates
from sessionizer.transcripts.lanes import MAIN
from sessionizer.transcripts.narration import NARRATION, thinking_tag
from sessionizer.transcripts.queue import LateLedger, QueueLedger
from sessionizer.transcripts.ranges import Range
from sessionizer.transcripts.reading import iter_physical_lines
from sessionizer.transcripts.record import TranscriptRecord, is_tool_use
from sessionizer.transcripts.tallies import Instant, Kind, Tally
from sessionizer.transcripts.when import Window, parse_timestamp

UNTYPED = "(untyped)"
UNNAMED = "(unnamed)"


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
        for one in self.read():
            counted = self.gatherer.add(one)
            if one.type in ("user", "assistant") and not counted:
                self.replayed += 1
            if needs_lanes:
                continue
            if self.is_inside(one):
                self.widen(one)
            for record in counted:
                if self.is_inside(record):
                    self.count(record)
        facts = self.gatherer.finish()
        if needs_lanes:
            admits = self.members(facts)
            for line in iter_physical_lines(self.file.path):
                for one in decode_line(line, Damage()):
                    for record in (one, *self.gatherer.carried(one)):
                        if admits(record):
                            self.widen(record)
                            self.count(record)
        return self.finish(facts)

    def read(self) -> Iterator[TranscriptRecord]:
        """Every object of the file; lines, types and running totals are counted here."""
        types = self.types
        for line in iter_physical_lines(self.file.path):
            self.lines += 1
            for one in decode_line(line, self.damage):
                kind = one.record.type
                name = UNTYPED if kind is None else kind
                types[name] = types.get(name, 0) + 1
                if kind == TOTALS_TYPE:
                    self.cost = one.whole
                yield one

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

    def widen(self, one: TranscriptRecord) -> None:
        """Take the time of a record into the span."""
        text = one.record.timestamp
        ns = parse_timestamp(text)
        if ns is None or text is None:
            return
        if self.first is None or ns < self.first.ns:
            self.first = Instant(ns, text)
        if self.last is None or ns > self.last.ns:
            self.last = Instant(ns, text)

    def count(self, one: TranscriptRecord) -> None:
        """Count a record that is no copy."""
        record = one.record
        self.calls.add(one, parse_timestamp(record.timestamp))
        kind = _kind_of(one)
        self.record_kinds.append(self.kinds.setdefault(kind, len(self.kinds)))
        self.record_digests.append(self.digest(record.uuid, record.timestamp))

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


def _kind_of(one: TranscriptRecord) -> Kind:
    if one.type == "user":
        return Kind(type="user", is_summary=bool(one.record.is_compact_summary))
    if one.type != "assistant":
        return Kind(type="")
    tools: list[str] = []
    narrations = 0
    tags: list[str] = []
    for block in one.blocks:
        if is_tool_use(block):
            tools.append(sys.intern(block.name or UNNAMED))
        elif block.type == "thinking":
            tag = thinking_tag(block.signature)
            if tag == NARRATION:
                narrations += 1
            elif tag is not None:
                tags.append(tag)
    message = one.record.message
    model = (message.model if message else None) or UNKNOWN_MODEL
    return Kind(
        type="assistant",
        tools=tuple(tools),
        model=model if narrations else "",
        narrations=narrations,
        tags=tuple(tags),
    )
