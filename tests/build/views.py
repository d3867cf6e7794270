"""A transcript's turns, labels and texts, by line number, as the search side reads them."""

from collections.abc import Iterator
from pathlib import Path

from sessionizer.transcripts.account import AccountReader
from sessionizer.transcripts.damage import Damage
from sessionizer.transcripts.family import Family
from sessionizer.transcripts.files import TranscriptFile
from sessionizer.transcripts.framing import decode_line
from sessionizer.transcripts.gates import ALL_GATES, Gates
from sessionizer.transcripts.lane_views import LaneViews
from sessionizer.transcripts.reading import iter_physical_lines
from sessionizer.transcripts.record import TranscriptRecord
from sessionizer.transcripts.units import View
from tests.build.home import S1


class Read:
    """One file, read as a whole with all gates open."""

    def __init__(
        self, path: Path, *, subagent: str | None = None, gates: Gates = ALL_GATES
    ) -> None:
        self.file = TranscriptFile(
            path=str(path),
            session_id=subagent or S1,
            is_subagent=subagent is not None,
            parent_session_id=S1,
        )
        self.damage = Damage()
        self.reader = AccountReader(self.file, gates, Family(), self.damage)
        self.account = self.reader.read()
        self.all = LaneViews(self.file, self.account, Family())

    @property
    def turns(self) -> list[list[int]]:
        """Lines of every turn of the file's own lane."""
        lane = self.account.facts.lanes[0]
        return [[lane.facts[member].line or 0 for member in turn] for turn in lane.turns.members]

    def labels(self, line: int) -> list[str]:
        """Labels of the first record on a line; none when it is no record."""
        for one, place in self._records(line):
            return list(self.all.labels(one, place))
        return []

    def views(self, line: int) -> list[View]:
        """Every view of a line."""
        return [
            view
            for one, place in self._records(line)
            for view in self.all.views(one, place, lambda _: True)
        ]

    def texts(self, line: int) -> list[str]:
        """The text of every view of a line."""
        return [view.text for view in self.views(line)]

    def turn_of(self, line: int) -> int | None:
        """The turn of the first record on a line; None for a draft."""
        _, place = next(iter(self._records(line)))
        return self.all.lane(place).turns.turn_of[place[1]]

    def _records(self, number: int) -> Iterator[tuple[TranscriptRecord, tuple[int, int]]]:
        for line in iter_physical_lines(self.file.path):
            if line.number != number:
                continue
            for one in decode_line(line, Damage()):
                for record in (one, *self.reader.gatherer.carried(one)):
                    place = self.all.place_of(record)
                    if place is not None:
                        yield record, place
