"""`csift stats`: acceptance cases stats_T1 to stats_T8, and the rulings on tokens and totals."""

import json
from pathlib import Path
from typing import Any

import pytest

from tests.build.home import (
    AGENT,
    S1,
    S2,
    S3,
    A,
    Home,
    R,
    U,
    encode_line,
    think,
    txt,
    usage,
    use,
)
from tests.conftest import Csift

# Base64 of field 2 > 1 > 8 holding a tag.
NARRATION = "Eg0KC0IJbmFycmF0aW9u"
MUSING = "EgoKCEIGbXVzaW5n"


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


def stats(csift: Csift, *arguments: str | Path) -> list[dict[str, Any]]:
    result = csift("stats", *arguments, "--format", "json")
    assert result.exit_code == 0, result.stderr
    return result.rows("session")


def summary(csift: Csift, *arguments: str | Path) -> dict[str, Any]:
    return csift("stats", *arguments, "--format", "json").rows("summary")[0]


def answer(
    uuid: str, at: str, call: str | None, out: int, *, given: int = 100, stop: str | None = None
) -> str:
    """A fragment of a provider call."""
    message = {
        "role": "assistant",
        "model": "model-x",
        "content": [txt("hi")],
        "stop_reason": stop,
        "usage": usage(out, given=given),
    }
    if call is not None:
        message["id"] = call
    return A(uuid, "u1", at, message=message)


# ------------------------------------------------------------------ counts


def test_what_is_counted(home: Home, csift: Csift) -> None:
    """stats_T1."""
    fixture(home)

    (row,) = stats(csift, f"@{S1}")

    assert (row["lines"], row["user_records"], row["assistant_records"]) == (6, 3, 3)
    assert row["turns"] == 2
    assert row["tools"] == {"Bash": 1, "Write": 1}
    assert row["line_types"] == {"assistant": 3, "user": 3}
    assert (row["first_utc"], row["last_utc"]) == (
        "2026-03-01T10:00:00.000Z",
        "2026-03-01T10:05:04.000Z",
    )


def test_the_text_of_a_row(home: Home, csift: Csift) -> None:
    home.transcript().user("go").assistant(
        use("t1", "Bash"),
        use("t2", "Write"),
        at="10:05:04",
        stop="tool_use",
        usage=usage(30, given=120, read=1000, write=200),
    ).raw("garbage")

    assert csift("stats").stdout == (
        f"SESSION {S1}\n"
        "  lines 3 · records 1 user + 1 assistant · turns 1 · compactions 0\n"
        "  types  assistant×1 · user×1\n"
        "  span   2026-03-01 10:00:00 UTC(UTC+0)  →  2026-03-01 10:05:04 UTC(UTC+0)  (5m04s)\n"
        "  tokens model-x: in 120 · out 30 · cache-read 1000 · cache-write 200\n"
        "  tools  Bash×1 · Write×1\n"
        "  (1 malformed line(s) skipped)\n"
        "\n"
    )


def test_fragments_of_a_call_count_once(home: Home, csift: Csift) -> None:
    """stats_T2: per counter the largest value."""
    transcript = home.transcript().lines(
        U("u1", "-", "10:00:00", "go"),
        answer("a1", "10:00:01", "m1", 10),
        answer("a2", "10:00:02", "m1", 10),
        answer("a3", "10:00:03", "m1", 25),
    )
    first = stats(csift)[0]["tokens"]["model-x"]
    transcript.lines(answer("a4", "10:00:04", "m2", 5, given=0))
    second = stats(csift)[0]["tokens"]["model-x"]
    transcript.lines(answer("a5", "10:00:05", None, 3), answer("a6", "10:00:06", None, 3))
    third = stats(csift)[0]["tokens"]["model-x"]

    assert (first["output"], first["input"]) == (25, 100)
    assert second["output"] == 30
    assert third["output"] == 36


