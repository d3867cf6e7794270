"""Tuesday: a fault is found and mended, a feature planned, all ports checked, context reset."""

from typing import Any

from sample import agents, ids, picture, tidebook
from sample.story import (
    FOLDER,
    HOME,
    PLAN_FILE,
    REVIEWER,
    RUN,
    SESSION,
    TASKS,
    Story,
    bash,
)
from sample.transcript import Transcript, Use, text, thinking
from sample.workspace import Answer, background, background_task_id, shell

GREEN, BOLD, PLAIN = "\x1b[32m", "\x1b[1m", "\x1b[0m"


def tell_morning(story: Story) -> None:
    """From the first prompt to the mended table: talks 1 and 2."""
    _open_session(story)
    _find_the_cause(story)
    _mend_it(story)


def tell_noon(story: Story) -> None:
    """Commands, a plan with questions, a child agent: talks 3 and 4."""
    _look_at_context(story)
    _plan_springs(story)


def tell_afternoon(story: Story) -> None:
    """A workflow over all ports, a command in the background, the reset: talk 5."""
    _check_all_ports(story)
    _reset_context(story)


def _open_session(story: Story) -> None:
    main = story.main
    main.bare("mode", mode="normal", sessionId=SESSION)
    main.bare("permission-mode", permissionMode="acceptEdits", sessionId=SESSION)
    main.attach(
        "hook_success",
        hookName="SessionStart:startup",
        toolUseID=ids.uuid_of("hook/start"),
        hookEvent="SessionStart",
        content="",
        stdout="uv sync: 23 packages up to date\n",
        stderr="",
        exitCode=0,
        command="scripts/session-start.sh",
        durationMs=412,
    )
    main.attach(
        "skill_listing",
        isInitial=True,
        names=["release-notes", "chart-datum"],
        skillCount=2,
        content=(
            "- release-notes: Write the notes of a release from its merged changes\n"
            "- chart-datum: Convert heights between chart datum and ordnance datum"
        ),
    )
    main.attach(
        "deferred_tools_delta",
        addedNames=["WebFetch", "NotebookEdit"],
        addedLines=["WebFetch", "NotebookEdit"],
        removedNames=[],
        readdedNames=[],
        pendingMcpServers=[],
    )


def _find_the_cause(story: Story) -> None:
    main, clock = story.main, story.clock
    began = clock.now
    prompt = story.type(
        "late",
        "Since the weekend the table for Kelmouth shows high water about twelve minutes late. "
        "The harbour office noticed before we did. Find out why, and change nothing yet.",
    )
    story.snapshot(prompt)
    log = (
        "4be1d07 2026-09-05 Load the 2026 almanac tables\n"
        "a93c5f2 2026-09-03 Print heights with one decimal\n"
        "e01b7aa 2026-08-29 Add Strand End\n"
    )
    main.answer(
        "look",
        thinking(
            "A constant delay, not a wrong height: so a phase, not a datum. Twelve minutes of M2 "
            "is 28.98 / 60 * 12, about 5.8 degrees. Kelmouth lies 2.97 degrees west, and "
            "2.97 * 28.98 / 15 is 5.74 degrees. That is too close to be chance: the longitude "
            "may be applied twice. Check the data and the code before saying so.",
            ids.signature_of("look"),
        ),
        text(
            "A constant delay points at a phase, not at a height. I will read the port's table, "
            "the code that uses it, and what changed since Friday."
        ),
        story.grep("grep-phase", r"phase|longitude", "tidebook/"),
        story.read("read-kelmouth", "data/ports/kelmouth.toml"),
        bash(
            "git-log",
            "git log --format='%h %as %s' -3 -- data tidebook",
            "Show the last three changes",
            Answer(log.rstrip("\n"), shell(log).structured, failed=False),
        ),
    )
    main.answer(
        "measure",
        thinking("", ids.signature_of("measure")),
        story.read("read-harmonics", "tidebook/harmonics.py"),
        bash(
            "git-show",
            "git show 4be1d07 --stat && git show 4be1d07 -- data/ports/README.md | tail -4",
            "See what the almanac import changed",
            shell(
                " data/ports/README.md     |  2 ++\n"
                " data/ports/kelmouth.toml | 18 +++++++++---------\n"
                " 2 files changed, 11 insertions(+), 9 deletions(-)\n"
                "+Table A gives the lag at Greenwich (G).\n"
                "+Table B gives the lag at the port's own meridian (g).\n"
            ),
        ),
    )
    main.answer(
        "cause",
        text(
            "**The longitude is applied twice, for Kelmouth only.**\n\n"
            "- `data/ports/kelmouth.toml` was taken from *table B* on 5 September (`4be1d07`). "
            "Table B gives lags at the port's own meridian.\n"
            "- `local_phase` in `tidebook/harmonics.py` turns every lag into a local one, as "
            "table A needs it.\n"
            "- For M2 that adds 2.97° × 28.98 / 15 = 5.74°, which is **11.9 minutes**: the delay "
            "the office saw.\n\n"
            "Heights are right, only times are late. I have changed nothing. The smallest repair "
            "is a key in each port file that says which lag it holds."
        ),
    )
    main.system(
        "stop_hook_summary",
        hookCount=1,
        hookInfos=[{"command": "scripts/on-stop.sh", "durationMs": 88}],
        hookErrors=[],
        hookAdditionalContext=[],
        preventedContinuation=False,
        stopReason="",
        hasOutput=False,
        level="suggestion",
        toolUseID=ids.uuid_of("hook/stop"),
    )
    main.turn_duration(began)
    story.title("ai-title", "Kelmouth high water is twelve minutes late")
    story.last_prompt(story.typed[-1][0])


