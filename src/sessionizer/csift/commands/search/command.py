"""`csift search`: records whose text matches a pattern, in their exchange."""

from sessionizer.cli.context import Context
from sessionizer.cli.flags import Flag, Positional, signed_number
from sessionizer.csift.flags import FORMAT, SESSIONS_FROM, SPAN, WINDOW, SharedArguments

DESCRIPTION = """
Looks for PATTERN in what people, agents and the harness said, and prints the records that
match, grouped by exchange (one turn), oldest first. The pattern language is RE2's: linear in
time, no look-around, no back-references. Without an uppercase letter the search ignores case.

The pattern is tried on the text of a record, never on its JSON. '' matches everything.
Nothing found is exit 0, and says so on standard error.
"""
POSITIONALS = (
    Positional("PATTERN", least=1, help="What to look for; '' for everything."),
    Positional(
        "PATH",
        most=None,
        help="Where: @<session or agent id>, @<prefix>, @main, @trap:<marker>, a working "
        "directory, -<encoded directory>, FILE.jsonl. Without one: all projects.",
    ),
)
FLAGS = (
    Flag(
        "--label",
        "SEL",
        short="-t",
        repeatable=True,
        help="Only these labels: a role (user, agent, harness), a prefix (agent.tool) or a leaf "
        "(agent.tool.use); `prefix.*` reaches leaves that were never sent to a model. Comma "
        "lists are accepted.",
    ),
    Flag(
        "--label-not",
        "SEL",
        short="-T",
        repeatable=True,
        help="Not these labels.",
    ),
    Flag("--ignore-case", short="-i", help="Ignore case, whatever the pattern holds."),
    Flag("--multiline", help="`.` matches a newline, `^` and `$` match at line ends."),
    Flag(
        "--turn",
        "RANGE",
        help="Only exchanges whose turn is in RANGE, counted from 0: 3, 2..5, -3.. (the last "
        "three). Leaves out drafts.",
    ),
    *WINDOW,
    Flag(
        "--max-count",
        "N",
        signed_number,
        default=0,
        help="The earliest N exchanges; -N the latest N; 0 all.",
    ),
    Flag(
        "--count-only",
        short="-c",
        conflicts=("--sessions-with-matches", "--count-by", "--raw"),
        help="Print only the number of exchanges.",
    ),
    Flag(
        "--sessions-with-matches",
        short="-l",
        conflicts=("--count-only", "--siblings", "--count-by", "--raw"),
        help="Print only the ids of the sessions, for --sessions-from.",
    ),
    Flag(
        "--count-by",
        "AXIS",
        choices=(
            "label",
            "tool",
            "turn",
            "session",
            "pairing",
            "model",
            "attachment",
            "version",
            "result",
        ),
        conflicts=("--count-only", "--sessions-with-matches", "--siblings", "--raw"),
        help="Count the matching records by AXIS.",
    ),
    Flag(
        "--raw",
        conflicts=("--siblings", "--count-only", "--sessions-with-matches", "--no-truncate"),
        help="Print the matching records' lines exactly as they stand in the file.",
    ),
    Flag(
        "--siblings",
        conflicts=("--sessions-with-matches", "--count-by", "--raw"),
        help="Show the other records of each exchange too, a few of every label.",
    ),
    Flag("--no-truncate", conflicts=("--raw",), help="Whole texts instead of excerpts."),
    Flag("--copies", help="Do not fold exchanges that are copies in another session."),
    Flag("--additional-context", help="Also read what hooks put into the context."),
    Flag("--attachments", help="Also read everything attached to the context."),
    SESSIONS_FROM,
    *SPAN,
    FORMAT,
)
EXAMPLES = (
    ("csift search 'database is locked'", "Everywhere; no capital letter, so case is ignored."),
    ("csift search TODO @main -t user", "What people said in this session."),
    ("csift search '' @main --turn -1", "The whole last turn."),
    ("csift search panic -l | csift search fix --sessions-from -", "Two steps of a pipeline."),
    ("csift search '' . --count-by tool", "Which tools were used in this directory."),
)


class Args(SharedArguments):
    """What the user typed."""

    pattern: tuple[str, ...]
    path: tuple[str, ...]
    label: tuple[str, ...]
    label_not: tuple[str, ...]
    ignore_case: bool
    multiline: bool
    turn: str | None
    since: str | None
    until: str | None
    max_count: int
    count_only: bool
    sessions_with_matches: bool
    count_by: str | None
    raw: bool
    siblings: bool
    no_truncate: bool
    copies: bool
    additional_context: bool
    attachments: bool
    sessions_from: str | None
    no_subagents: bool
    subagents: bool
    format: str


def run(args: Args, context: Context) -> int:
    """Search and print. What is heavy is imported here, not when the program starts."""
    from sessionizer.csift.commands.search import query, rows, text
    from sessionizer.csift.scoping import read_scope
    from sessionizer.transcripts.family import Families
    from sessionizer.transcripts.gates import open_gates
    from sessionizer.transcripts.handles import Handles
    from sessionizer.transcripts.pattern.engine import Re2Engine
    from sessionizer.transcripts.query import Query
    from sessionizer.transcripts.ranges import parse_range
    from sessionizer.transcripts.scope import count_files
    from sessionizer.transcripts.search_file import search_file
    from sessionizer.transcripts.taxonomy import join_selectors, select_labels
    from sessionizer.transcripts.when import parse_window

    (pattern,) = args.pattern
    selection = select_labels(args.label, args.label_not)
    asked = Query(
        find=Re2Engine(pattern).search if pattern else None,
        selection=selection,
        gates=open_gates(
            selection,
            additional_context=args.additional_context,
            attachments=args.attachments or args.count_by == "attachment",
        ),
        window=parse_window(args.since, args.until),
        turns=parse_range(args.turn, base=0) if args.turn is not None else None,
        whole_texts=args.no_truncate,
        siblings=args.siblings,
        subagents=not args.no_subagents,
    )
    scope = read_scope(args, context)
    families = Families(scope.catalogue)
    results = [search_file(file, asked, families.of(file)) for file in scope.files]
    outcome = query.arrange(
        (exchange for result in results for exchange in result.exchanges), cap=args.max_count
    )
    said = query.Disclosure(
        scope=count_files(scope.files),
        label=join_selectors(selection.included),
        label_not=",".join(selection.excluded),
        skipped_lines=sum(result.skipped_lines for result in results),
        repaired_lines=sum(result.repaired_lines for result in results),
        with_sidecar=any(result.with_sidecar for result in results),
        drafts=sum(one.turn is None for result in results for one in result.exchanges),
    )
    handles = Handles(file.session_id for file in scope.files)
    lines = (
        rows.render(outcome, said) if args.format == "json" else text.render(outcome, said, handles)
    )
    context.write(lines)
    return 0
