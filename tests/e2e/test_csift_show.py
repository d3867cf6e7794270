"""`csift show`: acceptance cases show_W1 to show_W9, and the rulings on records of one file."""

import json
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
    txt,
    use,
)
from tests.conftest import Csift


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


def with_draft(home: Home) -> None:
    """Fixture of case K18."""
    home.transcript().lines(
        U("u1", "-", "10:00:00", "begin"),
        A("a1", "u1", "10:00:01", txt("ready")),
        U("u2", "a1", "10:00:05", "fix teh bug"),
        U("u3", "a1", "10:00:20", "fix the bug"),
        A("a2", "u3", "10:00:25", txt("done")),
    )


def show(csift: Csift, *arguments: str | Path) -> list[dict[str, Any]]:
    result = csift("show", *arguments, "--format", "json")
    assert result.exit_code == 0, result.stderr
    return result.rows("record")


def lines(csift: Csift, *arguments: str | Path) -> list[int | None]:
    return [row["line"] for row in show(csift, *arguments)]


def summary(csift: Csift, *arguments: str | Path) -> dict[str, Any]:
    return csift("show", *arguments, "--format", "json").rows("summary")[0]


# ------------------------------------------------------------------ addresses


def test_one_line_is_one_unit(home: Home, csift: Csift) -> None:
    """show_W1."""
    fixture(home)

    (row,) = show(csift, f"@{S1}", "--line", "3")

    assert (row["label"], row["text"]) == ("agent.tool.result", "2 passed")
    assert (row["pairing"], row["turn_index"], row["tool_name"]) == ("paired", 0, "Bash")
    assert row["line"] == 3


def test_the_text_names_turn_and_pairing(home: Home, csift: Csift) -> None:
    fixture(home)

    assert csift("show", f"@{S1}", "--line", "1..2").stdout == (
        f"SESSION {S1}\n"
        "\n"
        "t0  2026-03-01 10:00:00.000 UTC(UTC+0)\n"
        "  ◂ user.message  L1  please run the tests\n"
        '  ▸ agent.tool.use ▹ agent.tool.result Bash  L2  Bash {"command":"pytest -q"}\n'
        "\n"
        "fetched 2 record unit(s)\n"
    )


def test_lines_and_ids_add_up(home: Home, csift: Csift) -> None:
    """show_W2."""
    fixture(home)
    arguments = (f"@{S1}", "--line", "2,4", "--uuid", "u2")

    assert lines(csift, *arguments) == [2, 4, 5]
    assert summary(csift, *arguments)["records"] == 3
    assert lines(csift, f"@{S1}", "--uuid", "u2,a3", "--uuid", "a1", "--line", "2") == [2, 5, 6]


def test_a_line_outside_the_file_is_an_error(home: Home, csift: Csift) -> None:
    """show_W3."""
    fixture(home)

    single = csift("show", f"@{S1}", "--line", "999")
    beyond = csift("show", f"@{S1}", "--line", "900..999")
    open_end = csift("show", f"@{S1}", "--line", "900..")

    assert (single.exit_code, single.stdout) == (1, "")
    assert "no such record(s): L999" in single.stderr
    assert "--raw prints any line" in single.stderr
    assert lines(csift, f"@{S1}", "--line", "5..999") == [5, 6]
    assert (beyond.exit_code, beyond.stdout) == (1, "")
    assert "no such record(s): L900-999" in beyond.stderr
    assert open_end.exit_code == 0
    assert "fetched 0 record unit(s)" in open_end.stdout


def test_an_unknown_id_is_an_error(home: Home, csift: Csift) -> None:
    """An id that text quotes is no record's own."""
    fixture(home)
    home.transcript().lines(U("u9", "a3", "10:06:00", 'what is "uuid":"x" about'))

    result = csift("show", f"@{S1}", "--uuid", "x", "--line", "77,900..901")

    assert (result.exit_code, result.stdout) == (1, "")
    assert "no such record(s): L77, L900-901, uuid x" in result.stderr


def test_an_id_may_be_written_with_escapes(home: Home, csift: Csift) -> None:
    home.transcript().raw(U("u1", "-", "10:00:00", "one").replace('"u1"', r'"\u00751"'))

    assert lines(csift, f"@{S1}", "--uuid", "u1") == [1]