def _mend_it(story: Story) -> None:
    main, clock = story.main, story.clock
    clock.set("2026-09-08T09:19:40+00:00")
    began = clock.now
    words = (
        "Here is their gauge plot for this morning. Does the shape fit your explanation? "
        "If so, mend it."
    )
    prompt = story.type(
        "mend",
        words,
        [
            {"type": "text", "text": words},
            {
                "type": "image",
                "source": {
                    "type": "base64",
                    "media_type": "image/png",
                    "data": picture.tide_curve(),
                },
            },
        ],
        imagePasteIds=[1],
    )
    main.user(
        [{"type": "text", "text": f"[Image: source: {HOME}/image-cache/{SESSION}/1.png]"}],
        isMeta=True,
        turnCompanion=True,
    )
    main.answer(
        "tasks",
        thinking(
            "The curve is regular and only shifted. That fits a phase error; a datum error would "
            "move it up or down.",
            ids.narration_signature(),
        ),
        text(
            "Yes. The curve has the right height and form and is only shifted, which a doubled "
            "longitude gives and a wrong datum would not. I will mend it in three steps."
        ),
        Use(
            "task-1",
            "TaskCreate",
            {
                "subject": "Say in each port file which lag it holds",
                "description": "A key `phase_reference`: `greenwich` (default) or `local`.",
                "activeForm": "Marking the port files",
            },
            Answer(
                "Task #1 created successfully: Say in each port file which lag it holds",
                {"task": {"id": "1", "subject": "Say in each port file which lag it holds"}},
            ),
            0.05,
        ),
        Use(
            "task-2",
            "TaskCreate",
            {
                "subject": "Shift only lags that are Greenwich ones",
                "description": "Teach `local_phase` the reference, with a test for both.",
                "activeForm": "Teaching local_phase the reference",
            },
            Answer(
                "Task #2 created successfully: Shift only lags that are Greenwich ones",
                {"task": {"id": "2", "subject": "Shift only lags that are Greenwich ones"}},
            ),
            0.05,
        ),
        interleave=False,
    )
    story.snapshot(prompt)
    main.answer(
        "edits",
        story.edit(
            "edit-kelmouth",
            "data/ports/kelmouth.toml",
            'source = "Almanac 2026, table B"\n',
            'source = "Almanac 2026, table B"\nphase_reference = "local"\n',
        ),
        story.edit(
            "edit-harmonics",
            "tidebook/harmonics.py",
            "def local_phase(constituent: Constituent, longitude: float) -> float:\n"
            '    """The lag at the port\'s own meridian, from the lag at Greenwich."""\n'
            "    return constituent.phase - longitude * constituent.speed / 15.0\n",
            "def local_phase(\n"
            "    constituent: Constituent, longitude: float, reference: PhaseReference\n"
            ") -> float:\n"
            '    """The lag at the port\'s own meridian; a local one is that already."""\n'
            '    if reference == "local":\n'
            "        return constituent.phase\n"
            "    return constituent.phase - longitude * constituent.speed / 15.0\n",
        ),
    )
    main.attach(
        "hook_additional_context",
        hookName="PostToolUse:Edit",
        hookEvent="PostToolUse",
        toolUseID=ids.tool_id("edit-harmonics"),
        content=["ruff: F821 undefined name `PhaseReference` in tidebook/harmonics.py:22"],
    )
    main.answer(
        "test-fails",
        bash(
            "pytest-1",
            "uv run pytest -q tests/test_harmonics.py",
            "Run the tests of this module",
            shell(
                "ERROR tests/test_harmonics.py - NameError: name 'PhaseReference' is not defined\n"
                "1 error in 0.31s\n",
                code=2,
            ),
            2.4,
        ),
    )
    # A message typed while the agent works: queued, then handed over as an attachment.
    queued = (
        "Also keep the column `lag_g` in the CSV export as it is. The almanac importer reads it."
    )
    story.typed.append((queued, clock.millis()))
    main.queue("enqueue", queued, seconds=3.0)
    main.answer(
        "mend-name",
        story.edit(
            "edit-literal",
            "tidebook/harmonics.py",
            "from math import cos, radians\n\n"
            "from tidebook.astro import equilibrium_argument, node_factor\n",
            "from math import cos, radians\n"
            "from typing import Literal\n\n"
            "from tidebook.astro import equilibrium_argument, node_factor\n\n"
            'PhaseReference = Literal["greenwich", "local"]\n',
        ),
    )
    main.queue("remove", seconds=0.1)
    main.attach(
        "queued_command",
        prompt=queued,
        source_uuid=ids.uuid_of("queued/csv"),
        commandMode="prompt",
        origin={"kind": "human"},
        timestamp=clock.stamp(),
    )
    main.answer(
        "use-it",
        thinking("", ids.signature_of("use-it")),
        text("Noted: the export stays as it is, it never used the shifted lag. Now the callers."),
        story.edit(
            "edit-height",
            "tidebook/harmonics.py",
            "def height(\n"
            "    constituents: Sequence[Constituent], "
            "longitude: float, datum: float, at: datetime\n"
            ") -> float:\n",
            "def height(\n"
            "    constituents: Sequence[Constituent],\n"
            "    longitude: float,\n"
            "    datum: float,\n"
            "    at: datetime,\n"
            '    reference: PhaseReference = "greenwich",\n'
            ") -> float:\n",
        ),
        story.edit(
            "edit-lag",
            "tidebook/harmonics.py",
            "        lag = local_phase(constituent, longitude)\n",
            "        lag = local_phase(constituent, longitude, reference)\n",
        ),
        story.edit(
            "edit-tests",
            "tests/test_harmonics.py",
            "def test_greenwich_needs_no_shift() -> None:\n"
            "    assert local_phase(M2, 0.0) == 318.4\n\n\n"
            "def test_a_western_port_lags_behind_greenwich() -> None:\n"
            "    assert local_phase(M2, -2.97) == pytest.approx(324.14, abs=0.01)\n",
            "def test_greenwich_needs_no_shift() -> None:\n"
            '    assert local_phase(M2, 0.0, "greenwich") == 318.4\n\n\n'
            "def test_a_western_port_lags_behind_greenwich() -> None:\n"
            '    assert local_phase(M2, -2.97, "greenwich") == '
            "pytest.approx(324.14, abs=0.01)\n\n\n"
            "def test_a_local_lag_is_not_shifted_again() -> None:\n"
            '    assert local_phase(M2, -2.97, "local") == 318.4\n',
        ),
        interleave=False,
    )
    main.answer(
        "test-passes",
        bash(
            "pytest-2",
            "uv run pytest -q --color=yes tests/test_harmonics.py",
            "Run the tests again",
            shell(
                f"{GREEN}.{PLAIN}{GREEN}.{PLAIN}{GREEN}.{PLAIN}{GREEN}.{PLAIN}"
                f"{GREEN}                                          [100%]{PLAIN}\n"
                f"{GREEN}{BOLD}4 passed{PLAIN}{GREEN} in 0.42s{PLAIN}\n"
            ),
            2.8,
        ),
        Use(
            "task-done",
            "TaskUpdate",
            {"taskId": "2", "status": "completed"},
            Answer(
                "Updated task #2 status",
                {
                    "success": True,
                    "taskId": "2",
                    "updatedFields": ["status"],
                    "statusChange": {"from": "pending", "to": "completed"},
                },
            ),
            0.05,
        ),
    )
    main.answer(
        "mended",
        text(
            "Kelmouth is right again: high water today at **02:51** and **15:14**, as on the "
            "office's plot.\n\n"
            "| file | change |\n|---|---|\n"
            '| `data/ports/kelmouth.toml` | `phase_reference = "local"` |\n'
            "| `tidebook/harmonics.py` | shifts only Greenwich lags |\n"
            "| `tests/test_harmonics.py` | one more test, 4 pass |\n\n"
            "`ports.py` does not hand the key on yet; I left that for the check of all ports, "
            "since each file needs a value first. The CSV export is untouched."
        ),
    )
    main.turn_duration(began)
    story.last_prompt(words)


