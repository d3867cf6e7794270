"""What a walk over a home finds, and what it says about the rest."""

import os
from pathlib import Path

import pytest

from sessionizer.claude_code.discovery import (
    Discovery,
    FoundSession,
    MissingProjectsError,
    Unplaced,
    discover,
    find_plans,
    is_agent_id,
    is_notified_agent_id,
    is_session_id,
)

U = "33333333-3333-4333-8333-333333333333"
V = "44444444-4444-4444-8444-444444444444"
A = "a1111111111111111"


def plant(home: Path, *names: str) -> None:
    for name in names:
        path = home / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(b"{}\n")


def walk(home: Path) -> Discovery:
    return discover(str(home / "projects"))


def list_files(session: FoundSession) -> list[tuple[str, str, str | None, str | None, str]]:
    return [
        (file.kind, file.relative, file.agent, file.batch, file.layout) for file in session.files
    ]


def test_files_are_grouped_by_session_over_all_project_directories(tmp_path: Path) -> None:
    """P1: about one session in nine has children that ran elsewhere."""
    plant(
        tmp_path,
        f"projects/-p-one/{U}.jsonl",
        f"projects/-p-two/{U}/subagents/agent-{A}.jsonl",
        f"projects/-p-two/{U}/subagents/agent-{A}.meta.json",
        f"projects/-p-one/{U}/subagents/workflows/wf_x-1/journal.jsonl",
        f"projects/-p-one/{U}/subagents/workflows/wf_x-1/agent-a2.jsonl",
        f"projects/-p-one/{U}/subagents/workflows/wf_x-1/agent-a2.meta.json",
        f"projects/-p-one/{U}/workflows/wf_x-1.json",
        f"projects/-p-three/{U}/workflows/scripts/sweep-wf_x-1.js",
        f"projects/-p-four/{V}/notes/x.txt",
        "projects/-p-one/memory/MEMORY.md",
        "projects/-p-one/notes.jsonl",
        "projects/-p-one/sessions-index.json",
        f"projects/-p-one/{U}/workflows/scripts/sweep.js",
    )

    found = walk(tmp_path)

    (session,) = found.sessions
    assert (session.session, session.primary) == (U, "-p-one")
    assert session.projects == ("-p-one", "-p-three", "-p-two")
    below = f"-p-one/{U}/subagents/workflows/wf_x-1"
    assert list_files(session) == [
        ("main", f"-p-one/{U}.jsonl", None, None, ""),
        ("child", f"{below}/agent-a2.jsonl", "a2", "wf_x-1", "workflow"),
        ("child_meta", f"{below}/agent-a2.meta.json", "a2", "wf_x-1", "workflow"),
        ("journal", f"{below}/journal.jsonl", None, "wf_x-1", ""),
        ("manifest", f"-p-one/{U}/workflows/wf_x-1.json", None, "wf_x-1", ""),
        ("script", f"-p-three/{U}/workflows/scripts/sweep-wf_x-1.js", None, "wf_x-1", ""),
        ("child", f"-p-two/{U}/subagents/agent-{A}.jsonl", A, None, "subagents"),
        ("child_meta", f"-p-two/{U}/subagents/agent-{A}.meta.json", A, None, "subagents"),
    ]
    assert session.files[0].path == str(tmp_path / "projects" / "-p-one" / f"{U}.jsonl")
    assert session.files[0].project == "-p-one"
    assert (found.unplaced, found.unreadable) == ((), ())


def test_a_session_without_its_main_transcript_is_found(tmp_path: Path) -> None:
    """BR-26: its agents and tokens count."""
    plant(tmp_path, f"projects/-w/{U}/subagents/agent-{A}.jsonl")

    (session,) = walk(tmp_path).sessions

    assert (session.session, session.primary, session.projects) == (U, None, ("-w",))