def test_turns_count_from_zero_and_from_the_end(home: Home, csift: Csift) -> None:
    """show_W4 and K25."""
    fixture(home)

    last = csift("show", f"@{S1}", "--turn", "-1").stdout
    missing = csift("show", f"@{S1}", "--turn", "7")

    assert lines(csift, f"@{S1}", "--turn", "-1") == [5, 6]
    assert "\nt1  2026-03-01 10:05:00.000 UTC(UTC+0)\n" in last
    assert "\nt0" not in last
    assert (missing.exit_code, missing.stdout) == (1, "")
    assert "no such turn(s): t7 — the transcript has 2 turn(s) (t0..t1)" in missing.stderr
    assert lines(csift, f"@{S1}", "--turn", "-9") == [1, 2, 3, 4]
    assert lines(csift, f"@{S1}", "--turn", "1..99") == [5, 6]
    assert csift("show", f"@{S1}", "--turn", "5..9").exit_code == 1
    assert lines(csift, f"@{S1}", "--turn", "5..") == []


def test_lines_that_are_no_records_are_counted(home: Home, csift: Csift) -> None:
    """show_W5."""
    fixture(home)
    home.transcript().raw('{"type":"mode","mode":"plan"}').raw("").raw("not json")

    single = csift("show", f"@{S1}", "--line", "7")
    some = csift("show", f"@{S1}", "--line", "6..7")

    assert (single.exit_code, single.stdout) == (1, "")
    assert "no such record(s): L7" in single.stderr
    assert "fetched 1 record unit(s)\n1 line(s) in the addressed range are not records" in (
        some.stdout
    )
    assert "(1 malformed line(s) skipped)" in some.stdout
    assert summary(csift, f"@{S1}", "--line", "6..9")["non_record_lines"] == 3
    assert csift("show", f"@{S1}", "--line", "7", "--raw").stdout == (
        '{"type":"mode","mode":"plan"}\n'
    )


def test_a_range_of_no_records_is_no_error(home: Home, csift: Csift) -> None:
    home.transcript().raw('{"type":"mode","mode":"plan"}').raw('{"type":"mode","mode":"x"}')

    result = csift("show", f"@{S1}", "--line", "1..2")

    assert result.exit_code == 0
    assert "fetched 0 record unit(s)\n2 line(s) in the addressed range" in result.stdout


def test_an_address_opens_gates_and_a_turn_does_not(home: Home, csift: Csift) -> None:
    """show_W6."""
    fixture(home)
    duration = {"type": "system", "subtype": "turn_duration", "durationMs": 64911, "uuid": "s1"}
    home.transcript().raw(encode_line(duration))

    (row,) = show(csift, f"@{S1}", "--line", "7")

    assert row["label"] == "harness.meta.turn-duration"
    assert row["text"] == "[turn duration: 1m 5s · durationMs=64911]"
    assert lines(csift, f"@{S1}", "--turn", "1") == [5, 6]


def test_a_gated_line_belongs_to_the_turn_around_it(home: Home, csift: Csift) -> None:
    """Between two records of a turn it is in it; after the last one it is in none."""
    home.transcript().lines(
        U("u1", "-", "10:00:00", "one"),
        encode_line({"type": "system", "subtype": "informational", "content": "inside"}),
        A("a1", "u1", "10:00:01", txt("two")),
        encode_line({"type": "attachment", "uuid": "x1", "attachment": {"type": "todo"}}),
        U("u2", "a1", "10:00:02", "three"),
    )

    rows = show(csift, f"@{S1}", "--line", "..")
    text = csift("show", f"@{S1}", "--line", "..").stdout

    assert [(row["line"], row["turn_index"]) for row in rows] == [
        (1, 0),
        (2, 0),
        (3, 0),
        (4, None),
        (5, 1),
    ]
    assert "\n(outside turns)\n  ⚙ harness.meta.attachment  L4" in text


def test_the_cap_says_how_to_go_on(home: Home, csift: Csift) -> None:
    """show_W7."""
    fixture(home)
    arguments = (f"@{S1}", "--turn", "..", "--max-count", "2")

    capped = csift("show", *arguments)
    counted = summary(csift, *arguments)
    go_on = f"csift show @{S1} --line 3..6"

    assert lines(csift, *arguments) == [1, 2]
    assert (
        f"+4 more record unit(s) beyond the 2-unit cap · continue: {go_on}  "
        "(or --max-count 0 = uncapped)\n"
    ) in capped.stdout
    assert (counted["dropped_by_cap"], counted["refetch_remainder"]) == (4, go_on)
    assert lines(csift, *go_on.split()[2:]) == [3, 4, 5, 6]
    assert summary(csift, f"@{S1}", "--turn", "..", "--max-count", "0")["records"] == 6


