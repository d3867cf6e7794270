"""The cache of `csift list` (R38): it may change how long an answer takes, and nothing else."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from sessionizer.transcripts.listing import CACHED_FILES
from sessionizer.transcripts.summary_cache import find_cache
from tests.build.home import Home
from tests.conftest import Csift

HOUR_NS = 3_600_000_000_000


def session(number: int) -> str:
    return f"aaaaaaaa-1111-4222-8333-{number:012}"


@pytest.fixture
def many(home: Home) -> Home:
    """So many sessions that the cache is used, none written just now."""
    for number in range(CACHED_FILES):
        age(home.transcript(session(number)).user(f"words {number:03}").path)
    return home


def age(path: Path) -> None:
    """As if the file had been written an hour ago."""
    stat = path.stat()
    os.utime(path, ns=(stat.st_atime_ns, stat.st_mtime_ns - HOUR_NS))


def cache_path() -> Path:
    found = find_cache(os.environ)
    assert found is not None
    return Path(found)


@pytest.mark.usefixtures("many")
def test_the_answer_is_the_same_with_and_without(csift: Csift) -> None:
    """Read, then remembered, then read again."""
    answers = [
        csift("list", "--format", "json", *flags).stdout for flags in ((), (), ("--no-cache",))
    ]

    assert answers[0] == answers[1] == answers[2]
    assert len(json.loads(cache_path().read_bytes())["rows"]) == CACHED_FILES


@pytest.mark.usefixtures("many")
def test_the_cache_is_private(csift: Csift) -> None:
    csift("list")

    assert cache_path().stat().st_mode & 0o777 == 0o600
    assert cache_path().parent.stat().st_mode & 0o777 == 0o700


def test_a_file_replaced_at_equal_size_is_read(many: Home, csift: Csift) -> None:
    csift("list")
    path = many.projects / "-work-demo" / f"{session(7)}.jsonl"
    stat = path.stat()
    path.write_bytes(path.read_bytes().replace(b"words 007", b"other 007"))
    os.utime(path, ns=(stat.st_atime_ns, stat.st_mtime_ns))  # only ctime tells

    assert "other 007" in csift("list").stdout


def test_a_file_that_was_just_written_is_not_remembered(many: Home, csift: Csift) -> None:
    """Within one step of its clock a file system shows two contents with one time."""
    many.transcript(session(3)).user("and more")
    csift("list")

    rows = json.loads(cache_path().read_bytes())["rows"]

    assert len(rows) == CACHED_FILES - 1


def test_files_that_are_gone_leave_the_cache(many: Home, csift: Csift) -> None:
    csift("list")
    for number in (1, 2):
        (many.projects / "-work-demo" / f"{session(number)}.jsonl").unlink()
    for number in range(100, 102):
        age(many.transcript(session(number)).user("new").path)
    csift("list")

    rows = json.loads(cache_path().read_bytes())["rows"]

    assert len(rows) == CACHED_FILES
    assert not any(session(1) in path for path in rows)


@pytest.mark.usefixtures("many")
@pytest.mark.parametrize(
    "body", [b"", b"\0\xff", b"[]", b'{"format":0}', b'{"format":1,"rows":[]}', b'{"format":1}']
)
def test_a_damaged_cache_is_no_cache(csift: Csift, body: bytes) -> None:
    fresh = csift("list", "--no-cache").stdout
    cache_path().parent.mkdir(parents=True, exist_ok=True)
    cache_path().write_bytes(body)

    assert csift("list").stdout == fresh


@pytest.mark.usefixtures("many")
def test_a_damaged_row_is_read_anew(csift: Csift) -> None:
    fresh = csift("list").stdout
    stored = json.loads(cache_path().read_bytes())
    for number, row in enumerate(stored["rows"].values()):
        row[1] = [None, {}, {"cwd": 1}, "x", {**row[1], "first_user": 5}][number % 5]
    cache_path().write_text(json.dumps(stored))

    assert csift("list").stdout == fresh


@pytest.mark.usefixtures("many")
def test_a_variable_turns_it_off(csift: Csift) -> None:
    csift("list", env={"SESSIONIZER_NO_CACHE": "1"})
    csift("list", "--no-cache")

    assert not cache_path().exists()


@pytest.mark.usefixtures("many")
def test_a_place_that_cannot_be_written_costs_nothing(csift: Csift, tmp_path: Path) -> None:
    blocked = tmp_path / "file"
    blocked.touch()

    assert csift("list", env={"XDG_CACHE_HOME": str(blocked)}).exit_code == 0


@pytest.mark.usefixtures("many")
def test_unchanged_files_need_no_decoder(csift: Csift) -> None:
    """Loading msgspec takes longer than the rest of such a start."""
    csift("list")
    program = (
        "import sys; from sessionizer.csift.main import main; main(['list']); "
        "sys.stderr.write(' '.join({'msgspec', 'typing', 'pathlib'} & set(sys.modules)))"
    )

    done = subprocess.run([sys.executable, "-c", program], capture_output=True, check=True)

    assert done.stderr == b""


def test_help_loads_nothing_of_the_search_side() -> None:
    program = (
        "import sys; from sessionizer.csift.main import main; main(['--help']); "
        "sys.stderr.write(' '.join(name for name in sys.modules if 'transcripts' in name))"
    )

    done = subprocess.run([sys.executable, "-c", program], capture_output=True, check=True)

    assert done.stderr == b""
