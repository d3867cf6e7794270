"""Stand-in commands run as contestants do: whole processes, in a clean place."""

import sys
from pathlib import Path

import pytest

from benchmarks.measuring.arena import Arena
from benchmarks.measuring.comparison import Check, Command, Contestant
from benchmarks.measuring.processes import run_process
from benchmarks.measuring.turns import Failed, Skipped

SETTINGS = {"python": sys.executable, "word": "needle", "rg": None}


def python(code: str, *arguments: str) -> Command:
    return ("{python}", "-I", "-S", "-c", code, *arguments)


def test_a_failing_command_is_reported_with_its_last_words() -> None:
    """A program that crashes at once must not be the fastest."""
    contestant = Contestant(name="broken", steps=(python("raise SystemExit('no such thing')"),))

    with Arena(SETTINGS, {}) as arena:
        turn = arena.take(contestant)
        with pytest.raises(Failed, match="ended with 1: no such thing"):
            arena.prepare(contestant)

    assert turn.failure == "`python -I -S` ended with 1: no such thing"


def test_an_accepted_exit_code_is_success() -> None:
    """GNU grep says 1 when it found nothing, and then that is the right answer."""
    contestant = Contestant(name="none", steps=(python("raise SystemExit(1)"),), accepts=(0, 1))

    with Arena(SETTINGS, {}) as arena:
        arena.prepare(contestant)

        assert arena.take(contestant).failure is None


def test_the_steps_of_a_turn_are_added() -> None:
    """Collecting and parsing are two processes and one piece of work."""
    nap = python("import time; time.sleep(0.05)")

    with Arena(SETTINGS, {}) as arena:
        turn = arena.take(Contestant(name="two", steps=(nap, nap)))

    assert turn.failure is None
    assert turn.seconds > 0.1
    assert turn.peak_bytes is not None
    assert turn.peak_bytes > 1_000_000


def test_a_failing_step_ends_the_turn() -> None:
    """What comes after it works on something that is not there."""
    make = "import pathlib, sys; pathlib.Path(sys.argv[1]).mkdir()"
    steps = (python("raise SystemExit(3)"), python(make, "{kept}"))

    with Arena(SETTINGS, {}) as arena:
        turn = arena.take(Contestant(name="stops", steps=steps))
        after = arena.take(Contestant(name="makes", steps=steps[1:]))

    assert turn.failure is not None
    assert after.failure is None, "the second step of the first contestant ran"


def test_a_fresh_place_is_fresh_in_every_turn() -> None:
    """The second turn would otherwise find the work done."""
    make = "import pathlib, sys; pathlib.Path(sys.argv[1]).mkdir()"
    contestant = Contestant(name="makes", steps=(python(make, "{fresh}"),))

    with Arena(SETTINGS, {}) as arena:
        arena.prepare(contestant)

        assert [arena.take(contestant).failure for _ in range(2)] == [None, None]


def test_a_kept_place_lives_from_set_up_to_the_last_turn() -> None:
    """A steady pass needs what the first pass left."""
    make = "import pathlib, sys; pathlib.Path(sys.argv[1]).mkdir()"
    need = "import pathlib, sys; sys.exit(not pathlib.Path(sys.argv[1]).is_dir())"
    contestant = Contestant(
        name="needs", setup=(python(make, "{kept}"),), steps=(python(need, "{kept}"),)
    )

    with Arena(SETTINGS, {}) as arena:
        for _ in range(2):
            arena.prepare(contestant)
            assert arena.take(contestant).failure is None


def test_a_program_that_is_not_here_is_skipped() -> None:
    """The report says so instead of leaving the line out."""
    contestant = Contestant(name="rg -c", steps=(("{rg}", "-c", "{word}"),))

    with Arena(SETTINGS, {}) as arena, pytest.raises(Skipped, match="no rg on PATH"):
        arena.prepare(contestant)


def test_a_command_that_its_program_does_not_know_is_skipped() -> None:
    """Not every version has every command; a usage error is no measurement."""
    contestant = Contestant(
        name="unknown", steps=(python("pass"),), probe=python("raise SystemExit(2)")
    )

    with Arena(SETTINGS, {}) as arena, pytest.raises(Skipped, match="ended with 2"):
        arena.prepare(contestant)


@pytest.mark.parametrize(
    ("printed", "said"), [("5", "found 5, but rare.lines is 6"), ("", "no number")]
)
def test_a_wrong_answer_is_a_failure(printed: str, said: str) -> None:
    """Half an answer takes half the time."""
    check = Check(command=python(f"print('{printed}')"), reading="number", fact="rare.lines")
    contestant = Contestant(name="wrong", steps=(python("pass"),), check=check)

    with Arena(SETTINGS, {"rare.lines": 6}) as arena, pytest.raises(Failed, match=said):
        arena.prepare(contestant)


def test_a_right_answer_passes() -> None:
    """And the contestant is run once before the first turn, to warm the cache."""
    check = Check(command=python("print(6)"), reading="number", fact="rare.lines")
    mark = "import pathlib, sys; pathlib.Path(sys.argv[1]).touch()"
    look = "import pathlib, sys; sys.exit(not pathlib.Path(sys.argv[1]).exists())"
    contestant = Contestant(name="right", steps=(python(mark, "{kept}"),), check=check)

    with Arena(SETTINGS, {"rare.lines": 6}) as arena:
        arena.prepare(contestant)
        left = arena.take(Contestant(name="look", steps=(python(look, "{kept}"),)))

    assert left.failure is None


def test_an_answer_nobody_knows_is_not_checked() -> None:
    """A corpus from elsewhere has no summary: the contestant is skipped, not trusted."""
    check = Check(command=python("print(6)"), reading="number", fact="rare.lines")
    contestant = Contestant(name="any", steps=(python("pass"),), check=check)

    with Arena(SETTINGS, {}) as arena, pytest.raises(Skipped, match=r"no rare\.lines"):
        arena.prepare(contestant)


def test_contestants_see_none_of_the_callers_variables(monkeypatch: pytest.MonkeyPatch) -> None:
    """A setting of the person who measures must not change what is measured."""
    monkeypatch.setenv("CLAUDE_CONFIG_DIR", "/elsewhere")
    code = "import os, sys; sys.exit(' '.join(sorted(os.environ)) != 'HOME LC_ALL PATH')"

    with Arena(SETTINGS, {}) as arena:
        turn = arena.take(Contestant(name="bare", steps=(python(code),)))

    assert turn.failure is None


def test_reasons_name_no_place_of_this_machine(tmp_path: Path) -> None:
    """Reports are published. What is left of a path is its last part."""
    home = str(tmp_path / "home")
    words = f"no {home}/x.jsonl (see '/opt/somebody/src/part.py', line 3/4)"
    contestant = Contestant(name="says", steps=(python(f"raise SystemExit({words!r})"),))

    with Arena({**SETTINGS, "home": home}, {}) as arena:
        turn = arena.take(contestant)

    assert turn.failure is not None
    assert turn.failure.endswith("ended with 1: no HOME/x.jsonl (see 'part.py', line 3/4)")


def test_a_process_that_never_ends_is_ended(tmp_path: Path) -> None:
    """One that hangs must not hang the run."""
    outcome = run_process(
        (sys.executable, "-c", "import time; time.sleep(60)"),
        environment={},
        directory=tmp_path,
        output=tmp_path / "output",
        longest_seconds=0.3,
    )

    assert outcome.exit_code == -9
    assert outcome.seconds < 30
