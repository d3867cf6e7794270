"""`asz collect` and `asz sources` on built homes."""

import os
import re
import signal
import stat
import subprocess
import sys
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path

import pytest
import zstandard

from tests.build.home import AGENT, S1, S2, Home, txt
from tests.conftest import Asz

SESSION_SAMPLE = "5f0c8a52-7d1e-4b39-9c64-2a8e31d0b7f4"


def counters(line: str) -> dict[str, str]:
    return dict(re.findall(r"(\w+)=(\S+)", line))


def kept_bytes(root: Path, session: str, directory: str, prefix: str) -> bytes:
    """Every delta of one source in sequence order, decompressed and joined."""
    files = sorted(
        (root / session / directory).glob(f"{prefix}-*.raw.zst"),
        key=lambda path: int(path.name.removesuffix(".raw.zst").rpartition("-")[2]),
    )
    return b"".join(zstandard.ZstdDecompressor().decompress(path.read_bytes()) for path in files)


@pytest.fixture
def root(tmp_path: Path) -> Path:
    return tmp_path / "root"


def test_the_second_pass_lands_nothing(home: Home, asz: Asz, root: Path) -> None:
    """A pass that finds nothing new takes no sequence number and writes no file."""
    home.transcript(S1).user("hello").assistant(txt("hi"))

    first = asz("collect", "--once", "--root", root)
    before = sorted(str(path) for path in root.rglob("*"))
    second = asz("collect", "--once", "--root", root)

    assert first.exit_code == second.exit_code == 0
    assert counters(first.stdout)["landed"] == "1"
    assert counters(first.stdout)["records"] == "2"
    assert counters(second.stdout)["landed"] == "0"
    assert sorted(str(path) for path in root.rglob("*")) == before


def test_growth_is_kept_byte_for_byte(home: Home, asz: Asz, root: Path) -> None:
    """Deltas of one source, joined in sequence order, are the source."""
    transcript = home.transcript(S1).user("first")
    asz("collect", "--once", "--root", root)
    transcript.assistant(txt("second")).raw(b"\r").raw(b"not json \xff")
    asz("collect", "--once", "--root", root)

    assert kept_bytes(root, S1, "streams/main", "transcript") == transcript.path.read_bytes()


def test_every_file_of_the_sample_is_kept(sample: Path, asz: Asz, root: Path) -> None:
    """Nothing of a whole home is left behind but what is said to be."""
    result = asz("collect", "--once", "--root", root, "--claude-home", sample)
    checked = asz("verify", "--root", root)

    assert result.exit_code == 0, result.stderr
    assert counters(result.stdout)["errors"] == "0"
    assert checked.exit_code == 0, checked.stdout
    project = sample / "projects" / "-home-dev-tidebook"
    main = project / f"{SESSION_SAMPLE}.jsonl"
    assert kept_bytes(root, SESSION_SAMPLE, "streams/main", "transcript") == main.read_bytes()
    children = sorted(project.rglob("agent-*.jsonl"))
    assert len(children) == 5
    for child in children:
        stream = child.stem.removeprefix("agent-")
        kept = kept_bytes(root, SESSION_SAMPLE, f"streams/{stream}", "transcript")
        assert kept == child.read_bytes(), child


@pytest.mark.real_data
def test_every_real_transcript_is_kept(real_data: Path, asz: Asz, tmp_path: Path) -> None:
    """Each real source is the join of its deltas and, unterminated, its tail; twice is once."""
    homes = [path for path in sorted(real_data.iterdir()) if (path / "projects").is_dir()]
    assert len(homes) >= 15
    for home in homes:
        root = tmp_path / home.name
        first = asz("collect", "--once", "--root", root, "--claude-home", home)
        second = asz("collect", "--once", "--root", root, "--claude-home", home)
        assert first.exit_code == 0, first.stderr
        assert counters(second.stdout)["landed"] == "0", home.name
        for source in home.glob("projects/*/*.jsonl"):
            kept = kept_bytes(root, source.stem, "streams/main", "transcript")
            tail = kept_bytes(root, source.stem, "streams/main", "tail")
            assert kept + tail == source.read_bytes(), source