def test_the_default_cap_is_200_units(home: Home, csift: Csift) -> None:
    home.transcript().lines(*(U(f"u{number}", "-", "10:00:00", "x") for number in range(203)))

    found = summary(csift, f"@{S1}", "--line", "..")

    assert (found["records"], found["dropped_by_cap"]) == (200, 3)
    assert found["refetch_remainder"] == f"csift show @{S1} --line 201..203"


def test_a_cap_inside_a_line_goes_on_with_that_line(home: Home, csift: Csift) -> None:
    home.transcript().lines(
        U("u1", "-", "10:00:00", "one"), A("a1", "u1", "10:00:01", txt("two"), txt("three"))
    )

    found = summary(csift, f"@{S1}", "--line", "1..2", "--max-count", "2")

    assert (found["records"], found["dropped_by_cap"]) == (2, 1)
    assert found["refetch_remainder"] == f"csift show @{S1} --line 2..2"


def test_drafts_stand_outside_turns(home: Home, csift: Csift) -> None:
    """show_W8."""
    with_draft(home)

    (row,) = show(csift, f"@{S1}", "--line", "3")
    text = csift("show", f"@{S1}", "--line", "..").stdout

    assert (row["superseded_draft"], row["turn_index"]) == (True, None)
    assert row["label"] == "user.unsent"
    assert (
        "\n(superseded draft — outside turn numbering)  2026-03-01 10:00:05.000 UTC(UTC+0)\n"
        "  ◂ user.unsent  L3  fix teh bug\n"
    ) in text
    assert lines(csift, f"@{S1}", "--turn", "..") == [1, 2, 4, 5]


def test_exactly_one_transcript_and_an_address(home: Home, csift: Csift) -> None:
    """show_W9."""
    fixture(home)
    home.transcript(S2).user("hi")

    two = csift("show", f"@{S1}", f"@{S2}", "--line", "1")
    bare = csift("show", f"@{S1}")
    directory = csift("show", PROJECT, "--line", "1")

    assert (two.exit_code, two.stdout) == (2, "")
    assert "show reads exactly one transcript; 2 targets were given" in two.stderr
    assert bare.exit_code == 1
    assert f"{S1}.jsonl" in bare.stderr
    for mode in ("--line", "--uuid", "--turn", "--branch-points"):
        assert mode in bare.stderr
    assert directory.exit_code == 1
    assert "names 2 top-level transcripts" in directory.stderr


def test_a_directory_with_one_session_will_do(home: Home, csift: Csift) -> None:
    fixture(home)
    home.transcript().child().user("map it")

    assert lines(csift, PROJECT, "--line", "1") == [1]
    assert show(csift, f"@{AGENT}", "--line", "1")[0]["session_id"] == AGENT


@pytest.mark.parametrize(
    "flags",
    [
        ("--line", "1", "--turn", "0"),
        ("--uuid", "u1", "--turn", "0"),
        ("--branch-points", "--line", "1"),
        ("--branch-points", "--turn", "1"),
        ("--branch-points", "--raw"),
        ("--line", "1", "--raw", "--format", "json"),
    ],
)
def test_modes_exclude_each_other(home: Home, csift: Csift, flags: tuple[str, ...]) -> None:
    fixture(home)

    result = csift("show", f"@{S1}", *flags)

    assert (result.exit_code, result.stdout) == (2, "")


@pytest.mark.parametrize(
    ("flag", "spec", "reason"),
    [
        ("--line", "0", "counting starts at 1"),
        ("--line", "5..2", "end (2) is before start (5)"),
        ("--line", "1-2", "START..END"),
        ("--turn", "x", "no range"),
        ("--line", "1,,2", "no range"),
    ],
)
def test_a_wrong_range_is_an_error(
    home: Home, csift: Csift, flag: str, spec: str, reason: str
) -> None:
    fixture(home)

    result = csift("show", f"@{S1}", flag, spec)

    assert (result.exit_code, result.stdout) == (1, "")
    assert reason in result.stderr


def test_an_empty_file_has_no_records(home: Home, csift: Csift) -> None:
    home.transcript()

    assert "no such record(s): L1" in csift("show", f"@{S1}", "--line", "1").stderr
    assert "0 turn(s) (it is empty)" in csift("show", f"@{S1}", "--turn", "0").stderr
    assert csift("show", f"@{S1}", "--line", "..").exit_code == 0


# ------------------------------------------------------------------ raw lines


