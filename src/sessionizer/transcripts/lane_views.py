"""What every record of a file shows, given what the file as a whole tells.

Made once per file; all reading commands ask it.
"""

from collections.abc import Iterable

from sessionizer.claude_code.markers import is_internal_agent
from sessionizer.transcripts.account import Account
from sessionizer.transcripts.family import Family
from sessionizer.transcripts.files import TranscriptFile
from sessionizer.transcripts.ghosts import find_calls
from sessionizer.transcripts.labels import Standing, classify
from sessionizer.transcripts.lanes import MAIN, Lane
from sessionizer.transcripts.persisted import PersistedOutput
from sessionizer.transcripts.record import TranscriptRecord
from sessionizer.transcripts.units import LaneContext, Selects, View, list_views


class LaneViews:
    """Views, labels and standings of the records of one file.

    Args:
        file: The file.
        account: What it tells as a whole.
        family: What is known of its session.
        persisted: Whether results show their whole stored output.
    """

    def __init__(
        self,
        file: TranscriptFile,
        account: Account,
        family: Family,
        *,
        persisted: bool = False,
    ) -> None:
        self.file = file
        self.facts = account.facts
        self.family = family
        self._persisted = PersistedOutput(file.folder) if persisted else None
        self._contexts: dict[int, LaneContext] = {}

    def place_of(self, one: TranscriptRecord) -> tuple[int, int] | None:
        """Lane and position of a record; None for a copy, or what is no record here."""
        return self.facts.place_of.get((one.line, one.glued, one.carried))

    def lane(self, place: tuple[int, int]) -> Lane:
        """The lane of a place."""
        return self.facts.lanes[place[0]]

    def standing(self, place: tuple[int, int]) -> Standing:
        """What the record at a place is in its lane."""
        number, position = place
        lane = self.facts.lanes[number]
        context = self.context(number)
        return Standing(
            is_draft=position in lane.turns.drafts,
            is_seed=position == lane.seed,
            is_internal=context.is_internal,
            children=context.children,
        )

    def labels(self, one: TranscriptRecord, place: tuple[int, int]) -> tuple[str, ...]:
        """All labels of a record."""
        return classify(one, self.standing(place))

    def labelled(
        self, one: TranscriptRecord, place: tuple[int, int], selects: Selects
    ) -> tuple[tuple[str, ...], Iterable[View]]:
        """All labels of a record, and its views under those that `selects` admits."""
        standing = self.standing(place)
        leaves = classify(one, standing)
        return leaves, list_views(one, leaves, standing, self.context(place[0]), selects)

    def views(
        self, one: TranscriptRecord, place: tuple[int, int], selects: Selects
    ) -> Iterable[View]:
        """The views of a record under the labels that `selects` admits."""
        return self.labelled(one, place, selects)[1]

    def is_returned(self, one: TranscriptRecord) -> bool:
        """Whether a queued prompt came back later: there it is found."""
        return one.type == "queue-operation" and (one.line, one.glued) in self.facts.queue.returned

    def queue_outcome(self, one: TranscriptRecord) -> str | None:
        """What became of a queued prompt; None for anything else."""
        if one.type != "queue-operation":
            return None
        return self.facts.queue.outcomes.get((one.line, one.glued))

    def context(self, number: int) -> LaneContext:
        """What a lane as a whole tells."""
        if number not in self._contexts:
            self._contexts[number] = self._make_context(self.facts.lanes[number])
        return self._contexts[number]

    def _make_context(self, lane: Lane) -> LaneContext:
        is_file = lane.id == MAIN
        is_internal = self.file.is_internal if is_file else is_internal_agent(lane.id)
        calls = self.facts.calls[lane.id]
        tools = self.facts.tools
        if is_internal:
            borrowed = self._borrow_calls(self.facts.answered[lane.id] - calls)
            calls |= borrowed.keys()
            tools = {**borrowed, **tools}
        return LaneContext(
            owner=self.file.session_id if is_file else lane.id,
            parent=self.file.parent_session_id,
            is_subagent=self.file.is_subagent or not is_file,
            is_internal=is_internal,
            children={**self.facts.children, **self.family.spawns.by_call},
            teammates=self.family.spawns.by_name,
            tools=tools,
            plans=self.facts.plans,
            calls=calls,
            answered=self.facts.answered[lane.id],
            persisted=self._persisted.replace if self._persisted is not None else None,
        )

    def _borrow_calls(self, answered: frozenset[str]) -> dict[str, str]:
        """Calls of the session itself: the runtime's own agents may hold only their results."""
        found: dict[str, str] = {}
        for main in self.family.main if answered else ():
            found.update(find_calls(main.path, answered))
        return found
