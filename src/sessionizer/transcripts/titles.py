"""Which title a session has, and who gave it. Pure.

Source: docs/formats/transcript.md; the order is that of docs/commands/csift-list.md.
"""

from collections.abc import Iterable

from sessionizer.base.plain import Plain
from sessionizer.transcripts.summary import Summary

CUSTOM, AI, BY_SUMMARY, FIRST_WORDS = "custom", "ai", "summary", "first-words"


class Title(Plain):
    """A title and its source; both None when there is neither."""

    __slots__ = ("source", "text")
    text: str | None
    source: str | None

    def __init__(self, text: str | None, source: str | None) -> None:
        self._set(text=text, source=source)


def choose_title(
    summary: Summary, *, from_file: str | None, leaf_titles: Iterable[tuple[str, str]]
) -> Title:
    """A person's title, else the runtime's, else a summary's, else the first words.

    Args:
        summary: The session's.
        from_file: The title in `custom-title.json`; None without.
        leaf_titles: Titles in any file of the scope that name a record: (uuid, title), the
            session's own last. One counts only where its record was seen.
    """
    custom = summary.custom_title or from_file
    if custom:
        return Title(custom, CUSTOM)
    if summary.ai_title:
        return Title(summary.ai_title, AI)
    named = [title for leaf, title in leaf_titles if leaf in summary.uuids]
    if named:
        return Title(named[-1], BY_SUMMARY)
    if summary.first_user is not None:
        return Title(summary.first_user.excerpt, FIRST_WORDS)
    return Title(None, None)
