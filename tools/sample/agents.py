"""The children of the main session: a reviewer, the reader it starts, and a workflow run."""

import json
from typing import Any

from sample import ids, tidebook
from sample.story import (
    CHECKERS,
    FOLDER,
    HOME,
    PROJECT,
    READER,
    REVIEWER,
    RUN,
    SESSION,
    SMALL_MODEL,
    TASKS,
    Story,
    bash,
)
from sample.transcript import Use, text, thinking
from sample.workspace import Answer, shell

BELOW = f"projects/{PROJECT}/{SESSION}"

REVIEW_PROMPT = (
    "Review tidebook/springs.py in /home/dev/tidebook. Does `mark_days` find the right days, also "
    "when two days have equal range? Is anything in the module unused? Report in a few lines and "
    "change nothing."
)
READ_PROMPT = (
    "List every use of `AGE_OF_TIDE` and of `mark_days` in /home/dev/tidebook, with file and line."
)
_REPORT = (
    "`mark_days` is right. With equal neighbours the first day wins (`>` before, `>=` after), so "
    "each extreme is marked once.\n\n"
    "One remark: `AGE_OF_TIDE` is not used anywhere, and should not be: computed heights already "
    "hold the delay."
)


def _keep(story: Story, path: str, document: Any) -> None:
    story.files[f"{BELOW}/{path}"] = json.dumps(document, ensure_ascii=False, separators=(",", ":"))


def tell_review(story: Story) -> None:
    """The reviewer runs in the background and starts a child of its own."""
    start = story.clock.now.isoformat()
    review = story.child("reviewer", REVIEWER, start=start)
    review.user(REVIEW_PROMPT)
    review.answer(
        "read",
        thinking("", ids.signature_of("review")),
        story.read("review-read", "tidebook/springs.py"),
        bash(
            "review-run",
            "python - <<'PY'\n"
            "from datetime import date\n"
            "from tidebook.springs import mark_days\n"
            "sizes = (3.1, 4.0, 4.0, 3.2, 2.9, 3.0)\n"
            "print(mark_days([(date(2026, 9, d), r) for d, r in enumerate(sizes, 1)]))\n"
            "PY",
            "Try two days of equal range",
            shell("{datetime.date(2026, 9, 2): 'springs', datetime.date(2026, 9, 5): 'neaps'}\n"),
            0.6,
        ),
    )
    found = story.grep("unused", r"AGE_OF_TIDE|mark_days").answer
    assert found is not None
    review.answer(
        "delegate",
        Use(
            "agent-reader",
            "Agent",
            {
                "description": "Find the uses",
                "subagent_type": "Explore",
                "prompt": READ_PROMPT,
            },
            Answer([{"type": "text", "text": f"Only the definitions:\n{found.content}"}]),
            9.0,
        ),
    )
    reader = story.child("reader", READER, start=review.clock.now.isoformat(), model=SMALL_MODEL)
    reader.user(READ_PROMPT)
    reader.answer("grep", story.grep("reader-grep", r"AGE_OF_TIDE|mark_days"))
    reader.answer("say", text(f"Only the definitions:\n{found.content}"))
    review.answer("report", text(_REPORT), attributionAgent="general-purpose")
    _keep(
        story,
        f"subagents/agent-{REVIEWER}.meta.json",
        {
            "agentType": "general-purpose",
            "description": "Check the springs rule",
            "toolUseId": ids.tool_id("agent-review"),
            "spawnDepth": 1,
            "requestShape": "background",
            "requestNonInteractive": True,
            "model": "sonnet",
        },
    )
    _keep(
        story,
        f"subagents/agent-{READER}.meta.json",
        {
            "agentType": "Explore",
            "description": "Find the uses",
            "toolUseId": ids.tool_id("agent-reader"),
            "parentAgentId": REVIEWER,
            "spawnDepth": 2,
            "requestShape": "foreground",
            "requestNonInteractive": True,
            "model": "haiku",
        },
    )


def review_notice() -> str:
    """What the parent is told when the reviewer ends."""
    return (
        "<task-notification>\n"
        f"<task-id>{REVIEWER}</task-id>\n"
        f"<tool-use-id>{ids.tool_id('agent-review')}</tool-use-id>\n"
        f"<output-file>{TASKS}/{REVIEWER}.output</output-file>\n"
        "<status>completed</status>\n"
        '<summary>Agent "Check the springs rule" completed</summary>\n'
        f"<result>{_REPORT}</result>\n"
        "<usage><subagent_tokens>13140</subagent_tokens><tool_uses>3</tool_uses>"
        "<duration_ms>61200</duration_ms></usage>\n"
        "</task-notification>"
    )


_GROUPS: tuple[tuple[str, list[str]], ...] = (
    ("kelmouth, sandness, orrin-quay, black-skerry, whitwater", ["kelmouth", "sandness"]),
    ("tarn-haven, long-reach, saltmarket, inver-cove, easter-bar", []),
    ("gannet-rock, mill-pool, northgate, strand-end", []),
)


