"""`csift search` as JSON lines. Field names are a contract: docs/formats/json-rows.md."""

from collections.abc import Iterator

from sessionizer.cli import envelope
from sessionizer.csift.commands.search.query import Disclosure, Outcome, refetch
from sessionizer.transcripts.exchanges import Exchange, Hit
from sessionizer.transcripts.when import local_iso

TRANSCRIPTS_LISTED = 100


def render(outcome: Outcome, said: Disclosure, **extra: object) -> Iterator[str]:
    """The header, a row per exchange, the summary. `extra` goes into the summary."""
    yield header(said)
    for exchange in outcome.shown:
        yield envelope.line("exchange", **_exchange(exchange))
    yield summary(outcome, said, matched=len(outcome.shown), **extra)


def header(said: Disclosure) -> str:
    """The first line of every answer."""
    return envelope.line(
        "header",
        command="search",
        sessions_in_scope=said.scope.total,
        top_level_sessions=said.scope.top_level,
        subagent_sessions=said.scope.subagents,
    )


def summary(outcome: Outcome, said: Disclosure, *, matched: int, **extra: object) -> str:
    """The last line of every answer."""
    return envelope.line(
        "summary",
        matched=matched,
        sessions=len({exchange.session_id for exchange in outcome.shown}),
        transcript_ids=list(outcome.transcripts[:TRANSCRIPTS_LISTED]),
        transcript_ids_truncated=len(outcome.transcripts) > TRANSCRIPTS_LISTED,
        dropped_by_cap=outcome.dropped,
        skipped_lines=said.skipped_lines,
        repaired_lines=said.repaired_lines,
        superseded_drafts=said.drafts,
        with_elicitation_sidecar=said.with_sidecar,
        excerpts_truncated=any(hit.clipped for one in outcome.shown for hit in one.hits),
        **extra,
    )


def _exchange(exchange: Exchange) -> dict[str, object]:
    return {
        "session_id": exchange.session_id,
        "is_subagent": exchange.is_subagent,
        "parent_session_id": exchange.parent_session_id,
        "turn_index": exchange.turn,
        "superseded_draft": exchange.turn is None,
        "ts_utc": exchange.timestamp,
        "ts_local": local_iso(exchange.timestamp),
        "hits": [_hit(hit, exchange) for hit in exchange.hits],
        "record_uuids": list(exchange.record_uuids),
    }


def _hit(hit: Hit, exchange: Exchange) -> dict[str, object]:
    return {
        "session_id": hit.session_id,
        "is_subagent": hit.is_subagent,
        "parent_session_id": hit.parent_session_id,
        "label": hit.label,
        "labels": list(hit.labels),
        "excerpt": hit.text,
        "field": hit.field,
        "ts_utc": hit.timestamp,
        "ts_local": local_iso(hit.timestamp),
        "tool_name": hit.tool_name,
        "from": hit.sender,
        "to": hit.receiver,
        "pairing": hit.pairing,
        "is_error": hit.is_error,
        "tool_use_id": hit.tool_use_id,
        "queue_operation": hit.queue_operation,
        "queue_reason": hit.queue_reason,
        "queue_outcome": hit.queue_outcome,
        "line": hit.line,
        "glued": hit.glued,
        "uuid": hit.uuid,
        "source": hit.source,
        "image_ids": list(hit.image_ids),
        "refetch": refetch(hit, exchange),
    }
