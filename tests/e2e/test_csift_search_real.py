"""`csift list` and `csift search` over real transcripts: facts counted by hand."""

from pathlib import Path

import pytest

from tests.conftest import Csift

pytestmark = pytest.mark.real_data

FORKS = "v2.1.2xx-fork-family"
OLDEST = "dcce4143-4609-43c5-a0e3-ea883f6c959b"


def run(csift: Csift, folder: Path, *arguments: str) -> list[dict[str, object]]:
    result = csift(*arguments, "--claude-home", folder, "--format", "json")
    assert result.exit_code == 0, result.stderr
    return result.rows()


def hits(csift: Csift, folder: Path, *arguments: str) -> list[dict[str, object]]:
    rows = run(csift, folder, "search", *arguments)
    return [hit for row in rows if row["kind"] == "exchange" for hit in row["hits"]]  # type: ignore[attr-defined]


def summary(csift: Csift, folder: Path, *arguments: str) -> dict[str, object]:
    return run(csift, folder, "search", *arguments)[-1]


def folders(real_data: Path) -> list[Path]:
    return sorted(path for path in real_data.iterdir() if (path / "projects").is_dir())


def test_a_sentence_that_stands_in_the_queue_only(csift: Csift, real_data: Path) -> None:
    """R20: and a bare `remove` after it hides nothing."""
    folder = real_data / "v2.1.39-queued-prompt-only"

    (hit,) = hits(csift, folder, "refreshing the page", "-t", "user")
    text = csift("search", "refreshing the page", "--claude-home", folder).stdout

    assert (hit["line"], hit["queue_outcome"]) == (20, "removed")
    assert "user.queued [enqueue · removed later]  L20" in text


def test_a_queued_prompt_that_came_back_is_found_once(csift: Csift, real_data: Path) -> None:
    """R20."""
    (hit,) = hits(csift, real_data / "v2.1.205-desktop-windows", "a file called nul", "-t", "user")

    assert (hit["label"], hit["line"]) == ("user.message", 5)


def test_progress_is_gated(csift: Csift, real_data: Path) -> None:
    """R15."""
    folder = real_data / "v2.1.39-subagents"
    wanted = ("", "-t", "harness.meta.progress", "--count-by", "label", "--no-subagents")

    assert summary(csift, folder, *wanted)["matched_records"] == 73
    labels = {label for hit in hits(csift, folder, "hook") for label in hit["labels"]}  # type: ignore[attr-defined]
    assert "harness.meta.progress" not in labels


def test_copies_inside_progress_are_no_records(csift: Csift, real_data: Path) -> None:
    """R16: 25 messages stand in the session's file too; the child has a file of its own."""
    folder = real_data / "v2.1.39-subagents"

    counted = summary(csift, folder, "", "@aac57f5", "--count-by", "session")
    (row,) = [
        row
        for row in run(csift, folder, "search", "", "--count-by", "session")
        if row.get("key") == "aac57f5"
    ]

    assert counted["matched_records"] == row["records"]


def test_short_ids_of_agents_are_targets(csift: Csift, real_data: Path) -> None:
    """R17."""
    folder = real_data / "v2.1.39-subagents"

    for target in ("@aac57f5", "@aac57", "@acompact-946d2b"):
        (row,) = [row for row in run(csift, folder, "list", target) if row["kind"] == "session"]
        assert row["is_subagent"] is True
    assert csift("list", "@side-nosuch", "--claude-home", folder).exit_code == 1


def test_agents_of_the_runtime_say_nothing_in_a_persons_name(csift: Csift, real_data: Path) -> None:
    """R18."""
    folder = real_data / "v2.1.29-internal-agents"

    assert hits(csift, folder, "", "@acompact-a94287", "-t", "user") == []
    rows = [row for row in run(csift, folder, "list") if row["kind"] == "session"]
    assert {(row["first_user"], row["last_user"]) for row in rows} == {(None, None)}


def test_a_summary_of_another_session_titles_nothing_here(csift: Csift, real_data: Path) -> None:
    """R23."""
    rows = run(csift, real_data / "v2.1.4-foreign-summary", "list")

    assert [row["title_source"] for row in rows if row["kind"] == "session"] == ["first-words"]


def test_a_family_of_forks_is_shown_once(csift: Csift, real_data: Path) -> None:
    """R26: three files hold the same records."""
    folder = real_data / FORKS
    rows = run(csift, folder, "search", "gradient-colored segments")
    (exchange,) = [row for row in rows if row["kind"] == "exchange"]
    sessions = csift("search", "gradient-colored segments", "-l", "--claude-home", folder)

    assert exchange["session_id"] == OLDEST
    assert rows[-1]["copies_folded"] == 2
    assert len(sessions.stdout.split()) == 3


def test_two_glued_records_are_two(csift: Csift, real_data: Path) -> None:
    """R13, R27: behind the record of line 128 stands a summary; line 131 repeats the record."""
    folder = real_data / "v2.1.12-glued-line"

    found = {hit["line"] for hit in hits(csift, folder, "")}

    assert 128 in found
    assert 131 not in found
    assert summary(csift, folder, "", "-t", "user")["recovered_records"] == 1


def test_every_sample_answers_and_loses_no_line(csift: Csift, real_data: Path) -> None:
    """Whatever the version: no crash, no line that could not be read."""
    for folder in folders(real_data):
        counted = summary(csift, folder, "")
        assert (counted["skipped_lines"], counted["unreadable_sources"]) == (0, 0), folder.name
        assert csift("list", "--claude-home", folder).exit_code == 0
        everything = summary(csift, folder, "", "-t", "user.*,agent.*,harness.*", "--attachments")
        assert everything["matched"] >= counted["matched"]  # type: ignore[operator]


def test_words_of_every_sample_are_found_with_and_without_the_filter(
    csift: Csift, real_data: Path
) -> None:
    """A class in the pattern leaves no needle, so that every line is decoded."""
    for folder in folders(real_data):
        for word in ("the", "error", "file", "src", "agent"):
            fast = summary(csift, folder, word, "--count-by", "label", "--copies")
            slow = summary(
                csift, folder, "".join(f"[{letter}]{{1,1}}" for letter in word), "--count-by",
                "label", "--copies",
            )  # fmt: skip
            assert fast["matched_records"] == slow["matched_records"], (folder.name, word)