def tell_workflow(story: Story, task: str, script_file: str) -> None:
    """Three children compare port tables at the same time; the journal keeps what they return."""
    started = story.clock.now.isoformat()
    events: list[dict[str, Any]] = [{"type": "launched"}]
    results = []
    for number, (agent, (ports, wrong)) in enumerate(zip(CHECKERS, _GROUPS, strict=True), 1):
        key = f"v2:{ids.hex_of(f'journal/{number}', 64)}"
        label = f"group {number}"
        verdict = {
            "wrong": wrong,
            "note": "Both name table B as source." if wrong else "All follow table A.",
        }
        events.append(
            {"type": "started", "key": key, "agentId": agent, "label": label, "phase": "Check"}
        )
        results.append({"type": "result", "key": key, "agentId": agent, "result": verdict})
        _tell_checker(story, number, started, ports, verdict)
        _keep(
            story,
            f"subagents/workflows/{RUN}/agent-{agent}.meta.json",
            {
                "agentType": "workflow-subagent",
                "description": label,
                "workflowPhase": "Check",
                "spawnDepth": 1,
                "requestShape": "foreground",
                "requestNonInteractive": False,
            },
        )
    story.files[f"{BELOW}/subagents/workflows/{RUN}/journal.jsonl"] = "".join(
        json.dumps(event, separators=(",", ":")) + "\n" for event in [*events, *results]
    )
    story.files[f"{BELOW}/workflows/scripts/check-port-tables-{RUN}.js"] = tidebook.WORKFLOW_SCRIPT
    _keep(
        story,
        f"workflows/{RUN}.json",
        {
            "runId": RUN,
            "timestamp": story.clock.stamp(),
            "taskId": task,
            "script": tidebook.WORKFLOW_SCRIPT,
            "scriptPath": script_file,
            "result": {"wrong": ["kelmouth", "sandness"]},
            "agentCount": 3,
            "logs": [],
            "durationMs": 548_000,
            "workflowName": "check-port-tables",
            "status": "completed",
            "startTime": story.clock.millis(),
            "phases": [{"title": "Check"}],
            "defaultModel": "claude-sonnet-5",
            "workflowProgress": [
                {"type": "workflow_phase", "index": 1, "title": "Check"},
                *(
                    {
                        "type": "workflow_agent",
                        "index": number,
                        "label": f"group {number}",
                        "phaseIndex": 1,
                        "agentId": agent,
                        "state": "done",
                        "tokens": 11_400 + 310 * number,
                        "attempt": 1,
                    }
                    for number, agent in enumerate(CHECKERS, 1)
                ),
            ],
            "totalTokens": 36_060,
            "totalToolCalls": 6,
        },
    )


def _tell_checker(
    story: Story, number: int, started: str, ports: str, verdict: dict[str, Any]
) -> None:
    # The counters of these children stay at their first value, as in many real child files.
    child = story.child(f"checker-{number}", CHECKERS[number - 1], start=started, stub=True)
    child.user(
        f"Compare the tables of {ports} with their sources. Name each port whose lags are local. "
        "Change nothing."
    )
    slugs = ports.split(", ")
    tables = {slug: "B" if slug in verdict["wrong"] else "A" for slug in slugs}
    sources = "".join(
        f'data/ports/{slug}.toml:source = "Almanac 2026, table {table}"\n'
        for slug, table in tables.items()
    )
    child.answer(
        "look",
        text("I compare the source line of each file with the kind of lag it needs."),
        bash(
            f"checker-{number}-grep",
            "grep -H '^source' " + " ".join(f"data/ports/{slug}.toml" for slug in slugs),
            "Read the source of each table",
            shell(sources),
        ),
    )
    child.answer(
        "verdict",
        Use(
            f"checker-{number}-out",
            "StructuredOutput",
            verdict,
            Answer("Structured output provided successfully"),
            0.05,
        ),
    )
    child.attach("structured_output", data=verdict)


def workflow_notice(task: str) -> str:
    """What the parent is told when the run ends."""
    return (
        "<task-notification>\n"
        f"<task-id>{task}</task-id>\n"
        f"<tool-use-id>{ids.tool_id('workflow')}</tool-use-id>\n"
        f"<output-file>{TASKS}/{task}.output</output-file>\n"
        "<status>completed</status>\n"
        '<summary>Dynamic workflow "Compare every port table with its source for the lag '
        'convention" completed</summary>\n'
        '<result>{"wrong":["kelmouth","sandness"]}</result>\n'
        "<usage><agent_count>3</agent_count><subagent_tokens>36060</subagent_tokens>"
        "<tool_uses>6</tool_uses><duration_ms>548000</duration_ms></usage>\n"
        "</task-notification>"
    )


def child_path(agent_id: str | None) -> str:
    """Where a child's transcript lies below the home."""
    run = f"workflows/{RUN}/" if agent_id in CHECKERS else ""
    return f"{BELOW}/subagents/{run}agent-{agent_id}.jsonl"


def stored_result_path(label: str) -> str:
    """Where the runtime says it stored a large output."""
    return f"{FOLDER}/tool-results/{ids.tool_id(label)}.txt"


def below_home(path: str) -> str:
    """An absolute path of the story as a path below the home."""
    return path.removeprefix(f"{HOME}/")
