"""Two small sessions of older versions: other layouts, other fields, the same kind of work."""

import json
from typing import Any

from sample import ids
from sample.transcript import MIDDLE, OLD, Clock, Record, Transcript, Use, text, thinking
from sample.workspace import Answer, Workspace, shell

OLD_SESSION = "0b6d2f17-48ce-4a05-b7f3-91c6e5a8d204"
OLD_PROJECT = "-home-dev-gull-counter"
OLD_ROOT = "/home/dev/gull-counter"

MIDDLE_SESSION = "c93e7a40-15bd-4f62-8d7e-6b04f2a1c8d9"
MIDDLE_PROJECT = "-home-dev-lamp-post"
MIDDLE_ROOT = "/home/dev/lamp-post"
CARRIED_AGENT = "a" + ids.hex_of("agent/carried", 6)
BESIDE_AGENT = ids.hex_of("agent/beside", 8)

_GULLS = """import csv
import sys

total = 0
for row in csv.reader(open(sys.argv[1])):
    if row[2]:
        total += int(row[2])
print(total)
"""

_TODOS = ("Find why the total is short", "Mend the reader", "Add a test with a blank count")


def _todos(*states: str) -> list[dict[str, str]]:
    return [
        {"content": words, "status": state, "activeForm": words.replace("Find", "Finding")}
        for words, state in zip(_TODOS, states, strict=True)
    ]


def _todo_use(label: str, before: list[dict[str, str]], after: list[dict[str, str]]) -> Use:
    return Use(
        label,
        "TodoWrite",
        {"todos": after},
        Answer(
            "Todos have been modified successfully. Ensure that you continue to use the todo list "
            "to track your progress. Please proceed with the current tasks if applicable",
            {"oldTodos": before, "newTodos": after},
        ),
        0.1,
    )


def _run(label: str, command: str, description: str, answer: Answer, seconds: float = 0.5) -> Use:
    return Use(label, "Bash", {"command": command, "description": description}, answer, seconds)


def tell_old_session() -> tuple[Transcript, dict[str, str]]:
    """A session of a 1.0 version, and its todo file by path below the home."""
    clock = Clock("2025-09-18T07:40:12+00:00")
    work = Workspace(OLD_ROOT, {"count.py": _GULLS, "data/north.csv": "1,herring,41\n"})
    count = f"{OLD_ROOT}/count.py"
    old = Transcript(
        "old",
        OLD_SESSION,
        clock,
        era=OLD,
        cwd=OLD_ROOT,
        branch="main",
        model="claude-sonnet-4-20250514",
    )
    # Names the last record of some other session, as most lines of this kind do.
    old.bare("summary", summary="Rename the survey folders", leafUuid=ids.uuid_of("elsewhere"))
    old.human("gulls", "The total for the north cliff is 3 gulls short of my own count. Why?")
    todos = _todos("in_progress", "pending", "pending")
    old.answer(
        "todo-1", text("I'll look at how the counts are read."), _todo_use("old-todo", [], todos)
    )
    old.answer(
        "look",
        Use(
            "old-glob",
            "Glob",
            {"pattern": "**/*.py"},
            Answer(
                count, {"filenames": [count], "durationMs": 4, "numFiles": 1, "truncated": False}
            ),
            0.1,
        ),
        Use("old-read", "Read", {"file_path": count}, work.read(count), 0.1),
        _run(
            "old-run",
            "python count.py north.csv",
            "Run the count",
            shell(
                "Traceback (most recent call last):\n"
                '  File "/home/dev/gull-counter/count.py", line 5, in <module>\n'
                "    for row in csv.reader(open(sys.argv[1])):\n"
                "FileNotFoundError: [Errno 2] No such file or directory: 'north.csv'\n",
                code=1,
            ),
        ),
        interleave=False,
    )
    _delegate_inside(old)
    after = _todos("completed", "in_progress", "pending")
    old.answer(
        "mend",
        text("Three rows have no count, and `if row[2]` passes over them without a word."),
        _todo_use("old-todo-2", todos, after),
        Use(
            "old-edit",
            "Edit",
            {
                "file_path": count,
                "old_string": "    if row[2]:\n        total += int(row[2])\n",
                "new_string": "    total += int(row[2] or 1)\n",
            },
            Answer(
                "The user doesn't want to proceed with this tool use. The tool use was rejected "
                "(eg. if it was a file edit, the new_string was NOT written to the file). STOP "
                "what you are doing and wait for the user to tell you how to proceed.",
                "Error: The user doesn't want to proceed with this tool use. The tool use was "
                "rejected (eg. if it was a file edit, the new_string was NOT written to the "
                "file). STOP what you are doing and wait for the user to tell you how to proceed.",
                failed=True,
            ),
            12.0,
        ),
    )
    old.user([text("[Request interrupted by user for tool use]")], seconds=0.1)
    clock.pass_seconds(1_150)
    old.human(
        "blank", "A blank count means one bird was heard, not seen. Count it, but list the rows."
    )
    edit = work.edit(
        count,
        "    if row[2]:\n        total += int(row[2])\n",
        "    if not row[2]:\n        print('heard only:', row)\n    total += int(row[2] or 1)\n",
    )
    old.answer(
        "mend-2",
        Use(
            "old-edit-2",
            "Edit",
            {
                "file_path": count,
                "old_string": edit.structured["oldString"],
                "new_string": edit.structured["newString"],
            },
            edit,
            0.2,
        ),
        _run(
            "old-run-2",
            "python count.py data/north.csv | tail -4",
            "Run the count again",
            shell(
                "heard only: ['7', 'kittiwake', '']\nheard only: ['19', 'herring', '']\n"
                "heard only: ['23', 'fulmar', '']\n418\n"
            ),
        ),
    )
    # The title of this session: it names the record before the last.
    old.bare("summary", summary="Count gulls that were only heard", leafUuid=old.last)
    old.answer(
        "done", text("418, as in your notebook. The three rows that were heard only are listed.")
    )
    path = f"todos/{OLD_SESSION}-agent-{OLD_SESSION}.json"
    return old, {path: json.dumps(after, ensure_ascii=False, indent=2)}


