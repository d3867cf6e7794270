"""`asz verify` as text."""

from collections.abc import Iterator

from sessionizer.asz.commands.verify.query import Verification


def render(result: Verification) -> Iterator[str]:
    """Problems by session and chain, then what was checked."""
    for check in result.sessions:
        if check.problems:
            yield f"{check.session}: {len(check.problems)} problem(s)"
            yield from (f"  {problem}" for problem in check.problems)
    for chain in result.chains:
        if chain.problem is not None:
            yield f"conversation {chain.conversation}: 1 problem(s)"
            yield f"  {chain.problem}"
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
    if not result.problems:
        yield "all landed data is contiguous and matches its digests"