def test_raw_lines_are_exact(home: Home, csift: Csift) -> None:
    fixture(home)
    home.transcript().raw(b"\xff\x1b[31m broken").raw(b"no newline", newline=False)
    body = home.transcript().path.read_bytes().split(b"\n")

    result = csift("show", f"@{S1}", "--line", "7,1,8", "--line", "1..1", "--raw")

    assert result.stdout_bytes == b"\n".join((body[0], body[6], body[7])) + b"\n"


def test_raw_addresses(home: Home, csift: Csift) -> None:
    """Of raw lines only those that do not exist are missing."""
    fixture(home)
    body = home.transcript().path.read_text().split("\n")

    missing = csift("show", f"@{S1}", "--line", "9", "--raw")
    by_id = csift("show", f"@{S1}", "--uuid", "u2", "--raw")
    by_turn = csift("show", f"@{S1}", "--turn", "1", "--raw")

    assert "no such record(s): L9 (file has 6 lines)" in missing.stderr
    assert (missing.exit_code, missing.stdout) == (1, "")
    assert by_id.stdout == body[4] + "\n"
    assert by_turn.stdout == f"{body[4]}\n{body[5]}\n"
    assert csift("show", f"@{S1}", "--uuid", "no", "--raw").exit_code == 1


def test_raw_lines_are_capped_with_a_note(home: Home, csift: Csift) -> None:
    fixture(home)

    result = csift("show", f"@{S1}", "--line", "..", "--raw", "--max-count", "4")

    assert result.stdout.count("\n") == 4
    assert (
        f"csift: note: +2 more line(s) beyond the 4-unit cap · continue: csift show @{S1} "
        "--line 5..6 --raw, or pass --max-count 0 (uncapped)"
    ) in result.stderr


# ------------------------------------------------------------------ forks


def test_branch_points(home: Home, csift: Csift) -> None:
    """show_W8."""
    with_draft(home)

    result = csift("show", f"@{S1}", "--branch-points")
    (row,) = csift("show", f"@{S1}", "--branch-points", "--format", "json").rows("branch-point")
    counted = csift("show", f"@{S1}", "--branch-points", "--format", "json").rows("summary")[0]

    assert result.stdout == (
        f"BRANCH POINTS  {S1}\n"
        "  5 conversation record(s) · 1 branch point(s) (a record with 2+ conversation children; "
        "tool-result carriers, isMeta records, and compaction summaries never count)\n"
        "  #1  uuid a1  L2  children 2 · widest gap 15s\n"
        "      L3  2026-03-01 10:00:05.000 UTC(UTC+0)  user\n"
        "      L4  2026-03-01 10:00:20.000 UTC(UTC+0)  user\n"
        f"      ↳ csift show @{S1} --line 4\n"
    )
    assert (row["uuid"], row["line"], row["widest_gap_seconds"]) == ("a1", 2, 15)
    assert [child["line"] for child in row["children"]] == [3, 4]
    assert (counted["branch_points"], counted["conversation_records"]) == (1, 5)


def test_no_forks_are_said(home: Home, csift: Csift) -> None:
    fixture(home)

    assert csift("show", f"@{S1}", "--branch-points").stdout.endswith(
        "  no forks: every conversation record has at most one conversation child\n"
    )


def test_forks_are_ordered_by_their_widest_gap(home: Home, csift: Csift) -> None:
    """Results of tools, meta records and summaries never count; progress is passed through."""
    home.transcript().lines(
        U("u1", "-", "10:00:00", "one"),
        A("a1", "u1", "10:00:01", use("t1", "Bash")),
        R("r1", "a1", "10:00:02", "t1", "out"),
        A("a2", "a1", "10:00:02", txt("not a fork")),
        U("m1", "a2", "10:00:03", "meta", meta=True),
        U("u2", "a2", "10:00:05", "two"),
        encode_line({"type": "progress", "uuid": "p1", "parentUuid": "a2", "data": {}}),
        U("u3", "p1", "11:59:55", "three"),
        A("a4", "gone", "12:00:00", txt("four")),
        U("u5", "gone", "12:00:07", "five", timestamp=None),
    )

    rows = csift("show", f"@{S1}", "--branch-points", "--format", "json").rows("branch-point")
    text = csift("show", f"@{S1}", "--branch-points").stdout

    assert [(row["uuid"], row["line"], row["widest_gap_seconds"]) for row in rows] == [
        ("a2", 4, 7190),
        ("gone", None, None),
    ]
    assert "widest gap 1h59m50s" in text
    assert "(parent not in file)  children 2 · widest gap unknown (missing timestamps)" in text


