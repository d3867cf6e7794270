"""`asz index`: what the derived index holds; rebuild it on request."""

import time

from sessionizer.asz.commands.index import query, text
from sessionizer.asz.errors import UnknownSessionError
from sessionizer.asz.flags import SharedArguments
from sessionizer.asz.settings import read_root
from sessionizer.base.locks import exclusive_lock
from sessionizer.cli.context import Context
from sessionizer.cli.flags import Flag, Positional
from sessionizer.index.session_index import load_index, update_index
from sessionizer.landing.zone import Zone

DESCRIPTION = """
Lists the indexed sessions with their counts; with SESSION, what its records are made of. The
index is derived from what is kept and may be deleted at any time.
"""
POSITIONALS = (Positional("SESSION", help="Show one session in detail."),)
FLAGS = (Flag("--rebuild", help="Make the index again from the landed files first."),)
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
    known = [session for session in zone.session_ids() if zone.landed(session)]
    for session in args.session:
        if session not in known:
            raise UnknownSessionError(session, str(zone.root))
    chosen = args.session or known
    if args.rebuild:
        for session in chosen:
            with exclusive_lock(zone.lock_path(session)):
                update_index(zone, session, now_ns=time.time_ns(), rebuild=True)
    summaries = [query.summarise(session, load_index(zone, session)) for session in chosen]
    context.write(text.render_detail(summaries[0]) if args.session else text.render(summaries))
    return 0
