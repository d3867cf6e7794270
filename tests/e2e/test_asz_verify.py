"""`asz verify`: what is kept is proven against itself, its sources and its account."""

import re
import shutil
from pathlib import Path

import pytest

from tests.build.home import S1, S2, Home, txt, use
from tests.conftest import Asz

SHA = re.compile(r"[0-9a-f]{12}")


@pytest.fixture
def root(tmp_path: Path) -> Path:
    return tmp_path / "root"


def flip(path: Path, index: int) -> None:
    body = bytearray(path.read_bytes())
    body[index] ^= 1
    path.chmod(0o644)
    path.write_bytes(body)


def test_a_bit_in_kept_bytes_label_and_session_data_are_three_different_problems(
    home: Home, asz: Asz, root: Path
) -> None:
    """R15. Each is told apart, so that one knows what to restore."""
    home.transcript(S1).user("hello").assistant(txt("hi"))
    asz("collect", "--once", "--root", root)
    (raw,) = (root / S1).rglob("*.raw.zst")
    (sd,) = (root / S1).rglob("*.sd")
    label = raw.read_bytes().index(b'"raw":"raw/1"')
    said = set()
    for path, index in ((raw, 20), (raw, label + 40), (sd, 300)):
        whole = path.read_bytes()
        flip(path, index)
        result = asz("verify", "--root", root)
        assert result.exit_code == 1
        (line,) = [line for line in result.stdout.splitlines() if path.name in line]
        said.add(SHA.sub("SHA", line))
        path.write_bytes(whole)

    assert len(said) == 3
    assert asz("verify", "--root", root).exit_code == 0


def test_a_missing_delta_in_the_middle_is_a_gap(home: Home, asz: Asz, root: Path) -> None:
    transcript = home.transcript(S1)
    for text in ("one", "two", "three"):
        transcript.user(text)
        asz("collect", "--once", "--root", root)
    for path in (root / S1).rglob("*-000002.*"):
        path.unlink()

    result = asz("verify", "--root", root)

    assert result.exit_code == 1
    assert "ord gap" in result.stdout or "byte gap" in result.stdout


# ------------------------------------------------------------------ against the sources


def compared(asz: Asz, root: Path, home: Path) -> dict[str, int]:
    result = asz("verify", "--against-sources", "--root", root, "--claude-home", home)
    assert result.exit_code == 0, result.stdout
    match = re.search(
        r"compared (?P<compared>\d+) source.*: 0 problem.*, (?P<behind>\d+) with.*; "
        r"(?P<gone>\d+) gone",
        result.stdout,
    )
    assert match, result.stdout
    return {name: int(count) for name, count in match.groupdict().items()}


def test_the_sample_is_kept_to_the_last_byte(sample: Path, asz: Asz, root: Path) -> None:
    collected = asz("collect", "--once", "--root", root, "--claude-home", sample)

    found = compared(asz, root, sample)

    sources = re.search(r"sources=(\d+)", collected.stdout)
    assert sources
    assert found == {"compared": int(sources[1]), "behind": 0, "gone": 0}


@pytest.mark.real_data
def test_every_real_home_is_kept_to_the_last_byte(
    real_data: Path, asz: Asz, tmp_path: Path
) -> None:
    homes = [path for path in sorted(real_data.iterdir()) if (path / "projects").is_dir()]
    assert len(homes) >= 15
    for home in homes:
        root = tmp_path / home.name
        asz("collect", "--once", "--flush-tails", "--root", root, "--claude-home", home)
        found = compared(asz, root, home)
        assert found["compared"] > 0, home.name
        assert (found["behind"], found["gone"]) == (0, 0), home.name


def test_what_was_written_since_is_not_yet_kept(home: Home, asz: Asz, root: Path) -> None:
    """Growth, and a newer version of a file that is rewritten as a whole; neither is damage."""
    transcript = home.transcript(S1).user("one")
    todo = home.file(f"todos/{S1}-agent-{S1}.json", "[]")
    asz("collect", "--once", "--root", root)
    before = transcript.path.stat().st_size
    transcript.user("two")
    todo.write_text('[{"content":"x"}]')
    grown = transcript.path.stat().st_size - before

    result = asz("verify", "--against-sources", "--root", root)

    assert result.exit_code == 0, result.stdout
    assert f"not yet kept: {grown} byte(s) of -work-demo/{S1}.jsonl" in result.stdout
    assert f"not yet kept: 17 byte(s) of ../todos/{S1}-agent-{S1}.json" in result.stdout


def test_a_vanished_home_is_gone_and_no_problem(sample: Path, asz: Asz, root: Path) -> None:
    asz("collect", "--once", "--root", root, "--claude-home", sample)
    before = compared(asz, root, sample)
    shutil.rmtree(sample)

    assert compared(asz, root, sample) == {"compared": 0, "behind": 0, "gone": before["compared"]}


