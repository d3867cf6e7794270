"""The last time that a transcript states: what a person means by its age.

A file's own time is that of the last write, and copying or restoring changes it.
"""

from pathlib import Path
from typing import Final

from sessionizer.base.instants import parse_instant_ns
from sessionizer.claude_code.records import decode_record

_FIRST_LOOK: Final = 64 << 10
_LAST_LOOK: Final = 16 << 20


def read_last_time_ns(path: Path) -> int | None:
    """The timestamp of the last record that has one, in nanoseconds since 1970.

    None when no record in the last 16 MiB has one.
    """
    with path.open("rb") as file:
        size = file.seek(0, 2)
        look = _FIRST_LOOK
        while True:
            start = max(0, size - look)
            file.seek(start)
            lines = file.read(size - start).split(b"\n")
            found = _last_time_ns(lines if start == 0 else lines[1:])
            if found is not None or start == 0 or look >= _LAST_LOOK:
                return found
            look *= 8


def _last_time_ns(lines: list[bytes]) -> int | None:
    for line in reversed(lines):
        if b'"timestamp"' not in line:
            continue
        record = decode_record(line).record
        if record is not None and record.timestamp is not None:
            found = parse_instant_ns(record.timestamp)
            if found is not None:
                return found
    return None
