"""`csift verbatim`: the words of a conversation's recent turns, within a budget."""

from sessionizer.base.errors import SessionizerError, UsageError
from sessionizer.cli.context import Context
from sessionizer.cli.flags import Flag, Positional, positive_number, whole_number
from sessionizer.csift.colour import wants_colour
from sessionizer.csift.flags import FORMAT, SESSIONS_FROM, WINDOW, SharedArguments

# What only the type checker needs must not be imported at start.
TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from sessionizer.csift.commands.verbatim.query import Asked, Document
    from sessionizer.csift.commands.verbatim.sources import Limits
    from sessionizer.transcripts.scope import Scope

# Room for a heading beside the body, when bodies are cut to a chunk.
_CHUNK_MARGIN = 200


def _fraction(text: str) -> float:
    """A number between 0 and 1, both excluded."""
    try:
        number = float(text)
    except ValueError:
        number = 0.0
    if not 0 < number < 1:
        raise ValueError(f"expected a number between 0 and 1, found {text!r}")
    return number


DESCRIPTION = """
Restores what a person and an agent actually said in the recent turns of one conversation,
mainly what a summary has taken the place of. The newest round trips come first, then whatever
else fits into the budget; long messages lose their middle, and everything left out is counted.

Tools and thinking are not shown; csift show has them.
"""
POSITIONALS = (
    Positional(
        "PATH",
        most=None,
        help="The conversation: @<session or agent id>, @<prefix>, @main, @trap:<marker>, "
        "FILE.jsonl, a working directory, -<encoded directory>. Required, unless "
        "--sessions-from is given.",
    ),
)
FLAGS = (
    Flag(
        "--budget",
        "B",
        positive_number,
        default=40000,
        help="The most characters for each session, its heading included.",
    ),
    Flag(
        "--round-trip-fraction",
        "F",
        _fraction,
        default=0.5,
        help="The part of the budget that may go to round trips before anything else; between 0 "
        "and 1.",
    ),
    Flag(
        "--agent-msgs",
        "MODE",
        choices=("longest", "eot-only", "rich", "all"),
        default="longest",
        help="Which messages of a turn are kept: the longest and the rich ones, only the last, "
        "all but announcements, or all.",
    ),
    Flag(
        "--profile",
        "NAME",
        choices=("heavy", "light"),
        help="Three numbers: up to how many messages `rich` keeps all of a turn, from how many "
        "characters a message is rich, below how many an announcement may be left out. heavy "
        "4, 200, 140; light 8, 360, 240; without it 6, 280, 200.",
    ),
    Flag(
        "--max-compactions",
        "K",
        whole_number,
        default=0,
        help="Only turns with at most K summaries after them; 0 for all.",
    ),
    Flag(
        "--turn",
        "RANGE",
        help="Only turns in RANGE, counted from 0: 3, 2..5, -3.. (the last three).",
    ),
    *WINDOW,
    Flag(
        "--subagents",
        conflicts=("--no-subagents",),
        help="Restore agents' conversations too, each for itself.",
    ),
    Flag(
        "--no-subagents",
        conflicts=("--subagents",),
        help="Top-level conversations only. This is the default.",
    ),
    Flag(
        "--out",
        "FILE",
        conflicts=("--slice",),
        help="Also write the words to FILE, without headings.",
    ),
    Flag(
        "--slice",
        "N",
        positive_number,
        conflicts=("--out",),
        help="Print only chunk N of what --out would write; past the last one nothing.",
    ),
    Flag(
        "--window",
        "W",
        positive_number,
        default=10000,
        help="The size of a chunk in characters.",
    ),
    Flag(
        "--slices",
        "K",
        positive_number,
        help="As many words as fit into K chunks, instead of --budget; chunk 1 is the oldest.",
    ),
    SESSIONS_FROM,
    FORMAT,
)
EXAMPLES = (
    ("csift verbatim @main", "What was said before the last summary, and since."),
    ("csift verbatim @main --budget 8000 --agent-msgs eot-only", "Only how turns ended."),
    ("csift verbatim @5f0c8a52 --slices 3 --slice 1", "The first of three chunks."),
    ("csift verbatim @main --out words.txt", "Into a file as well."),
)


class NoTargetError(SessionizerError):
    """No conversation is named."""

    def __init__(self) -> None:
        super().__init__(
            "verbatim reconstructs one conversation and needs a target",
            hint="csift verbatim @main, or @<session id>; csift list shows ids",
        )


class Args(SharedArguments):
    """What the user typed."""

    path: tuple[str, ...]
    budget: int
    round_trip_fraction: float
    agent_msgs: str
    profile: str | None
    max_compactions: int
    turn: str | None
    since: str | None
    until: str | None
    subagents: bool
    no_subagents: bool
    out: str | None
    slice: int | None
    window: int
    slices: int | None
    sessions_from: str | None
    format: str


