"""`csift verbatim`: acceptance cases verbatim_V1 to verbatim_V11, and what its flags promise."""

import json
import re
from pathlib import Path
from typing import Any

import pytest

from tests.build.home import (
    AGENT,
    PROJECT,
    S1,
    S2,
    A,
    Home,
    R,
    U,
    encode_line,
    image,
    think,
    txt,
    use,
)
from tests.conftest import Csift

RULE = "─" * 60


def fixture(home: Home) -> None:
    """Fixture F."""
    home.transcript().lines(
        U("u1", "-", "10:00:00", "please run the tests"),
        A("a1", "u1", "10:00:03", use("t1", "Bash", {"command": "pytest -q"})),
        R("r1", "a1", "10:00:09", "t1", "2 passed"),
        A("a2", "r1", "10:00:12", txt("Tests are green")),
        U("u2", "a2", "10:05:00", "now write the docs"),
        A("a3", "u2", "10:05:04", use("t2", "Write", {"file_path": "/w/doc.md"})),
    )


def compacted(home: Home, summary: str = "what was said") -> None:
    """Two turns, a summary between them."""
    home.transcript().lines(
        U("u1", "-", "10:00:00", "first question"),
        A("a1", "u1", "10:00:01", use("t1", "Bash")),
        R("r1", "a1", "10:00:02", "t1", "out"),
        A("a2", "r1", "10:00:03", txt("first answer")),
        U("s1", "a2", "10:00:04", summary, isCompactSummary=True),
        U("u2", "s1", "10:00:05", "second question"),
        A("a3", "u2", "10:00:06", use("t2", "Bash")),
        R("r2", "a3", "10:00:07", "t2", "out"),
        A("a4", "r2", "10:00:08", txt("second answer")),
    )


def verbatim(csift: Csift, *arguments: str | Path) -> list[dict[str, Any]]:
    result = csift("verbatim", *arguments, "--format", "json")
    assert result.exit_code == 0, result.stderr
    return result.rows()


def turns(csift: Csift, *arguments: str | Path) -> list[dict[str, Any]]:
    return [row for row in verbatim(csift, *arguments) if row["kind"] == "turn"]


def places(csift: Csift, *arguments: str | Path) -> list[tuple[str, int | None]]:
    return [(row["role"], row["line"]) for row in turns(csift, *arguments)]


def header(csift: Csift, *arguments: str | Path) -> dict[str, Any]:
    return verbatim(csift, *arguments)[0]


def written(csift: Csift, path: Path, *arguments: str | Path) -> str:
    """What `--out` leaves."""
    result = csift("verbatim", *arguments, "--out", path)
    assert result.exit_code == 0, result.stderr
    return path.read_text(encoding="utf-8")


# ------------------------------------------------------------------ units


def test_the_words_of_a_conversation(home: Home, csift: Csift) -> None:
    """verbatim_V1: the second turn has no words of the agent."""
    fixture(home)

    result = csift("verbatim", f"@{S1}")
    used = header(csift, f"@{S1}")["chars_used"]

    assert result.stdout == (
        f"SESSION {S1}\n"
        "  budget 40000 chars · round-trip-fraction 0.50 · spanned 0 of 0 compaction boundaries in "
        "scope\n"
        f"  selected 2 user + 1 assistant units across 2 turns · {used} / 40000 chars used\n"
        f"  {RULE}\n"
        "▽ L1  USER  (2026-03-01 10:00:00 UTC(UTC+0))\n"
        "please run the tests\n"
        "  [1 tool calls]\n"
        "△ L4  ASSISTANT  (2026-03-01 10:00:12 UTC(UTC+0))\n"
        "Tests are green\n"
        "▽ L5  USER  (2026-03-01 10:05:00 UTC(UTC+0))\n"
        "now write the docs\n"
    )
    assert (
        f"csift: note: @{S1} has no compaction — nothing was clipped; for plain reading use "
        f"`csift show @{S1} --turn <N|A..B|-k..>` (full records, no budget)\n"
    ) in result.stderr