def test_a_source_that_contradicts_what_was_kept_is_a_problem(
    home: Home, asz: Asz, root: Path
) -> None:
    transcript = home.transcript(S1).user("one").user("two")
    home.transcript(S2).user("untouched")
    asz("collect", "--once", "--root", root)
    body = transcript.path.read_bytes()
    transcript.path.write_bytes(body.replace(b"one", b"uno"))

    result = asz("verify", "--against-sources", "--root", root)

    assert result.exit_code == 1
    assert f"{S1} against its sources: 1 problem(s)" in result.stdout
    assert f"-work-demo/{S1}.jsonl: the source differs" in result.stdout
    assert "1 contiguity or integrity problem(s)" in result.stderr
    assert asz("verify", "--root", root).exit_code == 0


def test_several_homes_are_all_looked_in(home: Home, asz: Asz, root: Path, tmp_path: Path) -> None:
    other = Home(tmp_path / "other")
    home.transcript(S1).user("here")
    other.transcript(S2).user("there")
    configuration = tmp_path / "asz.yaml"
    configuration.write_text(
        "adapters:\n"
        + "".join(
            f"- name: claude-code-local\n  source_root: {each.projects}\n" for each in (home, other)
        )
    )
    asz("collect", "--once", "--config", configuration, "--root", root)

    result = asz("verify", "--against-sources", "--config", configuration, "--root", root)

    assert "compared 2 source(s)" in result.stdout, result.stderr
    assert "0 gone" in result.stdout


# ------------------------------------------------------------------ the account of every record


def test_every_record_has_an_account_with_its_denominator(home: Home, asz: Asz, root: Path) -> None:
    transcript = home.transcript(S1).user("go", promptId="p1")
    transcript.assistant(use("t1", "Bash", command="ls")).result("t1")
    transcript.line({"type": "zebra", "stripes": 2}).line({"type": "mode", "mode": "plan"})
    transcript.raw("not json")
    asz("collect", "--once", "--root", root)

    result = asz("verify", "--coverage", "--root", root)

    assert result.exit_code == 0, result.stderr
    lines = [" ".join(line.split()) for line in result.stdout.splitlines()]
    start = lines.index(f"account of {S1}: 6 record(s)")
    assert lines[start + 1 : start + 5] == [
        "node 3 of 6",
        "unreadable 1 of 6",
        "metadata 2 of 6 (mode 1, zebra 1)",
        "accounted for 6 of 6 record(s) in 1 session(s)",
    ]


@pytest.mark.real_data
def test_every_real_record_has_an_account(real_data: Path, asz: Asz, tmp_path: Path) -> None:
    """R42: the numbers add up, and nothing is left over."""
    homes = [path for path in sorted(real_data.iterdir()) if (path / "projects").is_dir()]
    for home in homes:
        root = tmp_path / home.name
        collected = asz("collect", "--once", "--root", root, "--claude-home", home)
        records = re.search(r"records=(\d+)", collected.stdout)
        assert records
        result = asz("verify", "--coverage", "--root", root)
        assert result.exit_code == 0, (home.name, result.stdout)
        assert f"accounted for {records[1]} of {records[1]} record(s)" in result.stdout, home.name


def test_a_record_without_an_account_is_a_failure(
    home: Home,
    asz: Asz,
    root: Path,
    request: pytest.FixtureRequest,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """No known record is one, so the rules are taken away to see it said."""
    if request.config.getoption("--installed"):
        pytest.skip("the rules of an installed program stay")
    home.transcript(S1).user("hello", promptId="p1").line({"type": "zebra"})
    asz("collect", "--once", "--root", root)
    monkeypatch.setattr("sessionizer.assembly.coverage._LAST_RULES", ())

    result = asz("verify", "--coverage", "--root", root)

    assert result.exit_code == 1
    assert "without an account: landed file 1, row 2" in result.stdout
    assert "1 record(s) without an account" in result.stderr


def test_a_session_whose_records_can_not_be_read_has_no_account(
    home: Home, asz: Asz, root: Path
) -> None:
    home.transcript(S1).user("hello")
    home.transcript(S2).user("hello")
    asz("collect", "--once", "--root", root)
    shutil.rmtree(root / S1 / "index")
    (sd,) = (root / S1).rglob("*.sd")
    flip(sd, 300)

    result = asz("verify", "--coverage", "--root", root)

    assert result.exit_code == 1
    assert f"account of {S1}: its records can not be read" in result.stdout
    assert "accounted for 1 of 1 record(s) in 1 session(s)" in result.stdout
