"""What a walk could not read: every command names it, counts it, and claims no absence."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.build.home import S1, S2, Home
from tests.conftest import Csift

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="POSIX files")

COMMANDS = (
    ("list",),
    ("search", "prompt"),
    ("search", "prompt", "-c"),
    ("search", "prompt", "-l"),
    ("search", "prompt", "--raw"),
    ("show", f"@{S1}", "--line", "1"),
    ("show", f"@{S1}", "--line", "1", "--raw"),
    ("show", f"@{S1}", "--branch-points"),
    ("stats",),
    ("verbatim", f"@{S1}"),
)
JSON = [(*words, "--format", "json") for words in COMMANDS if {"-l", "--raw"}.isdisjoint(words)]


@pytest.fixture
def broken(home: Home) -> Path:
    """A readable session, and a transcript that is a link to nothing."""
    home.transcript().user("an ordinary prompt")
    link = home.projects / "-work-other" / f"{S2}.jsonl"
    link.parent.mkdir()
    link.symlink_to("gone.jsonl")
    return link


@pytest.mark.parametrize("arguments", COMMANDS)
def test_every_command_names_it_once_and_fails(
    broken: Path, csift: Csift, arguments: tuple[str, ...]
) -> None:
    result = csift(*arguments)

    warning = f"csift: warning: could not read {broken}: broken link: No such file or directory\n"
    assert result.exit_code == 1
    assert result.stderr.count(warning) == 1
    assert result.stdout


@pytest.mark.usefixtures("broken")
@pytest.mark.parametrize("arguments", JSON)
def test_every_summary_counts_it(csift: Csift, arguments: tuple[str, ...]) -> None:
    (summary,) = csift(*arguments).rows("summary")

    assert summary["unreadable_sources"] == 1


@pytest.mark.usefixtures("broken")
def test_no_absence_is_definitive_then(csift: Csift) -> None:
    result = csift("search", "nosuchword", "-t", "user")
    (summary,) = csift("search", "nosuchword", "--format", "json").rows("summary")

    assert result.exit_code == 1
    assert "DEFINITIVE" not in result.stderr
    assert "genuinely absent in this scope" not in result.stderr
    assert "csift: 0 matches in what could be read; 1 source(s) could not" in result.stderr
    assert summary["definitive_absence"] is False


@pytest.mark.usefixtures("broken")
def test_an_empty_list_does_not_deny_what_it_could_not_read(csift: Csift) -> None:
    listed = csift("list", "--since", "2099-01-01")
    counted = csift("stats", "-work-other")

    assert listed.stdout == "no sessions found in what could be read\n"
    assert counted.stdout == "no sessions found in what could be read\n"


def test_a_target_that_names_nothing_is_told_with_it(broken: Path, csift: Csift) -> None:
    """The transcript that is looked for may be the one that could not be read."""
    result = csift("show", f"@{S2}", "--line", "1")

    assert result.exit_code == 1
    assert f"could not read {broken}" in result.stderr


def test_a_pipe_named_like_a_transcript_is_not_opened(home: Home, csift: Csift) -> None:
    home.transcript().user("an ordinary prompt")
    pipe = home.projects / "-work-other" / f"{S2}.jsonl"
    pipe.parent.mkdir()
    os.mkfifo(pipe)

    result = csift("search", "nosuchword")

    assert result.exit_code == 1
    assert f"could not read {pipe}: neither a file nor a directory" in result.stderr
    assert "DEFINITIVE" not in result.stderr


def test_a_transcript_that_belongs_to_no_session_is_named_and_no_failure(
    home: Home, csift: Csift
) -> None:
    """An agent may end before its first line: that must not fail every command after it."""
    home.transcript().user("an ordinary prompt")
    path = home.file("projects/-work-other/agent-a1b2c3d4e5f6a7b8c.jsonl")

    result = csift("search", "nosuchword")

    assert result.exit_code == 0
    assert f"could not read {path}: names no session" in result.stderr
    assert "DEFINITIVE" not in result.stderr


def powerless() -> list[str]:
    """What to put before a command so that permissions count for it, also when root tests."""
    if os.geteuid() != 0:
        return []
    if shutil.which("setpriv") is None:
        pytest.skip("root reads everything here")
    powers = "-dac_override,-dac_read_search"
    return ["setpriv", f"--bounding-set={powers}", f"--inh-caps={powers}"]


def test_a_closed_directory_is_named(home: Home) -> None:
    home.transcript().user("an ordinary prompt")
    closed = home.projects / "-closed"
    closed.mkdir(mode=0)
    command = [*powerless(), str(Path(sys.executable).with_name("csift")), "list"]

    ended = subprocess.run(command, capture_output=True, check=False, timeout=60)
    closed.chmod(0o700)

    assert ended.returncode == 1
    assert ended.stderr.decode() == (
        f"csift: warning: could not read {closed}: Permission denied\n"
    )
    assert ended.stdout.decode().startswith(f"SESSION  {S1}\n")
