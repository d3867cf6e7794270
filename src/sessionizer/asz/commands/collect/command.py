"""`asz collect`: keep the bytes of every source, once or continuously."""

from sessionizer.asz.collecting import collect_pass
from sessionizer.asz.commands.collect import text
from sessionizer.asz.errors import PassIncompleteError
from sessionizer.asz.flags import SharedArguments
from sessionizer.asz.settings import read_settings
from sessionizer.asz.stopping import Stop
from sessionizer.cli.context import Context
from sessionizer.cli.flags import Flag
from sessionizer.landing.zone import Zone

DESCRIPTION = """
Copies what is new in every transcript, sidecar, journal, manifest and kept file into the
storage root, with Session Data beside it, and brings the index up to date. A pass that finds
nothing new writes nothing. Source files are only ever read.

Without --once it goes on until ctrl-c, with the configured pause between passes. Exit code 1
when a single pass left something undone: every error is named.
"""
POSITIONALS = ()
FLAGS = (
    Flag("--once", help="One pass, whatever the configuration says."),
    Flag(
        "--flush-tails",
        help="Keep an unterminated last line now, even when it is not a whole record yet.",
    ),
)
EXAMPLES = (
    ("asz collect --once", "One pass, for a timer or before a clean-up."),
    ("asz collect", "Keep following until ctrl-c."),
    ("asz collect --once --claude-home ~/.claude --root /srv/kept", "Another home and root."),
)


class Args(SharedArguments):
    """What the user typed."""

    once: bool
    flush_tails: bool


def run(args: Args, context: Context) -> int:
    """Run passes and print a line for each."""
    settings = read_settings(args, context)
    zone = Zone(settings.root)
    once = args.once or all(each.adapter.collector.mode == "once" for each in settings.sources)
    pause_ms = min((each.adapter.collector.interval_ms for each in settings.sources), default=0)
    context.write(text.render_roots(settings))
    with Stop() as stop:
        while True:
            passes = [
                collect_pass(
                    source,
                    zone,
                    flush_tails=args.flush_tails,
                    should_stop=stop.is_requested,
                )
                for source in settings.sources
            ]
            for done in passes:
                context.write([text.pass_line(done)])
                for error in done.report.errors:
                    context.say(text.error_line(error))
            if once or stop.wait(pause_ms):
                break
    reports = [done.report for done in passes]
    if args.once and not all(report.complete for report in reports):
        raise PassIncompleteError(
            pending=sum(report.pending for report in reports),
            conflicts=sum(report.conflicts for report in reports),
            errors=sum(len(report.errors) for report in reports),
        )
    return 0
