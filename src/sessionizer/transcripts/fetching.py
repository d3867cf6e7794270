"""Fetch records of one transcript by line, id or turn, each as everything it shows.

The file is read as a whole once, for turns, drafts and pairing; then only the lines that are
addressed are decoded, by their offsets.
"""

import re
import sys
from bisect import bisect_right
from collections.abc import Iterable, Iterator
from functools import cached_property
from typing import Self

from msgspec import Struct

from sessionizer.transcripts.branches import Child, is_conversation
from sessionizer.transcripts.carried import iter_carried
from sessionizer.transcripts.damage import Damage
from sessionizer.transcripts.excerpts import cut_excerpt
from sessionizer.transcripts.exchanges import Hit
from sessionizer.transcripts.facts import message_bytes
from sessionizer.transcripts.family import Family
from sessionizer.transcripts.files import TranscriptFile
from sessionizer.transcripts.framing import decode_line
from sessionizer.transcripts.gates import ALL_GATES, admits
from sessionizer.transcripts.hits import make_hit
from sessionizer.transcripts.lanes import Key, Lane
from sessionizer.transcripts.line_index import find_first_lines
from sessionizer.transcripts.open_transcript import ORDINARY, OpenTranscript
from sessionizer.transcripts.reading import PhysicalLine, iter_physical_lines
from sessionizer.transcripts.record import TranscriptRecord

_GATED = -1  # the position of a record that turns do not count

Place = tuple[int, int]  # lane and position


class Slot(Struct, frozen=True, gc=False):
    """Addressed records that stand on one line.

    Attributes:
        line: From 1; None for questions that wait in the elicitation sidecar.
        keys: Which of the line's records; None for all.
        units: How many units they make.
    """

    line: int | None
    keys: frozenset[Key] | None
    units: int


class Unit(Struct, frozen=True, kw_only=True):
    """One view of one record, and where it belongs.

    Attributes:
        hit: What it shows, in full.
        lane: Of an agent without a file of its own: its id; empty for the file's own lane.
        turn: From 0; None outside turns.
        start: When the turn, or a draft, begins, as stored.
        is_draft: Whether it is a superseded draft.
        copy_of: The line of the record that it repeats; None for an original.
    """

    hit: Hit
    lane: str
    turn: int | None
    start: str | None
    is_draft: bool
    copy_of: int | None


class _Stand(Struct, frozen=True, gc=False):
    place: Place
    copy_of: int | None = None


