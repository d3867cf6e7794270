"""The runner as a whole, on comparisons of stand-in commands."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

from benchmarks.measuring.comparison import Comparison, Contestant, Ratio
from benchmarks.run import parse_arguments, run

ROOT = Path(__file__).resolve().parents[3]


def make_home(path: Path) -> Path:
    """A home with one transcript, and a summary as the generator leaves it."""
    project = path / "projects" / "-work-demo"
    project.mkdir(parents=True)
    lines = [{"type": "user", "message": {"content": text}} for text in ("a needle", "none")]
    (project / "aaaaaaaa-1111-4222-8333-000000000001.jsonl").write_text(
        "".join(f"{json.dumps(line)}\n" for line in lines), encoding="utf-8"
    )
    rows = (
        {"kind": "arguments", "sessions": 1, "bytes": 100, "seed": 7},
        {"kind": "corpus", "bytes": 100, "records": 2, "transcripts": 1},
        {"kind": "planted", "name": "rare", "text": "needle", "lines": 1, "records": 1},
    )
    (path / "corpus.jsonl").write_text(
        "".join(f"{json.dumps(row)}\n" for row in rows), encoding="utf-8"
    )
    return path


def test_a_report_says_what_was_run_and_what_failed(tmp_path: Path) -> None:
    """A failure shows in the table and in the exit code."""
    good = Contestant(name="good", steps=(("{python}", "-I", "-c", "pass"),))
    bad = Contestant(name="bad", steps=(("{python}", "-I", "-c", "raise SystemExit(9)"),))
    ratio = Ratio(subject="bad", reference="good", target=1.0, source="a test")
    comparison = Comparison(name="stand-ins", contestants=(good, bad), ratios=(ratio,))

    lines, whole = run((comparison,), make_home(tmp_path), 2)

    report = "\n".join(lines)
    assert not whole
    assert "corpus of 100 bytes, 2 records, 1 transcripts (sessions 1, seed 7)" in report
    assert "2 rounds, contestants in turn, warm cache" in report
    assert "| bad | **failed** | `python -I -c` ended with 9 | |" in report
    assert "| bad / good | | | 1 | bad failed | a test |" in report
    assert str(tmp_path) not in report


def test_a_comparison_without_failures_is_whole(tmp_path: Path) -> None:
    """Something skipped is no failure: not every machine has every program."""
    good = Contestant(name="good", steps=(("{python}", "-I", "-c", "pass"),))
    absent = Contestant(name="absent", steps=(("{han}",),))
    ratio = Ratio(subject="absent", reference="good", source="none yet")
    comparison = Comparison(name="stand-ins", contestants=(good, absent), ratios=(ratio,))

    lines, whole = run((comparison,), make_home(tmp_path), 1)

    assert whole
    assert "| absent | **skipped** | the corpus has no planted word 'han' | |" in lines


@pytest.mark.parametrize(("word", "count"), [("needle", 1), ("none", 1), ("type", 0), (None, 2)])
def test_the_decoding_reference_looks_at_strings_only(
    tmp_path: Path, word: str | None, count: int
) -> None:
    """It is the plain program the fast one is compared with, so it must be right."""
    home = make_home(tmp_path)
    script = ROOT / "benchmarks" / "references" / "decode_every_line.py"
    words = [] if word is None else [word]

    done = subprocess.run(
        (sys.executable, "-I", str(script), str(home / "projects"), *words),
        capture_output=True,
        text=True,
        check=True,
    )

    assert int(done.stdout) == count


@pytest.mark.parametrize(
    "arguments", [["--rounds", "0"], ["--only", "nothing"], ["--corpus", "/nowhere"]]
)
def test_wrong_arguments_are_refused(
    arguments: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    """Before anything is measured."""
    with pytest.raises(SystemExit) as refused:
        parse_arguments(arguments)

    assert refused.value.code == 2
    assert arguments[1] in capsys.readouterr().err or arguments == ["--rounds", "0"]
