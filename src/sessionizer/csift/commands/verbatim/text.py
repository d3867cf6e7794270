"""`csift verbatim` as text."""

from collections.abc import Iterator

from sessionizer.base.text import visible
from sessionizer.csift.colour import paint
from sessionizer.csift.commands.verbatim.heading import heading_lines, title_line
from sessionizer.csift.commands.verbatim.query import Document, document_lines
from sessionizer.csift.hit_lines import render_damage


def render(document: Document, *, colour: bool) -> Iterator[str]:
    """Every conversation under its heading, and everything that has to be said about them.

    Only headings are painted: a person's words may look like anything.
    """
    for line, is_heading in _render(document):
        shown = visible(line, keep="\t")
        yield from paint([shown], colour=colour and is_heading)


def _render(document: Document) -> Iterator[tuple[str, bool]]:
    """Lines, and whether each is a heading."""
    skipped = [one for one in document.sessions if not one.pieces]
    scope, asked = document.scope, document.asked
    if scope.total > 1 or skipped:
        noun = "session" if scope.total == 1 else "sessions"
        yield (
            f"scope  {scope.total} {noun} in scope ({scope.top_level} top-level + "
            f"{scope.subagents} subagent) · {len(document.rendered)} rendered within budget · "
            f"budget {asked.budget} chars is PER session → up to {document.max_total} chars total",
            True,
        )
        yield "", False
    for number, one in enumerate(document.sessions):
        if number:
            yield "", False
        if one.pieces:
            for line in heading_lines(one.heading):
                yield line, True
            for line in document_lines(one, asked.caps):
                yield line, False
        else:
            yield (
                f"{title_line(one.heading)}  skipped — its first round-trip needs ≥ {one.needs} "
                f"chars; raise --budget (now {asked.budget})",
                True,
            )
    if not document.sessions:
        yield "no turns selected (empty session set or budget too small)", False
    for line in render_damage(skipped=document.skipped_lines, repaired=document.repaired_lines):
        yield line, False
