"""The last time that a transcript states, read from its end."""

from pathlib import Path

import pytest

from sessionizer.base.instants import parse_instant_ns
from sessionizer.claude_code.last_time import read_last_time_ns

EARLY = "2026-01-02T03:04:05.000Z"
LATE = "2026-01-02T03:04:06.500Z"


def line(**fields: str) -> str:
    body = ",".join(f'"{key}":"{value}"' for key, value in fields.items())
    return f"{{{body}}}\n"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", None),
        (line(type="mode"), None),
        (line(timestamp=EARLY) + line(timestamp=LATE), LATE),
        (line(timestamp=LATE) + line(timestamp=EARLY), EARLY),  # the order of the file counts
        (line(timestamp=LATE) + line(type="mode") + "\n", LATE),
        (line(timestamp=LATE) + line(timestamp="yesterday"), LATE),
        (line(timestamp=LATE) + '{"timestamp":"2027', LATE),
        (line(timestamp=LATE) + line(text=f'say \\"timestamp\\":\\"{EARLY}\\"'), LATE),
        (line(timestamp=LATE) + line(filler="x" * 1_000_000), LATE),
        (line(filler="x" * 1_000_000, timestamp=LATE), LATE),
    ],
    ids=[
        "empty",
        "none",
        "last",
        "file-order",
        "metadata-after",
        "no-instant",
        "torn",
        "quoted",
        "far-back",
        "long-line",
    ],
)
def test_the_last_record_with_a_time_says_it(
    tmp_path: Path, text: str, expected: str | None
) -> None:
    path = tmp_path / "a.jsonl"
    path.write_text(text)

    assert read_last_time_ns(path) == (expected and parse_instant_ns(expected))
