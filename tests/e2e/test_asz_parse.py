"""`asz parse`, `conversation`, `verify`, `index` over collected homes."""

import re
import shutil
from pathlib import Path

import pytest

from tests.build.home import S1, Home, txt, use
from tests.conftest import Asz

SAMPLE_MAIN = "5f0c8a52-7d1e-4b39-9c64-2a8e31d0b7f4"


@pytest.fixture
def root(tmp_path: Path) -> Path:
    return tmp_path / "root"


def rounds(root: Path, conversation: str) -> list[Path]:
    return sorted((root / "_conversations" / conversation / "rounds").iterdir())


def test_a_round_is_written_when_something_changed_and_not_otherwise(
    home: Home, asz: Asz, root: Path
) -> None:
    transcript = home.transcript(S1).user("hello")
    asz("collect", "--once", "--root", root)

    assert "1 round(s) written" in asz("parse", "--root", root).stdout
    assert "0 round(s) written" in asz("parse", "--root", root).stdout
    transcript.assistant(txt("hi"))
    asz("collect", "--once", "--root", root)
    assert "1 round(s) written" in asz("parse", "--root", root).stdout
    assert len(rounds(root, S1)) == 2


def test_the_index_may_be_deleted(home: Home, asz: Asz, root: Path) -> None:
    """It is derived: deleting it changes no round."""
    home.transcript(S1).user("hello").assistant(use("t1", "Bash", command="ls"))
    asz("collect", "--once", "--root", root)
    asz("parse", "--root", root)
    shutil.rmtree(root / S1 / "index")

    result = asz("parse", "--root", root)

    assert result.exit_code == 0
    assert "0 round(s) written" in result.stdout


def test_equal_evidence_gives_equal_bytes(home: Home, asz: Asz, tmp_path: Path) -> None:
    """No clock, path or hash order enters a round."""
    home.transcript(S1).user("hello").assistant(use("t1", "Bash", command="ls"))
    first, second = tmp_path / "a", tmp_path / "b"
    asz("collect", "--once", "--root", first)
    shutil.copytree(first, second)
    asz("parse", "--root", first)
    asz("parse", "--root", second)

    (one,), (two,) = rounds(first, S1), rounds(second, S1)
    assert one.name == two.name
    assert one.read_bytes() == two.read_bytes()


def test_the_sample_is_told_as_its_readme_says(sample: Path, asz: Asz, root: Path) -> None:
    asz("collect", "--once", "--root", root, "--claude-home", sample)

    result = asz("parse", "--root", root)

    row = next(line for line in result.stdout.splitlines() if line.startswith(SAMPLE_MAIN))
    talks, _, _, tools, children = row.split()[-5:]
    assert talks == "16"  # 11 of the main stream, one of each of 5 children
    assert tools == "50/51"
    assert children == "5/5"


def test_conversation_prints_counts_gaps_and_a_tree(sample: Path, asz: Asz, root: Path) -> None:
    asz("collect", "--once", "--root", root, "--claude-home", sample)
    asz("parse", "--root", root)

    plain = asz("conversation", SAMPLE_MAIN, "--root", root)
    both = asz("conversation", SAMPLE_MAIN, "--root", root, "--terms", "both")

    assert plain.exit_code == 0
    assert "title          Tide tables: one lag, applied once" in plain.stdout
    assert "1 (1 open)" in plain.stdout
    assert re.search(r"^ +5  starts$", plain.stdout, re.MULTILINE)
    assert "... 2 more" in plain.stdout
    assert "run (promptId)" in both.stdout


def test_verify_names_what_was_changed(home: Home, asz: Asz, root: Path) -> None:
    """A flipped byte in kept bytes, Session Data and a round are three problems."""
    home.transcript(S1).user("hello").assistant(txt("hi"))
    asz("collect", "--once", "--root", root)
    asz("parse", "--root", root)
    assert asz("verify", "--root", root).exit_code == 0
    stream = root / S1 / "streams" / "main"
    damaged = [*stream.glob("*.raw.zst"), *stream.glob("*.sd"), *rounds(root, S1)]
    assert len(damaged) == 3
    for path in damaged:
        body = bytearray(path.read_bytes())
        body[len(body) // 2] ^= 1
        path.chmod(0o644)
        path.write_bytes(body)

    result = asz("verify", "--root", root)

    assert result.exit_code == 1
    assert "3 contiguity or integrity problem(s)" in result.stderr
    for path in damaged:
        assert path.name in result.stdout


@pytest.mark.parametrize("command", ["parse", "index", "verify", "conversation"])
def test_without_a_storage_root_the_way_out_is_named(
    asz: Asz, tmp_path: Path, command: str
) -> None:
    arguments = ("x",) if command == "conversation" else ()

    result = asz(command, *arguments, "--root", tmp_path / "none")

    assert result.exit_code == 1
    assert str(tmp_path / "none") in result.stderr
    assert "asz collect" in result.stderr
    assert result.stdout == ""


def test_unknown_ids_are_named(home: Home, asz: Asz, root: Path) -> None:
    home.transcript(S1).user("hello")
    asz("collect", "--once", "--root", root)

    for command in ("parse", "index", "verify", "conversation"):
        result = asz(command, "nope", "--root", root)
        assert result.exit_code == 1, command
        assert "'nope'" in result.stderr


def test_one_broken_chain_does_not_stop_the_others(home: Home, asz: Asz, root: Path) -> None:
    home.transcript(S1).user("hello")
    other = S1[:-1] + "2"
    home.transcript(other).user("hello")
    asz("collect", "--once", "--root", root)
    asz("parse", "--root", root)
    (broken,) = rounds(root, S1)
    broken.rename(broken.with_name("r000002-000000000000.sf"))

    result = asz("parse", "--root", root)

    assert result.exit_code == 1
    assert "1 session(s) failed to parse" in result.stderr
    assert "expected round 1" in result.stderr
    assert other in result.stdout
