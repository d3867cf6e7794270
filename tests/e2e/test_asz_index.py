"""`asz index`: what is derived may be deleted, and comes back as it was."""

import shutil
import sys
from pathlib import Path

import pytest

from sessionizer.adapters.claude_code_local.deriving import CLAUDE_CODE
from sessionizer.index.session_index import Index, load_index
from sessionizer.landing.derive import Dialect
from sessionizer.landing.zone import Zone
from tests.build.home import S1, S2, Home, txt, use
from tests.conftest import Asz


@pytest.fixture
def root(tmp_path: Path) -> Path:
    return tmp_path / "root"


def session_data(root: Path) -> dict[str, bytes]:
    return {path.relative_to(root).as_posix(): path.read_bytes() for path in root.rglob("*.sd")}


def indexes(root: Path) -> dict[str, Index]:
    zone = Zone(root)
    return {
        session: load_index(zone, session)
        for session in zone.session_ids()
        if zone.highest_seq(session)
    }


def delete_what_is_derived(root: Path) -> None:
    for path in list(root.rglob("*.sd")):
        path.unlink()
    for directory in list(root.glob("*/index")):
        shutil.rmtree(directory)


def prove_rebuild(asz: Asz, root: Path) -> None:
    data, before = session_data(root), indexes(root)
    delete_what_is_derived(root)
    assert session_data(root) == {}

    rebuilt = asz("index", "--rebuild", "--root", root)

    assert rebuilt.exit_code == 0, rebuilt.stderr
    assert session_data(root) == data
    assert indexes(root) == before
    assert asz("verify", "--root", root).exit_code == 0


def test_sources_session_data_and_index_deleted_the_sample_comes_back(
    sample: Path, asz: Asz, root: Path
) -> None:
    """Kept bytes alone are enough: byte-identical Session Data, an equal index."""
    asz("collect", "--once", "--root", root, "--claude-home", sample)
    shutil.rmtree(sample)

    prove_rebuild(asz, root)


@pytest.mark.real_data
def test_every_real_home_comes_back(real_data: Path, asz: Asz, tmp_path: Path) -> None:
    homes = [path for path in sorted(real_data.iterdir()) if (path / "projects").is_dir()]
    assert len(homes) >= 15
    for home in homes:
        root = tmp_path / home.name
        asz("collect", "--once", "--root", root, "--claude-home", home)
        prove_rebuild(asz, root)


def test_half_a_surrogate_pair_gives_the_same_index_both_ways(
    home: Home, asz: Asz, root: Path
) -> None:
    """While collecting the source's own spelling is at hand, later a mended one."""
    transcript = home.transcript(S1).user("go", promptId="p1")
    transcript.attachment("queued_command", prompt="then HALF").queue("enqueue", "and HALF")
    transcript.queue("enqueue", "/HALF now").user("HALF", promptId="p2")
    transcript.assistant(use("t1", "Task", prompt="look at HALF"))
    body = transcript.path.read_bytes().replace(b"HALF", rb"a\ud800b")
    transcript.path.write_bytes(body)
    asz("collect", "--once", "--root", root)

    prove_rebuild(asz, root)


def test_a_rebuilt_session_is_collected_on_as_if_nothing_happened(
    home: Home, asz: Asz, root: Path
) -> None:
    """Cursors stay true, so nothing lands twice."""
    transcript = home.transcript(S1).user("first")
    asz("collect", "--once", "--root", root)
    delete_what_is_derived(root)
    asz("index", S1, "--rebuild", "--root", root)
    transcript.assistant(txt("second"))

    result = asz("collect", "--once", "--root", root)

    assert "records=1 " in result.stdout
    assert "errors=0" in result.stdout


def test_one_session_is_rebuilt_and_the_other_left(home: Home, asz: Asz, root: Path) -> None:
    home.transcript(S1).user("one")
    home.transcript(S2).user("two")
    asz("collect", "--once", "--root", root)
    delete_what_is_derived(root)

    result = asz("index", S1, "--rebuild", "--root", root)

    assert result.exit_code == 0, result.stderr
    assert result.stdout.splitlines()[1].startswith(S1)
    assert {path.partition("/")[0] for path in session_data(root)} == {S1}