def _warn_of_local_output(main: Transcript) -> None:
    """The runtime's note to the model before a command and what it printed."""
    main.user(
        "<local-command-caveat>Caveat: The messages below were generated by the user while "
        "running local commands. DO NOT respond to these messages unless the user explicitly "
        "asks you to.</local-command-caveat>",
        isMeta=True,
    )


def _look_at_context(story: Story) -> None:
    main, clock = story.main, story.clock
    clock.set("2026-09-08T11:02:11+00:00")
    main.prompt_id = ids.uuid_of("prompt/context")
    _warn_of_local_output(main)
    story.typed.append(("/context", clock.millis()))
    main.user(
        "<command-name>/context</command-name>\n"
        "            <command-message>context</command-message>\n"
        "            <command-args></command-args>"
    )
    main.user(
        "<local-command-stdout>\x1b[1mContext usage\x1b[22m  22k/200k tokens (11%)\n"
        "  System prompt   3.1k\n  System tools   10.9k\n  Messages        8.2k\n"
        "  Free space      178k\n</local-command-stdout>",
        seconds=0.2,
    )
    main.system(
        "local_command",
        content=(
            "<command-name>/mcp</command-name>\n            <command-message>mcp</command-message>"
            "\n            <command-args></command-args>"
        ),
        level="info",
        isMeta=False,
        seconds=9.0,
    )
    main.system(
        "local_command",
        content="<local-command-stdout>No MCP servers configured.</local-command-stdout>",
        level="info",
        isMeta=False,
    )


