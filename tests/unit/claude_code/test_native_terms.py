"""Every fixed word of the model has an entry, once."""

from collections import Counter

import pytest

from sessionizer.claude_code.native_terms import NATIVE_TERMS, find_native_term
from sessionizer.model import kinds


@pytest.mark.parametrize(
    "words",
    [
        kinds.STRUCTURE_KINDS,
        kinds.STEP_KINDS,
        kinds.RELATION_TYPES,
        kinds.QUALITIES,
        kinds.CONTENT_STATES,
        kinds.TRIGGERS,
        kinds.USAGE_STATES,
    ],
)
def test_every_word_has_an_entry(words: tuple[str, ...]) -> None:
    assert [word for word in words if find_native_term(word) is None] == []


def test_no_term_stands_twice() -> None:
    counts = Counter(native.term for native in NATIVE_TERMS)

    assert [term for term, count in counts.items() if count > 1] == []


def test_a_word_of_the_runtime_has_a_place_and_a_derived_term_has_none() -> None:
    assert [native.term for native in NATIVE_TERMS if bool(native.word) != bool(native.where)] == []


def test_a_term_of_nobody_has_no_entry() -> None:
    assert find_native_term("snapshot") is None
