"""`csift stats`: what transcripts hold, in numbers."""

from sessionizer.cli.context import Context
from sessionizer.cli.flags import Flag, Positional, whole_number
from sessionizer.csift.colour import write_text
from sessionizer.csift.flags import FORMAT, SESSIONS_FROM, SPAN, WINDOW, SharedArguments

# What only the type checker needs must not be imported at start.
TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from sessionizer.csift.commands.stats.query import Pair
    from sessionizer.transcripts.totals import Copy

DESCRIPTION = """
Counts lines, records, turns, compactions, tools and tokens of every transcript in scope, and of
all of them together. Every line is read and checked, so this is the authority for how many
cannot be read.

A provider call is written as several records that repeat its usage: per counter the largest
value counts. Where a usage is only partial the sum is shown as "at least". In the total, what
stands in several files counts once.
"""
POSITIONALS = (
    Positional(
        "PATH",
        most=None,
        help="What to count: a working directory, -<encoded directory>, @<session or agent id>, "
        "@<prefix>, @main, @trap:<marker>, FILE.jsonl. Without one: all projects.",
    ),
)
FLAGS = (
    *WINDOW,
    Flag(
        "--turn",
        "RANGE",
        help="Only records of turns in RANGE, counted from 0: 3, 2..5, -3.. (the last three). "
        "Lines and their types are of whole files all the same.",
    ),
    Flag(
        "--max-count",
        "N",
        whole_number,
        default=0,
        help="Only the N most recently active transcripts; 0 counts all.",
    ),
    SESSIONS_FROM,
    *SPAN,
    FORMAT,
)
EXAMPLES = (
    ("csift stats @main", "This session and its agents."),
    ("csift stats . --since 1d", "What happened here in a day."),
    ("csift stats --no-subagents --format json", "Every session, for a program."),
)


class Args(SharedArguments):
    """What the user typed."""

    path: tuple[str, ...]
    since: str | None
    until: str | None
    turn: str | None
    max_count: int
    sessions_from: str | None
    no_subagents: bool
    subagents: bool
    format: str


def run(args: Args, context: Context) -> int:
    """Count every transcript in scope, and print."""
    from sessionizer.csift.commands.stats import query, rows, text
    from sessionizer.csift.scoping import read_scope
    from sessionizer.transcripts.counting import Asked
    from sessionizer.transcripts.family import Families
    from sessionizer.transcripts.ranges import parse_range
    from sessionizer.transcripts.scope import count_files as count_scope
    from sessionizer.transcripts.statistics import count_files
    from sessionizer.transcripts.totals import find_shared
    from sessionizer.transcripts.when import parse_window

    turns = None if args.turn is None else parse_range(args.turn, base=0)
    window = parse_window(args.since, args.until)
    scope = read_scope(args, context)
    asked = Asked(
        window=window,
        turns=turns,
        subagents=not args.no_subagents,
        identities=len(scope.files) > 1,
    )
    counted = count_files(scope.files, Families(scope.catalogue), asked)
    pairs = [(scope.files[one.file], one.tally) for one in counted if one.tally is not None]
    unreadable = [one for one in counted if one.tally is None]
    kept = query.keep_latest(pairs, cap=args.max_count)
    shared = find_shared([tally for _, tally in kept])
    statistics = query.add_up(
        kept,
        shared,
        _read_ages(kept, shared),
        scope=count_scope(scope.files),
        dropped=len(pairs) - len(kept),
        unreadable=scope.unread + len(unreadable),
    )
    if args.format == "json":
        context.write(rows.render(statistics))
    else:
        write_text(text.render(statistics), args.color, context)
    for one in unreadable:
        context.warn(f"could not read {scope.files[one.file].path}: {one.unreadable}")
    return 1 if unreadable or scope.is_incomplete else 0


def _read_ages(kept: "Sequence[Pair]", shared: "Mapping[int, Sequence[Copy]]") -> dict[int, int]:
    """How old the files are between which nothing but age decides; none when there are none."""
    from sessionizer.transcripts.owners import rank_by_age, read_identity
    from sessionizer.transcripts.totals import find_tied

    tied = sorted(find_tied(shared))
    files = [kept[number][0] for number in tied]
    ranked = rank_by_age([read_identity(file.path, file.session_id) for file in files])
    return {tied[position]: rank for rank, position in enumerate(ranked)}
