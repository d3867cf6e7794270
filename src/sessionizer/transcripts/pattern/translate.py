"""Write a parsed pattern for the `regex` package, with RE2's meanings. Pure.

Every escape, class and place was translated when it was parsed; here they are put together.
"""

from sessionizer.transcripts.pattern.syntax import (
    UNBOUNDED,
    Alternation,
    Concatenation,
    Group,
    Literal,
    Node,
    Opaque,
    Repetition,
)


def translate(node: Node) -> str:
    """The pattern, to be compiled with `regex.V1` and no other flags."""
    if isinstance(node, Literal):
        return _spell(node.text, folded=node.folded)
    if isinstance(node, Opaque):
        return node.translated
    if isinstance(node, Concatenation):
        return "".join(_part(part) for part in node.parts)
    if isinstance(node, Alternation):
        return "|".join(translate(branch) for branch in node.branches)
    if isinstance(node, Group):
        inner = translate(node.part)
        return f"({inner})" if node.captures else f"(?:{inner})"
    return f"(?:{translate(node.part)}){_count(node)}"


def _part(node: Node) -> str:
    text = translate(node)
    return f"(?:{text})" if isinstance(node, Alternation) else text


def _count(node: Repetition) -> str:
    lazy = "?" if node.lazy else ""
    if (node.least, node.most) == (0, UNBOUNDED):
        return "*" + lazy
    if (node.least, node.most) == (1, UNBOUNDED):
        return "+" + lazy
    if (node.least, node.most) == (0, 1):
        return "?" + lazy
    most = "" if node.most == UNBOUNDED else str(node.most)
    return f"{{{node.least},{most}}}{lazy}"


def _spell(text: str, *, folded: bool) -> str:
    spelled = "".join(
        character if character.isascii() and character.isalnum() else f"\\U{ord(character):08x}"
        for character in text
    )
    return f"(?i-f:{spelled})" if folded else spelled
