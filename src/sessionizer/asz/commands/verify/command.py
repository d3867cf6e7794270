"""`asz verify`: check every kept byte, every digest and every chain."""

from sessionizer.asz.commands.verify import text
from sessionizer.asz.commands.verify.query import Verification
from sessionizer.asz.errors import UnknownSessionError, VerificationError
from sessionizer.asz.flags import SharedArguments
from sessionizer.asz.settings import read_root
from sessionizer.cli.context import Context
from sessionizer.cli.flags import Positional
from sessionizer.landing.verify import verify_session
from sessionizer.landing.zone import Zone
from sessionizer.rounds.verify import verify_chains

DESCRIPTION = """
Reads everything that is kept and checks it against its own digests: raw bytes, Session Data,
that no byte of a source is missing between two deltas, and that every round of every chain
follows from the one before. Changes nothing.
"""
POSITIONALS = (Positional("SESSION", help="Only this session and its conversation."),)
FLAGS = ()
EXAMPLES = (("asz verify", "Everything; exit code 1 when anything differs."),)


class Args(SharedArguments):
    """What the user typed."""

    session: tuple[str, ...]


def run(args: Args, context: Context) -> int:
    """Check, print what was checked, fail when something differs."""
    zone = Zone(read_root(args))
    zone.require()
    known = zone.session_ids()
    for session in args.session:
        if session not in known:
            raise UnknownSessionError(session, str(zone.root))
    chosen = args.session[0] if args.session else None
    result = Verification(
        sessions=tuple(verify_session(zone, session) for session in args.session or known),
        chains=tuple(verify_chains(zone.conversations_directory, conversation=chosen)),
    )
    context.write(text.render(result))
    if result.problems:
        raise VerificationError(result.problems)
    return 0
