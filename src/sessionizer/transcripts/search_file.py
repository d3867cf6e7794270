"""Search one transcript: its hits, grouped by exchange.

A first look tells whether it can hold any. If so, it is read as a whole for turns, drafts and
pairing, and then the lines that may match are read again for what they show.
"""

import os
from collections.abc import Iterator
from hashlib import blake2b

from msgspec import Struct

from sessionizer.transcripts.account import AccountReader
from sessionizer.transcripts.blocks import Block
from sessionizer.transcripts.damage import Damage
from sessionizer.transcripts.excerpts import cut_excerpt
from sessionizer.transcripts.exchanges import Exchange, Hit
from sessionizer.transcripts.family import Family
from sessionizer.transcripts.files import TranscriptFile
from sessionizer.transcripts.framing import decode_line
from sessionizer.transcripts.ghosts import native_ids_among
from sessionizer.transcripts.hits import make_hit
from sessionizer.transcripts.images import image_ids
from sessionizer.transcripts.kept_lines import KeptLines
from sessionizer.transcripts.lane_views import LaneViews
from sessionizer.transcripts.lanes import MAIN, Fact
from sessionizer.transcripts.matching import Found, match_view
from sessionizer.transcripts.pattern.engine import UndecidedError
from sessionizer.transcripts.probing import probe_file
from sessionizer.transcripts.reading import PhysicalLine, read_line
from sessionizer.transcripts.record import TranscriptRecord
from sessionizer.transcripts.scanner import Scanner
from sessionizer.transcripts.siblings import Siblings, cap_siblings
from sessionizer.transcripts.sidecar import drop_ghosts, marker_key, read_sidecar
from sessionizer.transcripts.taxonomy import USER_QUEUED
from sessionizer.transcripts.units import View
from sessionizer.transcripts.when import parse_timestamp

UUID_LENGTH = 36
_DIGEST_BYTES = 8

Place = tuple[int, int]
ExchangeKey = tuple[int, int | None, int]  # lane, turn, and for a draft its position


class FileResult(Struct, frozen=True, kw_only=True):
    """What one file gave.

    Attributes:
        exchanges: By lane, in the order in which their first hits stand.
        damage: What reading it took.
        with_sidecar: Whether a question waits for a person beside it.
    """

    exchanges: tuple[Exchange, ...]
    damage: Damage
    with_sidecar: bool


def search_file(file: TranscriptFile, scanner: Scanner, family: Family) -> FileResult:
    """Search one file completely.

    Raises:
        OSError: It cannot be read.
    """
    damage = Damage()
    if probe_file(file.path, scanner, damage) or _waiting_may_match(file, scanner):
        return _FileSearch(file, scanner, family).run()
    return FileResult(exchanges=(), damage=damage, with_sidecar=_has_waiting(file, damage))


def _waiting_may_match(file: TranscriptFile, scanner: Scanner) -> bool:
    """Whether a question that waits beside the file may be a hit."""
    if file.elicitations is None:
        return False
    return any(scanner.may_be_hit(one) for one in read_sidecar(file.elicitations).pending)


def _has_waiting(file: TranscriptFile, damage: Damage) -> bool:
    """Whether a question waits for a person; the sidecar's damage is added to `damage`."""
    if file.elicitations is None:
        return False
    sidecar = read_sidecar(file.elicitations)
    damage.skipped += sidecar.skipped_lines
    keys = frozenset(marker_key(marker) for marker in sidecar.pending)
    return bool(drop_ghosts(sidecar.pending, native_ids_among(file.path, keys)))


