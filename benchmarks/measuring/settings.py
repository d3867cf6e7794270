"""What the placeholders of a command line stand for: programs, places, planted words."""

import json
import shutil
import sys
from collections.abc import Mapping
from pathlib import Path
from string import Formatter

from benchmarks.measuring.comparison import Command
from benchmarks.measuring.turns import Skipped

FOREIGN_PROGRAMS = ("rg", "grep", "find", "cp")
OWN_PROGRAMS = ("csift", "asz")
REFERENCES = Path(__file__).resolve().parents[1] / "references"
SUMMARY = "corpus.jsonl"

MISSING = {
    "csift": "csift is not installed beside this Python",
    "asz": "asz is not installed beside this Python",
    "session": "the corpus has no session",
    **{program: f"no {program} on PATH" for program in FOREIGN_PROGRAMS},
}


def read_summary(home: Path) -> tuple[dict[str, object], ...]:
    """The rows the generator left in `home`; empty when it was not made by it."""
    try:
        text = (home / SUMMARY).read_text(encoding="utf-8")
    except FileNotFoundError:
        return ()
    return tuple(json.loads(line) for line in text.splitlines())


def find_facts(summary: tuple[dict[str, object], ...]) -> dict[str, object]:
    """What is known of the corpus: counts by name, and `<word>.lines`, `<word>.records`."""
    facts: dict[str, object] = {}
    for row in summary:
        if row["kind"] == "count":
            facts[str(row["name"])] = row["count"]
        elif row["kind"] == "planted":
            facts |= {f"{row['name']}.{key}": row[key] for key in ("lines", "records")}
    return facts


def find_words(summary: tuple[dict[str, object], ...]) -> dict[str, str]:
    """The planted words by name."""
    return {str(row["name"]): str(row["text"]) for row in summary if row["kind"] == "planted"}


def find_settings(home: Path) -> dict[str, str | None]:
    """What every placeholder but `fresh` and `kept` stands for; None for what is missing."""
    # Not resolved: a virtual environment's Python is a link, and its programs lie beside it.
    beside = Path(sys.executable).parent
    own = {name: beside / name for name in OWN_PROGRAMS}
    sessions = sorted((home / "projects").glob("*/????????-*.jsonl"))
    return {
        "python": sys.executable,
        "references": str(REFERENCES),
        "home": str(home),
        "projects": str(home / "projects"),
        "session": sessions[0].stem if sessions else None,
        **{name: str(path) if path.exists() else None for name, path in own.items()},
        **{name: shutil.which(name) for name in FOREIGN_PROGRAMS},
        **find_words(read_summary(home)),
    }


def fill(command: Command, settings: Mapping[str, str | None]) -> Command:
    """`command` with its placeholders filled in.

    Raises:
        Skipped: One of them stands for something that is not here.
    """
    for argument in command:
        for _, name, _, _ in Formatter().parse(argument):
            if name is not None and settings.get(name) is None:
                raise Skipped(MISSING.get(name, f"the corpus has no planted word {name!r}"))
    return tuple(argument.format_map(settings) for argument in command)
