"""What it took to read the lines of a file, in numbers."""


class Damage:
    """Counts of one file. Every line is counted at most once in each of them.

    Attributes:
        skipped: Lines of which at least a part could not be read.
        repaired: Lines read with replacements.
        undecided: Records whose text the engine could not decide on within its deadline.
        recovered: Records found on a line after its first, or after a broken beginning.
    """

    __slots__ = ("recovered", "repaired", "skipped", "undecided")

    def __init__(self) -> None:
        self.skipped = 0
        self.repaired = 0
        self.recovered = 0
        self.undecided = 0

    def add(self, other: "Damage") -> None:
        """Add the counts of another file."""
        self.skipped += other.skipped
        self.repaired += other.repaired
        self.recovered += other.recovered
        self.undecided += other.undecided
