"""What happens in the invented conversation: photos taken upright are shown on their side."""

from typing import Any

from tests.browser.invented.writer import (
    BIDI,
    CHILD,
    GRANDCHILD,
    HOSTILE,
    LOOSE_CHILD,
    OTHER_CHILD,
    PIXEL,
    Writer,
    make_talk,
)


def _failing_run() -> str:
    red, green, dim, off = "\u001b[31m", "\u001b[32m", "\u001b[2m", "\u001b[0m"
    head = [
        "Exit code 1",
        f"\u001b[1m\u001b[41m FAIL {off} {dim}tests/{off}orient.test.ts "
        f"{dim}(4 tests, 1 failed) 388 ms{off}",
        f"  {green}ok{off}  keeps a landscape photo as it is {dim}31 ms{off}",
        f"  {green}ok{off}  turns a portrait photo by 90 degrees {dim}44 ms{off}",
        f"  {red}no  turns a mirrored photo and mirrors it back{off} {dim}201 ms{off}",
        f"      {red}expected width 480, got 640{off}",
        f"  {green}ok{off}  reads the flag from a photo without a thumbnail {dim}27 ms{off}",
        "  \u001b[36mat\u001b[0m turnUpright (\u001b[33msrc/orient.ts:41:17\u001b[0m)",
    ]
    tail = [
        f"{dim}{number:>5}{off} rendering tile {number} of 2400, cache miss"
        for number in range(2400)
    ]
    return "\n".join([*head, *tail, "1 failed, 3 passed"])


