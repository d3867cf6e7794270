"""The bundled sample is complete, consistent and private: found by a scan of its own."""

import base64
import hashlib
import json
import re
import struct
import subprocess
import sys
import zlib
from collections import Counter
from datetime import datetime
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

Record = dict[str, Any]

REPOSITORY = Path(__file__).resolve().parents[2]
SAMPLE = REPOSITORY / "src" / "sessionizer" / "sample"
MAIN = "projects/-home-dev-tidebook/5f0c8a52-7d1e-4b39-9c64-2a8e31d0b7f4"
OLD = "projects/-home-dev-gull-counter/0b6d2f17-48ce-4a05-b7f3-91c6e5a8d204"
MIDDLE = "projects/-home-dev-lamp-post/c93e7a40-15bd-4f62-8d7e-6b04f2a1c8d9"


def read_records(name: str) -> list[Record]:
    body = (SAMPLE / name).read_bytes()
    return [json.loads(line) for line in body.split(b"\n") if line]


def transcripts() -> list[str]:
    return sorted(
        path.relative_to(SAMPLE).as_posix()
        for path in SAMPLE.rglob("*.jsonl")
        if path.name not in ("history.jsonl", "journal.jsonl")
    )


def blocks_of(records: list[Record], kind: str) -> list[Record]:
    return [
        block
        for record in records
        if isinstance(content := record.get("message", {}).get("content"), list)
        for block in content
        if block["type"] == kind
    ]


def once(records: list[Record]) -> list[Record]:
    seen: set[str] = set()
    kept = []
    for record in records:
        if record.get("uuid") in seen:
            continue
        seen.add(record.get("uuid", ""))
        seen.discard("")
        kept.append(record)
    return kept


main = read_records(f"{MAIN}.jsonl")
old = read_records(f"{OLD}.jsonl")
middle = read_records(f"{MIDDLE}.jsonl")


# ------------------------------------------------------------------ the generator


@pytest.mark.parametrize("seed", ["1", "2"])
def test_the_files_are_what_the_script_makes(seed: str) -> None:
    """Static files and script may not drift, and no order may depend on hashing."""
    done = subprocess.run(
        [sys.executable, REPOSITORY / "tools" / "make_sample.py", "--check"],
        capture_output=True,
        env={"PYTHONHASHSEED": seed, "PYTHONDONTWRITEBYTECODE": "1"},
        check=False,
    )

    assert (done.returncode, done.stderr.decode()) == (0, "")


def test_a_changed_file_is_reported(tmp_path: Path) -> None:
    """The check itself must be able to fail."""
    make = str(REPOSITORY / "tools" / "make_sample.py")
    script = [sys.executable, make, "--out", str(tmp_path)]
    subprocess.run(script, check=True)
    (tmp_path / "history.jsonl").write_bytes(b"{}\n")
    (tmp_path / "stray").touch()

    done = subprocess.run([*script, "--check"], capture_output=True, check=False)

    assert done.returncode == 1
    assert re.findall(r"(\S+): not what", done.stderr.decode()) == [
        str(tmp_path / "history.jsonl"),
        str(tmp_path / "stray"),
    ]


def test_the_sample_is_small() -> None:
    """It travels in every wheel."""
    size = sum(path.stat().st_size for path in SAMPLE.rglob("*") if path.is_file())

    assert size < 400 * 1024


# ------------------------------------------------------------------ privacy


def test_nothing_in_the_sample_is_personal() -> None:
    """No address, no home but the invented one, no key, no host that could exist."""
    found: set[str] = set()
    for path in SAMPLE.rglob("*"):
        if path.is_file() and path.suffix not in (".py", ".pyc"):
            text = path.read_bytes().decode()
            found |= set(re.findall(r"[\w.+-]+@(?!pytest\.)[\w-]+\.\w+", text))
            found |= set(re.findall(r"(?:/home/|/Users/|C:\\\\Users\\\\)(?!dev/)\w+", text))
            found |= set(re.findall(r"\bsk-[A-Za-z0-9-]{8,}|gh[pousr]_\w+|AKIA\w+", text))
            found |= set(re.findall(r"https?://(?![\w.-]*example\.invalid)[\w.-]+", text))

    assert found == set()


