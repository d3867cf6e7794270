"""`asz collect` and `asz sources` on built homes."""

import re
import stat
import sys
from pathlib import Path

import pytest
import zstandard
from tests.build.home import AGENT, S1, Home, txt
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
