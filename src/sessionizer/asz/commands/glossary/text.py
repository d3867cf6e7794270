"""`asz glossary` as text."""

from collections.abc import Iterator, Sequence

from sessionizer.adapters.claude_code_local.contract import DIALECT
from sessionizer.claude_code.native_terms import NativeTerm
from sessionizer.cli.table import render_table


def render(terms: Sequence[NativeTerm]) -> Iterator[str]:
    """The dialect, the table, and how many words the runtime has of its own."""
    yield f"dialect {DIALECT}"
    yield ""
    rows = [
        (term.term, term.word or "—", term.where or "derived here", term.note) for term in terms
    ]
    yield from render_table(("MODEL", "RUNTIME", "WHERE", "NOTE"), rows)
    named = sum(bool(term.word) for term in terms)
    yield ""
    yield (
        f"{len(terms)} terms: {named} named by the runtime, "
        f"{len(terms) - named} derived by this project"
    )