def _file_lines(count: int) -> str:
    body = [
        "import { readExif } from './exif';",
        "",
        "/** Turns a photo so that its top is up. */",
        "export function turnUpright(photo: Photo): Photo {",
        "  const flag = readExif(photo).orientation ?? 1;",
        "  if (flag === 1) return photo;",
        "  const turned = rotate(photo, DEGREES[flag]);",
        "  return turned;",
        "}",
    ]
    return "\n".join((body * (count // len(body) + 1))[:count])


def first_segment(w: Writer) -> tuple[dict[str, Any], dict[str, Any]]:
    ask = w.said(
        "message.external",
        "message/p1",
        "Photos that were taken upright are shown on their side in the album.\n"
        "Find out why, change nothing yet.",
    )
    w.wait(2100)
    steps = [
        ask,
        w.said(
            "context.injection",
            "inject/1",
            '{"type":"nested_memory","path":"docs/rules.md","content":"Write the test first."}',
        ),
    ]
    call_ref = w.record(
        {"k": "reasoning", "state": "unavailable"},
        dropped=[
            {
                "what": "reasoning signature",
                "bytes": 4712,
                "why": "a provider verifies it; a reader cannot read it",
            }
        ],
    )
    thinking = w.node("thinking", "think/1", call_ref, state="unavailable", bytes=4712)
    search = w.tool(
        "toolu_search",
        "Grep",
        {"pattern": "orientation", "path": "src", "output_mode": "content", "-n": True},
        "src/exif.ts:12:  orientation?: number;\n"
        "src/orient.ts:5:  const flag = readExif(photo).orientation ?? 1;",
        took=640,
    )
    read = w.tool(
        "toolu_read",
        "Read",
        {"file_path": "/home/dev/photo-shelf/src/orient.ts"},
        "\n".join(
            f"{number + 30:>6}→{line}" for number, line in enumerate(_file_lines(60).split("\n"))
        ),
        took=210,
        structured={
            "type": "text",
            "file": {
                "filePath": "/home/dev/photo-shelf/src/orient.ts",
                "content": _file_lines(60),
                "numLines": 60,
                "startLine": 31,
                "totalLines": 190,
            },
        },
    )
    usage = {"in": 14_210, "out": 812, "cache_read": 88_120, "cache_write": 4_010}
    model = w.node(
        "llm.call",
        "call/1",
        call_ref,
        attrs={"fragments": 3},
        usage_state="reported",
        tokens=usage,
        children=[thinking, search, read],
    )
    w.wait(3000)
    thought = w.said(
        "thinking",
        "think/2",
        "The flag is read, but flags 5 to 8 also swap width and height.\n"
        "The album lays photos out before they are turned, so it uses the old size.",
    )
    reply = w.said(
        "message.assistant",
        "message/r1",
        "The flag is read and the photo is turned, but **its size is not**.\n\n"
        "- `turnUpright` rotates the pixels and keeps the old `width` and `height`.\n"
        "- The album lays out with the old size, so an upright photo gets a lying frame.\n"
        "  - Flags 5 to 8 are affected, that is every photo held upright.\n"
        "- Nothing else reads the flag.\n\n"
        "```ts\nconst turned = rotate(photo, DEGREES[flag]);\n"
        "return turned; // width and height are stale\n```\n\n"
        "I have changed nothing. A fix is one line and one test.",
    )
    w.wait(400)
    turn = w.node(
        "turn.duration",
        "turn/1",
        w.record({"k": "data", "data": {"durationMs": 8420}, "state": "available"}),
        duration_ms=8420,
        duration_measured_by="observed_replayable",
        state="available",
    )
    return make_talk("talk/main/p1", [*steps, model, thought, reply, turn]), reply


PATCH = [
    {
        "oldStart": 36,
        "oldLines": 5,
        "newStart": 36,
        "newLines": 7,
        "lines": [
            "   const flag = readExif(photo).orientation ?? 1;",
            "   if (flag === 1) return photo;",
            "-  const turned = rotate(photo, DEGREES[flag]);",
            "-  return turned;",
            "+  const turned = rotate(photo, DEGREES[flag] ?? 0);",
            "+  if (flag < 5) return turned;",
            "+  // Held upright: what was wide is now high.",
            "+  return { ...turned, width: photo.height, height: photo.width };",
            " }",
        ],
    }
]


def second_segment(w: Writer) -> dict[str, Any]:
    steps = [
        w.said(
            "message.external",
            "message/p2",
            "Good. Make it right, prove it with a test that fails first, "
            "and check that old albums are laid out again.",
        )
    ]
    w.wait(4000)
    steps.append(
        w.tool(
            "toolu_todo",
            "TodoWrite",
            {
                "todos": [
                    {
                        "content": "Write a test that fails",
                        "status": "completed",
                        "activeForm": "Writing",
                    },
                    {
                        "content": "Swap width and height",
                        "status": "in_progress",
                        "activeForm": "Swapping",
                    },
                    {
                        "content": "Lay old albums out again",
                        "status": "pending",
                        "activeForm": "Laying out",
                    },
                ]
            },
            "Todos have been modified.",
            took=30,
            structured={
                "oldTodos": [
                    {"content": "Write a test that fails", "status": "in_progress"},
                    {"content": "Swap width and height", "status": "pending"},
                    {"content": "Lay old albums out again", "status": "pending"},
                ],
            },
        )
    )
    steps.append(
        w.tool(
            "toolu_test",
            "Bash",
            {"command": "npm test -- orient", "description": "Run the orientation tests"},
            _failing_run(),
            took=41_200,
            failed=True,
        )
    )
    w.wait(5200)
    steps.append(
        w.tool(
            "toolu_edit",
            "Edit",
            {
                "file_path": "/home/dev/photo-shelf/src/orient.ts",
                "old_string": "return turned;",
                "new_string": "return upright;",
            },
            "The file has been updated.",
            took=480,
            structured={
                "filePath": "/home/dev/photo-shelf/src/orient.ts",
                "structuredPatch": PATCH,
            },
        )
    )
    steps.append(
        w.said(
            "context.injection", "inject/2", "<edited-text-file>src/orient.ts</edited-text-file>"
        )
    )
    w.wait(800)
    steps.append(
        w.tool(
            "toolu_write",
            "Write",
            {
                "file_path": "/home/dev/photo-shelf/tests/album.test.ts",
                "content": _file_lines(26) + "\n",
            },
            "File created.",
            took=90,
        )
    )
    w.wait(2000)
    steps.append(
        w.tool(
            "toolu_ask",
            "AskUserQuestion",
            {
                "questions": [
                    {
                        "question": "When should old albums be laid out again?",
                        "header": "Layout",
                        "options": [
                            {
                                "label": "When they are opened",
                                "description": "No wait now, one slow opening.",
                            },
                            {
                                "label": "All at once",
                                "description": "About four minutes on the build machine.",
                            },
                            {"label": "Never", "description": "Only new albums are right."},
                        ],
                    }
                ]
            },
            "The person answered.",
            took=252_000,
            structured={
                "answers": {"When should old albums be laid out again?": "When they are opened"}
            },
        )
    )
    steps.append(
        w.tool(
            "toolu_plan",
            "ExitPlanMode",
            {
                "plan": "1. Store the layout's version with the album.\n"
                "2. Lay out again when it is older.\n"
                "3. Test with an album of 2019."
            },
            "User has approved your plan. You can now start coding.",
            took=38_000,
        )
    )
    steps.append(
        w.tool(
            "toolu_agent",
            "Task",
            {
                "description": "Trace every layout path",
                "prompt": "Find every place that lays an album out. Change nothing.",
                "subagent_type": "explore",
            },
            "Two places: `openAlbum` and the nightly job.",
            took=190_000,
            kind="agent.call",
            opens=[
                {
                    "stream": CHILD,
                    "label": "Trace every layout path",
                    "talk": f"talk/{CHILD}/c1",
                    "quality": "exact_unique",
                }
            ],
            edges=[
                {
                    "type": "starts",
                    "other": f"stream/{CHILD}",
                    "dir": "out",
                    "quality": "exact_unique",
                    "via": "parent tool result",
                }
            ],
        )
    )
    steps.append(
        w.tool(
            "toolu_flow",
            "Workflow",
            {"name": "review-layout", "description": "Review the change from two sides"},
            "2 of 2 children ended.",
            took=121_000,
            kind="agent.call",
            opens=[
                {
                    "stream": OTHER_CHILD,
                    "label": "refuted · the swap is done twice",
                    "talk": f"talk/{OTHER_CHILD}/c1",
                    "quality": "strong_inference",
                },
                {
                    "stream": GRANDCHILD,
                    "label": "Count the callers",
                    "talk": f"talk/{GRANDCHILD}/c1",
                    "quality": "exact_ambiguous",
                },
            ],
            edges=[
                {
                    "type": "starts",
                    "other": f"stream/{OTHER_CHILD}",
                    "dir": "out",
                    "quality": "strong_inference",
                    "via": "run journal",
                },
                {
                    "type": "starts",
                    "other": f"stream/{GRANDCHILD}",
                    "dir": "out",
                    "quality": "exact_ambiguous",
                    "via": "equal prompt",
                },
            ],
        )
    )
    steps.append(
        w.tool(
            "toolu_lost",
            "Task",
            {
                "description": "Measure the nightly job",
                "prompt": "Time the nightly job and report.",
            },
            None,
        )
    )
    w.wait(900)
    steps.append(
        w.said(
            "message.synthetic",
            "message/s1",
            "API Error: 529 overloaded_error. Retrying in 8 seconds.",
        )
    )
    steps.append(w.said("error.api", "error/1", "Overloaded\nrequest req_01b81e was not answered"))
    w.wait(9000)
    steps.append(
        w.said(
            "runtime.notification",
            "notify/1",
            "<task-notification>npm run thumbs ended, exit 0</task-notification>",
            edges=[
                {
                    "type": "reports",
                    "other": f"stream/{LOOSE_CHILD}",
                    "dir": "out",
                    "quality": "weak_inference",
                    "via": "the call the notification completes",
                }
            ],
        )
    )
    steps.append(
        w.tool(
            "toolu_web",
            "WebFetch",
            {"url": "https://photos.example/exif", "prompt": "What do flags 5 to 8 mean?"},
            "Flags 5 to 8 swap rows and columns, so width and height change places.",
            took=2100,
            duration_ms=1840,
            duration_measured_by="observed_replayable",
        )
    )
    steps.append(
        w.tool(
            "toolu_shot",
            "Read",
            {"file_path": "/home/dev/photo-shelf/shots/album.png"},
            "",
            took=120,
            structured={
                "type": "image",
                "file": {"base64": PIXEL, "type": "image/png", "originalSize": 190},
            },
        )
    )
    steps.append(
        w.tool(
            "toolu_mcp", f"mcp__shelf__{HOSTILE}", {"album": HOSTILE, "limit": 3}, HOSTILE, took=12
        )
    )
    steps.append(w.tool("toolu_empty", "Bash", {"command": "git diff --stat | cat"}, "", took=80))
    refused = "The user doesn't want to proceed with this tool use. The tool use was rejected."
    steps.append(
        w.tool("toolu_no", "Bash", {"command": "git push --force"}, refused, took=6000, failed=True)
    )
    steps.append(w.said("control.interrupt", "interrupt/1", "Interrupted by a person"))
    w.wait(1200)
    steps.append(
        w.said(
            "message.external",
            "message/p2b",
            f"Stop. Do not push. And mind {HOSTILE}",
            attrs={"queue": "removed"},
        )
    )
    w.wait(31_000)
    steps.append(
        w.said(
            "message.assistant",
            "message/r2",
            "Upright photos are upright now, and **nothing was pushed**.\n\n"
            "1. The new test failed before the change and passes after it.\n"
            "2. `openAlbum` lays an album out again when its layout is older than the fix.\n"
            "3. The nightly job needs the same line. I left it alone.",
        )
    )
    return make_talk("talk/main/p2", steps)


def third_segment(w: Writer) -> list[dict[str, Any]]:
    long_prompt = (
        "Before you go on, read all of this. " + "The album of 2019 has 412 photos. " * 140
    )
    third = make_talk(
        "talk/main/p3",
        [
            w.said("message.external", "message/p3", long_prompt),
            w.tool(
                "toolu_big",
                "Bash",
                {"command": "cat build.log"},
                "a line of the log\n" * 80_000,
                took=300,
            ),
            w.said(
                "message.assistant",
                "message/r3",
                f"Read. {BIDI}\n\n{HOSTILE}\n\n[a link](javascript:alert(1))",
            ),
        ],
    )
    w.wait(60_000)
    at = w.at
    unknown = w.record({"k": "text", "text": "nightly job", "state": "available"}, at=0)
    fourth = make_talk(
        "talk/main/p4",
        [
            w.node(
                "runtime.notification",
                "notify/2",
                unknown,
                text="nightly job ended",
                state="available",
                bytes=17,
            ),
            w.said("message.assistant", "message/r4", "The nightly job ended well. Nothing to do."),
        ],
    )
    w.at = at
    return [third, fourth]


def make_child(
    w: Writer, prompt: str, answer: str, *, inner: list[dict[str, Any]]
) -> dict[str, Any]:
    first = w.said("message.external", f"message/{w.stream}/p", prompt)
    w.wait(3000)
    calls = [
        w.tool(
            f"toolu_{w.stream[:6]}_{number}",
            "Read",
            {"file_path": f"/home/dev/photo-shelf/src/part{number}.ts"},
            f"     1→export const part = {number};",
            took=300,
        )
        for number in range(4)
    ]
    output = w.said("agent.output", f"output/{w.stream}", answer)
    return make_talk(f"talk/{w.stream}/c1", [first, *calls, *inner, output])