def test_a_main_transcript_in_two_projects_is_listed_twice(tmp_path: Path) -> None:
    """Nothing is chosen here; who reads decides."""
    plant(tmp_path, f"projects/-b/{U}.jsonl", f"projects/-a/{U}.jsonl")

    (session,) = walk(tmp_path).sessions

    assert session.primary == "-a"
    assert [file.relative for file in session.files] == [f"-a/{U}.jsonl", f"-b/{U}.jsonl"]


def test_ids_of_either_case_are_different_sessions(tmp_path: Path) -> None:
    upper, lower = V.replace("4444-8", "4444-A"), V.replace("4444-8", "4444-a")
    plant(tmp_path, f"projects/-w/{upper}.jsonl", f"projects/-x/{lower}.jsonl")

    assert [session.session for session in walk(tmp_path).sessions] == [upper, lower]


@pytest.mark.parametrize(
    ("name", "batch"),
    [
        ("sweep-wf_x-1.js", "wf_x-1"),
        ("a-wf_b-wf_c1-9.js", "wf_c1-9"),
        ("wf_x-1.js", None),
        ("sweep-wf_.js", None),
        ("sweep-wf_-x.js", None),
        ("sweep-wf_x-1.ts", None),
    ],
)
def test_a_script_names_its_run_at_the_end(tmp_path: Path, name: str, batch: str | None) -> None:
    plant(tmp_path, f"projects/-w/{U}.jsonl", f"projects/-w/{U}/workflows/scripts/{name}")

    (session,) = walk(tmp_path).sessions

    assert [file.batch for file in session.files if file.kind == "script"] == (
        [batch] if batch else []
    )


def test_an_agent_beside_the_sessions_belongs_to_the_one_it_names(tmp_path: Path) -> None:
    """Layout of 1.0 to 2.0: `agent-<8 hex>.jsonl` next to the sessions."""
    plant(tmp_path, f"projects/-w/{U}.jsonl", "projects/-w/agent-0a1b2c3d.meta.json")
    (tmp_path / "projects/-w/agent-0a1b2c3d.jsonl").write_text(
        '{"type":"summary"}\n{"type":"user","sessionId" : "' + U + '"}\n'
    )

    found = walk(tmp_path)

    (session,) = found.sessions
    assert list_files(session)[1:] == [
        ("child", "-w/agent-0a1b2c3d.jsonl", "0a1b2c3d", None, "beside"),
        ("child_meta", "-w/agent-0a1b2c3d.meta.json", "0a1b2c3d", None, "beside"),
    ]
    assert found.unplaced == ()


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        ("{}\n", "names no session"),
        ('{"sessionId":"s1"}\n', "no session id"),
        ('{"a":"' + "x" * 65_536 + f'","sessionId":"{U}"}}\n', "names no session"),
    ],
)
def test_an_agent_that_names_no_session_is_said(tmp_path: Path, content: str, reason: str) -> None:
    plant(tmp_path, f"projects/-w/{U}.jsonl")
    (tmp_path / "projects/-w/agent-0a1b2c3d.jsonl").write_text(content)

    (unplaced,) = walk(tmp_path).unplaced

    assert unplaced.relative == "-w/agent-0a1b2c3d.jsonl"
    assert reason in unplaced.reason


@pytest.mark.parametrize("name", ["agent-.jsonl", "agent-main.jsonl", "agent-a b.jsonl"])
def test_an_agent_file_without_an_agent_id_is_said(tmp_path: Path, name: str) -> None:
    plant(tmp_path, f"projects/-w/{U}.jsonl", f"projects/-w/{U}/subagents/{name}")

    assert walk(tmp_path).unplaced == (
        Unplaced(f"-w/{U}/subagents/{name}", "its name holds no agent id"),
    )