# ------------------------------------------------------------------ structure


@pytest.mark.parametrize("name", transcripts())
def test_every_parent_is_an_earlier_record_of_its_file(name: str) -> None:
    """A reader can walk back from any record."""
    seen: set[str | None] = {None}
    for record in read_records(name):
        if "uuid" in record:
            assert record["parentUuid"] in seen
            seen.add(record["uuid"])


def test_only_the_replayed_records_share_an_uuid() -> None:
    """Two records stand before the reset a second time; everything else is distinct."""
    ids = Counter(
        record["uuid"]
        for name in transcripts()
        for record in read_records(name)
        if "uuid" in record
    )
    repeated = [uuid for uuid, count in ids.items() if count > 1]
    lines = (SAMPLE / f"{MAIN}.jsonl").read_bytes().split(b"\n")
    reset = [record.get("subtype") for record in main].index("compact_boundary")

    assert len(repeated) == 2
    for uuid in repeated:
        places = [at for at, record in enumerate(main) if record.get("uuid") == uuid]
        assert len(places) == 2
        assert places[1] < reset
        assert lines[places[0]] == lines[places[1]]


def test_tool_ids_are_distinct_and_results_have_their_use() -> None:
    """Each use is asked once and answered at most once, over all files."""
    uses: Counter[str] = Counter()
    results: Counter[str] = Counter()
    for name in transcripts():
        records = once(read_records(name))
        uses.update(block["id"] for block in blocks_of(records, "tool_use"))
        results.update(block["tool_use_id"] for block in blocks_of(records, "tool_result"))
    pending = blocks_of(main, "tool_use")[-1]["id"]

    assert set(uses.values()) == {1}
    assert set(results.values()) == {1}
    assert uses.keys() - results.keys() == {pending}
    assert results.keys() - uses.keys() == set()


def test_fragments_of_a_call_agree_but_for_the_growing_counter() -> None:
    """Only the last fragment holds the final output count and, in new files, the reason."""
    calls: dict[str, list[Record]] = {}
    for record in once(main):
        if record["type"] == "assistant":
            calls.setdefault(record["message"]["id"], []).append(record["message"])

    assert max(len(call) for call in calls.values()) >= 4
    for call in calls.values():
        outputs = [message["usage"]["output_tokens"] for message in call]
        assert outputs == sorted(outputs)
        assert [message["stop_reason"] for message in call[:-1]] == [None] * (len(call) - 1)
        assert len({json.dumps({**m["usage"], "output_tokens": 0}) for m in call}) == 1


def test_times_follow_the_lines_but_for_replays_and_the_summary() -> None:
    """Newer versions stamp the summary before the boundary; replays keep their time."""
    backward = []
    latest = ""
    for number, record in enumerate(main, 1):
        if "timestamp" in record:
            if record["timestamp"] < latest:
                backward.append(record.get("isCompactSummary") or number)
            latest = max(latest, record["timestamp"])

    assert len(backward) == 3
    assert backward[2] is True


def test_the_talks_fall_into_five_segments() -> None:
    """Gaps of more than ten minutes make a timeline worth looking at."""
    starts = [
        datetime.fromisoformat(record["timestamp"])
        for record in once(main)
        if record["type"] == "user"
        and (
            record.get("origin", {}).get("kind") == "human"
            or str(record["message"]["content"]).startswith("<command-name>")
        )
    ]
    times = sorted(
        datetime.fromisoformat(record["timestamp"])
        for record in main
        if record["type"] in ("user", "assistant") and not record.get("isMeta")
    )
    gaps = [
        start
        for start in starts
        if (start - max([time for time in times if time < start], default=start)).total_seconds()
        > 600
    ]

    assert (len(starts), len(gaps) + 1) == (11, 5)


# ------------------------------------------------------------------ promised shapes

