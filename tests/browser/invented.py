"""An invented conversation as the server would answer it: every kind of card, every state.

Answers by path of the request. The story: photos taken upright are shown on their side.
"""

import json
from typing import Any

SESSION = "7c1e2d40-5a3b-4f6e-9d18-2b7c90aa41ee"
BROKEN = "0b9d11c7-1f0e-4b55-8a55-90c3e1f27d10"
EMPTY = "53a8c1f0-66d2-4c0e-b1d5-77aa02c4be9f"
CHILD = "a41c09d7e2b35f68"
GRANDCHILD = "a7f30b1c5d9e2a46"
OTHER_CHILD = "ab20c7e91f4d6358"
LOOSE_CHILD = "ae5591c3b7d20f84"
DAY_MS = 86_400_000
# 2026-03-10 14:02:11 UTC
BEGIN_MS = 1_773_151_331_000
HOSTILE = "<img src=x onerror=\"document.title='broken'\">\"'&</script>"
BIDI = "a name that turns \u202eright\u202c around, \u200bhides and rings \u0007"
PIXEL = (
    "iVBORw0KGgoAAAANSUhEUgAAAEAAAAAwCAIAAAAuKetIAAAAgElEQVR42u3YQQ6AIAwEQP7/ab17MUZLp9VN"
    "uDZMgVIYc5tjNQHgR0BqRUBABQQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQE"
    "BAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBLwCHq7eAg0w6h9RAAAAAElFTkSuQmCC"
)


class Writer:
    """Steps of one stream in order, and the landed records they point at."""

    def __init__(self, records: dict[tuple[int, int], dict[str, Any]], *, seq: int, stream: str):
        self.records, self.seq, self.stream = records, seq, stream
        self.row, self.at = 0, BEGIN_MS

    def wait(self, milliseconds: int) -> None:
        """Let time pass."""
        self.at += milliseconds

    def record(self, *parts: dict[str, Any], at: int | None = None, **keys: Any) -> dict[str, int]:
        """Land a record; returns its position."""
        self.row += 1
        line = {
            "ord": self.row,
            "off": self.row * 912,
            "sha": f"{self.row * 7919:012x}",
            "bytes": 900,
            "id": f"{self.stream}-{self.seq}-{self.row}",
            "from": "agent",
            **keys,
            "parts": list(parts),
        }
        self.records[self.seq, self.row] = {
            "seq": self.seq,
            "row": self.row,
            "at": self.at if at is None else at,
            "file": f"{SESSION}/streams/{self.stream}/main-20260310T140200Z-{self.seq:06}.sd",
            "dialect": "claude-code/1",
            "record": line,
        }
        return {"seq": self.seq, "row": self.row}

    def node(self, kind: str, ident: str, ref: dict[str, int], **keys: Any) -> dict[str, Any]:
        """A step at a position."""
        return {
            "id": ident,
            "kind": kind,
            "stream": self.stream,
            "at": self.records[ref["seq"], ref["row"]]["at"],
            "ref": ref,
            "refs": [ref],
            **keys,
        }

    def said(self, kind: str, ident: str, text: str, **keys: Any) -> dict[str, Any]:
        """A step with a text of its own; long texts are cut as the server cuts them."""
        ref = self.record({"k": "text", "text": text, "state": "available", "bytes": size(text)})
        return self.node(
            kind, ident, ref, text=preview(text), state="available", bytes=size(text), **keys
        )

    def tool(
        self,
        ident: str,
        name: str,
        given: Any,
        result: str | None,
        *,
        took: int = 1500,
        structured: Any = None,
        kind: str = "tool",
        **keys: Any,
    ) -> dict[str, Any]:
        """A tool use with its result; `result` None means that none landed."""
        text = json.dumps(given, separators=(",", ":"))
        ref = self.record(
            {"k": "call", "data": given, "id": ident, "name": name, "state": "available"}
        )
        node = self.node(
            kind,
            f"tool/{ident}",
            {**ref, "block": 0},
            text=preview(text),
            name=name,
            state="available",
            bytes=size(text),
        )
        if size(text) <= 20_000:
            node["input"] = given
        attrs: dict[str, Any] = {"name": name, "timing": "unavailable"}
        if result is None:
            attrs |= {"result": "unavailable", "result_join": "unresolved"}
        else:
            self.wait(took)
            part = {"k": "result", "text": result, "of": ident, "state": "available"}
            if keys.get("failed"):
                part["failed"] = True
            if structured is not None:
                part["data"] = structured
                node["structured"] = structured
            back = self.record({**part, "bytes": size(result)}, **{"from": "external"})
            node["refs"] = [node["ref"], {**back, "block": 0}]
            node |= {
                "result": preview(result),
                "result_state": "available",
                "result_bytes": size(result),
                "request_to_result_ms": took,
                "request_to_result_join": "exact_unique",
            }
            attrs |= {"result": "available", "result_join": "exact_unique"}
        node["attrs"] = attrs
        return node | keys