def test_a_directory_named_like_a_transcript_is_no_file(tmp_path: Path) -> None:
    (tmp_path / f"projects/-w/{U}.jsonl").mkdir(parents=True)
    (tmp_path / f"projects/-w/{V}/subagents/agent-{A}.jsonl").mkdir(parents=True)

    found = walk(tmp_path)

    assert found.sessions == ()
    assert [unplaced.relative for unplaced in found.unplaced] == [
        f"-w/{U}.jsonl",
        f"-w/{V}/subagents/agent-{A}.jsonl",
    ]
    assert "a directory" in found.unplaced[0].reason


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="needs named pipes")
def test_a_pipe_named_like_a_transcript_is_never_opened(tmp_path: Path) -> None:
    """Opening it would wait for ever."""
    plant(tmp_path, f"projects/-w/{V}.jsonl")
    os.mkfifo(tmp_path / f"projects/-w/{U}.jsonl")
    os.mkfifo(tmp_path / "projects/-w/agent-0a1b2c3d.jsonl")

    assert [unplaced.relative for unplaced in walk(tmp_path).unplaced] == [
        f"-w/{U}.jsonl",
        "-w/agent-0a1b2c3d.jsonl",
    ]


def test_deeper_directories_named_subagents_are_found(tmp_path: Path) -> None:
    plant(
        tmp_path,
        f"projects/-w/{U}/subagents/x/subagents/agent-a1.jsonl",
        f"projects/-w/{U}/subagents/x/other/agent-a2.jsonl",
        f"projects/-w/{U}/subagents/a/b/c/subagents/agent-a3.jsonl",
    )

    (session,) = walk(tmp_path).sessions

    assert [file.agent for file in session.files] == ["a1"]


def test_files_kept_with_a_session_are_found_in_the_home(tmp_path: Path) -> None:
    """Only for sessions below the projects directory: a todo alone makes no session."""
    plant(
        tmp_path,
        f"projects/-w/{U}.jsonl",
        f"projects/-w/{U}/custom-title.json",
        f"projects/-w/{U}/elicitations.jsonl",
        f"projects/-w/{U}/tool-results/b1.txt",
        f"projects/-w/{U}/tool-results/deep/b2.txt",
        f"file-history/{U}/ab@v2",
        f"file-history/{V}/ab@v2",
        f"todos/{U}-agent-{U}.json",
        f"todos/{U}.json",
        f"todos/{V}-agent-{V}.json",
        f"tasks/{U}/1.json",
        f"tasks/session-{U[:8]}/2.json",
        f"tasks/session-{V[:8]}/3.json",
    )

    (session,) = walk(tmp_path).sessions

    assert [(file.kind, file.relative) for file in session.files] == [
        ("main", f"-w/{U}.jsonl"),
        ("session_title", f"-w/{U}/custom-title.json"),
        ("elicitations", f"-w/{U}/elicitations.jsonl"),
        ("tool_result", f"-w/{U}/tool-results/b1.txt"),
        ("file_history", f"../file-history/{U}/ab@v2"),
        ("task", f"../tasks/{U}/1.json"),
        ("task", f"../tasks/session-{U[:8]}/2.json"),
        ("todo", f"../todos/{U}-agent-{U}.json"),
    ]
    assert [file.project for file in session.files[4:]] == [""] * 4
    assert session.projects == ("-w",)


def test_kept_files_are_left_out_when_nobody_needs_them(tmp_path: Path) -> None:
    plant(
        tmp_path,
        f"projects/-w/{U}.jsonl",
        f"projects/-w/{U}/tool-results/b1.txt",
        f"todos/{U}-agent-{U}.json",
    )

    (session,) = discover(str(tmp_path / "projects"), with_kept_files=False).sessions

    assert [file.kind for file in session.files] == ["main"]


def test_a_root_of_another_name_has_no_home_around_it(tmp_path: Path) -> None:
    plant(tmp_path, f"source/-w/{U}.jsonl", f"todos/{U}-agent-{U}.json")

    (session,) = discover(str(tmp_path / "source")).sessions

    assert [file.kind for file in session.files] == ["main"]


def test_two_sessions_of_one_beginning_both_have_its_tasks(tmp_path: Path) -> None:
    """The short name tells no more, and nothing is guessed."""
    other = U[:-1] + "4"
    plant(
        tmp_path,
        f"projects/-w/{U}.jsonl",
        f"projects/-w/{other}.jsonl",
        f"tasks/session-{U[:8]}/1.json",
    )

    kinds = [[file.kind for file in session.files] for session in walk(tmp_path).sessions]

    assert kinds == [["main", "task"], ["main", "task"]]