def test_a_call_in_two_files_counts_once_in_the_total(home: Home, csift: Csift) -> None:
    """stats_T3: rows stay per file."""
    for session in (S1, S2):
        home.transcript(session).lines(
            U("u1", "-", "10:00:00", "go"), answer("a1", "10:00:01", "m1", 25)
        )

    rows = stats(csift)
    found = summary(csift)

    assert [row["tokens"]["model-x"]["output"] for row in rows] == [25, 25]
    assert [row["inherited_calls"] for row in rows] == [0, 1]
    assert found["tokens"]["model-x"]["output"] == 25
    assert found["inherited_calls"] == 1
    assert (found["turns"], found["user_records"], found["lines"]) == (1, 1, 4)
    assert "  1 call(s) stand in more than one file, counted once\n" in csift("stats").stdout


def test_a_window_is_about_records(home: Home, csift: Csift) -> None:
    """stats_T4: lines and their types are of the whole file."""
    fixture(home)

    (row,) = stats(csift, f"@{S1}", "--since", "2026-03-01T10:05:00Z")

    assert (row["turns"], row["user_records"], row["tools"]) == (1, 1, {"Write": 1})
    assert (row["lines"], row["line_types"]) == (6, {"assistant": 3, "user": 3})
    assert row["first_utc"] == "2026-03-01T10:05:00.000Z"
    assert stats(csift, f"@{S1}", "--until", "2026-03-01T10:00:05Z")[0]["turns"] == 1


def test_a_range_of_turns(home: Home, csift: Csift) -> None:
    """stats_T5."""
    fixture(home)

    (row,) = stats(csift, f"@{S1}", "--turn", "0")

    assert (row["tools"], row["turns"], row["lines"]) == ({"Bash": 1}, 1, 6)
    assert row["last_utc"] == "2026-03-01T10:00:12.000Z"
    assert stats(csift, "--turn", "-1")[0]["tools"] == {"Write": 1}
    assert stats(csift, "--turn", "7..")[0]["user_records"] == 0
    both = stats(csift, "--turn", "0..1", "--since", "2026-03-01T10:00:10Z")[0]
    assert (both["turns"], both["tools"]) == (2, {"Write": 1})


def test_every_line_is_checked(home: Home, csift: Csift) -> None:
    """stats_T6 and K9: the authority for what cannot be read."""
    fixture(home)
    home.transcript().raw('{"type":"mode","x":}').raw("zzz").raw("").raw('{"a":1}')

    (row,) = stats(csift)

    assert (row["skipped_lines"], row["lines"]) == (2, 10)
    assert row["line_types"] == {"assistant": 3, "user": 3, "(untyped)": 1}


def test_agents_are_rows_and_the_total_says_so(home: Home, csift: Csift) -> None:
    """stats_T7."""
    fixture(home)
    home.transcript().child().user("map it", at="11:00:00").assistant(txt("done"))

    text = csift("stats").stdout
    rows = stats(csift)

    assert [(row["session_id"], row["is_subagent"]) for row in rows] == [(AGENT, True), (S1, False)]
    assert text.startswith("scope  2 sessions in scope (1 top-level + 1 subagent)\n\nSUBAGENT ")
    assert f"SUBAGENT {AGENT}  ·  parent SESSION {S1}\n" in text
    assert "\nTOTAL  2 sessions (1 top-level + 1 subagent)\n  lines 8 · records 4 user" in text
    assert len(stats(csift, "--no-subagents")) == 1
    assert "TOTAL" not in csift("stats", "--no-subagents").stdout


def test_a_draft_is_a_record_and_opens_no_turn(home: Home, csift: Csift) -> None:
    """stats_T8."""
    home.transcript().lines(
        U("u1", "-", "10:00:00", "begin"),
        A("a1", "u1", "10:00:01", txt("ready")),
        U("u2", "a1", "10:00:05", "fix teh bug"),
        U("u3", "a1", "10:00:20", "fix the bug"),
        A("a2", "u3", "10:00:25", txt("done")),
    )

    (row,) = stats(csift)

    assert (row["turns"], row["user_records"]) == (2, 3)
    assert stats(csift, "--turn", "..")[0]["user_records"] == 2


