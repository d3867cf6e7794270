"""What a target names: acceptance cases K1 to K8, and the rulings on ids and Windows paths."""

from pathlib import Path

import pytest

from tests.build.home import CWD, PROJECT, S1, S2, A, Home, U, encode_line, txt, use
from tests.conftest import Csift

AGENT = "abcdef0123456789"
ANOTHER = "13d9645a-1111-4222-8333-000000000001"
OTHER = "13d9ffff-1111-4222-8333-000000000002"


def listed(result: object) -> list[str]:
    return [row["session_id"] for row in result.rows("session")]  # type: ignore[attr-defined]


def json_list(csift: Csift, *targets: str | Path, **more: object) -> list[str]:
    result = csift("list", *targets, "--format", "json", **more)  # type: ignore[arg-type]
    assert result.exit_code == 0, result.stderr
    return listed(result)


def with_agent(home: Home) -> None:
    session = home.transcript().user("hi")
    session.child(AGENT).user("look").assistant(txt("done"))


def test_a_long_name_is_told_by_the_first_record(home: Home, csift: Csift, tmp_path: Path) -> None:
    """K2: the hash at the end of a long name cannot be computed."""
    path = tmp_path / ("x" * 120) / ("y" * 120)
    path.mkdir(parents=True)
    encoded = "".join(c if c.isalnum() and c.isascii() else "-" for c in str(path))
    home.transcript(S1, f"{encoded[:200]}-h1", cwd="/elsewhere").user("hi")
    home.transcript(S2, f"{encoded[:200]}-h2", cwd=str(path)).user("hi")

    assert json_list(csift, path) == [S2]


def test_a_path_without_sessions_is_named(home: Home, csift: Csift) -> None:
    """K2."""
    home.transcript().user("hi")

    result = csift("list", "/nowhere/at/all")

    assert result.exit_code == 1
    assert "/nowhere/at/all" in result.stderr
    assert "-nowhere-at-all" in result.stderr


def test_a_real_path_keeps_only_its_own_sessions(home: Home, csift: Csift) -> None:
    """K3: `/work/my_app` and `/work/my-app` share an encoded name."""
    home.transcript(S1, "-work-my-app", cwd="/work/my_app").user("hi").child(AGENT).user("look")
    home.transcript(S2, "-work-my-app", cwd="/work/my-app").user("hi").child("b" * 16).user("look")

    assert json_list(csift, "/work/my_app") == [S1, AGENT]
    assert json_list(csift, "-work-my-app", "--no-subagents") == [S1, S2]


def test_prefixes(home: Home, csift: Csift) -> None:
    """K4."""
    home.transcript(ANOTHER).user("hi")
    home.transcript(OTHER).user("hi")

    assert json_list(csift, "@13d9645a") == [ANOTHER]
    ambiguous = csift("list", "@13d9")
    assert ambiguous.exit_code == 1
    assert all(part in ambiguous.stderr for part in ("AMBIGUOUS", "2", ANOTHER, OTHER))
    short = csift("list", "@13d")
    assert (short.exit_code, "4-11" in short.stderr) == (1, True)
    bare = csift("list", "13d9645a")
    assert (bare.exit_code, "@13d9645a" in bare.stderr) == (1, True)
    wrong = csift("list", "@nosuch!")
    assert (wrong.exit_code, "@<session uuid>" in wrong.stderr) == (1, True)


def test_agents_and_spans(home: Home, csift: Csift) -> None:
    """K5."""
    with_agent(home)

    assert json_list(csift, f"@{S1}") == [S1, AGENT]
    assert json_list(csift, f"@{S1}", "--no-subagents") == [S1]
    assert json_list(csift, f"@{AGENT}") == json_list(csift, "@abcdef01") == [AGENT]
    (row,) = csift("list", f"@{AGENT}", "--format", "json").rows("session")
    assert (row["is_subagent"], row["parent_session_id"]) == (True, S1)
    assert csift("list", "--subagents", "--no-subagents", f"@{S1}").exit_code == 2