@pytest.mark.parametrize("name", ["missing", "file"])
def test_a_root_that_cannot_be_listed_is_an_error_that_names_it(tmp_path: Path, name: str) -> None:
    (tmp_path / "file").write_bytes(b"")

    with pytest.raises(MissingProjectsError) as refused:
        discover(str(tmp_path / name))

    assert refused.value.path == str(tmp_path / name)
    assert str(tmp_path / name) in str(refused.value)


def test_a_file_where_a_directory_is_expected_is_said(tmp_path: Path) -> None:
    plant(tmp_path, f"projects/-w/{U}.jsonl", f"projects/-w/{U}/subagents")

    found = walk(tmp_path)

    assert [session.session for session in found.sessions] == [U]
    assert [unreadable.path for unreadable in found.unreadable] == [
        str(tmp_path / "projects" / "-w" / U / "subagents")
    ]


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() == 0, reason="root reads all")
def test_a_project_that_cannot_be_read_is_said_and_the_walk_goes_on(tmp_path: Path) -> None:
    plant(tmp_path, f"projects/-closed/{U}.jsonl", f"projects/-open/{V}.jsonl")
    (tmp_path / "projects/-closed").chmod(0)
    try:
        found = walk(tmp_path)
    finally:
        (tmp_path / "projects/-closed").chmod(0o700)

    assert [session.session for session in found.sessions] == [V]
    assert [unreadable.path for unreadable in found.unreadable] == [
        str(tmp_path / "projects" / "-closed")
    ]


def test_a_linked_root_and_linked_projects_are_followed(tmp_path: Path) -> None:
    """BR-59: projects/ itself and its children may lie on another disk."""
    plant(tmp_path, f"disk/claude/-a/{U}.jsonl", f"disk/elsewhere/-w/{V}.jsonl")
    (tmp_path / "home").mkdir()
    (tmp_path / "home/projects").symlink_to(tmp_path / "disk/claude")
    (tmp_path / "disk/claude/-w").symlink_to("../elsewhere/-w")
    (tmp_path / "disk/claude/loop").symlink_to(".")

    found = walk(tmp_path / "home")

    assert [session.session for session in found.sessions] == [U, V]
    assert [unplaced.relative for unplaced in found.unplaced] == ["loop"]
    assert found.unreadable == ()


def test_one_real_file_is_found_once(tmp_path: Path) -> None:
    """The way without a link wins; of two links the first."""
    plant(tmp_path, f"projects/-real/{U}.jsonl", f"elsewhere/-x/{V}.jsonl")
    (tmp_path / "projects/-again").symlink_to("-real")
    (tmp_path / "projects/-one").symlink_to(tmp_path / "elsewhere/-x")
    (tmp_path / "projects/-two").symlink_to(tmp_path / "elsewhere/-x")
    (tmp_path / f"projects/-real/{V}.jsonl").symlink_to(f"{U}.jsonl")

    relatives = [file.relative for found in walk(tmp_path).sessions for file in found.files]

    assert relatives == [f"-real/{U}.jsonl", f"-one/{V}.jsonl"]


def test_a_link_inside_a_project_is_followed_only_within_the_home(tmp_path: Path) -> None:
    """A link planted in a project must not make its target part of a session."""
    plant(tmp_path, "home/kept/main.jsonl", "outside/secret", f"home/projects/-w/{A}.txt")
    project = tmp_path / "home/projects/-w"
    (project / f"{U}.jsonl").symlink_to(tmp_path / "home/kept/main.jsonl")
    (project / f"{V}.jsonl").symlink_to(tmp_path / "outside/secret")

    found = walk(tmp_path / "home")

    assert [session.session for session in found.sessions] == [U]
    assert [unplaced.relative for unplaced in found.unplaced] == [f"-w/{V}.jsonl"]
    assert "out of the home" in found.unplaced[0].reason


