"""`asz doctor` as text."""

import time
from collections.abc import Iterator, Sequence

from sessionizer.asz.commands.doctor.query import DAY_NS, SOON_DAYS, Diagnosis, Due, HomeReport
from sessionizer.base.text import visible
from sessionizer.cli.amounts import format_bytes
from sessionizer.cli.table import render_table

_SHOWN = 10
_HEADER = ("SESSION", "NEXT", "", "FILE TIME", "LAST RECORD", "FILES", "NOT KEPT")


def render(found: Diagnosis) -> Iterator[str]:
    """Each home, the storage root, what is not kept, and one line that says it all."""
    for report in found.homes:
        yield from _render_home(report, found.now_ns)
        yield ""
    for home in found.other_homes:
        yield f"other home   {visible(home)}: nothing is collected from it in this run"
    yield from _render_root(found)
    yield from _render_not_kept(found)
    yield ""
    yield from _render_verdict(found)


def _render_home(report: HomeReport, now_ns: int) -> Iterator[str]:
    home = report.home
    yield f"source root  {visible(home.source_root)}"
    if home.standing is None:
        yield f"problem      {visible(home.problem)}"
        return
    yield f"retention    {_retention(report)}"
    yield (
        f"on disk      {report.sessions} session(s), {report.files} file(s), "
        f"{format_bytes(report.bytes)}"
    )
    if home.standing.excluded:
        yield f"excluded     {home.standing.excluded} session(s) by the configuration: not kept"
    yield (
        f"deletion     {report.due_now} file(s) are due now, "
        f"{report.due_soon} within {SOON_DAYS} days"
    )
    if report.young:
        yield (
            f"             {report.young} session(s) are due by the time of a file though their "
            "last record is younger"
        )
    if report.due:
        yield ""
        shown = report.due[:_SHOWN]
        yield from render_table(_HEADER, [_due_cells(due, now_ns) for due in shown])
        yield from _more(len(report.due) - len(shown), "session(s), due later")


def _retention(report: HomeReport) -> str:
    retention = report.home.retention
    origin = "cleanupPeriodDays" if retention.is_stated else "the default"
    if retention.problem:
        origin = f"the default; {visible(retention.problem)}"
    elif not report.home.has_settings:
        origin = "the default; the source root lies in no home whose settings could be read"
    return (
        f"a file that was not written for {retention.days} days ({origin}) is deleted when "
        "Claude Code starts"
    )


def _due_cells(due: Due, now_ns: int) -> tuple[object, ...]:
    days = (due.next_ns - now_ns) // DAY_NS
    return (
        due.session,
        _date(due.next_ns),
        "due now" if due.next_ns <= now_ns else f"in {days} day(s)",
        _date(due.written_ns),
        "unknown" if due.last_time_ns is None else _date(due.last_time_ns),
        due.files,
        due.unkept or "-",
    )


def _render_root(found: Diagnosis) -> Iterator[str]:
    yield f"storage root {visible(found.root)}"
    if not found.root_exists:
        yield "             does not exist yet: nothing is kept"
        return
    disk = found.disk
    allocated = "" if disk.allocated is None else f" ({format_bytes(disk.allocated)} allocated)"
    yield (
        f"disk use     raw {format_bytes(disk.raw)}, Session Data "
        f"{format_bytes(disk.session_data)}, index {format_bytes(disk.index)}, rounds "
        f"{format_bytes(disk.rounds)}, state {format_bytes(disk.state)}: "
        f"{format_bytes(disk.total)} in {disk.files} file(s){allocated}"
    )
    gone = sum(report.gone for report in found.homes)
    whole = sum(report.gone_sessions for report in found.homes)
    yield (
        f"kept         {found.kept_sessions} session(s), {whole} of them gone from disk; "
        f"{gone} source(s) gone from disk in all"
    )
    conflicts = [conflict for report in found.homes for conflict in report.conflicts]
    if conflicts:
        yield (
            f"conflicts    {len(conflicts)} wait; look at them, then "
            "`asz collect --once --accept-conflict`"
        )
        yield from (
            f"  {one.session} {visible(one.src)}: {visible(one.reason)}" for one in conflicts
        )


def _render_not_kept(found: Diagnosis) -> Iterator[str]:
    unkept = [one for report in found.homes for one in report.unkept]
    if unkept:
        files = sum(one.files for one in unkept)
        yield f"not kept     {format_bytes(found.unkept_bytes)} of {files} file(s)"
        for one in unkept[:_SHOWN]:
            why = ", ".join(f"{visible(reason)}: {count}" for reason, count in one.reasons)
            yield f"  {one.session}  {one.files} file(s), {format_bytes(one.bytes)} ({why})"
        yield from _more(len(unkept) - _SHOWN, "session(s)")
    for title, listed in (
        ("unplaced     {} path(s) look like sources and belong to no session", _unplaced(found)),
        ("unknown      {} path(s) could not be looked into", _unreadable(found)),
    ):
        if listed:
            yield title.format(len(listed))
            yield from (f"  {visible(path)}: {visible(why)}" for path, why in listed[:_SHOWN])
            yield from _more(len(listed) - _SHOWN, "path(s)")


def _render_verdict(found: Diagnosis) -> Iterator[str]:
    if found.unkept_files:
        yield (
            f"{found.unkept_files} file(s) on disk are not kept, or not whole: "
            "`asz collect --once` keeps what it can"
        )
    elif found.unknown:
        yield "not known whether everything on disk is kept"
    else:
        excluded = sum(
            report.home.standing.excluded for report in found.homes if report.home.standing
        )
        but = f" but {excluded} excluded session(s)" if excluded else ""
        yield f"everything on disk is kept{but}"
        yield "(by names, sizes and times; `asz verify --against-sources` compares every byte)"


def _unplaced(found: Diagnosis) -> Sequence[tuple[str, str]]:
    standings = (report.home.standing for report in found.homes)
    return [each for standing in standings if standing for each in standing.unplaced]


def _unreadable(found: Diagnosis) -> Sequence[tuple[str, str]]:
    standings = (report.home.standing for report in found.homes)
    return [each for standing in standings if standing for each in standing.unreadable]


def _more(count: int, what: str) -> Iterator[str]:
    if count > 0:
        yield f"  ... and {count} more {what}"


def _date(instant_ns: int) -> str:
    """The day in local time."""
    return time.strftime("%Y-%m-%d", time.localtime(instant_ns // 1_000_000_000))
