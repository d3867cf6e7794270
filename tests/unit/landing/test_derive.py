from pathlib import Path

import pytest

from sessionizer.landing.derive import Dialect, derive_session
from sessionizer.landing.raw import RawDelta
from sessionizer.landing.record import Row
from sessionizer.landing.session_data import read_landed
from sessionizer.landing.zone import Zone
from tests.build.landed import PLAIN, SESSION, line_rows, plant


def derive(delta: RawDelta) -> tuple[Row, ...]:
    return line_rows(delta.body.upper(), ord=delta.label.ord, off=delta.label.off)


LATER = Dialect(name="plain/2", number=2, derive=derive)


def test_everything_comes_back_from_raw_files_alone(tmp_path: Path) -> None:
    """All Session Data deleted: the same bytes, `at` and `src` included."""
    zone = Zone(tmp_path)
    paths = [plant(zone, 1, b"aa\n"), plant(zone, 2, b"bb\n", ord=2, off=3)]
    before = [path.read_bytes() for path in paths]
    for path in paths:
        path.unlink()

    assert derive_session(zone, SESSION, PLAIN).written == tuple(paths)
    assert [path.read_bytes() for path in paths] == before
    assert derive_session(zone, SESSION, PLAIN).written == ()


def test_a_later_dialect_is_written_beside_the_older(tmp_path: Path) -> None:
    """Nothing is replaced, and the higher number is read from then on."""
    zone = Zone(tmp_path, known_dialect=2)
    old = plant(zone, 1, b"aa\n")
    before = old.read_bytes()
    derived = derive_session(zone, SESSION, LATER)

    new = old.with_name(old.name.replace(".sd", ".d2.sd"))
    assert derived.written == (new,)
    assert old.read_bytes() == before
    assert [file.path for file in zone.landed(SESSION)] == [new]
    assert read_landed(new).header.dialect == "plain/2"
    assert read_landed(new).rows[0].parts[0].text == "AA"
    assert derive_session(zone, SESSION, LATER).written == ()


def test_a_lost_file_of_an_older_dialect_is_not_made_again(tmp_path: Path) -> None:
    """Only the newest can be: the older conversion is gone."""
    zone = Zone(tmp_path, known_dialect=2)
    old = plant(zone, 1, b"aa\n")
    old.unlink()

    assert [path.name for path in derive_session(zone, SESSION, LATER).written] == [
        old.name.replace(".sd", ".d2.sd")
    ]
    assert not old.exists()


def test_a_damaged_raw_file_is_a_problem_and_no_stop(tmp_path: Path) -> None:
    """The others are derived."""
    zone = Zone(tmp_path)
    first, second = plant(zone, 1, b"aa\n"), plant(zone, 2, b"bb\n", ord=2, off=3)
    first.unlink()
    second.unlink()
    first.with_name(first.name.replace(".sd", ".raw.zst")).write_bytes(b"junk")

    derived = derive_session(zone, SESSION, PLAIN)

    assert derived.written == (second,)
    assert len(derived.problems) == 1


def test_what_is_derived_is_published_and_leaves_no_temporary(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Files are flushed in groups; when the conversion fails, half a group is not left behind."""
    zone = Zone(tmp_path)
    paths = [plant(zone, 1, b"aa\n"), plant(zone, 2, b"bb\n", ord=2, off=3)]
    for path in paths:
        path.unlink()

    def fail(delta: RawDelta) -> tuple[Row, ...]:
        if delta.label.off:
            raise MemoryError
        return derive(delta)

    with pytest.raises(MemoryError):
        derive_session(zone, SESSION, Dialect(name="plain/1", number=1, derive=fail))
    assert not list(tmp_path.rglob(".tmp-*"))

    monkeypatch.setattr("sessionizer.landing.derive.GROUP_BYTES", 1)
    assert derive_session(zone, SESSION, PLAIN).written == tuple(paths)
    assert not list(tmp_path.rglob(".tmp-*"))
    assert {path.stat().st_mode & 0o777 for path in paths} == {0o444}
