from pathlib import Path

import pytest
from msgspec.structs import replace

from sessionizer.landing.cursor import (
    AppendCursor,
    SnapshotCursor,
    encode_cursor,
    read_append_cursor,
    read_snapshot_cursor,
)
from sessionizer.landing.derive import Dialect
from sessionizer.landing.repair import Repaired, join_deltas, needs_repair, repair_session
from sessionizer.landing.state import SessionState, write_session_state
from sessionizer.landing.tail import tail_digest
from sessionizer.landing.transaction import open_pass
from sessionizer.landing.verify import verify_session
from sessionizer.landing.zone import Zone
from tests.build.landed import AT, NOW_NS, PLAIN, SESSION, SRC, make_header, make_row, plant


@pytest.fixture
def zone(tmp_path: Path) -> Zone:
    return Zone(tmp_path / "root")


def repair(zone: Zone) -> Repaired:
    with open_pass(zone, SESSION, NOW_NS + 10**9) as current:
        assert needs_repair(current, PLAIN)
        repaired = repair_session(current, PLAIN)
        current.commit()
        current.state = replace(current.state, dialect=PLAIN.name)
        current.close()
    return repaired


def interrupt(zone: Zone) -> None:
    """Leave the mark of a pass that planted its files at `AT` and did not end."""
    state = SessionState(session=SESSION, next_seq=9, updated_at=AT, open_pass=True)
    write_session_state(zone.state_path(SESSION), state)


def cursor_path(zone: Zone, prefix: str = "transcript") -> Path:
    return zone.session_directory(SESSION) / f"streams/main/{prefix}.cursor"


@pytest.mark.parametrize(
    ("spans", "reach", "last", "beyond"),
    [
        ((), 0, -1, ()),
        (((0, 10), (10, 5)), 15, 1, ()),
        (((0, 10), (20, 5)), 10, 0, (1,)),
        (((5, 5),), 0, -1, (0,)),
        (((0, 10), (0, 10), (5, 10)), 15, 2, ()),
        (((0, 10), (20, 5), (10, 10), (20, 9)), 29, 3, (1,)),
        (((0, 0), (0, 3)), 3, 1, ()),
    ],
)
def test_deltas_join_where_they_begin_within_reach(
    spans: tuple[tuple[int, int], ...], reach: int, last: int, beyond: tuple[int, ...]
) -> None:
    """Repeats are joined, what begins behind a gap is not."""
    chain = join_deltas(spans)
    assert (chain.reach, chain.last, chain.beyond) == (reach, last, beyond)


def test_a_missing_cursor_is_made_from_the_raw_files(zone: Zone) -> None:
    """Offset, line and digest all stand in the kept bytes."""
    plant(zone, 1, b"aa\nbb\n")
    plant(zone, 2, b"cc\n", ord=3, off=6)
    repair(zone)

    cursor = read_append_cursor(cursor_path(zone))
    assert cursor is not None
    assert (cursor.source, cursor.offset, cursor.ord, cursor.last_seq) == (SRC, 9, 3, 2)
    assert cursor.tail_sha256 == tail_digest(b"aa\nbb\ncc\n")


def test_a_lost_session_data_file_comes_back_as_it_was(zone: Zone) -> None:
    """Byte for byte: the raw file holds its header."""
    path = plant(zone, 1, b"aa\nbb\n")
    before = path.read_bytes()
    path.unlink()

    assert repair(zone).derived == (path,)
    assert path.read_bytes() == before
    assert path.stat().st_mode & 0o777 == 0o444


@pytest.mark.parametrize("offset", [3, 100])
def test_a_cursor_is_moved_to_where_the_raw_files_reach(zone: Zone, offset: int) -> None:
    """Forward over what was published before a crash, back from what was not."""
    plant(zone, 1, b"aa\nbb\n")
    cursor = AppendCursor(source=SRC, offset=offset, ord=1, last_seq=1)
    cursor_path(zone).write_bytes(encode_cursor(cursor))
    interrupt(zone)
    repair(zone)

    moved = read_append_cursor(cursor_path(zone))
    assert moved is not None
    assert (moved.offset, moved.ord) == (6, 2)


def test_a_closed_cursor_stays_closed(zone: Zone) -> None:
    """A conflict waits for a person, crash or not."""
    plant(zone, 1, b"aa\nbb\n")
    cursor = AppendCursor(source=SRC, offset=3, state="conflict", reason="truncated")
    cursor_path(zone).write_bytes(encode_cursor(cursor))
    interrupt(zone)
    repair(zone)

    assert read_append_cursor(cursor_path(zone)) == cursor


def test_a_delta_behind_a_lost_one_is_removed_and_its_number_stays_taken(zone: Zone) -> None:
    """A rename that was lost: nothing ever covered what came after it."""
    plant(zone, 1, b"aa\n")
    cursor = AppendCursor(source=SRC, offset=3, ord=1, last_seq=1)
    cursor_path(zone).write_bytes(encode_cursor(cursor))
    later = plant(zone, 12, b"cc\n", ord=3, off=6)
    interrupt(zone)

    repaired = repair(zone)

    assert repaired.removed == (later, later.with_name(later.name.replace(".sd", ".raw.zst")))
    assert [file.seq for file in zone.landed(SESSION)] == [1]
    with open_pass(zone, SESSION, NOW_NS + 2 * 10**9) as current:
        assert not needs_repair(current, PLAIN)
        assert current.take_seq() == 13


