"""`asz up`: collect, assemble, serve, and keep following."""

import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from sessionizer.asz.addresses import Address, port_number
from sessionizer.asz.commands.up import text
from sessionizer.asz.flags import SharedArguments
from sessionizer.asz.following import Follower
from sessionizer.asz.sample_home import sample_home
from sessionizer.asz.serving import announce
from sessionizer.asz.settings import Settings, read_settings, sample_settings
from sessionizer.asz.words import page_words
from sessionizer.cli.context import Context
from sessionizer.cli.flags import Flag
from sessionizer.landing.zone import Zone
from sessionizer.views.page.serve import DEFAULT_PORT, serve

DESCRIPTION = """
The main job in one command: keeps what is on disk, assembles it into conversations, serves
them as a page, and goes on following until ctrl-c. Without any Claude Code data on this
machine it says so and shows an invented sample home instead.

Only this machine can reach the page. Source files are only ever read.
"""
POSITIONALS = ()
FLAGS = (
    Flag("--sample", help="Show the bundled sample home. Nothing is kept of it afterwards."),
    Flag(
        "--port",
        "N",
        port_number,
        default=DEFAULT_PORT,
        help="Port of the page; 0 takes a free one.",
    ),
)
EXAMPLES = (
    ("asz up", "Your own conversations at http://127.0.0.1:8787."),
    ("asz up --sample", "A look at the page without any data of your own."),
    ("asz up --port 0 --root /srv/kept", "A free port, another storage root."),
)

# A page that opens empty is a bad first sight, so a short first pass is waited for; a long one
# is not, since conversations appear on the open page as they are assembled.
_PATIENCE_SECONDS = 5.0


class Args(SharedArguments):
    """What the user typed."""

    sample: bool
    port: int


def run(args: Args, context: Context) -> int:
    """Work in a thread, serve in this one."""
    with _settings(args, context) as settings:
        zone = Zone(settings.root)
        context.write(text.render_roots(settings))
        follower = Follower(
            settings,
            zone,
            on_pass=lambda done: context.write(text.render_pass(done)),
            on_problem=lambda problem: context.say(text.problem_line(problem)),
        )
        address = Address(port=args.port)
        follower.start()
        try:
            follower.wait_first_pass(_PATIENCE_SECONDS)
            serve(
                zone.root,
                host=address.host,
                port=address.port,
                words=page_words(),
                note=settings.note,
                allow_empty=True,
                announce=lambda served: announce(served, context),
            )
        finally:
            follower.finish()
    return 0


@contextmanager
def _settings(args: Args, context: Context) -> Iterator[Settings]:
    """The user's own settings, or those of the sample in a folder that is removed again."""
    if not args.sample:
        settings = read_settings(args, context)
        # A home that was named and is not there is a mistake to be told of, not a newcomer.
        if args.claude_home or any(each.projects_root.is_dir() for each in settings.sources):
            yield settings
            return
        context.say(text.no_data_line(settings))
    with sample_home() as home, tempfile.TemporaryDirectory(prefix="sessionizer-") as folder:
        root = Path(args.root).absolute() if args.root and args.sample else Path(folder) / "root"
        yield sample_settings(home, root)
