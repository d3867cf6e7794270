"""`asz verify` as text."""

from collections.abc import Iterable, Iterator

from sessionizer.assembly.coverage import METADATA, Coverage
from sessionizer.asz.commands.verify.query import SessionCoverage, Verification
from sessionizer.base.text import visible
from sessionizer.landing.verify_sources import SourceCheck


def render(result: Verification) -> Iterator[str]:
    """Problems by session and chain, then what was checked."""
    for check in result.sessions:
        yield from _problem_lines(check.session, check.problems)
    for chain in result.chains:
        if chain.problem is not None:
            yield from _problem_lines(f"conversation {chain.conversation}", (chain.problem,))
    streams = sum(check.sources for check in result.sessions)
    records = sum(check.records for check in result.sessions)
    yield f"checked {len(result.sessions)} session(s), {streams} stream(s), {records} records"
    if repeated := sum(check.repeated for check in result.sessions):
        yield (
            f"{repeated} record(s) landed more than once by an interrupted pass; "
            "assembly removes them"
        )
    if result.chains:
        rounds = sum(chain.rounds for chain in result.chains)
        yield f"checked {len(result.chains)} conversation chain(s), {rounds} round(s)"
    if result.sources is not None:
        yield from _render_sources(result.sources)
    if result.coverage is not None:
        yield from _render_coverage(result.coverage)
    if not result.problems:
        yield "all landed data is contiguous and matches its digests"


def _problem_lines(name: str, problems: Iterable[str]) -> Iterator[str]:
    lines = tuple(problems)
    if lines:
        yield f"{name}: {len(lines)} problem(s)"
        yield from (f"  {visible(line)}" for line in lines)


# ------------------------------------------------------------------ against the sources


def _render_sources(checks: tuple[tuple[str, SourceCheck], ...]) -> Iterator[str]:
    for session, check in checks:
        yield from _problem_lines(f"{session} against its sources", check.problems)
        for src, size in check.not_yet_kept:
            yield f"not yet kept: {size} byte(s) of {visible(src)}"
    compared = sum(check.compared for _, check in checks)
    gone = sum(check.gone for _, check in checks)
    differing = sum(len(check.problems) for _, check in checks)
    behind = sum(len(check.not_yet_kept) for _, check in checks)
    yield (
        f"compared {compared} source(s) with what was kept of them: {differing} problem(s), "
        f"{behind} with bytes not yet kept; {gone} gone from disk"
    )


# ------------------------------------------------------------------ the account of every record


def _render_coverage(sessions: tuple[SessionCoverage, ...]) -> Iterator[str]:
    for one in sessions:
        if one.coverage is None:
            yield f"account of {one.session}: its records can not be read"
        else:
            yield from _account_lines(one.session, one.coverage)
    counted = [one.coverage for one in sessions if one.coverage is not None]
    total = sum(coverage.total for coverage in counted)
    missing = sum(len(coverage.unaccounted) for coverage in counted)
    yield f"accounted for {total - missing} of {total} record(s) in {len(counted)} session(s)"


def _account_lines(session: str, coverage: Coverage) -> Iterator[str]:
    yield f"account of {session}: {coverage.total} record(s)"
    for account, count in coverage.counts.items():
        types = _types(coverage) if account == METADATA else ""
        yield f"  {account:<22} {count} of {coverage.total}{types}"
    for _, seq, row in coverage.unaccounted:
        yield f"  without an account: landed file {seq}, row {row}"


def _types(coverage: Coverage) -> str:
    listed = (
        f"{visible(name) or 'no type'} {count}" for name, count in coverage.metadata_types.items()
    )
    return f"  ({', '.join(listed)})"
