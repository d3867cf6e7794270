"""`asz parse`: assemble kept sessions and publish what changed as rounds."""

import time

from sessionizer.asz.commands.parse import text
from sessionizer.asz.errors import ParseFailedError, UnknownSessionError
from sessionizer.asz.flags import SharedArguments
from sessionizer.asz.parsing import FailedSession, ParsedSession, Parser
from sessionizer.asz.settings import read_root
from sessionizer.cli.context import Context
from sessionizer.cli.flags import Positional
from sessionizer.landing.zone import Zone

DESCRIPTION = """
Assembles every kept session, or one, into its conversation: talks, runs, calls, tools,
children, and how well each join is known. What changed since the last round is published as
a new round; when nothing changed, nothing is written.
"""
POSITIONALS = (Positional("SESSION", help="Only this session."),)
FLAGS = ()
EXAMPLES = (
    ("asz parse", "Every kept session."),
    ("asz parse 5f0c1d2e-0000-4000-8000-000000000001", "One session."),
)


class Args(SharedArguments):
    """What the user typed."""

    session: tuple[str, ...]


def run(args: Args, context: Context) -> int:
    """Assemble and publish; print a row per session."""
    zone = Zone(read_root(args))
    zone.require()
    known = zone.session_ids()
    for session in args.session:
        if session not in known:
            raise UnknownSessionError(session, str(zone.root))
    # A transcript may exist before its first line does; that is no failure.
    empty = [] if args.session else [one for one in known if zone.highest_seq(one) == 0]
    chosen = args.session or [one for one in known if one not in empty]
    results = tuple(Parser(zone).parse(chosen, now_ns=time.time_ns(), again=True))
    parsed = [result for result in results if isinstance(result, ParsedSession)]
    failed = [result for result in results if isinstance(result, FailedSession)]
    for failure in failed:
        context.say(f"  {failure.session}: {failure.message}")
    context.write(text.render(parsed, empty=len(empty)))
    if failed:
        raise ParseFailedError(len(failed))
    return 0
