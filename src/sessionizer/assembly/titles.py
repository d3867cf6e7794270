"""What the session is called: the last title a person gave, else one that the runtime made."""

from typing import Final

from msgspec import Struct

from sessionizer.assembly.streams import Streams
from sessionizer.index.entry import Entry
from sessionizer.index.lookup import Lookup

_CUSTOM: Final = "custom"
_RUNTIME: Final = "runtime"
_SUMMARY: Final = "summary"


class Title(Struct, frozen=True):
    """A title, and who gave it: `custom` (a person), `runtime` or `summary`."""

    text: str
    given_by: str


def choose_title(streams: Streams, lookup: Lookup) -> Title | None:
    """The last `custom` title in `main`, else the title file, the last `runtime`, `summary`.

    A summary names the record it was made for; many name a record of another session, and
    then they title that one.
    """
    last: dict[str, str] = {}
    for entry in streams.main.entries if streams.main else ():
        kind = _title_kind(entry, lookup)
        if kind:
            last[kind] = entry.label
    for entry in streams.unplaced:
        if entry.kind == "session_title" and entry.label:
            last.setdefault(_CUSTOM, entry.label)
    for kind in (_CUSTOM, _RUNTIME, _SUMMARY):
        if kind in last:
            return Title(last[kind], kind)
    return None


def _title_kind(entry: Entry, lookup: Lookup) -> str:
    if not is_title_line(entry):
        return ""
    if "custom_title" in entry.flags:
        return _CUSTOM
    if "summary_title" in entry.flags:
        return _SUMMARY if entry.continues in lookup.by_record else ""
    return _RUNTIME


def is_title_line(entry: Entry) -> bool:
    """Whether this line only names the session: it has a label and no id of its own."""
    return bool(entry.label) and not entry.record and entry.kind == "system"
