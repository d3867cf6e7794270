"""`asz doctor`: what will be deleted, and what of it is not kept."""

import os
import re
import time
from pathlib import Path

import pytest

from tests.build.home import AGENT, S1, S2, Home, txt
from tests.conftest import Asz

DAY = 86_400
ALL_KEPT = "everything on disk is kept"


@pytest.fixture
def root(tmp_path: Path) -> Path:
    return tmp_path / "root"


def age(path: Path, days: float) -> None:
    """Make a file's time so old, as a restored backup has it."""
    then = time.time() - days * DAY
    os.utime(path, (then, then))


def row_of(stdout: str, session: str) -> list[str]:
    """The cells of a session's row in the table."""
    (line,) = [line for line in stdout.splitlines() if line.startswith(f"{session}  ")]
    return re.split(r"  +", line)


def tree(*folders: Path) -> dict[Path, tuple[int, int]]:
    return {
        path: (path.stat().st_mtime_ns, path.stat().st_size)
        for folder in folders
        for path in [folder, *folder.rglob("*")]
    }


def test_the_collected_sample_is_kept_and_nothing_is_written(
    sample: Path, asz: Asz, root: Path
) -> None:
    asz("collect", "--once", "--root", root, "--claude-home", sample)
    before = tree(sample, root)

    result = asz("doctor", "--root", root, "--claude-home", sample)

    assert result.exit_code == 0, result.stderr
    assert ALL_KEPT in result.stdout.splitlines()
    assert re.search(r"^on disk +3 session\(s\), 38 file\(s\)", result.stdout, re.MULTILINE)
    assert "not kept  " not in result.stdout
    assert tree(sample, root) == before


@pytest.mark.real_data
def test_every_collected_real_home_is_kept(real_data: Path, asz: Asz, tmp_path: Path) -> None:
    homes = [path for path in sorted(real_data.iterdir()) if (path / "projects").is_dir()]
    for home in homes:
        root = tmp_path / home.name
        asz("collect", "--once", "--flush-tails", "--root", root, "--claude-home", home)
        result = asz("doctor", "--root", root, "--claude-home", home)
        assert ALL_KEPT in result.stdout.splitlines(), (home.name, result.stdout)


def test_before_the_first_pass_nothing_is_kept(home: Home, asz: Asz, root: Path) -> None:
    transcript = home.transcript(S1).user("hello")
    size = transcript.path.stat().st_size

    result = asz("doctor", "--root", root)

    assert result.exit_code == 0
    assert "does not exist yet: nothing is kept" in result.stdout
    assert f"  {S1}  1 file(s), {size}B (never collected: 1)" in result.stdout
    assert "1 file(s) on disk are not kept, or not whole" in result.stdout
    assert not root.exists()


def test_each_reason_why_a_file_is_not_kept_is_said(home: Home, asz: Asz, root: Path) -> None:
    """Growth, a new version, a new file, an unfinished line: counted by reason."""
    transcript = home.transcript(S1).user("hello")
    todo = home.file(f"todos/{S1}-agent-{S1}.json", "[]")
    history = home.file("history.jsonl", f'{{"sessionId":"{S1}","display":"a"}}\n')
    asz("collect", "--once", "--root", root)
    assert ALL_KEPT in asz("doctor", "--root", root).stdout

    transcript.user("more")
    todo.write_text("[1]")
    transcript.child(AGENT).raw("torn", newline=False)
    with history.open("a") as file:
        file.write(f'{{"sessionId":"{S1}","display":"b"}}\n')
    result = asz("doctor", "--root", root)

    assert "(grown since: 2, never collected: 1, rewritten since: 1)" in result.stdout
    assert ALL_KEPT not in result.stdout
    asz("collect", "--once", "--root", root, "--flush-tails")
    assert ALL_KEPT in asz("doctor", "--root", root).stdout


def test_a_touched_file_is_kept_all_the_same(home: Home, asz: Asz, root: Path) -> None:
    """A time proves nothing; the bytes are looked at."""
    transcript = home.transcript(S1).user("hello")
    meta = transcript.meta(AGENT, description="look").folder / "subagents"
    asz("collect", "--once", "--root", root)
    for path in (transcript.path, *meta.iterdir()):
        age(path, 3)

    assert ALL_KEPT in asz("doctor", "--root", root).stdout
    body = transcript.path.read_bytes()
    transcript.path.write_bytes(body.replace(b"hello", b"olleh"))
    assert "(rewritten: the digest of the bytes" in asz("doctor", "--root", root).stdout


