"""Shapes that nobody foresaw are shown, each step on its own, and never break the page."""

from itertools import count
from typing import Any

import pytest
from playwright.sync_api import expect

from tests.browser.invented.conftest import OpenPage
from tests.browser.invented.page_server import PageServer
from tests.browser.invented.writer import SESSION

pytestmark = pytest.mark.browser

TOOLS = (
    "Bash",
    "Edit",
    "MultiEdit",
    "Write",
    "Read",
    "AskUserQuestion",
    "ExitPlanMode",
    "TodoWrite",
    "Task",
    "NotebookEdit",
    "WebFetch",
    'a tool\nwith "quotes"',
    "constructor",
    "__proto__",
    "",
)
WEIRD: tuple[Any, ...] = (
    None,
    [],
    [1, [2]],
    "words",
    7,
    True,
    {},
    {"command": 5, "file_path": [], "description": {}, "prompt": None, "plan": 3},
    {"questions": [None, 4, {"options": [None, "plain", {"label": 3}], "question": ["q"]}]},
    {"questions": {"not": "a list"}, "question": 3, "options": "none"},
    {"todos": [None, "text", {"content": {}, "status": "__proto__"}], "edits": [None, 4, {}]},
    {"old_string": 1, "new_string": [], "content": {}, "edits": "no list"},
    {"file": {"content": 5, "startLine": "x", "numLines": -3, "totalLines": None}},
    {"file": {"base64": "not base64!", "type": "image/png"}, "oldTodos": "x", "answers": [1]},
    {"structuredPatch": [{"lines": [None, 5, ""], "oldStart": "x"}], "answers": {"q": {"a": 1}}},
    {"interrupted": "yes", "toString": "own", "hasOwnProperty": 1, "constructor": {"a": 1}},
)
# Two frames: one to scroll, one to draw what came into view.
FRAMES = "() => new Promise((d) => requestAnimationFrame(() => requestAnimationFrame(d)))"
KINDS = ("thinking", "context.injection", "epoch.boundary", "no.such.kind")


def strange_steps() -> list[dict[str, Any]]:
    """Every tool with every input and every structured result, and kinds without anything."""
    rows = count(1)
    steps = []
    for name in TOOLS:
        for number, weird in enumerate(WEIRD):
            row = next(rows)
            steps.append(
                {
                    "id": f"tool/{row}",
                    "kind": "tool",
                    "at": 0,
                    "ref": {"seq": 9, "row": row},
                    "name": name,
                    "input": weird,
                    "structured": WEIRD[(number * 5 + len(name)) % len(WEIRD)],
                    "result": "text" if number % 3 else "",
                    "attrs": {"result": "available", "result_join": "exact_unique"},
                    "media": [{"media": "image/svg+xml", "data": "PHN2Zz4=", "bytes": 3}],
                }
            )
    for kind in KINDS:
        row = next(rows)
        steps.append({"id": f"x/{row}", "kind": kind, "at": 0, "ref": {"seq": 9, "row": row}})
    return steps


def test_every_tool_with_every_odd_shape_is_drawn(open_page: OpenPage, site: PageServer) -> None:
    """A row that fails says so; no shape here may make one fail."""
    steps = strange_steps()
    talk = {"id": "talk/main/p1", "kind": "talk", "at": 0, "children": steps}
    site.answers[f"/api/c/{SESSION}/talk/talk/main/p1"] = talk
    page = open_page(f"/c/{SESSION}?talk=talk/main/p1&step={steps[0]['id']}&depth=everything")
    expect(page.locator("[data-key='step:tool/1']")).to_be_visible()
    drawn: set[str] = set()
    for _ in range(400):
        drawn |= set(
            page.evaluate(
                """() => {
                  const pane = document.querySelector('.scroll');
                  const rows = [...document.querySelectorAll('.row-holder')];
                  const keys = rows.map((row) => row.dataset.key);
                  pane.scrollTop += 900;
                  return keys;
                }"""
            )
        )
        assert page.locator(".not-drawn").count() == 0
        if f"step:{steps[-1]['id']}" in drawn:
            break
        page.evaluate(
            "() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))"
        )
    assert {f"step:{step['id']}" for step in steps} <= drawn
    assert page.locator("img").count() == 0


def test_a_step_that_cannot_be_drawn_leaves_the_others(
    open_page: OpenPage, site: PageServer
) -> None:
    """Even a value of a wrong type in a field of our own is kept to its row."""
    talk = site.answers[f"/api/c/{SESSION}/talk/talk/main/p1"]
    call = next(node for node in talk["children"][0]["children"] if node["kind"] == "llm.call")
    call["children"][1]["result"] = 7
    page = open_page(f"/c/{SESSION}?talk=talk/main/p1&step=tool/toolu_read")
    expect(page.locator(".card.selected")).to_contain_text("orient.ts")
    expect(page.locator(".not-drawn")).to_have_count(1)
    expect(page.locator(".not-drawn")).to_contain_text("This row could not be drawn.")
    expect(page.locator(".reply-box").first).to_be_visible()
