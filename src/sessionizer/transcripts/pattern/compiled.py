"""From what the user typed to something that finds it: read this module first."""

from msgspec import Struct

from sessionizer.transcripts.pattern.engine import Engine, choose_engine
from sessionizer.transcripts.pattern.needles import Needles, find_needles
from sessionizer.transcripts.pattern.parser import parse_pattern


class Pattern(Struct, frozen=True, kw_only=True):
    """A pattern ready for use.

    Attributes:
        text: As it was typed.
        engine: What finds it.
        needles: Every match contains one of them; None when nothing is known.
    """

    text: str
    engine: Engine
    needles: Needles | None


def compile_pattern(text: str, *, ignore_case: bool, multiline: bool) -> Pattern:
    """Check and compile. Without an uppercase letter, case does not count.

    Raises:
        PatternError: The pattern is refused; no match was looked for.
    """
    folded = ignore_case or not parse_pattern(text).has_uppercase
    tree = parse_pattern(text, folded=folded, multiline=multiline)
    flags = ("i" if folded else "") + ("ms" if multiline else "")
    engine = choose_engine(text, tree.root, flags=flags)
    return Pattern(text=text, engine=engine, needles=find_needles(tree.root))
