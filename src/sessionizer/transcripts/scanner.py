"""A search made ready for reading files: the query, and how to pass over what cannot match."""

from collections.abc import Iterable, Iterator

from sessionizer.transcripts.blocks import Block
from sessionizer.transcripts.carried import iter_carried
from sessionizer.transcripts.gates import admits, candidate_pattern
from sessionizer.transcripts.pattern.engine import UndecidedError
from sessionizer.transcripts.persisted import MARKERS
from sessionizer.transcripts.possible import may_be_hit
from sessionizer.transcripts.prefilter import Place, make_filter
from sessionizer.transcripts.query import Query
from sessionizer.transcripts.record import TranscriptRecord


def _marked_lines(block: Block, place: Place) -> Iterator[int]:
    """The lines of a block in which a place stands and tells, each once."""
    position = place.find(block.buffer, 0, block.stop)
    while position >= 0:
        index = block.line_index_at(position)
        if place.tells is None or place.tells.search(block.buffer, position, block.ends[index]):
            yield index
        start = block.ends[index] + 1
        if start >= block.stop:
            return
        position = place.find(block.buffer, start, block.stop)


class Scanner:
    """Made once per search and process.

    Attributes:
        query: What is asked for.
        candidates: What the bytes of a record's line hold.
        filter: Which lines may match; None when all may.
    """

    def __init__(self, query: Query) -> None:
        self.query = query
        self.candidates = candidate_pattern(query.gates)
        self.filter = make_filter(query.needles, query.gates, persisted=query.persisted)
        self._places = self.filter.places() if self.filter is not None else ()
        self._borrowing = self.filter.borrowing_places() if self.filter is not None else ()

    def lines_to_read(self, block: Block) -> Iterable[int]:
        """The lines of a block, from 0, that may match when they are seen alone."""
        return self._find_lines(block, self._places)

    def lines_to_show(self, block: Block) -> Iterable[int]:
        """The lines of a block, from 0, that may match in a file that is read as a whole."""
        return self._find_lines(block, (*self._places, *self._borrowing))

    def _find_lines(self, block: Block, places: Iterable[Place]) -> Iterable[int]:
        if self.filter is None:
            return range(len(block.ends))
        return sorted({index for place in places for index in _marked_lines(block, place)})

    def may_be_hit(self, one: TranscriptRecord) -> bool:
        """Whether a record may be one, as far as it can be told without its lane."""
        try:
            return self._may_be_hit(one)
        except UndecidedError:
            return True

    def _may_be_hit(self, one: TranscriptRecord) -> bool:
        find = self.query.find
        if self.query.persisted and any(marker in one.whole for marker in MARKERS):
            return True  # its text lies in another file
        carried = iter_carried(one) if one.type == "progress" else ()
        return any(
            (record is not one or admits(one, self.query.gates))
            and self.query.window.admits(record.record.timestamp)
            and (find is None or may_be_hit(record, find))
            for record in (one, *carried)
        )
