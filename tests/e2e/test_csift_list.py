"""`csift list`: acceptance cases L1 to L8 and K12, and the rulings on titles and windows."""

import json
from pathlib import Path

import pytest

from tests.build.home import PROJECT, S1, S2, A, Home, R, U, encode_line, txt, use
from tests.conftest import Csift


def rows(csift: Csift, *arguments: str | Path) -> list[dict[str, object]]:
    result = csift("list", *arguments, "--format", "json")
    assert result.exit_code == 0, result.stderr
    return result.rows("session")


def green(home: Home) -> None:
    home.transcript().lines(
        U("u1", "-", "10:00:00", "please run the tests"),
        A("a1", "u1", "10:00:03", use("t1", "Bash", {"command": "pytest"})),
        R("r1", "a1", "10:00:09", "t1", "2 passed"),
        A("a2", "r1", "10:00:12", txt("all green")),
    )


def test_a_tool_result_is_no_message_of_a_person(home: Home, csift: Csift) -> None:
    """L1."""
    green(home)

    (row,) = rows(csift)

    assert row["first_user"] == row["last_user"]
    assert row["first_user"]["excerpt"] == "please run the tests"  # type: ignore[index]
    assert row["last_agent"]["excerpt"] == "all green"  # type: ignore[index]


def test_the_text_of_a_row(home: Home, csift: Csift) -> None:
    green(home)

    assert csift("list").stdout == (
        f"SESSION  {S1}\n"
        "  cwd      /work/demo   (branch main, CC 2.1.0)\n"
        "  first ◂  2026-03-01 10:00:00 UTC(UTC+0)\n"
        "           please run the tests\n"
        "  last ◂   2026-03-01 10:00:00 UTC(UTC+0)\n"
        "           please run the tests\n"
        "  last ▸   2026-03-01 10:00:12 UTC(UTC+0)\n"
        "           all green\n"
        "\n"
    )


def test_a_session_that_straddles_a_window_is_inside(home: Home, csift: Csift) -> None:
    """L2."""
    green(home)

    assert len(rows(csift, "--since", "2026-03-01T10:00:05Z")) == 1
    after = csift("list", "--since", "2026-03-01T10:01:00Z")
    header = csift("list", "--since", "2026-03-01T10:01:00Z", "--format", "json").rows("header")[0]
    assert (after.exit_code, after.stdout) == (0, "no sessions found\n")
    assert header["sessions_in_scope"] == 0


def test_without_a_target_the_latest_fifty_are_shown(home: Home, csift: Csift) -> None:
    """L3: in the order of their paths, and what was left out is said."""
    for number in range(60):
        session = f"aaaaaaaa-1111-4222-8333-{number:012}"
        at = f"{10 + (number * 7) % 10}:{number:02}:00"
        home.transcript(session, f"-work-p{number:02}").user("hi", at=at)

    result = csift("list")
    summary = csift("list", "--format", "json").rows("summary")[0]
    shown = [line.split()[1] for line in result.stdout.split("\n") if line.startswith("SESSION")]

    assert len(shown) == 50
    assert shown == sorted(shown)
    assert result.stdout.endswith(
        "… (+10 more session(s) not shown — the most recently active are listed; narrow with a "
        "target or --since, or raise --max-count)\n"
    )
    assert (summary["sessions"], summary["dropped_by_cap"]) == (50, 10)
    assert csift("list", "--format", "json").rows("header")[0]["sessions_in_scope"] == 60
    assert len(rows(csift, "--max-count", "0")) == 60
    assert len(rows(csift, "-work-p07")) == 1


def test_meta_records_are_no_messages(home: Home, csift: Csift) -> None:
    """L4."""
    home.transcript().lines(
        U("u1", "-", "10:00:00", "noise", meta=True), U("u2", "u1", "10:00:01", "real")
    )

    assert rows(csift)[0]["first_user"]["excerpt"] == "real"  # type: ignore[index]