@pytest.mark.parametrize(
    ("flags", "code"),
    [
        ((), 1),
        ((f"@{S1}", "--round-trip-fraction", "1"), 2),
        ((f"@{S1}", "--round-trip-fraction", "0"), 2),
        ((f"@{S1}", "--round-trip-fraction", "nan"), 2),
        ((f"@{S1}", "--slice", "1", "--format", "json"), 2),
        ((f"@{S1}", "--slice", "1", "--out", "x"), 2),
        ((f"@{S1}", "--slice", "0"), 2),
        ((f"@{S1}", "--slices", "2"), 2),
        ((f"@{S1}", "--budget", "0"), 2),
        ((f"@{S1}", "--window", "0", "--slice", "1"), 2),
        ((f"@{S1}", "--agent-msgs", "some"), 2),
        ((f"@{S1}", "--profile", "medium"), 2),
        ((f"@{S1}", "--subagents", "--no-subagents"), 2),
        ((f"@{S1}", "--turn", "x"), 1),
        ((f"@{S1}", "--since", "soon"), 1),
    ],
)
def test_wrong_arguments(home: Home, csift: Csift, flags: tuple[str, ...], code: int) -> None:
    """verbatim_V2."""
    fixture(home)

    result = csift("verbatim", *flags)

    assert (result.exit_code, result.stdout) == (code, "")


def three_messages(home: Home) -> None:
    home.transcript().lines(
        U("u1", "-", "10:00:00", "go"),
        A("a1", "u1", "10:00:01", txt("Let me look")),
        A("a2", "a1", "10:00:02", use("t1", "Bash")),
        A("a3", "a2", "10:00:03", txt("x" * 400)),
        R("r1", "a3", "10:00:04", "t1", "no", err=True),
        A("a4", "r1", "10:00:05", txt("Done, 12 tests passed")),
    )


def test_which_messages_are_kept(home: Home, csift: Csift) -> None:
    """verbatim_V3."""
    three_messages(home)

    longest = csift("verbatim", f"@{S1}").stdout
    last = csift("verbatim", f"@{S1}", "--agent-msgs", "eot-only").stdout

    assert places(csift, f"@{S1}") == [("user", 1), ("assistant", 4), ("assistant", 6)]
    assert "\n△ L2  [1 agent message, 0 tool calls]\n△ L4  ASSISTANT" in longest
    assert "\n△ L2–L4  [2 agent messages, 1 tool call]\n△ L6  ASSISTANT" in last
    assert places(csift, f"@{S1}", "--agent-msgs", "rich")[1:] == [
        ("assistant", 2),
        ("assistant", 4),
        ("assistant", 6),
    ]
    assert len(places(csift, f"@{S1}", "--agent-msgs", "all")) == 4


def test_failed_results_are_counted_where_messages_are_left_out(home: Home, csift: Csift) -> None:
    three_messages(home)
    home.transcript().lines(A("a5", "a4", "10:00:06", txt("Now I stop")))

    result = csift("verbatim", f"@{S1}", "--agent-msgs", "eot-only")
    (row,) = [
        row
        for row in verbatim(csift, f"@{S1}", "--agent-msgs", "eot-only")
        if row["kind"] == "collapsed_agents"
    ]

    assert "△ L2–L6  [3 agent messages, 1 tool call, 1 failed]" in result.stdout
    assert (row["agent_messages"], row["tool_calls"], row["failed"]) == (3, 1, 1)
    assert row["refetch"] == f"csift show @{S1} --line 2..6"
    assert (row["turn_index"], row["first_line"], row["last_line"]) == (0, 2, 6)


