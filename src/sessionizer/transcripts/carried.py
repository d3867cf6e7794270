"""Messages of an agent that stand inside its parent's progress records, and nowhere else.

Up to about 2.1.67 the runtime repeated a child's messages there. Where the child has a file
of its own they are copies; where it has none they are all that is left.
"""

from collections.abc import Iterator

from msgspec import Raw

from sessionizer.claude_code.records import decode_record
from sessionizer.claude_code.values import decode_elements, decode_members, decode_text, is_present
from sessionizer.transcripts.record import TranscriptRecord, place_record

AGENT_PROGRESS = "agent_progress"


def carried_lane(one: TranscriptRecord) -> str | None:
    """The agent whose messages a progress record carries; None when it carries none."""
    if one.type != "progress":
        return None
    members = decode_members(one.record.data)
    if not members or "type" not in members or decode_text(members["type"]) != AGENT_PROGRESS:
        return None
    agent = decode_text(members["agentId"]) if "agentId" in members else None
    return agent or f"carried-{one.record.parent_tool_use_id or f'L{one.line}'}"


def iter_carried(one: TranscriptRecord) -> Iterator[TranscriptRecord]:
    """The messages that a progress record carries, each as a record on the same line."""
    lane = carried_lane(one)
    if lane is None:
        return
    members = decode_members(one.record.data) or {}
    messages: list[Raw] = [members["message"]] if "message" in members else []
    if "normalizedMessages" in members:
        messages += decode_elements(members["normalizedMessages"]) or ()
    for number, raw in enumerate(messages, start=1):
        record = decode_record(bytes(raw)).record if is_present(raw) else None
        if record is not None and record.type in ("user", "assistant"):
            yield place_record(
                record,
                line=one.line,
                glued=one.glued,
                offset=one.offset,
                size=one.size,
                whole=bytes(raw),
                carried=number,
                lane=lane,
            )
