"""Search one transcript: its hits, grouped by exchange.

Two passes: the first gathers what the file as a whole tells, the second makes the views.
"""

import re
from collections.abc import Iterator, Mapping

from msgspec import Struct

from sessionizer.claude_code.markers import is_internal_agent
from sessionizer.claude_code.values import decode_members, decode_text
from sessionizer.transcripts.damage import Damage
from sessionizer.transcripts.exchanges import Exchange, Hit
from sessionizer.transcripts.facts import FactGatherer, FileFacts
from sessionizer.transcripts.files import TranscriptFile
from sessionizer.transcripts.framing import clean_line, decode_line, is_framed
from sessionizer.transcripts.gates import candidate_pattern
from sessionizer.transcripts.images import image_ids
from sessionizer.transcripts.labels import Standing, classify
from sessionizer.transcripts.lanes import MAIN, Fact, Key
from sessionizer.transcripts.matching import Found, match_view
from sessionizer.transcripts.query import Query
from sessionizer.transcripts.reading import PhysicalLine, iter_physical_lines
from sessionizer.transcripts.record import TranscriptRecord
from sessionizer.transcripts.sidecar import drop_ghosts, read_sidecar
from sessionizer.transcripts.spawns import SpawnIndex
from sessionizer.transcripts.taxonomy import USER_QUEUED
from sessionizer.transcripts.units import LaneContext, View, list_views
from sessionizer.transcripts.when import parse_timestamp

# Lines that are no records, but tell where records belong.
STRUCTURE = re.compile(rb'"progress"|fork-context-ref|queue-operation')


class FileResult(Struct, frozen=True, kw_only=True):
    """What one file gave.

    Attributes:
        exchanges: In order of lanes, then turns; a lane's drafts stand at their place.
        skipped_lines, repaired_lines, recovered_records: See `Damage`.
        with_sidecar: Whether a waiting question was merged in.
    """

    exchanges: tuple[Exchange, ...]
    skipped_lines: int
    repaired_lines: int
    recovered_records: int
    with_sidecar: bool = False


class Family(Struct, frozen=True, kw_only=True):
    """What is known of a file's session beside the file itself.

    Attributes:
        spawns: Which call started which agent.
        agents_with_files: Agents that have a transcript.
    """

    spawns: SpawnIndex = SpawnIndex()
    agents_with_files: frozenset[str] = frozenset()


def search_file(file: TranscriptFile, query: Query, family: Family) -> FileResult:
    """Search one file completely.

    Raises:
        OSError: It cannot be read.
    """
    return _Search(file, query, family).run()