def test_broken_links_are_said_and_never_a_crash(tmp_path: Path) -> None:
    plant(tmp_path, f"projects/-w/{U}.jsonl")
    (tmp_path / f"projects/-w/{V}.jsonl").symlink_to("missing")
    (tmp_path / "projects/-gone").symlink_to("missing")
    (tmp_path / "projects/-round").symlink_to("-round")

    found = walk(tmp_path)

    assert [session.session for session in found.sessions] == [U]
    assert [unreadable.path for unreadable in found.unreadable] == [
        str(tmp_path / "projects" / "-gone"),
        str(tmp_path / "projects" / "-round"),
        str(tmp_path / "projects" / "-w" / f"{V}.jsonl"),
    ]
    assert all("broken link" in unreadable.reason for unreadable in found.unreadable)


def test_plans_are_found_by_the_slugs_of_a_session(tmp_path: Path) -> None:
    plant(
        tmp_path,
        "plans/calm-otter.md",
        "plans/calm-otter-agent-a1.md",
        "plans/calm-otter-2.md",
        "plans/other.md",
        "plans/calm-otter.txt",
    )

    found = find_plans(str(tmp_path), ["calm-otter", "", "../x"])

    assert [Path(path).name for path in found] == ["calm-otter-agent-a1.md", "calm-otter.md"]
    assert find_plans(str(tmp_path / "missing"), ["calm-otter"]) == ()


@pytest.mark.parametrize("text", [U, U.upper(), V.replace("4", "A")])
def test_a_session_id_has_the_form_of_a_uuid(text: str) -> None:
    assert is_session_id(text)


@pytest.mark.parametrize("text", ["", U + "\n", U[:-1], U + "0", U.replace("-", ""), "g" + U[1:]])
def test_other_texts_are_no_session_ids(text: str) -> None:
    assert not is_session_id(text)


@pytest.mark.parametrize(
    "text", ["aac57f5", "0a1b2c3d", "acompact-946d2b", "aprompt_suggestion-221b3e", "x" * 128]
)
def test_agent_ids_of_every_version_are_accepted(text: str) -> None:
    assert is_agent_id(text)


@pytest.mark.parametrize("text", ["", "main", "x" * 129, "a/b", ".a", "a@2", "a\n", "\u00e4"])
def test_other_texts_are_no_agent_ids(text: str) -> None:
    """`@` stays free for generations, `main` for the session's own stream."""
    assert not is_agent_id(text)


@pytest.mark.parametrize(
    ("text", "named"),
    [
        ("a1111111111111111", True),
        ("aac57f5", True),
        ("acompact-946d2b", True),
        ("aside_question-0a1b2c", True),
        ("b1234567", False),
        ("wabc", False),
        ("a12", False),
        ("a1111111111111111f", False),
        ("aX-12", False),
    ],
)
def test_a_task_id_names_an_agent_only_in_an_agents_form(text: str, named: bool) -> None:
    """A task id may as well name a command or a workflow."""
    assert is_notified_agent_id(text) is named


@pytest.mark.real_data
@pytest.mark.parametrize(
    ("folder", "kinds"),
    [
        ("v1.0.98-old-layout", {"main": 1}),
        ("v2.1.39-subagents", {"main": 1, "child": 2}),
        ("v2.1.29-internal-agents", {"child": 2}),
        ("v2.1.2xx-fork-family", {"main": 3}),
        (
            "newest-shapes-home",
            {
                "main": 3,
                "child": 2,
                "child_meta": 2,
                "journal": 1,
                "manifest": 1,
                "session_title": 1,
                "tool_result": 1,
            },
        ),
    ],
)
def test_every_file_of_a_real_home_is_found(
    real_data: Path, folder: str, kinds: dict[str, int]
) -> None:
    found = discover(str(real_data / folder / "projects"))

    counts: dict[str, int] = {}
    for session in found.sessions:
        for file in session.files:
            counts[file.kind] = counts.get(file.kind, 0) + 1
    assert counts == kinds
    assert (found.unplaced, found.unreadable) == ((), ())
