"""The glossary has every fixed word, and the pages about structure use no other."""

import re
from pathlib import Path

import pytest

from sessionizer.assembly import coverage, queue
from sessionizer.index.entry import Block, Entry
from sessionizer.landing.record import FLAGS
from sessionizer.model import kinds

DOCS = Path(__file__).parents[2] / "docs"
GROUPS = {name: value for name, value in vars(kinds).items() if isinstance(value, tuple)}


def words(page: str) -> set[str]:
    return set(re.findall(r"`([^`\n]+)`", (DOCS / page).read_text(encoding="utf-8")))


@pytest.mark.parametrize("group", sorted(GROUPS))
def test_every_word_of_the_model_is_in_the_glossary(group: str) -> None:
    """A word without an explanation is guessed at."""
    assert set(GROUPS[group]) - words("glossary.md") == set()


def test_every_flag_is_in_the_glossary() -> None:
    """They are the words that records are told apart by."""
    assert set(FLAGS) - words("glossary.md") == set()


def test_every_outcome_of_the_queue_is_in_the_glossary() -> None:
    """None of them says more than the record does."""
    outcomes = {queue.DEQUEUED, queue.REMOVED, queue.TAKEN_BACK, queue.WAITING}

    assert outcomes - words("glossary.md") == set()


def test_every_account_is_explained() -> None:
    """A reader of the coverage must be able to look each one up."""
    assert set(coverage.ACCOUNTS) - words("formats/structure.md") == set()


@pytest.mark.parametrize("written", [kinds.STEP_KINDS, kinds.STRUCTURE_KINDS, kinds.RELATION_TYPES])
def test_the_page_about_structure_has_every_kind_that_is_written(written: tuple[str, ...]) -> None:
    """Kinds that are reserved stand in the glossary only."""
    reserved = {
        "conversation",
        "control.interrupt",
        "control.permission",
        "result_of",
        "retries",
        "cancels",
        "input_of",
    }

    assert set(written) - reserved - words("formats/structure.md") == set()


def test_the_page_about_the_index_explains_what_is_not_copied() -> None:
    """Fields that are worked out, and not taken over from the record."""
    worked_out = {"kind", "stream", "src", "tail", "snapshot", "time_ns", "text_sha", "spoken"}
    worked_out |= {"has_usage", "reason", "record_type", "blocks"}

    assert worked_out <= {*Entry.__struct_fields__, *Block.__struct_fields__}
    assert worked_out - words("formats/index.md") == set()