def test_a_session_without_session_data_is_named_with_the_way_out(
    home: Home, asz: Asz, root: Path
) -> None:
    home.transcript(S1).user("one")
    home.transcript(S2).user("two")
    asz("collect", "--once", "--root", root)
    for path in (root / S1).rglob("*.sd"):
        path.unlink()
    shutil.rmtree(root / S1 / "index")

    result = asz("index", "--root", root)

    assert result.exit_code == 1
    assert S1 in result.stderr and "--rebuild" in result.stderr
    assert "1 session(s) not indexed" in result.stderr
    assert S2 in result.stdout


def test_a_newer_dialect_is_derived_beside_the_older(
    home: Home,
    asz: Asz,
    root: Path,
    request: pytest.FixtureRequest,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """R2. Landed files are never replaced; a session is read in one dialect, the newest."""
    if request.config.getoption("--installed"):
        pytest.skip("an installed program has one dialect")
    transcript = home.transcript(S1).user("one")
    asz("collect", "--once", "--root", root)
    transcript.user("two")
    asz("collect", "--once", "--root", root)
    before = session_data(root)
    newer = Dialect(name="claude-code/2", number=2, derive=CLAUDE_CODE.derive)
    monkeypatch.setattr("sessionizer.asz.commands.index.command.CLAUDE_CODE", newer)
    monkeypatch.setitem(Zone.__init__.__kwdefaults__, "known_dialect", 2)

    result = asz("index", "--rebuild", "--root", root)

    after = session_data(root)
    assert result.exit_code == 0, result.stderr
    assert {path: after[path] for path in before} == before
    assert sorted(after.keys() - before.keys()) == sorted(
        path.replace(".sd", ".d2.sd") for path in before
    )
    assert load_index(Zone(root), S1).dialect == "claude-code/2"
    assert asz("verify", "--root", root).exit_code == 0


def test_damaged_kept_bytes_stop_one_session_only(home: Home, asz: Asz, root: Path) -> None:
    """Nothing is invented for what can not be read."""
    home.transcript(S1).user("one")
    home.transcript(S2).user("two")
    asz("collect", "--once", "--root", root)
    delete_what_is_derived(root)
    (raw,) = (root / S1).rglob("*.raw.zst")
    raw.chmod(0o644)
    raw.write_bytes(raw.read_bytes()[:-20])

    result = asz("index", "--rebuild", "--root", root)

    assert result.exit_code == 1
    assert raw.name in result.stderr
    assert {path.partition("/")[0] for path in session_data(root)} == {S2}


@pytest.mark.skipif(sys.platform == "win32", reason="flock")
def test_a_session_that_is_being_collected_is_left_alone(home: Home, asz: Asz, root: Path) -> None:
    import fcntl

    home.transcript(S1).user("one")
    asz("collect", "--once", "--root", root)
    with (root / S1 / ".lock").open("r+") as held:
        fcntl.flock(held, fcntl.LOCK_EX | fcntl.LOCK_NB)
        result = asz("index", "--rebuild", "--root", root)

    assert result.exit_code == 1
    assert "locked by another process" in result.stderr


def test_details_count_what_the_records_are_made_of(home: Home, asz: Asz, root: Path) -> None:
    transcript = home.transcript(S1).user("go", promptId="p1")
    transcript.assistant(use("t1", "Bash", command="ls"), call="m1")
    transcript.assistant(use("t2", "Bash", command="pwd"), call="m1").result("t1")
    asz("collect", "--once", "--root", root)

    lines = asz("index", S1, "--root", root).stdout.splitlines()

    assert "total: 4 entries, 4 joinable blocks" in lines
    assert "tool_use blocks: 2, tool_result blocks: 1" in lines
    assert "provider calls: 1 distinct message ids over 2 fragment records (mean 2.00)" in lines
    assert "identity coverage: uuid=4 run=1 of 4 entries" in lines
    assert "       2  Bash" in lines
