"""What the session is called: the last title a person gave, else one that the runtime made."""

from collections.abc import Sequence
from typing import Final

from msgspec import Struct

from sessionizer.index.entry import Entry
from sessionizer.model.kinds import MAIN

_CUSTOM: Final = "custom"
_RUNTIME: Final = "runtime"
_SUMMARY: Final = "summary"


class Title(Struct, frozen=True):
    """A title, and who gave it: `custom` (a person), `runtime` or `summary`."""

    text: str
    given_by: str


def choose_title(entries: Sequence[Entry]) -> Title | None:
    """The last `custom` title in `main`, else the title file, the last `runtime`, `summary`.

    `entries` are those of one session, `main` before entries without a stream. A summary names
    the record it was made for; many name a record of another session, and then they title that
    one.
    """
    last: dict[str, str] = {}
    summaries: list[Entry] = []
    for entry in entries:
        if entry.stream == MAIN and is_title_line(entry):
            if "custom_title" in entry.flags:
                last[_CUSTOM] = entry.label
            elif "summary_title" in entry.flags:
                summaries.append(entry)
            else:
                last[_RUNTIME] = entry.label
        elif entry.kind == "session_title" and entry.label:
            last.setdefault(_CUSTOM, entry.label)
    for kind in (_CUSTOM, _RUNTIME):
        if kind in last:
            return Title(last[kind], kind)
    held = {entry.record for entry in entries if entry.record} if summaries else set()
    own = [entry.label for entry in summaries if entry.continues in held]
    return Title(own[-1], _SUMMARY) if own else None


def is_title_line(entry: Entry) -> bool:
    """Whether this line only names the session: it has a label and no id of its own."""
    return bool(entry.label) and not entry.record and entry.kind == "system"
