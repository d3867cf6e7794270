"""From a view of a record to what is shown of it."""

from sessionizer.claude_code.values import decode_members, decode_text
from sessionizer.transcripts.excerpts import Excerpt
from sessionizer.transcripts.exchanges import Hit
from sessionizer.transcripts.images import image_ids
from sessionizer.transcripts.lane_views import LaneViews
from sessionizer.transcripts.record import TranscriptRecord
from sessionizer.transcripts.units import View


def make_hit(
    views: LaneViews,
    one: TranscriptRecord,
    place: tuple[int, int],
    view: View,
    excerpt: Excerpt,
    *,
    labels: tuple[str, ...] | None = None,
    field: str | None = None,
    digest: int = 0,
    images_before: int = 0,
) -> Hit:
    """What is shown of one view of a record.

    Args:
        views: Of the record's file.
        one: The record.
        place: Its lane and position.
        view: Which of its views.
        excerpt: The part of the view's text that is shown.
        labels: All labels of the record, if they are known.
        field: Path of the value that the excerpt stands in; None for the text itself.
        digest: See `Hit`.
        images_before: Images of earlier records on the same line.
    """
    context = views.context(place[0])
    record = one.record
    is_queue = one.type == "queue-operation"
    return Hit(
        session_id=context.owner,
        is_subagent=context.is_subagent,
        parent_session_id=context.parent,
        line=one.line,
        glued=one.glued,
        carried=one.carried,
        uuid=record.uuid,
        source=one.source,
        label=view.label,
        labels=views.labels(one, place) if labels is None else labels,
        timestamp=record.timestamp,
        text=excerpt.text,
        clipped=excerpt.clipped,
        field=field,
        tool_name=view.tool_name,
        tool_use_id=view.tool_use_id,
        sender=view.sender,
        receiver=view.receiver,
        pairing=view.pairing,
        is_error=view.is_error,
        queue_operation=record.operation if is_queue else None,
        queue_reason=record.reason if is_queue else None,
        queue_outcome=views.queue_outcome(one),
        image_ids=image_ids(one, before=images_before),
        model=record.message.model if record.message else None,
        version=record.version,
        attachment=_attachment_type(one),
        digest=digest,
        offset=one.offset,
        size=one.size,
    )


def _attachment_type(one: TranscriptRecord) -> str | None:
    """The type of an attachment's payload."""
    if one.type != "attachment":
        return None
    members = decode_members(one.record.attachment)
    return decode_text(members["type"]) if members and "type" in members else None
