"""Keep account of what was written: bytes by part, lines by size, records by kind.

Memory does not grow with the corpus, but for one counter of distinct line lengths.
"""

from collections import Counter
from collections.abc import Iterator
from itertools import accumulate
from typing import Any

from benchmarks.corpus.anatomy import iter_parts
from benchmarks.corpus.documented import BYTE_SHARES, LINE_BYTES, PERCENTAGES
from benchmarks.corpus.needles import NEEDLES

STEADYING_BYTES = 300_000
"""Until about here the documented shares outweigh the measured ones: calms the first sizes."""

QUANTILES = {"p10": 0.10, "p50": 0.50, "p90": 0.90, "p99": 0.99, "max": 1.0}
NEEDLE_BYTES = tuple((needle.name, needle.text.encode()) for needle in NEEDLES)


class Ledger:
    """Counts. `tally` holds everything that is counted by a plain name."""

    def __init__(self, target_bytes: int) -> None:
        self.target_bytes = target_bytes
        self.all_bytes = 0
        self.lines = 0
        self.parts: Counter[str] = Counter()
        self.kinds: Counter[str] = Counter()
        self.tally: Counter[str] = Counter()
        self.line_sizes: Counter[int] = Counter()
        self.needle_lines: Counter[str] = Counter()
        self.needle_records: Counter[str] = Counter()

    @property
    def progress(self) -> float:
        """How much of the corpus is written, from 0 to 1."""
        return min(1.0, self.all_bytes / self.target_bytes)

    @property
    def is_full(self) -> bool:
        """Whether the corpus has reached its size."""
        return self.all_bytes >= self.target_bytes

    def count_file(self, kind: str, size: int) -> None:
        """Count a finished file; `size` is 0 for transcripts, whose lines were counted."""
        self.tally[f"{kind}_files"] += 1
        self.all_bytes += size

    def count_line(self, record: dict[str, Any], line: bytes, *, replayed: bool) -> None:
        """Count one transcript line, its line end included."""
        size = len(line)
        self.all_bytes += size
        self.lines += 1
        self.line_sizes[size] += 1
        self.kinds[record["type"]] += 1
        self.parts["all"] += size
        for part, part_size in iter_parts(record):
            self.parts[part] += part_size
        for name, text in NEEDLE_BYTES:
            if text in line:
                self.needle_lines[name] += 1
                self.needle_records[name] += not replayed

    def pressure(self, part: str) -> float:
        """By how much the next piece of this part should be larger than usual, 0.4 to 2.5.

        Keeps the shares near the documented ones although sizes have heavy tails.
        """
        share = BYTE_SHARES[part]
        wanted = share * (self.parts["all"] + STEADYING_BYTES)
        found = self.parts[part] + share * STEADYING_BYTES
        return min(2.5, max(0.4, (wanted / found) ** 2))

    def rows(self) -> Iterator[dict[str, object]]:
        """Yield the summary: one row for the corpus, then shares, line sizes, counts, needles."""
        tally, lines = self.tally, self.lines
        yield {
            "kind": "corpus",
            "bytes": self.all_bytes,
            "transcript_bytes": self.parts["all"],
            "records": lines,
            "files": sum(count for name, count in tally.items() if name.endswith("_files")),
            "transcripts": tally["main_files"] + tally["child_files"],
        }
        percentages = self._percentages()
        for name, documented in PERCENTAGES:
            measured = round(percentages[name], 2)
            yield {"kind": "percent", "name": name, "here": measured, "documented": documented}
        for name, documented in LINE_BYTES:
            size = self._line_size(QUANTILES[name])
            yield {"kind": "line_bytes", "name": name, "here": size, "documented": documented}
        for kind, count in sorted(self.kinds.items()):
            yield {"kind": "record_type", "name": kind, "count": count}
        for name, count in sorted(tally.items()):
            yield {"kind": "count", "name": name, "count": count}
        for needle in NEEDLES:
            yield {
                "kind": "planted",
                "name": needle.name,
                "text": needle.text,
                "lines": self.needle_lines[needle.name],
                "records": self.needle_records[needle.name],
            }

    def _percentages(self) -> dict[str, float]:
        tally, lines = self.tally, self.lines
        envelope = 2 * self.parts["all"] - self.parts.total()
        parts = {**self.parts, "envelope": envelope}
        shares = {
            f"{part}_of_bytes": _percent(parts.get(part, 0), self.parts["all"])
            for part in BYTE_SHARES
        }
        return shares | {
            "main_of_records": _percent(tally["main_lines"], lines),
            "attachments_of_records": _percent(self.kinds["attachment"], lines),
            "unnamed_of_main_lines": _percent(tally["unnamed_main_lines"], tally["main_lines"]),
            "string_of_tool_use_results": _percent(
                tally["string_tool_use_results"], tally["tool_use_results"]
            ),
            "error_flag_of_tool_results": _percent(
                tally["tool_results_with_error_flag"], tally["tool_results"]
            ),
            "single_fragment_of_calls": _percent(tally["single_fragment_calls"], tally["calls"]),
            "interleaved_of_multi_fragment_calls": _percent(
                tally["interleaved_calls"], tally["calls"] - tally["single_fragment_calls"]
            ),
        }

    def _line_size(self, quantile: float) -> int:
        sizes = sorted(self.line_sizes)
        rank = quantile * self.lines
        reached = accumulate(self.line_sizes[size] for size in sizes)
        return next((size for size, count in zip(sizes, reached, strict=True) if count >= rank), 0)


def _percent(part: int, whole: int) -> float:
    return 100 * part / whole if whole else 0.0
