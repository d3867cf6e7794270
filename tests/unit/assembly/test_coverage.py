"""The account of every landed record (R42)."""

import pytest
from msgspec.structs import replace

from sessionizer.base.digests import short_sha256
from sessionizer.landing.record import Part, Row
from tests.build.drawing import assembled
from tests.build.rows import MAIN_SRC, Landing, agent, call, document, human, result, row, user

UNKNOWN = Part(k="unknown", text="the record is not valid JSON", state="available", bytes=3)
FIRST = human("u1", "-", "10:00:00", "p1")


def counted(landing: Landing, through: int | None = None) -> dict[str, int]:
    counts = dict(assembled(landing, through=through).coverage.counts)
    counts.pop("node", None)
    return counts


@pytest.mark.parametrize(
    ("built", "account"),
    [
        (row("x1", "u1", "", document("{}"), flags=("progress",)), "progress"),
        (row("", "-", "", document("{}"), queue="dequeue"), "queue_line"),
        (row("", "-", "", document('{"type":"ai-title"}'), label="T"), "title"),
        (row("", "-", "", UNKNOWN), "unreadable"),
        (user("r1", "u1", "", "p1", result("t9")), "result_without_request"),
        (user("x1", "u1", "", "p1", "[Request interrupted by user]"), "runtime_text"),
        (row("", "-", "", document('{"type":"mode"}')), "metadata"),
        (replace(FIRST, id="u1"), "copy"),
    ],
)
def test_a_record_without_a_node_says_why(built: Row, account: str) -> None:
    """One account each, and the first that applies."""
    assert counted(Landing().main(FIRST, built)) == {account: 1}


@pytest.mark.parametrize(
    ("line", "account"), [(b"", "blank"), (b"\r", "blank"), (b"x", "unreadable")]
)
def test_a_blank_line_is_not_unreadable(line: bytes, account: str) -> None:
    """There was nothing to read; a carriage return is nothing either."""
    built = row("", "-", "", UNKNOWN)
    placed = replace(built, ord=2, off=1000, sha=short_sha256(line), bytes=len(line))

    assert counted(Landing().main(FIRST, placed)) == {account: 1}


@pytest.mark.parametrize(
    ("kind", "account"),
    [
        ("journal", "journal"),
        ("workflow_manifest", "manifest"),
        ("workflow_script", "script"),
        ("session_title", "title"),
        ("file", "file"),
        ("history", "history"),
    ],
)
def test_other_sources_are_accounted_by_their_kind(kind: str, account: str) -> None:
    """Whatever their row says."""
    landing = Landing().main(FIRST).land(kind, "other", row("", "-", "", document("{}")))

    assert counted(landing) == {account: 1}


@pytest.mark.parametrize(
    ("kind", "account"), [("journal", "unreadable"), ("workflow_script", "script")]
)
def test_a_source_that_can_not_be_read_is_unreadable(kind: str, account: str) -> None:
    """A program is not: it was never meant to be read as a record."""
    landing = Landing().main(FIRST).land(kind, "other", row("", "-", "", UNKNOWN))

    assert counted(landing) == {account: 1}


def test_a_childs_prompt_and_sidecar_have_their_own_accounts() -> None:
    """Records of the agent and the runtime are nodes; the prompt is nobody's message."""
    landing = (
        Landing()
        .main(FIRST, agent("a1", "u1", "", "m1", call("t1")))
        .child("c1", agent("c1", "-", "", "m2", "Hi"), user("c2", "c1", "", "", "more"))
        .sidecar("c1")
    )

    assert counted(landing) == {"delegated_prompt": 1, "sidecar": 1}


def test_an_echo_has_its_own_account() -> None:
    """It repeats a result of another stream."""
    landing = Landing().child(
        "acompact-1",
        agent("i1", "-", "", "m1", "Hi"),
        user("i2", "i1", "", "", result("t1")),
        role="internal",
    )

    assert counted(landing) == {"echoed_result": 1}


def test_an_unfinished_line_is_a_torn_tail() -> None:
    """Before its line lands, and after."""
    tail = replace(row("", "-", "", UNKNOWN), ord=2, off=1000, sha="feed", bytes=3)
    landing = (
        Landing()
        .main(FIRST)
        .land("transcript_tail", f"{MAIN_SRC}#tail", tail, stream="main")
        .main(row("x1", "u1", "", document("{}"), flags=("notice",)))
    )

    assert counted(landing, through=2) == {"torn_tail": 1, "beyond": 1}
    assert counted(landing) == {"torn_tail": 1}


def test_metadata_is_listed_by_type() -> None:
    """So that a type nobody knows is seen."""
    kinds = [row("", "-", "", document(body)) for body in ('{"type":"b"}', '{"type":"a"}', "{}")]

    coverage = assembled(Landing().main(FIRST, *kinds, kinds[0])).coverage

    assert coverage.metadata_types == {"": 1, "a": 1, "b": 2}


def test_a_record_of_no_known_producer_is_unaccounted() -> None:
    """Conversion never makes one: it would be our fault, and is said."""
    coverage = assembled(Landing().main(FIRST, row("x1", "u1", "", origin=None))).coverage

    assert coverage.counts == {"node": 1, "unaccounted": 1}
    assert coverage.unaccounted == (("", 1, 2),)
