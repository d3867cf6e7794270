"""The sample's README: what each session shows, with numbers counted in the written bytes."""

import json
from collections import Counter
from typing import Any

from sample import agents, older
from sample.story import PROJECT, RUN, SESSION

Home = dict[str, bytes]

_TEXT = """# The sample home

An invented `<claude-home>`, shown by `asz up --sample` and used by tests. No person, project or
transcript in it is real. Everything here but `__init__.py` is written by `tools/make_sample.py`;
`make sample` rewrites it, and a test compares.

Three sessions of three ages of Claude Code, {files} files, {kilobytes} KB.

## Facts

| fact | main | old | middle |
|---|---|---|---|
{rows}

- *lines*: physical lines of the session's own file; *records*: distinct uuids in it.
- *human prompts*: texts a person typed that reached the agent; *commands*: slash commands.
- *talks*: begun by a typed prompt or a command; a prompt queued while the agent works joins the
  running talk, and so does a notification.
- *calls*: distinct message ids, `<synthetic>` not counted; *output tokens*: the largest counter
  of each call, summed.
- *children*: streams besides the main one, wherever their records lie.

## Main: `{main}`

Claude Code 2.1.284, two days in September 2026, a small web service for tide tables. High water is
twelve minutes late at one port; the cause is found, mended, looked for elsewhere; a feature is
planned; notices are escaped; at the end a command runs on staging and has not come back.

| line | what it shows |
|---|---|
{main_lines}

Further files of this session: two children under `subagents/`, one of them started by the other; a
workflow run `{run}` with journal, manifest, script and three children; one stored tool result;
backups under `file-history/`; `tasks/`, `plans/`, `sessions/`, `history.jsonl`.

## Old: `{old}`

Claude Code 1.0.117, September 2025. No promptId, no origin, no slug, no stop reasons. A summary
line that names another session's record, one that names its own; TodoWrite; a Task whose child
stands in the same file as `isSidechain` records without agent id; `toolUseResult` as object,
string; an edit refused by the person; a last line without newline.

## Middle: `{middle}`

Claude Code 2.0.76, January 2026. `progress` records that are parents of ordinary ones: a hook, a
shell command, and a child (`{carried}`) whose messages exist only inside the parent's progress
records. A second child (`{beside}`) lies beside the session as `agent-{beside}.jsonl`.
"""


def _records(body: bytes) -> list[dict[str, Any]]:
    return [json.loads(line) for line in body.split(b"\n") if line]


def count_facts(body: bytes, children: int) -> dict[str, int]:
    """The numbers of one session's own file."""
    records = _records(body)
    blocks = [block for record in _first_copies(records) for block in _blocks(record)]
    outputs: Counter[str] = Counter()
    for record in records:
        message = record.get("message", {})
        if record["type"] == "assistant" and message["model"] != "<synthetic>":
            outputs[message["id"]] = max(outputs[message["id"]], message["usage"]["output_tokens"])
    kinds = Counter(block["type"] for block in blocks)
    return {
        "lines": len(records),
        "records": len({record["uuid"] for record in records if "uuid" in record}),
        "human prompts": sum(map(_is_human, _first_copies(records))),
        "commands": sum(map(_is_command, records)),
        "talks": sum(
            _is_command(record) or (record["type"] == "user" and _is_human(record))
            for record in _first_copies(records)
        ),
        "calls": len(outputs),
        "output tokens": sum(outputs.values()),
        "tool uses": kinds["tool_use"],
        "tool results": kinds["tool_result"],
        "failed results": sum(block.get("is_error") is True for block in blocks),
        "thinking blocks": kinds["thinking"] + kinds["redacted_thinking"],
        "children": children,
    }