# ------------------------------------------------------------------ copies, lanes, waiting


def test_a_copy_names_its_original(home: Home, csift: Csift) -> None:
    """ruling_R27: it is in no turn; only its line shows it."""
    again = encode_line({"type": "attachment", "uuid": "x1", "attachment": {"type": "todo"}})
    home.transcript().lines(
        U("u1", "-", "10:00:00", "one"), again, U("u1", "-", "10:00:00", "one"), again
    )

    text = csift("show", f"@{S1}", "--line", "..").stdout
    rows = show(csift, f"@{S1}", "--line", "..")

    assert [row["copy_of"] for row in rows] == [None, None, 1, 2]
    assert "  ◂ user.message  L3  one (copy of L1)\n" in text
    assert lines(csift, f"@{S1}", "--turn", "..") == [1]
    assert lines(csift, f"@{S1}", "--uuid", "x1") == [2, 4]


def test_glued_records_share_a_line(home: Home, csift: Csift) -> None:
    """ruling_R13: both are shown, and images are numbered over the line."""
    first = U("u1", "-", "10:00:00", [txt("one"), image()])
    home.transcript().raw(first + U("u2", "u1", "10:00:01", [txt("two"), image()]))

    rows = show(csift, f"@{S1}", "--line", "1")
    text = csift("show", f"@{S1}", "--line", "1").stdout

    assert [(row["glued"], row["image_ids"]) for row in rows] == [(None, ["L1i1"]), (2, ["L1i2"])]
    assert "L1.2  two" in text
    assert csift("show", f"@{S1}", "--line", "1", "--raw").stdout.count("\n") == 1
    assert [row["text"] for row in show(csift, f"@{S1}", "--uuid", "u2")] == ["two"]
    assert summary(csift, f"@{S1}", "--line", "1")["recovered_records"] == 1


def test_a_lane_inside_the_file_is_named(home: Home, csift: Csift) -> None:
    """ruling_R16 and R17."""
    home.transcript().lines(
        U("u1", "-", "10:00:00", "go"),
        U("c1", "-", "10:00:01", "map it", isSidechain=True),
        A("c2", "c1", "10:00:02", txt("mapped"), isSidechain=True),
        A("a1", "u1", "10:00:03", txt("done")),
    )

    rows = show(csift, f"@{S1}", "--line", "..")
    text = csift("show", f"@{S1}", "--line", "..").stdout

    assert [(row["session_id"], row["is_subagent"]) for row in rows] == [
        (S1, False),
        ("side-c1", True),
        ("side-c1", True),
        (S1, False),
    ]
    assert "\n(lane side-c1)  t0  2026-03-01 10:00:01.000 UTC(UTC+0)\n" in text
    assert lines(csift, f"@{S1}", "--turn", "..") == [1, 4]
    assert lines(csift, "@side-c1", "--turn", "0") == [2, 3]
    assert lines(csift, "@side-c1", "--line", "..") == [2, 3]
    assert csift("show", "@side-c1", "--line", "2").stdout.startswith(
        f"SUBAGENT side-c1  ·  parent SESSION {S1}\n"
    )


def test_carried_messages_are_found_by_line_and_id(home: Home, csift: Csift) -> None:
    """ruling_R16: messages that only their parent's progress records hold."""
    message = json.loads(U("c1", "-", "10:00:01", "map it"))
    home.transcript().user("go", uuid="u1").progress(
        "agent_progress", tool="t1", agentId="abc1234", message=message
    )

    rows = show(csift, f"@{S1}", "--line", "2")

    assert [(row["label"], row["session_id"]) for row in rows] == [
        ("harness.meta.progress", S1),
        ("agent.communication.inbox", "abc1234"),
    ]
    assert [row["text"] for row in show(csift, f"@{S1}", "--uuid", "c1")] == ["map it"]
    assert csift("show", f"@{S1}", "--uuid", "c1", "--raw").stdout.count("\n") == 1


def test_queued_prompts_that_came_back_are_no_part_of_a_turn(home: Home, csift: Csift) -> None:
    """ruling_R20."""
    home.transcript().user("go", uuid="u1").queue("enqueue", "also lint").queue(
        "enqueue", "never seen"
    ).user("also lint")

    assert lines(csift, f"@{S1}", "--turn", "..") == [1, 3, 4]
    assert lines(csift, f"@{S1}", "--line", "2") == [2]
    assert "user.queued [enqueue]  L3  never seen" in csift("show", f"@{S1}", "--turn", "0").stdout


