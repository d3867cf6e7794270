"""Write child agents: single ones, workflow runs with their journals, and children of children."""

import json
import os
from pathlib import Path
from typing import NamedTuple

from benchmarks.corpus.calls import Use, write_call
from benchmarks.corpus.conversation import (
    write_companions,
    write_prompt,
    write_reply,
    write_tool_call,
)
from benchmarks.corpus.documented import RUN_CHILDREN_WITHOUT_RESULT
from benchmarks.corpus.rare_events import HOME
from benchmarks.corpus.tools import Json, Output
from benchmarks.corpus.transcript import Transcript, format_instant

CHILD_LINES_MEDIAN = 60
CHILD_LINES_SPREAD = 0.8
LARGEST_RUN = 24


class Child(NamedTuple):
    """A finished child: its id, its last words, and when it ended in milliseconds."""

    agent: str
    answer: str
    ended: int


def write_agent_call(parent: Transcript) -> None:
    """Write a call of `Agent` that waits for its child, and the child itself."""
    shop = parent.shop
    tool_use = shop.ids.tool_use()
    description = shop.prose.text(shop.random, 28)
    prompt = shop.write_prose(shop.size(900, 0.7, "text"))
    depth = 1 if parent.is_main else 2
    sidecar: Json = {
        "agentType": "general-purpose",
        "description": description,
        "toolUseId": tool_use,
        "spawnDepth": depth,
    }
    if not parent.is_main:
        sidecar["parentAgentId"] = parent.agent
    tool_input = {
        "description": description,
        "prompt": prompt,
        "subagent_type": "general-purpose",
    }

    def run() -> Output:
        started = parent.now
        child = write_child(parent, parent.session.companion / "subagents", prompt, sidecar)
        parent.now = child.ended
        answer = [{"type": "text", "text": child.answer}]
        structured = {
            "status": "completed",
            "prompt": prompt,
            "agentId": child.agent,
            "agentType": "general-purpose",
            "content": answer,
            "totalDurationMs": child.ended - started,
            "totalTokens": 41_000,
            "totalToolUseCount": 9,
        }
        return Output(answer, structured)

    write_call(parent, [Use(tool_use, "Agent", tool_input, run)])


def write_workflow_call(main: Transcript, size: int) -> None:
    """Write a call of `Workflow`, its run of up to `size` children, and the notice of its end."""
    shop, session = main.shop, main.session
    run, task, tool_use = shop.ids.run(), f"w{shop.ids.hexadecimal(8)}", shop.ids.tool_use()
    name, started = shop.word(), main.now
    script = shop.code.text(shop.random, 1_500)
    beside = f"{HOME}/projects/{session.project.name}/{session.id}"
    structured = {
        "status": "async_launched",
        "taskId": task,
        "runId": run,
        "summary": f"Workflow {name} launched",
        "transcriptDir": f"{beside}/subagents/workflows/{run}",
        "scriptPath": f"{beside}/workflows/scripts/{name}-{run}.js",
    }
    output = Output(f"Workflow launched in background. Task ID: {task}", structured)
    write_call(main, [Use(tool_use, "Workflow", {"script": script}, lambda: output)])
    write_call(main, [], write_reply(main, plants=session.era.plants))

    folder = session.companion / "subagents" / "workflows" / run
    journal: list[Json] = [{"type": "launched"}]
    agents: list[str] = []
    ended = main.now
    while len(agents) < size and not (agents and shop.ledger.is_full):
        prompt = shop.write_prose(shop.size(1_100, 0.7, "text"))
        child = write_child(
            main, folder, prompt, {"agentType": "workflow-subagent", "spawnDepth": 1}
        )
        key = f"v2:{shop.ids.hexadecimal(64)}"
        journal.append({"type": "started", "key": key, "agentId": child.agent})
        if not shop.chance(RUN_CHILDREN_WITHOUT_RESULT):
            result = {"summary": child.answer}
            journal.append({"type": "result", "key": key, "agentId": child.agent, "result": result})
        agents.append(child.agent)
        ended = max(ended, child.ended)
    main.now = ended
    _write_lines(main, "journal", folder / "journal.jsonl", journal)
    progress = [
        {"type": "workflow_agent", "index": index, "agentId": agent, "state": "done"}
        for index, agent in enumerate(agents, 1)
    ]
    manifest = {
        "runId": run,
        "timestamp": format_instant(ended),
        "taskId": task,
        "script": script,
        "agentCount": len(agents),
        "durationMs": ended - started,
        "workflowName": name,
        "status": "completed",
        "startTime": started,
        "workflowProgress": progress,
    }
    _write_lines(main, "manifest", session.companion / "workflows" / f"{run}.json", [manifest])
    notice = (
        f"<task-notification>\n<task-id>{task}</task-id>\n<tool-use-id>{tool_use}</tool-use-id>\n"
        f'<status>completed</status>\n<summary>Workflow "{name}" completed</summary>\n'
        "</task-notification>"
    )
    main.note("queue-operation", {"operation": "enqueue", "content": notice})
    write_prompt(main, notice, origin="task-notification")


def write_child(parent: Transcript, folder: Path, prompt: str, sidecar: Json) -> Child:
    """Write a child's transcript and sidecar in `folder`.

    Its first words and its last stand in other files as well, so they hold no needle.
    """
    shop, session = parent.shop, parent.session
    agent = shop.ids.agent()
    path = folder / f"agent-{agent}.jsonl"
    lines = shop.size(CHILD_LINES_MEDIAN, CHILD_LINES_SPREAD)
    with Transcript(shop, session, path, parent.now, agent=agent) as stream:
        stream.prompt_id = parent.prompt_id
        write_prompt(stream, prompt)
        while stream.lines < lines and not shop.ledger.is_full:
            if sidecar["spawnDepth"] == 1 and shop.is_due("nested"):
                write_agent_call(stream)
            write_tool_call(stream)
            write_companions(stream)
        answer = write_reply(stream, plants=False)
        write_call(stream, [], answer)
    _write_lines(parent, "sidecar", path.with_suffix(".meta.json"), [sidecar], stream.now)
    return Child(agent, answer, stream.now)


def _write_lines(
    owner: Transcript, kind: str, path: Path, rows: list[Json], now: int | None = None
) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    text = "\n".join(json.dumps(row, ensure_ascii=False) for row in rows)
    path.write_text(f"{text}\n", encoding="utf-8", newline="\n")
    os.utime(path, ns=((now or owner.now) * 1_000_000,) * 2)
    owner.shop.ledger.count_file(kind, path.stat().st_size)