def run(args: Args, context: Context) -> int:
    """Read every conversation in scope, choose, and print."""
    from sessionizer.base.text import visible
    from sessionizer.csift.commands.verbatim import rows, text
    from sessionizer.csift.scoping import read_scope

    _refuse_combinations(args)
    limits = _read_limits(args)
    asked = _read_asked(args)
    if not args.path and args.sessions_from is None:
        raise NoTargetError
    scope = read_scope(args, context, subagents=args.subagents)
    document, failures = _restore(scope, asked, limits)
    if args.slice is not None:
        _write_slice(args, document, context)
    else:
        if args.format == "json":
            lines = list(rows.render(document))
        else:
            is_painted = wants_colour(args.color, context.environ, is_terminal=context.is_terminal)
            lines = list(text.render(document, colour=is_painted))
        wrote = args.out is not None and _write_out(args.out, document, context)
        if wrote and args.format == "text":
            lines.append(visible(f"(wrote full reconstruction to {args.out})"))
        context.write(lines)
        for one in document.sessions:
            if not one.heading.boundaries:
                context.note(
                    f"@{one.heading.session_id} has no compaction — nothing was clipped; for "
                    f"plain reading use `csift show @{one.heading.session_id} --turn "
                    "<N|A..B|-k..>` (full records, no budget)"
                )
    for path, reason in failures:
        context.warn(f"could not read {path}: {reason}")
    return 1 if failures or scope.is_incomplete else 0


def _refuse_combinations(args: Args) -> None:
    if args.slice is not None and args.format == "json":
        raise UsageError("--slice and --format json exclude each other")
    if args.slices is not None and args.slice is None:
        raise UsageError("--slices needs --slice: which of them to print")


def _read_limits(args: Args) -> "Limits":
    from sessionizer.csift.commands.verbatim.sources import Limits
    from sessionizer.transcripts.ranges import parse_range
    from sessionizer.transcripts.when import parse_window

    return Limits(
        turns=None if args.turn is None else parse_range(args.turn, base=0),
        window=parse_window(args.since, args.until),
        max_compactions=args.max_compactions,
        subagents=args.subagents,
    )


def _read_asked(args: Args) -> "Asked":
    from sessionizer.csift.commands.verbatim.keeping import DEFAULT, PROFILES
    from sessionizer.csift.commands.verbatim.layout import Caps
    from sessionizer.csift.commands.verbatim.query import Asked

    budget, caps = args.budget, Caps()
    if args.slices is not None:
        budget = args.slices * args.window
        cap = max(args.window - _CHUNK_MARGIN, 1)
        caps = Caps(user=cap, agent=cap)
    return Asked(
        budget=budget,
        fraction=args.round_trip_fraction,
        mode=args.agent_msgs,
        profile=PROFILES.get(args.profile or "", DEFAULT),
        caps=caps,
    )


def _restore(
    scope: "Scope", asked: "Asked", limits: "Limits"
) -> "tuple[Document, list[tuple[str, str]]]":
    """The document of all files, and those that could not be read."""
    from sessionizer.csift.commands.verbatim.query import Document, Restored, restore
    from sessionizer.csift.commands.verbatim.sources import iter_sources
    from sessionizer.transcripts.damage import Damage
    from sessionizer.transcripts.family import Families
    from sessionizer.transcripts.open_transcript import OpenTranscript
    from sessionizer.transcripts.scope import count_files

    families = Families(scope.catalogue)
    damage = Damage()
    sessions: list[Restored] = []
    failures: list[tuple[str, str]] = []
    for file in scope.files:
        try:
            with OpenTranscript(file, families.of(file)) as transcript:
                transcript.read()
                found = [restore(source, asked) for source in iter_sources(transcript, limits)]
        except OSError as error:
            failures.append((file.path, error.strerror or type(error).__name__))
            continue
        damage.add(transcript.damage)
        sessions += [one for one in found if one is not None]
    document = Document(
        sessions=tuple(sessions),
        scope=count_files(scope.files),
        asked=asked,
        skipped_lines=damage.skipped,
        repaired_lines=damage.repaired,
        unreadable=scope.unread + len(failures),
    )
    return document, failures


def _iter_lines(document: "Document") -> "Iterator[str]":
    from sessionizer.csift.commands.verbatim.query import document_lines

    for one in document.rendered:
        yield from document_lines(one, document.asked.caps)


def _write_slice(args: Args, document: "Document", context: Context) -> None:
    from sessionizer.base.text import visible
    from sessionizer.csift.commands.verbatim.slices import slice_lines

    chunks: Sequence[str] = tuple(slice_lines(_iter_lines(document), args.window))
    if args.slices is not None:
        chunks = chunks[-args.slices :]
    number = args.slice or 1
    if number <= len(chunks):
        shown = visible(chunks[number - 1], keep="\n\t")
        context.write_bytes(shown.encode("utf-8", "replace"))


def _write_out(path: str, document: "Document", context: Context) -> bool:
    """Write the words, unless there are none. An existing file is replaced as a whole."""
    from pathlib import Path

    from sessionizer.base.files import write_atomic

    body = "".join(f"{line}\n" for line in _iter_lines(document))
    if not body:
        context.note(f"nothing was selected; {path} was left untouched")
        return False
    write_atomic(Path(path).resolve(), body.encode("utf-8", "replace"))
    return True