def test_an_empty_list_of_sessions_is_an_empty_scope(home: Home, csift: Csift) -> None:
    """K6: a pipeline stage that found nothing must not widen to everything."""
    home.transcript().user("foo")

    result = csift("search", "foo", "--sessions-from", "-", "--format", "json")

    assert result.exit_code == 0
    assert result.rows("header")[0]["sessions_in_scope"] == 0
    assert result.rows("summary")[0]["matched"] == 0


def test_a_list_of_sessions_adds_targets(home: Home, csift: Csift, tmp_path: Path) -> None:
    """K6."""
    home.transcript(S1).user("foo")
    home.transcript(S2).user("foo")
    ids = tmp_path / "ids"
    ids.write_text(f"{S2}\n")

    found = csift("search", "foo", "-l", "--sessions-from", ids)
    wrong = csift("search", "foo", "--sessions-from", "-", stdin="bad!")
    missing = csift("search", "foo", "--sessions-from", tmp_path / "none")

    assert found.stdout == f"{S2}\n"
    assert (wrong.exit_code, "bad!" in wrong.stderr) == (1, True)
    assert (missing.exit_code, "none" in missing.stderr) == (1, True)


def test_the_calling_session(home: Home, csift: Csift) -> None:
    """K7, and R2: an unshaped value is an error, and an alias is read."""
    home.transcript().user("hi")

    found = csift("list", "@main", "--format", "json", env={"CLAUDE_CODE_SESSION_ID": S1})
    alias = csift("list", "@main", "--format", "json", env={"CODEX_COMPANION_SESSION_ID": S1})
    wrong = csift("list", "@main", env={"CLAUDE_CODE_SESSION_ID": "x"})

    assert listed(found) == listed(alias) == [S1]
    assert found.stderr.count("TOP-LEVEL") == 1
    assert csift("list", "@main").exit_code == wrong.exit_code == 1


def test_a_marker_finds_the_caller(home: Home, csift: Csift) -> None:
    """K8: a subagent cannot see its own id."""
    marker = "@trap:QuietAmberCanyon7304"
    session = home.transcript().user("hi")
    session.child(AGENT).assistant(use("t1", "Bash", {"command": f"csift list {marker}"}))
    session.child("b" * 16).user("look").result("t9", f"csift list {marker}")
    environ = {"CLAUDE_CODE_SESSION_ID": S1}

    found = csift("list", marker, "--format", "json", env=environ)
    lost = csift("list", "@trap:QuietAmberCanyon7305", env=environ)

    assert listed(found) == [AGENT]
    assert lost.exit_code == 1
    assert lost.stderr.index("@main") < lost.stderr.index("re-run the same marker")


def test_a_marker_of_the_session_itself_is_noted(home: Home, csift: Csift) -> None:
    marker = "@trap:QuietAmberCanyon7304"
    home.transcript().assistant(use("t1", "Bash", {"command": f"csift list {marker}"}))

    found = csift("list", marker, "--format", "json", env={"CLAUDE_CODE_SESSION_ID": S1})

    assert listed(found) == [S1]
    assert "@main is simpler" in found.stderr


@pytest.mark.parametrize(
    "marker",
    ["JollyShinyBrook4283", "QuietAmber7304", "QuietAmberCanyon2468", "QuietHTMLCanyon7304"],
)
def test_markers_that_break_the_grammar(csift: Csift, marker: str) -> None:
    """K8: refused before any transcript is read; there is no home here at all."""
    result = csift("list", f"@trap:{marker}", env={"CLAUDE_CODE_SESSION_ID": S1})

    assert result.exit_code == 1
    assert "marker" in result.stderr


