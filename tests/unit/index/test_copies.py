"""Which of several landed copies counts."""

from msgspec.structs import replace

from sessionizer.index.copies import Canonical, select_canonical
from sessionizer.landing.record import Part, Row
from tests.build.rows import MAIN_SRC, Landing, agent, human, row, user

UUID = "01234567-89ab-4cde-8f01-23456789abcd"
UNKNOWN = Part(k="unknown", text="the record is not valid JSON", state="available", bytes=3)


def selected(landing: Landing, through: int | None = None) -> Canonical:
    return select_canonical(landing.entries, through=through)


def positions(canonical: Canonical) -> list[tuple[int, int]]:
    return [(entry.seq, entry.row) for entry in canonical.entries]


def placed(built: Row, *, off: int, sha: str = "aaaaaaaaaaaa") -> Row:
    return replace(built, ord=1, off=off, sha=sha, bytes=10)


def test_the_same_record_in_two_files_counts_once() -> None:
    """The main transcript comes first, whichever landed first."""
    late = user(UUID, "-", "10:00:00", "p1", "hi")

    child_first = selected(Landing().child("a1", late).main(late))
    main_first = selected(Landing().main(late).child("a1", late))

    assert [entry.stream for entry in child_first.entries] == ["main"]
    assert [entry.stream for entry in main_first.entries] == ["main"]


def test_a_record_of_another_call_is_no_copy() -> None:
    """Ids of edited files may repeat; nothing of them is dropped."""
    canonical = selected(
        Landing().main(agent("1", "-", "10:00:00", "m1"), agent("1", "-", "10:00:00", "m2"))
    )

    assert len(canonical.entries) == 2
    assert canonical.id_collisions == 1


def test_a_placeholder_id_needs_an_equal_time() -> None:
    """`1` at another time is another record; a UUID at another time is the same."""
    placeholder = selected(
        Landing().main(human("1", "-", "10:00:00", "p1"), human("1", "-", "10:00:01", "p1"))
    )
    unique = selected(
        Landing().main(human(UUID, "-", "10:00:00", "p1"), human(UUID, "-", "10:00:01", "p1"))
    )

    assert (len(placeholder.entries), placeholder.id_collisions) == (2, 1)
    assert (len(unique.entries), len(unique.copies), unique.id_collisions) == (1, 1, 0)


def test_without_time_only_equal_bytes_are_a_copy() -> None:
    """Two records with the id `1`, no time and other content are two records."""
    same = placed(human("1", "-", "", "p1"), off=0)
    other = placed(human("1", "-", "", "p1"), off=50, sha="bbbbbbbbbbbb")

    canonical = selected(Landing().main(same, other).main(same))

    assert positions(canonical) == [(1, 1), (1, 2)]


def test_without_id_the_place_tells() -> None:
    """The same line of the same source, landed twice."""
    line = placed(row("", "-", ""), off=70)

    canonical = selected(Landing().main(line).main(line).land("transcript", "other", line))

    assert len(canonical.copies) == 1


def test_a_carried_record_never_wins_over_the_childs_own() -> None:
    """R19: also when it landed first, and whatever call it seems to belong to."""
    carried = replace(agent(UUID, "-", "10:00:00", UUID, "hi"), carried=True, stream="a1")
    own = agent(UUID, "-", "10:00:00", "m1", "hi")

    canonical = selected(Landing().main(carried).child("a1", own))

    assert positions(canonical) == [(2, 1)]


def test_a_later_generation_adds_and_does_not_replace() -> None:
    """R9: what only the earlier one holds was observed, and stays."""
    first = [placed(row("", "-", ""), off=n * 10, sha=f"{n:012d}") for n in range(3)]
    second = [first[0], placed(row("", "-", ""), off=10, sha="cccccccccccc")]

    canonical = selected(Landing().main(*first).main(*second, gen=2))

    assert positions(canonical) == [(1, 1), (1, 2), (1, 3), (2, 2)]


