"""Tool output that was too long for the transcript and lies in a file of the session.

Only a regular file inside the session's own `tool-results/` is opened, whatever path a
transcript names: it may come from another machine, or from somebody with other plans.
"""

# ruff: noqa: PTH113, PTH118, PTH123

import os
import re

from sessionizer.claude_code.markers import PERSISTED_OPENING
from sessionizer.claude_code.values import decode_members, decode_text
from sessionizer.transcripts.record import TranscriptRecord

# What the bytes of a line hold whose text may be replaced.
MARKERS = (b"persistedOutputPath", PERSISTED_OPENING.strip().encode())

_SCRAPED = re.compile(f"{re.escape(PERSISTED_OPENING)}([^\n]+)")
_SEPARATORS = re.compile(r"[/\\]")


class PersistedOutput:
    """Reads the stored output of one session.

    Args:
        folder: Where the session's further files lie.
    """

    def __init__(self, folder: str) -> None:
        self._directory = os.path.join(folder, "tool-results")

    def replace(self, one: TranscriptRecord, text: str) -> str:
        """The whole output that `text` points to; `text` with a note when it cannot be read."""
        path = _named_path(one, text)
        if path is None:
            return text
        try:
            return self._read(path)
        except OSError as error:
            reason = error.strerror or type(error).__name__
            return f"{text}\n[csift: could not resolve persisted output {path}: {reason}]"

    def _read(self, path: str) -> str:
        name = _SEPARATORS.split(path)[-1]
        found = os.path.realpath(os.path.join(self._directory, name))
        inside = os.path.realpath(self._directory) + os.sep
        if not found.startswith(inside) or not os.path.isfile(found):
            raise FileNotFoundError(0, "no such file among the session's own tool results")
        with open(found, "rb") as file:
            return file.read().decode("utf-8", "replace")


def _named_path(one: TranscriptRecord, text: str) -> str | None:
    members = decode_members(one.record.tool_use_result)
    if members and "persistedOutputPath" in members:
        path = decode_text(members["persistedOutputPath"])
        if path:
            return path
    scraped = _SCRAPED.search(text)
    return scraped[1].strip() if scraped else None
