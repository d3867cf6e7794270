"""Where a clone comes from: the session whose reset it begins with."""

# ruff: noqa: PTH118, PTH120, PTH208

import os

from sessionizer.transcripts.damage import Damage
from sessionizer.transcripts.framing import decode_line
from sessionizer.transcripts.labels import BOUNDARY_SUBTYPE
from sessionizer.transcripts.reading import iter_physical_lines
from sessionizer.transcripts.when import parse_timestamp


def find_origin(path: str, boundary: str) -> str | None:
    """The id of the session beside `path` that wrote the reset `boundary` itself.

    A session that begins with it is another clone. Text that quotes the uuid is no reset.
    """
    directory = os.path.dirname(path)
    for name in sorted(os.listdir(directory)):
        other = os.path.join(directory, name)
        if name.endswith(".jsonl") and other != path and _wrote(other, boundary):
            return name.removesuffix(".jsonl")
    return None


def _wrote(path: str, boundary: str) -> bool:
    needle = boundary.encode()
    dated = False
    try:
        for line in iter_physical_lines(path):
            if dated and needle not in line.body:
                continue
            for one in decode_line(line, Damage()):
                is_reset = (
                    one.record.type == "system"
                    and one.record.subtype == BOUNDARY_SUBTYPE
                    and one.record.uuid == boundary
                )
                if is_reset:
                    return dated
                dated = dated or parse_timestamp(one.record.timestamp) is not None
    except OSError:
        return False
    return False
