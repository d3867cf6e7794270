"""Choose what fits into a budget: the newest first, round trips before anything else. Pure.

All costs are characters.
"""

from collections.abc import Callable, Sequence

from msgspec import Struct

# No unit is cheaper than its heading.
LEAST_COST = 16


class Costs(Struct, frozen=True, kw_only=True, gc=False):
    """What the sides of a unit cost.

    Attributes:
        user: What began it, alone; 0 when nothing did.
        agent: The agent's side, alone; 0 without one.
        both: Both sides together.
        is_round_trip: A person began it, in its own turn, and the agent answered.
        is_flagged: A side of it stands in the summary too.
        compactions: Summaries that came after it.
    """

    user: int
    agent: int
    both: int
    is_round_trip: bool
    is_flagged: bool
    compactions: int


class Choice(Struct, frozen=True, kw_only=True):
    """What was chosen.

    Attributes:
        sides: By number of the candidate: whether the user's and the agent's side are taken.
        used: Units and boundaries together.
        newest, oldest: Summaries after the newest and after the oldest of them; equal when no
            boundary is crossed.
    """

    sides: dict[int, tuple[bool, bool]]
    used: int
    newest: int
    oldest: int


Measure = Callable[[int], Costs]


def choose(
    count: int,
    measure: Measure,
    *,
    available: int,
    fraction: float,
    boundary_costs: Sequence[int],
) -> Choice:
    """Choose among `count` candidates, the newest first.

    Args:
        count: How many there are.
        measure: What a candidate costs; asked only while something may still fit.
        available: What may be spent in all.
        fraction: The part of it that round trips may take.
        boundary_costs: Of the line for each summary, the newest first.
    """
    walk = _Walk(count, measure, available, boundary_costs)
    walk.take_round_trips(int(available * fraction + 0.5))
    walk.fill()
    return Choice(
        sides=walk.sides,
        used=walk.spent + walk.boundaries(walk.newest, walk.oldest),
        newest=walk.newest,
        oldest=walk.oldest,
    )


class _Walk:
    def __init__(
        self, count: int, measure: Measure, available: int, boundary_costs: Sequence[int]
    ) -> None:
        self.count = count
        self.measure = measure
        self.available = available
        self.boundary_costs = boundary_costs
        self.sides: dict[int, tuple[bool, bool]] = {}
        self.spent = 0
        self.newest = 0
        self.oldest = 0

    def boundaries(self, newest: int, oldest: int) -> int:
        """What the lines between the newest and the oldest unit cost."""
        return sum(self.boundary_costs[newest:oldest])

    def room(self) -> int:
        """What is left, the lines that are necessary already taken off."""
        return self.available - self.spent - self.boundaries(self.newest, self.oldest)

    def fits(self, cost: int, compactions: int) -> bool:
        """Whether a unit fits, with the lines that it makes necessary."""
        newest = min(self.newest, compactions) if self.sides else compactions
        oldest = max(self.oldest, compactions) if self.sides else compactions
        return self.spent + cost + self.boundaries(newest, oldest) <= self.available

    def take(self, number: int, cost: int, compactions: int, sides: tuple[bool, bool]) -> None:
        if not self.sides:
            self.newest = self.oldest = compactions
        self.newest = min(self.newest, compactions)
        self.oldest = max(self.oldest, compactions)
        self.sides[number] = sides
        self.spent += cost

    def take_round_trips(self, allowance: int) -> None:
        for flagged in (False, True):
            for number in range(self.count):
                if min(allowance - self.spent, self.room()) < LEAST_COST and self.sides:
                    break
                costs = self.measure(number)
                if not costs.is_round_trip or costs.is_flagged is not flagged:
                    if flagged and costs.compactions:
                        break  # only what is still in the context is ever flagged
                    continue
                if not self.fits(costs.both, costs.compactions):
                    continue
                if self.spent + costs.both <= allowance:
                    self.take(number, costs.both, costs.compactions, (True, True))
                elif not self.sides and not flagged:
                    self.take(number, costs.both, costs.compactions, (True, True))
                    break

    def fill(self) -> None:
        for flagged in (False, True):
            for number in range(self.count):
                if self.room() < LEAST_COST:
                    break
                if number in self.sides:
                    continue
                costs = self.measure(number)
                if costs.is_flagged is not flagged:
                    if flagged and costs.compactions:
                        break
                    continue
                tries = (
                    (costs.both, (True, True), bool(costs.user and costs.agent)),
                    (costs.user, (True, False), bool(costs.user)),
                    (costs.agent, (False, True), bool(costs.agent)),
                )
                for cost, sides, is_there in tries:
                    if is_there and self.fits(cost, costs.compactions):
                        self.take(number, cost, costs.compactions, sides)
                        break