def _delegate_inside(old: Transcript) -> None:
    """A child without a file: its records stand in the main file, marked as a side chain."""
    prompt = (
        "List the rows of data/north.csv whose third field is empty. Answer with the rows only."
    )
    found = "7,kittiwake,\n19,herring,\n23,fulmar,"
    task = Use(
        "old-task",
        "Task",
        {"description": "Find empty counts", "prompt": prompt, "subagent_type": "general-purpose"},
        None,
    )
    old.answer("delegate", task)
    parent = old.last
    old.enter_sidechain(True)
    old.chained("user", {"message": {"role": "user", "content": prompt}}, seconds=0.1, parent=None)
    old.answer(
        "side-1",
        _run("old-side-awk", "awk -F, '$3 == \"\"' data/north.csv", "Find the rows", shell(found)),
    )
    old.answer("side-2", text(found))
    old.enter_sidechain(False)
    block = {
        "tool_use_id": ids.tool_id("old-task"),
        "type": "tool_result",
        "content": [{"type": "text", "text": found}],
    }
    old.last = parent
    old.user(
        [block],
        seconds=0.2,
        toolUseResult={
            "content": [{"type": "text", "text": found}],
            "totalDurationMs": 7_410,
            "totalTokens": 9_866,
            "totalToolUseCount": 1,
            "wasInterrupted": False,
        },
    )


def tell_middle_session() -> tuple[Transcript, Transcript]:
    """A session with progress records, and the child whose file lies beside it."""
    clock = Clock("2026-01-22T18:05:33+00:00")
    main = Transcript(
        "middle",
        MIDDLE_SESSION,
        clock,
        era=MIDDLE,
        cwd=MIDDLE_ROOT,
        branch="main",
        model="claude-opus-4-5-20251101",
        slug="gentle-humming-lantern",
    )
    hook = ids.uuid_of("hook/middle")
    _progress(
        main,
        {
            "type": "hook_progress",
            "hookEvent": "SessionStart",
            "hookName": "SessionStart:startup",
            "command": "scripts/check-node.sh",
        },
        hook,
        hook,
    )
    main.human(
        "lamp", "Does the lamp still dim at dusk? Run the tests, and have someone read dusk.ts."
    )
    main.answer(
        "tests",
        thinking("Two independent things; the tests take longer.", ids.signature_of("middle")),
        Use(
            "middle-bash",
            "Bash",
            {"command": "npm test -- dusk", "description": "Run the tests of the dusk module"},
            None,
        ),
    )
    for seconds, lines in ((2, 0), (4, 3)):
        shown = "" if lines == 0 else "✓ dims over 20 minutes\n✓ is off at noon\n1 pending\n"
        _progress(
            main,
            {
                "type": "bash_progress",
                "output": shown,
                "fullOutput": shown,
                "elapsedTimeSeconds": seconds,
                "totalLines": lines,
            },
            f"bash-progress-{seconds // 2 - 1}",
            ids.tool_id("middle-bash"),
        )
    _give(
        main,
        "middle-bash",
        shell("✓ dims over 20 minutes\n✓ is off at noon\n✓ wakes early\n3 passed\n"),
    )
    _carry_child(main)
    beside = _start_child_beside(main)
    main.answer(
        "said",
        text(
            "Yes: three tests pass, and both readers agree that `dusk.ts` dims by the sun's height."
        ),
    )
    return main, beside