def _plan_springs(story: Story) -> None:
    main, clock = story.main, story.clock
    clock.pass_seconds(40)
    began = clock.now
    words = (
        "Readers ask which days have spring tides. Plan how the day tables could mark them. "
        "Ask me what you need to know."
    )
    prompt = story.type("springs", words, permissionMode="plan")
    main.bare("mode", mode="plan", sessionId=SESSION)
    main.attach(
        "plan_mode",
        reminderType="full",
        isSubAgent=False,
        planFilePath=PLAN_FILE,
        planExists=False,
    )
    questions: list[dict[str, Any]] = [
        {
            "question": "What should decide that a day has springs?",
            "header": "Rule",
            "multiSelect": False,
            "options": [
                {
                    "label": "Our own heights",
                    "description": "The day with the largest range; needs no moon tables",
                },
                {
                    "label": "Moon phase",
                    "description": "Two days after full and new moon; the same for every port",
                },
            ],
        },
        {
            "question": "How may the mark look in print?",
            "header": "Look",
            "multiSelect": False,
            "options": [
                {"label": "A word", "description": "`springs` or `neaps` beside the date"},
                {"label": "A sign", "description": "A filled or empty circle"},
            ],
        },
    ]
    answers = {
        questions[0]["question"]: "Our own heights",
        questions[1]["question"]: "A word, and no colours please: we print in black",
    }
    told = ", ".join(f'"{question}"="{answer}"' for question, answer in answers.items())
    main.answer(
        "ask",
        thinking("", ids.signature_of("ask")),
        text("Two things decide how much there is to build."),
        Use(
            "ask",
            "AskUserQuestion",
            {"questions": questions},
            Answer(
                f"User has answered your questions: {told}. You can now continue with the user's "
                "answers in mind.",
                {"questions": questions, "answers": answers, "annotations": {}},
            ),
            74.0,
        ),
    )
    story.files[f"plans/{PLAN_FILE.rsplit('/', 1)[1]}"] = tidebook.PLAN
    main.answer(
        "plan",
        Use(
            "plan",
            "ExitPlanMode",
            {"plan": tidebook.PLAN, "planFilePath": PLAN_FILE},
            Answer(
                "User has approved your plan. You can now start coding. Start with updating your "
                f"todo list if applicable\n\nYour plan has been saved to: {PLAN_FILE}\n\n"
                f"## Approved Plan:\n{tidebook.PLAN}",
                {"plan": tidebook.PLAN, "isAgent": False, "filePath": PLAN_FILE},
            ),
            51.0,
        ),
    )
    main.attach("plan_mode_exit", planFilePath=PLAN_FILE, planExists=True)
    main.bare("mode", mode="normal", sessionId=SESSION)
    story.snapshot(prompt)
    main.answer(
        "springs",
        story.write("write-springs", "tidebook/springs.py", tidebook.SPRINGS),
        Use(
            "agent-review",
            "Agent",
            {
                "description": "Check the springs rule",
                "subagent_type": "general-purpose",
                "prompt": agents.REVIEW_PROMPT,
            },
            Answer(
                [
                    {
                        "type": "text",
                        "text": "Async agent launched successfully.\n"
                        f"agentId: {REVIEWER} (internal ID - do not mention to user.)\n"
                        "The agent is working in the background. You will be notified "
                        "automatically when it completes.\n"
                        f"output_file: {TASKS}/{REVIEWER}.output",
                    }
                ],
                {
                    "isAsync": True,
                    "status": "async_launched",
                    "agentId": REVIEWER,
                    "description": "Check the springs rule",
                    "resolvedModel": "claude-sonnet-5",
                    "prompt": agents.REVIEW_PROMPT,
                    "outputFile": f"{TASKS}/{REVIEWER}.output",
                    "canReadOutputFile": True,
                },
            ),
            0.2,
        ),
        wireToolInputs={ids.tool_id("write-springs"): {"content": tidebook.SPRINGS}},
    )
    agents.tell_review(story)
    main.answer(
        "while-waiting",
        text("`springs.py` stands. While the rule is being checked I look at where it is shown."),
        story.grep("grep-render", r"render_day", "tidebook/"),
    )
    clock.pass_seconds(70)
    notice = agents.review_notice()
    main.queue("enqueue", notice, seconds=0.1)
    main.queue("remove", seconds=0.1)
    main.attach(
        "queued_command",
        prompt=notice,
        source_uuid=ids.uuid_of("queued/review"),
        commandMode="task-notification",
        origin={"kind": "task-notification"},
        timestamp=clock.stamp(),
    )
    main.answer(
        "reviewed",
        text(
            "The check found one thing worth changing: `AGE_OF_TIDE` is defined and used nowhere, "
            "and by the plan it must not be, since our own heights already hold the delay."
        ),
        story.edit(
            "edit-age",
            "tidebook/springs.py",
            "from datetime import date, timedelta\n"
            "from typing import Literal\n\n"
            'Mark = Literal["springs", "neaps"]\n\n'
            "# The tide answers the moon late; on this coast by about a day and a half.\n"
            "AGE_OF_TIDE = timedelta(days=1, hours=12)\n",
            "from datetime import date\n"
            "from typing import Literal\n\n"
            'Mark = Literal["springs", "neaps"]\n',
        ),
    )
    main.answer(
        "springs-done",
        text(
            "Done as planned, without moon tables:\n\n"
            "1. `tidebook/springs.py` marks the days with the largest and the smallest range.\n"
            "2. The unused constant is gone.\n"
            "3. Still open: `pages.py` must print the word. It is not in the list above because "
            "it needs a month of heights, and today it asks for one day."
        ),
    )
    main.turn_duration(began, pendingBackgroundAgentCount=0)
    story.last_prompt(words)


