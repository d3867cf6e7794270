"""Counting many files: one that cannot be read, and several processes."""

from pathlib import Path

from sessionizer.transcripts.counting import Asked
from sessionizer.transcripts.family import Families
from sessionizer.transcripts.files import Catalogue, TranscriptFile
from sessionizer.transcripts.statistics import count_files
from sessionizer.transcripts.when import Window
from tests.build.home import S1, S2, S3, Home, txt, usage


def transcript_file(path: Path) -> TranscriptFile:
    return TranscriptFile(
        path=str(path), session_id=path.stem, is_subagent=False, parent_session_id=path.stem
    )


def test_a_file_that_is_gone_is_reported_and_the_others_are_counted(
    home: Home, tmp_path: Path
) -> None:
    there = home.transcript().user("hi").path
    files = [transcript_file(tmp_path / "gone.jsonl"), transcript_file(there)]

    gone, counted = count_files(
        files, Families(Catalogue(tuple(files), {})), Asked(window=Window())
    )

    assert (gone.tally, gone.unreadable) == (None, "No such file or directory")
    assert counted.tally is not None
    assert counted.tally.lines == 1


def test_any_number_of_processes_counts_the_same(home: Home) -> None:
    for session in (S1, S2, S3):
        home.transcript(session).user("go").assistant(
            txt("hi"), usage=usage(5), stop="end_turn"
        ).raw("broken").line({"type": "cost-state", "totalCostUSD": 1})
    files = [transcript_file(home.transcript(session).path) for session in (S1, S2, S3)]
    families, asked = Families(Catalogue(tuple(files), {})), Asked(window=Window())

    assert count_files(files, families, asked, processes=3) == count_files(
        files, families, asked, processes=1
    )