@pytest.mark.skipif(sys.platform == "win32", reason="no mode bits")
def test_what_is_kept_is_private_and_write_once(home: Home, asz: Asz, root: Path) -> None:
    """Transcripts hold secrets: directories 0700, state 0600, published files 0444."""
    home.transcript(S1).user("hello")
    asz("collect", "--once", "--root", root)
    asz("parse", "--root", root)

    for path in [root, *root.rglob("*")]:
        mode = stat.S_IMODE(path.stat().st_mode)
        published = path.suffix in (".sd", ".zst", ".sf")
        expected = 0o700 if path.is_dir() else 0o444 if published else 0o600
        assert mode == expected, (path, oct(mode))


def test_a_missing_home_is_one_line_with_the_way_out(asz: Asz, root: Path, tmp_path: Path) -> None:
    result = asz("collect", "--once", "--root", root, "--claude-home", tmp_path / "nowhere")

    assert result.exit_code == 1
    assert result.stderr.count("\n") == 1
    assert str(tmp_path / "nowhere") in result.stderr
    assert not root.exists()


def test_an_empty_home_is_no_error(home: Home, asz: Asz, root: Path) -> None:
    home.projects.mkdir(parents=True, exist_ok=True)

    result = asz("collect", "--once", "--root", root)

    assert result.exit_code == 0, result.stderr
    assert counters(result.stdout)["sessions"] == "0"


def test_a_conflict_is_reported_until_it_is_looked_at(home: Home, asz: Asz, root: Path) -> None:
    """A source that is rewritten behind the cursor is never joined silently."""
    transcript = home.transcript(S1).user("first").user("second")
    asz("collect", "--once", "--root", root)
    transcript.path.write_bytes(transcript.path.read_bytes()[:40])

    for _ in range(2):
        result = asz("collect", "--once", "--root", root)
        assert result.exit_code == 1
        assert counters(result.stdout)["conflicts"] == "1"
        assert "truncated" in result.stderr
        assert "pass incomplete" in result.stderr


def test_an_accepted_conflict_is_not_named_again(home: Home, asz: Asz, root: Path) -> None:
    """A person looked at it: what was kept stays, the new bytes stand beside it."""
    transcript = home.transcript(S1).user("first").user("second")
    body = transcript.path.read_bytes()
    asz("collect", "--once", "--root", root)
    transcript.path.write_bytes(body[: body.index(b"\n") + 1])
    assert asz("collect", "--once", "--root", root).exit_code == 1

    accepted = asz("collect", "--once", "--root", root, "--accept-conflict")
    after = asz("collect", "--once", "--root", root)

    assert accepted.exit_code == after.exit_code == 0, accepted.stderr
    assert f"accepted: {S1} -work-demo/{S1}.jsonl: truncated" in accepted.stdout
    assert counters(after.stdout)["conflicts"] == "0"
    assert kept_bytes(root, S1, "streams/main", "transcript") == body
    assert kept_bytes(root, S1, "streams/main@2", "transcript") == transcript.path.read_bytes()


def test_conflicts_of_one_session_are_accepted_alone(home: Home, asz: Asz, root: Path) -> None:
    for session in (S1, S2):
        home.transcript(session).user("first").user("second")
    asz("collect", "--once", "--root", root)
    for session in (S1, S2):
        path = home.transcript(session).path
        path.write_bytes(path.read_bytes()[:-40])
    asz("collect", "--once", "--root", root)

    result = asz("collect", "--once", "--root", root, f"--accept-conflict={S1}")

    assert result.exit_code == 1
    assert counters(result.stdout)["conflicts"] == "1"
    assert f"accepted: {S1} " in result.stdout
    assert f"{S2}.jsonl: truncated" in result.stderr
    assert f"{S1}.jsonl" not in result.stderr


def test_a_conflict_that_nobody_saw_is_not_accepted(home: Home, asz: Asz, root: Path) -> None:
    """The flag accepts what waited before the pass, not what the pass finds."""
    transcript = home.transcript(S1).user("first").user("second")
    asz("collect", "--once", "--root", root)
    transcript.path.write_bytes(transcript.path.read_bytes()[:-40])

    result = asz("collect", "--once", "--root", root, "--accept-conflict")

    assert result.exit_code == 1
    assert "truncated" in result.stderr
    assert "accepted" not in result.stdout