def size(text: str) -> int:
    """Bytes of a text."""
    return len(text.encode())


def preview(text: str) -> str:
    """The first 2000 bytes, cut between characters."""
    return text.encode()[:2000].decode("utf-8", "ignore")


def _failing_run() -> str:
    red, green, dim, off = "\u001b[31m", "\u001b[32m", "\u001b[2m", "\u001b[0m"
    head = [
        "Exit code 1",
        f"\u001b[1m\u001b[41m FAIL {off} {dim}tests/{off}orient.test.ts {dim}(4 tests, 1 failed) 388 ms{off}",
        f"  {green}ok{off}  keeps a landscape photo as it is {dim}31 ms{off}",
        f"  {green}ok{off}  turns a portrait photo by 90 degrees {dim}44 ms{off}",
        f"  {red}no  turns a mirrored photo and mirrors it back{off} {dim}201 ms{off}",
        f"      {red}expected width 480, got 640{off}",
        f"  {green}ok{off}  reads the flag from a photo without a thumbnail {dim}27 ms{off}",
        f"  \u001b[36mat\u001b[0m turnUpright (\u001b[33msrc/orient.ts:41:17\u001b[0m)",
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


def _segment_one(w: Writer) -> tuple[dict[str, Any], dict[str, Any]]:
    ask = w.said(
        "message.external",
        "message/p1",
        "Photos that were taken upright are shown on their side in the album.\nFind out why, change nothing yet.",
    )
    w.wait(2100)
    steps = [
        ask,
        w.said(
            "context.injection",
            "inject/1",
            '{"type":"nested_memory","path":"docs/house-rules.md","content":"Write the test first."}',
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
        "src/exif.ts:12:  orientation?: number;\nsrc/orient.ts:5:  const flag = readExif(photo).orientation ?? 1;",
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
        "```ts\nconst turned = rotate(photo, DEGREES[flag]);\nreturn turned; // width and height are stale\n```\n\n"
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
    return _talk("talk/main/p1", [*steps, model, thought, reply, turn]), reply


def _talk(ident: str, steps: list[dict[str, Any]]) -> dict[str, Any]:
    run = {
        "id": ident.replace("talk", "run"),
        "kind": "run",
        "at": steps[0]["at"],
        "children": steps,
    }
    return {
        "id": ident,
        "kind": "talk",
        "at": steps[0]["at"],
        "stream": steps[0]["stream"],
        "children": [run],
    }


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


def _segment_two(w: Writer) -> dict[str, Any]:
    steps = [
        w.said(
            "message.external",
            "message/p2",
            "Good. Make it right, prove it with a test that fails first, and check that old albums are laid out again.",
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
                "plan": "1. Store the layout's version with the album.\n2. Lay out again when it is older.\n3. Test with an album of 2019."
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
            "<task-notification>background command npm run thumbs ended, exit 0</task-notification>",
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
    return _talk("talk/main/p2", steps)


def _segment_three(w: Writer) -> list[dict[str, Any]]:
    long_prompt = (
        "Before you go on, read all of this. " + "The album of 2019 has 412 photos. " * 140
    )
    third = _talk(
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
    fourth = _talk(
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


def _child(w: Writer, prompt: str, answer: str, *, inner: list[dict[str, Any]]) -> dict[str, Any]:
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
    return _talk(f"talk/{w.stream}/c1", [first, *calls, *inner, output])


def _steps(talk: dict[str, Any]) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = []
    for child in talk.get("children", ()):
        if child["kind"] not in ("run", "talk"):
            found.append(child)
        found += _steps(child)
    return found


def _row(talk: dict[str, Any], *, segment: str, **keys: Any) -> dict[str, Any]:
    steps = _steps(talk)
    times = [step["at"] for step in steps if step["at"]]
    said = [step for step in steps if step["kind"] == "message.external"]
    replies = [step for step in steps if step["kind"] in ("message.assistant", "agent.output")]
    ordered = sorted(steps, key=lambda step: (step["ref"]["seq"], step["ref"]["row"]))
    row = {
        "id": talk["id"],
        "stream": talk["stream"],
        "label": said[0]["text"] if said else "",
        "runs": 1,
        "steps": len(steps),
        "tools": sum(step["kind"] in ("tool", "agent.call") for step in steps),
        "from": min(times),
        "to": max(times),
        "child": talk["stream"] != "main",
        "segment": segment,
        "trigger": "external",
        "kinds": [step["kind"] for step in ordered][:48],
        "tokens_out": 812,
    }
    failed = sum(bool(step.get("failed")) for step in steps)
    agents = sum(len(step.get("opens", ())) for step in steps)
    if replies:
        row["reply"] = replies[-1]["text"]
    return (
        row | ({"failed": failed} if failed else {}) | ({"agents": agents} if agents else {}) | keys
    )


def _stream(name: str, role: str, label: str, talk: str, steps: int, **keys: Any) -> dict[str, Any]:
    return {
        "id": f"stream/{name}",
        "name": name,
        "role": role,
        "label": label,
        "named_by": "",
        "records": steps + 3,
        "parent": "",
        "talk": talk,
        "steps": steps,
        "opened_by": [],
    } | keys


def answers() -> dict[str, Any]:
    """JSON answers by path, for one rich conversation, a broken and an empty one."""
    records: dict[tuple[int, int], dict[str, Any]] = {}
    main = Writer(records, seq=1, stream="main")
    first, _ = _segment_one(main)
    main.wait(7_940_000)
    second = _segment_two(main)
    main.wait(DAY_MS // 2)
    reset = main.said(
        "epoch.boundary", "boundary/1", "Context reset, 168k to 21k tokens", parent="epoch/2"
    )
    summary = main.said(
        "epoch.summary",
        "summary/1",
        "The orientation fix is in. The nightly job is open.",
        parent="epoch/2",
    )
    early = main.said(
        "context.injection", "inject/0", '{"type":"deferred_tools_delta","added":["WebFetch"]}'
    )
    main.wait(4000)
    later = _segment_three(main)

    grand = Writer(records, seq=4, stream=GRANDCHILD)
    grand.at = second["at"] + 420_000
    grand_talk = _child(grand, "Count the callers of openAlbum.", "Three callers.", inner=[])
    child = Writer(records, seq=2, stream=CHILD)
    child.at = second["at"] + 360_000
    nested_call = child.tool(
        "toolu_nested",
        "Task",
        {"description": "Count the callers", "prompt": "Count the callers of openAlbum."},
        "Three callers.",
        took=20_000,
        kind="agent.call",
        opens=[
            {
                "stream": GRANDCHILD,
                "label": "Count the callers",
                "talk": grand_talk["id"],
                "quality": "exact_unique",
            }
        ],
    )
    child_talk = _child(
        child,
        "Find every place that lays an album out. Change nothing.",
        "Two places: `openAlbum` and the nightly job. Only the nightly job still uses the old size.",
        inner=[nested_call],
    )
    other = Writer(records, seq=3, stream=OTHER_CHILD)
    other.at = second["at"] + 560_000
    other_talk = _child(
        other, "Try to refute the change.", "Refuted: the swap is done twice for flag 5.", inner=[]
    )
    loose = Writer(records, seq=5, stream=LOOSE_CHILD)
    loose_talk = _child(loose, "Make the thumbnails again.", "Done.", inner=[])

    trees = [first, second, *later, child_talk, other_talk, grand_talk, loose_talk]
    rows = [
        _row(
            first,
            segment="segment/at_1_1",
            inherited_from="5d0c1f7e-0000-4000-8000-000000000001",
            quality="exact_unique",
        ),
        _row(second, segment="segment/at_1_9"),
        _row(later[0], segment="segment/at_1_60"),
        _row(later[1], segment="segment/at_1_60", trigger="notification"),
        _row(child_talk, segment="segment/at_1_9"),
        _row(other_talk, segment="segment/at_1_9"),
        _row(grand_talk, segment="segment/at_1_9"),
        {**_row(loose_talk, segment=""), "from": 0, "to": 0},
    ]
    opener = {"stream": "main", "talk": second["id"]}
    tokens = {"in": 48_210, "out": 19_940, "cache_read": 3_880_120, "cache_write": 164_010}
    streams = [
        _stream(
            "main", "main", "", first["id"], sum(row["steps"] for row in rows[:4]), tokens=tokens
        ),
        _stream(
            CHILD,
            "child",
            "Trace every layout path",
            child_talk["id"],
            rows[4]["steps"],
            parent="main",
            tokens={"in": 2_000, "out": 4_100, "cache_read": 206_000},
            opened_by=[{"step": "tool/toolu_agent", "quality": "exact_unique", **opener}],
        ),
        _stream(
            OTHER_CHILD,
            "child",
            "refuted · the swap is done twice",
            other_talk["id"],
            rows[5]["steps"],
            parent="main",
            named_by="journal",
            tokens={"in": 900, "out": 2_400, "cache_read": 98_000},
            opened_by=[{"step": "tool/toolu_flow", "quality": "strong_inference", **opener}],
        ),
        _stream(
            GRANDCHILD,
            "child",
            "Count the callers",
            grand_talk["id"],
            rows[6]["steps"],
            parent=CHILD,
            opened_by=[
                {
                    "step": "tool/toolu_nested",
                    "stream": CHILD,
                    "talk": child_talk["id"],
                    "quality": "exact_unique",
                },
                {"step": "tool/toolu_flow", "quality": "exact_ambiguous", **opener},
            ],
        ),
        _stream(LOOSE_CHILD, "child", "", loose_talk["id"], rows[7]["steps"]),
        _stream("acompact-91c2", "internal", "", "", 2),
    ]
    segments = [
        {
            "id": ident,
            "state": "candidate",
            "talks": talks,
            "from": begin,
            "to": end,
            "committable": False,
            "gates_unmet": [],
        }
        for ident, talks, begin, end in (
            ("segment/at_1_1", 1, rows[0]["from"], rows[0]["to"]),
            ("segment/at_1_9", 1, rows[1]["from"], rows[1]["to"]),
            ("segment/at_1_60", 2, rows[2]["from"], rows[3]["to"]),
        )
    ]
    steps = [step for tree in trees for step in _steps(tree)]
    kinds: dict[str, int] = {"stream": len(streams), "talk": len(trees)}
    for step in steps:
        kinds[step["kind"]] = kinds.get(step["kind"], 0) + 1
    overview = {
        "id": SESSION,
        "title": "Turn upright photos the right way round",
        "session": SESSION,
        "rounds": 4,
        "digest": "9c41e07a" * 8,
        "parser": "v2",
        "policy": "v1+idle=10m0s",
        "through_seq": 5,
        "nodes": len(steps) + 20,
        "relations": 9,
        "kinds": kinds,
        "relation_types": {"starts": 4},
        "quality": {"exact_unique": 6, "strong_inference": 1},
        "talks": rows,
        "streams": streams,
        "segments": segments,
        "unresolved": [
            {
                "kind": "notified_child",
                "ref": "bg_7f2c",
                "reason": "a notification names a child whose stream has not landed",
            },
            {
                "kind": "spawn_of_child",
                "ref": LOOSE_CHILD,
                "reason": "no landed record names the call that started this stream",
            },
            {
                "kind": "tool_result",
                "ref": "toolu_lost",
                "reason": "no result landed for this tool use",
            },
        ],
        "tokens": tokens,
        "at_least": 3,
        "project": "photo-shelf",
        "agent_version": "2.1.14",
        "state": "quiet",
        "inherits": [
            {
                "session": "5d0c1f7e-0000-4000-8000-000000000001",
                "records": 9,
                "quality": "exact_unique",
            }
        ],
    }
    base = f"/api/c/{SESSION}"
    found: dict[str, Any] = {
        "/api/conversations": _list(overview),
        base: overview,
        f"{base}/head": {"rounds": 4, "digest": overview["digest"], "through_seq": 5},
        f"{base}/outside": [early, reset, summary],
        f"{base}/flow": [
            {
                "id": step["id"],
                "kind": step["kind"],
                "talk": tree["id"],
                "at": step["at"],
                "depth": 1,
            }
            for tree in trees
            for step in _steps(tree)
        ],
        f"/api/c/{EMPTY}": overview
        | {
            "id": EMPTY,
            "session": EMPTY,
            "title": "",
            "talks": [],
            "segments": [],
            "unresolved": [],
            "streams": [streams[0] | {"talk": ""}],
            "tokens": None,
            "at_least": 0,
            "inherits": [],
        },
        f"/api/c/{EMPTY}/outside": [early],
        f"/api/c/{EMPTY}/head": {"rounds": 4, "digest": "", "through_seq": 5},
        "/api/glossary": {
            "dialect": "claude-code/1",
            "terms": {
                "call": {
                    "native": "message.id",
                    "where": "assistant lines",
                    "note": "one answer of the provider",
                }
            },
            "fields": {
                "ord": "number of the line in the source, from 1",
                "sha": "digest of the source line",
                "parts": "content, in source order",
            },
        },
    }
    found |= {f"{base}/talk/{tree['id']}": tree for tree in trees}
    found |= {f"{base}/record/{seq}/{row}": answer for (seq, row), answer in records.items()}
    return found


def _list(overview: dict[str, Any]) -> list[dict[str, Any]]:
    def row(ident: str, title: str, days: float, steps: int, **keys: Any) -> dict[str, Any]:
        to = overview["talks"][3]["to"] - int(days * DAY_MS)
        return {
            "id": ident,
            "title": title,
            "talks": max(1, steps // 160),
            "streams": max(1, steps // 220),
            "segments": 2,
            "steps": steps,
            "rounds": 3,
            "from": to - 5_000_000,
            "to": to,
            "unresolved": 0,
            "state": "quiet",
            "agent_version": "2.1.14",
            "project": "photo-shelf",
            "tokens": {"in": steps * 3_000, "out": steps * 240},
        } | keys

    steps = sum(talk["steps"] for talk in overview["talks"])
    rows = [
        row(
            SESSION,
            overview["title"],
            0,
            steps,
            talks=4,
            streams=6,
            unresolved=3,
            at_least=3,
            tokens=overview["tokens"],
        ),
        row(
            "1a" * 8,
            "Let the map forget old tiles",
            0.02,
            412,
            state="live",
            project="tile-store",
            agent_version="2.1.20",
        ),
        row(
            "1b" * 8,
            "Why does the export miss two rows on Sundays?",
            0.1,
            688,
            project="ledger-web",
        ),
        row(
            "1c" * 8,
            "Upgrade the calendar library and keep the old reports readable for the auditors of next spring",
            0.4,
            2107,
            project="ledger-web",
        ),
        row(
            "1d" * 8,
            "Write down the retry promise for partners",
            0.9,
            96,
            project="docs",
            tokens=None,
        ),
        row("1e" * 8, f"A title with {HOSTILE}", 1.2, 941, project=f"name {HOSTILE}"),
        row(
            "1f" * 8,
            "Find the memory growth in the image worker",
            1.4,
            3356,
            state="source gone",
            project="pixel-worker",
            agent_version="2.0.31",
        ),
        row(
            BROKEN,
            "Translate the error pages",
            2.1,
            0,
            talks=0,
            streams=0,
            error="round 2: main-000002.sf was changed after it was written (digest differs)",
            state="unknown",
        ),
        row(
            "2a" * 8,
            "Add a dry run to the clean-up command",
            3.5,
            274,
            project="ops-tools",
            agent_version="2.1.9",
            unresolved=1,
        ),
        row(
            "2b" * 8,
            "Review the login change before the merge",
            5,
            1120,
            project="gate",
            agent_version="2.0.31",
            state="source gone",
        ),
        row(
            EMPTY,
            "(untitled)",
            0,
            7,
            project="scratch",
            **{"from": 0, "to": 0},
            tokens=None,
            agent_version="1.0.98",
        ),
    ]
    return sorted(rows, key=lambda each: str(each["id"]))
