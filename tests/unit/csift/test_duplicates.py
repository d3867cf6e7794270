"""Words that a summary quotes are found by how they begin."""

from sessionizer.csift.commands.verbatim.duplicates import (
    fingerprint,
    read_fingerprints,
    stands_in,
)

SUMMARY = """1. Primary Request:
   The user wrote "Make The   Lamp dim" and then “use dusk.ts”.
- plain bullet
   - "quoted bullet" and more
prose without a quotation
- ""
"""


def test_quotations_and_bullets_have_fingerprints() -> None:
    assert read_fingerprints(SUMMARY) == (
        "make the lamp dim",
        "plain bullet",
        "quoted bullet",
        '""',
    )


def test_a_fingerprint_is_eighty_characters_of_normalised_text() -> None:
    assert fingerprint("  A\n b  ") == "a b"
    assert len(fingerprint("x" * 10_000)) == 80
    assert fingerprint("a" + " " * 10_000 + "b") == "a b"


def test_the_shorter_one_has_to_begin_the_other() -> None:
    prints = read_fingerprints(SUMMARY)

    assert stands_in("Make the lamp dim, please", prints)
    assert stands_in("make the", prints)
    assert not stands_in("please make the lamp dim", prints)
    assert not stands_in(" ", prints)
