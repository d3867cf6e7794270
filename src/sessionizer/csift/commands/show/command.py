"""`csift show`: records of one transcript, in full."""

from sessionizer.base.errors import SessionizerError, UsageError
from sessionizer.cli.context import Context
from sessionizer.cli.flags import Flag, Positional, whole_number
from sessionizer.csift.colour import write_text
from sessionizer.csift.flags import FORMAT, SharedArguments

# What only the type checker needs must not be imported at start.
TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from sessionizer.csift.commands.show.query import Disclosure, Selection
    from sessionizer.transcripts.fetching import Fetcher, Slot, Unit
    from sessionizer.transcripts.files import TranscriptFile
    from sessionizer.transcripts.line_index import LineIndex
    from sessionizer.transcripts.ranges import Range
    from sessionizer.transcripts.scope import Scope

_EXCLUSIVE = ("--line", "--uuid", "--turn", "--branch-points")
_MODES = "--line SPEC, --uuid ID, --turn RANGE or --branch-points"

DESCRIPTION = """
Shows records of exactly one transcript, in full: what they say, one line per unit, never cut.
TARGET is a session, and then its own transcript alone, or an agent. A directory is accepted
when it holds exactly one session.

By line or id everything that can be shown is shown, also what a search reads only when asked
for it. By turn it is what was said and done in it. An address that names nothing is an error;
--raw prints any line, whatever stands there.
"""
POSITIONALS = (
    Positional(
        "TARGET",
        least=1,
        most=None,
        help="One transcript: @<session or agent id>, @<prefix>, @main, @trap:<marker>, "
        "FILE.jsonl, or a directory with one session.",
    ),
)
FLAGS = (
    Flag(
        "--line",
        "SPEC",
        repeatable=True,
        conflicts=("--turn", "--branch-points"),
        help="Lines, counted from 1: 12, 12..20, 12.., -1 (the last), -5.. (the last five). "
        "Comma lists are accepted.",
    ),
    Flag(
        "--uuid",
        "ID",
        repeatable=True,
        conflicts=("--turn", "--branch-points"),
        help="Records with these ids; added to --line. Comma lists are accepted.",
    ),
    Flag(
        "--turn",
        "RANGE",
        conflicts=("--line", "--uuid", "--branch-points"),
        help="Whole turns, counted from 0: 3, 2..5, -1 (the last).",
    ),
    Flag(
        "--branch-points",
        conflicts=("--line", "--uuid", "--turn", "--raw"),
        help="Where the conversation forks: records that several others continue.",
    ),
    Flag(
        "--raw",
        conflicts=("--branch-points",),
        help="The lines exactly as they stand in the file, malformed ones too.",
    ),
    Flag(
        "--max-count",
        "N",
        whole_number,
        default=200,
        help="At most N units (with --raw: lines), the first ones; 0 for all.",
    ),
    FORMAT,
)
EXAMPLES = (
    ("csift show @main --turn -1", "The last turn of this session."),
    ("csift show @5f0c8a52 --line 120..140", "Some lines of a session."),
    ("csift show @aa826fb713c351e1f --line 4", "A record of an agent, as search names it."),
    ("csift show @main --line 120 --raw | jq .", "Everything that stands on a line."),
    ("csift show @main --branch-points", "Where it was rewound."),
)


class NoAddressError(SessionizerError):
    """A transcript was named, and nothing in it.

    Attributes:
        path: The transcript.
    """

    def __init__(self, path: str) -> None:
        super().__init__(f"nothing of {path} is asked for", hint=f"add {_MODES}")
        self.path = path


class NoSuchRecordError(SessionizerError):
    """Addresses that name no record to show.

    Attributes:
        addresses: As a message names them.
    """

    def __init__(self, addresses: "Sequence[str]", *, hint: str) -> None:
        super().__init__(f"no such record(s): {', '.join(addresses)}", hint=hint)
        self.addresses = tuple(addresses)


class NoSuchTurnError(SessionizerError):
    """Turns that the transcript does not have.

    Attributes:
        addresses: As a message names them.
        count: How many turns there are.
    """

    def __init__(self, addresses: "Sequence[str]", count: int) -> None:
        turns = f"(t0..t{count - 1})" if count else "(it is empty)"
        super().__init__(
            f"no such turn(s): {', '.join(addresses)} — the transcript has {count} turn(s) {turns}",
            hint="turns are counted from 0, and -k.. counts from the end",
        )
        self.addresses, self.count = tuple(addresses), count


