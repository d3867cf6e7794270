"""`asz up` as text."""

from collections.abc import Iterator

from sessionizer.asz.collecting import CollectedPass
from sessionizer.asz.settings import Settings
from sessionizer.base.text import visible


def render_roots(settings: Settings) -> Iterator[str]:
    """What is read and where it is kept."""
    for source in settings.sources:
        yield f"source root : {visible(str(source.projects_root))}"
    yield f"storage root: {visible(str(settings.root))}"


def render_pass(done: CollectedPass) -> Iterator[str]:
    """A line for a pass that kept something; nothing for a quiet one."""
    report = done.report
    if report.landed:
        yield (
            f"kept {report.records} record(s) of {report.landed} source(s) "
            f"in {report.sessions} session(s) ({done.elapsed_ns / 1e9:.1f}s)"
        )


def no_data_line(settings: Settings) -> str:
    """Why the sample is shown."""
    looked = ", ".join(visible(str(source.projects_root)) for source in settings.sources)
    return (
        f"no Claude Code data found (looked in {looked or 'no enabled source'}); "
        "showing the sample home. --claude-home DIR names another place"
    )


def problem_line(problem: str) -> str:
    """Something that went wrong and did not stop the rest."""
    return f"  error: {visible(problem)}"
