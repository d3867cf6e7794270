"""What the index adds to a fold: times, and where some texts stand that no node points at."""

from collections.abc import Iterable, Iterator

from msgspec import Struct

from sessionizer.base.errors import SessionizerError
from sessionizer.base.instants import milliseconds
from sessionizer.index.build import entries_of
from sessionizer.index.entry import Entry
from sessionizer.index.session_index import load_index
from sessionizer.landing.session_data import read_landed
from sessionizer.landing.zone import Zone
from sessionizer.rounds.frames import SessionRange
from sessionizer.views.outline import Position


class Facts(Struct, frozen=True, kw_only=True):
    """Look-ups over all sessions of a conversation.

    Attributes:
        times: Milliseconds since 1970 by position, for records that state a time.
        prompts: Position of the first written text of a stream, by stream name.
        journal: Positions of the journal lines about a child, in order, by stream name.
    """

    times: dict[Position, int]
    prompts: dict[str, Position]
    journal: dict[str, tuple[Position, ...]]

    def time_at(self, position: Position | None) -> int:
        """Milliseconds since 1970; 0 when no time is known."""
        return 0 if position is None else self.times.get(position, 0)


def read_facts(zone: Zone, covered: tuple[SessionRange, ...], wanted: frozenset[Position]) -> Facts:
    """Facts over what is `covered` of each session, the first first; times only of `wanted`.

    Without a usable index they come from the landed files, as far as those can be read.
    """
    times: dict[Position, int] = {}
    prompts: dict[str, Position] = {}
    journal: dict[str, list[Position]] = {}
    for number, one in enumerate(covered):
        scope = "" if number == 0 else one.session
        for entry in iter_entries(zone, one.session):
            if entry.seq > one.through_seq:
                continue
            position = (scope, entry.seq, entry.row)
            if entry.time_ns and position in wanted:
                times[position] = milliseconds(entry.time_ns)
            if _is_written_text(entry):
                prompts.setdefault(_scoped(scope, entry.stream), position)
            elif entry.kind == "journal" and entry.child:
                journal.setdefault(_scoped(scope, entry.child), []).append(position)
    return Facts(
        times=times,
        prompts=prompts,
        journal={stream: tuple(positions) for stream, positions in journal.items()},
    )


def iter_entries(zone: Zone, session: str) -> Iterable[Entry]:
    """Everything that landed of a session, as far as it can be read."""
    try:
        return load_index(zone, session).entries
    except (SessionizerError, OSError):
        return _iter_readable(zone, session)


def _iter_readable(zone: Zone, session: str) -> Iterator[Entry]:
    """Entries of the landed files that can be read: a damaged one must not hide the others."""
    try:
        landed = zone.landed(session)
    except SessionizerError:
        return
    for file in landed:
        try:
            read = read_landed(file.path)
        except (SessionizerError, OSError):
            continue
        yield from entries_of(read.header, read.rows, seq=file.seq)


def _is_written_text(entry: Entry) -> bool:
    return (
        entry.kind == "user"
        and bool(entry.stream)
        and "sidechain" not in entry.flags
        and any(block.kind == "text" for block in entry.blocks)
    )


def _scoped(scope: str, stream: str) -> str:
    """Names of streams of further sessions carry the session's id."""
    return f"{scope}:{stream}" if scope else stream