def test_nothing_in_scope(home: Home, csift: Csift) -> None:
    home.transcript()

    empty = csift("stats", "--sessions-from", "-", stdin="")

    assert (empty.exit_code, empty.stdout) == (0, "no sessions found\n")
    assert stats(csift)[0]["first_utc"] is None
    assert csift("stats").stdout == (
        f"SESSION {S1}\n  lines 0 · records 0 user + 0 assistant · turns 0 · compactions 0\n\n"
    )


def test_the_cap_keeps_the_most_recently_active(home: Home, csift: Csift) -> None:
    """Rows come in the order of their ids; the total covers the kept ones only."""
    home.transcript(S1).user("one", at="12:00:00")
    home.transcript(S2).user("two", at="10:00:00")
    home.transcript(S3).user("three", at="11:00:00")

    found = summary(csift, "--max-count", "2")
    text = csift("stats", "--max-count", "2").stdout

    assert [row["session_id"] for row in stats(csift, "--max-count", "2")] == [S1, S3]
    assert (found["user_records"], found["dropped_by_cap"], found["sessions"]) == (2, 1, 2)
    assert text.endswith(
        "… (+1 more session(s) not shown — the most recently active are aggregated above; raise "
        "--max-count)\n"
    )
    assert len(stats(csift, "--max-count", "0")) == 3


def test_compactions_narration_and_names(home: Home, csift: Csift) -> None:
    home.transcript().lines(
        U("u1", "-", "10:00:00", "go"),
        U("s1", "u1", "10:00:01", "summary of it", isCompactSummary=True),
        A("a1", "s1", "10:00:02", think("a", NARRATION), think("b", MUSING), think("c", "!!")),
        A("a2", "a1", "10:00:03", {"type": "tool_use", "id": "t1", "input": {}}),
    )

    (row,) = stats(csift)
    text = csift("stats").stdout

    assert (row["compactions"], row["turns"]) == (1, 1)
    assert row["narration_blocks"] == {"model-x": 1}
    assert row["unknown_thinking_tags"] == {"musing": 1}
    assert row["tools"] == {"(unnamed)": 1}
    assert (
        "  narration blocks model-x×1  (API summaries, token split unavailable)\n"
        "  unknown thinking tags  musing×1\n"
    ) in text


def test_the_total_names_fifteen_tools(home: Home, csift: Csift) -> None:
    names = [f"Tool{number:02}" for number in range(17)]
    home.transcript(S1).assistant(*(use(f"t{name}", name) for name in names))
    home.transcript(S2).assistant(use("t", "Tool16"))

    total = csift("stats").stdout.partition("TOTAL")[2]

    assert "  tools  Tool16×2 · Tool00×1" in total
    assert "Tool13×1 · (+2 more tools)\n" in total


# ------------------------------------------------------------------ tokens


def test_the_state_of_every_call_is_counted(home: Home, csift: Csift) -> None:
    """ruling_R24: sums that lack something are a least amount."""
    home.transcript().lines(
        U("u1", "-", "10:00:00", "go"),
        answer("a1", "10:00:01", "m1", 25, stop="end_turn"),
        answer("a2", "10:00:02", "m2", 30),
        A(
            "a3",
            "u1",
            "10:00:03",
            message={
                "role": "assistant",
                "id": "m3",
                "model": "model-x",
                "content": [txt("x" * 50)],
                "usage": usage(2),
                "stop_reason": "end_turn",
            },
        ),
        A("a4", "u1", "10:00:04", txt("no usage")),
        A("a5", "u1", "10:00:05", message={"model": "<synthetic>", "content": [txt("no call")]}),
        A("a6", "u1", "10:00:06", message={"content": [txt("no model")], "usage": usage(1)}),
    )

    (row,) = stats(csift)

    assert row["calls"] == {
        "model-x": {"reported": 1, "partial": 1, "stub": 1, "absent": 1},
        "(unknown)": {"reported": 0, "partial": 1, "stub": 0, "absent": 0},
    }
    assert row["tokens_at_least"] is True
    assert (
        "  tokens model-x: in 210 · out at least 57 (2 of 4 calls partial or stub, 1 of 4 calls "
        "without usage) · cache-read 0 · cache-write 0\n"
    ) in csift("stats").stdout


