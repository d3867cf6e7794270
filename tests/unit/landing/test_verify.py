from collections.abc import Callable
from pathlib import Path

import pytest

from sessionizer.landing.record import Header
from sessionizer.landing.session_data import encode_landed
from sessionizer.landing.verify import verify_session
from sessionizer.landing.verify_sources import Original, verify_against_sources
from sessionizer.landing.zone import Zone
from tests.build.landed import NOW_NS, SESSION, SRC, line_rows, make_header, make_row, plant


@pytest.fixture
def zone(tmp_path: Path) -> Zone:
    return Zone(tmp_path / "root")


def raw_of(path: Path) -> Path:
    return path.with_name(path.name.replace(".sd", ".raw.zst"))


def problems(zone: Zone) -> tuple[str, ...]:
    return verify_session(zone, SESSION).problems


def test_whole_data_has_no_problem(zone: Zone) -> None:
    """Counts stand for what was looked at."""
    plant(zone, 1, b"aa\nbb\n")
    plant(zone, 2, b"cc\n", ord=3, off=6)
    plant(zone, 3, b"x\n", directory="streams/a1")
    check = verify_session(zone, SESSION)

    assert (check.sources, check.records, check.repeated, check.problems) == (2, 4, 0, ())


def flip(path: Path, index: int) -> None:
    body = bytearray(path.read_bytes())
    body[index] ^= 1
    path.write_bytes(body)


def test_a_flipped_bit_is_told_apart_by_where_it_stands(zone: Zone) -> None:
    """In the kept bytes, in their label, in the Session Data: three different lines."""
    path = plant(zone, 1, b"aa\nbb\n")
    raw = raw_of(path)
    found = []
    for target, index in ((raw, 12), (raw, raw.read_bytes().index(b"-home")), (path, -80)):
        whole = target.read_bytes()
        flip(target, index)
        found.append(problems(zone))
        target.write_bytes(whole)

    assert all(len(lines) == 1 for lines in found)
    assert len(set(found)) == 3
    assert problems(zone) == ()


def test_a_missing_half_of_a_delta_is_a_problem(zone: Zone) -> None:
    """Session Data without kept bytes, and the other way round."""
    path = plant(zone, 1, b"aa\n")
    whole = path.read_bytes()
    path.unlink()
    assert "no Session Data" in problems(zone)[0]
    path.write_bytes(whole)
    raw_of(path).unlink()
    assert "raw file is missing" in problems(zone)[0]


def test_a_changed_label_shows_beside_damaged_session_data(zone: Zone) -> None:
    """The header of the Session Data may still be whole, and tells."""
    path = plant(zone, 1, b"aa\nbb\n")
    flip(path, -80)
    flip(raw_of(path), raw_of(path).read_bytes().index(b"-home"))

    assert len(problems(zone)) == 2


def test_both_halves_of_a_delta_are_checked_whatever_the_other_is(zone: Zone) -> None:
    """Damaged Session Data does not hide damaged kept bytes."""
    path = plant(zone, 1, b"aa\nbb\n")
    flip(path, -80)
    flip(raw_of(path), 12)
    both = problems(zone)
    path.unlink()
    alone = problems(zone)

    assert len(both) == 2 and path.name in both[0] and raw_of(path).name in both[1]
    assert len(alone) == 2 and alone[1] == both[1]


def test_a_gap_between_rows_is_a_problem(zone: Zone) -> None:
    """F6, as files."""
    plant(zone, 1, b"aa\n")
    plant(zone, 2, b"cc\n", ord=3, off=6)
    found = " ".join(problems(zone))
    assert "ord gap" in found and "byte gap" in found


def test_a_gap_between_kept_bytes_is_a_problem_that_rows_may_hide(zone: Zone) -> None:
    """A newline has no row: only the raw files can tell that it is missing."""
    plant(zone, 1, b"aa", rows=[make_row(b"aa")])
    plant(zone, 2, b"bb\n", ord=2, off=3)
    (problem,) = problems(zone)
    assert "byte gap: kept bytes begin at 3, those before end at 2" in problem


def test_rows_that_landed_twice_are_counted_and_no_problem(zone: Zone) -> None:
    """F6: readers accept what an interrupted pass of an older program left."""
    plant(zone, 1, b"aa\nbb\n")
    plant(zone, 2, b"bb\ncc\n", ord=2, off=3)
    check = verify_session(zone, SESSION)
    assert (check.repeated, check.problems) == (1, ())


def test_a_row_must_describe_the_kept_bytes(zone: Zone) -> None:
    """Digest and count of the Session Data can fit and still describe other bytes."""
    path = plant(zone, 1, b"aa\n")
    path.write_bytes(encode_landed(make_header(1), line_rows(b"ab\n")))
    (problem,) = problems(zone)
    assert "row 1 differ" in problem


def test_names_and_headers_must_agree(zone: Zone) -> None:
    """A file that was renamed or moved says so itself."""
    path = plant(zone, 1, b"aa\n")
    path.rename(path.with_name(path.name.replace("000001", "000002")))
    raw_of(path).rename(raw_of(path).with_name(raw_of(path).name.replace("000001", "000002")))
    assert any("header says seq 1" in problem for problem in problems(zone))
    other = "22222222-2222-4222-8222-222222222222"
    zone.session_directory(SESSION).rename(zone.root / other)
    found = verify_session(zone, other).problems
    assert any("header says session 1111" in problem for problem in found)


