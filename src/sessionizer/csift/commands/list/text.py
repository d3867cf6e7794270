"""`csift list` as text."""

from collections.abc import Iterator

from sessionizer.base.text import normalise, truncate, visible
from sessionizer.csift.commands.list.query import Listing
from sessionizer.csift.nothing_found import nothing_found
from sessionizer.transcripts.listing import Row
from sessionizer.transcripts.summary import EXCERPT, Preview
from sessionizer.transcripts.titles import FIRST_WORDS
from sessionizer.transcripts.when import format_local
from sessionizer.transcripts.windows import LANE_LIMIT, tail_limit

_INDENT = "           "


def render(listing: Listing) -> Iterator[str]:
    """A block per row; what was left out is said at the end."""
    for line in _render(listing):
        yield visible(line)


def _render(listing: Listing) -> Iterator[str]:
    if listing.scope.subagents:
        noun = "session" if listing.scope.total == 1 else "sessions"
        yield (
            f"scope  {listing.scope.total} {noun} in scope "
            f"({listing.scope.top_level} top-level + {listing.scope.subagents} subagent)"
        )
        yield ""
    for row in listing.rows:
        yield from _row(row)
        yield ""
    if not listing.rows:
        yield nothing_found(listing.unread)
    if listing.dropped:
        yield (
            f"… (+{listing.dropped} more session(s) not shown — the most recently active are "
            "listed; narrow with a target or --since, or raise --max-count)"
        )


def _row(row: Row) -> Iterator[str]:
    file, summary = row.file, row.summary
    yield heading(row)
    yield f"  cwd      {summary.cwd or '<unknown cwd>'}{_drift(row)}"
    if row.title.source not in (None, FIRST_WORDS):
        yield f"  title    {truncate(normalise(row.title.text or ''), EXCERPT)}"
    if summary.boundary is not None:
        if row.clone_of is not None:
            yield (
                f"  clone    forked from SESSION {row.clone_of} at compaction boundary "
                f"{summary.boundary}"
            )
        else:
            yield (
                f"  clone    forked at compaction boundary {summary.boundary} "
                "(origin not in this project dir)"
            )
    limit = "64 KiB" if tail_limit(file) == LANE_LIMIT else "4 MiB"
    unread = f"not in the last {limit} (csift show @{file.session_id} --turn -1)"
    yield from _preview("first ◂", summary.first_user, None)
    yield from _preview("last ◂", summary.last_user, unread if summary.last_user_unread else None)
    yield from _preview("last ▸", summary.last_agent, unread if summary.last_agent_unread else None)
    if row.pending:
        yield "  pending  with elicitation sidecar"
        for text in row.pending:
            yield f"{_INDENT}⏳ {truncate(text, EXCERPT)}"
    if row.skipped_lines:
        yield (
            f"  note     {row.skipped_lines} malformed line(s) skipped (among the head/tail lines "
            "read — full census: csift stats)"
        )


def heading(row: Row) -> str:
    """Whose transcript it is."""
    file = row.file
    if not file.is_subagent:
        return f"SESSION  {file.session_id}"
    internal = "  (internal)" if file.is_internal else ""
    return f"SUBAGENT  {file.session_id}  ·  parent SESSION {file.parent_session_id}{internal}"


def _preview(name: str, preview: Preview | None, unread: str | None) -> Iterator[str]:
    if preview is None:
        yield f"  {name:<8} {unread or '—'}"
        return
    yield f"  {name:<8} {format_local(preview.timestamp, milliseconds=False)}"
    yield f"{_INDENT}{preview.excerpt}"


def _drift(row: Row) -> str:
    """`   (branch main->fix, CC 2.0.9->2.1.0)`; a part that is unknown is left out."""
    summary = row.summary
    parts = []
    branch = _change(summary.branch_first, summary.branch_last)
    if branch:
        parts.append(f"branch {branch}")
    version = _change(summary.version_first, summary.version_last)
    if version:
        parts.append(f"CC {version}")
    return f"   ({', '.join(parts)})" if parts else ""


def _change(first: str | None, last: str | None) -> str | None:
    if first and last and first != last:
        return f"{first}->{last}"
    return last or first