def test_odd_agent_ids_are_targets(home: Home, csift: Csift) -> None:
    """R17: an existing agent id is tried before prefixes."""
    session = home.transcript().user("hi")
    session.child("acompact-946d2b").user("x")
    session.child("aac57f5").user("x")

    assert json_list(csift, "@acompact-946d2b") == ["acompact-946d2b"]
    assert json_list(csift, "@aac57f5") == json_list(csift, "@aac57") == ["aac57f5"]
    assert csift("list", "@side-nosuch").exit_code == 1


def test_one_agent_id_in_two_sessions_is_ambiguous(home: Home, csift: Csift) -> None:
    """R17: a project narrows."""
    home.transcript(S1).user("hi").child(AGENT).user("x")
    home.transcript(S2, "-work-other").user("hi").child(AGENT).user("x")

    both = csift("list", f"@{AGENT}")

    assert both.exit_code == 1
    assert all(part in both.stderr for part in ("AMBIGUOUS", S1, S2))
    assert json_list(csift, f"@{AGENT}", "-work-other") == [AGENT]


def test_an_id_beside_a_project_adds_nothing_else(home: Home, csift: Csift) -> None:
    home.transcript(S1).user("hi")
    home.transcript(S2).user("hi")

    assert json_list(csift, f"@{S1}", PROJECT) == [S1]
    assert csift("list", f"@{S1}", "-work-other").exit_code == 1


def test_descendants_follow_an_agent(home: Home, csift: Csift) -> None:
    session = home.transcript().user("hi")
    session.child(AGENT).user("look").assistant(use("toolu_9", "Agent", {"prompt": "deeper"}))
    session.child("b" * 16).user("deeper")
    session.meta("b" * 16, toolUseId="toolu_9")
    session.child("c" * 16).user("deepest")
    session.meta("c" * 16, parentAgentId="b" * 16)
    session.child("d" * 16).user("unrelated")

    assert json_list(csift, f"@{AGENT}") == [AGENT, "b" * 16, "c" * 16]
    assert json_list(csift, f"@{AGENT}", "--no-subagents") == [AGENT]


def test_a_file_is_a_target_wherever_it_lies(home: Home, csift: Csift, tmp_path: Path) -> None:
    with_agent(home)
    outside = tmp_path / "kept.jsonl"
    outside.write_text(U("u1", "-", "10:00:00", "hi") + "\n")

    inside = home.projects / PROJECT / f"{S1}.jsonl"
    agent = home.projects / PROJECT / S1 / "subagents" / f"agent-{AGENT}.jsonl"
    assert json_list(csift, inside) == [S1, AGENT]
    assert json_list(csift, agent) == [AGENT]
    assert json_list(csift, outside) == ["kept"]
    assert csift("list", tmp_path / "none.jsonl").exit_code == 1


def test_what_is_no_transcript_is_refused(home: Home, csift: Csift) -> None:
    home.transcript().user("hi").journal()
    journal = home.projects / PROJECT / S1 / "subagents" / "workflows" / "wf_abc-1"

    result = csift("list", journal / "journal.jsonl")

    assert (result.exit_code, "journal" in result.stderr) == (1, True)


def test_an_old_agent_file_beside_its_session_is_an_agent(home: Home, csift: Csift) -> None:
    """R16."""
    session = home.transcript().user("hi")
    session.child("c8eb0b7e", beside=True).user("look")

    (row,) = csift("list", "@c8eb0b7e", "--format", "json").rows("session")

    assert (row["is_subagent"], row["parent_session_id"]) == (True, S1)
    assert json_list(csift, "--no-subagents") == [S1]


def test_a_windows_path_is_absolute_on_every_host(home: Home, csift: Csift) -> None:
    """R36."""
    home.transcript(S1, "C--work-my-app", cwd="c:/work/my_app").user("hi")
    home.transcript(S2, "C--work-my-app", cwd=r"C:\work\my-app").user("hi")

    assert json_list(csift, r"C:\work\my_app") == [S1]
    assert json_list(csift, "C--work-my-app") == [S1, S2]