def _check_all_ports(story: Story) -> None:
    main, clock = story.main, story.clock
    clock.set("2026-09-08T14:15:30+00:00")
    began = clock.now
    words = (
        "Check the tables of all fourteen ports for the same mistake, with a workflow. "
        "Build the almanac meanwhile, I need the PDF today."
    )
    story.type("ports", words)
    script_file = f"{FOLDER}/workflows/scripts/check-port-tables-{RUN}.js"
    build = background_task_id("almanac")
    task = "w" + ids.base58_of("task/workflow", 8).lower()
    main.answer(
        "launch",
        thinking(
            "Fourteen files, independent of each other, read only: three agents in parallel are "
            "plenty. The build takes minutes and needs nothing from them.",
            ids.signature_of("launch"),
        ),
        Use(
            "workflow",
            "Workflow",
            {"script": tidebook.WORKFLOW_SCRIPT},
            Answer(
                f"Workflow launched in background. Task ID: {task}\n"
                "Summary: Compare every port table with its source for the lag convention\n"
                f"Transcript dir: {FOLDER}/subagents/workflows/{RUN}\n"
                f"Script file: {script_file}\nRun ID: {RUN}\n\n"
                "You will be notified when it completes.",
                {
                    "status": "async_launched",
                    "taskId": task,
                    "taskType": "local_workflow",
                    "workflowName": "check-port-tables",
                    "runId": RUN,
                    "summary": "Compare every port table with its source for the lag convention",
                    "transcriptDir": f"{FOLDER}/subagents/workflows/{RUN}",
                    "scriptPath": script_file,
                },
            ),
            0.3,
        ),
        bash(
            "build",
            "make almanac YEAR=2026",
            "Build the almanac for all ports",
            background(build, f"{TASKS}/{build}.output"),
            0.2,
            run_in_background=True,
        ),
    )
    agents.tell_workflow(story, task, script_file)
    main.answer(
        "running",
        text("Both are running: three agents compare the tables, the almanac builds beside them."),
    )
    main.turn_duration(began, pendingBackgroundAgentCount=0, pendingWorkflowCount=1)
    clock.set("2026-09-08T14:19:02+00:00")
    main.notify(
        "build",
        "<task-notification>\n"
        f"<task-id>{build}</task-id>\n"
        f"<tool-use-id>{ids.tool_id('build')}</tool-use-id>\n"
        f"<output-file>{TASKS}/{build}.output</output-file>\n"
        "<status>completed</status>\n"
        '<summary>Background command "Build the almanac for all ports" completed '
        "(exit code 0)</summary>\n"
        "</task-notification>",
    )
    main.answer(
        "built",
        bash(
            "tail-build",
            f"tail -2 {TASKS}/{build}.output",
            "Read the end of the build's output",
            shell("14 ports, 5110 pages of tables\nwrote build/almanac-2026.pdf (3.4 MB)\n"),
        ),
    )
    main.answer("built-said", text("The almanac is ready: `build/almanac-2026.pdf`, 14 ports."))
    clock.set("2026-09-08T14:24:47+00:00")
    began = clock.now
    main.notify("workflow", agents.workflow_notice(task))
    main.answer(
        "found",
        text(
            "The workflow is done. Of fourteen tables two hold local lags: **Kelmouth**, which we "
            "mended, and **Sandness**, which nobody noticed because it lies at 0.4° west, an "
            "error of 1.6 minutes."
        ),
        story.read("read-ports", "tidebook/ports.py"),
    )
    main.answer(
        "ports-edit",
        story.edit(
            "edit-ports-field",
            "tidebook/ports.py",
            "    source: str\n    constituents: tuple[Constituent, ...]\n",
            "    source: str\n    phase_reference: PhaseReference\n"
            "    constituents: tuple[Constituent, ...]\n",
        ),
        story.edit(
            "edit-ports-load",
            "tidebook/ports.py",
            '        source=table["source"],\n',
            '        source=table["source"],\n'
            '        phase_reference=table.get("phase_reference", "greenwich"),\n',
        ),
        story.edit(
            "edit-ports-import",
            "tidebook/ports.py",
            "from tidebook.harmonics import Constituent\n",
            "from tidebook.harmonics import Constituent, PhaseReference\n",
        ),
        interleave=False,
    )
    main.answer(
        "ports-said",
        text(
            "`load_port` now hands the reference on. Sandness gets its key tomorrow, with a test."
        ),
    )
    main.turn_duration(began, pendingWorkflowCount=0)


