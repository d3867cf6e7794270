"""What a comparison is: contestants that take turns, and the ratios read from their times."""

from msgspec import Struct

Command = tuple[str, ...]
"""A command line. `{name}` in an argument stands for something `settings` knows."""


class Check(Struct, frozen=True, kw_only=True):
    """Proof that a contestant does the work it is timed for; run once, untimed.

    Attributes:
        command: Prints a number that the corpus summary knows.
        reading: How to find it in what was printed: a name in `readings`.
        fact: Its name in the summary, see `settings.find_facts`.
    """

    command: Command
    reading: str
    fact: str


class Contestant(Struct, frozen=True, kw_only=True):
    """One way of doing the work.

    Attributes:
        name: Unique within its comparison.
        steps: Commands run one after another; their times are added.
        setup: Commands run once before the first turn, untimed.
        accepts: Exit codes that mean success.
        probe: A command that fails when the contestant does not exist here.
        environment: Variables set for every command.
        check: Run once before the first turn.
    """

    name: str
    steps: tuple[Command, ...]
    setup: tuple[Command, ...] = ()
    accepts: tuple[int, ...] = (0,)
    probe: Command | None = None
    environment: tuple[tuple[str, str], ...] = ()
    check: Check | None = None


class Ratio(Struct, frozen=True, kw_only=True):
    """A ratio to report: the time of `subject` over that of `reference`.

    Attributes:
        target: The most it should be; None when no measurement says what to expect.
        source: Where the target comes from, or why there is none.
    """

    subject: str
    reference: str
    target: float | None = None
    source: str


class Comparison(Struct, frozen=True, kw_only=True):
    """Contestants that take turns in one run, and what is read from them."""

    name: str
    contestants: tuple[Contestant, ...]
    ratios: tuple[Ratio, ...]
