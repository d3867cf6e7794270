"""Streams that the caller closed before the start: the interpreter then has none at all."""

import subprocess
import sys
from pathlib import Path

import pytest

from tests.build.home import Home

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="a shell closes the streams")


def run_closed(command: str) -> subprocess.CompletedProcess[bytes]:
    """Run a line of shell in which `csift` is the installed program."""
    program = Path(sys.executable).with_name("csift")
    line = command.replace("csift", f"'{program}'", 1)
    return subprocess.run(["sh", "-c", line], capture_output=True, check=False, timeout=60)


@pytest.mark.parametrize("command", ["list", "search ''", "search '' --raw", "stats", "--help"])
def test_a_closed_output_is_a_reader_that_went_away(home: Home, command: str) -> None:
    home.transcript().user("a prompt")

    ended = run_closed(f"csift {command} >&-")

    assert ended.returncode == 0
    assert b"defect" not in ended.stderr
    assert b"Traceback" not in ended.stderr


def test_a_closed_error_output_hides_messages_and_nothing_else(home: Home) -> None:
    home.transcript().user("a prompt")

    wrong = run_closed("csift list @nosuchsession 2>&-")
    noted = run_closed("csift search nosuchword 2>&-")

    assert (wrong.returncode, wrong.stdout) == (1, b"")
    assert (noted.returncode, noted.stdout) == (0, b"no matching exchanges\n")


def test_with_both_closed_only_the_exit_code_is_left(home: Home) -> None:
    home.transcript().user("a prompt")

    assert run_closed("csift list >&- 2>&-").returncode == 0
    assert run_closed("csift list --nosuchflag >&- 2>&-").returncode == 2


def test_a_closed_input_cannot_hold_ids(home: Home) -> None:
    home.transcript().user("a prompt")

    ended = run_closed("csift list --sessions-from - <&-")

    assert (ended.returncode, ended.stdout) == (1, b"")
    assert ended.stderr == (
        b"csift: error: cannot read the list of sessions -: standard input is closed\n"
    )