def test_a_number_used_twice_is_a_problem(zone: Zone) -> None:
    """Positions are scoped by it."""
    plant(zone, 1, b"aa\n")
    plant(zone, 1, b"bb\n", directory="streams/a1")
    assert problems(zone) == ("seq 1 appears 2 times",)


def test_a_snapshot_has_one_record_at_the_start(zone: Zone) -> None:
    """Several versions are several files."""
    meta = make_header(1, kind="agent_meta")
    plant(zone, 1, b"a\nb\n", header=meta)
    (problem,) = problems(zone)
    assert "has one record, this has 2" in problem


def test_a_kept_last_line_stands_where_it_stood(zone: Zone) -> None:
    """It is a snapshot with a place of its own."""
    tail = make_header(1, kind="transcript_tail", src=f"{SRC}#tail")
    plant(zone, 1, b"torn", ord=7, off=90, header=tail)
    assert problems(zone) == ()


def test_each_generation_joins_for_itself(zone: Zone) -> None:
    """A conflict lands the source again from its start."""
    plant(zone, 1, b"aa\nbb\n")
    plant(zone, 2, b"cc\n", directory="streams/main@2", header=make_header(2, gen=2))
    assert problems(zone) == ()


# ------------------------------------------------------------------ against the sources


def source(
    body: bytes | None, mtime_ns: int = NOW_NS - 3_600_000_000_000
) -> Callable[[Header], Original | None]:
    """A source, by default one that was written an hour before it was kept."""

    def read(_header: Header) -> Original | None:
        return None if body is None else Original(iter([body[:4], body[4:]]), mtime_ns)

    return read


@pytest.mark.parametrize(
    ("now", "not_yet", "problem_count", "gone"),
    [
        (b"aa\nbb\ncc\n", (), 0, 0),
        (b"aa\nbb\ncc\ndd", ((SRC, 2),), 0, 0),
        (b"aa\nbX\ncc\n", (), 1, 0),
        (b"aa\nbb", (), 1, 0),
        (None, (), 0, 1),
    ],
    ids=["equal", "longer", "changed", "shorter", "gone"],
)
def test_kept_bytes_are_compared_with_the_source(
    zone: Zone,
    now: bytes | None,
    not_yet: tuple[tuple[str, int], ...],
    problem_count: int,
    gone: int,
) -> None:
    """Longer is not yet kept, missing is gone; neither is a problem."""
    plant(zone, 1, b"aa\nbb\n")
    plant(zone, 2, b"cc\n", ord=3, off=6)
    check = verify_against_sources(zone, SESSION, source(now))

    assert (check.not_yet_kept, len(check.problems), check.gone) == (not_yet, problem_count, gone)


def test_a_kept_last_line_counts_as_kept(zone: Zone) -> None:
    """As long as it still is what stands there."""
    plant(zone, 1, b"aa\n")
    tail = make_header(2, kind="transcript_tail", src=f"{SRC}#tail")
    plant(zone, 2, b"torn", ord=2, off=3, header=tail)

    assert verify_against_sources(zone, SESSION, source(b"aa\ntorn")).not_yet_kept == ()
    longer = verify_against_sources(zone, SESSION, source(b"aa\ntorn more"))
    assert longer.not_yet_kept == ((SRC, 9),)


def test_a_snapshot_is_compared_by_its_newest_version(zone: Zone) -> None:
    """And without the final newline, which means nothing there."""
    for seq, body in ((1, b'{"a":1}\n'), (2, b'{"a":2}\n')):
        header = make_header(seq, kind="agent_meta")
        plant(zone, seq, body, header=header, rows=[make_row(body[:-1])])

    assert verify_against_sources(zone, SESSION, source(b'{"a":2}')).problems == ()
    assert len(verify_against_sources(zone, SESSION, source(b'{"a":1}')).problems) == 1


def test_a_snapshot_written_since_it_was_kept_is_a_version_not_yet_kept(zone: Zone) -> None:
    """Titles, todos and manifests are rewritten all the time; that is no damage."""
    header = make_header(1, kind="agent_meta")
    plant(zone, 1, b'{"a":1}', header=header, rows=[make_row(b'{"a":1}')])

    check = verify_against_sources(zone, SESSION, source(b'{"a":22}', NOW_NS + 1))

    assert (check.not_yet_kept, check.problems) == (((SRC, 8),), ())


def test_each_of_two_sources_in_one_place_is_compared_with_its_own(zone: Zone) -> None:
    """An accepted claim lands as a further generation, and the first source grows on."""
    other = "-elsewhere/copy.jsonl"
    plant(zone, 1, b"aa\n")
    plant(zone, 2, b"zz\n", directory="streams/main@2", header=make_header(2, gen=2, src=other))
    bodies = {SRC: b"aa\nmore\n", other: b"zz\n"}

    check = verify_against_sources(
        zone, SESSION, lambda header: Original(iter([bodies[header.src]]), 0)
    )

    assert (check.compared, check.not_yet_kept, check.problems) == (2, ((SRC, 5),), ())