class Fetcher:
    """One transcript; a context. `read` comes first.

    Args:
        file: The transcript. When it is narrowed to a lane, only that is fetched.
        family: What is known of its session.

    Attributes:
        transcript: The transcript, open.
        found: Those of the ids asked for that have something to show.
    """

    def __init__(self, file: TranscriptFile, family: Family) -> None:
        self.transcript = OpenTranscript(file, family)
        self.file = file
        self.found: set[str] = set()
        self._uuids: frozenset[str] = frozenset()
        self._marked: list[int] = []
        self._gated: set[str] = set()
        self._first_lines: dict[str, int] | None = None

    def __enter__(self) -> Self:
        self.transcript.__enter__()
        return self

    def __exit__(self, *_error: object) -> None:
        self.transcript.__exit__()

    def read(self, uuids: frozenset[str] = frozenset(), *, whole_turns: bool = False) -> None:
        """Read the file as a whole.

        Args:
            uuids: Ids that will be asked for.
            whole_turns: Turns will be asked for, so that queued prompts matter.

        Raises:
            OSError: It cannot be read.
        """
        self._uuids = uuids
        may_hold = uuid_pattern(uuids)

        def mark(line: PhysicalLine) -> None:
            if may_hold.search(line.body):
                self._marked.append(line.number)

        self.transcript.read(mark if uuids else None, late_queue=not whole_turns)
        self._views = self.transcript.views
        self._facts = self.transcript.facts
        self._lane = self.transcript.lane
        self._intervals = [_list_intervals(lane) for lane in self._facts.lanes]

    # Addresses.

    @property
    def turn_count(self) -> int:
        """How many turns the transcript, or the lane, has."""
        return len(self._facts.lanes[self._lane].turns.members)

    def line_slots(self, numbers: Iterable[int]) -> tuple[Slot, ...]:
        """The records on some lines and those with the ids asked for, in order of the file.

        Every gate is open. A slot without units is a line that is no record to show.
        """
        wanted: dict[int, frozenset[Key] | None] = dict.fromkeys(numbers)
        for number in self._marked:
            if number not in wanted:
                keys = frozenset(
                    _key(one)
                    for one, _ in self.transcript.records_on(number, Damage())
                    if one.record.uuid in self._uuids
                )
                if keys:
                    wanted[number] = keys
        slots = [self._count(number, wanted[number]) for number in sorted(wanted)]
        waiting = frozenset(
            _key(one) for one in self.transcript.pending if one.record.uuid in self._uuids
        )
        if waiting:
            slots.append(self._count(None, waiting))
        return tuple(slots)

    def turn_slots(self, turns: Iterable[int]) -> tuple[Slot, ...]:
        """The ordinary records of some turns, in order of the file."""
        lane = self._facts.lanes[self._lane]
        facts = sorted(
            (lane.facts[position] for turn in turns for position in lane.turns.members[turn]),
            key=lambda fact: (fact.line is None, fact.line or 0, fact.glued or 0, fact.carried),
        )
        returned = self._facts.queue.returned
        return tuple(
            self._count(fact.line, frozenset({fact.key}))
            for fact in facts
            if (fact.line, fact.glued) not in returned
        )

    def _count(self, number: int | None, keys: frozenset[Key] | None) -> Slot:
        damage = (
            self.transcript.damage
            if number is not None and self.transcript.is_unread(number)
            else Damage()
        )
        units = 0
        for one, _ in self._records(number, keys, damage):
            stand = self._stand(one)
            if stand is None:
                continue
            count = sum(1 for _ in self._views.views(one, stand.place, _everything))
            units += count
            uuid = one.record.uuid
            if count and uuid in self._uuids:
                self.found.add(uuid or "")
            if uuid and stand.place[1] == _GATED:
                self._gated.add(uuid)
        return Slot(number, keys, units)

    # Forks.

    def conversation(self) -> tuple[list[Child], dict[str, str]]:
        """The records of the talk, in order of the file, and the parents of progress records."""
        children: list[Child] = []
        links: dict[str, str] = {}
        for line in iter_physical_lines(self.file.path):
            for one in self.transcript.reader.decode(line, Damage()):
                record = one.record
                if one.type == "progress" and record.uuid:
                    links.setdefault(record.uuid, record.parent_uuid or "")
                place = self._views.place_of(one)
                if place is not None and place[0] == self._lane and is_conversation(one):
                    children.append(
                        Child(
                            line=line.number,
                            uuid=record.uuid,
                            parent=record.parent_uuid or "",
                            type=one.type,
                            timestamp=record.timestamp,
                        )
                    )
        return children, links

    # Units.

    def units(self, slot: Slot) -> Iterator[Unit]:
        """What the records of a slot show."""
        for one, images in self._records(slot.line, slot.keys, Damage()):
            stand = self._stand(one)
            if stand is None:
                continue
            for view in self._views.views(one, stand.place, _everything):
                excerpt = cut_excerpt(view.text, None, whole=True)
                hit = make_hit(self._views, one, stand.place, view, excerpt, images_before=images)
                yield self._unit(hit, stand, one)

    def _unit(self, hit: Hit, stand: _Stand, one: TranscriptRecord) -> Unit:
        number, position = stand.place
        lane = self._facts.lanes[number]
        copy_of = stand.copy_of
        turn: int | None = None
        is_draft = False
        if position == _GATED:
            turn = self._turn_around(number, one.line or 0)
            copy_of = self._find_original(one)
        elif copy_of is None:
            turn = lane.turns.turn_of[position]
            is_draft = turn is None
        start = hit.timestamp
        if turn is not None:
            start = lane.facts[lane.turns.members[turn][0]].timestamp
        return Unit(
            hit=hit, lane=lane.id, turn=turn, start=start, is_draft=is_draft, copy_of=copy_of
        )

    def _turn_around(self, number: int, line: int) -> int | None:
        """The turn whose records stand on both sides of a line."""
        starts, ends = self._intervals[number]
        turn = bisect_right(starts, line) - 1
        return turn if turn >= 0 and line <= ends[turn] else None

    # Records.

    def _records(
        self, number: int | None, keys: frozenset[Key] | None, damage: Damage
    ) -> Iterator[tuple[TranscriptRecord, int]]:
        """Records with the number of images that stand before them on their line."""
        if number is None:
            pairs: Iterable[tuple[TranscriptRecord, int]] = (
                (one, 0) for one in self.transcript.pending
            )
        else:
            pairs = self.transcript.records_on(number, damage)
        for one, images in pairs:
            if keys is None or _key(one) in keys:
                yield one, images

    def _stand(self, one: TranscriptRecord) -> _Stand | None:
        """Lane and position of a record; None for what is not shown here."""
        stand = self._find_stand(one)
        if stand is None or (self.file.lane is not None and stand.place[0] != self._lane):
            return None
        return stand

    def _find_stand(self, one: TranscriptRecord) -> _Stand | None:
        place = self._views.place_of(one)
        if place is not None:
            return _Stand(place)
        line = self._facts.copy_of.get(_key(one))
        if line is not None:
            original = self._places.get(one.record.uuid or "")
            return None if original is None else _Stand(original, line)
        if admits(one, ORDINARY) or not admits(one, ALL_GATES):
            return None  # a copy of what stands in the agent's own file, or no record
        return _Stand((self._lane_number(one), _GATED))

    def _lane_number(self, one: TranscriptRecord) -> int:
        """Whose lane a record belongs to that no turn counts."""
        record = one.record
        if self.file.is_subagent or not record.is_sidechain:
            return 0
        for number, lane in enumerate(self._facts.lanes):
            if record.agent_id and lane.id == record.agent_id:
                return number
        place = self._places.get(record.parent_uuid or "")
        return 0 if place is None else place[0]

    @cached_property
    def _places(self) -> dict[str, Place]:
        """Where the record of each id stands, the first one of the file."""
        places: dict[str, Place] = {}
        for number, lane in enumerate(self._facts.lanes):
            for position, fact in enumerate(lane.facts):
                if fact.uuid:
                    places.setdefault(fact.uuid, (number, position))
        return places

    def _find_original(self, one: TranscriptRecord) -> int | None:
        """The earlier line with the same gated record."""
        uuid = one.record.uuid
        if not uuid:
            return None
        if self._first_lines is None:
            self._first_lines = find_first_lines(self.file.path, frozenset(self._gated))
        line = self._first_lines.get(uuid)
        if line is None or line >= (one.line or 0):
            return None
        for other, _ in self.transcript.records_on(line, Damage()):
            if other.record.uuid == uuid and message_bytes(other) == message_bytes(one):
                return line
        return None


def uuid_pattern(uuids: Iterable[str]) -> re.Pattern[bytes]:
    r"""What the bytes of a line hold when a record on it may have one of the ids.

    An id may be written with `\u` escapes, so a line that holds any has to be decoded.
    """
    return re.compile(b"|".join([*(re.escape(one.encode()) for one in uuids), rb"\\u00"]))


def record_uuids(line: PhysicalLine) -> frozenset[str]:
    """The ids of the records on a line, and of those that they carry."""
    found = set()
    for one in decode_line(line, Damage()):
        for record in (one, *iter_carried(one)):
            if record.record.uuid:
                found.add(record.record.uuid)
    return frozenset(found)


def _key(one: TranscriptRecord) -> Key:
    return (one.line, one.glued, one.carried)


def _everything(_label: str) -> bool:
    return True


def _list_intervals(lane: Lane) -> tuple[list[int], list[int]]:
    """First and last line of each turn; a turn of waiting questions alone has none."""
    starts, ends = [], []
    for members in lane.turns.members:
        lines = [line for member in members if (line := lane.facts[member].line) is not None]
        starts.append(lines[0] if lines else sys.maxsize)
        ends.append(lines[-1] if lines else -1)
    return starts, ends
