"""`csift search` as JSON lines. Field names are a contract: docs/formats/json-rows.md."""

from collections.abc import Iterable, Iterator, Mapping

from sessionizer.cli import envelope
from sessionizer.csift.commands.search.query import (
    COPIES_LISTED,
    TRANSCRIPTS_LISTED,
    Diagnosis,
    Disclosure,
    Outcome,
    refetch,
)
from sessionizer.transcripts.census import Census
from sessionizer.transcripts.exchanges import Exchange, Hit
from sessionizer.transcripts.when import local_iso

Copies = Mapping[int, tuple[tuple[str, int | None], ...]]


def render(
    outcome: Outcome,
    exchanges: Iterable[Exchange],
    said: Disclosure,
    copies: Copies,
    diagnosis: Diagnosis | None,
    *,
    with_siblings: bool,
) -> Iterator[str]:
    """The header, a row per exchange, the summary."""
    yield _header(said)
    for exchange in exchanges:
        yield envelope.line("exchange", **_exchange(exchange, copies, with_siblings=with_siblings))
    yield _summary(outcome, said, diagnosis, matched=len(outcome.shown))


def render_count(outcome: Outcome, said: Disclosure, diagnosis: Diagnosis | None) -> Iterator[str]:
    """The header and the summary, which counts before the cap."""
    yield _header(said)
    yield _summary(outcome, said, diagnosis, matched=outcome.total)


def render_census(
    census: Census, outcome: Outcome, said: Disclosure, diagnosis: Diagnosis | None
) -> Iterator[str]:
    """The header, a row per key, the summary."""
    yield _header(said)
    for key, count in census.rows:
        yield envelope.line("census", axis=census.axis, key=key, records=count)
    yield envelope.line(
        "summary",
        axis=census.axis,
        matched_records=census.records,
        distinct_keys=len(census.rows),
        excluded_records=census.excluded,
        dropped_by_cap=outcome.dropped,
        copies_folded=len(outcome.folded),
        **_damage(said),
        **_diagnosis(diagnosis, said),
    )


def _header(said: Disclosure) -> str:
    return envelope.line(
        "header",
        command="search",
        sessions_in_scope=said.scope.total,
        top_level_sessions=said.scope.top_level,
        subagent_sessions=said.scope.subagents,
    )


def _summary(
    outcome: Outcome, said: Disclosure, diagnosis: Diagnosis | None, *, matched: int
) -> str:
    return envelope.line(
        "summary",
        matched=matched,
        sessions=outcome.shown_transcripts,
        transcript_ids=list(outcome.transcripts[:TRANSCRIPTS_LISTED]),
        transcript_ids_truncated=len(outcome.transcripts) > TRANSCRIPTS_LISTED,
        dropped_by_cap=outcome.dropped,
        copies_folded=len(outcome.folded),
        superseded_drafts=outcome.drafts,
        with_elicitation_sidecar=said.with_sidecar,
        excerpts_truncated=outcome.is_clipped,
        **_damage(said),
        **_diagnosis(diagnosis, said),
    )


def _damage(said: Disclosure) -> dict[str, object]:
    return {
        "skipped_lines": said.skipped_lines,
        "repaired_lines": said.repaired_lines,
        "recovered_records": said.recovered_records,
        "undecided_records": said.undecided_records,
        "unreadable_sources": said.unreadable_sources,
    }


def _diagnosis(diagnosis: Diagnosis | None, said: Disclosure) -> dict[str, object]:
    if diagnosis is None:
        return {}
    excluded = None
    if diagnosis.excluded is not None:
        records, by_label = diagnosis.excluded
        excluded = {"records": records, "by_label": dict(by_label)}
    return {
        "definitive_absence": said.is_whole,
        "active_filters": ", ".join(diagnosis.filters) or "none",
        "excluded_by_label": excluded,
        "gated_leaves_unreached": list(diagnosis.gated),
    }


def _exchange(exchange: Exchange, copies: Copies, *, with_siblings: bool) -> dict[str, object]:
    row: dict[str, object] = {
        "session_id": exchange.session_id,
        "is_subagent": exchange.is_subagent,
        "parent_session_id": exchange.parent_session_id,
        "turn_index": exchange.turn,
        "superseded_draft": exchange.turn is None,
        "ts_utc": exchange.timestamp,
        "ts_local": local_iso(exchange.timestamp),
        "hits": [_hit(hit, exchange, copies) for hit in exchange.hits],
        "record_uuids": list(exchange.record_uuids),
    }
    if with_siblings:
        row["siblings"] = [_hit(one, exchange, {}) for one in exchange.siblings]
        row["siblings_hidden"] = exchange.siblings_hidden
        row["turn_lines"] = [exchange.first_line, exchange.last_line]
    return row


def _hit(hit: Hit, exchange: Exchange, copies: Copies) -> dict[str, object]:
    found = copies.get(hit.digest, ()) if hit.digest else ()
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
        "copies": [
            {"session_id": session, "line": line} for session, line in found[:COPIES_LISTED]
        ],
        "copies_more": max(len(found) - COPIES_LISTED, 0),
        "refetch": refetch(hit, exchange),
    }