def _reset_context(story: Story) -> None:
    """The context is compacted; two records before it stand in the file a second time."""
    main, clock = story.main, story.clock
    repeated = [r["uuid"] for r in main.records if r["type"] in ("user", "assistant")][:2]
    clock.set("2026-09-08T14:26:20+00:00")
    for uuid in repeated:
        main.replay(uuid)
    story.typed.append(("/compact", clock.millis()))
    before = main.shrink_context(21_480)
    summary_time = clock.now
    main.reset(
        seconds=1.0,
        content="Conversation compacted",
        isMeta=False,
        level="info",
        compactMetadata={
            "trigger": "manual",
            "preTokens": before,
            "durationMs": 41_230,
            "postTokens": 21_480,
            "preCompactDiscoveredTools": ["Workflow"],
        },
    )
    reset_time = clock.now
    clock.now = summary_time  # newer versions stamp the summary before the boundary
    main.user(
        "This session is being continued from a previous conversation that ran out of context. "
        "The summary below covers the earlier portion of the conversation.\n\n"
        "Summary:\n1. Primary request: find and mend the twelve minutes at Kelmouth; mark spring "
        "tides; check all ports for the same mistake.\n"
        "2. Decisions: a key `phase_reference` per port file, `greenwich` unless it says `local`; "
        "marks come from our own heights, printed as a word.\n"
        "3. Files: data/ports/kelmouth.toml, tidebook/harmonics.py, tidebook/ports.py, "
        "tidebook/springs.py, tests/test_harmonics.py.\n"
        "4. Open: Sandness needs its key and a test; `pages.py` must print the word.\n"
        "5. Do not touch `lag_g` in the CSV export.",
        isVisibleInTranscriptOnly=True,
        isCompactSummary=True,
    )
    clock.now = reset_time
    harmonics = f"{tidebook.ROOT}/tidebook/harmonics.py"
    main.attach(
        "file",
        filename=harmonics,
        content=story.work.read(harmonics).structured,
        displayPath="tidebook/harmonics.py",
    )
    main.attach(
        "compact_file_reference",
        filename=f"{tidebook.ROOT}/tidebook/ports.py",
        displayPath="tidebook/ports.py",
    )
    main.attach("todo_reminder", content=[], itemCount=0)
    main.prompt_id = ids.uuid_of("prompt/compact")
    _warn_of_local_output(main)
    main.user(
        "<command-name>/compact</command-name>\n"
        "            <command-message>compact</command-message>\n"
        "            <command-args></command-args>"
    )
    main.user("<local-command-stdout>Compacted</local-command-stdout>")
