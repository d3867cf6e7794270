"""Questions to the canonical entries."""

from sessionizer.index.copies import select_canonical
from sessionizer.index.lookup import Lookup
from sessionizer.landing.record import Row
from tests.build.rows import Landing, agent, call, human, result, row, user


def lookup(*rows: Row) -> Lookup:
    return Lookup(select_canonical(Landing().main(*rows).entries).entries)


def test_a_run_is_inherited_from_the_nearest_ancestor() -> None:
    """Records without a run pass it on, however many there are."""
    chain = [row(f"x{n}", f"x{n - 1}" if n else "u1", "") for n in range(2_000)]
    found = lookup(human("u1", "-", "10:00:00", "p1"), *chain)

    assert {found.run_of(entry) for entry in found.entries} == {"p1"}


def test_parents_in_a_circle_end_the_walk() -> None:
    """Neither a hang nor a run that nobody states."""
    found = lookup(row("x1", "x2", ""), row("x2", "x1", ""), row("x3", "x3", ""))

    assert [found.run_of(entry) for entry in found.entries] == ["", "", ""]


def test_a_record_below_a_circle_has_no_run() -> None:
    """The walk enters the circle and finds nothing there."""
    found = lookup(row("x1", "x2", ""), row("x2", "x1", ""), row("x4", "x1", ""))

    assert found.run_of(found.entries[2]) == ""


def test_the_first_of_two_records_with_one_id_is_found() -> None:
    """Their being two is counted elsewhere."""
    found = lookup(human("1", "-", "10:00:00", "p1"), human("1", "-", "10:00:09", "p2"))

    assert found.by_record["1"].run == "p1"


def test_every_identifier_leads_to_its_entries() -> None:
    """Records by call, batch, run, tool, child and stream; parts by tool id."""
    found = lookup(
        agent("a1", "-", "10:00:00", "m1", call("t1")),
        user("r1", "a1", "10:00:01", "p1", result("t1"), batch="wf", tool="t2", child="c1"),
    )

    assert [entry.record for entry in found.by_call["m1"]] == ["a1"]
    assert [entry.record for entry in found.by_batch["wf"]] == ["r1"]
    assert [entry.record for entry in found.by_run["p1"]] == ["r1"]
    assert [entry.record for entry in found.by_tool["t2"]] == ["r1"]
    assert [entry.record for entry in found.by_child["c1"]] == ["r1"]
    assert [entry.record for entry in found.by_stream["main"]] == ["a1", "r1"]
    assert [(site.entry.record, site.block) for site in found.tool_blocks["t1"]] == [
        ("a1", 0),
        ("r1", 0),
    ]
