"""`csift list`: the transcripts in scope, with their first and last messages."""

from sessionizer.cli.context import Context
from sessionizer.cli.flags import Flag, Positional, whole_number
from sessionizer.csift.colour import write_text
from sessionizer.csift.flags import FORMAT, SESSIONS_FROM, SPAN, WINDOW, SharedArguments

DESCRIPTION = """
Lists transcripts, each with its directory, title, and the first and last messages of both
sides. Without a target: the 50 most recently active of all projects. Only the beginning and
the end of a file are read.

Transcripts of agents stand in the list beside their sessions; --no-subagents leaves them out.
"""
POSITIONALS = (
    Positional(
        "PATH",
        most=None,
        help="What to list: a working directory, -<encoded directory>, @<session or agent id>, "
        "@<prefix>, @main, @trap:<marker>, FILE.jsonl. Without one: all projects.",
    ),
)
FLAGS = (
    *WINDOW,
    Flag(
        "--max-count",
        "N",
        whole_number,
        help="Keep the N most recently active; 0 keeps all. Without a target 50 is the default, "
        "with one there is no cap.",
    ),
    Flag(
        "--no-cache",
        help="Read every file, and remember nothing. SESSIONIZER_NO_CACHE=1 does the same. The "
        "answer is the same with and without.",
    ),
    SESSIONS_FROM,
    *SPAN,
    FORMAT,
)
EXAMPLES = (
    ("csift list", "The latest 50 of all projects."),
    ("csift list . --no-subagents", "The sessions of this directory."),
    (
        "csift list --since 2h --format json",
        "Active in the last two hours, for a program.",
    ),
)


class Args(SharedArguments):
    """What the user typed."""

    path: tuple[str, ...]
    since: str | None
    until: str | None
    max_count: int | None
    no_cache: bool
    sessions_from: str | None
    no_subagents: bool
    subagents: bool
    format: str


def run(args: Args, context: Context) -> int:
    """Read both ends of every transcript in scope, choose, and print."""
    from sessionizer.csift.commands.list import query, rows, text
    from sessionizer.csift.scoping import read_scope
    from sessionizer.transcripts.listing import read_rows
    from sessionizer.transcripts.summary_cache import find_cache
    from sessionizer.transcripts.when import parse_window

    window = parse_window(args.since, args.until)
    scope = read_scope(args, context)
    uses_cache = not (args.no_cache or context.environ.get("SESSIONIZER_NO_CACHE"))
    found = read_rows(scope.files, cache=find_cache(context.environ) if uses_cache else None)
    cap = args.max_count
    if cap is None:
        cap = 0 if args.path or args.sessions_from is not None else query.DEFAULT_CAP
    listing = query.choose(
        found.rows, window=window, cap=cap, unread=scope.unread + len(found.unreadable)
    )
    if args.format == "json":
        context.write(rows.render(listing))
    else:
        write_text(text.render(listing), args.color, context)
    for path, reason in found.unreadable:
        context.warn(f"could not read {path}: {reason}")
    return 1 if found.unreadable or scope.is_incomplete else 0
