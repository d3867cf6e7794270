"""`asz sources` as text."""

from collections.abc import Iterator

from sessionizer.adapters.claude_code_local.sources import SourcesReport
from sessionizer.base.text import visible
from sessionizer.cli.table import render_table

_HEADER = ("SESSION", "DIRS", "STREAMS", "META", "JOURNAL", "MANIFEST")


def render(report: SourcesReport) -> Iterator[str]:
    """The table, what spans several directories, and what could not be placed or read."""
    yield f"source root: {visible(str(report.source_root))}"
    if report.filtered:
        yield f"filtered   : {report.filtered} session(s) excluded by config"
    yield ""
    rows = [
        (one.session, one.directories, one.streams, one.sidecars, one.journals, one.manifests)
        for one in report.sessions
    ]
    yield from render_table(_HEADER, rows)
    yield ""
    streams = sum(one.streams for one in report.sessions)
    yield f"{len(report.sessions)} sessions, {streams} streams"
    spread = [one for one in report.sessions if one.directories > 1]
    if spread:
        yield f"{len(spread)} session(s) span more than one source directory:"
        yield from (f"  {one.session} ({one.directories} dirs)" for one in spread)
    for title, listed in (
        ("look(s) like a source and belong(s) to no session", report.unplaced),
        ("could not be read", report.unreadable),
    ):
        if listed:
            yield f"{len(listed)} path(s) {title}:"
            yield from (f"  {visible(path)}: {visible(reason)}" for path, reason in listed)
