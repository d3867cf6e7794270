"""Spread a fixed number of rare events evenly over the growth of a corpus."""

from collections import Counter
from collections.abc import Iterator, Mapping


class Schedule:
    """How many of each event are planned, and how many were made."""

    def __init__(self, planned: Mapping[str, int]) -> None:
        self.planned = dict(planned)
        self.made: Counter[str] = Counter()

    def is_due(self, name: str, progress: float) -> bool:
        """Whether the next event of this name has come up; `progress` runs from 0 to 1.

        Of N planned events, event k (from 1) comes up at (k - 0.5) / N, so that one
        planned event stands in the middle and not at the edge.
        """
        made, planned = self.made[name], self.planned.get(name, 0)
        return made < planned and made + 0.5 <= planned * progress

    def take(self, name: str, progress: float) -> bool:
        """`is_due`, and counted as made when it is."""
        due = self.is_due(name, progress)
        self.made[name] += due
        return due

    def rows(self) -> Iterator[dict[str, object]]:
        """Yield a row of the summary per event: how many were planned, how many made."""
        for name, planned in self.planned.items():
            yield {"kind": "event", "name": name, "planned": planned, "made": self.made[name]}

    def leftover(self) -> tuple[str, ...]:
        """Names of which fewer were made than planned, in the order of the plan."""
        return tuple(name for name, count in self.planned.items() if self.made[name] < count)
