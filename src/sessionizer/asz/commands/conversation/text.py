"""`asz conversation` as text."""

from collections.abc import Iterator

from sessionizer.asz.commands.conversation.query import Branch, Description, Words
from sessionizer.base.text import normalise

_GAPS_SHOWN = 12
_DEPTH = 6
_CHILDREN_SHOWN = 6
_ID_WIDTH = 22


def render(found: Description, words: Words) -> Iterator[str]:
    """Head, counts, gaps, tree. Whatever is not shown is counted."""
    folded = found.folded
    yield f"conversation {folded.conversation}"
    if folded.summary is not None and folded.summary.title:
        yield f"  title          {normalise(folded.summary.title)}"
    yield f"  rounds         {folded.round} (head {folded.digest[:12]})"
    yield f"  landed through seq {folded.through_seq}"
    yield f"  nodes          {len(folded.nodes)}"
    yield f"  relations      {len(folded.relations)}"
    yield f"  unresolved     {len(folded.unresolved)} ({len(found.open)} open)"
    for title, counts in (
        ("node kinds:", found.kinds),
        ("relations:", found.relations),
        ("correlation quality:", found.qualities),
    ):
        if counts:
            yield title
            yield from (f"  {count:>6}  {words.name(name)}" for name, count in counts)
    if found.open:
        yield "open:"
        for entry in found.open[:_GAPS_SHOWN]:
            yield f"  {entry.kind}  {normalise(entry.ref or '')}  {entry.reason}"
        if len(found.open) > _GAPS_SHOWN:
            yield f"  ... and {len(found.open) - _GAPS_SHOWN} more"
    yield "tree:"
    for root in found.roots:
        yield from _render_branch(root, words, depth=1)


def _render_branch(branch: Branch, words: Words, *, depth: int) -> Iterator[str]:
    indent = "  " * depth
    last = normalise(branch.node.id.rpartition("/")[2])
    yield f"{indent}{words.name(branch.node.kind)} {last[:_ID_WIDTH]}"
    if not branch.children:
        return
    if depth == _DEPTH:
        yield f"{indent}  ... {len(branch.children)} below"
        return
    for child in branch.children[:_CHILDREN_SHOWN]:
        yield from _render_branch(child, words, depth=depth + 1)
    if len(branch.children) > _CHILDREN_SHOWN:
        yield f"{indent}  ... {len(branch.children) - _CHILDREN_SHOWN} more"
