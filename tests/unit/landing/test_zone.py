from pathlib import Path

import pytest

from sessionizer.landing.errors import BadNameError, NoStorageRootError
from sessionizer.landing.zone import Zone
from tests.build.landed import SESSION, STAMP, make_header, plant


@pytest.fixture
def zone(tmp_path: Path) -> Zone:
    return Zone(tmp_path / "root")


def test_a_missing_root_names_the_command_that_makes_it(zone: Zone) -> None:
    """A reader of nothing says what to do first."""
    with pytest.raises(NoStorageRootError, match=r"root.*asz collect"):
        zone.require()
    assert zone.session_ids() == ()
    assert zone.landed(SESSION) == ()
    zone.root.mkdir()
    zone.require()


def test_reserved_names_and_files_are_no_sessions(zone: Zone) -> None:
    """Ids keep their case; conversations and state are not sessions."""
    for name in ("_conversations", "_state", "bBb", "Aaa", ".hidden"):
        (zone.root / name).mkdir(parents=True)
    (zone.root / "file").write_text("x")

    assert zone.session_ids() == ("Aaa", "bBb")


def test_landed_files_come_by_seq_over_all_places(zone: Zone) -> None:
    """Whatever directory and stamp they have."""
    plant(zone, 3, b"c\n")
    plant(zone, 1, b"a\n", directory="streams/a1")
    plant(zone, 2, b"b\n", directory="runs/wf_x", header=make_header(2, kind="journal"))
    plant(zone, 4, b"d\n", directory="files/todos/x.json", header=make_header(4, kind="file"))
    plant(zone, 5, b"e\n", directory="files/history", header=make_header(5, kind="history"))
    plant(zone, 6, b"f\n", directory="streams/main@2")

    found = zone.landed(SESSION)

    assert [(file.seq, file.kind_prefix) for file in found] == [
        (1, "transcript"), (2, "journal"), (3, "transcript"),
        (4, "file"), (5, "history"), (6, "transcript"),
    ]  # fmt: skip
    assert found[0].relative == f"{SESSION}/streams/a1/transcript-{STAMP}-000001.sd"
    assert all(file.path.exists() and file.raw_path.exists() for file in found)
    assert zone.landed_by_seq(SESSION)[4] == found[3]


def test_the_highest_dialect_that_is_known_is_read(zone: Zone) -> None:
    """A file of a later program is left alone, and still counts as a number taken."""
    first = plant(zone, 1, b"a\n")
    second = first.with_name(first.name.replace(".sd", ".d2.sd"))
    second.write_bytes(first.read_bytes())
    later = first.with_name(f"transcript-{STAMP}-000009.d3.sd")
    later.write_bytes(first.read_bytes())

    assert [file.path for file in zone.landed(SESSION)] == [first]
    newer = Zone(zone.root, known_dialect=2)
    assert [(file.path, file.dialect_generation) for file in newer.landed(SESSION)] == [(second, 2)]
    assert zone.highest_seq(SESSION) == 9


def test_a_raw_file_alone_counts_as_a_number_taken(zone: Zone) -> None:
    """Its Session Data may be lost; its number is not free."""
    path = plant(zone, 7, b"a\n")
    path.unlink()

    assert zone.highest_seq(SESSION) == 7
    assert zone.landed(SESSION) == ()
    (directory,) = zone.delta_directories(SESSION)
    assert [(raw.name.seq, raw.landed) for raw in directory.raws] == [(7, None)]


def test_an_id_that_leads_elsewhere_is_refused(zone: Zone) -> None:
    """Ids come from the command line too."""
    for bad in ("../x", "..", "", "a/b", "_conversations"):
        with pytest.raises(BadNameError):
            zone.session_directory(bad)
    with pytest.raises(BadNameError, match="conversation id"):
        zone.conversation_directory("../x")