class _Search:
    """The search of one file."""

    def __init__(self, file: TranscriptFile, query: Query, family: Family) -> None:
        self.file = file
        self.query = query
        self.family = family
        self.damage = Damage()
        self.candidates = candidate_pattern(query.gates)
        self.pending: tuple[TranscriptRecord, ...] = ()
        self.contexts: dict[int, LaneContext] = {}

    def run(self) -> FileResult:
        self.facts = self.gather()
        hits = self.collect()
        return FileResult(
            exchanges=tuple(self.exchanges(hits)),
            skipped_lines=self.damage.skipped,
            repaired_lines=self.damage.repaired,
            recovered_records=self.damage.recovered,
            with_sidecar=bool(self.pending),
        )

    # First pass: what the file as a whole tells.

    def gather(self) -> FileFacts:
        gatherer = FactGatherer(
            self.query.gates,
            is_subagent=self.file.is_subagent,
            is_internal=self.file.is_internal,
            agents_with_files=self.family.agents_with_files,
            agents_of_calls=self.family.spawns.by_call,
        )
        self.gatherer = gatherer
        for line in iter_physical_lines(self.file.path):
            for one in self.decode(line, self.damage):
                gatherer.add(one)
        if self.file.elicitations is not None:
            sidecar = read_sidecar(self.file.elicitations)
            self.damage.skipped += sidecar.skipped_lines
            self.pending = drop_ghosts(sidecar.pending, gatherer.native_ids())
            for one in self.pending:
                gatherer.add(one)
        return gatherer.finish()

    def decode(self, line: PhysicalLine, damage: Damage) -> Iterator[TranscriptRecord]:
        """The records of a candidate line; other lines only have to be framed."""
        if self.candidates.search(line.body):
            yield from decode_line(line, damage)
            return
        body, stripped = clean_line(line.body, number=line.number)
        if body and not is_framed(body):
            damage.skipped += 1
        elif STRUCTURE.search(body):
            yield from decode_line(line, Damage())
        elif not body and stripped:
            damage.skipped += 1

    # Second pass: what its records show.

    def collect(self) -> dict[tuple[int, int | None, int], list[Hit]]:
        """The hits by lane, turn and, for drafts, position."""
        found: dict[tuple[int, int | None, int], list[Hit]] = {}
        for one in self.records():
            place = self.facts.place_of.get(record_key(one))
            if place is None or not self.admits(place, one):
                continue
            number, position = place
            turn = self.facts.lanes[number].turns.turn_of[position]
            hits = list(self.hits(one, place))
            if hits:
                key = (number, turn, position if turn is None else -1)
                found.setdefault(key, []).extend(hits)
        return found

    def records(self) -> Iterator[TranscriptRecord]:
        for line in iter_physical_lines(self.file.path):
            for one in self.decode(line, Damage()):
                yield one
                yield from self.gatherer.carried(one)
        yield from self.pending

    def admits(self, place: tuple[int, int], one: TranscriptRecord) -> bool:
        """Whether lane, time and turn let the record through."""
        number, position = place
        lane = self.facts.lanes[number]
        if self.file.lane is not None and lane.id != self.file.lane:
            return False
        if lane.id != MAIN and not self.query.subagents and self.file.lane is None:
            return False
        if not self.query.window.admits(one.record.timestamp):
            return False
        turn = lane.turns.turn_of[position]
        if self.query.turns is None:
            return True
        return turn is not None and turn in self.query.turns.resolve(len(lane.turns.members))

    def hits(self, one: TranscriptRecord, place: tuple[int, int]) -> Iterator[Hit]:
        context, standing = self.context(place[0]), self.standing(place)
        selected = self.query.selection.labels
        returned = self.is_returned(one)
        if returned and USER_QUEUED not in self.query.selection.reached:
            return
        for view in list_views(one, standing, context, selected.__contains__):
            found = match_view(view, self.query.find, whole=self.query.whole_texts)
            if found is not None:
                yield self.hit(one, place, view, found)

    def is_returned(self, one: TranscriptRecord) -> bool:
        """Whether a queued prompt stands elsewhere as well: there it is found."""
        return one.type == "queue-operation" and (one.line, one.glued) in self.facts.queue.returned

    def standing(self, place: tuple[int, int]) -> Standing:
        number, position = place
        lane = self.facts.lanes[number]
        context = self.context(number)
        return Standing(
            is_draft=position in lane.turns.drafts,
            is_seed=position == lane.seed,
            is_internal=context.is_internal,
            children=context.children,
        )

    def context(self, number: int) -> LaneContext:
        if number not in self.contexts:
            lane = self.facts.lanes[number]
            is_main = lane.id == MAIN
            owner = self.file.session_id if is_main else lane.id
            calls = self.facts.calls[lane.id]
            self.contexts[number] = LaneContext(
                owner=owner,
                parent=self.file.parent_session_id,
                is_subagent=self.file.is_subagent or not is_main,
                is_internal=self.file.is_internal if is_main else is_internal_agent(lane.id),
                children={**self.facts.children, **self.family.spawns.by_call},
                teammates=self.family.spawns.by_name,
                tools=self.facts.tools,
                plans=self.facts.plans,
                calls=calls,
                answered=self.facts.answered[lane.id],
            )
        return self.contexts[number]

    def hit(self, one: TranscriptRecord, place: tuple[int, int], view: View, found: Found) -> Hit:
        context, standing = self.context(place[0]), self.standing(place)
        record = one.record
        is_queue = one.type == "queue-operation"
        return Hit(
            session_id=context.owner,
            is_subagent=context.is_subagent,
            parent_session_id=context.parent,
            line=one.line,
            glued=one.glued,
            carried=one.carried,
            uuid=record.uuid,
            source=one.source,
            label=view.label,
            labels=classify(one, standing),
            timestamp=record.timestamp,
            text=found.excerpt.text,
            clipped=found.excerpt.clipped,
            field=found.field,
            tool_name=view.tool_name,
            tool_use_id=view.tool_use_id,
            sender=view.sender,
            receiver=view.receiver,
            pairing=view.pairing,
            is_error=view.is_error,
            queue_operation=record.operation if is_queue else None,
            queue_reason=record.reason if is_queue else None,
            queue_outcome=self.facts.queue.outcomes.get((one.line, one.glued))
            if is_queue
            else None,
            image_ids=image_ids(one),
            model=record.message.model if record.message else None,
            version=record.version,
            attachment=attachment_type(one),
            offset=one.offset,
            size=one.size,
        )

    # Exchanges.

    def exchanges(
        self, hits: Mapping[tuple[int, int | None, int], list[Hit]]
    ) -> Iterator[Exchange]:
        for (number, turn, position), found in hits.items():
            lane = self.facts.lanes[number]
            members = (position,) if turn is None else lane.turns.members[turn]
            yield self.exchange(number, turn, [lane.facts[member] for member in members], found)

    def exchange(
        self, number: int, turn: int | None, members: list[Fact], hits: list[Hit]
    ) -> Exchange:
        context = self.context(number)
        timestamp = members[0].timestamp
        start = parse_timestamp(timestamp)
        if start is None:
            dated = [(parse_timestamp(hit.timestamp), hit.timestamp) for hit in hits]
            known = [(instant, text) for instant, text in dated if instant is not None]
            start, timestamp = min(known, default=(None, timestamp))
        lines = [member.line for member in members if member.line is not None]
        return Exchange(
            path=self.file.path,
            session_id=context.owner,
            is_subagent=context.is_subagent,
            parent_session_id=context.parent,
            holder=self.file.session_id,
            turn=turn,
            timestamp=timestamp,
            start_ns=start,
            record_uuids=tuple(member.uuid for member in members if member.uuid),
            first_line=lines[0] if lines else None,
            last_line=lines[-1] if lines else None,
            hits=tuple(hits),
        )


def record_key(one: TranscriptRecord) -> Key:
    """What tells a record from every other one of its file."""
    return (one.line, one.glued, one.carried)


def attachment_type(one: TranscriptRecord) -> str | None:
    """The type of an attachment's payload."""
    if one.type != "attachment":
        return None
    members = decode_members(one.record.attachment)
    return decode_text(members["type"]) if members and "type" in members else None