def test_a_long_body_loses_its_middle(home: Home, csift: Csift) -> None:
    """verbatim_V4."""
    body = "a" * 360 + "b" * 400 + "c" * 240
    home.transcript().lines(U("u1", "-", "10:00:00", body))

    (row,) = turns(csift, f"@{S1}")

    assert f"\n{'a' * 360} … [+400 chars] … {'c' * 240}\n" in csift("verbatim", f"@{S1}").stdout
    assert (row["full_chars"], row["elided_chars"], row["truncated"]) == (1000, 400, True)
    assert row["text"] == body
    assert row["rendered_chars"] == 600 + len(" … [+400 chars] … ")


def test_lines_inside_the_lost_middle_are_counted(home: Home, csift: Csift) -> None:
    """An agent's body may have 900 characters, of which the beginning gets two thirds."""
    body = "a" * 594 + "\nb\n" + "c" * 306
    home.transcript().lines(U("u1", "-", "10:00:00", "go"), A("a1", "u1", "10:00:01", txt(body)))

    (_, row) = turns(csift, f"@{S1}")

    assert f"{'a' * 594} … [+3 chars, 2 lines elided] … {'c' * 306}\n" in (
        csift("verbatim", f"@{S1}").stdout
    )
    assert (row["elided_chars"], row["elided_lines"]) == (3, 2)


def test_line_breaks_of_prose_stay(home: Home, csift: Csift, tmp_path: Path) -> None:
    """Thinking, narration and tools never appear; a picture is named."""
    home.transcript().lines(
        U("u1", "-", "10:00:00", [txt("one\n\ttwo"), txt("three"), image()]),
        A("a1", "u1", "10:00:01", think("secret"), use("t1", "Bash", {"command": "ls"})),
        A("a2", "a1", "10:00:02", txt(" "), txt("ok")),
    )

    assert written(csift, tmp_path / "out", f"@{S1}") == (
        "▽ L1  USER  (2026-03-01 10:00:00 UTC(UTC+0))\n"
        "one\n\ttwo\nthree\n"
        "  [1 image(s): L1i1]\n"
        "  [1 tool calls]\n"
        "△ L3  ASSISTANT  (2026-03-01 10:00:02 UTC(UTC+0))\n"
        "ok\n"
    )


# ------------------------------------------------------------------ compactions


def test_a_boundary_stands_between_what_it_separates(home: Home, csift: Csift) -> None:
    """verbatim_V5."""
    compacted(home)

    result = csift("verbatim", f"@{S1}")
    rows = verbatim(csift, f"@{S1}")

    document = result.stdout.partition(RULE)[2]
    assert [line for line in document.split("\n") if line[:1] in "▽△═"] == [
        "",
        "▽ L1  USER  (2026-03-01 10:00:00 UTC(UTC+0))",
        "△ L4  ASSISTANT  (2026-03-01 10:00:03 UTC(UTC+0))",
        "══ compaction boundary · summary at L5 · (turns above predate it) ══",
        "▽ L6  USER  (2026-03-01 10:00:05 UTC(UTC+0))",
        "△ L9  ASSISTANT  (2026-03-01 10:00:08 UTC(UTC+0))",
        "",
    ]
    assert "spanned 1 of 1 compaction boundaries" in result.stdout
    assert "what was said" not in result.stdout
    assert "has no compaction" not in result.stderr
    assert [row["kind"] for row in rows] == [
        "header",
        "turn",
        "turn",
        "compaction_boundary",
        "turn",
        "turn",
        "summary",
    ]
    assert [row["compactions_before"] for row in rows if row["kind"] == "turn"] == [1, 1, 0, 0]
    assert (rows[3]["line"], rows[3]["summary_chars"]) == (5, len("what was said"))


def test_only_what_is_chosen_is_spanned(home: Home, csift: Csift) -> None:
    """verbatim_V5: a budget for the second turn alone."""
    compacted(home)
    whole = csift("verbatim", f"@{S1}").stdout
    budget = str(len(whole) - 90)

    result = csift("verbatim", f"@{S1}", "--budget", budget)

    assert "second answer" in result.stdout
    assert "first" not in result.stdout.partition(RULE)[2]
    assert "══" not in result.stdout
    assert "spanned 0 of 1" in result.stdout