def test_a_refused_second_source_is_kept_once_it_is_accepted(
    home: Home, asz: Asz, root: Path
) -> None:
    """R10: two transcripts of one session are never interleaved, and never merged unasked."""
    first = home.transcript(S1).user("one story")
    second = home.transcript(S1, project="-work-other").user("another story")
    refused = asz("collect", "--once", "--root", root)
    accepted = asz("collect", "--once", "--root", root, f"--accept-conflict={S1}")
    after = asz("collect", "--once", "--root", root)

    assert (refused.exit_code, accepted.exit_code, after.exit_code) == (1, 0, 0)
    assert "refusing to interleave" in refused.stderr
    assert kept_bytes(root, S1, "streams/main", "transcript") == first.path.read_bytes()
    assert kept_bytes(root, S1, "streams/main@2", "transcript") == second.path.read_bytes()


def test_a_session_that_is_not_kept_has_nothing_to_accept(home: Home, asz: Asz, root: Path) -> None:
    home.transcript(S1).user("hello")

    result = asz("collect", "--once", "--root", root, f"--accept-conflict={S2}")

    assert result.exit_code == 1
    assert f"'{S2}'" in result.stderr
    assert not root.exists()


# ------------------------------------------------------------------ several homes


def write_configuration(path: Path, *homes: Home, mode: str = "watch") -> Path:
    path.write_text(
        "adapters:\n"
        + "".join(
            f"- name: claude-code-local\n  source_root: {home.projects}\n"
            f"  collector: {{mode: {mode}}}\n"
            for home in homes
        )
    )
    return path


def test_a_session_of_one_home_is_not_gone_from_the_other(
    home: Home, asz: Asz, root: Path, tmp_path: Path
) -> None:
    """Each home is asked for its own sessions only."""
    other = Home(tmp_path / "other")
    home.transcript(S1).user("here")
    other.transcript(S2).user("there")
    configuration = write_configuration(tmp_path / "asz.yaml", home, other)
    asz("collect", "--once", "--config", configuration, "--root", root)
    before = {path: path.read_bytes() for path in root.rglob("*.cursor")}

    again = asz("collect", "--once", "--config", configuration, "--root", root)

    lines = [line for line in again.stdout.splitlines() if line.startswith("[")]
    assert [(counters(line)["sessions"], counters(line)["gone"]) for line in lines] == [
        ("1", "0"),
        ("1", "0"),
    ]
    assert {path: path.read_bytes() for path in root.rglob("*.cursor")} == before


def test_a_session_that_two_homes_have_is_read_from_the_first(
    home: Home, asz: Asz, root: Path, tmp_path: Path
) -> None:
    """An old copy of a home beside the living one would contradict it in every pass."""
    backup = Home(tmp_path / "backup")
    transcript = home.transcript(S1).user("first")
    backup.transcript(S1).path.write_bytes(transcript.path.read_bytes())
    transcript.user("second")
    configuration = write_configuration(tmp_path / "asz.yaml", home, backup)

    for _ in range(2):
        result = asz("collect", "--once", "--config", configuration, "--root", root)
        assert result.exit_code == 0, result.stderr
        assert result.stdout.count(" elsewhere=1 ") == 1

    assert kept_bytes(root, S1, "streams/main", "transcript") == transcript.path.read_bytes()


def test_a_home_that_is_missing_does_not_stop_the_others(
    home: Home, asz: Asz, root: Path, tmp_path: Path
) -> None:
    missing = Home(tmp_path / "unplugged")
    home.transcript(S1).user("here")
    configuration = write_configuration(tmp_path / "asz.yaml", missing, home)

    result = asz("collect", "--once", "--config", configuration, "--root", root)

    assert result.exit_code == 1
    assert str(missing.projects) in result.stderr
    assert kept_bytes(root, S1, "streams/main", "transcript")


def test_a_configured_single_pass_fails_like_an_asked_one(
    home: Home, asz: Asz, root: Path, tmp_path: Path
) -> None:
    """`mode: once` is for timers, which look at the exit code."""
    configuration = write_configuration(tmp_path / "asz.yaml", home, mode="once")
    transcript = home.transcript(S1).user("first").user("second")
    assert asz("collect", "--config", configuration, "--root", root).exit_code == 0
    transcript.path.write_bytes(transcript.path.read_bytes()[:-40])

    result = asz("collect", "--config", configuration, "--root", root)

    assert result.exit_code == 1
    assert "pass incomplete" in result.stderr


