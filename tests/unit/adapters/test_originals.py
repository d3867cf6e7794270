import os
import sys
from pathlib import Path

import pytest

from sessionizer.adapters.claude_code_local.originals import source_reader
from sessionizer.adapters.claude_code_local.sources import AdapterConfig
from sessionizer.landing.verify_sources import SourceCheck, verify_against_sources
from tests.build.collecting import Archive
from tests.build.home import S1, S2, Home


def check(archive: Archive) -> SourceCheck:
    reader = source_reader(AdapterConfig(source_root=archive.projects))
    return verify_against_sources(archive.zone, S1, reader)


def test_everything_that_was_collected_equals_its_source(home: Home, tmp_path: Path) -> None:
    """Transcripts with their tail, snapshots, files, and the lines of the history."""
    archive = Archive(home.projects, tmp_path / "root")
    transcript = home.file(f"projects/-p/{S1}.jsonl", 'aa\n{"last":1}')
    home.file(f"projects/-p/{S1}/custom-title.json", '{"customTitle":"x"}\n')
    home.file(f"file-history/{S1}/ab@v1", b"\x00\n")
    history = home.file("history.jsonl", f'{{"sessionId":"{S2}"}}\n{{"sessionId":"{S1}"}}\n')
    archive.collect()

    assert check(archive) == SourceCheck(compared=4, gone=0, not_yet_kept=(), problems=())

    transcript.write_bytes(b'aa\n{"last":1}\nmore')
    history.unlink()
    later = check(archive)
    assert later.not_yet_kept == ((f"-p/{S1}.jsonl", len('{"last":1}\nmore')),)
    assert (later.gone, later.problems) == (1, ())


def test_a_source_that_was_rewritten_is_a_problem(home: Home, tmp_path: Path) -> None:
    """Until the next pass keeps what it has become."""
    archive = Archive(home.projects, tmp_path / "root")
    path = home.file(f"projects/-p/{S1}.jsonl", "aa\n")
    archive.collect()
    path.write_bytes(b"bb\n")

    (problem,) = check(archive).problems
    assert f"-p/{S1}.jsonl" in problem
    archive.collect()
    assert check(archive).problems == ()


@pytest.mark.skipif(sys.platform in ("win32", "darwin"), reason="names are text there")
def test_a_name_that_is_no_text_is_found_again(home: Home, tmp_path: Path) -> None:
    r"""A header spells the byte as `\xff`; a name that really has a backslash stays itself."""
    archive = Archive(home.projects, tmp_path / "root")
    home.file(f"projects/-p/{S1}.jsonl", "aa\n")
    folder = home.projects / "-p" / S1 / "tool-results"
    folder.mkdir(parents=True)
    for name in (b"odd-\xff.txt", rb"plain-\x41.txt", rb"plain-\xff.txt"):
        (folder / os.fsdecode(name)).write_bytes(name)
    archive.collect()

    assert check(archive) == SourceCheck(compared=4, gone=0, not_yet_kept=(), problems=())


def test_a_link_out_of_the_home_is_no_source(home: Home, tmp_path: Path) -> None:
    """What was planted since is not read; what was kept is gone."""
    archive = Archive(home.projects, tmp_path / "root")
    path = home.file(f"projects/-p/{S1}.jsonl", "aa\n")
    archive.collect()
    outside = tmp_path / "outside.jsonl"
    outside.write_bytes(b"aa\n")
    path.unlink()
    path.symlink_to(outside)

    assert check(archive) == SourceCheck(compared=0, gone=1, not_yet_kept=(), problems=())
