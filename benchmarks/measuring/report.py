"""Render results as Markdown."""

from collections.abc import Iterator, Mapping, Sequence

from benchmarks.measuring.comparison import Comparison, Ratio
from benchmarks.measuring.figures import judge, pair_ratios, summarize
from benchmarks.measuring.turns import Result

MEGABYTE = 10**6


def render_comparison(
    comparison: Comparison, results: Sequence[Result], *, floor_bytes: int
) -> Iterator[str]:
    """Yield the lines of one comparison: a table of times, a table of ratios.

    Peaks at or below `floor_bytes` cannot be told from the runner's own memory.
    """
    yield f"### {comparison.name}"
    yield ""
    yield "| contestant | median ms | least to most | peak MB |"
    yield "|---|---:|---:|---:|"
    for result in results:
        yield _render_result(result, floor_bytes)
    yield ""
    yield "| ratio | median | least to most | target | | source of the target |"
    yield "|---|---:|---:|---:|---|---|"
    by_name = {result.name: result for result in results}
    for ratio in comparison.ratios:
        yield _render_ratio(ratio, by_name)
    yield ""


def _render_result(result: Result, floor_bytes: int) -> str:
    if result.state != "measured":
        return f"| {result.name} | **{result.state}** | {_escape(result.reason)} | |"
    spread = summarize([1000 * seconds for seconds in result.seconds])
    peak = ""
    if result.peak_bytes is not None:
        shown = max(result.peak_bytes, floor_bytes)
        below = "<= " if result.peak_bytes <= floor_bytes else ""
        peak = f"{below}{shown / MEGABYTE:.0f}"
    ends = f"{spread.least:.1f} to {spread.most:.1f}"
    return f"| {result.name} | {spread.median:.1f} | {ends} | {peak} |"


def _render_ratio(ratio: Ratio, results: Mapping[str, Result]) -> str:
    name = f"{ratio.subject} / {ratio.reference}"
    target = "" if ratio.target is None else f"{ratio.target:g}"
    pair = (results[ratio.subject], results[ratio.reference])
    missing = [f"{result.name} {result.state}" for result in pair if result.state != "measured"]
    if missing:
        return f"| {name} | | | {target} | {', '.join(missing)} | {ratio.source} |"
    spread = summarize(pair_ratios(pair[0].seconds, pair[1].seconds))
    ends = f"{spread.least:.2f} to {spread.most:.2f}"
    verdict = judge(spread.median, ratio.target)
    return f"| {name} | {spread.median:.2f} | {ends} | {target} | {verdict} | {ratio.source} |"


def _escape(text: str) -> str:
    return text.replace("|", "\\|")
