"""The stored index is a cache: whatever happens to it, the answers stay the same."""

from pathlib import Path

import pytest

from sessionizer.index.codec import MAGIC, Segment, SegmentHeader, decode_segment, encode_segment
from sessionizer.index.errors import NoLandedRecordsError
from sessionizer.index.session_index import load_index, update_index
from sessionizer.index.store import MAX_SEGMENTS
from sessionizer.landing.errors import DamagedFileError
from sessionizer.landing.record import Header, Row
from sessionizer.landing.session_data import encode_landed
from sessionizer.landing.zone import Zone
from tests.build.rows import SESSION, Landing, agent, human

NOW_NS = 1_767_323_045_000_000_000
ROWS = (human("u1", "-", "10:00:00", "p1"), agent("a1", "u1", "10:00:01", "m1", "Done"))


def land(zone: Zone, seq: int, row: Row, *, dialect: str = "claude-code/1") -> Path:
    """Write one landed file of the main transcript with one row."""
    directory = zone.session_directory(SESSION) / "streams" / "main"
    directory.mkdir(parents=True, exist_ok=True)
    header = Header(
        seq=seq,
        at="2026-01-02T03:05:00Z",
        kind="transcript",
        adapter="test/1",
        dialect=dialect,
        src=f"-home-dev-app/{SESSION}.jsonl",
        session=SESSION,
        stream="main",
    )
    path = directory / f"transcript-20260102T030500.000000000Z-{seq:06d}.sd"
    path.write_bytes(encode_landed(header, (row,)))
    return path


@pytest.fixture
def zone(tmp_path: Path) -> Zone:
    return Zone(tmp_path / "root")


def segments(zone: Zone) -> list[str]:
    return sorted(path.name for path in zone.index_directory(SESSION).glob("*.bin"))


def test_a_segment_survives_being_written_and_read() -> None:
    """Every field of an entry comes back, absent counters as absent."""
    entries = tuple(Landing().main(*ROWS).entries)
    segment = Segment(SegmentHeader(1, "claude-code/1", SESSION), entries)

    body = encode_segment(segment)

    assert body.startswith(MAGIC)
    assert decode_segment(body) == segment


@pytest.mark.parametrize("at", [0, 8, 20, -1])
def test_a_flipped_byte_makes_a_segment_unreadable(at: int) -> None:
    """Magic, length, payload and digest are all checked."""
    entries = tuple(Landing().main(*ROWS).entries)
    body = bytearray(encode_segment(Segment(SegmentHeader(1, "d/1", SESSION), entries)))
    body[at] ^= 0xFF

    assert decode_segment(bytes(body)) is None


def test_a_segment_of_another_schema_is_not_read() -> None:
    """A newer or older program made it: it is made again."""
    body = encode_segment(Segment(SegmentHeader(999, "d/1", SESSION), ()))

    assert decode_segment(body) is None


def test_an_update_adds_one_segment_per_pass(zone: Zone) -> None:
    """Names tell the closed range of landed files."""
    land(zone, 1, ROWS[0])
    first = update_index(zone, SESSION, now_ns=NOW_NS)
    land(zone, 4, ROWS[1])
    second = update_index(zone, SESSION, now_ns=NOW_NS)

    assert (first.indexed_seq, len(first.entries)) == (1, 1)
    assert (second.indexed_seq, len(second.entries)) == (4, 2)
    assert segments(zone) == ["seg-000001-000001.bin", "seg-000002-000004.bin"]


def test_loading_reads_what_is_not_indexed_and_writes_nothing(zone: Zone) -> None:
    """A crash between landing and indexing is closed by the landed files."""
    land(zone, 1, ROWS[0])
    update_index(zone, SESSION, now_ns=NOW_NS)
    land(zone, 2, ROWS[1])

    loaded = load_index(zone, SESSION)

    assert [entry.record for entry in loaded.entries] == ["u1", "a1"]
    assert loaded.indexed_seq == 2
    assert segments(zone) == ["seg-000001-000001.bin"]


def test_a_truncated_segment_is_made_again(zone: Zone) -> None:
    """R28: one byte less, the same answer."""
    for seq, row in enumerate(ROWS, start=1):
        land(zone, seq, row)
        whole = update_index(zone, SESSION, now_ns=NOW_NS)
    newest = zone.index_directory(SESSION) / "seg-000002-000002.bin"
    newest.write_bytes(newest.read_bytes()[:-1])

    assert load_index(zone, SESSION) == whole
    assert update_index(zone, SESSION, now_ns=NOW_NS) == whole
    assert len(newest.read_bytes()) > 0


def test_a_missing_index_is_rebuilt_in_memory(zone: Zone) -> None:
    """It is derived; deleting it changes nothing."""
    land(zone, 1, ROWS[0])
    whole = update_index(zone, SESSION, now_ns=NOW_NS)
    for path in zone.index_directory(SESSION).iterdir():
        path.unlink()

    assert load_index(zone, SESSION) == whole


def test_an_index_of_another_dialect_is_rebuilt(zone: Zone) -> None:
    """Its rows were made by other rules."""
    land(zone, 1, ROWS[0])
    update_index(zone, SESSION, now_ns=NOW_NS)
    land(zone, 1, ROWS[1], dialect="claude-code/2")

    assert [entry.record for entry in load_index(zone, SESSION).entries] == ["a1"]


def test_many_segments_become_one(zone: Zone) -> None:
    """The seventeenth pass merges."""
    for seq in range(1, MAX_SEGMENTS + 2):
        land(zone, seq, ROWS[seq % 2])
        index = update_index(zone, SESSION, now_ns=NOW_NS)

    assert segments(zone) == ["seg-000001-000017.bin"]
    assert index == load_index(zone, SESSION)
    assert len(index.entries) == MAX_SEGMENTS + 1


def test_a_merge_that_was_not_tidied_up_does_no_harm(zone: Zone) -> None:
    """The segment that reaches furthest is read, the others are not."""
    land(zone, 1, ROWS[0])
    update_index(zone, SESSION, now_ns=NOW_NS)
    old = (zone.index_directory(SESSION) / "seg-000001-000001.bin").read_bytes()
    land(zone, 2, ROWS[1])
    whole = update_index(zone, SESSION, now_ns=NOW_NS, rebuild=True)
    (zone.index_directory(SESSION) / "seg-000001-000001.bin").write_bytes(old)

    assert load_index(zone, SESSION) == whole


def test_the_state_file_counts_what_is_stored(zone: Zone) -> None:
    """A cache for people; nothing reads it to decide."""
    land(zone, 1, ROWS[0])
    update_index(zone, SESSION, now_ns=NOW_NS)

    text = (zone.index_directory(SESSION) / "index.state").read_text()

    assert "indexed_seq 1" in text
    assert "entries     1" in text
    assert "built_at    2026-01-02T03:04:05Z" in text


def test_files_below_a_damaged_one_are_indexed_and_none_above(zone: Zone) -> None:
    """A landed file that can not be read is an error of the session."""
    land(zone, 1, ROWS[0])
    land(zone, 2, ROWS[1]).write_bytes(b"{}")
    land(zone, 3, ROWS[1])

    with pytest.raises(DamagedFileError):
        update_index(zone, SESSION, now_ns=NOW_NS)

    assert segments(zone) == ["seg-000001-000001.bin"]


def test_a_session_without_landed_records_says_so(zone: Zone) -> None:
    """There is nothing to look up in."""
    with pytest.raises(NoLandedRecordsError, match="no landed records"):
        load_index(zone, SESSION)
