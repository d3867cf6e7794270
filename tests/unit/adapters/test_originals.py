from pathlib import Path

from sessionizer.adapters.claude_code_local.originals import source_reader
from sessionizer.adapters.claude_code_local.sources import AdapterConfig
from sessionizer.landing.verify import SourceCheck, verify_against_sources
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
