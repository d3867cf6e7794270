from pathlib import Path

import pytest

from sessionizer.landing.state import (
    SessionState,
    encode_session_state,
    parse_session_state,
    read_session_state,
)
from sessionizer.landing.transaction import open_pass
from sessionizer.landing.zone import Zone
from tests.build.landed import NOW_NS, SESSION, plant


@pytest.mark.parametrize(
    ("text", "next_seq"),
    [("next_seq    7\n", 7), ("next_seq x\n", 0), ("# note\n\ncolour blue\n", 1)],
)
def test_the_next_number_is_read_as_written(text: str, next_seq: int) -> None:
    """F8: padding, a value that is no number, a file without it."""
    assert parse_session_state(text, SESSION).next_seq == next_seq


def test_a_state_comes_back() -> None:
    """Every key, also an empty list of plan names, which is not an unknown one."""
    state = SessionState(
        session=SESSION, next_seq=9, last_scan="a", updated_at="b", open_pass=True, slugs=()
    )
    text = encode_session_state(state).decode()

    assert parse_session_state(text, SESSION) == state
    assert "liveness   unknown\n" in text
    assert parse_session_state("schema 1\n", SESSION).slugs is None


def test_a_missing_state_is_none(tmp_path: Path) -> None:
    """F8: then the next number is 1, or one above what lies on disk."""
    assert read_session_state(tmp_path / "session.state", SESSION) is None


@pytest.mark.parametrize("text", ["next_seq x\n", "next_seq 2\n", None])
def test_names_on_disk_have_the_last_word(tmp_path: Path, text: str | None) -> None:
    """F8: a broken, stale or missing state never lets a number be used again."""
    zone = Zone(tmp_path / "root")
    plant(zone, 41, b"a\n")
    if text is not None:
        zone.state_path(SESSION).write_text(text)

    with open_pass(zone, SESSION, NOW_NS) as current:
        assert current.take_seq() == 42
        current.close()

    state = read_session_state(zone.state_path(SESSION), SESSION)
    assert state is not None and state.next_seq == 43