def test_older_regions_can_be_left_out(home: Home, csift: Csift) -> None:
    """--max-compactions: at most so many summaries after a turn."""
    home.transcript().lines(
        *(
            line
            for number in range(3)
            for line in (
                U(f"u{number}", "-", f"10:0{number}:00", f"question {number}"),
                A(f"a{number}", f"u{number}", f"10:0{number}:01", txt(f"answer {number}")),
                U(f"s{number}", "-", f"10:0{number}:02", "summary", isCompactSummary=True),
            )
        ),
        U("u9", "-", "10:09:00", "last"),
    )

    found = turns(csift, f"@{S1}", "--max-compactions", "2")

    assert [row["compactions_before"] for row in found] == [2, 2, 1, 1, 0]
    assert len(turns(csift, f"@{S1}")) == 7
    assert header(csift, f"@{S1}")["boundaries_spanned"] == 3


def test_what_the_summary_quotes_comes_last(home: Home, csift: Csift) -> None:
    """A turn that is still in the context and stands in the summary is demoted, never dropped."""
    home.transcript().lines(
        U("u0", "-", "09:00:00", "second question"),
        U(
            "s1",
            "u0",
            "10:00:04",
            'the user asked "Second   Question" before',
            isCompactSummary=True,
        ),
        U("u1", "s1", "10:00:05", "second question, in other words"),
        A("a1", "u1", "10:00:06", txt("short")),
        U("u2", "a1", "10:00:07", "third"),
        A("a2", "u2", "10:00:08", txt("an answer")),
    )

    rows = turns(csift, f"@{S1}")
    result = csift("verbatim", f"@{S1}")

    assert [row["also_in_summary"] for row in rows] == [False, True, False, False, False]
    assert "▽ L3  USER  (2026-03-01 10:00:05 UTC(UTC+0))   (also in summary)\n" in result.stdout
    assert "  dedup: 1 units also present in summary L2 (demoted, flagged)\n" in result.stdout


# ------------------------------------------------------------------ budget


def test_too_small_a_budget_names_what_is_needed(home: Home, csift: Csift) -> None:
    """verbatim_V6: what it names is enough, and one less is not."""
    fixture(home)

    result = csift("verbatim", f"@{S1}", "--budget", "60")
    needed = re.search(r"needs ≥ (\d+) chars; raise --budget \(now 60\)", result.stdout)

    assert result.exit_code == 0
    assert f"SESSION {S1}  skipped — its first round-trip needs ≥ " in result.stdout
    assert result.stdout.startswith(
        "scope  1 session in scope (1 top-level + 0 subagent) · 0 rendered within budget · budget "
        "60 chars is PER session → up to 60 chars total\n\n"
    )
    assert needed is not None
    enough = csift("verbatim", f"@{S1}", "--budget", needed[1]).stdout
    assert "please run the tests" in enough
    assert "Tests are green" in enough
    less = str(int(needed[1]) - 1)
    assert "Tests are green" not in csift("verbatim", f"@{S1}", "--budget", less).stdout
    assert header(csift, f"@{S1}", "--budget", "60")["chars_used"] == 0
    skipped = verbatim(csift, f"@{S1}", "--budget", "60")[-1]["sessions_skipped"]
    assert skipped == [{"session_id": S1, "needs_chars": int(needed[1])}]


@pytest.mark.parametrize("budget", [300, 350, 400, 500, 700, 1000, 2000])
def test_no_budget_is_exceeded(home: Home, csift: Csift, budget: int) -> None:
    """Heading, rule and words together."""
    compacted(home, 'they said "second answer"')
    for number in range(6):
        home.transcript().lines(
            U(f"v{number}", "-", f"11:0{number}:00", "question " * (number + 1)),
            A(f"w{number}", f"v{number}", f"11:0{number}:01", txt("answer " * 2 * number + "x")),
            U(
                f"n{number}",
                "-",
                f"11:0{number}:02",
                f"<task-notification><task-id>b{number}</task-id><status>completed</status>"
                "<summary>Background command done</summary></task-notification>",
            ),
        )

    text = csift("verbatim", f"@{S1}", "--budget", str(budget)).stdout

    if "skipped —" not in text:
        assert len(text) <= budget
        used = header(csift, f"@{S1}", "--budget", str(budget))["chars_used"]
        assert len(text) <= used <= budget