# ------------------------------------------------------------------ watching


@pytest.mark.skipif(sys.platform == "win32", reason="no SIGINT for a child")
def test_a_watch_outlives_a_home_that_goes_away_for_a_while(
    home: Home, root: Path, tmp_path: Path
) -> None:
    """A disk is unplugged and comes back; ctrl-c ends in good order."""
    transcript = home.transcript(S1).user("first")
    configuration = tmp_path / "asz.yaml"
    configuration.write_text(
        f"adapters:\n- name: claude-code-local\n  source_root: {home.projects}\n"
        "  collector: {interval: 100ms}\n"
    )
    command = [Path(sys.executable).with_name("asz"), "collect", "--config", configuration]
    away = tmp_path / "away"
    with subprocess.Popen(
        [*command, "--root", root], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
    ) as process:
        assert process.stdout is not None
        lines = process.stdout
        wait_for(lines, "landed=1 ")
        home.projects.rename(away)
        wait_for(lines, "  error: cannot read the projects directory")
        away.rename(home.projects)
        transcript.user("second")
        wait_for(lines, "landed=1 ")
        process.send_signal(signal.SIGINT)
        rest = lines.read()

    assert process.returncode == 0, rest
    assert kept_bytes(root, S1, "streams/main", "transcript") == transcript.path.read_bytes()


def wait_for(lines: Iterable[str], text: str) -> None:
    for line in lines:
        if text in line:
            return
    raise AssertionError(f"the program ended before it said {text!r}")


# ------------------------------------------------------------------ a terminal


@pytest.mark.skipif(sys.platform == "win32", reason="no pseudo-terminal")
def test_a_long_pass_says_how_far_it_is_on_a_terminal(home: Home, root: Path, asz: Asz) -> None:
    """And takes the line away again; what is not a terminal never sees it."""
    import pty

    for number in range(20):
        home.transcript(f"aaaaaaaa-1111-4222-8333-0000000001{number:02}").user("hello")
    piped = asz("collect", "--once", "--root", root)
    script = (
        "import sys, sessionizer.cli.progress as progress\n"
        "progress.DELAY_SECONDS = 0\n"
        "from sessionizer.asz.main import main\n"
        f"sys.exit(main(['collect', '--once', '--root', {str(root / 'again')!r}]))\n"
    )
    ours, theirs = pty.openpty()
    with subprocess.Popen([sys.executable, "-c", script], stdout=theirs) as process:
        os.close(theirs)
        shown = b""
        # Linux ends a terminal without a writer with an error.
        with suppress(OSError):
            while piece := os.read(ours, 65_536):
                shown += piece
    os.close(ours)

    assert process.returncode == 0
    assert b"\rcollecting: 0 of 20 session(s), 0B kept" in shown
    assert re.search(rb"\r +\r\[\d\d:", shown)
    assert "\r" not in piped.stdout
    assert "collecting:" not in piped.stdout


def test_a_vanished_source_is_gone_not_lost(home: Home, asz: Asz, root: Path) -> None:
    transcript = home.transcript(S1).user("keep me")
    body = transcript.path.read_bytes()
    asz("collect", "--once", "--root", root)
    transcript.path.unlink()

    result = asz("collect", "--once", "--root", root)

    assert result.exit_code == 0, result.stderr
    assert counters(result.stdout)["gone"] == "1"
    assert kept_bytes(root, S1, "streams/main", "transcript") == body


def test_sources_lists_what_would_be_collected(home: Home, asz: Asz) -> None:
    transcript = home.transcript(S1).user("hello")
    transcript.child(AGENT).user("look")
    transcript.meta(AGENT, description="Look around")
    home.file("projects/-work-demo/agent-lost.jsonl", "{}\n")

    result = asz("sources")

    assert result.exit_code == 0
    assert re.search(rf"{S1} +1 +2 +1 +0 +0", result.stdout)
    assert "1 sessions, 2 streams" in result.stdout
    assert "agent-lost.jsonl" in result.stdout


def test_one_dash_is_told_the_right_spelling(asz: Asz) -> None:
    result = asz("collect", "-once")

    assert result.exit_code == 2
    assert "--once" in result.stderr