def test_one_key_with_two_models_is_two_calls(home: Home, csift: Csift) -> None:
    """ruling_R24."""
    transcript = home.transcript().user("go")
    transcript.assistant(txt("a"), call="m1", model="one", usage=usage(5), stop="end_turn")
    transcript.assistant(txt("b"), call="m1", model="two", usage=usage(7), stop="end_turn")

    (row,) = stats(csift)

    assert {model: sums["output"] for model, sums in row["tokens"].items()} == {"one": 5, "two": 7}
    assert row["tokens_at_least"] is False


def test_the_programs_own_totals_stand_beside(home: Home, csift: Csift) -> None:
    """ruling_R24: the last ones count, and are added to nothing."""
    totals = {
        "type": "cost-state",
        "totalCostUSD": 0.5,
        "modelUsage": {"model-x": {"inputTokens": 16, "outputTokens": 480, "costUSD": 0.49}},
    }
    home.transcript().user("go").line({**totals, "totalCostUSD": 0.1}).line(totals)

    (row,) = stats(csift)

    assert row["reported_cost"] == totals
    assert row["tokens"] == {}
    assert (
        "  claimed model-x: in 16 · out 480 · $0.49\n"
        "  claimed $0.5 in all (the program's own running totals, not added to tokens)\n"
    ) in csift("stats").stdout


@pytest.mark.parametrize("weaker", [S1, S2])
def test_the_most_complete_copy_of_a_call_counts(home: Home, csift: Csift, weaker: str) -> None:
    """ruling_R25: the state decides before age."""
    for session in (S1, S2):
        home.transcript(session).lines(
            answer("a1", "10:00:01", "m1", 9, stop=None if session == weaker else "end_turn")
        )

    inherited = {row["session_id"]: row["inherited_calls"] for row in stats(csift)}

    assert inherited[weaker] == 1
    assert sum(inherited.values()) == 1
    assert summary(csift)["calls"] == {
        "model-x": {"reported": 1, "partial": 0, "stub": 0, "absent": 0}
    }


def test_a_fork_inherits_from_the_session_it_names(home: Home, csift: Csift) -> None:
    """ruling_R25: the origin counts, even where its id is the larger one."""
    home.transcript(S2).lines(answer("a1", "10:00:01", "m1", 9))
    forked = {"forkedFrom": {"sessionId": S2, "messageUuid": "a1"}}
    home.transcript(S1).raw(
        encode_line({**json.loads(answer("a1", "10:00:01", "m1", 9)), **forked})
    )

    assert {row["session_id"]: row["inherited_calls"] for row in stats(csift)} == {S1: 1, S2: 0}


# ------------------------------------------------------------------ copies, lanes, damage


def test_a_record_that_repeats_another_one_is_not_counted(home: Home, csift: Csift) -> None:
    """ruling_R27."""
    fixture(home)
    home.transcript().raw(A("a1", "u1", "10:00:03", use("t1", "Bash", {"command": "pytest -q"})))

    (row,) = stats(csift)

    assert (row["assistant_records"], row["tools"]["Bash"], row["replayed_records"]) == (3, 1, 1)
    assert row["line_types"]["assistant"] == 4
    assert "  (1 record(s) repeat another one and are not counted)\n" in csift("stats").stdout