def test_a_teammates_message_names_its_direction(home: Home, csift: Csift) -> None:
    """L5."""
    text = (
        "Another Claude session sent a message:\n"
        '<teammate-message teammate_id="lead">please rebase</teammate-message>\n\nfooter'
    )
    home.transcript().lines(U("u1", "-", "10:00:00", text))

    excerpt = rows(csift)[0]["first_user"]["excerpt"]  # type: ignore[index]
    assert excerpt == "agent.communication.inbox lead ⇨ self please rebase"


def boundary(at: str) -> str:
    return encode_line(
        {"type": "system", "subtype": "compact_boundary", "uuid": "b1", "timestamp": at}
    )


def test_a_clone_names_its_origin(home: Home, csift: Csift) -> None:
    """L6: a clone counts the inherited records twice on every spanning command."""
    home.transcript(S1).raw(boundary("2026-03-01T09:00:00Z")).user("go on")
    home.transcript(S2).user("begin", at="08:00:00").raw(boundary("2026-03-01T09:00:00Z"))

    clone, origin = rows(csift)

    assert (clone["is_clone"], clone["clone_of"], clone["clone_boundary_uuid"]) == (True, S2, "b1")
    assert origin["is_clone"] is False
    assert (
        f"  clone    forked from SESSION {S2} at compaction boundary b1\n" in csift("list").stdout
    )


def test_a_clone_without_origin_says_so(home: Home, csift: Csift) -> None:
    """A quoted uuid is no boundary."""
    home.transcript(S1).raw(boundary("2026-03-01T09:00:00Z")).user("go on")
    home.transcript(S2).user("what is compact_boundary b1?")

    assert (
        "forked at compaction boundary b1 (origin not in this project dir)" in csift("list").stdout
    )


def test_long_messages_are_cut_and_counted(home: Home, csift: Csift) -> None:
    """L7."""
    home.transcript().user("x" * 250)

    assert rows(csift)[0]["first_user"]["excerpt"] == "x" * 200 + "… (+50 chars)"  # type: ignore[index]


def test_drift_is_shown(home: Home, csift: Csift) -> None:
    """L8."""
    home.transcript().user("one", gitBranch="main").assistant(
        txt("two"), gitBranch="fix", version="2.2.0"
    )

    (row,) = rows(csift)

    assert (row["git_branch"], row["git_branch_first"]) == ("fix", "main")
    assert "(branch main->fix, CC 2.1.0->2.2.0)" in csift("list").stdout


def test_a_bad_line_is_counted_once(home: Home, csift: Csift) -> None:
    """K12: head and tail windows meet in a short file."""
    home.transcript().raw("garbage").raw("garbage").raw("garbage")

    (row,) = rows(csift)

    assert row["skipped_lines"] == 3
    assert (
        "note     3 malformed line(s) skipped (among the head/tail lines read"
        in csift("list").stdout
    )


def test_the_middle_of_a_file_is_not_read(home: Home, csift: Csift) -> None:
    session = home.transcript().user("first")
    for _ in range(40):
        session.raw("garbage " + "x" * 4000)
    session.user("last").assistant(txt("answer"))

    (row,) = rows(csift)

    assert row["skipped_lines"] == 0
    assert row["last_user"]["excerpt"] == "last"  # type: ignore[index]


@pytest.mark.parametrize("size", [64 * 1024 + 1, 40 * 1024])
def test_the_tail_of_an_agent_has_a_limit(home: Home, csift: Csift, size: int) -> None:
    """R38: most agents have one opener, at the top; what was not searched is said."""
    session = home.transcript().user("hi")
    session.child().user("look").assistant(txt("x" * size))

    (row,) = rows(csift, "@a1111111111111111")

    unread = size > 64 * 1024
    assert row["last_user_unread"] is unread
    assert (row["last_user"] is None) is unread
    text = csift("list", "@a1111111111111111").stdout
    assert ("not in the last 64 KiB (csift show @a1111111111111111 --turn -1)" in text) is unread