def test_round_trips_come_before_single_words(home: Home, csift: Csift) -> None:
    """Half of the budget is for what was asked and answered, the rest for whatever fits."""
    home.transcript().lines(
        U("u1", "-", "10:00:00", "asked"),
        A("a1", "u1", "10:00:01", txt("answered")),
        *(U(f"v{number}", "-", f"10:01:{number:02}", "unanswered " * 20) for number in range(9)),
    )

    found = places(csift, f"@{S1}", "--budget", "700")

    assert ("assistant", 2) in found
    assert len(found) < 11


# ------------------------------------------------------------------ chunks and files


def test_chunks_join_to_the_document(home: Home, csift: Csift, tmp_path: Path) -> None:
    """verbatim_V7."""
    fixture(home)
    home.transcript().lines(A("a4", "a3", "10:06:00", txt("y" * 200 + "\nshort")))
    document = written(csift, tmp_path / "out", f"@{S1}")

    for width in (50, 97, 10000):
        chunks = []
        while True:
            number = str(len(chunks) + 1)
            result = csift("verbatim", f"@{S1}", "--slice", number, "--window", str(width))
            assert result.exit_code == 0
            assert result.stderr == ""
            if not result.stdout:
                break
            assert len(result.stdout) <= width
            chunks.append(result.stdout)
        assert "".join(chunks) == document
    assert csift("verbatim", f"@{S1}", "--slice", "99").stdout == ""


def test_a_fixed_number_of_chunks_keeps_the_newest(home: Home, csift: Csift) -> None:
    """--slices: the budget is as many chunks; the first one is the oldest that is kept."""
    for number in range(12):
        home.transcript().lines(
            U(f"u{number}", "-", f"10:{number:02}:00", f"question {number} " + "q" * 300),
            A(f"a{number}", f"u{number}", f"10:{number:02}:01", txt(f"answer {number}")),
        )
    arguments = (f"@{S1}", "--window", "600", "--slices", "2")

    first = csift("verbatim", *arguments, "--slice", "1").stdout
    second = csift("verbatim", *arguments, "--slice", "2").stdout

    assert "answer 11" in second
    assert first
    assert len(first) <= 600
    assert csift("verbatim", *arguments, "--slice", "3").stdout == ""


def test_the_document_goes_to_a_file_too(home: Home, csift: Csift, tmp_path: Path) -> None:
    fixture(home)
    path = tmp_path / "words.txt"

    result = csift("verbatim", f"@{S1}", "--out", path)

    assert path.read_text(encoding="utf-8").startswith("▽ L1  USER")
    assert "SESSION" not in path.read_text(encoding="utf-8")
    assert result.stdout.endswith(f"(wrote full reconstruction to {path})\n")


def test_an_empty_document_replaces_no_file(home: Home, csift: Csift, tmp_path: Path) -> None:
    """verbatim_V9."""
    fixture(home)
    path = tmp_path / "words.txt"
    path.write_text("precious")

    result = csift("verbatim", f"@{S1}", "--budget", "60", "--out", path)

    assert result.exit_code == 0
    assert path.read_text() == "precious"
    assert f"{path} was left untouched" in result.stderr


def test_a_file_that_cannot_be_written_is_an_error(
    home: Home, csift: Csift, tmp_path: Path
) -> None:
    fixture(home)

    result = csift("verbatim", f"@{S1}", "--out", tmp_path / "none" / "words.txt")

    assert (result.exit_code, result.stdout) == (1, "")
    assert "none" in result.stderr