def test_lanes_inside_a_file_belong_to_its_row(home: Home, csift: Csift) -> None:
    """ruling_R16: they open no turn of the session; without agents they are not counted."""
    home.transcript().lines(
        U("u1", "-", "10:00:00", "go"),
        U("c1", "-", "10:00:01", "map it", isSidechain=True),
        A("c2", "c1", "10:00:02", use("t1", "Grep"), isSidechain=True),
        A("a1", "u1", "10:00:03", txt("done")),
    )

    (row,) = stats(csift)
    (without,) = stats(csift, "--no-subagents")
    (lane,) = stats(csift, "@side-c1")

    assert (row["turns"], row["user_records"], row["tools"]) == (1, 2, {"Grep": 1})
    assert (without["turns"], without["user_records"], without["tools"]) == (1, 1, {})
    assert (lane["session_id"], lane["user_records"], lane["turns"]) == ("side-c1", 1, 1)


def test_carried_messages_are_counted_where_nothing_else_holds_them(
    home: Home, csift: Csift
) -> None:
    """ruling_R16."""
    message = json.loads(answer("c1", "10:00:01", "m9", 40))
    home.transcript().user("go").progress(
        "agent_progress", tool="t1", agentId="abc1234", message=message
    )

    (row,) = stats(csift)

    assert (row["assistant_records"], row["tokens"]["model-x"]["output"]) == (1, 40)
    assert row["line_types"] == {"progress": 1, "user": 1}


def test_glued_and_damaged_lines(home: Home, csift: Csift) -> None:
    """ruling_R12 and R13."""
    home.transcript().raw(U("u1", "-", "10:00:00", "a") + U("u2", "u1", "10:00:01", "b")).raw(
        b"\0\0" + U("u3", "u2", "10:00:02", "c").encode()
    )

    (row,) = stats(csift)

    assert (row["lines"], row["line_types"], row["recovered_records"]) == (2, {"user": 3}, 1)
    assert (row["repaired_lines"], row["skipped_lines"]) == (1, 0)


def test_a_file_that_cannot_be_read_is_named(home: Home, csift: Csift) -> None:
    fixture(home)
    home.transcript(S2).user("two").path.chmod(0)

    result = csift("stats", "--format", "json")

    if len(result.rows("session")) == 2:
        pytest.skip("this user reads everything")
    assert result.exit_code == 1
    assert f"{S2}.jsonl" in result.stderr
    assert result.rows("summary")[0]["unreadable_sources"] == 1


@pytest.mark.parametrize(
    ("flags", "code"),
    [
        (("--turn", "x"), 1),
        (("--since", "soon"), 1),
        (("--since", "2h", "--until", "3h"), 1),
        (("--max-count", "-1"), 2),
        (("--subagents", "--no-subagents"), 2),
        (("--format", "xml"), 2),
        (("@nosuch!",), 1),
    ],
)
def test_wrong_arguments(home: Home, csift: Csift, flags: tuple[str, ...], code: int) -> None:
    fixture(home)

    result = csift("stats", *flags)

    assert (result.exit_code, result.stdout) == (code, "")


# ------------------------------------------------------------------ real transcripts


def real(csift: Csift, home: Path, *arguments: str) -> tuple[list[dict[str, Any]], dict[str, Any]]:
    result = csift("stats", "--claude-home", home, "--format", "json", *arguments)
    assert result.exit_code == 0, result.stderr
    return result.rows("session"), result.rows("summary")[0]


@pytest.mark.real_data
def test_glued_lines_of_a_real_transcript(real_data: Path, csift: Csift) -> None:
    """ruling_R13."""
    _, found = real(csift, real_data / "v2.1.12-glued-line")

    assert (found["lines"], sum(found["line_types"].values())) == (170, 171)
    assert found["recovered_records"] == 1


