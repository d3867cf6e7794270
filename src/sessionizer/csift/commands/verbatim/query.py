"""Choose the words of one conversation that fit into the budget."""

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence

from msgspec import Struct
from msgspec.structs import replace

from sessionizer.csift.commands.verbatim.budget import Choice, Costs, choose
from sessionizer.csift.commands.verbatim.duplicates import read_fingerprints, stands_in
from sessionizer.csift.commands.verbatim.heading import Heading, heading_lines
from sessionizer.csift.commands.verbatim.keeping import Profile, keep_messages
from sessionizer.csift.commands.verbatim.layout import (
    Caps,
    Unit,
    agent_lines,
    boundary_line,
    cost_of,
    split_runs,
    user_lines,
)
from sessionizer.transcripts.scope import ScopeCount
from sessionizer.transcripts.spoken import Summary, UserWords, Words


class Asked(Struct, frozen=True, kw_only=True):
    """What the user asks for.

    Attributes:
        budget: Characters for each session.
        fraction: The part of it that round trips may take.
        mode: Which messages of the agent are kept.
        profile: How much of them.
        caps: How long a body may be.
    """

    budget: int
    fraction: float
    mode: str
    profile: Profile
    caps: Caps


class Source(Struct, frozen=True, kw_only=True):
    """One conversation to choose from.

    Attributes:
        session_id, is_subagent, parent_session_id, is_internal: Whose.
        holder: The transcript as a target, for refetching lines.
        count: How many passages there are, the newest first.
        read: The words of a passage, by number.
        read_user: What began it, which is cheaper.
        summary_lines: The newest first.
        read_summary: A summary, by line.
        with_sidecar: Whether a question waits beside it.
    """

    session_id: str
    is_subagent: bool
    parent_session_id: str
    is_internal: bool
    holder: str
    count: int
    read: Callable[[int], Words]
    read_user: Callable[[int], UserWords | None]
    summary_lines: tuple[int, ...]
    read_summary: Callable[[int], Summary]
    with_sidecar: bool


class Piece(Struct, frozen=True, kw_only=True):
    """One place of a document: a turn with the sides that are shown, or a boundary."""

    unit: Unit | None = None
    with_user: bool = False
    with_agent: bool = False
    boundary: Summary | None = None


class Restored(Struct, frozen=True, kw_only=True):
    """What became of one conversation.

    Attributes:
        heading: Whose it is, and how it was chosen.
        holder: The transcript as a target.
        pieces: The document, oldest first; empty when nothing was chosen.
        needs: The least budget for its newest round trip; None when something was chosen, or
            there is nothing to choose.
    """

    heading: Heading
    holder: str
    pieces: tuple[Piece, ...]
    needs: int | None


class Document(Struct, frozen=True, kw_only=True):
    """The conversations in scope, and everything that has to be said about them.

    Attributes:
        sessions: Those with words to restore, in order.
        scope: Transcripts in scope.
        asked: What was asked for.
        skipped_lines, repaired_lines: Over all files.
        unreadable: Files that could not be read.
    """

    sessions: tuple[Restored, ...]
    scope: ScopeCount
    asked: Asked
    skipped_lines: int
    repaired_lines: int
    unreadable: int

    @property
    def rendered(self) -> tuple[Restored, ...]:
        """Those of which something fits."""
        return tuple(one for one in self.sessions if one.pieces)

    @property
    def max_total(self) -> int:
        """The most characters that all of them together take."""
        return self.asked.budget * max(len(self.rendered), 1)


def restore(source: Source, asked: Asked) -> Restored | None:
    """Choose the words of one conversation; None when it has none to choose from."""
    return _Restorer(source, asked).run()


