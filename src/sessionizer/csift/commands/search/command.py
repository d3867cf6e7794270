"""`csift search`: records whose text matches a pattern, in their exchange."""

from sessionizer.base.errors import SessionizerError, UsageError
from sessionizer.cli.context import Context
from sessionizer.cli.flags import Flag, Positional, signed_number
from sessionizer.csift.colour import write_text
from sessionizer.csift.flags import FORMAT, SESSIONS_FROM, SPAN, WINDOW, SharedArguments

# What only the type checker needs must not be imported at start.
TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

    from sessionizer.csift.commands.search.query import Diagnosis, Disclosure, Outcome
    from sessionizer.transcripts.exchanges import Exchange
    from sessionizer.transcripts.family import Families
    from sessionizer.transcripts.query import Query
    from sessionizer.transcripts.scope import Scope
    from sessionizer.transcripts.searching import Results

    Answer = tuple[Results, Outcome, Disclosure, Diagnosis | None, Query, Scope]

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
    Flag(
        "--resolve-persisted",
        help="Search and show the whole output of tools where only its beginning stands in the "
        "transcript and the rest in the session's tool-results.",
    ),
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


class PatternIsTargetError(SessionizerError):
    """What stands where the pattern belongs looks like a target.

    Attributes:
        token: As it was typed.
    """

    def __init__(self, token: str) -> None:
        super().__init__(
            f"{token} stands where the pattern belongs; targets come after it",
            hint=f"csift search PATTERN {token}, or write \\{token} to look for that text",
        )
        self.token = token


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
    resolve_persisted: bool
    copies: bool
    additional_context: bool
    attachments: bool
    sessions_from: str | None
    no_subagents: bool
    subagents: bool
    format: str


def run(args: Args, context: Context) -> int:
    """Search and print. What is heavy is imported here, not when the program starts."""
    from sessionizer.csift.commands.search import query, text
    from sessionizer.csift.scoping import read_scope
    from sessionizer.transcripts.family import Families
    from sessionizer.transcripts.searching import search_files

    asked = _read_query(args, context)
    scope = read_scope(args, context)
    _warn_about_pattern(args, context, is_pinned=scope.is_pinned)
    families = Families(scope.catalogue)
    with search_files(scope.files, asked, families) as results:
        outcome = query.arrange(results.entries, cap=args.max_count, ages=_read_ages(results))
        said = _disclose(asked, scope, results)
        diagnosis = None if outcome.total else _diagnose(args, asked, scope, families)
        _write(args, context, (results, outcome, said, diagnosis, asked, scope))
        if diagnosis is not None:
            for line in text.render_diagnosis(diagnosis, said):
                context.say(line)
        code = _report_trouble(results, context)
        return 1 if scope.is_incomplete else code


def _write(args: Args, context: Context, answer: "Answer") -> None:
    """Print the answer in the form asked for."""
    from sessionizer.csift.commands.search import query, rows, text
    from sessionizer.transcripts.census import CensusTaker
    from sessionizer.transcripts.handles import Handles

    results, outcome, said, diagnosis, asked, scope = answer
    is_json = args.format == "json"
    shown = results.iter_exchanges(outcome.shown)
    if args.count_by is not None:
        taker = CensusTaker(args.count_by, asked.selection.labels)
        for exchange in shown:
            taker.add(exchange)
        census = taker.finish()
        context.write(
            rows.render_census(census, outcome, said, diagnosis)
            if is_json
            else text.render_census(census)
        )
        if outcome.total:
            context.say(f"csift: {text.census_note(census, outcome.dropped)}")
    elif args.count_only:
        context.write(
            rows.render_count(outcome, said, diagnosis) if is_json else [str(outcome.total)]
        )
    elif args.sessions_with_matches:
        context.write(outcome.sessions)
        if outcome.dropped:
            context.note("-l names the sessions of all matches, whatever --max-count says")
    elif args.raw:
        _write_raw(shown, outcome, said, context)
    else:
        copies = query.index_copies(list(results.iter_exchanges(outcome.folded)))
        handles = Handles((*(file.session_id for file in scope.files), *outcome.transcripts))
        if is_json:
            context.write(
                rows.render(outcome, shown, said, copies, diagnosis, with_siblings=args.siblings)
            )
        else:
            lines = text.render(outcome, shown, said, handles, copies)
            write_text(lines, args.color, context)


def _read_query(args: Args, context: Context) -> "Query":
    """Everything that can be refused before a file is looked at."""
    from sessionizer.transcripts.gates import open_gates
    from sessionizer.transcripts.pattern.compiled import compile_pattern
    from sessionizer.transcripts.query import Query
    from sessionizer.transcripts.ranges import parse_range
    from sessionizer.transcripts.taxonomy import select_labels
    from sessionizer.transcripts.when import parse_window

    _refuse_combinations(args)
    (pattern,) = args.pattern
    if pattern.startswith("@"):
        raise PatternIsTargetError(pattern)
    selection = select_labels(args.label, args.label_not)
    compiled = compile_pattern(pattern, ignore_case=args.ignore_case, multiline=args.multiline)
    if not compiled.engine.is_linear:
        context.note(f"patterns run on {compiled.engine.name}; install google-re2 for linear time")
    return Query(
        find=compiled.engine.search if pattern else None,
        needles=compiled.needles,
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
        persisted=args.resolve_persisted,
        folds_copies=not args.copies,
        subagents=not args.no_subagents,
    )