ATTACHMENTS = {
    "hook_success",
    "hook_additional_context",
    "skill_listing",
    "deferred_tools_delta",
    "queued_command",
    "plan_mode",
    "plan_mode_exit",
    "file",
    "compact_file_reference",
    "todo_reminder",
}
SYSTEM = {
    "api_error",
    "away_summary",
    "compact_boundary",
    "local_command",
    "stop_hook_summary",
    "turn_duration",
}
KINDS = {
    "ai-title",
    "assistant",
    "attachment",
    "cost-state",
    "custom-title",
    "file-history-snapshot",
    "last-prompt",
    "mode",
    "permission-mode",
    "pr-link",
    "queue-operation",
    "session-beacon",
    "system",
    "user",
}
TOOLS = {
    "Agent",
    "AskUserQuestion",
    "Bash",
    "Edit",
    "ExitPlanMode",
    "Grep",
    "Read",
    "TaskCreate",
    "TaskUpdate",
    "Workflow",
    "Write",
}


def test_the_main_session_holds_every_promised_kind() -> None:
    """These sets are the promise; a kind that appears or goes must be decided."""
    assert {record["type"] for record in main} == KINDS
    assert {record["subtype"] for record in main if record["type"] == "system"} == SYSTEM
    assert {r["attachment"]["type"] for r in main if r["type"] == "attachment"} == ATTACHMENTS
    assert {block["name"] for block in blocks_of(main, "tool_use")} == TOOLS
    assert {
        block["type"]
        for record in main
        if isinstance(content := record.get("message", {}).get("content"), list)
        for block in content
    } == {
        "citation_map",
        "image",
        "redacted_thinking",
        "text",
        "thinking",
        "tool_result",
        "tool_use",
    }


def test_the_reset_continues_a_record_of_the_file() -> None:
    """The id it continues from resolves, and a summary follows."""
    at = next(at for at, record in enumerate(main) if record.get("subtype") == "compact_boundary")
    boundary, summary = main[at], main[at + 1]

    assert boundary["parentUuid"] is None
    assert boundary["logicalParentUuid"] in {record.get("uuid") for record in main[:at]}
    assert boundary["compactMetadata"]["preTokens"] > boundary["compactMetadata"]["postTokens"]
    assert summary["isCompactSummary"] is True
    assert summary["parentUuid"] == boundary["uuid"]
    assert summary["timestamp"] < boundary["timestamp"]


def test_one_call_asks_for_several_tools_with_results_between() -> None:
    """Calls can not be told by neighbouring lines."""
    call = next(b for b in main if b["type"] == "assistant")["message"]["id"]
    order = [
        "use" if record["type"] == "assistant" else "result"
        for record in main[:21]
        if record.get("message", {}).get("id") == call or "toolUseResult" in record
    ]

    assert "".join(word[0] for word in order).startswith("uuururur")


def test_the_image_is_a_whole_png_and_has_its_companion() -> None:
    """Size and checksums are right, so any viewer shows it."""
    at, block = next(
        (at, block) for at, record in enumerate(main) for block in blocks_of([record], "image")
    )
    body = base64.b64decode(block["source"]["data"], validate=True)
    parts = {}
    offset = 8
    while offset < len(body):
        (length,) = struct.unpack(">I", body[offset : offset + 4])
        kind, data = body[offset + 4 : offset + 8], body[offset + 8 : offset + 8 + length]
        (checksum,) = struct.unpack(">I", body[offset + 8 + length : offset + 12 + length])
        assert checksum == zlib.crc32(kind + data)
        parts[kind] = data
        offset += 12 + length
    width, height = struct.unpack(">II", parts[b"IHDR"][:8])

    assert body.startswith(b"\x89PNG\r\n\x1a\n")
    assert list(parts) == [b"IHDR", b"IDAT", b"IEND"]
    assert len(zlib.decompress(parts[b"IDAT"])) == (width + 1) * height
    assert main[at]["imagePasteIds"] == [1]
    assert main[at + 1]["isMeta"] is True
    assert main[at + 1]["message"]["content"][0]["text"].startswith("[Image: source: ")


