"""`asz collect`: keep the bytes of every source, once or continuously."""

from collections.abc import Callable, Iterator

from sessionizer.adapters.claude_code_local.collect import never
from sessionizer.adapters.claude_code_local.kept_sources import Conflict, list_conflicts
from sessionizer.asz.collecting import CollectedPass, Collector, FailedPass
from sessionizer.asz.commands.collect import text
from sessionizer.asz.errors import PassIncompleteError, UnknownSessionError
from sessionizer.asz.flags import SharedArguments
from sessionizer.asz.settings import read_settings
from sessionizer.asz.stopping import Stop
from sessionizer.cli.context import Context
from sessionizer.cli.flags import Flag
from sessionizer.cli.progress import Progress
from sessionizer.landing.zone import Zone

DESCRIPTION = """
Copies what is new in every transcript, sidecar, journal, manifest and kept file into the
storage root, with Session Data beside it, and brings the index up to date. A pass that finds
nothing new writes nothing. Source files are only ever read.

Without --once it goes on until ctrl-c, with the configured pause between passes. Exit code 1
when a single pass left something undone: every error is named.

A source that contradicts what was kept of it is a conflict. What was kept stays, the source is
kept once more from its start, and every pass names the conflict until a person accepts it.
"""
POSITIONALS = ()
FLAGS = (
    Flag("--once", help="One pass, whatever the configuration says."),
    Flag(
        "--flush-tails",
        help="Keep an unterminated last line now, even when it is not a whole record yet.",
    ),
    Flag(
        "--accept-conflict",
        "SESSION",
        attached=True,
        help="Accept the conflicts that wait, of one session or of all: they are not named any "
        "more, and a second source that was refused its place is kept beside the first.",
    ),
)
EXAMPLES = (
    ("asz collect --once", "One pass, for a timer or before a clean-up."),
    ("asz collect", "Keep following until ctrl-c."),
    ("asz collect --once --claude-home ~/.claude --root /srv/kept", "Another home and root."),
    (
        "asz collect --once --accept-conflict=5f0c8a52-7d1e-4b39-9c64-2a8e31d0b7f4",
        "The conflicts of one session were looked at.",
    ),
)


class Args(SharedArguments):
    """What the user typed. `accept_conflict`: None, a session, or empty for all."""

    once: bool
    flush_tails: bool
    accept_conflict: str | None


def run(args: Args, context: Context) -> int:
    """Run passes and print a line for each."""
    settings = read_settings(args, context)
    zone = Zone(settings.root)
    once = args.once or all(each.adapter.collector.mode == "once" for each in settings.sources)
    pause_ms = min((each.adapter.collector.interval_ms for each in settings.sources), default=0)
    waiting, accepts = _acceptance(args.accept_conflict, zone)
    context.write(text.render_roots(settings))
    collector = Collector(settings.sources, zone)
    has_worked = False
    with Stop() as stop:
        while True:
            with Progress(context) as progress:
                passes = tuple(
                    collector.run_pass(
                        flush_tails=args.flush_tails,
                        accepts=accepts,
                        should_stop=stop.is_requested,
                        on_reached=lambda reached: progress.show(text.progress_line(reached)),
                    )
                )
            done = tuple(one for one in passes if isinstance(one, CollectedPass))
            failed = tuple(one for one in passes if isinstance(one, FailedPass))
            _report(done, context)
            has_worked = has_worked or bool(done)
            # While watching, a home may go away for a while: a disk that is unplugged.
            for one in failed[1:] if once else failed if has_worked else ():
                context.say(text.error_line(str(one.error)))
            if failed and (once or not has_worked):
                raise failed[0].error
            context.write(text.accepted_line(one) for one in _accepted(waiting, zone))
            waiting, accepts = (), never
            if once or stop.wait(pause_ms):
                break
    if once and not all(one.report.complete for one in done):
        raise PassIncompleteError(
            pending=sum(one.report.pending for one in done),
            conflicts=sum(one.report.conflicts for one in done),
            errors=sum(len(one.report.errors) for one in done),
        )
    return 0


def _report(done: tuple[CollectedPass, ...], context: Context) -> None:
    for one in done:
        context.write([text.pass_line(one)])
        for error in one.report.errors:
            context.say(text.error_line(error))


def _acceptance(
    wanted: str | None, zone: Zone
) -> tuple[tuple[Conflict, ...], Callable[[str], bool]]:
    """The conflicts to be accepted, and of which sessions."""
    if wanted is None:
        return (), never
    known = zone.session_ids()
    if wanted and wanted not in known:
        raise UnknownSessionError(wanted, str(zone.root))
    chosen = (wanted,) if wanted else known
    waiting = tuple(one for session in chosen for one in list_conflicts(zone, session))
    return waiting, lambda session: not wanted or session == wanted


def _accepted(waiting: tuple[Conflict, ...], zone: Zone) -> Iterator[Conflict]:
    """Those that wait no longer."""
    for session in dict.fromkeys(conflict.session for conflict in waiting):
        left = list_conflicts(zone, session)
        yield from (one for one in waiting if one.session == session and one not in left)
