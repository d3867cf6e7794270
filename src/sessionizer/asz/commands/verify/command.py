"""`asz verify`: check every kept byte, every digest and every chain."""

from collections.abc import Callable, Iterator, Sequence

from sessionizer.adapters.claude_code_local.originals import source_reader
from sessionizer.assembly.pipeline import assemble
from sessionizer.asz.collecting import adapter_config
from sessionizer.asz.commands.verify import text
from sessionizer.asz.commands.verify.query import SessionCoverage, Verification
from sessionizer.asz.errors import UnaccountedError, UnknownSessionError, VerificationError
from sessionizer.asz.flags import SharedArguments
from sessionizer.asz.settings import read_root, read_settings
from sessionizer.base.errors import SessionizerError
from sessionizer.cli.context import Context
from sessionizer.cli.flags import Flag, Positional
from sessionizer.cli.progress import Progress
from sessionizer.index.session_index import load_index
from sessionizer.landing.record import Header
from sessionizer.landing.verify import SessionCheck, verify_session
from sessionizer.landing.verify_sources import Original, SourceCheck, verify_against_sources
from sessionizer.landing.zone import Zone
from sessionizer.rounds.chain import read_members
from sessionizer.rounds.verify import ChainReport, verify_chains

DESCRIPTION = """
Reads everything that is kept and checks it against its own digests: raw bytes, Session Data,
that no byte of a source is missing between two deltas, and that every round of every chain
follows from the one before. Changes nothing.
"""
POSITIONALS = (Positional("SESSION", help="Only this session and the conversations it is in."),)
FLAGS = (
    Flag(
        "--against-sources",
        help="Also compare what was kept with the source files that are still on disk, byte for "
        "byte. What was written since is not yet kept, and what is not there any more is gone; "
        "neither is a problem.",
    ),
    Flag(
        "--coverage",
        help="Also account for every kept record: the step it became part of, or why it is none. "
        "A record without an account is a failure.",
    ),
)
EXAMPLES = (
    ("asz verify", "Everything; exit code 1 when anything differs."),
    ("asz verify --against-sources", "Prove that what is kept is what is on disk."),
    ("asz verify --coverage", "What became of every record."),
)


Reader = Callable[[Header], Original | None]


class Args(SharedArguments):
    """What the user typed."""

    session: tuple[str, ...]
    against_sources: bool
    coverage: bool


def run(args: Args, context: Context) -> int:
    """Check, print what was checked, fail when something differs."""
    zone = Zone(read_root(args))
    zone.require()
    known = zone.session_ids()
    for session in args.session:
        if session not in known:
            raise UnknownSessionError(session, str(zone.root))
    sessions = args.session or known
    readers = _readers(args, context) if args.against_sources else ()
    with Progress(context) as progress:
        result = Verification(
            sessions=_check_landed(zone, sessions, progress),
            chains=tuple(_check_chains(zone, args.session)),
            sources=_compare(zone, sessions, readers, progress) if readers else None,
            coverage=_account(zone, sessions, progress) if args.coverage else None,
        )
    context.write(text.render(result))
    if result.problems:
        raise VerificationError(result.problems)
    if result.unaccounted:
        raise UnaccountedError(result.unaccounted)
    return 0


def _check_landed(
    zone: Zone, sessions: Sequence[str], progress: Progress
) -> tuple[SessionCheck, ...]:
    checks = []
    for number, session in enumerate(sessions):
        progress.show(f"checking: {number} of {len(sessions)} session(s)")
        checks.append(verify_session(zone, session))
    return tuple(checks)


def _check_chains(zone: Zone, sessions: Sequence[str]) -> Iterator[ChainReport]:
    """Every chain, or those that tell of one of `sessions` or bear its id."""
    directory = zone.conversations_directory
    if not sessions:
        yield from verify_chains(directory)
        return
    members = read_members(directory)
    held = {name for name, found in members.items() if not set(sessions).isdisjoint(found)}
    for conversation in sorted(held | set(sessions)):
        yield from verify_chains(directory, conversation=conversation)


def _readers(args: Args, context: Context) -> tuple[Reader, ...]:
    """A reader per configured home."""
    sources = read_settings(args, context).sources
    return tuple(source_reader(adapter_config(source)) for source in sources)


def _compare(
    zone: Zone, sessions: Sequence[str], readers: tuple[Reader, ...], progress: Progress
) -> tuple[tuple[str, SourceCheck], ...]:
    def read(header: Header) -> Original | None:
        found = (reader(header) for reader in readers)
        return next((original for original in found if original is not None), None)

    checks = []
    for number, session in enumerate(sessions):
        progress.show(f"comparing: {number} of {len(sessions)} session(s)")
        checks.append((session, verify_against_sources(zone, session, read)))
    return tuple(checks)


def _account(
    zone: Zone, sessions: Sequence[str], progress: Progress
) -> tuple[SessionCoverage, ...]:
    accounts = []
    for number, session in enumerate(sessions):
        progress.show(f"accounting: {number} of {len(sessions)} session(s)")
        if not zone.highest_seq(session):
            continue
        try:
            index = load_index(zone, session)
        except (SessionizerError, OSError):
            accounts.append(SessionCoverage(session, None))
            continue
        assembly = assemble(
            index.entries, session=session, conversation=session, through=index.indexed_seq
        )
        accounts.append(SessionCoverage(session, assembly.coverage))
    return tuple(accounts)