def test_questions_have_answers_and_the_plan_is_kept() -> None:
    """The plan stands in the call, in the result and in its own file."""
    by_use = {
        block["tool_use_id"]: record
        for record in main
        for block in blocks_of([record], "tool_result")
    }
    ask, plan = (
        next(block for block in blocks_of(main, "tool_use") if block["name"] == name)
        for name in ("AskUserQuestion", "ExitPlanMode")
    )
    answered = by_use[ask["id"]]["toolUseResult"]
    file = SAMPLE / "plans" / Path(plan["input"]["planFilePath"]).name

    assert list(answered["answers"]) == [asked["question"] for asked in ask["input"]["questions"]]
    assert file.read_text(encoding="utf-8") == plan["input"]["plan"]
    assert by_use[plan["id"]]["message"]["content"][0]["content"].startswith("User has approved")
    assert {record["slug"] for record in main if "slug" in record} == {file.stem}


def test_thinking_is_kept_signed_or_redacted() -> None:
    """All three states stand side by side in one file."""
    blocks = blocks_of(main, "thinking")

    assert any(block["thinking"] and block["signature"] for block in blocks)
    assert any(not block["thinking"] and block["signature"] for block in blocks)
    assert base64.b64decode(blocks_of(main, "redacted_thinking")[0]["data"], validate=True)
    assert any(b"B\tnarration" in base64.b64decode(block["signature"]) for block in blocks)


def test_queued_prompts_come_back_or_stay_alone() -> None:
    """One text returns as an attachment, one exists only in queue lines."""
    queued = [
        record["content"]
        for record in main
        if record["type"] == "queue-operation"
        and record["operation"] == "enqueue"
        and not record["content"].startswith("<")
    ]
    returned = [
        record["attachment"]["prompt"]
        for record in main
        if record.get("attachment", {}).get("commandMode") == "prompt"
    ]

    assert len(queued) == 2
    assert returned == queued[:1]
    assert queued[1] not in [record["message"]["content"] for record in main if "message" in record]


def test_failures_interrupts_and_the_runtimes_own_words() -> None:
    """What goes wrong must be visible as what it is."""
    failed = [block for block in blocks_of(main, "tool_result") if block.get("is_error")]
    cut = next(record for record in main if record.get("isAbortedMidStream"))
    stop = next(record for record in main if "interruptedMessageId" in record)
    synthetic = [r for r in main if r.get("message", {}).get("model") == "<synthetic>"]

    assert [block["content"].split("\n")[0] for block in failed] == ["Exit code 2"]
    assert stop["interruptedMessageId"] == cut["message"]["id"]
    assert stop["message"]["content"][0]["text"] == "[Request interrupted by user]"
    assert [record["isApiErrorMessage"] for record in synthetic] == [True]


def test_texts_need_escaping() -> None:
    """Markup, quotes, ampersands, CJK, emoji and terminal colours all occur."""
    everything = (SAMPLE / f"{MAIN}.jsonl").read_text(encoding="utf-8")

    for needed in ("<b>", " & ", "&lt;b&gt;", '\\"', "潮汐表", "🌊", "\\u001b[32m"):
        assert needed in everything


def test_background_work_reports_back() -> None:
    """A command, a workflow and a child end with notifications that name their calls."""
    uses = {block["id"]: block["name"] for block in blocks_of(main, "tool_use")}
    notices = [
        text
        for record in main
        for text in (
            record.get("attachment", {}).get("prompt"),
            record.get("message", {}).get("content"),
        )
        if isinstance(text, str) and text.startswith("<task-notification>")
    ]
    named = [re.search(r"<tool-use-id>(.*?)</tool-use-id>", notice) for notice in notices]

    assert [uses[match[1]] for match in named if match] == ["Agent", "Bash", "Workflow"]


def test_the_last_use_waits_and_the_registry_says_busy() -> None:
    """The session looks as if its program were still at work."""
    (entry,) = [json.loads(path.read_bytes()) for path in (SAMPLE / "sessions").iterdir()]

    assert [block["name"] for block in blocks_of(main[-3:], "tool_use")] == ["Bash"]
    assert (entry["sessionId"], entry["status"]) == (Path(MAIN).name, "busy")
    assert entry["pid"] > 4_000_000