def test_a_path_below_the_projects_directory_is_that_directory(home: Home, csift: Csift) -> None:
    home.transcript().user("hi")

    assert json_list(csift, home.projects / PROJECT) == [S1]


def test_an_existing_directory_may_be_empty(home: Home, csift: Csift) -> None:
    home.transcript().user("hi")
    (home.projects / "-work-empty").mkdir()

    result = csift("list", "-work-empty")

    assert (result.exit_code, result.stdout) == (0, "no sessions found\n")


def test_a_missing_projects_directory_is_an_error(home: Home, csift: Csift) -> None:
    result = csift("list")

    assert result.exit_code == 1
    assert str(home.projects) in result.stderr


def test_lanes_inside_a_file_have_ids(home: Home, csift: Csift) -> None:
    """R16, R17: a prompt of an agent in its session's file opens no turn of that session."""
    side = {"isSidechain": True}
    home.transcript().lines(
        U("u1", "-", "10:00:00", "please"),
        U("s1", "-", "10:00:01", "map it", **side),
        A("s2", "s1", "10:00:02", txt("mapped"), **side),
        A("a1", "u1", "10:00:03", txt("done")),
    )

    (row,) = csift("search", "map it", "--format", "json").rows("exchange")
    (hit,) = row["hits"]
    turns = csift("search", "", f"@{S1}", "--count-by", "turn")
    pinned = csift("search", "", "@side-s1", "--format", "json").rows("exchange")

    assert (row["session_id"], row["is_subagent"], row["parent_session_id"]) == (
        "side-s1",
        True,
        S1,
    )
    assert (hit["label"], hit["refetch"]) == (
        "agent.communication.inbox",
        f"csift show @{S1} --line 2",
    )
    assert turns.stdout.split() == ["2", f"{S1}·t0", "2", "side-s1·t0"]
    assert [len(one["hits"]) for one in pinned] == [2]
    assert csift("search", "map", "--no-subagents", "-c").stdout == "0\n"


def test_records_that_a_childs_file_holds_are_not_read_twice(home: Home, csift: Csift) -> None:
    """R16."""
    prompt = U("s1", "-", "10:00:01", "map it", isSidechain=True, agentId="aac57f5")
    session = home.transcript().lines(U("u1", "-", "10:00:00", "please"), prompt)
    session.child("aac57f5").raw(prompt)

    assert csift("search", "map it", "-c", "--copies").stdout == "1\n"


def carried(uuid: str, text: str, agent: str = "aac57f5") -> str:
    message = {
        "type": "user",
        "message": {"role": "user", "content": text},
        "uuid": uuid,
        "timestamp": "2026-03-01T10:00:05.000Z",
    }
    data = {"type": "agent_progress", "agentId": agent, "message": message}
    return encode_line(
        {
            "type": "progress",
            "uuid": f"p-{uuid}",
            "parentUuid": "u1",
            "sessionId": S1,
            "cwd": CWD,
            "data": data,
        }
    )


def test_a_carried_lane_is_read_when_it_is_all_that_is_left(home: Home, csift: Csift) -> None:
    """R16: with a file of its own the child's messages are copies."""
    session = home.transcript().lines(U("u1", "-", "10:00:00", "please"), carried("c1", "map it"))

    (row,) = csift("search", "map it", "--format", "json").rows("exchange")
    assert (row["session_id"], row["hits"][0]["line"]) == ("aac57f5", 2)

    session.child("aac57f5").user("something else")
    assert csift("search", "map it", "-c").stdout == "0\n"


def test_targets_are_read_before_flags_end(home: Home, csift: Csift) -> None:
    """A bare -- ends the flags; an encoded directory needs none."""
    home.transcript().user("hi")

    ended = csift("list", "--format", "json", "--", PROJECT)
    named = csift("list", "--format", "json", f"@{PROJECT}")

    assert listed(ended) == listed(named) == json_list(csift, PROJECT) == [S1]
