"""`csift stats` as JSON lines. Field names are a contract: docs/formats/json-rows.md."""

from collections import Counter
from collections.abc import Iterator

from sessionizer.claude_code.values import decode_value
from sessionizer.cli import envelope
from sessionizer.csift.commands.stats.query import Row, Statistics
from sessionizer.transcripts.ordering import by_count
from sessionizer.transcripts.tallies import Instant
from sessionizer.transcripts.totals import Counts
from sessionizer.transcripts.when import local_iso


def render(statistics: Statistics) -> Iterator[str]:
    """The header, a row per transcript, the summary with the total."""
    yield envelope.line(
        "header",
        command="stats",
        sessions_in_scope=statistics.scope.total,
        top_level_sessions=statistics.scope.top_level,
        subagent_sessions=statistics.scope.subagents,
    )
    for row in statistics.rows:
        yield envelope.line("session", **_row(row))
    rows = statistics.rows
    types: Counter[str] = Counter()
    for row in rows:
        types.update(row.tally.line_types)
    yield envelope.line(
        "summary",
        sessions=len(rows),
        lines=sum(row.tally.lines for row in rows),
        line_types=by_count(types),
        **_counts(statistics.total),
        inherited_calls=statistics.inherited,
        replayed_records=sum(row.tally.replayed for row in rows),
        skipped_lines=sum(row.tally.skipped for row in rows),
        repaired_lines=sum(row.tally.repaired for row in rows),
        recovered_records=sum(row.tally.recovered for row in rows),
        unreadable_sources=statistics.unreadable,
        dropped_by_cap=statistics.dropped,
    )


def _row(row: Row) -> dict[str, object]:
    file, tally = row.file, row.tally
    return {
        "session_id": row.session_id,
        "is_subagent": file.is_subagent or file.lane is not None,
        "parent_session_id": file.parent_session_id,
        "is_internal": file.is_internal,
        "path": file.path,
        "lines": tally.lines,
        "line_types": by_count(tally.line_types),
        **_counts(row.counts),
        "inherited_calls": row.inherited,
        "replayed_records": tally.replayed,
        **_instant("first", tally.first),
        **_instant("last", tally.last),
        "reported_cost": decode_value(tally.reported_cost) if tally.reported_cost else None,
        "skipped_lines": tally.skipped,
        "repaired_lines": tally.repaired,
        "recovered_records": tally.recovered,
    }


def _counts(counts: Counts) -> dict[str, object]:
    tokens = {
        model: {
            "input": sums.input,
            "output": sums.output,
            "cache_read": sums.cache_read,
            "cache_creation": sums.cache_write,
        }
        for model, sums in counts.tokens.items()
    }
    return {
        "user_records": counts.user,
        "assistant_records": counts.assistant,
        "turns": counts.turns,
        "compactions": counts.compactions,
        "tools": by_count(counts.tools),
        "tokens": tokens,
        "tokens_at_least": counts.is_at_least,
        "calls": {model: dict(states) for model, states in counts.calls.items()},
        "narration_blocks": by_count(counts.narrations),
        "unknown_thinking_tags": by_count(counts.tags),
    }


def _instant(name: str, instant: Instant | None) -> dict[str, object]:
    text = instant.text if instant is not None else None
    return {f"{name}_utc": text, f"{name}_local": local_iso(text)}
