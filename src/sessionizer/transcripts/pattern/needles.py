"""What the bytes of every line with a match must hold: the law that makes searching fast.

A needle is a piece of text that every match contains and that stands in the source as it
stands in the text. So it is cut at every character that JSON may spell otherwise, at white
space, which texts normalise, and at JSON's own punctuation, around which spaces may differ.
Pure.

Source: docs/commands/csift-search.md, "Why a filter cannot hide a match".
"""

import re
from collections.abc import Iterable, Sequence

from msgspec import Struct

from sessionizer.transcripts.pattern.syntax import (
    Alternation,
    Concatenation,
    Group,
    Literal,
    Node,
    Repetition,
)

MIN_BYTES = 3
MAX_NEEDLES = 8

# White space, what JSON escapes, JSON punctuation, and what stands for unreadable bytes.
_CUT = re.compile(
    '[\\x00-\\x20\\x7f"\\\\/,:{}\\[\\]\x85\xa0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f'
    "\u3000\ufffd\ud800-\udfff]+"
)
# Folded text is looked for by its ASCII letters, and by letters of scripts without case:
# Hebrew to Thai, Hangul, and what Chinese and Japanese are written with.
_RUN = re.compile(
    "(?P<ascii>[\x00-\x7f]+)"
    "|(?P<caseless>[\u05d0-\u05ea\u0620-\u06ff\u0904-\u0e7f\u1100-\u11ff\u2e80-\u2fff"
    "\u3001-\u9fff\uac00-\ud7a3\uf900-\ufaff\U00020000-\U0002ffff]+)"
)
# A number may be spelled otherwise where a tool's input is written anew.
_NUMBER = re.compile(r"[0-9+\-.eE]+")


class Needle(Struct, frozen=True, order=True):
    """One piece of text; `folded` when its case does not count, and then it is ASCII.

    A piece without any case is never folded.
    """

    text: str
    folded: bool

    @property
    def size(self) -> int:
        """Its length in bytes."""
        return len(self.text.encode())


Needles = tuple[Needle, ...]


def find_needles(root: Node) -> Needles | None:
    """Needles of which every match contains at least one; None when there are none."""
    return _required(root)


def _required(node: Node) -> Needles | None:
    if isinstance(node, Literal):
        return _cut(node.text, folded=node.folded)
    if isinstance(node, Group):
        return _required(node.part)
    if isinstance(node, Repetition):
        return _required(node.part) if node.least > 0 else None
    if isinstance(node, Alternation):
        return _join([_required(branch) for branch in node.branches])
    if isinstance(node, Concatenation):
        return _best(_required(part) for part in _merge(node.parts))
    return None


def _merge(parts: Sequence[Node]) -> list[Node]:
    """Neighbouring letters of one case rule become one literal."""
    merged: list[Node] = []
    for part in _flatten(parts):
        last = merged[-1] if merged else None
        if isinstance(part, Literal) and isinstance(last, Literal) and last.folded == part.folded:
            merged[-1] = Literal(last.text + part.text, last.folded)
        else:
            merged.append(part)
    return merged


def _flatten(parts: Iterable[Node]) -> Iterable[Node]:
    """Groups that only hold a sequence are part of the sequence around them."""
    for part in parts:
        inner = part.part if isinstance(part, Group) else part
        if isinstance(inner, Concatenation):
            yield from _flatten(inner.parts)
        else:
            yield part


def _best(choices: Iterable[Needles | None]) -> Needles | None:
    """The choice whose shortest needle is longest; of equals the one with fewer needles."""
    usable = [choice for choice in choices if choice]
    return max(
        usable, key=lambda one: (min(needle.size for needle in one), -len(one)), default=None
    )


def _join(branches: Sequence[Needles | None]) -> Needles | None:
    """All branches must have needles, and not too many together."""
    joined: dict[Needle, None] = {}
    for branch in branches:
        if not branch:
            return None
        joined.update(dict.fromkeys(branch))
    return tuple(joined) if len(joined) <= MAX_NEEDLES else None


def _cut(text: str, *, folded: bool) -> Needles | None:
    """The longest usable piece of a literal."""
    pieces = [(piece, folded) for piece in _CUT.split(text)]
    if folded:
        pieces = [
            (run[0], run["ascii"] is not None)
            for piece, _ in pieces
            for run in _RUN.finditer(piece)
        ]
    usable = [
        Needle(piece.lower() if is_folded else piece, is_folded)
        for piece, is_folded in pieces
        if len(piece.encode()) >= MIN_BYTES and not _NUMBER.fullmatch(piece)
    ]
    return (max(usable, key=lambda needle: needle.size),) if usable else None
