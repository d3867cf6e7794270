from pathlib import Path

import pytest

from sessionizer.base.locks import LockedError
from sessionizer.landing.errors import DamagedFileError
from sessionizer.landing.state import read_session_state
from sessionizer.landing.transaction import SessionPass, open_pass
from sessionizer.landing.zone import Zone
from tests.build.landed import NOW_NS, SESSION, STAMP, land


@pytest.fixture
def zone(tmp_path: Path) -> Zone:
    return Zone(tmp_path / "root")


def names(zone: Zone) -> list[str]:
    place = zone.session_directory(SESSION) / "streams/main"
    return sorted(path.name for path in place.iterdir()) if place.is_dir() else []


def is_open(zone: Zone) -> bool:
    state = read_session_state(zone.state_path(SESSION), SESSION)
    return state is not None and state.open_pass


def test_nothing_is_visible_before_the_commit(zone: Zone) -> None:
    """Readers take no lock: what they see is whole."""
    with open_pass(zone, SESSION, NOW_NS) as current:
        land(current, b"aa\n")
        assert zone.landed(SESSION) == ()
        current.commit()
        assert [file.seq for file in zone.landed(SESSION)] == [1]
        current.close()

    assert names(zone) == [
        f"transcript-{STAMP}-000001.raw.zst", f"transcript-{STAMP}-000001.sd", "transcript.cursor",
    ]  # fmt: skip


def test_what_was_not_committed_leaves_nothing(zone: Zone) -> None:
    """An error between staging and publishing takes its temporaries along."""
    with pytest.raises(RuntimeError), open_pass(zone, SESSION, NOW_NS) as current:
        land(current, b"aa\n")
        raise RuntimeError
    assert names(zone) == []


def test_the_mark_stands_from_the_first_rename_to_the_close(zone: Zone) -> None:
    """It tells the next pass to look for what a crash left."""
    with open_pass(zone, SESSION, NOW_NS) as current:
        land(current, b"aa\n")
        assert not is_open(zone)
        current.commit()
        assert is_open(zone)
        current.close()
    assert not is_open(zone)


def test_all_files_of_a_pass_share_its_stamp(zone: Zone) -> None:
    """One instant per session and pass."""
    with open_pass(zone, SESSION, NOW_NS) as current:
        land(current, b"aa\n")
        land(current, b"bb\n", before=b"aa\n")
        current.commit()
        land(current, b"cc\n", before=b"aa\nbb\n")
        current.commit()
        current.close()

    assert {file.path.name[: -len("-000001.sd")] for file in zone.landed(SESSION)} == {
        f"transcript-{STAMP}"
    }
    assert [file.seq for file in current.landed] == [1, 2, 3]


def test_left_over_temporaries_are_removed(zone: Zone) -> None:
    """By the next pass that holds the lock, wherever they lie."""
    place = zone.session_directory(SESSION) / "streams/main"
    place.mkdir(parents=True)
    (place / ".tmp-abc").write_text("x")
    (zone.session_directory(SESSION) / ".tmp-def").write_text("x")
    with open_pass(zone, SESSION, NOW_NS) as current:
        current.close()
    assert list(zone.root.rglob(".tmp-*")) == []


def test_a_landed_file_is_never_replaced(zone: Zone) -> None:
    """Whatever went wrong with the numbers."""
    place = zone.session_directory(SESSION) / "streams/main"
    with open_pass(zone, SESSION, NOW_NS) as current:
        land(current, b"aa\n")
        (place / f"transcript-{STAMP}-000001.raw.zst").write_text("mine")
        with pytest.raises(DamagedFileError, match="never replaced"):
            current.commit()
    assert (place / f"transcript-{STAMP}-000001.raw.zst").read_text() == "mine"


def test_two_passes_can_not_hold_one_session(zone: Zone) -> None:
    """The second one is told, and does not wait."""
    with (
        open_pass(zone, SESSION, NOW_NS),
        pytest.raises(LockedError),
        open_pass(zone, SESSION, NOW_NS),
    ):
        pass


def test_an_idle_pass_writes_nothing_again(zone: Zone) -> None:
    """A watch looks every few seconds; each write would cost a disk flush."""
    with open_pass(zone, SESSION, NOW_NS) as current:
        current.close()
    before = zone.state_path(SESSION).stat().st_mtime_ns, zone.state_path(SESSION).read_bytes()
    with open_pass(zone, SESSION, NOW_NS + 5_000_000_000) as current:
        current.close()
    assert before == (
        zone.state_path(SESSION).stat().st_mtime_ns, zone.state_path(SESSION).read_bytes(),
    )  # fmt: skip
    with open_pass(zone, SESSION, NOW_NS + 3600 * 10**9) as current:
        current.close()
    assert zone.state_path(SESSION).read_bytes() != before[1]


def test_a_number_that_was_taken_and_not_used_stays_a_hole(zone: Zone) -> None:
    """Holes are legal; a number used twice is not."""
    with open_pass(zone, SESSION, NOW_NS) as current:
        assert isinstance(current, SessionPass)
        current.take_seq()
        current.close()
    with open_pass(zone, SESSION, NOW_NS + 1) as current:
        assert current.take_seq() == 2