def _refuse_combinations(args: Args) -> None:
    if args.format != "json":
        return
    if args.raw:
        raise UsageError("--raw already is the machine output; it excludes --format json")
    if args.sessions_with_matches:
        raise UsageError("-l excludes --format json: its summary carries transcript_ids")


def _warn_about_pattern(args: Args, context: Context, *, is_pinned: bool) -> None:
    """After the targets are resolved, so that a wrong target prints only its error."""
    from sessionizer.claude_code.ids import is_session_id

    (pattern,) = args.pattern
    if is_session_id(pattern) and not is_pinned:
        context.note(f"the pattern is a session id; as a target it is written @{pattern}")
    filtered = args.label or args.label_not or args.turn or args.since or args.until
    if not pattern and not filtered and not is_pinned:
        context.warn(
            "empty pattern with no category/time/turn/session filter matches every exchange in "
            "scope — this may emit a lot."
        )


def _read_ages(results: "Results") -> dict[int, int]:
    """How old the files are that share a hit; none when none do."""
    from sessionizer.transcripts.folding import find_shared_files
    from sessionizer.transcripts.owners import rank_by_age, read_identity

    shared = find_shared_files(results.entries)
    files = [results.files[number] for number in shared]
    ranked = rank_by_age([read_identity(file.path, file.session_id) for file in files])
    return {shared[position]: rank for rank, position in enumerate(ranked)}


def _disclose(asked: "Query", scope: "Scope", results: "Results") -> "Disclosure":
    from sessionizer.csift.commands.search.query import Disclosure
    from sessionizer.transcripts.scope import count_files
    from sessionizer.transcripts.taxonomy import join_selectors

    return Disclosure(
        scope=count_files(scope.files),
        label=join_selectors(asked.selection.included),
        label_not=",".join(asked.selection.excluded),
        skipped_lines=results.damage.skipped,
        repaired_lines=results.damage.repaired,
        recovered_records=results.damage.recovered,
        undecided_records=results.damage.undecided,
        unreadable_sources=scope.unread + len(results.unreadable),
        with_sidecar=results.with_sidecar,
    )


def _diagnose(args: Args, asked: "Query", scope: "Scope", families: "Families") -> "Diagnosis":
    """Look again without the label filter, if there was one."""
    from msgspec.structs import replace

    from sessionizer.csift.commands.search.query import Diagnosis
    from sessionizer.transcripts.census import count_labels
    from sessionizer.transcripts.gates import open_gates, unreached
    from sessionizer.transcripts.searching import search_files
    from sessionizer.transcripts.taxonomy import select_labels

    (pattern,) = args.pattern
    excluded = None
    if asked.selection.is_filter and scope.files:
        everything = select_labels((), ())
        gates = open_gates(
            everything,
            additional_context=args.additional_context,
            attachments=args.attachments or args.count_by == "attachment",
        )
        wider = replace(asked, selection=everything, gates=gates, siblings=False)
        with search_files(scope.files, wider, families) as again:
            excluded = count_labels(again.iter_exchanges(again.entries))
    filters = (
        *(f"-t {','.join(asked.selection.included)}" for _ in asked.selection.included[:1]),
        *(f"-T {','.join(asked.selection.excluded)}" for _ in asked.selection.excluded[:1]),
        *(
            f"{name} {value}"
            for name, value in (
                ("--since", args.since),
                ("--until", args.until),
                ("--turn", args.turn),
            )
            if value is not None
        ),
        *(("--additional-context",) if args.additional_context else ()),
        *(("--attachments",) if args.attachments else ()),
    )
    return Diagnosis(
        pattern=pattern,
        filters=filters,
        excluded=excluded,
        gated=unreached(asked.selection),
    )


def _write_raw(
    shown: "Iterable[Exchange]", outcome: "Outcome", said: "Disclosure", context: Context
) -> None:
    """Each matched line once, exactly as it stands in its file."""
    from sessionizer.base.text import visible
    from sessionizer.transcripts.reading import read_line

    written: set[tuple[bytes, int]] = set()
    omitted = 0
    for exchange in shown:
        for hit in exchange.hits:
            if hit.line is None:
                omitted += 1
                continue
            if (exchange.path, hit.line) in written:
                continue
            written.add((exchange.path, hit.line))
            body = read_line(exchange.path, hit.offset, hit.size).removesuffix(b"\n")
            if context.is_terminal:
                body = visible(body.decode("utf-8", "replace"), keep="\t").encode()
            context.write_bytes(body + b"\n")
    if context.is_terminal and written:
        context.note("control characters are shown as escapes on a terminal; a pipe is exact")
    if omitted:
        context.note(f"{omitted} elicitation sidecar hit(s) omitted: they stand in no transcript")
    if outcome.dropped:
        context.note(f"{outcome.dropped} exchange(s) dropped by --max-count")
    if said.skipped_lines:
        context.note(f"{said.skipped_lines} malformed line(s) skipped")


def _report_trouble(results: "Results", context: Context) -> int:
    """Files and records that could not be answered for."""
    for path, reason in results.unreadable:
        context.warn(f"could not read {path}: {reason}")
    if results.damage.undecided:
        context.warn(
            f"{results.damage.undecided} record(s) not decided within 5 s: install google-re2 for "
            "linear matching"
        )
    return 1 if results.unreadable or results.damage.undecided else 0
