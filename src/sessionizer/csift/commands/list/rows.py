"""`csift list` as JSON lines. Field names are a contract: docs/formats/json-rows.md."""

from collections.abc import Iterator

from sessionizer.cli import envelope
from sessionizer.csift.commands.list.query import Listing
from sessionizer.transcripts.listing import Row
from sessionizer.transcripts.summary import Preview
from sessionizer.transcripts.when import local_iso


def render(listing: Listing) -> Iterator[str]:
    """The header, a row per transcript, the summary."""
    yield envelope.line(
        "header",
        command="list",
        sessions_in_scope=listing.scope.total,
        top_level_sessions=listing.scope.top_level,
        subagent_sessions=listing.scope.subagents,
    )
    for row in listing.rows:
        yield envelope.line("session", **_row(row))
    yield envelope.line(
        "summary",
        sessions=len(listing.rows),
        skipped_lines=sum(row.skipped_lines for row in listing.rows),
        unreadable_sources=listing.unread,
        dropped_by_cap=listing.dropped,
    )


def _row(row: Row) -> dict[str, object]:
    file, summary = row.file, row.summary
    return {
        "session_id": file.session_id,
        "is_subagent": file.is_subagent,
        "parent_session_id": file.parent_session_id,
        "is_internal": file.is_internal,
        "path": file.path,
        "cwd": summary.cwd,
        "version": summary.version_last or summary.version_first,
        "version_first": summary.version_first,
        "version_last": summary.version_last,
        "git_branch": summary.branch_last or summary.branch_first,
        "git_branch_first": summary.branch_first,
        "git_branch_last": summary.branch_last,
        "title": row.title.text,
        "title_source": row.title.source,
        "first_user": _preview(summary.first_user),
        "last_user": _preview(summary.last_user),
        "last_user_unread": summary.last_user_unread,
        "last_agent": _preview(summary.last_agent),
        "last_agent_unread": summary.last_agent_unread,
        "skipped_lines": row.skipped_lines,
        "sidecar_present": file.elicitations is not None,
        "pending_elicitations": list(row.pending),
        "with_elicitation_sidecar": bool(row.pending),
        "is_clone": summary.boundary is not None,
        "clone_of": row.clone_of,
        "clone_boundary_uuid": summary.boundary,
    }


def _preview(preview: Preview | None) -> dict[str, object] | None:
    if preview is None:
        return None
    return {
        "ts_utc": preview.timestamp,
        "ts_local": local_iso(preview.timestamp),
        "excerpt": preview.excerpt,
    }