def _progress(main: Transcript, data: Record, tool: str, parent_tool: str) -> None:
    fields = {"data": data, "late": {"toolUseID": tool, "parentToolUseID": parent_tool}}
    main.chained("progress", fields, seconds=1.0)


def _give(main: Transcript, label: str, answer: Answer) -> None:
    block = {
        "tool_use_id": ids.tool_id(label),
        "type": "tool_result",
        "content": answer.content,
    }
    main.user([block], seconds=0.3, toolUseResult=answer.structured)


def _task(label: str, prompt: str, description: str) -> Use:
    given = {"description": description, "prompt": prompt, "subagent_type": "Explore"}
    return Use(label, "Task", given, None)


def _completed(agent: str, prompt: str, said: str) -> Answer:
    content = [{"type": "text", "text": said}]
    note = {
        "type": "text",
        "text": f"agentId: {agent} (for resuming to continue this agent's work)",
    }
    structured: dict[str, Any] = {
        "status": "completed",
        "prompt": prompt,
        "agentId": agent,
        "content": content,
        "totalDurationMs": 6_120,
        "totalTokens": 10_204,
        "totalToolUseCount": 1,
    }
    return Answer([*content, note], structured)


def _carry_child(main: Transcript) -> None:
    """A child whose messages exist only inside the parent's progress records."""
    prompt = "Read src/dusk.ts and say in one sentence what decides the brightness."
    said = "The brightness follows the sun's height, linearly between -6° and 2°."
    main.answer("carry", _task("middle-carried", prompt, "Read dusk.ts"))
    clock = Clock(main.clock.stamp().replace("Z", "+00:00"))
    child = Transcript(
        "carried",
        MIDDLE_SESSION,
        clock,
        era=MIDDLE,
        cwd=MIDDLE_ROOT,
        branch="main",
        model="claude-haiku-4-5-20251001",
        agent_id=CARRIED_AGENT,
        context=5_000,
        stub_usage=True,
    )
    child.user([text(prompt)])
    source = "export const brightness = (h: number) => clamp((2 - h) / 8)\n"
    path = f"{MIDDLE_ROOT}/src/dusk.ts"
    work = Workspace(MIDDLE_ROOT, {"src/dusk.ts": source})
    child.answer("read", Use("carried-read", "Read", {"file_path": path}, work.read(path), 0.1))
    child.answer("say", text(said))
    message = next(r["message"]["id"] for r in main.records[::-1] if r["type"] == "assistant")
    for record in child.records:
        kept = ("type", "message", "requestId", "uuid", "timestamp")
        carried = {key: record[key] for key in kept if key in record}
        data = {
            "message": carried,
            "normalizedMessages": [],
            "type": "agent_progress",
            "prompt": prompt,
            "agentId": CARRIED_AGENT,
        }
        _progress(main, data, f"agent_{message}", ids.tool_id("middle-carried"))
    _give(main, "middle-carried", _completed(CARRIED_AGENT, prompt, said))


def _start_child_beside(main: Transcript) -> Transcript:
    """A child whose file lies in the project folder, beside the session."""
    prompt = "Check that nothing else sets the brightness. Name the files you looked at."
    said = "Only src/dusk.ts sets it; I looked at src/lamp.ts and src/button.ts too."
    main.answer("beside", _task("middle-beside", prompt, "Look for other writers"))
    child = Transcript(
        "beside",
        MIDDLE_SESSION,
        Clock(main.clock.stamp().replace("Z", "+00:00")),
        era=MIDDLE,
        cwd=MIDDLE_ROOT,
        branch="main",
        model="claude-haiku-4-5-20251001",
        slug="gentle-humming-lantern",
        agent_id=BESIDE_AGENT,
        context=5_000,
    )
    child.user(prompt)
    child.answer(
        "grep",
        Use(
            "beside-grep",
            "Grep",
            {"pattern": r"brightness\s*=", "path": f"{MIDDLE_ROOT}/src"},
            Answer("Found 1 file\nsrc/dusk.ts"),
            0.2,
        ),
    )
    child.answer("say", text(said))
    main.clock.pass_seconds(9)
    _give(main, "middle-beside", _completed(BESIDE_AGENT, prompt, said))
    return child
