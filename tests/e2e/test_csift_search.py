"""`csift search`: acceptance cases S-1 to S-13, K9 to K11 and K21 to K29, and the rulings."""

import json
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.build.home import (
    PROJECT,
    S1,
    S2,
    A,
    Home,
    R,
    U,
    encode_line,
    image,
    stamp,
    think,
    txt,
    use,
)
from tests.conftest import Csift

NOT_PROMOTED = 6


@pytest.fixture
def sydney(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """The process in another zone."""
    monkeypatch.setenv("TZ", "Australia/Sydney")
    time.tzset()
    yield
    monkeypatch.undo()
    time.tzset()


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


def answered(home: Home) -> None:
    """Fixture of case K14."""
    result = {"questions": [{"question": "Which env?"}], "answers": {"Which env?": "staging"}}
    home.transcript().lines(
        U("u1", "-", "10:00:00", "start"),
        A("a1", "u1", "10:00:01", use("q1", "AskUserQuestion", {"questions": []})),
        R("r1", "a1", "10:00:09", "q1", "User has answered your questions: ..", tur=result),
    )


def search(csift: Csift, *arguments: str | Path) -> list[dict[str, object]]:
    result = csift("search", *arguments, "--format", "json")
    assert result.exit_code == 0, result.stderr
    return result.rows("exchange")


def hits(csift: Csift, *arguments: str | Path) -> list[dict[str, object]]:
    return [hit for row in search(csift, *arguments) for hit in row["hits"]]  # type: ignore[attr-defined]


def lines(csift: Csift, *arguments: str | Path) -> list[object]:
    return [hit["line"] for hit in hits(csift, *arguments)]


def summary(csift: Csift, *arguments: str | Path) -> dict[str, object]:
    return csift("search", *arguments, "--format", "json").rows("summary")[0]


# ------------------------------------------------------------------ the command


def test_smart_case(home: Home, csift: Csift) -> None:
    """S-1."""
    fixture(home)

    assert lines(csift, "tests", f"@{S1}") == [1, 4]
    assert lines(csift, "Tests", f"@{S1}") == [4]
    assert lines(csift, "Tests", "-i", f"@{S1}") == [1, 4]


def test_counts_of_exchanges_and_records(home: Home, csift: Csift) -> None:
    """S-2."""
    fixture(home)

    assert csift("search", "", f"@{S1}", "-c").stdout == "2\n"
    assert csift("search", "", f"@{S1}", "--count-by", "label").stdout == (
        "      2  agent.tool.use\n"
        "      2  user.message\n"
        "      1  agent.message\n"
        "      1  agent.tool.result\n"
    )
    counted = summary(csift, "", f"@{S1}", "--count-by", "label")
    assert (counted["matched_records"], counted["distinct_keys"]) == (6, 4)


def test_hit_lines_tell_the_pairing(home: Home, csift: Csift) -> None:
    """S-3."""
    fixture(home)

    assert (
        '  ▸ agent.tool.use ▹ agent.tool.result Bash  L2  Bash {"command":"pytest -q"}\n'
        in csift("search", "pytest", f"@{S1}").stdout
    )
    assert (
        '  ▸ agent.tool.use (no result — pending) Write  L6  Write {"file_path":"/w/doc.md"}\n'
        in csift("search", "Write", f"@{S1}").stdout
    )
    census = csift("search", "", f"@{S1}", "--count-by", "pairing")
    assert census.stdout == "      2  paired\n      1  pending\n"
    assert "3 record(s) have no pairing" in census.stderr


def test_the_cap_keeps_either_end(home: Home, csift: Csift) -> None:
    """S-4."""
    fixture(home)

    first = csift("search", "", f"@{S1}", "--max-count", "1")
    last = csift("search", "", f"@{S1}", "--max-count", "-1")
    counted = summary(csift, "", f"@{S1}", "--max-count", "1")

    assert "matches  2 exchange(s)" in first.stdout
    assert "showing earliest 1" in first.stdout
    assert "aaaaaaaa·t0" in first.stdout
    assert "aaaaaaaa·t1" not in first.stdout
    assert "1 later dropped by --max-count" in first.stdout
    assert "showing latest 1" in last.stdout
    assert "aaaaaaaa·t1" in last.stdout
    assert "1 earlier dropped by --max-count" in last.stdout
    assert (counted["matched"], counted["dropped_by_cap"]) == (1, 1)
    assert csift("search", "", f"@{S1}", "-c", "--max-count", "1").stdout == "2\n"


def test_an_absence_is_explained(home: Home, csift: Csift) -> None:
    """S-5."""
    fixture(home)

    result = csift("search", "docs", f"@{S1}", "-t", "agent")
    counted = summary(csift, "docs", f"@{S1}", "-t", "agent")

    assert (result.exit_code, result.stdout) == (0, "no matching exchanges\n")
    assert "DEFINITIVE absence" in result.stderr
    assert "Active filters: -t agent." in result.stderr
    assert '"docs" DOES occur — 1 record(s) under: user.message ×1' in result.stderr
    assert "scanned only under an explicit -t" in result.stderr
    assert counted["definitive_absence"] is True
    assert counted["excluded_by_label"] == {"records": 1, "by_label": {"user.message": 1}}
    assert len(counted["gated_leaves_unreached"]) == NOT_PROMOTED  # type: ignore[arg-type]


def test_a_true_absence_is_no_label_mistake(home: Home, csift: Csift) -> None:
    fixture(home)

    result = csift("search", "nosuchword", f"@{S1}", "-t", "agent")
    plain = csift("search", "nosuchword", f"@{S1}")

    assert "genuinely absent in this scope, not a label mistake" in result.stderr
    assert "--count-by label" in plain.stderr
    assert "Active filters: none." in plain.stderr
    assert csift("search", "nosuchword", f"@{S1}", "-c").stdout == "0\n"
    assert csift("search", "nosuchword", f"@{S1}", "-l").stdout == ""


@pytest.mark.parametrize("pattern", [r"(a)\1", "x(?=y)"])
def test_patterns_that_are_not_linear_are_refused(home: Home, csift: Csift, pattern: str) -> None:
    """S-6."""
    fixture(home)

    result = csift("search", pattern, f"@{S1}")

    assert (result.exit_code, result.stdout) == (1, "")


def test_a_target_in_the_patterns_place_is_named(csift: Csift) -> None:
    """S-6."""
    result = csift("search", f"@{S1}")

    assert result.exit_code == 1
    assert r"\@" in result.stderr


def test_raw_lines_are_exact(home: Home, csift: Csift) -> None:
    """S-7."""
    fixture(home)
    body = (home.projects / PROJECT / f"{S1}.jsonl").read_bytes().split(b"\n")

    assert csift("search", "green", f"@{S1}", "--raw").stdout_bytes == body[3] + b"\n"
    assert csift("search", "green", f"@{S1}", "--raw", "--format", "json").exit_code == 2


def test_a_draft_is_a_unit_of_its_own(home: Home, csift: Csift) -> None:
    """S-8."""
    with_draft(home)

    text = csift("search", "bug", f"@{S1}").stdout
    counted = csift("search", "bug", f"@{S1}", "--count-by", "label").stdout

    assert "aaaaaaaa·draft (superseded — outside turn numbering)  2026-03-01 10:00:05" in text
    assert "  ◂ user.unsent  L3  fix teh bug\n" in text
    assert "aaaaaaaa·t1  2026-03-01 10:00:20" in text
    assert "(1 superseded draft(s) outside turn numbering" in text
    assert summary(csift, "bug", f"@{S1}")["superseded_drafts"] == 1
    assert counted == "      1  user.message\n      1  user.unsent\n"
    assert search(csift, "teh", f"@{S1}", "--turn", "..") == []
    (row,) = search(csift, "teh", f"@{S1}")
    assert (row["turn_index"], row["superseded_draft"]) == (None, True)


def test_a_long_text_is_cut_around_its_match(home: Home, csift: Csift) -> None:
    """S-9."""
    home.transcript().assistant(txt("a" * 1000 + " needle " + "b" * 1000))

    (hit,) = hits(csift, "needle")
    (whole,) = hits(csift, "needle", "--no-truncate")

    assert hit["excerpt"].startswith("…")  # type: ignore[attr-defined]
    assert hit["excerpt"] == "…" + "a" * 99 + " needle " + "b" * 293 + "… (+707 chars)"
    assert summary(csift, "needle")["excerpts_truncated"] is True
    assert len(whole["excerpt"]) == 2008  # type: ignore[arg-type]
    assert summary(csift, "needle", "--no-truncate")["excerpts_truncated"] is False
    assert "note: matches above are TRUNCATED" in csift("search", "needle").stdout


def test_a_record_appears_once_under_its_richest_label(home: Home, csift: Csift) -> None:
    """S-10."""
    answered(home)

    (as_result,) = hits(csift, "staging|answered", "-t", "agent.tool.result")
    (as_answer,) = hits(csift, "staging")

    assert as_result["label"] == "agent.tool.result"
    assert as_answer["label"] == "user.answer"
    assert as_answer["labels"] == ["user.answer", "agent.tool.result"]
    census = csift("search", "", f"@{S1}", "-t", "user.answer", "--count-by", "label")
    assert census.stdout == "      1  user.answer\n"


def test_undated_sessions_come_last(home: Home, csift: Csift) -> None:
    """S-11."""
    home.transcript(S1, "-work-z").user("x one")
    home.transcript(S2, "-work-a").user("x two", timestamp=...)

    result = csift("search", "x")

    assert [row["session_id"] for row in search(csift, "x")] == [S1, S2]
    assert "undated last" in result.stdout.split("\n")[0]


def test_equal_instants_keep_the_order_of_files(home: Home, csift: Csift) -> None:
    """R32: instants are compared, not their spelling."""
    home.transcript(S1).user("x", at="2026-03-01T10:00:00.000Z")
    home.transcript(S2).user("x", at="2026-03-01T10:00:00Z")

    assert [row["session_id"] for row in search(csift, "x")] == [S1, S2]


def test_white_space_is_normalised_in_what_people_say(home: Home, csift: Csift) -> None:
    """S-12 and R10: in an agent's text a newline stays one."""
    home.transcript().user("hello\nworld").assistant(txt("hello\nworld"))

    assert lines(csift, "hello world") == [1]
    assert lines(csift, r"hello\s+world") == [1, 2]


def test_siblings_are_the_other_records_of_the_turn(home: Home, csift: Csift) -> None:
    """S-13."""
    fixture(home)

    (row,) = search(csift, "passed", f"@{S1}", "--siblings")

    assert [hit["line"] for hit in row["hits"]] == [3]  # type: ignore[attr-defined]
    assert [one["line"] for one in row["siblings"]] == [1, 2, 4]  # type: ignore[attr-defined]
    assert (row["siblings_hidden"], row["turn_lines"]) == (0, [1, 4])
    assert (
        "  · user.message  L1  please run the tests\n"
        in csift("search", "passed", f"@{S1}", "--siblings").stdout
    )


def test_siblings_of_a_label_are_capped(home: Home, csift: Csift) -> None:
    session = home.transcript().user("go")
    for number in range(5):
        session.assistant(use(f"t{number}", "Bash", {"command": "ls"}))

    (row,) = search(csift, "go", "--siblings")

    assert len(row["siblings"]) == 3  # type: ignore[arg-type]
    assert row["siblings_hidden"] == 2
    assert (
        f"  · (+2 more · csift show @{S1} --line 1..6)\n"
        in csift("search", "go", "--siblings").stdout
    )


@pytest.mark.parametrize(
    "flags",
    [
        ("-l", "-c"),
        ("-l", "--siblings"),
        ("-l", "--format", "json"),
        ("--count-by", "label", "-c"),
        ("--count-by", "label", "--raw"),
        ("--raw", "--no-truncate"),
        ("--raw", "--siblings"),
        ("--raw", "--format", "json"),
        ("--count-by", "nonsense"),
    ],
)
def test_flags_that_exclude_each_other(home: Home, csift: Csift, flags: tuple[str, ...]) -> None:
    fixture(home)

    assert csift("search", "x", *flags).exit_code == 2


def test_a_session_id_as_pattern_is_noted(home: Home, csift: Csift) -> None:
    home.transcript().user("hi")

    assert f"@{S2}" in csift("search", S2).stderr
    assert f"@{S2}" not in csift("search", S2, f"@{S1}").stderr


def test_everything_everywhere_is_warned_about(home: Home, csift: Csift) -> None:
    fixture(home)

    assert "this may emit a lot" in csift("search", "").stderr
    assert "this may emit a lot" not in csift("search", "", f"@{S1}").stderr
    assert "this may emit a lot" not in csift("search", "", "-t", "user").stderr


def test_a_turn_is_chosen_per_transcript(home: Home, csift: Csift) -> None:
    """K25: a range from the end, and one that is empty."""
    fixture(home)

    assert lines(csift, "", f"@{S1}", "--turn", "-1") == [5, 6]
    assert lines(csift, "", f"@{S1}", "--turn", "3..-4") == []
    assert csift("search", "x", f"@{S1}", "--turn", "1-2").exit_code == 1


def test_a_window_is_inclusive_and_needs_times(home: Home, csift: Csift) -> None:
    """K27."""
    home.transcript().user("x", at="10:00:04").user("x", at="10:00:05").user("x", timestamp=...)

    assert lines(csift, "x", "--since", "2026-03-01T10:00:05") == [2]
    assert csift("search", "x", "--since", "2026-03-01T05:00:00+99:00").exit_code == 1
    assert csift("search", "x", "--since", "2h", "--until", "3h").exit_code == 1


def test_images_are_named(home: Home, csift: Csift) -> None:
    home.transcript().user([txt("see this"), image(), image()])

    (hit,) = hits(csift, "see this")

    assert hit["image_ids"] == ["L1i1", "L1i2"]
    assert "see this  [2 image(s): L1i1, L1i2]\n" in csift("search", "see this").stdout


# ------------------------------------------------------------------ labels and gates


def test_queued_words_that_never_came_back(home: Home, csift: Csift) -> None:
    """K21 as R20 rules it."""
    home.transcript().queue("enqueue", "also check tests").queue("dequeue")

    for selector in ((), ("-t", "user"), ("-t", "user.queued"), ("-t", "user.*")):
        (hit,) = hits(csift, "tests", f"@{S1}", *selector)
        assert (hit["label"], hit["queue_operation"]) == ("user.queued", "enqueue")
    assert "user.queued [enqueue]  L1" in csift("search", "tests", f"@{S1}").stdout
    assert lines(csift, "", f"@{S1}", "-t", "user.queued") == [1]


@pytest.mark.parametrize(
    ("later", "expected"),
    [
        ("also check\n tests", [2]),
        ("first\nalso check tests\nlast", [2]),
        ([txt("first"), txt("also check tests")], [2]),
        ("not also check tests", [1, 2]),
    ],
)
def test_queued_words_that_came_back_are_found_there(
    home: Home, csift: Csift, later: object, expected: list[int]
) -> None:
    """R20: as a text, a whole text block, or whole lines of one."""
    home.transcript().queue("enqueue", "also check tests").user(later)

    assert lines(csift, "check", f"@{S1}") == expected
    assert 1 in lines(csift, "check", f"@{S1}", "-t", "user.queued")


def test_what_became_of_queued_words(home: Home, csift: Csift) -> None:
    """R20: dequeue takes the oldest, remove the newest, popAll all; nothing hides a text."""
    home.transcript().queue("enqueue", "w one").queue("enqueue", "w two").queue(
        "enqueue", "w three"
    ).queue("dequeue").queue("remove").queue("popAll").queue("enqueue", "w four")

    assert [hit["queue_outcome"] for hit in hits(csift, "^w ")] == [
        "dequeued",
        "taken_back",
        "removed",
        "waiting",
    ]
    assert "user.queued [enqueue · removed later]  L3" in csift("search", "three").stdout


def test_a_queued_command_is_what_a_person_said(home: Home, csift: Csift) -> None:
    """R20."""
    home.transcript().attachment("queued_command", prompt="also check tests").attachment(
        "queued_command", prompt="<task-notification>tests</task-notification>"
    )

    (hit,) = hits(csift, "tests")

    assert (hit["label"], hit["line"]) == ("user.queued", 1)


@pytest.mark.parametrize("legacy", ["tool", "thinking", "tool-response", "nosuch"])
def test_selectors_that_select_nothing(csift: Csift, legacy: str) -> None:
    """K23."""
    result = csift("search", "x", "-t", legacy)

    assert result.exit_code == 2
    assert "agent.t" in result.stderr


def test_selectors_that_cancel_each_other(csift: Csift) -> None:
    """K23."""
    result = csift("search", "x", "-t", "agent.tool", "-T", "agent")

    assert result.exit_code == 1
    assert "-T excludes every label the -t selection includes" in result.stderr


def test_gated_lines_need_an_explicit_selector(home: Home, csift: Csift) -> None:
    """K22, and R15: progress too."""
    home.transcript().user("x").system("turn_duration", durationMs=64911, messageCount=4).progress(
        "hook_progress", hookName="x"
    )

    assert lines(csift, "1m 5s", "-t", "harness.meta.turn-duration") == [2]
    assert lines(csift, "x") == [1]
    assert lines(csift, "hook", "-t", "harness.meta.progress") == [3]
    assert lines(csift, "hook", "-t", "harness") == []


def test_attachments_have_a_flag(home: Home, csift: Csift) -> None:
    home.transcript().attachment("hook_additional_context", content=["note one"]).attachment(
        "file", filename="note.txt"
    )

    assert lines(csift, "note") == []
    assert lines(csift, "note", "--additional-context") == [1]
    assert lines(csift, "note", "--attachments") == [1, 2]
    census = csift("search", "note", "--count-by", "attachment")
    assert census.stdout == "      1  file\n      1  hook_additional_context\n"


def test_the_boundary_is_found_by_default(home: Home, csift: Csift) -> None:
    home.transcript().user("x").compact(trigger="manual")

    assert lines(csift, "trigger=manual") == [2]
    assert lines(csift, "trigger=manual", "-t", "harness") == []
    assert lines(csift, "trigger=manual", "-t", "harness.*") == [2]


# ------------------------------------------------------------------ lines


def test_damage_is_counted_and_white_space_tolerated(home: Home, csift: Csift) -> None:
    """K9: a re-serialised line has a space behind the colon."""
    spaced = U("u1", "-", "10:00:00", "hi").replace('"role":"user"', '"role": "user"')
    home.transcript().raw(spaced).raw("").raw("not json").raw('{"type":"ai-title","x":}').raw(
        A("a1", "u1", "10:00:05", txt("yo"))
    )

    assert lines(csift, "", f"@{S1}") == [1, 5]
    assert summary(csift, "", f"@{S1}")["skipped_lines"] == 1
    assert "(1 malformed line(s) skipped)\n" in csift("search", "hi", f"@{S1}").stdout


def test_line_separators_inside_strings_end_no_line(home: Home, csift: Csift) -> None:
    """K10."""
    home.transcript().user("a\u2028b\x85c").user("needle")

    assert lines(csift, "needle") == [2]


def test_strange_values_do_not_cost_the_record(home: Home, csift: Csift) -> None:
    """K11."""
    bad = U("u1", "-", "10:00:00", "needle").replace('"main"', "NaN")
    home.transcript().raw(bad).user("needle", timestamp=5)

    assert lines(csift, "needle") == [2]
    assert summary(csift, "needle")["skipped_lines"] == 1


def test_damage_around_a_line_is_repaired(home: Home, csift: Csift) -> None:
    """R12."""
    home.transcript().raw(b"\xef\xbb\xbf" + U("u0", "-", "10:00:00", "first").encode()).raw(
        b"\0\0\0" + U("u1", "-", "10:00:00", "needle").encode()
    )

    counted = summary(csift, "needle")

    assert lines(csift, "needle") == [2]
    assert (counted["repaired_lines"], counted["skipped_lines"]) == (1, 0)
    assert summary(csift, "first")["matched"] == 1


def test_bad_bytes_read_as_replacement_characters(home: Home, csift: Csift) -> None:
    """R10, R12."""
    line = U("u1", "-", "10:00:00", "caf@ needle").encode().replace(b"@", b"\xe9")
    home.transcript().raw(line).user("x").raw(
        U("u2", "-", "10:00:00", "half @ needle").replace("@", "\\ud83d")
    )

    assert [hit["excerpt"] for hit in hits(csift, "needle")] == ["caf� needle", "half � needle"]
    assert lines(csift, "�") == [1, 3]
    assert summary(csift, "needle")["repaired_lines"] == 2


def test_glued_lines_hold_two_records(home: Home, csift: Csift) -> None:
    """R13."""
    home.transcript().raw(
        U("u1", "-", "10:00:00", "needle one") + U("u2", "u1", "10:00:01", "needle two")
    )

    found = hits(csift, "needle")

    assert [(hit["line"], hit["glued"]) for hit in found] == [(1, None), (1, 2)]
    assert summary(csift, "needle")["recovered_records"] == 1
    assert "user.message  L1.2  needle two" in csift("search", "two").stdout
    assert csift("search", "needle", "--count-by", "session").stdout == f"      2  {S1}\n"
    assert csift("search", "needle", "--raw").stdout.count("\n") == 1


def test_images_are_numbered_over_a_glued_line(home: Home, csift: Csift) -> None:
    """R13."""
    home.transcript().raw(
        U("u1", "-", "10:00:00", [txt("needle"), image()])
        + U("u2", "u1", "10:00:01", [txt("needle"), image(), image()])
    )

    assert [hit["image_ids"] for hit in hits(csift, "needle")] == [["L1i1"], ["L1i2", "L1i3"]]


def test_what_skipped_lines_covers(home: Home, csift: Csift) -> None:
    """R14: only lines that may hold a match are decoded."""
    broken = U("u1", "-", "10:00:00", "other").replace('"message":', '"message"')
    home.transcript(S1).raw(broken)
    home.transcript(S2).user("needle")

    assert summary(csift, "needle")["skipped_lines"] == 0
    assert summary(csift, "", "-t", "user")["skipped_lines"] == 1
    assert summary(csift, "other")["skipped_lines"] == 1


def test_an_undecodable_line_that_could_match_is_counted(home: Home, csift: Csift) -> None:
    """R14: so the statement of an absence stays true."""
    home.transcript().raw(U("u1", "-", "10:00:00", "needle").replace('"main"', "main"))

    result = csift("search", "needle")

    assert result.stdout == "no matching exchanges\n(1 malformed line(s) skipped)\n"
    assert "caveat: 1 malformed line(s) skipped" in result.stderr


# ------------------------------------------------------------------ patterns and texts


def test_classes_are_ascii_and_folding_is_unicode(home: Home, csift: Csift) -> None:
    """R7."""
    home.transcript().user("٣").user("中foo中").user("300 \u212a")

    assert lines(csift, r"^\d$") == []
    assert lines(csift, r"\bfoo\b") == [2]
    assert lines(csift, "(?i)k") == [3]
    assert csift("search", r"\C").exit_code == 1


@pytest.mark.parametrize(
    ("pattern", "reason"),
    [("a++", "possessive quantifier"), ("(?<!a)b", "look-behind"), (r"a\Z", r"\z"), ("(", ")")],
)
def test_a_refusal_names_construct_and_place(csift: Csift, pattern: str, reason: str) -> None:
    """R8."""
    result = csift("search", pattern)

    assert result.exit_code == 1
    assert reason in result.stderr
    assert "offset" in result.stderr


def test_values_inside_a_tools_input_are_found(home: Home, csift: Csift) -> None:
    r"""R10: in the JSON the newline reads `\n`, whose letter is a word character."""
    given = {"content": "x\ndef main", "edits": [{"new": "y\ndefer"}]}
    home.transcript().assistant(use("t1", "Write", given), wireToolInputs={"t1": given})

    (hit,) = hits(csift, r"\bdef main")
    (deep,) = hits(csift, r"\bdefer\b")
    (plain,) = hits(csift, "content")

    assert (hit["field"], hit["excerpt"]) == ("content", "Write content: x def main")
    assert deep["field"] == "edits.0.new"
    assert plain["field"] is None


def test_decorations_and_ids_cannot_be_matched(home: Home, csift: Csift) -> None:
    fixture(home)

    assert search(csift, "pending", f"@{S1}") == []
    assert search(csift, "^L1$", f"@{S1}") == []


def test_multiline(home: Home, csift: Csift) -> None:
    home.transcript().assistant(txt("one\ntwo\nthree"))

    assert lines(csift, "^two$") == []
    assert lines(csift, "^two$", "--multiline") == [1]
    assert lines(csift, "one.two", "--multiline") == [1]


def test_words_that_only_the_program_writes_are_found(home: Home, csift: Csift) -> None:
    """A text may hold words that stand nowhere in its line; no filter may hide them."""
    note = (
        "<task-notification><task-id>b1</task-id><summary>Scheduled run</summary>"
        "</task-notification>"
    )
    home.transcript().user(note).compact().user("2 background agents were stopped by the user")

    assert lines(csift, "completed") == [1]
    assert lines(csift, "monitor b1") == [1]
    assert lines(csift, "compaction boundary") == [2]
    assert lines(csift, "subagent stopped") == [3]


def test_the_path_of_a_refused_plan_is_part_of_the_refusal(home: Home, csift: Csift) -> None:
    """It stands on the line that proposed the plan."""
    text = (
        "The user doesn't want to proceed with this tool use. "
        "To tell you how to proceed, the user said:\nsmaller"
    )
    home.transcript().assistant(use("t1", "ExitPlanMode", {"planFilePath": "/p/zebra.md"})).result(
        "t1", text, err=True
    )

    assert lines(csift, "zebra") == [1, 2]
    assert lines(csift, r"smaller \[plan: /p/zebra") == [2]


@pytest.mark.usefixtures("sydney")
def test_times_are_shown_in_the_local_zone(home: Home, csift: Csift) -> None:
    """K26."""
    home.transcript().user("hi", at="10:00:00")

    text = csift("search", "hi").stdout
    (row,) = search(csift, "hi")

    assert "2026-03-01 21:00:00.000 AEDT(UTC+11)" in text
    assert row["ts_local"] == "2026-03-01T21:00:00+11:00"


# ------------------------------------------------------------------ elicitations


def pending(key: str = "q9", **more: object) -> str:
    marker = {
        "csift": "elicitation-marker-v1",
        "csiftPhase": "pending",
        "csiftKind": "AskUserQuestion",
        "csiftKey": key,
        "type": "assistant",
        "uuid": "e1",
        "timestamp": stamp("10:01:00"),
        "message": {
            "role": "assistant",
            "content": [use(key, "AskUserQuestion", {"questions": [{"question": "Deploy now?"}]})],
        },
    }
    return encode_line({**marker, **more})


def test_a_waiting_question_is_a_hit(home: Home, csift: Csift) -> None:
    """K28."""
    home.transcript().lines(U("u1", "-", "10:00:00", "go, q9"))
    sidecar = f"projects/{PROJECT}/{S1}/elicitations.jsonl"
    home.file(sidecar, pending() + "\n")

    text = csift("search", "Deploy", f"@{S1}").stdout
    (hit,) = hits(csift, "Deploy", f"@{S1}")

    assert "agent.tool.use (no result — pending) AskUserQuestion  (elicitation sidecar)" in text
    assert "with elicitation sidecar\n" in text
    assert (hit["line"], hit["source"]) == (None, "elicitation-sidecar")
    assert hit["refetch"] == f"csift show @{S1} --uuid e1"

    home.file(sidecar, pending() + "\n" + pending(csiftPhase="resolved") + "\n")
    closed = csift("search", "Deploy", f"@{S1}")
    assert closed.stdout == "no matching exchanges\n"


def test_a_refused_question_closes_its_marker(home: Home, csift: Csift) -> None:
    """K28: rejection fires no closing hook."""
    home.transcript().lines(
        U("u1", "-", "10:00:00", "go"), R("r1", "a1", "10:00:01", "q9", "no", err=True)
    )
    home.file(f"projects/{PROJECT}/{S1}/elicitations.jsonl", pending() + "\n")

    assert search(csift, "Deploy", f"@{S1}") == []


def test_damage_in_the_sidecar_counts(home: Home, csift: Csift) -> None:
    """K29."""
    home.transcript().user("go")
    sidecar = home.file(
        f"projects/{PROJECT}/{S1}/elicitations.jsonl",
        "garbage\n" + pending(csiftPhase="weird") + "\n",
    )

    assert summary(csift, "go", f"@{S1}")["skipped_lines"] == 2
    assert summary(csift, "absent", f"@{S1}")["skipped_lines"] == 2
    refused = csift("search", "x", sidecar)
    assert (refused.exit_code, "elicitation sidecar" in refused.stderr) == (1, True)


# ------------------------------------------------------------------ copies


def long(number: int) -> str:
    return f"00000000-0000-4000-8000-{number:012}"


def family(home: Home) -> None:
    """S2 continues S1: it begins with a copy, and goes on."""
    first = home.transcript(S1).user("shared words", uuid=long(1), at="10:00:00")
    first.assistant(txt("shared answer"), uuid=long(2)).user("only here", uuid=long(3))
    second = home.transcript(S2).user("shared words", uuid=long(1), at="10:00:00")
    second.assistant(txt("shared answer"), uuid=long(2)).user("later", uuid=long(4), at="11:00:00")


def test_copies_in_a_younger_session_are_folded(home: Home, csift: Csift) -> None:
    """R26."""
    family(home)

    (row,) = search(csift, "shared")
    text = csift("search", "shared").stdout

    assert row["session_id"] == S1
    assert row["hits"][0]["copies"] == [{"session_id": S2, "line": 1}]  # type: ignore[index]
    assert summary(csift, "shared")["copies_folded"] == 1
    assert "shared words [also in 1 other session(s)]\n" in text
    assert "(1 exchange(s) are copies of exchanges above, folded; --copies shows them)\n" in text
    assert csift("search", "shared", "-c").stdout == "1\n"
    assert csift("search", "shared", "-c", "--copies").stdout == "2\n"
    assert csift("search", "shared", "-l").stdout == f"{S1}\n{S2}\n"
    assert csift("search", "shared", "--count-by", "label").stdout == (
        "      1  agent.message\n      1  user.message\n"
    )


def test_an_exchange_with_a_hit_of_its_own_stays(home: Home, csift: Csift) -> None:
    """R26."""
    family(home)
    home.transcript(S2).assistant(txt("shared, and new"), uuid=long(5))

    assert [row["session_id"] for row in search(csift, "shared")] == [S1, S2]


def test_one_transcript_folds_nothing(home: Home, csift: Csift) -> None:
    """R26."""
    family(home)

    assert [row["session_id"] for row in search(csift, "shared", f"@{S2}")] == [S2]


def test_a_branch_is_younger_than_what_it_names(home: Home, csift: Csift) -> None:
    """R25: whatever the times say."""
    origin = {"sessionId": S2, "messageUuid": long(1)}
    home.transcript(S1).user("shared", uuid=long(1), at="10:00:00", forkedFrom=origin).user(
        "early", uuid=long(2), at="08:00:00"
    )
    home.transcript(S2).user("shared", uuid=long(1), at="10:00:00").user("late", at="12:00:00")

    assert [row["session_id"] for row in search(csift, "shared")] == [S2]


def test_short_ids_never_fold(home: Home, csift: Csift) -> None:
    """R26."""
    home.transcript(S1).user("shared", uuid="u1", at="10:00:00")
    home.transcript(S2).user("shared", uuid="u1", at="10:00:00")

    assert len(search(csift, "shared")) == 2


# ------------------------------------------------------------------ the runtime's own agents


def test_an_orphan_looks_for_its_call_in_the_session(home: Home, csift: Csift) -> None:
    """R18."""
    session = home.transcript().user("go").assistant(use("t1", "Bash", {"command": "ls"}))
    session.child("acompact-946d2b").user("summarise").result("t1", "needle").result("t9", "needle")

    found = hits(csift, "needle", "@acompact-946d2b")

    assert [(hit["pairing"], hit["tool_name"]) for hit in found] == [
        ("paired", "Bash"),
        ("orphan", None),
    ]
    assert search(csift, "", "@acompact-946d2b", "-t", "user") == []


def test_an_unreadable_file_is_named_and_the_rest_is_answered(home: Home, csift: Csift) -> None:
    home.transcript(S1).user("needle")
    home.transcript(S2).user("needle").path.chmod(0)

    result = csift("search", "needle", "--format", "json")

    if len(result.rows("exchange")) == 2:
        pytest.skip("this user reads everything")
    assert result.exit_code == 1
    assert result.rows("summary")[0]["unreadable_sources"] == 1
    assert S2 in result.stderr


def test_control_characters_reach_no_terminal(home: Home, csift: Csift) -> None:
    """R28: the raw line is exact on a pipe."""
    home.transcript().user("a\x1b[31mb").user("c\x9b")

    assert "a\\x1b[31mb" in csift("search", "31mb").stdout
    assert "\x1b" not in csift("search", "31mb").stdout
    assert b"\\u001b[31mb" in csift("search", "31mb", "--raw").stdout_bytes
    assert "\x9b" not in csift("search", "^c").stdout


def test_every_row_of_output_is_one_json_object(home: Home, csift: Csift) -> None:
    fixture(home)

    for flags in ((), ("-c",), ("--count-by", "tool"), ("--siblings",), ("-t", "harness")):
        text = csift("search", "", f"@{S1}", "--format", "json", *flags).stdout
        kinds = [json.loads(line)["kind"] for line in text.split("\n") if line]
        assert (kinds[0], kinds[-1]) == ("header", "summary")


def test_thinking_and_narration_are_told_apart(home: Home, csift: Csift) -> None:
    """K23."""
    narrated = "Eg0KC0IJbmFycmF0aW9u"
    home.transcript().assistant(think("plain thought")).assistant(think("told thought", narrated))

    assert lines(csift, "thought", "-t", "agent.thinking") == [1, 2]
    assert lines(csift, "thought", "-t", "agent.thinking", "-T", "agent.thinking.narration") == [1]
    assert "agent.thinking.narration [narration summary]  L2" in csift("search", "told").stdout


# ------------------------------------------------------------------ stored output


def stored(home: Home, path: str) -> None:
    """A result of which only the beginning stands in the transcript."""
    session = home.transcript().user("go").assistant(use("t1", "Bash", {"command": "make"}))
    session.result("t1", f"beginning\nFull output saved to: {path}\nPreview")
    session.stored_result("t1", "beginning, and a needle at the end")


def test_stored_output_is_searched_on_demand(home: Home, csift: Csift) -> None:
    stored(home, "/elsewhere/on/another/machine/tool-results/t1.txt")

    (hit,) = hits(csift, "needle", "--resolve-persisted")

    assert hits(csift, "needle") == []
    assert (hit["line"], hit["excerpt"]) == (3, "beginning, and a needle at the end")
    assert csift("search", "needle", "--resolve-persisted", "--raw").stdout.count("\n") == 1


def test_the_path_of_stored_output_may_be_structured(home: Home, csift: Csift) -> None:
    session = home.transcript().user("go")
    session.result("t1", "short", tur={"persistedOutputPath": r"C:\x\tool-results\t1.txt"})
    session.stored_result("t1", "a needle")

    assert lines(csift, "needle", "--resolve-persisted") == [2]


@pytest.mark.parametrize("path", ["/etc/passwd", "/x/tool-results/none.txt", "/x/.."])
def test_nothing_else_that_a_transcript_names_is_opened(
    home: Home, csift: Csift, path: str
) -> None:
    """R33."""
    stored(home, path)

    (hit,) = hits(csift, "could not resolve", "--resolve-persisted", "--no-truncate")

    assert f"[csift: could not resolve persisted output {path}:" in hit["excerpt"]  # type: ignore[operator]
    assert "root:" not in str(hit["excerpt"])


def test_a_link_out_of_the_directory_is_not_followed(home: Home, csift: Csift) -> None:
    """R33."""
    stored(home, "/x/tool-results/link.txt")
    secret = home.file("secret.txt", "a secret needle")
    (home.projects / PROJECT / S1 / "tool-results" / "link.txt").symlink_to(secret)

    assert hits(csift, "secret", "--resolve-persisted") == []
