"""Try a pattern on a view: on its text, then on every value of its JSON. Pure."""

from collections.abc import Iterator
from typing import Any

from msgspec import Struct

from sessionizer.claude_code.values import decode_value, is_present
from sessionizer.transcripts.excerpts import Excerpt, cut_excerpt
from sessionizer.transcripts.query import Find
from sessionizer.transcripts.units import View


class Found(Struct, frozen=True, gc=False):
    """The excerpt of a match, and the path of the value it stands in, if not the text."""

    excerpt: Excerpt
    field: str | None = None


def match_view(view: View, find: Find | None, *, whole: bool) -> Found | None:
    r"""The excerpt of a view that matches; None for one that does not.

    In the JSON of a tool's input a newline reads `\n`, so that `\bdef` misses a `def` at the
    start of a line. The decoded values are tried after it, depth first.
    """
    if find is None:
        return Found(cut_excerpt(view.text, None, whole=whole))
    match = find(view.text)
    if match is not None:
        return Found(cut_excerpt(view.text, match, whole=whole))
    if not is_present(view.payload):
        return None
    for path, value in iter_strings(decode_value(view.payload)):
        match = find(value)
        if match is not None:
            excerpt = cut_excerpt(value, match, whole=whole)
            heading = f"{view.heading} {path}: " if view.heading else f"{path}: "
            return Found(Excerpt(heading + excerpt.text, excerpt.clipped), path)
    return None


def iter_strings(value: Any, path: str = "") -> Iterator[tuple[str, str]]:
    """Every string inside decoded JSON with its path, `edits.0.new_string`, depth first."""
    if isinstance(value, str):
        yield path, value
        return
    pairs = (
        value.items()
        if isinstance(value, dict)
        else enumerate(value)
        if isinstance(value, list)
        else ()
    )
    for key, inner in pairs:
        yield from iter_strings(inner, f"{path}.{key}" if path else str(key))
