"""Steps of an invented stream, and the landed records they point at."""

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

Records = dict[tuple[int, int], dict[str, Any]]


class Writer:
    """Steps of one stream in order, and the landed records they point at."""

    def __init__(self, records: Records, *, seq: int, stream: str) -> None:
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


def make_talk(ident: str, steps: list[dict[str, Any]]) -> dict[str, Any]:
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