@pytest.mark.parametrize("why", ["cursor", "index", "older pass"])
def test_a_delta_that_anything_ever_covered_is_never_removed(zone: Zone, why: str) -> None:
    """Then the one before it was lost later; that is said, and the cursor goes back for it."""
    plant(zone, 1, b"aa\n")
    header = make_header(12, at="2026-01-01T00:00:00Z") if why == "older pass" else None
    later = plant(zone, 12, b"cc\n", ord=3, off=6, header=header)
    if why == "cursor":
        cursor = AppendCursor(source=SRC, offset=9, ord=3, last_seq=12)
        cursor_path(zone).write_bytes(encode_cursor(cursor))
    if why == "index":
        zone.index_directory(SESSION).mkdir()
        (zone.index_directory(SESSION) / "seg-000001-000012.bin").write_bytes(b"")
    interrupt(zone)

    repaired = repair(zone)

    assert repaired.removed == () and later.exists()
    assert any("bytes before it are missing" in problem for problem in repaired.problems)
    moved = read_append_cursor(cursor_path(zone))
    assert moved is not None and moved.offset == 3


def test_session_data_without_its_raw_file_is_named_and_kept(zone: Zone) -> None:
    """It can not be made again from anything."""
    path = plant(zone, 1, b"aa\n")
    path.with_name(path.name.replace(".sd", ".raw.zst")).unlink()

    repaired = repair(zone)

    assert any(path.name in problem and "missing" in problem for problem in repaired.problems)
    assert path.exists()


def test_a_damaged_raw_file_does_not_stop_the_other_sources(zone: Zone) -> None:
    """One problem line for it; the rest is put in order."""
    plant(zone, 1, b"aa\n", directory="streams/a1")
    damaged = plant(zone, 2, b"bb\n")
    damaged.with_name(damaged.name.replace(".sd", ".raw.zst")).write_bytes(b"junk")

    repaired = repair(zone)

    assert len(repaired.problems) == 1
    assert [path.parent.name for path in repaired.moved] == ["a1"]


def test_snapshot_cursors_come_back_with_what_decides_a_change(zone: Zone) -> None:
    """Stripped content for a sidecar, exact bytes and a place for a kept last line."""
    meta = make_header(1, kind="agent_meta")
    plant(zone, 1, b'{"a":1}\n', header=meta, rows=[make_row(b'{"a":1}')])
    tail = make_header(2, kind="transcript_tail", src=f"{SRC}#tail")
    plant(zone, 2, b"torn", ord=4, off=20, header=tail)
    repair(zone)

    sidecar = read_snapshot_cursor(cursor_path(zone, "meta"))
    kept = read_snapshot_cursor(cursor_path(zone, "tail"))
    assert sidecar is not None and kept is not None
    assert (sidecar.content_sha256, sidecar.last_seq) == (tail_digest(b'{"a":1}'), 1)
    assert (kept.content_sha256, kept.offset, kept.ord, kept.size) == (
        tail_digest(b"torn"), 20, 4, 4,
    )  # fmt: skip
    assert isinstance(kept, SnapshotCursor)


def test_a_cursor_whose_deltas_are_all_lost_starts_again(zone: Zone) -> None:
    """It would hide the source otherwise."""
    path = plant(zone, 1, b"aa\n")
    cursor = AppendCursor(source=SRC, offset=3, ord=1, last_seq=1)
    cursor_path(zone).write_bytes(encode_cursor(cursor))
    path.unlink()
    path.with_name(path.name.replace(".sd", ".raw.zst")).unlink()
    interrupt(zone)
    repair(zone)

    fresh = read_append_cursor(cursor_path(zone))
    assert fresh is not None and (fresh.offset, fresh.last_seq) == (0, 0)


def test_a_repaired_session_verifies(zone: Zone) -> None:
    """Nothing that repair writes is a problem afterwards."""
    plant(zone, 1, b"aa\nbb\n").unlink()
    plant(zone, 2, b"cc\n", ord=3, off=6)
    interrupt(zone)
    repair(zone)

    assert verify_session(zone, SESSION).problems == ()


def test_a_session_is_read_in_one_dialect(tmp_path: Path) -> None:
    """A newer program makes its dialect of every older delta before it lands another."""
    zone = Zone(tmp_path / "root", known_dialect=2)
    old = plant(zone, 1, b"aa\n")
    state = SessionState(session=SESSION, next_seq=2, dialect=PLAIN.name)
    write_session_state(zone.state_path(SESSION), state)
    cursor = AppendCursor(source=SRC, offset=3, ord=1, last_seq=1)
    cursor_path(zone).write_bytes(encode_cursor(cursor))
    later = Dialect(name="plain/2", number=2, derive=PLAIN.derive)

    with open_pass(zone, SESSION, NOW_NS) as current:
        assert not needs_repair(current, PLAIN)
        assert needs_repair(current, later)
        repaired = repair_session(current, later)

    assert repaired.derived == (old.with_name(old.name.replace(".sd", ".d2.sd")),)
    assert repaired.moved == repaired.removed == repaired.problems == ()
