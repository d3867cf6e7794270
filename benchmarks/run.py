"""Run paired comparisons of the installed programs with plain references.

    python benchmarks/run.py [--corpus DIR] [--rounds N] [--only NAME...] [--write]

Contestants take turns within one run, as whole processes; the result is a Markdown table of
medians and of ratios. Without --corpus one is made in corpus/benchmark, once.
"""

import argparse
import importlib.util
import subprocess
import sys
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime
from pathlib import Path

# As a script this file stands in the import path, not the directory that holds its package.
sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from benchmarks.measuring.arena import Arena
from benchmarks.measuring.comparison import Comparison
from benchmarks.measuring.comparisons import COMPARISONS
from benchmarks.measuring.machine import describe_commit, describe_machine, describe_versions
from benchmarks.measuring.processes import own_peak_bytes
from benchmarks.measuring.report import render_comparison
from benchmarks.measuring.settings import find_facts, find_settings, read_summary
from benchmarks.measuring.turns import take_turns

REPOSITORY = Path(__file__).resolve().parents[1]
CORPUS = REPOSITORY / "corpus" / "benchmark"
RESULTS = REPOSITORY / "benchmarks" / "RESULTS.md"
ROUNDS = 7


def parse_arguments(arguments: list[str] | None = None) -> argparse.Namespace:
    """The command line; ends the program with a usage line when it is wrong."""
    names = [comparison.name for comparison in COMPARISONS]
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    parser.add_argument("--corpus", type=Path, metavar="DIR", help="a <claude-home> to read")
    parser.add_argument("--rounds", type=int, default=ROUNDS, help=f"turns of each ({ROUNDS})")
    parser.add_argument("--only", nargs="+", choices=names, metavar="NAME", help=", ".join(names))
    parser.add_argument("--write", action="store_true", help="append to benchmarks/RESULTS.md")
    options = parser.parse_args(arguments)
    if options.rounds < 1:
        parser.error("--rounds must be at least 1")
    if options.corpus is not None and not (options.corpus / "projects").is_dir():
        parser.error(f"{options.corpus} holds no projects directory")
    return options


def make_corpus(home: Path) -> None:
    """Make the default corpus, unless it is there whole."""
    if read_summary(home):
        return
    print(f"making a corpus in {home.relative_to(REPOSITORY)}", file=sys.stderr)
    script = Path(__file__).with_name("make_corpus.py")
    subprocess.run((sys.executable, script, home), stdout=subprocess.DEVNULL, check=True)


def compile_package() -> str:
    """Compile the installed package to bytecode; say what was done."""
    found = importlib.util.find_spec("sessionizer")
    if found is None or not found.submodule_search_locations:
        return "sessionizer is not installed: nothing was compiled"
    places = list(found.submodule_search_locations)
    done = subprocess.run((sys.executable, "-m", "compileall", "-q", *places), check=False)
    state = "compiled to bytecode first" if done.returncode == 0 else "NOT all compiled"
    return f"the installed package was {state}"


def describe_run(home: Path, rounds: int, settings: dict[str, str | None]) -> Iterator[str]:
    """Yield the head of a report: date, machine, versions, corpus, procedure."""
    commit = describe_commit(REPOSITORY)
    yield f"## {datetime.now(UTC):%Y-%m-%d %H:%M} UTC" + (f", commit {commit}" if commit else "")
    yield ""
    for line in describe_machine():
        yield f"- {line}"
    yield f"- {', '.join(describe_versions(settings))}"
    rows = {row["kind"]: row for row in read_summary(home) if row["kind"] != "percent"}
    if "corpus" in rows:
        size, arguments = rows["corpus"], rows["arguments"]
        yield (
            f"- corpus of {size['bytes']} bytes, {size['records']} records, "
            f"{size['transcripts']} transcripts (sessions {arguments['sessions']}, "
            f"seed {arguments['seed']})"
        )
    else:
        yield "- a corpus that make_corpus.py did not make: searches are skipped"
    yield f"- {rounds} rounds, contestants in turn, warm cache; {compile_package()}"
    yield ""


def run(comparisons: Sequence[Comparison], home: Path, rounds: int) -> tuple[list[str], bool]:
    """Run `comparisons`; return the lines of the report, and whether nothing failed."""
    settings = find_settings(home)
    lines = list(describe_run(home, rounds, settings))
    whole = True
    with Arena(settings, find_facts(read_summary(home))) as arena:
        for comparison in comparisons:
            print(f"running {comparison.name}", file=sys.stderr)
            results = take_turns(comparison.contestants, rounds, arena.prepare, arena.take)
            lines += render_comparison(comparison, results, floor_bytes=own_peak_bytes())
            whole = whole and all(result.state != "failed" for result in results)
    return lines, whole


def main() -> int:
    """Run what was asked for; 1 when a contestant failed."""
    options = parse_arguments()
    home = (options.corpus or CORPUS).resolve()
    if options.corpus is None:
        make_corpus(home)
    chosen = [one for one in COMPARISONS if options.only is None or one.name in options.only]
    lines, whole = run(chosen, home, options.rounds)
    report = "\n".join(lines)
    print(report)
    if options.write:
        if not RESULTS.exists():
            RESULTS.write_text("# Results of `run.py --write`, oldest first\n\n", encoding="utf-8")
        with RESULTS.open("a", encoding="utf-8") as file:
            file.write(f"{report}\n")
    return 0 if whole else 1


if __name__ == "__main__":
    sys.exit(main())