def test_a_waiting_question_joins_the_last_turn(home: Home, csift: Csift) -> None:
    """K28: it stands on no line, and is fetched by its id."""
    fixture(home)
    marker = {
        **json.loads(A("w1", "a3", "10:06:00", use("q9", "AskUserQuestion", {"questions": []}))),
        "csift": "elicitation-marker-v1",
        "csiftPhase": "pending",
        "csiftKind": "AskUserQuestion",
        "csiftKey": "q9",
    }
    home.file(f"projects/{PROJECT}/{S1}/elicitations.jsonl", encode_line(marker) + "\n")

    turn = show(csift, f"@{S1}", "--turn", "-1")
    text = csift("show", f"@{S1}", "--uuid", "w1").stdout
    raw = csift("show", f"@{S1}", "--uuid", "w1", "--raw")

    assert [row["line"] for row in turn] == [5, 6, None]
    assert turn[-1]["source"] == "elicitation-sidecar"
    assert "(elicitation sidecar)" in text
    assert "\nwith elicitation sidecar\n" in text
    assert summary(csift, f"@{S1}", "--line", "1")["with_elicitation_sidecar"] is True
    assert (raw.exit_code, raw.stdout) == (0, "")
    assert "1 elicitation sidecar record(s) omitted" in raw.stderr


def test_texts_are_whole_and_safe_for_a_terminal(home: Home, csift: Csift) -> None:
    """ruling_R28."""
    home.transcript().user("a\u001b[31mb\n\n" + "long " * 200)

    text = csift("show", f"@{S1}", "--line", "1").stdout

    assert r"a\x1b[31mb long long" in text
    assert "…" not in text
    assert "\x1b" not in text


def test_damage_is_counted_over_the_whole_file(home: Home, csift: Csift) -> None:
    """A broken line that is no candidate is counted when it is addressed."""
    fixture(home)
    home.transcript().raw('{"type":"ai-title","x":}').raw("garbage").raw(
        "\0\0" + U("u9", "-", "10:09:00", "x")
    )

    whole = summary(csift, f"@{S1}", "--line", "1")
    addressed = summary(csift, f"@{S1}", "--line", "6..9")

    assert (whole["skipped_lines"], whole["repaired_lines"]) == (1, 1)
    assert (addressed["skipped_lines"], addressed["non_record_lines"]) == (2, 2)


def test_a_file_outside_the_home_is_continued_by_its_path(tmp_path: Path, csift: Csift) -> None:
    path = tmp_path / "a b.jsonl"
    path.write_text(U("u1", "-", "10:00:00", "one") + "\n" + U("u2", "u1", "10:00:01", "two"))

    found = csift("show", path, "--line", "..", "--max-count", "1", "--format", "json")

    assert found.rows("summary")[0]["refetch_remainder"] == f"csift show '{path}' --line 2..2"


def test_the_tombstone_names_its_replacement(csift: Csift) -> None:
    result = csift("turns", f"@{S1}")

    assert (result.exit_code, result.stdout) == (1, "")
    assert "verbatim" in result.stderr


# ------------------------------------------------------------------ real transcripts


@pytest.mark.real_data
def test_a_glued_line_of_a_real_transcript(real_data: Path, csift: Csift) -> None:
    """ruling_R13 and R27: line 128 is a record and a title; L131 is a copy of the record."""
    home = real_data / "v2.1.12-glued-line"
    (path,) = home.rglob("*.jsonl")

    rows = show(csift, path, "--claude-home", home, "--line", "128,131")

    assert [(row["line"], row["copy_of"]) for row in rows] == [(128, None), (131, 128)]


@pytest.mark.real_data
def test_every_line_of_every_real_transcript_can_be_shown(real_data: Path, csift: Csift) -> None:
    """Whatever a version wrote, nothing fails, and raw lines are the file."""
    for path in sorted(real_data.glob("*/projects/**/*.jsonl")):
        if path.name in ("journal.jsonl", "elicitations.jsonl"):
            continue
        result = csift("show", path, "--line", "..", "--max-count", "0", "--format", "json")
        assert result.exit_code == 0, (path, result.stderr)
        raw = csift("show", path, "--line", "..", "--max-count", "0", "--raw")
        body = path.read_bytes()
        assert raw.stdout_bytes == body.removesuffix(b"\n") + b"\n" if body else b""
