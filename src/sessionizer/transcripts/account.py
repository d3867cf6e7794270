"""Read a file as a whole for its facts, and remember which lines may be hits."""

import re
from collections.abc import Callable

from msgspec import Struct

from sessionizer.transcripts.blocks import Block, iter_blocks
from sessionizer.transcripts.damage import Damage
from sessionizer.transcripts.facts import FactGatherer, FileFacts
from sessionizer.transcripts.family import Family
from sessionizer.transcripts.files import TranscriptFile
from sessionizer.transcripts.framing import clean_line, decode_line, is_framed
from sessionizer.transcripts.gates import Gates, candidate_pattern
from sessionizer.transcripts.lanes import Fact
from sessionizer.transcripts.quick import QuickReader
from sessionizer.transcripts.reading import PhysicalLine, read_line
from sessionizer.transcripts.record import TranscriptRecord
from sessionizer.transcripts.sidecar import drop_ghosts, read_sidecar

# Lines that are no records, but tell where records belong.
_STRUCTURE = re.compile(rb'"progress"|fork-context-ref|queue-operation')


class Account(Struct, frozen=True, kw_only=True):
    """What a whole file tells.

    Attributes:
        facts: Its lanes, tools, queue and copies.
        pending: Questions that wait for a person.
    """

    facts: FileFacts
    pending: tuple[TranscriptRecord, ...]


def _look_away(_block: Block) -> None:
    """Most readers need no second look at a line."""


class AccountReader:
    """Reads one file as a whole.

    Args:
        file: The file.
        gates: Which lines are records.
        family: What is known of its session.
        damage: Where to count.
        quick: Ordinary lines are not decoded as a whole; the facts are the same.
    """

    def __init__(
        self,
        file: TranscriptFile,
        gates: Gates,
        family: Family,
        damage: Damage,
        *,
        quick: bool = True,
    ) -> None:
        self.file = file
        self.damage = damage
        self.candidates = candidate_pattern(gates)
        self.quick = QuickReader(gates) if quick else None
        self.gatherer = FactGatherer(
            gates,
            is_subagent=file.is_subagent,
            is_internal=file.is_internal,
            agents_with_files=family.agents_with_files,
            agents_of_calls=family.spawns.by_call,
            is_filed=family.is_filed,
            reread=self.reread,
        )

    def read(self, look: Callable[[Block], None] = _look_away) -> Account:
        """Read it.

        Args:
            look: Is shown every block of the file before its lines are taken.

        Raises:
            OSError: It cannot be read.
        """
        for block in iter_blocks(self.file.path):
            look(block)
            for index in range(len(block.ends)):
                self.take(block.line(index))
        pending = self.take_sidecar()
        return Account(facts=self.gatherer.finish(), pending=pending)

    def take(self, line: PhysicalLine) -> None:
        """Take one line into account."""
        quick = self.quick.read(line) if self.quick is not None else None
        if quick is not None:
            self.gatherer.add_quick(quick)
            return
        for one in self.decode(line, self.damage):
            self.gatherer.add(one)

    def decode(self, line: PhysicalLine, damage: Damage) -> list[TranscriptRecord]:
        """The records of a candidate line; other lines only have to be framed."""
        if self.candidates.search(line.body):
            return list(decode_line(line, damage))
        body, stripped = clean_line(line.body, number=line.number)
        if not body:
            damage.skipped += stripped
        elif not is_framed(body):
            damage.skipped += 1
        elif _STRUCTURE.search(body):
            return list(decode_line(line, Damage()))
        return []

    def reread(self, fact: Fact) -> TranscriptRecord | None:
        """A record that was seen before, or whose line was only looked at."""
        body = read_line(self.file.path, fact.offset, fact.size)
        line = PhysicalLine(fact.line or 1, fact.offset, body)
        for one in decode_line(line, Damage()):
            carried = tuple(self.gatherer.carried(one)) if fact.carried > 0 else ()
            for record in (one, *carried):
                if (record.glued, record.carried) == (fact.glued, fact.carried):
                    return record
        return None

    def take_sidecar(self) -> tuple[TranscriptRecord, ...]:
        """Merge waiting questions in; they come after all native records."""
        if self.file.elicitations is None:
            return ()
        sidecar = read_sidecar(self.file.elicitations)
        self.damage.skipped += sidecar.skipped_lines
        pending = drop_ghosts(sidecar.pending, self.gatherer.native_ids())
        for one in pending:
            self.gatherer.add(one)
        return pending
