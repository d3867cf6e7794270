"""What a pattern means, as a tree. Values only."""

from msgspec import Struct

UNBOUNDED = -1


class Literal(Struct, frozen=True):
    """Characters that stand one after the other; `folded` when their case does not count."""

    text: str
    folded: bool


class Opaque(Struct, frozen=True):
    """One character out of several, or a place: nothing that every match holds.

    Attributes:
        translated: How the `regex` package writes it.
    """

    translated: str


class Concatenation(Struct, frozen=True):
    """Parts that follow each other; may be empty."""

    parts: tuple["Node", ...]


class Alternation(Struct, frozen=True):
    """One of several branches."""

    branches: tuple["Node", ...]


class Repetition(Struct, frozen=True):
    """A part several times.

    Attributes:
        part: What is repeated.
        least: How often at least.
        most: How often at most; `UNBOUNDED` for any number.
        lazy: Whether as few as possible are taken.
    """

    part: "Node"
    least: int
    most: int
    lazy: bool


class Group(Struct, frozen=True):
    """A part in parentheses.

    Attributes:
        part: What stands inside.
        name: Its name; empty without one.
        captures: Whether it is numbered.
    """

    part: "Node"
    name: str
    captures: bool


Node = Literal | Opaque | Concatenation | Alternation | Repetition | Group


class Tree(Struct, frozen=True):
    """A parsed pattern.

    Attributes:
        root: Its meaning.
        has_uppercase: Whether a literal or a class member is an uppercase letter.
    """

    root: Node
    has_uppercase: bool
