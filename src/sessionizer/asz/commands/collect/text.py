"""`asz collect` as text."""

import time
from collections.abc import Iterator

from sessionizer.asz.collecting import CollectedPass
from sessionizer.asz.settings import Settings
from sessionizer.base.text import visible

_UNITS = ("KB", "MB", "GB", "TB")


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


def error_line(error: str) -> str:
    """An error of one source or session."""
    return f"  error: {visible(error)}"


def format_bytes(size: int) -> str:
    """`12B`, `1.5MB`: factor 1024, one decimal."""
    if size < 1024:
        return f"{size}B"
    scaled, unit = float(size), -1
    while scaled >= 1024 and unit < len(_UNITS) - 1:
        scaled, unit = scaled / 1024, unit + 1
    return f"{scaled:.1f}{_UNITS[unit]}"