class Args(SharedArguments):
    """What the user typed."""

    target: tuple[str, ...]
    line: tuple[str, ...]
    uuid: tuple[str, ...]
    turn: str | None
    branch_points: bool
    raw: bool
    max_count: int
    format: str


class _Address:
    """What is asked for, as far as it can be read without the transcript."""

    def __init__(self, args: Args) -> None:
        from sessionizer.transcripts.ranges import parse_range

        self.lines: tuple[Range, ...] = tuple(
            parse_range(part, base=1) for text in args.line for part in text.split(",")
        )
        self.uuids = frozenset(
            part.strip() for text in args.uuid for part in text.split(",") if part.strip()
        )
        self.turn: Range | None = None if args.turn is None else parse_range(args.turn, base=0)
        self.is_empty = not (args.line or args.uuid or args.turn is not None or args.branch_points)


def run(args: Args, context: Context) -> int:
    """Read the transcript and show what was addressed."""
    from sessionizer.csift.scoping import read_transcript_scope

    if len(args.target) > 1:
        raise UsageError(
            f"show reads exactly one transcript; {len(args.target)} targets were given"
        )
    if args.raw and args.format == "json":
        raise UsageError("--raw already is the machine output; it excludes --format json")
    address = _Address(args)
    scope = read_transcript_scope(args, context)
    code = _show(args, address, scope, context)
    return 1 if scope.is_incomplete else code


def _show(args: Args, address: _Address, scope: "Scope", context: Context) -> int:
    from sessionizer.transcripts.family import Families

    (file,) = scope.files
    if address.is_empty:
        raise NoAddressError(file.path)
    if args.raw and address.turn is None:
        return _show_raw(args, address, file, context)
    from sessionizer.transcripts.fetching import Fetcher

    with Fetcher(file, Families(scope.catalogue).of(file)) as fetcher:
        fetcher.read(address.uuids, whole_turns=address.turn is not None)
        if args.branch_points:
            return _show_branches(args, fetcher, context, scope.unread)
        return _show_records(args, address, fetcher, context, scope.unread)


def _show_records(
    args: Args, address: _Address, fetcher: "Fetcher", context: Context, unread: int
) -> int:
    from sessionizer.csift.commands.show import query, rows, text

    last_line = None
    non_records = 0
    if address.turn is not None:
        slots = _find_turns(address.turn, fetcher)
        if args.raw:
            return _write_turns(args, slots, fetcher, context)
    else:
        slots, last_line, non_records = _find_records(address, fetcher)
    selection = query.select(
        slots,
        cap=args.max_count,
        handle=_handle(fetcher.file),
        last_line=last_line,
        non_records=non_records,
    )
    units, said = _iter_units(fetcher, selection), _disclose(fetcher, unread)
    if args.format == "json":
        context.write(rows.render(selection, units, said))
    else:
        write_text(text.render(selection, units, said), args.color, context)
    return 0


def _find_turns(turn: "Range", fetcher: "Fetcher") -> "tuple[Slot, ...]":
    from sessionizer.transcripts.addresses import resolve_addresses

    count = fetcher.turn_count
    addressed = resolve_addresses((turn,), count, prefix="t")
    if addressed.missing:
        raise NoSuchTurnError(addressed.missing, count)
    return fetcher.turn_slots(addressed.numbers)


def _find_records(
    address: _Address, fetcher: "Fetcher"
) -> "tuple[tuple[Slot, ...], int | None, int]":
    """The addressed records, the last addressed line, and how many lines are no records."""
    from sessionizer.transcripts.addresses import resolve_addresses

    addressed = resolve_addresses(address.lines, len(fetcher.transcript.index), prefix="L")
    slots = fetcher.line_slots(addressed.numbers)
    empty = {slot.line for slot in slots if not slot.units and slot.line is not None}
    missing = [
        *addressed.missing,
        *(f"L{line}" for line in sorted(empty & addressed.single)),
        *(f"uuid {uuid}" for uuid in sorted(address.uuids - fetcher.found)),
    ]
    if missing:
        raise NoSuchRecordError(
            missing,
            hint=f"the file has {len(fetcher.transcript.index)} line(s); blank and malformed "
            "lines, lines about the session and thinking without text are no records to show; "
            "--raw prints any line",
        )
    return slots, max(addressed.numbers, default=None), len(empty)


def _iter_units(fetcher: "Fetcher", selection: "Selection") -> "Iterator[Unit]":
    from itertools import islice

    for slot, taken in selection.parts:
        yield from islice(fetcher.units(slot), taken)