def test_files_are_exact_and_a_terminal_is_safe(home: Home, csift: Csift, tmp_path: Path) -> None:
    """ruling_R28."""
    home.transcript().lines(U("u1", "-", "10:00:00", "a\x1b[31mb\n\tc"))

    assert "a\x1b[31mb\n\tc\n" in written(csift, tmp_path / "out", f"@{S1}")
    assert "a\\x1b[31mb\n\tc\n" in csift("verbatim", f"@{S1}").stdout
    assert "a\\x1b[31mb\n\tc\n" in csift("verbatim", f"@{S1}", "--slice", "1").stdout


# ------------------------------------------------------------------ who speaks


NOTICE = (
    "<task-notification><task-id>b1</task-id><status>completed</status>"
    "<summary>Background command done</summary></task-notification>"
)


def test_a_task_is_no_person(home: Home, csift: Csift) -> None:
    """verbatim_V8."""
    home.transcript().lines(
        U("u1", "-", "10:00:00", NOTICE), A("a1", "u1", "10:00:01", txt("it is done"))
    )

    result = csift("verbatim", f"@{S1}")
    user, _ = turns(csift, f"@{S1}")
    head = header(csift, f"@{S1}")

    assert "\n[background-command b1 completed] Background command done\n" in result.stdout
    assert (
        "  selected 1 user (1 automation trigger: 1 background-command) + 1 assistant units across "
        "1 turns"
    ) in result.stdout
    assert (user["is_automation"], user["trigger_kind"]) == (True, "background-command")
    assert (user["task_id"], user["status"], user["event"]) == ("b1", "completed", None)
    assert head["automation_triggers"] == 1
    assert head["automation_by_kind"]["background-command"] == 1
    assert head["automation_by_kind"].keys() == {
        "background-command",
        "agent",
        "workflow",
        "monitor",
        "task",
    }


def test_tasks_that_are_left_out_are_counted(home: Home, csift: Csift) -> None:
    home.transcript().lines(
        *(U(f"n{number}", "-", f"10:00:{number:02}", NOTICE) for number in range(9)),
        U("u1", "-", "10:01:00", "asked " * 20),
        A("a1", "u1", "10:01:01", txt("answered")),
    )

    text = csift("verbatim", f"@{S1}", "--budget", "700").stdout

    assert "  in scope (not all selected): 9 automation triggers — 9 background-command\n" in text


def test_messages_of_agents_name_their_sender(home: Home, csift: Csift) -> None:
    message = (
        "Another Claude session sent a message:\n"
        '<teammate-message teammate_id="lead">please\nrebase</teammate-message>\n\nfooter'
    )
    home.transcript().lines(
        U("u1", "-", "10:00:00", message), A("a1", "u1", "10:00:01", txt("rebased"))
    )

    (row, _) = turns(csift, f"@{S1}")

    assert (
        "▽ L1  agent.communication.inbox  lead ⇨ self  (2026-03-01 10:00:00 UTC(UTC+0))\n"
        "please\nrebase\n"
    ) in csift("verbatim", f"@{S1}").stdout
    assert row["is_inbound_comm"] is True
    assert (row["comm_label"], row["comm_from"], row["comm_to"]) == (
        "agent.communication.inbox",
        "lead",
        "self",
    )


def test_agents_are_restored_when_asked_for(home: Home, csift: Csift) -> None:
    """Their first prompt comes from the session, not from a person."""
    fixture(home)
    home.transcript().child().user("map it", at="11:00:00").assistant(txt("mapped"))

    both = csift("verbatim", f"@{S1}", "--subagents")

    assert header(csift, f"@{S1}")["sessions_in_scope"] == 1
    assert both.stdout.startswith(
        "scope  2 sessions in scope (1 top-level + 1 subagent) · 2 rendered within budget · budget "
        "40000 chars is PER session → up to 80000 chars total\n\n"
    )
    assert f"\n\nSUBAGENT {AGENT}  ·  parent SESSION {S1}  (subagent transcript)\n" in both.stdout
    assert f"▽ L1  agent.communication.inbox  {S1} ⇨ self" in both.stdout
    assert csift("verbatim", f"@{AGENT}").stdout.startswith(f"SUBAGENT {AGENT}")


