"""`asz view`: serve the page over what is already assembled."""

from sessionizer.asz.addresses import Address, parse_address
from sessionizer.asz.flags import SharedArguments
from sessionizer.asz.serving import announce
from sessionizer.asz.settings import read_root
from sessionizer.asz.words import page_words
from sessionizer.cli.context import Context
from sessionizer.cli.flags import Flag, Positional
from sessionizer.landing.zone import Zone
from sessionizer.views.page.serve import serve

DESCRIPTION = """
Serves the page until ctrl-c. It only reads the storage root, and may run beside `asz collect`
and `asz parse`: new rounds appear by themselves. Only this machine can reach it, unless
another address is given together with a token.
"""
POSITIONALS = (
    Positional(
        "ADDR",
        help="A port, host:port or :port (every interface). Default 127.0.0.1:8787; port 0 takes "
        "a free one.",
    ),
)
FLAGS = (
    Flag(
        "--token",
        "TOKEN",
        default="",
        help="What a reader must show. Needed for an address that other machines can reach.",
    ),
)
EXAMPLES = (
    ("asz view", "The page at http://127.0.0.1:8787."),
    ("asz view 0", "The same on a free port."),
    ("asz view :8787 --token $(openssl rand -hex 16)", "For other machines, behind a token."),
)


class Args(SharedArguments):
    """What the user typed."""

    addr: tuple[str, ...]
    token: str


def run(args: Args, context: Context) -> int:
    """Serve until somebody ends it."""
    address = parse_address(args.addr[0]) if args.addr else Address()
    zone = Zone(read_root(args))
    zone.require()
    serve(
        zone.root,
        host=address.host,
        port=address.port,
        token=args.token,
        words=page_words(),
        announce=lambda served: announce(served, context),
    )
    return 0