def test_deleted_kept_bytes_are_not_called_kept(home: Home, asz: Asz, root: Path) -> None:
    """A cursor alone proves nothing."""
    home.transcript(S1).user("hello")
    asz("collect", "--once", "--root", root)
    (raw,) = root.rglob("*.raw.zst")
    raw.unlink()

    result = asz("doctor", "--root", root)

    assert "(its kept bytes are missing: 1)" in result.stdout


# ------------------------------------------------------------------ deletion


def test_the_file_decides_and_the_record_stands_beside_it(home: Home, asz: Asz, root: Path) -> None:
    """BR-76: a restored copy with an old time goes, though its last word is of today."""
    now = time.strftime("%Y-%m-%dT%H:%M:%S.000Z", time.gmtime())
    old = home.transcript(S1).user("today", at=now)
    home.transcript(S2).user("today", at=now)
    age(old.path, 40)

    result = asz("doctor", "--root", root)

    assert "deletion     1 file(s) are due now, 1 within 7 days" in result.stdout
    assert "1 session(s) are due by the time of a file though their last record" in result.stdout
    first, second = row_of(result.stdout, S1), row_of(result.stdout, S2)
    assert first[2] == "due now" and second[2] == "in 29 day(s)"
    assert first[4] == second[4] == now[:10]
    assert first[3] < second[3] == now[:10]
    assert result.stdout.index(S1) < result.stdout.index(S2)


def test_the_settings_say_how_long_files_stay(home: Home, asz: Asz, root: Path) -> None:
    transcript = home.transcript(S1).user("hello")
    age(transcript.path, 40)
    home.file("settings.json", '{"model":"x","cleanupPeriodDays":365}')

    result = asz("doctor", "--root", root)

    assert "not written for 365 days (cleanupPeriodDays) is deleted" in result.stdout
    assert row_of(result.stdout, S1)[2] == "in 324 day(s)"
    assert "0 file(s) are due now" in result.stdout


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("{not json", "settings.json is no JSON object"),
        ("[]", "settings.json is no JSON object"),
        ('{"cleanupPeriodDays":"soon"}', "cleanupPeriodDays is 'soon'"),
        ('{"cleanupPeriodDays":true}', "cleanupPeriodDays is True"),
        ('{"cleanupPeriodDays":-1}', "cleanupPeriodDays is -1"),
        ('{"cleanupPeriodDays":1e99}', "cleanupPeriodDays is 1e+99"),
    ],
)
def test_settings_that_can_not_be_followed_are_said(
    home: Home, asz: Asz, root: Path, text: str, said: str
) -> None:
    """The default is assumed, and not presented as stated."""
    home.transcript(S1).user("hello")
    home.file("settings.json", text)

    result = asz("doctor", "--root", root)

    assert result.exit_code == 0
    assert "not written for 30 days (the default; " in result.stdout
    assert said in result.stdout


def test_the_shared_history_is_not_deleted(home: Home, asz: Asz, root: Path) -> None:
    home.transcript(S1).user("hello")
    age(home.file("history.jsonl", f'{{"sessionId":"{S1}"}}\n'), 400)

    result = asz("doctor", "--root", root)

    assert "0 file(s) are due now" in result.stdout
    assert "2 file(s)" in result.stdout


def test_ten_sessions_are_listed_and_the_rest_is_counted(home: Home, asz: Asz, root: Path) -> None:
    for number in range(13):
        path = home.transcript(f"aaaaaaaa-1111-4222-8333-0000000001{number:02}").user("x").path
        age(path, number)

    lines = asz("doctor", "--root", root).stdout.splitlines()

    listed = [line[34:36] for line in lines if re.match(r"aaaaaaaa-\S+  \d{4}-", line)]
    assert listed == [f"{number:02}" for number in range(12, 2, -1)]
    assert "  ... and 3 more session(s), due later" in lines


# ------------------------------------------------------------------ the storage root