def test_lanes_inside_a_file_are_conversations_of_their_own(home: Home, csift: Csift) -> None:
    """ruling_R16."""
    home.transcript().lines(
        U("u1", "-", "10:00:00", "go"),
        U("c1", "-", "10:00:01", "map it", isSidechain=True),
        A("c2", "c1", "10:00:02", txt("mapped"), isSidechain=True),
        A("a1", "u1", "10:00:03", txt("done")),
    )

    assert places(csift, f"@{S1}") == [("user", 1), ("assistant", 4)]
    assert places(csift, "@side-c1") == [("user", 2), ("assistant", 3)]
    assert {row["session_id"] for row in turns(csift, f"@{S1}", "--subagents")} == {S1, "side-c1"}


def test_a_draft_never_appears(home: Home, csift: Csift) -> None:
    """verbatim_V10."""
    home.transcript().lines(
        U("u1", "-", "10:00:00", "begin"),
        A("a1", "u1", "10:00:01", txt("ready")),
        U("u2", "a1", "10:00:05", "fix teh bug"),
        U("u3", "a1", "10:00:20", "fix the bug"),
        A("a2", "u3", "10:00:25", txt("done")),
    )

    assert "teh" not in csift("verbatim", f"@{S1}").stdout
    assert places(csift, f"@{S1}") == [
        ("user", 1),
        ("assistant", 2),
        ("user", 4),
        ("assistant", 5),
    ]


def test_a_waiting_question_is_the_newest_unit(home: Home, csift: Csift) -> None:
    """verbatim_V11."""
    home.transcript().lines(U("u1", "-", "10:00:00", "go"))
    asked = use("q9", "AskUserQuestion", {"questions": [{"question": "Deploy now?"}]})
    marker = {
        **json.loads(A("w1", "u1", "10:06:00", asked)),
        "csift": "elicitation-marker-v1",
        "csiftPhase": "pending",
        "csiftKind": "AskUserQuestion",
        "csiftKey": "q9",
    }
    home.file(f"projects/{PROJECT}/{S1}/elicitations.jsonl", encode_line(marker) + "\n")

    result = csift("verbatim", f"@{S1}")

    assert result.stdout.endswith(
        "▽ (elicitation sidecar)  USER  (2026-03-01 10:06:00 UTC(UTC+0))\n"
        "AskUserQuestion: Deploy now?\n"
    )
    assert "\n  with elicitation sidecar\n" in result.stdout
    assert places(csift, f"@{S1}") == [("user", 1), ("user", None)]
    assert turns(csift, f"@{S1}")[-1]["source"] == "elicitation-sidecar"
    assert header(csift, f"@{S1}")["with_elicitation_sidecar"] is True


def test_queued_prompts_stand_at_their_line(home: Home, csift: Csift) -> None:
    """ruling_R20: a user-only unit; one that came back is found there instead."""
    home.transcript().user("go").queue("enqueue", "also lint").assistant(txt("ok")).queue(
        "enqueue", "never seen"
    ).queue("remove").user("also lint")

    found = turns(csift, f"@{S1}")

    assert [(row["line"], row["label"]) for row in found] == [
        (1, "user.message"),
        (3, "agent.message"),
        (4, "user.queued"),
        (6, "user.message"),
    ]
    assert found[2]["queue_outcome"] == "removed"
    assert "▽ L4  user.queued [enqueue · removed later]  (" in csift("verbatim", f"@{S1}").stdout


