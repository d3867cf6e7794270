"""Texts of records that the runtime writes about itself: fixed strings, present fields only."""

from collections.abc import Iterator, Mapping
from typing import Any

import msgspec

from sessionizer.claude_code.records import Record
from sessionizer.claude_code.values import decode_text, decode_value

_SECOND_MS = 1000
_UNITS = ((86_400, "d"), (3_600, "h"), (60, "m"), (1, "s"))
_ENCODER = msgspec.json.Encoder()


def boundary_text(record: Record) -> str:
    """A reset: its content, then what its metadata states."""
    content = (decode_text(record.content) or "").strip()
    metadata = decode_value(record.compact_metadata)
    stated = metadata if isinstance(metadata, dict) else {}
    pairs = [
        f"{key}={_scalar(stated[key])}"
        for key in ("trigger", "preTokens", "postTokens", "durationMs")
        if stated.get(key) is not None
    ]
    head = " ".join(["compaction boundary:", *pairs]) if pairs else "compaction boundary"
    parts = [content, f"[{head}]"]
    if record.logical_parent_uuid:
        parts.append(f"[logicalParent={record.logical_parent_uuid}]")
    return " ".join(part for part in parts if part)


def content_text(record: Record) -> str | None:
    """The content of a line, if it is text."""
    return decode_text(record.content)


def turn_duration_text(members: Mapping[str, Any]) -> str | None:
    """`[turn duration: 1m 5s · durationMs=64911 messageCount=4]`; None without a field."""
    keys = ("durationMs", "messageCount", "pendingBackgroundAgentCount", "pendingWorkflowCount")
    pairs = [f"{key}={_scalar(members[key])}" for key in keys if _is_number(members.get(key))]
    if not pairs:
        return None
    duration = members.get("durationMs")
    spoken = f"{format_duration(float(duration))} · " if isinstance(duration, int | float) else ""
    return f"[turn duration: {spoken}{' '.join(pairs)}]"


def format_duration(milliseconds: float) -> str:
    """The two largest units of a duration in rounded seconds: `10d 17h`, `1m 5s`, `0s`."""
    seconds = int(milliseconds / _SECOND_MS + 0.5)
    for index, (size, unit) in enumerate(_UNITS):
        if seconds >= size:
            if unit == "s":
                break
            below, name = _UNITS[index + 1]
            return f"{seconds // size}{unit} {seconds % size // below}{name}"
    return f"{seconds}s"


def stop_hooks_text(members: Mapping[str, Any]) -> str:
    """The hooks that ran when the agent stopped, one per line."""
    errors = members.get("hookErrors")
    pairs = []
    if _is_number(members.get("hookCount")):
        pairs.append(f"count={_scalar(members['hookCount'])}")
    if isinstance(errors, list):
        pairs.append(f"errors={len(errors)}")
    if isinstance(members.get("preventedContinuation"), bool):
        pairs.append(f"prevented={_scalar(members['preventedContinuation'])}")
    head = f"[stop hooks: {' '.join(pairs)}]" if pairs else "[stop hooks]"
    return "\n".join([head, *_hook_lines(members.get("hookInfos"))])


def snapshot_text(members: Mapping[str, Any], kind: str) -> str | None:
    """Which files were backed up; None when the line does not say."""
    if kind == "file-history-delta":
        return _delta_text(members)
    snapshot = members.get("snapshot")
    if not isinstance(snapshot, dict):
        return None
    backups = snapshot.get("trackedFileBackups")
    files = backups if isinstance(backups, dict) else {}
    listed = ", ".join(f"{path}@v{_version(files[path])}" for path in sorted(files))
    stamp = snapshot.get("timestamp")
    head = f"file-history snapshot at {stamp if isinstance(stamp, str) else '?'}:"
    return f"[{head} {listed}]" if listed else f"[{head}]"


def system_text(record: Record) -> str:
    """`[<subtype> <level>] <content>`; content that is no text as compact JSON."""
    head = " ".join(part for part in (record.subtype or "system", record.level) if part)
    text = decode_text(record.content)
    if text is None:
        value = decode_value(record.content)
        text = "" if value is None else _ENCODER.encode(value).decode()
    return f"[{head}] {text}" if text.strip() else f"[{head}]"


def _delta_text(members: Mapping[str, Any]) -> str:
    backup = members.get("backup")
    stored = backup if isinstance(backup, dict) else {}
    stamp = members.get("timestamp") or stored.get("backupTime")
    path = next(
        (members[key] for key in ("trackingPath", "filePath", "path") if key in members), "?"
    )
    name = stored.get("backupFileName") or (backup if isinstance(backup, str) else None)
    version = stored.get("version", members.get("version"))
    shown = _scalar(version) if _is_number(version) else "?"
    return (
        f"[file-history delta at {stamp if isinstance(stamp, str) else '?'}: "
        f"{path if isinstance(path, str) else '?'}@v{shown} backup={name or '?'}]"
    )


def _hook_lines(infos: Any) -> Iterator[str]:
    for info in infos if isinstance(infos, list) else ():
        if not isinstance(info, dict):
            continue
        command = info.get("command")
        spent = info.get("durationMs")
        tail = f" ({_scalar(spent)}ms)" if _is_number(spent) else ""
        yield f"{command if isinstance(command, str) else '?'}{tail}"


def _version(backup: Any) -> str:
    version = backup.get("version") if isinstance(backup, dict) else None
    return _scalar(version) if _is_number(version) else "?"


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def _scalar(value: Any) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    return str(value)
