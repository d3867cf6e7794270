"""Shares and counts of real transcripts, as published; what the generator aims at.

Measured over 3,032 transcript files (1.1 GB, 365,825 records, 61 sessions) that Claude Code
2.1.220 to 2.1.258 wrote. `None` stands where no figure was published.
"""

from typing import NamedTuple

MEASURED_BYTES = 1_100_000_000

BYTE_SHARES = {
    "envelope": 0.336,
    "tool_result": 0.304,
    "signature": 0.133,
    "tool_use_result": 0.076,
    "tool_input": 0.068,
    "injected": 0.053,
    "text": 0.030,
}
"""Share of all bytes by what they hold; `envelope` is everything the others are not."""

MAIN_SHARE_OF_RECORDS = 0.37
ATTACHMENT_SHARE_OF_RECORDS = 0.059
UNNAMED_SHARE_OF_MAIN_LINES = 0.286
"""Lines of main transcripts without a uuid: metadata keyed by the session alone."""

RESULTS_WITH_ERROR_FLAG = 0.855
FAILED_RESULTS = 0.02
"""Share of results that failed. Main results always have a structured copy, child results
only when they failed, and a failed one's copy is a bare string: 7.2% of all copies."""

LINEAR_BATCHES = 0.805
"""Share of parallel tool batches written as use, result, use, result."""

CHILD_CALLS_WITHOUT_END = 0.145
"""Share of child calls no fragment of which carries a stop reason."""

OLD_CALLS_WITH_END = 0.02
"""Share of calls with a stop reason up to version 2.1.52; the usage of others is a stub."""

PROGRESS_SHARE_OF_RECORDS = 0.31
"""In transcripts up to about version 2.1.67."""

RUN_CHILDREN_WITHOUT_RESULT = 0.1024

EVENTS = {
    "api_error": 556,
    "synthetic": 122,
    "compaction": 27,
    "replay": 1_533,
    "spill": 516,
    "image": 41,
    "nested": 31,
}
"""How often rare things occur in `MEASURED_BYTES`. `replay`: uuids written a second time;
`spill`: tool output moved to a file; `nested`: children started by a child."""


class Figure(NamedTuple):
    """A figure of the finished corpus that has a published counterpart."""

    name: str
    documented: float | None


PERCENTAGES = (
    *(Figure(f"{part}_of_bytes", round(100 * share, 1)) for part, share in BYTE_SHARES.items()),
    Figure("main_of_records", 37.0),
    Figure("attachments_of_records", 5.9),
    Figure("unnamed_of_main_lines", 28.6),
    Figure("string_of_tool_use_results", 7.2),
    Figure("error_flag_of_tool_results", 85.5),
    Figure("single_fragment_of_calls", 32.4),
    Figure("interleaved_of_multi_fragment_calls", 24.0),
)

LINE_BYTES = (
    Figure("p10", None),
    Figure("p50", 813),
    Figure("p90", None),
    Figure("p99", 14_900),
    Figure("max", 979_632),
)
"""Published line lengths; the median and p99 come from another, smaller set of files."""


def expected_events(target_bytes: int) -> dict[str, int]:
    """How often each rare thing is due in a corpus of `target_bytes`; at least once each."""
    return {
        name: max(1, round(count * target_bytes / MEASURED_BYTES)) for name, count in EVENTS.items()
    }