def test_the_programs_own_totals_grow() -> None:
    """Several cost-state lines, and each counts more output than our calls of that model."""
    totals = [record["modelUsage"] for record in main if record["type"] == "cost-state"]
    ours = sum(
        {
            record["message"]["id"]: record["message"]["usage"]["output_tokens"]
            for record in main
            if record["type"] == "assistant"
        }.values()
    )

    assert len(totals) == 2
    assert totals[1]["claude-opus-5"]["outputTokens"] > totals[0]["claude-opus-5"]["outputTokens"]
    assert sum(model["outputTokens"] for model in totals[1].values()) > ours


def test_last_prompts_are_cut_at_200_characters() -> None:
    """As the runtime cuts them."""
    prompts = [record["lastPrompt"] for record in main if record["type"] == "last-prompt"]

    assert max(len(prompt) for prompt in prompts) == 201
    assert all(prompt.endswith("…") for prompt in prompts if len(prompt) > 200)


# ------------------------------------------------------------------ files beside


def test_edits_replay_to_what_reads_and_backups_show() -> None:
    """A replay of the transcript meets no contradiction."""
    files: dict[str, str] = {}
    before: list[str] = []
    for record in once(main):
        result = record.get("toolUseResult")
        if not isinstance(result, dict):
            continue
        if "oldString" in result:
            path = result["filePath"]
            assert files.setdefault(path, result["originalFile"]) == result["originalFile"]
            before.append(result["originalFile"])
            files[path] = result["originalFile"].replace(result["oldString"], result["newString"])
            assert apply_patch(result["originalFile"], result["structuredPatch"]) == files[path]
        elif result.get("type") == "create":
            files[result["filePath"]] = result["content"]
        elif "file" in result and result["file"]["numLines"] == result["file"]["totalLines"]:
            path = result["file"]["filePath"]
            assert files.setdefault(path, result["file"]["content"]) == result["file"]["content"]
    store = SAMPLE / "file-history" / Path(MAIN).name
    backups = {path.name: path.read_text(encoding="utf-8") for path in store.iterdir()}

    assert sorted(backups.values()) == sorted(before)
    assert {name.split("@")[0] for name in backups} <= {
        hashlib.sha256(path.encode()).hexdigest()[:16] for path in files
    }


def apply_patch(text: str, hunks: list[Record]) -> str:
    lines = text.split("\n")
    for hunk in reversed(hunks):
        start = hunk["oldStart"] - 1
        gone = [line[1:] for line in hunk["lines"] if line[0] != "+"]
        assert lines[start : start + hunk["oldLines"]] == gone
        lines[start : start + hunk["oldLines"]] = [
            line[1:] for line in hunk["lines"] if line[0] != "-"
        ]
    return "\n".join(lines)


def test_the_snapshots_name_backups_that_exist() -> None:
    """Every named backup lies in the store."""
    snapshots = [r["snapshot"] for r in main if r["type"] == "file-history-snapshot"]
    named = {
        backup["backupFileName"]
        for snapshot in snapshots
        for backup in snapshot["trackedFileBackups"].values()
    } - {None}
    there = {path.name for path in (SAMPLE / "file-history" / Path(MAIN).name).iterdir()}

    assert named
    assert named <= there


def test_the_stored_result_is_longer_than_its_preview() -> None:
    """The transcript names the file; the file begins with the preview."""
    record = next(
        record
        for record in main
        if isinstance(record.get("toolUseResult"), dict)
        and "persistedOutputPath" in record["toolUseResult"]
    )
    result = record["toolUseResult"]
    (stored,) = (SAMPLE / MAIN / "tool-results").iterdir()
    body = stored.read_bytes()

    assert result["persistedOutputPath"].endswith(f"{MAIN}/tool-results/{stored.name}")
    assert result["persistedOutputSize"] == len(body) > 30_000
    assert body.decode().startswith(result["stdout"])
    assert f"Full output saved to: {result['persistedOutputPath']}" in str(record["message"])