def _show_branches(args: Args, fetcher: "Fetcher", context: Context, unread: int) -> int:
    from sessionizer.csift.commands.show import rows, text
    from sessionizer.transcripts.branches import group_children, order_branches
    from sessionizer.transcripts.line_index import find_first_lines

    children, links = fetcher.conversation()
    families = group_children(children, links)
    points = order_branches(families, find_first_lines(fetcher.file.path, frozenset(families)))
    said = _disclose(fetcher, unread)
    if args.format == "json":
        context.write(rows.render_branches(points, len(children), said))
    else:
        lines = text.render_branches(points, len(children), _handle(fetcher.file), said)
        write_text(lines, args.color, context)
    return 0


# Raw lines.


def _show_raw(args: Args, address: _Address, file: "TranscriptFile", context: Context) -> int:
    """Lines by number or id. Nothing but their places has to be known."""
    from sessionizer.transcripts.addresses import resolve_addresses
    from sessionizer.transcripts.fetching import record_uuids, uuid_pattern
    from sessionizer.transcripts.line_index import LineIndex

    with LineIndex(file.path) as index:
        may_hold = uuid_pattern(address.uuids) if address.uuids else None
        found: set[str] = set()
        marked: set[int] = set()
        for line in index.scan():
            if may_hold is not None and may_hold.search(line.body):
                uuids = record_uuids(line) & address.uuids
                if uuids:
                    found |= uuids
                    marked.add(line.number)
        addressed = resolve_addresses(address.lines, len(index), prefix="L")
        waiting = _waiting_uuids(file) & address.uuids
        missing = [
            *(f"{one} (file has {len(index)} lines)" for one in addressed.missing),
            *(f"uuid {uuid}" for uuid in sorted(address.uuids - found - waiting)),
        ]
        if missing:
            raise NoSuchRecordError(missing, hint="lines are counted from 1")
        _write_lines(args, sorted(marked.union(addressed.numbers)), index, file, context)
    if waiting:
        _note_omitted(len(waiting), context)
    return 0


def _write_turns(args: Args, slots: "Sequence[Slot]", fetcher: "Fetcher", context: Context) -> int:
    numbers = sorted({slot.line for slot in slots if slot.line is not None})
    _write_lines(args, numbers, fetcher.transcript.index, fetcher.file, context)
    waiting = sum(slot.line is None for slot in slots)
    if waiting:
        _note_omitted(waiting, context)
    if fetcher.transcript.damage.skipped:
        context.note(f"{fetcher.transcript.damage.skipped} malformed line(s) skipped")
    return 0


def _write_lines(
    args: Args,
    numbers: "Sequence[int]",
    index: "LineIndex",
    file: "TranscriptFile",
    context: Context,
) -> None:
    from sessionizer.csift.raw_lines import write_raw_lines

    shown = numbers[: args.max_count] if args.max_count else numbers
    write_raw_lines((index.line(number).body for number in shown), context)
    rest = numbers[len(shown) :]
    if rest:
        context.note(
            f"+{len(rest)} more line(s) beyond the {args.max_count}-unit cap · continue: "
            f"csift show {_handle(file)} --line {rest[0]}..{rest[-1]} --raw, or pass "
            "--max-count 0 (uncapped)"
        )


def _waiting_uuids(file: "TranscriptFile") -> "frozenset[str]":
    from sessionizer.transcripts.sidecar import read_sidecar

    if file.elicitations is None:
        return frozenset()
    waiting = read_sidecar(file.elicitations).pending
    return frozenset(one.record.uuid for one in waiting if one.record.uuid)


def _note_omitted(count: int, context: Context) -> None:
    context.note(f"{count} elicitation sidecar record(s) omitted: they stand in no transcript")


def _disclose(fetcher: "Fetcher", unread: int) -> "Disclosure":
    from sessionizer.csift.commands.show.query import Disclosure

    file, damage = fetcher.file, fetcher.transcript.damage
    return Disclosure(
        session_id=file.lane or file.session_id,
        is_subagent=file.is_subagent or file.lane is not None,
        parent_session_id=file.parent_session_id,
        is_internal=file.is_internal,
        path=file.path,
        skipped_lines=damage.skipped,
        repaired_lines=damage.repaired,
        recovered_records=damage.recovered,
        unreadable_sources=unread,
        with_sidecar=bool(fetcher.transcript.pending),
    )


def _handle(file: "TranscriptFile") -> str:
    """The transcript as a target for the next command."""
    if file.project or file.lane is not None:
        return f"@{file.lane or file.session_id}"
    import shlex

    return shlex.quote(file.path)