class _FileSearch:
    """The search of a file that may hold hits."""

    def __init__(self, file: TranscriptFile, scanner: Scanner, family: Family) -> None:
        self.file = file
        self.scanner = scanner
        self.query = scanner.query
        self.selects = scanner.query.selection.labels.__contains__
        self.damage = Damage()
        self.reader = AccountReader(file, self.query.gates, family, self.damage)
        self.kept = KeptLines(file.path)
        account = self.reader.read(self.look)
        self.pending = account.pending
        self.views = LaneViews(file, account, family, persisted=self.query.persisted)

    def run(self) -> FileResult:
        hits: dict[ExchangeKey, list[Hit]] = {}
        for one in self.records():
            place = self.views.place_of(one)
            if place is None or not self.admits(one, place):
                continue
            try:
                found = list(self.hits(one, place))
            except UndecidedError:
                self.damage.undecided += 1
                continue
            if found:
                hits.setdefault(self.exchange_key(place), []).extend(found)
        exchanges = tuple(self.exchange(key, found) for key, found in hits.items())
        return FileResult(exchanges=exchanges, damage=self.damage, with_sidecar=bool(self.pending))

    def look(self, block: Block) -> None:
        """Keep the lines of a block that may match."""
        for index in self.scanner.lines_to_show(block):
            self.kept.add(block.line(index))

    def records(self) -> Iterator[TranscriptRecord]:
        """The records whose lines may match; the questions that wait come last."""
        for line in self.kept:
            for one in self.reader.decode(line, Damage()):
                yield one
                yield from self.reader.gatherer.carried(one)
        yield from self.pending

    def admits(self, one: TranscriptRecord, place: Place) -> bool:
        """Whether lane, time, turn and queue let the record through."""
        lane = self.views.lane(place)
        if self.file.lane is not None:
            if lane.id != self.file.lane:
                return False
        elif lane.id != MAIN and not self.query.subagents:
            return False
        if not self.query.window.admits(one.record.timestamp):
            return False
        if USER_QUEUED not in self.query.selection.reached and self.views.is_returned(one):
            return False
        if self.query.turns is None:
            return True
        turn = lane.turns.turn_of[place[1]]
        return turn is not None and turn in self.query.turns.resolve(len(lane.turns.members))

    def hits(self, one: TranscriptRecord, place: Place) -> Iterator[Hit]:
        leaves, views = self.views.labelled(one, place, self.selects)
        for view in views:
            found = match_view(view, self.query.find, whole=self.query.whole_texts)
            if found is not None:
                yield self.hit(one, place, view, found, leaves)

    def hit(
        self,
        one: TranscriptRecord,
        place: Place,
        view: View,
        found: Found,
        leaves: tuple[str, ...] | None = None,
    ) -> Hit:
        return make_hit(
            self.views,
            one,
            place,
            view,
            found.excerpt,
            labels=leaves,
            field=found.field,
            digest=_digest(one, view) if self.query.folds_copies else 0,
            images_before=self.images_before(one) if one.glued is not None else 0,
        )

    def images_before(self, one: TranscriptRecord) -> int:
        """How many images the records before it on a glued line hold: they are counted on."""
        body = read_line(self.file.path, one.offset, one.size)
        line = PhysicalLine(one.line or 1, one.offset, body)
        return sum(
            len(image_ids(other))
            for other in decode_line(line, Damage())
            if (other.glued or 1) < (one.glued or 1)
        )

    # Exchanges.

    def exchange_key(self, place: Place) -> ExchangeKey:
        number, position = place
        turn = self.views.lane(place).turns.turn_of[position]
        return (number, turn, position if turn is None else -1)

    def exchange(self, key: ExchangeKey, hits: list[Hit]) -> Exchange:
        number, turn, position = key
        lane = self.views.facts.lanes[number]
        positions = (position,) if turn is None else lane.turns.members[turn]
        members = [lane.facts[member] for member in positions]
        context = self.views.context(number)
        timestamp, start_ns = _start(members, hits)
        lines = [member.line for member in members if member.line is not None]
        siblings = Siblings((), 0)
        if self.query.siblings:
            siblings = cap_siblings(self.siblings(number, positions, hits))
        return Exchange(
            path=os.fsencode(self.file.path),
            session_id=context.owner,
            is_subagent=context.is_subagent,
            parent_session_id=context.parent,
            holder=self.file.session_id,
            turn=turn,
            timestamp=timestamp,
            start_ns=start_ns,
            record_uuids=tuple(member.uuid for member in members if member.uuid),
            first_line=lines[0] if lines else None,
            last_line=lines[-1] if lines else None,
            hits=tuple(hits),
            siblings=siblings.shown,
            siblings_hidden=siblings.hidden,
        )

    def siblings(self, number: int, positions: tuple[int, ...], hits: list[Hit]) -> Iterator[Hit]:
        """The views of a turn's other records, in file order."""
        lane = self.views.facts.lanes[number]
        taken = {(hit.line, hit.glued, hit.carried) for hit in hits}
        for position in positions:
            fact = lane.facts[position]
            one = None if fact.key in taken else self.record_of(fact)
            if one is None or self.views.is_returned(one):
                continue
            for view in self.views.views(one, (number, position), _everything):
                excerpt = cut_excerpt(view.text, None, whole=self.query.whole_texts)
                yield self.hit(one, (number, position), view, Found(excerpt))

    def record_of(self, fact: Fact) -> TranscriptRecord | None:
        if fact.line is None:
            return next((one for one in self.pending if one.carried == fact.carried), None)
        return self.reader.reread(fact)


def _everything(_label: str) -> bool:
    return True


def _start(members: list[Fact], hits: list[Hit]) -> tuple[str | None, int | None]:
    """When an exchange starts: with its first record, else with its earliest hit."""
    start = parse_timestamp(members[0].timestamp)
    if start is not None:
        return members[0].timestamp, start
    dated = [
        (instant, hit.timestamp)
        for hit in hits
        if (instant := parse_timestamp(hit.timestamp)) is not None
    ]
    if not dated:
        return members[0].timestamp, None
    instant, timestamp = min(dated)
    return timestamp, instant


def _digest(one: TranscriptRecord, view: View) -> int:
    """The same number for the same hit in another file; 0 without an id that is unique."""
    uuid = one.record.uuid or ""
    if len(uuid) != UUID_LENGTH:
        return 0
    whole = "\0".join((uuid, one.record.timestamp or "", view.label, view.text))
    digest = blake2b(whole.encode("utf-8", "replace"), digest_size=_DIGEST_BYTES)
    return int.from_bytes(digest.digest()) >> 1 or 1
