"""The invented conversations as the server would answer them: JSON by path."""

from typing import Any

from tests.browser.invented.rows import conversation_rows, steps_of, stream_row, talk_row
from tests.browser.invented.story import first_segment, make_child, second_segment, third_segment
from tests.browser.invented.writer import (
    CHILD,
    DAY_MS,
    EMPTY,
    GRANDCHILD,
    LOOSE_CHILD,
    OTHER_CHILD,
    SESSION,
    Records,
    Writer,
)


def answers() -> dict[str, Any]:
    """JSON answers by path, for one rich conversation, a broken and an empty one."""
    records: Records = {}
    main = Writer(records, seq=1, stream="main")
    first, _ = first_segment(main)
    main.wait(7_940_000)
    second = second_segment(main)
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
    later = third_segment(main)

    grand = Writer(records, seq=4, stream=GRANDCHILD)
    grand.at = second["at"] + 420_000
    grand_talk = make_child(grand, "Count the callers of openAlbum.", "Three callers.", inner=[])
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
    child_talk = make_child(
        child,
        "Find every place that lays an album out. Change nothing.",
        "Two places: `openAlbum` and the nightly job. Only the job still uses the old size.",
        inner=[nested_call],
    )
    other = Writer(records, seq=3, stream=OTHER_CHILD)
    other.at = second["at"] + 560_000
    other_talk = make_child(
        other, "Try to refute the change.", "Refuted: the swap is done twice for flag 5.", inner=[]
    )
    loose = Writer(records, seq=5, stream=LOOSE_CHILD)
    loose_talk = make_child(loose, "Make the thumbnails again.", "Done.", inner=[])

    trees = [first, second, *later, child_talk, other_talk, grand_talk, loose_talk]
    rows = [
        talk_row(
            first,
            segment="segment/at_1_1",
            inherited_from="5d0c1f7e-0000-4000-8000-000000000001",
            quality="exact_unique",
        ),
        talk_row(second, segment="segment/at_1_9"),
        talk_row(later[0], segment="segment/at_1_60"),
        talk_row(later[1], segment="segment/at_1_60", trigger="notification"),
        talk_row(child_talk, segment="segment/at_1_9"),
        talk_row(other_talk, segment="segment/at_1_9"),
        talk_row(grand_talk, segment="segment/at_1_9"),
        {**talk_row(loose_talk, segment=""), "from": 0, "to": 0},
    ]
    opener = {"stream": "main", "talk": second["id"]}
    tokens = {"in": 48_210, "out": 19_940, "cache_read": 3_880_120, "cache_write": 164_010}
    streams = [
        stream_row(
            "main", "main", "", first["id"], sum(row["steps"] for row in rows[:4]), tokens=tokens
        ),
        stream_row(
            CHILD,
            "child",
            "Trace every layout path",
            child_talk["id"],
            rows[4]["steps"],
            parent="main",
            tokens={"in": 2_000, "out": 4_100, "cache_read": 206_000},
            opened_by=[{"step": "tool/toolu_agent", "quality": "exact_unique", **opener}],
        ),
        stream_row(
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
        stream_row(
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
        stream_row(LOOSE_CHILD, "child", "", loose_talk["id"], rows[7]["steps"]),
        stream_row("acompact-91c2", "internal", "", "", 2),
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
    steps = [step for tree in trees for step in steps_of(tree)]
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
                "id": "tool/toolu_lost",
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
        "/api/about": {"note": ""},
        "/api/conversations": conversation_rows(overview),
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
            for step in steps_of(tree)
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