def test_answers_and_rejections_are_words_of_a_person(home: Home, csift: Csift) -> None:
    home.transcript().lines(
        U("u1", "-", "10:00:00", "start"),
        A("a1", "u1", "10:00:01", use("q1", "AskUserQuestion", {"questions": []})),
        R(
            "r1",
            "a1",
            "10:00:09",
            "q1",
            "User has answered your questions: ..",
            tur={"questions": [{"question": "Which env?"}], "answers": {"Which env?": "staging"}},
        ),
        A("a2", "r1", "10:00:10", use("p1", "ExitPlanMode", {"planFilePath": "/p/plan.md"})),
        R(
            "r2",
            "a2",
            "10:00:11",
            "p1",
            "The user doesn't want to proceed with this tool use. To tell you how to proceed, the "
            "user said:\nuse the\nother file",
            err=True,
        ),
    )

    texts = [row["text"] for row in turns(csift, f"@{S1}")]

    assert texts == [
        "start",
        "[AskUserQuestion · 1 question] Q1 Which env? A1: staging",
        "use the other file [plan: /p/plan.md]",
    ]


# ------------------------------------------------------------------ scope and window


def test_turns_and_times_limit_the_words(home: Home, csift: Csift) -> None:
    fixture(home)

    assert places(csift, f"@{S1}", "--turn", "-1") == [("user", 5)]
    assert places(csift, f"@{S1}", "--until", "2026-03-01T10:00:00Z") == [
        ("user", 1),
        ("assistant", 4),
    ]
    assert places(csift, f"@{S1}", "--since", "2026-03-01T10:00:01Z") == [("user", 5)]


def test_an_agents_own_words_without_an_opener(home: Home, csift: Csift) -> None:
    """The time of the last message decides, where nothing began the turn."""
    home.transcript().lines(
        A("a0", "-", "10:00:00", txt("hello")), A("a1", "a0", "10:00:05", txt("there"))
    )

    assert places(csift, f"@{S1}", "--agent-msgs", "all") == [("assistant", 1), ("assistant", 2)]
    assert places(csift, f"@{S1}", "--until", "2026-03-01T10:00:01Z") == []


def test_an_empty_scope_and_an_empty_file(home: Home, csift: Csift) -> None:
    home.transcript()
    nothing = "no turns selected (empty session set or budget too small)\n"

    assert csift("verbatim", f"@{S1}").stdout == nothing
    assert csift("verbatim", "--sessions-from", "-", stdin="").stdout == nothing
    assert csift("verbatim", "--sessions-from", "-", stdin=S1).exit_code == 0


def test_several_sessions_stand_apart(home: Home, csift: Csift) -> None:
    fixture(home)
    home.transcript(S2).user("two")

    result = csift("verbatim", PROJECT)

    assert f"now write the docs\n\nSESSION {S2}\n" in result.stdout
    assert header(csift, PROJECT)["max_total_chars"] == 80000
    assert result.stderr.count("has no compaction") == 2


def test_malformed_lines_are_counted(home: Home, csift: Csift) -> None:
    fixture(home)
    home.transcript().raw("garbage")

    assert csift("verbatim", f"@{S1}").stdout.endswith("(1 malformed line(s) skipped)\n")
    assert verbatim(csift, f"@{S1}")[-1]["skipped_lines"] == 1


@pytest.mark.real_data
def test_real_transcripts_are_restored(real_data: Path, csift: Csift) -> None:
    """Whatever a version wrote: nothing fails, no budget is exceeded."""
    restored = 0
    for home in sorted(real_data.iterdir()):
        if not (home / "projects").is_dir():
            continue
        for path in sorted((home / "projects").glob("*/*.jsonl")):
            for budget in ("500", "3000", "40000"):
                arguments = (path, "--claude-home", home, "--budget", budget, "--subagents")
                result = csift("verbatim", *arguments, "--format", "json")
                assert result.exit_code == 0, (path, result.stderr)
                head = result.rows("header")[0]
                assert head["chars_used"] <= head["max_total_chars"]
                restored += head["sessions_rendered"]
    assert restored > 20
