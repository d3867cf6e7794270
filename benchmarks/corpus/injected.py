"""Injected context: attachment records, and the metadata lines of main transcripts."""

from collections.abc import Callable

from benchmarks.corpus.tools import Json
from benchmarks.corpus.transcript import Transcript, format_instant


def make_attachment(transcript: Transcript) -> Json:
    """One attachment, its kind drawn by weight."""
    makers = [maker for maker, _ in ATTACHMENTS]
    weights = [weight for _, weight in ATTACHMENTS]
    return transcript.shop.random.choices(makers, weights)[0](transcript)


def write_metadata_line(transcript: Transcript) -> None:
    """Write one line without a uuid, its kind drawn by weight."""
    kinds, weights = list(METADATA), [weight for weight, _ in METADATA.values()]
    kind = transcript.shop.random.choices(kinds, weights)[0]
    transcript.note(kind, METADATA[kind][1](transcript))


def _size(transcript: Transcript, median: float) -> float:
    return transcript.shop.size(median, 0.9, "injected")


def _listing(transcript: Transcript, kind: str, key: str) -> Json:
    shop = transcript.shop
    lines = shop.prose.text(shop.random, _size(transcript, 3_500)).split(". ")
    return {"type": kind, key: lines, "isInitial": False, "removedNames": []}


def _skills(transcript: Transcript) -> Json:
    return _listing(transcript, "skill_listing", "names")


def _deferred_tools(transcript: Transcript) -> Json:
    return _listing(transcript, "deferred_tools_delta", "addedNames")


def _instructions(transcript: Transcript) -> Json:
    return _listing(transcript, "mcp_instructions_delta", "addedBlocks")


def _memory(transcript: Transcript) -> Json:
    shop, path = transcript.shop, transcript.shop.path(transcript.session.cwd)
    text = shop.write_prose(_size(transcript, 3_000))
    content = {"path": path, "type": "Project", "content": text}
    return {"type": "nested_memory", "path": path, "content": content, "displayPath": path[-20:]}


def _tasks(transcript: Transcript) -> Json:
    shop = transcript.shop
    tasks = [
        {
            "id": str(number),
            "subject": shop.prose.text(shop.random, 50),
            "description": shop.prose.text(shop.random, 180),
            "status": "pending",
            "blocks": [],
            "blockedBy": [],
        }
        for number in range(1, 2 + int(_size(transcript, 1_200) / 330))
    ]
    return {"type": "task_reminder", "content": tasks, "itemCount": len(tasks)}


def _edited_file(transcript: Transcript) -> Json:
    shop = transcript.shop
    snippet = shop.write_code(_size(transcript, 1_800))
    return {"type": "edited_text_file", "filename": shop.path(), "snippet": snippet}


def _hook_context(transcript: Transcript) -> Json:
    shop = transcript.shop
    return {
        "type": "hook_additional_context",
        "content": [shop.write_prose(_size(transcript, 900))],
        "hookName": "UserPromptSubmit",
        "toolUseID": shop.ids.uuid(),
        "hookEvent": "UserPromptSubmit",
    }


def _queued_prompt(transcript: Transcript) -> Json:
    shop = transcript.shop
    return {
        "type": "queued_command",
        "prompt": shop.write_prose(shop.size(140, 0.8)),
        "source_uuid": shop.ids.uuid(),
        "commandMode": "prompt",
        "origin": {"kind": "human"},
        "timestamp": format_instant(transcript.now),
    }


def _date_change(transcript: Transcript) -> Json:
    return {"type": "date_change", "newDate": format_instant(transcript.now)[:10]}


def _tokens(transcript: Transcript) -> Json:
    return {"type": "total_tokens_reminder", "used": 40 * transcript.lines, "total": 1_000_000}


ATTACHMENTS: tuple[tuple[Callable[[Transcript], Json], int], ...] = (
    (_tasks, 34),
    (_hook_context, 16),
    (_edited_file, 12),
    (_memory, 9),
    (_queued_prompt, 8),
    (_tokens, 7),
    (_skills, 5),
    (_deferred_tools, 4),
    (_instructions, 3),
    (_date_change, 2),
)


def _last_prompt(transcript: Transcript) -> Json:
    return {"lastPrompt": transcript.last_prompt[:200], "leafUuid": transcript.parent}


def _queue_operation(transcript: Transcript) -> Json:
    shop = transcript.shop
    moment = {"timestamp": format_instant(transcript.now)}
    if shop.chance(0.5):
        return {"operation": "dequeue", **moment}
    prompt = shop.prose.text(shop.random, shop.size(90, 0.6))
    return {"operation": "enqueue", **moment, "content": prompt}


def _snapshot(transcript: Transcript) -> Json:
    shop = transcript.shop
    moment = format_instant(transcript.now)
    backups = {
        shop.path()[1:]: {
            "backupFileName": f"{shop.ids.hexadecimal(16)}@v{version}",
            "version": version,
            "backupTime": moment,
        }
        for version in range(1, 1 + int(shop.random.expovariate(0.4)))
    }
    snapshot = {"messageId": transcript.parent, "trackedFileBackups": backups, "timestamp": moment}
    return {"messageId": transcript.parent, "snapshot": snapshot, "isSnapshotUpdate": bool(backups)}


METADATA: dict[str, tuple[int, Callable[[Transcript], Json]]] = {
    "last-prompt": (24, _last_prompt),
    "mode": (19, lambda _: {"mode": "normal"}),
    "permission-mode": (18, lambda _: {"permissionMode": "acceptEdits"}),
    "ai-title": (12, lambda transcript: {"aiTitle": " ".join(transcript.last_prompt.split()[:5])}),
    "file-history-snapshot": (11, _snapshot),
    "queue-operation": (10, _queue_operation),
    "agent-name": (4, lambda transcript: {"agentName": transcript.session.slug}),
    "bridge-session": (2, lambda _: {"bridgeSessionId": "cse_example", "lastSequenceNum": 0}),
}