def test_children_are_joined_to_their_calls() -> None:
    """One child of the session, one child of that child."""
    folder = SAMPLE / MAIN / "subagents"
    metas = {
        path.name.removeprefix("agent-").removesuffix(".meta.json"): json.loads(path.read_bytes())
        for path in folder.glob("*.meta.json")
    }
    top = next(agent for agent, meta in metas.items() if "parentAgentId" not in meta)
    nested = next(agent for agent in metas if agent != top)
    of_top = read_records(f"{MAIN}/subagents/agent-{top}.jsonl")

    assert len(metas) == 2
    assert metas[top]["toolUseId"] in {block["id"] for block in blocks_of(main, "tool_use")}
    assert metas[nested]["parentAgentId"] == top
    assert metas[nested]["toolUseId"] in {block["id"] for block in blocks_of(of_top, "tool_use")}
    for agent in metas:
        records = read_records(f"{MAIN}/subagents/agent-{agent}.jsonl")
        assert {(record["agentId"], record["isSidechain"]) for record in records} == {(agent, True)}


def test_the_workflow_run_is_whole() -> None:
    """Launch, journal, manifest, script and children tell one story."""
    launch = next(
        record["toolUseResult"]
        for record in main
        if isinstance(record.get("toolUseResult"), dict) and "runId" in record["toolUseResult"]
    )
    run = launch["runId"]
    folder = SAMPLE / MAIN / "subagents" / "workflows" / run
    journal = read_records(f"{MAIN}/subagents/workflows/{run}/journal.jsonl")
    manifest = json.loads((SAMPLE / MAIN / "workflows" / f"{run}.json").read_bytes())
    script = SAMPLE / MAIN / "workflows" / "scripts" / Path(launch["scriptPath"]).name
    children = {path.stem.removeprefix("agent-") for path in folder.glob("agent-*.jsonl")}

    assert [event["type"] for event in journal] == ["launched", *["started"] * 3, *["result"] * 3]
    assert {event["agentId"] for event in journal[1:]} == children
    assert (manifest["runId"], manifest["agentCount"]) == (run, len(children))
    assert script.read_text(encoding="utf-8") == manifest["script"]


def test_the_history_names_what_was_typed() -> None:
    """Each typed prompt and command of the main session, and one line that names no session."""
    lines = read_records("history.jsonl")
    ours = [line["display"] for line in lines if line.get("sessionId") == Path(MAIN).name]

    assert len(lines) == len(ours) + 1
    assert "/context" in ours
    assert "Try again, please." in ours
    assert [line["timestamp"] for line in lines] == sorted(line["timestamp"] for line in lines)


# ------------------------------------------------------------------ older sessions


def test_the_old_session_has_no_newer_fields() -> None:
    """Everything must be judged by shape."""
    for record in old:
        assert not record.keys() & {"promptId", "origin", "promptSource", "slug", "agentId"}
        assert record.get("message", {}).get("stop_reason") is None


def test_the_old_session_ends_without_newline() -> None:
    """Its last record is whole all the same."""
    last = (SAMPLE / f"{OLD}.jsonl").read_bytes().split(b"\n")[-1]

    assert json.loads(last)["type"] == "assistant"


def test_the_old_child_stands_in_the_main_file() -> None:
    """A root with null parent that repeats the prompt of the Task call."""
    side = [record for record in old if record.get("isSidechain")]
    (task,) = [block for block in blocks_of(old, "tool_use") if block["name"] == "Task"]

    assert len(side) == 4
    assert side[0]["parentUuid"] is None
    assert side[0]["message"]["content"] == task["input"]["prompt"]
    assert all(a["uuid"] == b["parentUuid"] for a, b in pairwise(side))


