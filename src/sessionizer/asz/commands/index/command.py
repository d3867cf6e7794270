"""`asz index`: what the derived index holds; rebuild it on request."""

import time

from sessionizer.adapters.claude_code_local.deriving import CLAUDE_CODE
from sessionizer.asz.commands.index import query, text
from sessionizer.asz.errors import IndexFailedError, UnknownSessionError
from sessionizer.asz.flags import SharedArguments
from sessionizer.asz.settings import read_root
from sessionizer.base.errors import SessionizerError
from sessionizer.base.locks import exclusive_lock
from sessionizer.cli.context import Context
from sessionizer.cli.flags import Flag, Positional
from sessionizer.cli.progress import Progress
from sessionizer.index.session_index import load_index, update_index
from sessionizer.landing.derive import derive_session
from sessionizer.landing.zone import Zone

DESCRIPTION = """
Lists the indexed sessions with their counts; with SESSION, what its records are made of. The
index is derived from what is kept and may be deleted at any time, and so may Session Data:
--rebuild makes both again from the kept bytes alone.
"""
POSITIONALS = (Positional("SESSION", help="Show one session in detail."),)
FLAGS = (
    Flag(
        "--rebuild",
        help="Make Session Data that is missing again from the kept bytes, then the index.",
    ),
)
EXAMPLES = (
    ("asz index", "One row per kept session."),
    ("asz index 5f0c1d2e-0000-4000-8000-000000000001 --rebuild", "Rebuild and show one."),
)


class Args(SharedArguments):
    """What the user typed."""

    session: tuple[str, ...]
    rebuild: bool


def run(args: Args, context: Context) -> int:
    """Read or rebuild, then print."""
    zone = Zone(read_root(args))
    zone.require()
    known = [session for session in zone.session_ids() if zone.highest_seq(session)]
    for session in args.session:
        if session not in known:
            raise UnknownSessionError(session, str(zone.root))
    summaries: list[query.IndexSummary] = []
    problems: dict[str, tuple[str, ...]] = {}
    chosen = args.session or known
    with Progress(context) as progress:
        for number, session in enumerate(chosen):
            progress.show(f"{number} of {len(chosen)} session(s)")
            try:
                failures = _rebuild(zone, session) if args.rebuild else ()
                if not failures:
                    summaries.append(query.summarise(session, load_index(zone, session)))
            except (SessionizerError, OSError) as error:
                failures = (_explain(error),)
            if failures:
                problems[session] = failures
    for session, lines in problems.items():
        for line in lines:
            context.say(text.problem_line(session, line))
    if not args.session:
        context.write(text.render(summaries))
    elif summaries:
        context.write(text.render_detail(summaries[0]))
    if problems:
        raise IndexFailedError(len(problems))
    return 0


def _rebuild(zone: Zone, session: str) -> tuple[str, ...]:
    """Make Session Data and index again; return what stands against it."""
    with exclusive_lock(zone.lock_path(session)):
        problems = derive_session(zone, session, CLAUDE_CODE).problems
        # With a delta missing in the middle, an index would hold what lies behind a gap.
        if not problems:
            update_index(zone, session, now_ns=time.time_ns(), rebuild=True)
        return problems


def _explain(error: SessionizerError | OSError) -> str:
    hint = error.hint if isinstance(error, SessionizerError) else None
    return f"{error}; {hint}" if hint else str(error)
