"""Results as Markdown: what was not measured is said in its place."""

from benchmarks.measuring.comparison import Comparison, Contestant, Ratio
from benchmarks.measuring.report import render_comparison
from benchmarks.measuring.turns import Result

ONE, TWO, THREE = (
    Contestant(name=name, steps=(("true",),)) for name in ("find", "csift list", "rg -c")
)


def test_a_report_has_times_ratios_and_verdicts() -> None:
    """Times in milliseconds, ratios turn by turn, the source of every target."""
    comparison = Comparison(
        name="list",
        contestants=(ONE, TWO, THREE),
        ratios=(
            Ratio(subject="csift list", reference="find", target=3.0, source="prototype"),
            Ratio(subject="csift list", reference="rg -c", source="none yet"),
        ),
    )
    results = (
        Result(name="find", state="measured", seconds=(0.1, 0.2, 0.4), peak_bytes=20_000_000),
        Result(name="csift list", state="measured", seconds=(0.4, 0.8, 1.6), peak_bytes=31_000_000),
        Result(name="rg -c", state="skipped", reason="no rg | on PATH"),
    )

    lines = list(render_comparison(comparison, results, floor_bytes=25_000_000))

    assert lines == [
        "### list",
        "",
        "| contestant | median ms | least to most | peak MB |",
        "|---|---:|---:|---:|",
        "| find | 200.0 | 100.0 to 400.0 | <= 25 |",
        "| csift list | 800.0 | 400.0 to 1600.0 | 31 |",
        "| rg -c | **skipped** | no rg \\| on PATH | |",
        "",
        "| ratio | median | least to most | target | | source of the target |",
        "|---|---:|---:|---:|---|---|",
        "| csift list / find | 4.00 | 4.00 to 4.00 | 3 | OVER | prototype |",
        "| csift list / rg -c | | |  | rg -c skipped | none yet |",
        "",
    ]