def test_the_old_session_has_both_summaries_and_both_results() -> None:
    """A foreign title must lose to its own; results may be text."""
    own = {record.get("uuid") for record in old}
    leaves = [record["leafUuid"] in own for record in old if record["type"] == "summary"]
    results = {type(r["toolUseResult"]).__name__ for r in old if "toolUseResult" in r}
    texts = [block["text"] for block in blocks_of(old, "text")]
    todos = list((SAMPLE / "todos").iterdir())

    assert leaves == [False, True]
    assert results == {"dict", "str"}
    assert "[Request interrupted by user for tool use]" in texts
    assert "TodoWrite" in {block["name"] for block in blocks_of(old, "tool_use")}
    assert [path.name.split("-agent-")[0] for path in todos] == [Path(OLD).name]


def test_progress_carries_the_chain_and_a_child() -> None:
    """Ordinary records hang under progress records; one child exists nowhere else."""
    progress = {r["uuid"]: r["data"] for r in middle if r["type"] == "progress"}
    below = [r for r in middle if r["type"] != "progress" and r["parentUuid"] in progress]
    carried = [data for data in progress.values() if data["type"] == "agent_progress"]
    (agent,) = {data["agentId"] for data in carried}

    assert Counter(data["type"] for data in progress.values()) == {
        "hook_progress": 1,
        "bash_progress": 2,
        "agent_progress": 4,
    }
    assert len(below) == 3
    assert [data["message"]["type"] for data in carried] == ["user", "assistant"] * 2
    assert not list(SAMPLE.rglob(f"*{agent}*"))


def test_a_child_file_lies_beside_its_session() -> None:
    """The file names its session; the result of the Task names the child."""
    (path,) = SAMPLE.glob("projects/*/agent-*.jsonl")
    child = read_records(path.relative_to(SAMPLE).as_posix())
    agent = path.stem.removeprefix("agent-")
    named = [r["toolUseResult"].get("agentId") for r in middle if "toolUseResult" in r]

    assert re.fullmatch("[0-9a-f]{8}", agent)
    assert {record["sessionId"] for record in child} == {Path(MIDDLE).name}
    assert agent in named


# ------------------------------------------------------------------ the README


def test_the_readme_counts_what_is_there() -> None:
    """Other tests rely on the table, so it is counted here once more."""
    readme = (SAMPLE / "README.md").read_text(encoding="utf-8")
    table = {
        name: [int(number.replace(",", "")) for number in numbers]
        for name, *numbers in re.findall(
            r"^\| ([a-z ]+) \| ([\d,]+) \| ([\d,]+) \| ([\d,]+) \|$", readme, re.MULTILINE
        )
    }
    sessions = (main, old, middle)

    def counted(kind: str) -> list[int]:
        return [len(blocks_of(once(records), kind)) for records in sessions]

    def largest(records: list[Record]) -> dict[str, int]:
        out: dict[str, int] = {}
        for record in records:
            message = record.get("message", {})
            if record["type"] == "assistant" and message["model"] != "<synthetic>":
                count = message["usage"]["output_tokens"]
                out[message["id"]] = max(out.get(message["id"], 0), count)
        return out

    assert table["lines"] == [len(records) for records in sessions]
    assert table["records"] == [
        len({record["uuid"] for record in records if "uuid" in record}) for records in sessions
    ]
    assert table["tool uses"] == counted("tool_use")
    assert table["tool results"] == counted("tool_result")
    assert table["calls"] == [len(largest(records)) for records in sessions]
    assert table["output tokens"] == [sum(largest(records).values()) for records in sessions]
    assert table["talks"] == [11, 2, 1]
    assert table["human prompts"] == [10, 2, 1]
    assert table["children"] == [len(list((SAMPLE / MAIN).rglob("agent-*.jsonl"))), 1, 2]


def test_a_test_gets_a_copy_of_its_own(sample: Path) -> None:
    """Tests may change their copy; the bundled files stay."""
    there = {path.relative_to(sample) for path in sample.rglob("*") if path.is_file()}
    bundled = {path.relative_to(SAMPLE) for path in SAMPLE.rglob("*") if path.is_file()}
    by_hand = {path for path in bundled if path.suffix in (".py", ".pyc")}

    assert sample.resolve() != SAMPLE.resolve()
    assert there == bundled - by_hand
