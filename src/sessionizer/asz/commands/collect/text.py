"""`asz collect` as text."""

import time
from collections.abc import Iterator

from sessionizer.adapters.claude_code_local.kept_sources import Conflict
from sessionizer.adapters.claude_code_local.tally import Reached
from sessionizer.asz.collecting import CollectedPass
from sessionizer.asz.settings import Settings
from sessionizer.base.text import visible
from sessionizer.cli.amounts import format_bytes


def render_roots(settings: Settings) -> Iterator[str]:
    """What is read and where it is kept."""
    for source in settings.sources:
        yield f"source root : {visible(str(source.projects_root))}"
    yield f"storage root: {visible(str(settings.root))}"


def pass_line(done: CollectedPass) -> str:
    """One line per pass; counters that are rarely other than 0 come last, when they are."""
    report = done.report
    clock = time.strftime("%H:%M:%S")
    rare = (
        ("reindexed", report.reindexed),
        ("unplaced", report.unplaced),
        ("elsewhere", report.elsewhere),
        ("history_skipped", report.history_skipped),
    )
    return (
        f"[{clock}] sessions={report.sessions} sources={report.sources} landed={report.landed} "
        f"records={report.records} bytes={format_bytes(report.bytes)} indexed={report.indexed} "
        f"gone={report.gone} conflicts={report.conflicts} busy={report.busy} "
        f"pending={report.pending} errors={len(report.errors)}"
        + "".join(f" {name}={count}" for name, count in rare if count)
        + f" ({done.elapsed_ns / 1e9:.3f}s)"
    )


def progress_line(reached: Reached) -> str:
    """How far the pass in progress is."""
    return (
        f"collecting: {reached.sessions} of {reached.of} session(s), "
        f"{format_bytes(reached.bytes)} kept"
    )


def accepted_line(conflict: Conflict) -> str:
    """A conflict that waits no longer."""
    return f"accepted: {conflict.session} {visible(conflict.src)}: {visible(conflict.reason)}"


def error_line(error: str) -> str:
    """An error of one source or session."""
    return f"  error: {visible(error)}"