def render_readme(home: Home) -> bytes:
    """`README.md`, from the files themselves."""
    main, old, middle = (
        home[f"projects/{project}/{session}.jsonl"]
        for project, session in (
            (PROJECT, SESSION),
            (older.OLD_PROJECT, older.OLD_SESSION),
            (older.MIDDLE_PROJECT, older.MIDDLE_SESSION),
        )
    )
    of_main = sum(
        path.startswith(f"{agents.BELOW}/") and path.endswith(".jsonl") and "/agent-" in path
        for path in home
    )
    columns = [count_facts(main, of_main), count_facts(old, 1), count_facts(middle, 2)]
    rows = [
        f"| {name} | " + " | ".join(f"{column[name]:,}" for column in columns) + " |"
        for name in columns[0]
    ]
    lines = [f"| {', '.join(map(str, at))} | {what} |" for what, at in _points(_records(main))]
    return _TEXT.format(
        files=len(home),
        kilobytes=round(sum(map(len, home.values())) / 1024),
        rows="\n".join(rows),
        main_lines="\n".join(lines),
        main=SESSION,
        old=older.OLD_SESSION,
        middle=older.MIDDLE_SESSION,
        run=RUN,
        carried=older.CARRIED_AGENT,
        beside=older.BESIDE_AGENT,
    ).encode()


def _points(records: list[dict[str, Any]]) -> list[tuple[str, list[int]]]:
    """Where to look for each shape: words, and line numbers from 1 (at most four)."""
    seen: set[str] = set()
    found: dict[str, list[int]] = {}
    for number, record in enumerate(records, 1):
        names = [*_shapes(record)]
        if record.get("uuid") in seen:
            names = ["a record that stands in the file a second time"]
        seen.add(record.get("uuid", ""))
        for name in names:
            found.setdefault(name, []).append(number)
    return [(name, at[:4]) for name, at in found.items()]


def _shapes(record: dict[str, Any]) -> list[str]:
    kind = record["type"]
    if kind == "attachment":
        payload = record["attachment"]
        mode = payload.get("commandMode", "")
        return [f"attachment `{payload['type']}`" + (f", {mode}" if mode else "")]
    if kind == "system":
        return [f"system `{record['subtype']}`"]
    if kind == "queue-operation":
        return [f"queue `{record['operation']}`"]
    if kind not in ("user", "assistant"):
        return [f"`{kind}`"]
    names = []
    if record.get("isCompactSummary"):
        names.append("the summary after the reset")
    if record.get("isMeta"):
        names.append("a record marked meta")
    if _is_human(record):
        names.append("a human prompt")
    if _is_command(record):
        names.append("a slash command")
    if record.get("origin", {}).get("kind") == "task-notification":
        names.append("a task notification")
    if record.get("isAbortedMidStream"):
        names.append("an answer cut short")
    if "interruptedMessageId" in record:
        names.append("the interrupt")
    if record["message"].get("model") == "<synthetic>":
        names.append("words of the runtime, model `<synthetic>`")
    for block in _blocks(record):
        names += _block_shapes(block)
    return names


def _block_shapes(block: dict[str, Any]) -> list[str]:
    kind = block["type"]
    if kind == "tool_use":
        return [f"use of {block['name']}"]
    if kind == "thinking":
        return ["thinking with its text" if block["thinking"] else "thinking, text not kept"]
    if kind == "tool_result":
        content = json.dumps(block["content"])
        names = ["a failed result"] if block.get("is_error") else []
        if "<persisted-output>" in content:
            names.append("a result stored in a file")
        if "\\u001b" in content:
            names.append("a result with terminal colours")
        return names
    return [] if kind == "text" else [f"block `{kind}`"]


def _first_copies(records: list[dict[str, Any]]) -> list[dict[str, Any]]:
    first: dict[object, dict[str, Any]] = {}
    for number, record in enumerate(records):
        first.setdefault(record.get("uuid", number), record)
    return list(first.values())


def _blocks(record: dict[str, Any]) -> list[dict[str, Any]]:
    content = record.get("message", {}).get("content")
    return content if isinstance(content, list) else []


def _is_human(record: dict[str, Any]) -> bool:
    """A prompt that reached the agent: by its origin, in old files by its shape."""
    payload = record.get("attachment", {})
    if payload.get("type") == "queued_command":
        return bool(payload["commandMode"] == "prompt")
    if record["type"] != "user" or record.get("isMeta") or record.get("isSidechain"):
        return False
    if "promptId" in record:
        return bool(record.get("origin", {}).get("kind") == "human")
    return isinstance(record["message"]["content"], str)


def _is_command(record: dict[str, Any]) -> bool:
    content = record.get("message", {}).get("content")
    return isinstance(content, str) and content.startswith("<command-name>")
