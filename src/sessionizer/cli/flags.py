"""Flag tables: what a command accepts, as data.

Parsing, `--help`, the pages in docs/commands/ and the tests over all flags read the same
table. Plain classes on purpose: this module is imported at every start, and must import
nothing (docs/decisions/0004-flag-tables.md).
"""

from collections.abc import Callable


class Flag:
    """One flag of a command.

    Args:
        name: The long form, `--max-count`.
        metavar: Name of its value in help, `N`; None for a switch, which takes no value.
        parse: Turns the text of the value into what `Args` holds; raises ValueError with a
            reason. Only checks what can be checked without looking at files.
        short: The one-letter form, `-t`, or empty.
        default: What `Args` holds when the flag is not given.
        repeatable: Given several times, `Args` holds a tuple in the order given.
        attached: The value is optional and only read when attached: `--archive=ROOT`.
            Without it, `Args` holds the empty string.
        choices: The values allowed, in the order shown.
        conflicts: Long forms that may not stand beside it.
        help: One or more sentences. Defaults and conflicts are added by the help page.
    """

    __slots__ = (
        "attached",
        "choices",
        "conflicts",
        "default",
        "help",
        "metavar",
        "name",
        "parse",
        "repeatable",
        "short",
    )

    def __init__(
        self,
        name: str,
        metavar: str | None = None,
        parse: Callable[[str], object] = str,
        *,
        help: str,  # noqa: A002 - the word of the trade for this text
        short: str = "",
        default: object = None,
        repeatable: bool = False,
        attached: bool = False,
        choices: tuple[str, ...] = (),
        conflicts: tuple[str, ...] = (),
    ) -> None:
        self.name = name
        self.metavar = metavar
        self.parse = parse
        self.help = help
        self.short = short
        self.default = () if repeatable else False if metavar is None else default
        self.repeatable = repeatable
        self.attached = attached
        self.choices = choices
        self.conflicts = conflicts

    @property
    def field(self) -> str:
        """Name of the attribute of `Args`: `--max-count` is `max_count`."""
        return self.name.removeprefix("--").replace("-", "_")

    @property
    def takes_next(self) -> bool:
        """Whether the token after the flag is its value."""
        return self.metavar is not None and not self.attached

    def spelling(self) -> str:
        """How help writes it: `-t, --label SEL`."""
        value = "" if self.metavar is None else f"[={self.metavar}]" if self.attached else ""
        tail = f" {self.metavar}" if self.takes_next else ""
        return f"{self.short + ', ' if self.short else ''}{self.name}{value}{tail}"


class Positional:
    """The positional arguments of a command that share one name.

    Args:
        name: As help writes it, `PATH`.
        least: How many are required.
        most: How many are allowed; None for any number.
        help: What they mean.
    """

    __slots__ = ("help", "least", "most", "name")

    def __init__(
        self,
        name: str,
        *,
        help: str,  # noqa: A002 - as above
        least: int = 0,
        most: int | None = 1,
    ) -> None:
        self.name = name
        self.help = help
        self.least = least
        self.most = most

    @property
    def field(self) -> str:
        """Name of the attribute of `Args`: `PATH...` is `path`, always a tuple."""
        return self.name.lower().replace("-", "_")

    def spelling(self) -> str:
        """How a usage line writes it: `PATTERN`, `[PATH...]`."""
        name = self.name if self.most == 1 else f"{self.name}..."
        return name if self.least else f"[{name}]"


class Arguments:
    """What the user typed, checked but not yet resolved: one attribute per flag.

    A command subclasses it and annotates its attributes.
    """

    def __init__(self, values: dict[str, object]) -> None:
        self.__dict__.update(values)


def some_text(text: str) -> str:
    """Text that is not empty: an empty name of a place is a variable that was not set."""
    if not text:
        raise ValueError("the value is empty")
    return text


def whole_number(text: str) -> int:
    """A decimal number, 0 or more."""
    if not (text.isascii() and text.isdigit()):
        raise ValueError(f"expected a whole number, found {text!r}")
    return int(text)


def signed_number(text: str) -> int:
    """A decimal number with an optional sign."""
    digits = text.removeprefix("-").removeprefix("+")
    if not (digits.isascii() and digits.isdigit()):
        raise ValueError(f"expected a number, found {text!r}")
    return int(text)


def positive_number(text: str) -> int:
    """A decimal number, 1 or more."""
    number = whole_number(text)
    if number == 0:
        raise ValueError("expected 1 or more, found 0")
    return number
