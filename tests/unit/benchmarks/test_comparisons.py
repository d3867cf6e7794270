"""The comparisons are data, and data can be wrong in ways a run shows only late."""

from string import Formatter

import pytest

from benchmarks.measuring.comparison import Comparison, Contestant
from benchmarks.measuring.comparisons import COMPARISONS
from benchmarks.measuring.readings import READINGS
from benchmarks.measuring.settings import fill, find_facts, find_words
from benchmarks.measuring.turns import Skipped

KNOWN = {
    *("python", "references", "home", "projects", "session", "fresh", "kept"),
    *("csift", "asz", "rg", "grep", "find", "cp", "rare", "absent", "frequent", "han"),
}
ALL = [
    pytest.param(comparison, contestant, id=f"{comparison.name}:{contestant.name}")
    for comparison in COMPARISONS
    for contestant in comparison.contestants
]


def test_names_are_unique() -> None:
    """--only chooses by name, ratios refer by name."""
    names = [comparison.name for comparison in COMPARISONS]

    assert len(set(names)) == len(names)
    for comparison in COMPARISONS:
        contestants = [contestant.name for contestant in comparison.contestants]
        assert len(set(contestants)) == len(contestants), comparison.name


@pytest.mark.parametrize("comparison", COMPARISONS, ids=lambda comparison: comparison.name)
def test_ratios_are_between_contestants_and_say_why(comparison: Comparison) -> None:
    """A target without a source is an opinion."""
    names = {contestant.name for contestant in comparison.contestants}

    assert comparison.ratios
    for ratio in comparison.ratios:
        assert {ratio.subject, ratio.reference} <= names
        assert ratio.source
        assert (ratio.target is None) == (ratio.source == "none yet")


@pytest.mark.parametrize(("comparison", "contestant"), ALL)
def test_commands_use_known_placeholders(comparison: Comparison, contestant: Contestant) -> None:
    """An unknown one would be reported as a missing program."""
    commands = [*contestant.steps, *contestant.setup]
    commands += [contestant.probe] if contestant.probe else []
    commands += [contestant.check.command] if contestant.check else []
    used = {
        name
        for command in commands
        for argument in command
        for _, name, _, _ in Formatter().parse(argument)
        if name is not None
    }

    assert used <= KNOWN
    assert contestant.check is None or contestant.check.reading in READINGS
    assert contestant.check is not None or not comparison.name.startswith("search-")


@pytest.mark.parametrize(
    ("reading", "printed", "number"),
    [
        ("number", "42\n", 42),
        ("sum_of_counts", "a.jsonl:3\nb:c.jsonl:0\nd.jsonl:4\n", 7),
        ("sum_of_counts", "", 0),
        ("matched_records", '{"kind":"header"}\n{"kind":"summary","matched_records":6}\n', 6),
        ("sessions_in_scope", '{"kind":"header","sessions_in_scope":9}\n{"kind":"summary"}\n', 9),
        ("collected_sessions", "root: x\n[15:24:57] sessions=6 sources=56 landed=56\n", 6),
    ],
)
def test_a_reading_finds_its_number(reading: str, printed: str, number: int) -> None:
    """In the form in which each program prints it."""
    assert READINGS[reading](printed) == number


@pytest.mark.parametrize(
    ("reading", "printed"),
    [
        ("number", "none\n"),
        ("matched_records", '{"kind":"summary"}\n'),
        ("matched_records", "not JSON\n"),
        ("collected_sessions", "nothing\n"),
    ],
)
def test_a_reading_without_its_number_is_an_error(reading: str, printed: str) -> None:
    """The runner turns exactly these two errors into a failed contestant."""
    with pytest.raises((ValueError, LookupError)):
        READINGS[reading](printed)


def test_the_summary_becomes_words_and_facts() -> None:
    """What is searched for, and what must be found."""
    summary = (
        {"kind": "percent", "name": "text_of_bytes", "here": 3.0},
        {"kind": "count", "name": "main_files", "count": 6},
        {"kind": "planted", "name": "rare", "text": "zephyquix", "lines": 6, "records": 5},
    )

    assert find_words(summary) == {"rare": "zephyquix"}
    assert find_facts(summary) == {"main_files": 6, "rare.lines": 6, "rare.records": 5}


def test_placeholders_are_filled_in() -> None:
    """Only whole known names; the format of find has percent signs and no braces."""
    command = ("{find}", "{projects}/x", "-printf", "%s %T@ %p\\n")

    filled = fill(command, {"find": "/bin/find", "projects": "/p"})

    assert filled == ("/bin/find", "/p/x", "-printf", "%s %T@ %p\\n")
    with pytest.raises(Skipped, match="no planted word 'han'"):
        fill(("{han}",), {})
