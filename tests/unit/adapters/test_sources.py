from pathlib import Path

import pytest

from sessionizer.adapters.claude_code_local.sources import (
    AdapterConfig,
    SessionSources,
    list_sources,
    select_sessions,
)
from sessionizer.claude_code.discovery import MissingProjectsError, discover
from tests.build.home import Home

U = "33333333-3333-4333-8333-333333333333"
V = "44444444-4444-4444-8444-444444444444"
A = "a1111111111111111"


def select(home: Home, **more: tuple[str, ...]) -> tuple[SessionSources, ...]:
    config = AdapterConfig(source_root=home.projects, **more)  # type: ignore[arg-type]
    return select_sessions(discover(str(home.projects)), config).sessions


@pytest.fixture
def scattered(home: Home) -> Home:
    """P1: one session over four project directories, and things that are no sources."""
    home.file(f"projects/-p-one/{U}.jsonl", "{}\n")
    home.file(f"projects/-p-two/{U}/subagents/agent-{A}.jsonl", "{}\n")
    home.file(f"projects/-p-two/{U}/subagents/agent-{A}.meta.json", "{}")
    home.file(f"projects/-p-one/{U}/subagents/workflows/wf_x-1/journal.jsonl", "{}\n")
    home.file(f"projects/-p-one/{U}/workflows/wf_x-1.json", "{}")
    home.file(f"projects/-p-three/{U}/workflows/scripts/sweep-wf_x-1.js", "1")
    home.file(f"projects/-p-four/{V}/notes/x.txt", "x")
    home.file("projects/-p-one/memory/x.md", "x")
    home.file("projects/-p-one/notes.jsonl", "{}\n")
    home.file("projects/-p-one/sessions-index.json", "{}")
    home.file(f"projects/-p-one/{U}/workflows/scripts/sweep.js", "1")
    return home


def test_every_source_of_a_session_is_found_with_its_place(scattered: Home) -> None:
    """P1: grouped by session id over all project directories, by relative path."""
    (session,) = select(scattered)

    assert session.session == U
    assert session.directories == ("-p-one", "-p-three", "-p-two")
    found = [(each.src, each.kind, each.directory) for each in session.sources]
    assert found == [
        (f"-p-one/{U}.jsonl", "transcript", "streams/main"),
        (f"-p-one/{U}/subagents/workflows/wf_x-1/journal.jsonl", "journal", "runs/wf_x-1"),
        (f"-p-one/{U}/workflows/wf_x-1.json", "workflow_manifest", "runs/wf_x-1"),
        (f"-p-three/{U}/workflows/scripts/sweep-wf_x-1.js", "workflow_script", "runs/wf_x-1"),
        (f"-p-two/{U}/subagents/agent-{A}.jsonl", "transcript", f"streams/{A}"),
        (f"-p-two/{U}/subagents/agent-{A}.meta.json", "agent_meta", f"streams/{A}"),
    ]
    assert [each.stream for each in session.sources] == ["main", None, None, None, A, A]
    assert [each.batch for each in session.sources] == [None, *["wf_x-1"] * 3, None, None]


def test_the_listing_counts_each_kind(scattered: Home) -> None:
    """What `asz sources` shows: directories, transcripts, sidecars, journals, manifests."""
    report = list_sources(AdapterConfig(source_root=scattered.projects))
    (row,) = report.sessions

    assert (report.filtered, row.session, row.directories) == (0, U, 3)
    assert (row.streams, row.sidecars, row.journals, row.manifests) == (2, 1, 1, 1)


def test_a_filtered_session_is_counted_and_not_listed(scattered: Home) -> None:
    """Its primary directory decides for all its sources."""
    config = AdapterConfig(source_root=scattered.projects, exclude=("-p-one",))
    report = list_sources(config)

    assert (report.filtered, report.sessions) == (1, ())
    assert select(scattered, exclude=("-p-one",)) == ()
    assert len(select(scattered, exclude=("-p-two",))) == 1


def test_files_beside_the_projects_are_kept_under_their_class(home: Home) -> None:
    """Tool results, backups, todos and tasks; their place is made from the file's name."""
    home.file(f"projects/-p/{U}.jsonl", "{}\n")
    home.file(f"projects/-p/{U}/tool-results/b1.txt", "x")
    home.file(f"projects/-p/{U}/custom-title.json", "{}")
    home.file(f"file-history/{U}/ab@v2", "x")
    home.file(f"todos/{U}-agent-{U}.json", "[]")
    home.file(f"tasks/{U}/1.json", "{}")
    (session,) = select(home)

    kept = {each.src: (each.kind, each.directory, each.file_class) for each in session.sources}
    assert kept[f"-p/{U}/tool-results/b1.txt"] == (
        "file", "files/tool-results/b1.txt", "tool-results",
    )  # fmt: skip
    assert kept[f"-p/{U}/custom-title.json"] == ("session_title", "streams/main", None)
    assert kept[f"../file-history/{U}/ab@v2"] == (
        "file", "files/file-history/ab%40v2", "file-history",
    )  # fmt: skip
    assert kept[f"../todos/{U}-agent-{U}.json"] == (
        "file", f"files/todos/{U}-agent-{U}.json", "todos",
    )  # fmt: skip
    assert kept[f"../tasks/{U}/1.json"] == ("file", "files/tasks/1.json", "tasks")


def test_an_agent_of_the_runtime_is_internal(home: Home) -> None:
    """The dialect knows them by name; nobody above it has to."""
    home.file(f"projects/-p/{U}/subagents/agent-acompact-a94287.jsonl", "{}\n")
    home.file(f"projects/-p/{U}/subagents/agent-{A}.jsonl", "{}\n")
    (session,) = select(home)

    roles = {each.stream: each.role for each in session.sources}
    assert roles == {"acompact-a94287": "internal", A: None}


def test_a_missing_source_root_is_said_with_its_path(tmp_path: Path) -> None:
    """There is nothing to collect and nothing to list."""
    config = AdapterConfig(source_root=tmp_path / "nowhere")
    with pytest.raises(MissingProjectsError, match="nowhere"):
        list_sources(config)


def test_the_home_is_only_around_a_directory_named_projects(tmp_path: Path) -> None:
    """Elsewhere the parent holds files of somebody else."""
    assert AdapterConfig(source_root=tmp_path / "projects").home == tmp_path
    assert AdapterConfig(source_root=tmp_path / "other").home is None


def test_a_window_of_nothing_means_the_default() -> None:
    """0 or less."""
    assert AdapterConfig(source_root=Path(), max_delta_bytes=-1).window_bytes == 8 << 20
    assert AdapterConfig(source_root=Path(), max_delta_bytes=9).window_bytes == 9