def test_gone_sources_and_waiting_conflicts_are_counted(home: Home, asz: Asz, root: Path) -> None:
    home.transcript(S1).user("hello").assistant(txt("hi"))
    vanished = home.transcript(S2).user("bye")
    asz("collect", "--once", "--root", root)
    vanished.path.unlink()
    path = home.transcript(S1).path
    path.write_bytes(path.read_bytes()[:-30])
    asz("collect", "--once", "--root", root, "--flush-tails")

    result = asz("doctor", "--root", root)

    assert "kept         2 session(s), 1 of them gone from disk; 1 source(s) gone" in result.stdout
    assert "conflicts    1 wait;" in result.stdout
    assert f"  {S1} -work-demo/{S1}.jsonl: truncated" in result.stdout
    assert ALL_KEPT in result.stdout


def test_a_refused_second_source_is_not_kept(home: Home, asz: Asz, root: Path) -> None:
    home.transcript(S1).user("one story")
    home.transcript(S1, project="-work-other").user("another story")
    asz("collect", "--once", "--root", root)

    result = asz("doctor", "--root", root)

    assert f"lands where -work-demo/{S1}.jsonl does, and is refused: 1" in result.stdout


def test_disk_use_adds_up(home: Home, asz: Asz, root: Path) -> None:
    home.transcript(S1).user("hello")
    asz("collect", "--once", "--root", root)
    asz("parse", "--root", root)
    files = [path for path in root.rglob("*") if path.is_file()]

    (line,) = [
        line
        for line in asz("doctor", "--root", root).stdout.splitlines()
        if line.startswith("disk use ")
    ]

    sizes = dict(re.findall(r"(raw|Session Data) (\d+)B", line))
    assert sizes == {
        name: str(sum(path.stat().st_size for path in files if path.suffix == suffix))
        for name, suffix in (("raw", ".zst"), ("Session Data", ".sd"))
    }
    assert f"in {len(files)} file(s)" in line


# ------------------------------------------------------------------ homes


def test_what_is_left_out_is_said(home: Home, asz: Asz, root: Path, tmp_path: Path) -> None:
    """An excluded session is not kept, and the last line does not hide it."""
    home.transcript(S1).user("keep")
    home.transcript(S2, project="-private").user("leave")
    configuration = tmp_path / "asz.yaml"
    configuration.write_text(
        f"adapters:\n- name: claude-code-local\n  source_root: {home.projects}\n"
        "  exclude: ['-private']\n"
    )
    asz("collect", "--once", "--config", configuration, "--root", root)

    result = asz("doctor", "--config", configuration, "--root", root)

    assert "excluded     1 session(s) by the configuration: not kept" in result.stdout
    assert f"{ALL_KEPT} but 1 excluded session(s)" in result.stdout


def test_a_file_without_a_session_is_not_kept(home: Home, asz: Asz, root: Path) -> None:
    home.transcript(S1).user("hello")
    home.file("projects/-work-demo/agent-lost.jsonl", "{}\n")
    asz("collect", "--once", "--root", root)

    result = asz("doctor", "--root", root)

    assert "unplaced     1 path(s) look like sources" in result.stdout
    assert "-work-demo/agent-lost.jsonl: " in result.stdout
    assert ALL_KEPT not in result.stdout


def test_other_homes_of_this_machine_are_named(
    home: Home, asz: Asz, root: Path, tmp_path: Path
) -> None:
    """CLAUDE_CONFIG_DIR with commas, and the XDG place."""
    home.transcript(S1).user("hello")
    second = Home(tmp_path / "second")
    second.transcript(S2).user("hello")
    xdg = Home(tmp_path / "config" / "claude")
    xdg.transcript(S2).user("hello")

    result = asz(
        "doctor",
        "--root",
        root,
        env={
            "CLAUDE_CONFIG_DIR": f"{home.path},{second.path}",
            "XDG_CONFIG_HOME": str(tmp_path / "config"),
        },
    )

    others = [line for line in result.stdout.splitlines() if line.startswith("other home")]
    assert [str(second.path) in others[0], str(xdg.path) in others[1]] == [True, True]
    assert len(others) == 2


def test_a_missing_home_is_said_and_the_root_is_still_described(
    home: Home, asz: Asz, root: Path
) -> None:
    home.transcript(S1).user("hello")
    asz("collect", "--once", "--root", root)

    result = asz("doctor", "--root", root, "--claude-home", home.path / "nowhere")

    assert result.exit_code == 0
    assert "problem      cannot read the projects directory" in result.stdout
    assert "kept         1 session(s)" in result.stdout
    assert "not known whether everything on disk is kept" in result.stdout
