"""Rows of the overview and of the list."""

from typing import Any

from tests.browser.invented.writer import BROKEN, DAY_MS, EMPTY, HOSTILE, SESSION


def steps_of(talk: dict[str, Any]) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = []
    for child in talk.get("children", ()):
        if child["kind"] not in ("run", "talk"):
            found.append(child)
        found += steps_of(child)
    return found


def talk_row(talk: dict[str, Any], *, segment: str, **keys: Any) -> dict[str, Any]:
    steps = steps_of(talk)
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


def stream_row(
    name: str, role: str, label: str, talk: str, steps: int, **keys: Any
) -> dict[str, Any]:
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


def conversation_rows(overview: dict[str, Any]) -> list[dict[str, Any]]:
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
            "Upgrade the calendar library and keep the old reports readable for "
            "the auditors of next spring",
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
