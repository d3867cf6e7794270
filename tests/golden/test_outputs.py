"""Whole outputs over the sample home, worth reading when they change.

`make golden` rewrites them; the diff is reviewed. A file that no case uses fails.
"""

import re
from pathlib import Path

import pytest

from tests.conftest import Asz, Csift

EXPECTED = Path(__file__).parent / "expected"
MAIN = "5f0c8a52-7d1e-4b39-9c64-2a8e31d0b7f4"
OLD = "0b6d2f17-48ce-4a05-b7f3-91c6e5a8d204"
MIDDLE = "c93e7a40-15bd-4f62-8d7e-6b04f2a1c8d9"

ASZ = {
    "asz-parse.txt": ("parse",),
    "asz-index.txt": ("index",),
    "asz-index-main.txt": ("index", MAIN),
    "asz-verify.txt": ("verify",),
    "asz-verify-coverage.txt": ("verify", "--coverage"),
    "asz-conversation-main.txt": ("conversation", MAIN),
    "asz-conversation-old.txt": ("conversation", OLD, "--terms", "both"),
    "asz-conversation-middle.txt": ("conversation", MIDDLE, "--terms", "native"),
    "asz-glossary.txt": ("glossary",),
}
CSIFT = {
    "csift-list.txt": ("list",),
    "csift-list-main.jsonl": ("list", f"@{MAIN}", "--format", "json"),
    "csift-search.txt": ("search", "longitude"),
    "csift-search-siblings.txt": ("search", "gauge plot", "--siblings"),
    "csift-search.jsonl": ("search", "notebook", "--format", "json"),
    "csift-census.txt": ("search", "", "--count-by", "label"),
    "csift-search-none.txt": ("search", "no such words", "-t", "user"),
    "csift-show.txt": ("show", f"@{OLD}", "--line", ".."),
    "csift-show-turn.txt": ("show", f"@{MAIN}", "--turn", "3"),
    "csift-show.jsonl": ("show", f"@{MIDDLE}", "--line", "..", "--format", "json"),
    "csift-stats.txt": ("stats",),
    "csift-stats.jsonl": ("stats", f"@{MAIN}", "--format", "json"),
    "csift-verbatim.txt": ("verbatim", f"@{MAIN}", "--subagents"),
    "csift-verbatim.jsonl": ("verbatim", f"@{MAIN}", "--budget", "3000", "--format", "json"),
}


@pytest.fixture
def accept(request: pytest.FixtureRequest) -> bool:
    return bool(request.config.getoption("--update-golden"))


def compare(name: str, found: str, *, accept: bool) -> None:
    path = EXPECTED / name
    if accept:
        path.write_text(found, encoding="utf-8", newline="")
    assert path.exists(), f"no golden file {name}; make golden writes it"
    assert found == path.read_text(encoding="utf-8"), f"{name}: make golden, then review the diff"


@pytest.mark.parametrize("name", ASZ)
def test_asz_prints(name: str, asz: Asz, sample: Path, tmp_path: Path, accept: bool) -> None:
    root = tmp_path / "root"
    asz("collect", "--once", "--root", root, "--claude-home", sample)
    if name != "asz-parse.txt":
        asz("parse", "--root", root)

    result = asz(*ASZ[name], "--root", root)

    assert result.exit_code == 0, result.stderr
    # A landed file states when it was collected, so the digest over it is new in every run.
    compare(name, re.sub(r"head [0-9a-f]{12}", "head DIGEST", result.stdout), accept=accept)


@pytest.mark.parametrize("name", CSIFT)
def test_csift_prints(name: str, csift: Csift, sample: Path, accept: bool) -> None:
    result = csift(*CSIFT[name], "--claude-home", sample)

    assert result.exit_code == 0, result.stderr
    found = result.stdout.replace(str(sample), "SAMPLE") + result.stderr
    compare(name, found, accept=accept)


def test_every_golden_file_is_used() -> None:
    assert {path.name for path in EXPECTED.iterdir()} == {*ASZ, *CSIFT}