def test_only_the_newest_version_of_a_snapshot_counts() -> None:
    """R14: so a version that was missed between two passes changes nothing."""
    landing = Landing().sidecar("a1", label="old").sidecar("a1", label="new")

    canonical = selected(landing)

    assert [entry.label for entry in canonical.entries] == ["new"]
    assert [entry.label for entry in canonical.copies] == ["old"]


def test_a_tail_and_its_line_are_one_record() -> None:
    """R7: the line was whole, and landed again when its newline came."""
    by_id = human(UUID, "-", "10:00:00", "p1")
    by_place = placed(row("", "-", ""), off=80)
    landing = (
        Landing()
        .land("transcript_tail", f"{MAIN_SRC}#tail", by_id, by_place, stream="main")
        .main(by_id, by_place)
    )

    canonical = selected(landing)

    assert positions(canonical) == [(1, 1), (1, 2)]
    assert len(canonical.copies) == 2


def test_a_torn_tail_goes_when_its_line_lands() -> None:
    """R7: until then it is all there is."""
    tail = placed(row("", "-", "", UNKNOWN), off=80)
    whole = placed(human(UUID, "-", "10:00:00", "p1"), off=80, sha="dddddddddddd")
    landing = Landing().land("transcript_tail", f"{MAIN_SRC}#tail", tail, stream="main")

    before = selected(landing)
    after = selected(landing.main(whole))

    assert positions(before) == [(1, 1)]
    assert positions(after) == [(2, 1)]
    assert [(entry.seq, entry.row) for entry in after.torn_tails] == [(1, 1)]


def test_an_unfinished_line_elsewhere_is_not_an_older_version() -> None:
    """The first tail was whole and its file was rewritten before the line could land again."""
    first = placed(human(UUID, "-", "10:00:00", "p1"), off=80)
    second = placed(row("", "-", "", UNKNOWN), off=200)
    landing = (
        Landing()
        .land("transcript_tail", f"{MAIN_SRC}#tail", first, stream="main")
        .land("transcript_tail", f"{MAIN_SRC}#tail", second, stream="main")
    )

    assert positions(selected(landing)) == [(1, 1), (2, 1)]


def test_what_lies_beyond_the_watermark_has_no_say() -> None:
    """A copy that would win, and a newer snapshot, landed later."""
    record = user(UUID, "-", "10:00:00", "p1", "hi")
    landing = (
        Landing()
        .child("a1", record)
        .sidecar("a1", label="old")
        .main(record)
        .sidecar("a1", label="new")
    )

    canonical = selected(landing, through=2)

    assert positions(canonical) == [(1, 1), (2, 1)]
    assert [(entry.seq, entry.row) for entry in canonical.beyond] == [(3, 1), (4, 1)]


def test_the_order_is_that_of_streams_and_files_not_of_landing() -> None:
    """R41: `main`, then children by name, transcripts before sidecars."""
    landing = (
        Landing()
        .sidecar("b", label="B")
        .child("b", user("b1", "-", "10:00:00", "p1", "x"))
        .journal("wf", row("", "-", ""))
        .child("a", user("a1", "-", "10:00:00", "p1", "x"))
        .main(human("u1", "-", "10:00:00", "p1"))
    )

    assert positions(selected(landing)) == [(5, 1), (4, 1), (2, 1), (1, 1), (3, 1)]


def test_many_records_of_one_id_are_sorted_out_in_time() -> None:
    """A file that gives every record the same id must not hold up everything else."""
    same = [
        replace(agent("1", "-", "", f"m{number}", "x"), time=f"2026-01-02T10:00:00.{number:06d}Z")
        for number in range(20_000)
    ]

    canonical = select_canonical(Landing().main(*same, same[0]).entries)

    assert (len(canonical.entries), len(canonical.copies)) == (20_000, 1)
    assert canonical.id_collisions == 19_999
