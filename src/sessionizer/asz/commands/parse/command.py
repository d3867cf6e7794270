"""`asz parse`: assemble kept sessions and publish what changed as rounds."""

import time
from collections.abc import Collection, Iterator

from sessionizer.asz.commands.parse import text
from sessionizer.asz.conversations import Members
from sessionizer.asz.errors import ParseFailedError, UnknownSessionError
from sessionizer.asz.flags import SharedArguments
from sessionizer.asz.parsing import FailedConversation, ParsedConversation, Parser
from sessionizer.asz.settings import read_conversations, read_root
from sessionizer.base.errors import UsageError
from sessionizer.cli.context import Context
from sessionizer.cli.flags import Flag, Positional
from sessionizer.landing.zone import Zone
from sessionizer.rounds.store import conversation_ids

DESCRIPTION = """
Assembles every kept session, or those given, into conversations: talks, runs, calls, tools,
children, and how well each join is known. What changed since the last round is published as
a new round; when nothing changed, nothing is written.

Each session is a conversation of its own unless --conversation, or `conversations` in the
configuration, puts several into one. That is kept: later runs need not say it again.
"""
POSITIONALS = (Positional("SESSION", most=None, help="Only the conversations of these sessions."),)
FLAGS = (
    Flag(
        "--conversation",
        "NAME",
        help="Make the sessions given one conversation of this name, in the order given, or "
        "append them to it. Without a session, assemble the conversation as it is.",
    ),
)
EXAMPLES = (
    ("asz parse", "Every kept session."),
    ("asz parse 5f0c1d2e-0000-4000-8000-000000000001", "One session."),
    ("asz parse --conversation tides FIRST SECOND", "A session and its fork as one."),
)


class Args(SharedArguments):
    """What the user typed."""

    session: tuple[str, ...]
    conversation: str | None


def run(args: Args, context: Context) -> int:
    """Assemble and publish; print a row per conversation."""
    zone = Zone(read_root(args))
    zone.require()
    known = zone.session_ids()
    for session in args.session:
        if session not in known:
            raise UnknownSessionError(session, str(zone.root))
    wanted = read_conversations(args)
    for name, session in _absent(wanted, known):
        context.note(f"conversation {name}: session {session} is not kept")
    if args.conversation is not None and args.session:
        wanted = {**wanted, args.conversation: args.session}
    elif args.conversation is not None:
        _require_conversation(args.conversation, zone, wanted)
    parser = Parser(zone, wanted)
    results = tuple(
        parser.parse(
            args.session or None,
            now_ns=time.time_ns(),
            # Who asks for one by name is owed the whole row, whether it has changed or not.
            again=bool(args.session or args.conversation),
            only=args.conversation,
        )
    )
    parsed = [result for result in results if isinstance(result, ParsedConversation)]
    failed = [result for result in results if isinstance(result, FailedConversation)]
    for failure in failed:
        context.say(f"  {failure.conversation}: {failure.message}")
    # A transcript may exist before its first line does; that is no failure.
    empty = [] if args.session else [one for one in known if zone.highest_seq(one) == 0]
    context.write(text.render(parsed, empty=len(empty)))
    if failed:
        raise ParseFailedError(len(failed))
    return 0


def _absent(wanted: Members, known: Collection[str]) -> Iterator[tuple[str, str]]:
    """What the configuration lists and nobody kept: it joins when it is."""
    for name, sessions in wanted.items():
        yield from ((name, session) for session in sessions if session not in known)


def _require_conversation(name: str, zone: Zone, wanted: Members) -> None:
    if name not in wanted and name not in conversation_ids(zone.conversations_directory):
        raise UsageError(f"--conversation {name}: there is none yet; give its sessions")
