"""`asz conversation` as text."""

from collections.abc import Iterator, Mapping

from sessionizer.asz.commands.conversation.query import Branch, Description, Spent, Words
from sessionizer.base.canonical import encode_canonical
from sessionizer.base.text import normalise, visible
from sessionizer.views.revisions import EntityHistory

_GAPS_SHOWN = 12
_DEPTH = 6
_CHILDREN_SHOWN = 6
_ID_WIDTH = 22


def render(found: Description, words: Words) -> Iterator[str]:
    """Head, counts, gaps, tree. Whatever is not shown is counted."""
    folded = found.folded
    yield f"conversation {folded.conversation}"
    if folded.summary is not None and folded.summary.title:
        yield f"  title          {visible(normalise(folded.summary.title))}"
    later = "" if found.head == folded.round else f" of {found.head}"
    yield f"  rounds         {folded.round}{later} (head {folded.digest[:12]})"
    if len(folded.sessions) == 1:
        yield f"  landed through seq {folded.through_seq}"
    else:
        for covered in folded.sessions:
            yield f"  session        {covered.session}, landed through seq {covered.through_seq}"
    yield f"  nodes          {len(folded.nodes)}"
    yield f"  relations      {len(folded.relations)}"
    yield f"  unresolved     {len(folded.unresolved)} ({len(found.open)} open)"
    yield from _render_spent(found.spent)
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
            yield f"  {entry.kind}  {visible(normalise(entry.ref or ''))}  {entry.reason}"
        if len(found.open) > _GAPS_SHOWN:
            yield f"  ... and {len(found.open) - _GAPS_SHOWN} more"
    yield "tree:"
    for root in found.roots:
        yield from _render_branch(root, words, depth=1)


def render_history(history: EntityHistory) -> Iterator[str]:
    """A line per revision: the round, and the frame as it stands there."""
    yield f"{visible(history.id)} in conversation {history.conversation}"
    yield f"  {len(history.revisions)} revision(s) in rounds 1 to {history.round}"
    for frame in history.revisions:
        yield f"  round {frame.revision}: {visible(encode_canonical(frame).decode())}"


def _render_spent(spent: Spent) -> Iterator[str]:
    bound = "at least " if spent.at_least else ""
    yield f"  tokens         {bound}{_counters(spent.counted)}"
    if spent.at_least:
        yield f"                 {spent.at_least} call(s) state less than they used"
    if spent.inherited:
        yield f"  inherited      {_counters(spent.inherited)}, spent by an older session"
    for one in spent.stated:
        place = f"{one.ref.seq}/{one.ref.row} of session {one.session}"
        yield f"  runtime says   {_counters(one.tokens)} (record {place})"
    if spent.difference:
        yield f"  difference     {_counters(spent.difference, sign='+')}"


def _counters(counters: Mapping[str, int], sign: str = "") -> str:
    return ", ".join(f"{name} {count:{sign}}" for name, count in counters.items())


def _render_branch(branch: Branch, words: Words, *, depth: int) -> Iterator[str]:
    indent = "  " * depth
    last = visible(normalise(branch.node.id.rpartition("/")[2]))
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
