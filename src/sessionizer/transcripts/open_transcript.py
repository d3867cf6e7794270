"""One transcript, read as a whole once; then any of its lines is decoded alone, by its offset."""

from collections.abc import Callable, Iterator
from typing import Self

from sessionizer.transcripts.account import Account, AccountReader
from sessionizer.transcripts.damage import Damage
from sessionizer.transcripts.facts import FileFacts
from sessionizer.transcripts.family import Family
from sessionizer.transcripts.files import TranscriptFile
from sessionizer.transcripts.framing import clean_line, decode_line, is_framed
from sessionizer.transcripts.gates import Gates
from sessionizer.transcripts.images import image_ids
from sessionizer.transcripts.lane_views import LaneViews
from sessionizer.transcripts.lanes import MAIN, Fact
from sessionizer.transcripts.line_index import LineIndex
from sessionizer.transcripts.queue import LateLedger, QueueLedger
from sessionizer.transcripts.quick import QuickReader
from sessionizer.transcripts.reading import PhysicalLine, iter_physical_lines
from sessionizer.transcripts.record import TranscriptRecord

ORDINARY = Gates()  # what is a record of a turn

Look = Callable[[PhysicalLine], None]


class OpenTranscript:
    """A transcript and the facts of its ordinary records; a context. `read` comes first.

    Args:
        file: The transcript.
        family: What is known of its session.

    Attributes:
        file: As given.
        index: Its lines.
        damage: What reading it took.
        reader: What read it.
        pending: Questions that wait beside it.
        facts: Its lanes, turns, tools, queue and copies.
        views: What its records show.
    """

    facts: FileFacts
    views: LaneViews

    def __init__(self, file: TranscriptFile, family: Family) -> None:
        self.file = file
        self.index = LineIndex(file.path)
        self.damage = Damage()
        self.reader = AccountReader(file, ORDINARY, family, self.damage)
        self.pending: tuple[TranscriptRecord, ...] = ()
        self._family = family

    def __enter__(self) -> Self:
        self.index.__enter__()
        return self

    def __exit__(self, *_error: object) -> None:
        self.index.__exit__()

    def read(self, look: Look | None = None, *, late_queue: bool = False) -> None:
        """Read the file as a whole.

        Args:
            look: Sees every line.
            late_queue: Find out what became of queued prompts only when it is asked for.

        Raises:
            OSError: It cannot be read.
        """
        if late_queue:
            self.reader.gatherer.queue = LateLedger(self._read_queue)
        take = self.reader.take
        for line in self.index.scan():
            if look is not None:
                look(line)
            take(line)
        self.pending = self.reader.take_sidecar()
        account = Account(facts=self.reader.gatherer.finish(), pending=self.pending)
        self.facts = account.facts
        self.views = LaneViews(self.file, account, self._family)

    def _read_queue(self) -> QueueLedger:
        ledger = QueueLedger()
        quick = QuickReader(ORDINARY)
        for line in iter_physical_lines(self.file.path):
            if quick.read(line) is None:  # an ordinary line tells nothing about the queue
                for one in self.reader.decode(line, Damage()):
                    ledger.add(one)
        return ledger

    @property
    def lane(self) -> int:
        """The lane that is read: the file's own, unless the file is narrowed to another."""
        wanted = self.file.lane or MAIN
        return next(number for number, lane in enumerate(self.facts.lanes) if lane.id == wanted)

    def records_on(self, number: int, damage: Damage) -> Iterator[tuple[TranscriptRecord, int]]:
        """The records of a line and those that they carry, each with the images before it."""
        images = 0
        for one in decode_line(self.index.line(number), damage):
            yield one, images
            images += len(image_ids(one))
            for carried in self.reader.gatherer.carried(one):
                yield carried, 0

    def record_of(self, fact: Fact) -> tuple[TranscriptRecord, int] | None:
        """The record of a fact, with the images before it on its line."""
        if fact.line is None:
            waiting = (one for one in self.pending if one.carried == fact.carried)
            return next(((one, 0) for one in waiting), None)
        for one, images in self.records_on(fact.line, Damage()):
            if (one.line, one.glued, one.carried) == fact.key:
                return one, images
        return None

    def is_unread(self, number: int) -> bool:
        """Whether a line was only looked at, so that damage inside it was not counted."""
        body, _ = clean_line(self.index.line(number).body, number=number)
        return is_framed(body) and self.reader.candidates.search(body) is None
