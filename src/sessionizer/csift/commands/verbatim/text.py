"""`csift verbatim` as text."""

from collections.abc import Iterator

from sessionizer.base.text import visible
from sessionizer.csift.commands.verbatim.heading import heading_lines, title_line
from sessionizer.csift.commands.verbatim.query import Document, document_lines
from sessionizer.csift.hit_lines import render_damage


def render(document: Document) -> Iterator[str]:
    """Every conversation under its heading, and everything that has to be said about them."""
    for line in _render(document):
        yield visible(line, keep="\t")


def _render(document: Document) -> Iterator[str]:
    skipped = [one for one in document.sessions if not one.pieces]
    scope, asked = document.scope, document.asked
    if scope.total > 1 or skipped:
        noun = "session" if scope.total == 1 else "sessions"
        yield (
            f"scope  {scope.total} {noun} in scope ({scope.top_level} top-level + "
            f"{scope.subagents} subagent) · {len(document.rendered)} rendered within budget · "
            f"budget {asked.budget} chars is PER session → up to {document.max_total} chars total"
        )
        yield ""
    for number, one in enumerate(document.sessions):
        if number:
            yield ""
        if one.pieces:
            yield from heading_lines(one.heading)
            yield from document_lines(one, asked.caps)
        else:
            yield (
                f"{title_line(one.heading)}  skipped — its first round-trip needs ≥ {one.needs} "
                f"chars; raise --budget (now {asked.budget})"
            )
    if not document.sessions:
        yield "no turns selected (empty session set or budget too small)"
    yield from render_damage(skipped=document.skipped_lines, repaired=document.repaired_lines)
