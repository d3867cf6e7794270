"""Rare things in main transcripts, written when the schedule says so."""

from collections.abc import Callable

from benchmarks.corpus.calls import Use, write_call
from benchmarks.corpus.tools import Json, Output
from benchmarks.corpus.transcript import Transcript

HOME = "/home/dev/.claude"
"""Where the invented person's files lie, as far as records say."""


def _write_api_error(main: Transcript) -> None:
    error = {
        "subtype": "api_error",
        "level": "error",
        "error": {"message": "overloaded", "status": 529, "requestId": main.shop.ids.request()},
        "retryInMs": 550,
        "retryAttempt": 1,
        "maxRetries": 10,
    }
    # The time is that of the failed request, before the record in front of it.
    main.add("system", error, milliseconds=main.now - 90_000)


def _write_synthetic(main: Transcript) -> None:
    message = {
        "id": main.shop.ids.uuid(),
        "model": "<synthetic>",
        "role": "assistant",
        "type": "message",
        "stop_reason": "stop_sequence",
        "stop_sequence": "",
        "content": [{"type": "text", "text": "API Error: the server is overloaded"}],
        "usage": {"input_tokens": 0, "output_tokens": 0, "iterations": None},
    }
    main.add("assistant", {"message": message, "isApiErrorMessage": True})


def _write_image_call(main: Transcript) -> None:
    shop = main.shop
    data = shop.base64(shop.largest_text / 4 * (0.5 + shop.random.random()))
    image = {"type": "image", "source": {"type": "base64", "data": data, "media_type": "image/png"}}
    path = f"{main.session.cwd}/shots/{shop.word()}.png"
    structured = {"type": "image", "file": {"filePath": path, "originalSize": len(data)}}
    output = Output([image], structured)
    write_call(main, [Use(shop.ids.tool_use(), "Read", {"file_path": path}, lambda: output)])


def _write_spilled_call(main: Transcript) -> None:
    """A command whose output went to a file; the record holds its beginning and the path."""
    shop, session = main.shop, main.session
    name = f"b{shop.ids.hexadecimal(8)}.txt"
    text = shop.log.text(shop.random, shop.size(32_000, 0.4))
    path = session.companion / "tool-results" / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8", newline="\n")
    shop.ledger.count_file("spilled", path.stat().st_size)
    stored = f"{HOME}/projects/{session.project.name}/{session.id}/tool-results/{name}"
    content = (
        f"<persisted-output>\nOutput too large ({len(text)} characters). "
        f"Full output saved to: {stored}\n\nPreview:\n{text[:2_000]}\n</persisted-output>"
    )
    structured: Json = {"stdout": text[:2_000], "stderr": "", "interrupted": False}
    if shop.chance(0.09):
        structured["persistedOutputPath"] = stored
    output = Output(content, {**structured, "isImage": False})
    tool_input = {"command": f"{shop.word()} --all", "description": "List everything"}
    write_call(main, [Use(shop.ids.tool_use(), "Bash", tool_input, lambda: output)])


def _write_compaction(main: Transcript) -> None:
    """Reset the context: perhaps history written again, then the boundary, then a summary."""
    schedule = main.shop.schedule
    share = schedule.made["compaction"] / schedule.planned["compaction"]
    due = round(schedule.planned["replay"] * share) - schedule.made["replay"]
    schedule.made["replay"] += main.replay(due)
    anchor = main.shop.ids.uuid()
    boundary = {
        "subtype": "compact_boundary",
        "content": "Conversation compacted",
        "isMeta": False,
        "level": "info",
        "logicalParentUuid": main.parent,
        "compactMetadata": {
            "trigger": "auto",
            "preTokens": 168_000,
            "postTokens": 9_000,
            "durationMs": 81_000,
            "preservedMessages": {"anchorUuid": anchor, "uuids": [], "allUuids": []},
        },
    }
    main.add("system", boundary, parent=None)
    summary = (
        "This session is being continued from a previous conversation that ran out of "
        f"context. Summary:\n{main.shop.prose.text(main.shop.random, 9_000)}"
    )
    flags = {"isVisibleInTranscriptOnly": True, "isCompactSummary": True}
    main.add("user", {"message": {"role": "user", "content": summary}, **flags})


RARE_EVENTS: dict[str, Callable[[Transcript], None]] = {
    "api_error": _write_api_error,
    "synthetic": _write_synthetic,
    "image": _write_image_call,
    "spill": _write_spilled_call,
    "compaction": _write_compaction,
}
