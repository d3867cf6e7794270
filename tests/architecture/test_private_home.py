"""No test reads the developer's own home: the guard itself is tested here."""

import os
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.build.guard import HANDED_ON, Guard
from tests.build.home import Home


@pytest.mark.parametrize("below", ["", "projects", "projects/-x/s.jsonl", "settings.json"])
def test_opening_agent_data_of_the_real_home_fails(guard: Guard, below: str) -> None:
    """Whether the file exists does not matter: the attempt is the fault."""
    place = next(path for path in guard.forbidden if path.endswith(".claude"))

    with guard.expecting_attempts(), pytest.raises(AssertionError, match=r"developer's own home"):
        (Path(place) / below).read_bytes()


def test_listing_agent_data_of_the_real_home_fails(guard: Guard) -> None:
    """Discovery lists directories before it opens a file."""
    with guard.expecting_attempts():
        for place in guard.forbidden:
            with pytest.raises(AssertionError, match=r"developer's own home"):
                os.listdir(place)  # noqa: PTH208 - the event under test
            with pytest.raises(AssertionError, match=r"developer's own home"):
                os.scandir(os.fsencode(place))


def test_an_attempt_is_remembered_when_the_program_swallows_it(guard: Guard) -> None:
    """Programs turn errors into messages; the test must fail all the same."""
    with guard.expecting_attempts():
        with pytest.raises(AssertionError):
            Path(guard.forbidden[0]).read_bytes()

        assert guard.attempts == [guard.forbidden[0]]

    assert guard.attempts == []


def test_a_worker_guards_the_home_of_the_first_process(guard: Guard) -> None:
    """A worker sees only the empty home of its parent; the paths are handed on."""
    assert os.environ[HANDED_ON].split(os.pathsep) == list(guard.forbidden)
    assert not any("empty-home-" in place for place in guard.forbidden)


def test_a_name_that_only_begins_like_a_private_one_is_free(guard: Guard) -> None:
    """`.claude-notes` is not below `.claude`."""
    assert not guard.covers(guard.forbidden[0] + "-notes")
    assert guard.covers(guard.forbidden[0] + "/../" + Path(guard.forbidden[0]).name)


def test_the_default_home_is_empty_and_elsewhere(guard: Guard) -> None:
    """A program that falls back to the user's home finds nothing."""
    assert not Path.home().joinpath(".claude").exists()
    assert not any(str(Path.home()).startswith(place) for place in guard.forbidden)
    assert os.environ["CLAUDE_CONFIG_DIR"] == str(Path.home() / ".claude")


def test_the_home_fixture_is_what_programs_see(home: Home) -> None:
    """Tests need no `--claude-home`."""
    home.transcript().user("hello")

    assert [path.name for path in (Path.home() / ".claude").iterdir()] == ["projects"]


@given(st.integers())
def test_laws_run_under_the_guard(number: int) -> None:
    """Hypothesis accepts the automatic fixture."""
    assert isinstance(number, int)
    assert os.environ["TZ"] == "UTC"
