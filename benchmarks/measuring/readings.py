"""Find in what a command printed the number that proves its work.

Each reading raises ValueError or LookupError when the number is not there.
"""

import json
import re
from collections.abc import Callable


def read_number(output: str) -> int:
    """A number that stands alone."""
    return int(output)


def read_sum_of_counts(output: str) -> int:
    """The sum over lines `path:count`, as grep and rg print with -c."""
    return sum(int(line.rpartition(":")[2]) for line in output.splitlines())


def read_matched_records(output: str) -> int:
    """`matched_records` among csift's JSON lines."""
    return _find_key(output, "matched_records")


def read_sessions_in_scope(output: str) -> int:
    """`sessions_in_scope` among csift's JSON lines."""
    return _find_key(output, "sessions_in_scope")


def read_collected_sessions(output: str) -> int:
    """`sessions=N` of the line that asz collect prints after a pass."""
    found = re.search(r"\bsessions=(\d+)", output)
    if found is None:
        raise ValueError("no sessions=N")
    return int(found[1])


READINGS: dict[str, Callable[[str], int]] = {
    "number": read_number,
    "sum_of_counts": read_sum_of_counts,
    "matched_records": read_matched_records,
    "sessions_in_scope": read_sessions_in_scope,
    "collected_sessions": read_collected_sessions,
}


def _find_key(output: str, key: str) -> int:
    """The last row that has the key decides; a stream ends with its summary."""
    rows = (json.loads(line) for line in reversed(output.splitlines()))
    values = [row[key] for row in rows if key in row]
    return int(values[0])