def test_titles_in_their_order(home: Home, csift: Csift) -> None:
    """R23: a person's title beats the runtime's; the last one of a kind counts."""
    session = home.transcript(S1).user("first words")
    assert (rows(csift)[0]["title"], rows(csift)[0]["title_source"]) == (
        "first words",
        "first-words",
    )
    assert "  title " not in csift("list").stdout

    session.summary("by summary")
    assert rows(csift)[0]["title_source"] == "summary"
    session.line({"type": "ai-title", "aiTitle": "old"}).line(
        {"type": "ai-title", "aiTitle": "new"}
    )
    assert rows(csift)[0]["title"] == "new"
    home.document(f"projects/{PROJECT}/{S1}/custom-title.json", {"customTitle": "from file"})
    assert (rows(csift)[0]["title"], rows(csift)[0]["title_source"]) == ("from file", "custom")
    session.line({"type": "custom-title", "customTitle": "from record"})
    assert rows(csift)[0]["title"] == "from record"
    assert "  title    from record\n" in csift("list").stdout


def test_a_summary_titles_the_session_that_holds_its_leaf(home: Home, csift: Csift) -> None:
    """R23: it usually stands in another file."""
    home.transcript(S1).user("one", uuid="u9")
    home.transcript(S2).summary("about one", leaf="u9").user("two")

    first, second = rows(csift)

    assert (first["title"], second["title_source"]) == ("about one", "first-words")


def test_an_agents_records_are_no_preview_of_the_session(home: Home, csift: Csift) -> None:
    """R16."""
    home.transcript().user("mine").user("agent's", isSidechain=True).assistant(
        txt("agent says"), isSidechain=True
    )

    (row,) = rows(csift)

    assert (row["last_user"]["excerpt"], row["last_agent"]) == ("mine", None)  # type: ignore[index]


def test_the_runtimes_own_agents_are_no_persons_work(home: Home, csift: Csift) -> None:
    """R18."""
    session = home.transcript().user("hi")
    session.child("acompact-946d2b").user("summarise").assistant(txt("done"))

    row = rows(csift, "@acompact-946d2b")[0]

    assert (row["is_internal"], row["first_user"], row["last_user"]) == (True, None, None)
    assert "  (internal)\n" in csift("list").stdout


def test_a_waiting_question_is_shown(home: Home, csift: Csift) -> None:
    marker = {
        "csift": "elicitation-marker-v1",
        "csiftPhase": "pending",
        "csiftKind": "AskUserQuestion",
        "csiftKey": "q9",
        "type": "assistant",
        "message": {
            "role": "assistant",
            "content": [
                use("q9", "AskUserQuestion", {"questions": [{"question": "Deploy now?"}, {}]})
            ],
        },
    }
    session = home.transcript().user("go")
    home.document(f"projects/{PROJECT}/{S1}/elicitations.jsonl", marker)

    (row,) = rows(csift)
    assert row["pending_elicitations"] == ["AskUserQuestion: Deploy now? (+1 more)"]
    assert row["with_elicitation_sidecar"] is True
    assert (
        "  pending  with elicitation sidecar\n           ⏳ AskUserQuestion: Deploy now?"
        in csift("list").stdout
    )

    session.result("q9", "no", err=True)
    assert rows(csift)[0]["pending_elicitations"] == []


def test_control_characters_reach_no_terminal(home: Home, csift: Csift) -> None:
    """R28."""
    home.transcript().user("a\x1b[31mb\u202ec")

    assert "a\\x1b[31mb\\u202ec" in csift("list").stdout
    text = csift("list", "--format", "json").stdout
    assert "\x1b" not in text
    assert "\u202e" not in text
    assert "a\x1b[31mb\u202ec" in json.loads(text.split("\n")[1])["title"]


def test_an_unreadable_file_is_named_and_the_rest_is_listed(home: Home, csift: Csift) -> None:
    home.transcript(S1).user("hi")
    home.transcript(S2).user("hi").path.chmod(0)

    result = csift("list", "--format", "json")

    if len(result.rows("session")) == 2:
        pytest.skip("this user reads everything")
    assert [row["session_id"] for row in result.rows("session")] == [S1]
    assert result.exit_code == 1
    assert S2 in result.stderr


def test_help_needs_no_home(csift: Csift) -> None:
    assert csift("list", "--help").exit_code == 0