@pytest.mark.real_data
def test_tokens_of_real_transcripts(real_data: Path, csift: Csift) -> None:
    """ruling_R24."""

    def outputs(summary: dict[str, Any]) -> int:
        return sum(sums["output"] for sums in summary["tokens"].values())

    _, stubs = real(csift, real_data / "v2.1.12-microcompact")
    _, old = real(csift, real_data / "v1.0.98-old-layout")
    _, desktop = real(csift, real_data / "v2.1.205-desktop-windows")

    assert outputs(stubs) == 107
    assert sum(states["stub"] for states in stubs["calls"].values()) == 57
    assert outputs(old) == 953
    assert outputs(desktop) == 814
    text = csift("stats", "--claude-home", real_data / "v2.1.12-microcompact").stdout
    assert "out at least 107 (57 of 57 calls partial or stub)" in text


@pytest.mark.real_data
def test_a_real_family_of_forks(real_data: Path, csift: Csift) -> None:
    """ruling_R25: three files with the same calls; the oldest counts."""
    rows, found = real(csift, real_data / "v2.1.2xx-fork-family")

    outputs = {
        row["session_id"][:8]: sum(sums["output"] for sums in row["tokens"].values())
        for row in rows
    }
    assert set(outputs.values()) == {7984}
    assert sum(sums["output"] for sums in found["tokens"].values()) == 7984
    assert found["inherited_calls"] == 24
    assert {row["session_id"][:8]: row["inherited_calls"] for row in rows}["dcce4143"] == 0


def count_slowly(path: Path) -> dict[str, Any]:
    """The same counts, read with json alone and written down as the documentation says it."""
    decoder = json.JSONDecoder()
    types: dict[str, int] = {}
    seen: dict[str, str] = {}
    calls: dict[tuple[str, str], int] = {}
    tools: dict[str, int] = {}
    users = lines = 0
    body = path.read_text(encoding="utf-8")
    for line in body.split("\n")[: -1 if body.endswith("\n") else None]:
        lines += 1
        text = line.strip()
        while text:
            record, end = decoder.raw_decode(text)
            text = text[end:].strip()
            kind = record.get("type", "(untyped)")
            types[kind] = types.get(kind, 0) + 1
            if kind not in ("user", "assistant"):
                continue
            message = record.get("message") or {}
            said = kind + json.dumps(message.get("content"))
            uuid = record.get("uuid")
            if uuid and seen.setdefault(uuid, said) == said and seen[uuid] is not said:
                continue
            users += kind == "user"
            if kind == "user" or message.get("model") == "<synthetic>":
                continue
            content = message.get("content")
            for block in content if isinstance(content, list) else ():
                if isinstance(block, dict) and block.get("type") in ("tool_use", "server_tool_use"):
                    tools[block["name"]] = tools.get(block["name"], 0) + 1
            key = message.get("id") or record.get("requestId") or uuid
            out = (message.get("usage") or {}).get("output_tokens") or 0
            place = (key, message.get("model") or "(unknown)")
            calls[place] = max(calls.get(place, 0), out)
    return {
        "lines": lines,
        "line_types": types,
        "tools": tools,
        "user_records": users,
        "output": sum(calls.values()),
    }


def compare(csift: Csift, home: Path) -> int:
    """Check every transcript that no other file completes; how many there were."""
    compared = 0
    for row in real(csift, home)[0]:
        path = Path(row["path"])
        if row["skipped_lines"] or "agent_progress" in path.read_text(encoding="utf-8"):
            continue
        slow = count_slowly(path)
        found = {name: row[name] for name in slow if name != "output"}
        found["output"] = sum(sums["output"] for sums in row["tokens"].values())
        assert found == slow, path
        compared += 1
    return compared


def test_the_sample_is_counted_as_a_slow_reader_counts_it(sample: Path, csift: Csift) -> None:
    assert compare(csift, sample) > 6


@pytest.mark.real_data
def test_real_transcripts_are_counted_as_a_slow_reader_counts_them(
    real_data: Path, csift: Csift
) -> None:
    homes = [home for home in sorted(real_data.iterdir()) if (home / "projects").is_dir()]
    assert sum(compare(csift, home) for home in homes) > 10