class _Restorer:
    def __init__(self, source: Source, asked: Asked) -> None:
        self.source = source
        self.asked = asked
        self._costs: dict[int, Costs] = {}
        self._fingerprints: tuple[str, ...] = ()
        self._boundary_costs = tuple(
            cost_of([boundary_line(line)]) for line in source.summary_lines
        )

    def run(self) -> Restored | None:
        source, asked = self.source, self.asked
        if source.summary_lines:
            newest = source.read_summary(source.summary_lines[0])
            self._fingerprints = read_fingerprints(newest.text)
        in_scope = Counter(
            user.trigger.kind
            for number in range(source.count)
            if (user := source.read_user(number)) is not None and user.trigger is not None
        )
        reserve = cost_of(heading_lines(self.heading(in_scope, most=True), at_most=True))
        choice = choose(
            source.count,
            self.measure,
            available=asked.budget - reserve,
            fraction=asked.fraction,
            boundary_costs=self._boundary_costs,
        )
        if not choice.sides:
            needs = self.least_budget(in_scope)
            if needs is None:
                return None
            heading = self.heading(in_scope)
            return Restored(heading=heading, holder=source.holder, pieces=(), needs=needs)
        pieces = tuple(self.pieces(choice))
        return Restored(
            heading=self.describe(pieces, in_scope, used=reserve + choice.used),
            holder=source.holder,
            pieces=pieces,
            needs=None,
        )

    def unit(self, number: int) -> Unit:
        words = self.source.read(number)
        kept = keep_messages(
            [one.text for one in words.agent], mode=self.asked.mode, profile=self.asked.profile
        )
        is_live = words.compactions_before == 0 and bool(self._fingerprints)
        return Unit(
            words=words,
            parts=split_runs(words.agent, kept),
            user_flagged=is_live
            and words.user is not None
            and stands_in(words.user.text, self._fingerprints),
            agent_flagged=is_live
            and bool(words.agent)
            and stands_in(words.agent[-1].text, self._fingerprints),
        )

    def measure(self, number: int) -> Costs:
        if number not in self._costs:
            self._costs[number] = self.cost(self.unit(number))
        return self._costs[number]

    def cost(self, unit: Unit) -> Costs:
        words, caps = unit.words, self.asked.caps
        agent = cost_of(agent_lines(unit, caps))
        user = cost_of(user_lines(unit, caps, with_calls=False))
        both = cost_of(user_lines(unit, caps, with_calls=True)) + agent
        return Costs(
            user=user,
            agent=agent,
            both=both,
            is_round_trip=bool(user and agent)
            and words.user is not None
            and words.user.trigger is None,
            is_flagged=unit.user_flagged or unit.agent_flagged,
            compactions=words.compactions_before,
        )

    def pieces(self, choice: Choice) -> Iterator[Piece]:
        """The document: units by their first lines, boundaries between them."""
        chosen = [(self.unit(number), sides) for number, sides in choice.sides.items()]
        chosen.sort(key=lambda pair: _place(pair[0].words))
        before: int | None = None
        for unit, (with_user, with_agent) in chosen:
            compactions = unit.words.compactions_before
            for crossed in range((before or 0) - 1, compactions - 1, -1):
                line = self.source.summary_lines[crossed]
                yield Piece(boundary=self.source.read_summary(line))
            before = compactions if before is None else min(before, compactions)
            yield Piece(unit=unit, with_user=with_user, with_agent=with_agent)

    def describe(
        self, pieces: Sequence[Piece], in_scope: Mapping[str, int], *, used: int
    ) -> Heading:
        units = [(piece, piece.unit) for piece in pieces if piece.unit is not None]
        selected = Counter(
            unit.words.user.trigger.kind
            for piece, unit in units
            if piece.with_user and unit.words.user is not None and unit.words.user.trigger
        )
        flagged = sum(
            (piece.with_user and unit.user_flagged) + (piece.with_agent and unit.agent_flagged)
            for piece, unit in units
        )
        return replace(
            self.heading(in_scope),
            used=used,
            spanned=sum(piece.boundary is not None for piece in pieces),
            user=sum(piece.with_user for piece, _ in units),
            agent=sum(len(unit.kept) for piece, unit in units if piece.with_agent),
            turns=len({unit.words.turn for _, unit in units}),
            selected=selected,
            flagged=flagged,
        )

    def heading(
        self, in_scope: Mapping[str, int], *, most: bool = False, budget: int | None = None
    ) -> Heading:
        """A heading without choices, or with the largest numbers that it may hold."""
        source = self.source
        budget = self.asked.budget if budget is None else budget
        largest = budget if most else 0
        return Heading(
            session_id=source.session_id,
            is_subagent=source.is_subagent,
            parent_session_id=source.parent_session_id,
            is_internal=source.is_internal,
            budget=budget,
            used=largest,
            fraction=self.asked.fraction,
            spanned=len(source.summary_lines) if most else 0,
            boundaries=len(source.summary_lines),
            user=largest,
            agent=largest,
            turns=largest,
            selected=in_scope if most else {},
            in_scope=in_scope,
            flagged=largest,
            summary_line=source.summary_lines[0] if source.summary_lines else None,
            with_sidecar=source.with_sidecar,
        )

    def least_budget(self, in_scope: Mapping[str, int]) -> int | None:
        """What the newest round trip needs, or else the newest words of any sort."""
        costs = list(map(self.measure, range(self.source.count)))
        trips = [one.both for one in costs if one.is_round_trip]
        single = [one.user or one.agent for one in costs if one.user or one.agent]
        if not trips and not single:
            return None
        least = trips[0] if trips else single[0]
        budget = least
        while True:
            most = self.heading(in_scope, most=True, budget=budget)
            needed = least + cost_of(heading_lines(most, at_most=True))
            if needed <= budget:
                return budget
            budget = needed


def document_lines(restored: Restored, caps: Caps) -> Iterator[str]:
    """The words of one conversation as lines, boundaries between them."""
    for piece in restored.pieces:
        if piece.boundary is not None:
            yield boundary_line(piece.boundary.line)
        if piece.unit is None:
            continue
        if piece.with_user:
            yield from user_lines(piece.unit, caps, with_calls=piece.with_agent)
        if piece.with_agent:
            yield from agent_lines(piece.unit, caps)


def _place(words: Words) -> tuple[bool, int, int]:
    line = words.first_line
    return (line is None, line or 0, words.turn or 0)
