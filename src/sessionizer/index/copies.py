"""The canonical view: each record once, in an order that does not depend on landing order.

A record can be landed several times: replayed in its file, carried by its parent's file,
rewritten, or read from an unfinished last line and again when the line was finished. One of
them counts and the others are evidence. Which one counts, and where it stands among others,
must not depend on which file was collected first.
"""

import re
from collections.abc import Iterable, Sequence
from itertools import chain
from typing import Final

from msgspec import Struct

from sessionizer.index.entry import Entry, Position
from sessionizer.model.kinds import MAIN

_UUID: Final = re.compile(
    r"[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}", re.ASCII | re.IGNORECASE
)


class Canonical(Struct, frozen=True, kw_only=True):
    """The entries of one session up to a watermark, sorted out; or those of several, joined.

    Attributes:
        entries: What counts, in source order: stream `main`, the other streams by name, then
            entries without a stream; within a stream transcripts before sidecars, and the
            order of the file. Of several sessions, one session after the other.
        copies: Repeats and older versions of snapshots.
        shared: Those of `copies` that an earlier session holds.
        torn_tails: Unfinished last lines that were finished later.
        beyond: Entries above the watermark.
        id_collisions: Records that share an id with another record and are not copies of it.
    """

    entries: tuple[Entry, ...]
    copies: tuple[Entry, ...] = ()
    shared: tuple[Entry, ...] = ()
    torn_tails: tuple[Entry, ...] = ()
    beyond: tuple[Entry, ...] = ()
    id_collisions: int = 0


def select_canonical(entries: Iterable[Entry], *, through: int | None = None) -> Canonical:
    """Sort out `entries`, which come in (seq, row) order; `through` is the highest seq that counts.

    Entries above `through` have no say in anything, so that a later file cannot change what
    was true at an earlier watermark.
    """
    bounded: list[Entry] = []
    beyond: list[Entry] = []
    for entry in entries:
        (bounded if through is None or entry.seq <= through else beyond).append(entry)
    newest, older = _newest_snapshots(bounded)
    whole, torn = _without_torn_tails(newest)
    chosen, repeats, collisions = _first_of_each(whole)
    return Canonical(
        entries=_in_source_order(chosen),
        copies=(*older, *repeats),
        torn_tails=tuple(torn),
        beyond=tuple(beyond),
        id_collisions=collisions,
    )


def join_canonical(sessions: Sequence[Canonical]) -> Canonical:
    """Several sessions as one, in the order given: what an earlier one holds is a copy later."""
    if len(sessions) == 1:
        return sessions[0]
    held: dict[object, Entry] = {}
    kept: set[tuple[object, object]] = set()
    chosen: list[Entry] = []
    repeats: list[Entry] = []
    collisions = 0
    for session in sessions:
        own: list[tuple[object, Entry]] = []
        for entry in session.entries:
            key = _record_key(entry)
            first = held.get(key)
            if first is None:
                own.append((key, entry))
            elif (key, _copy_key(entry)) in kept or _repeats_own(entry, first):
                repeats.append(entry)
            else:
                collisions += 1
                own.append((key, entry))
        for key, entry in own:
            chosen.append(entry)
            kept.add((key, _copy_key(entry)))
            # One that is not carried stands for the others.
            if key not in held or (held[key].carried and not entry.carried):
                held[key] = entry
    return Canonical(
        entries=tuple(chosen),
        copies=tuple(chain(*(session.copies for session in sessions), repeats)),
        shared=tuple(repeats),
        torn_tails=tuple(chain(*(session.torn_tails for session in sessions))),
        beyond=tuple(chain(*(session.beyond for session in sessions))),
        id_collisions=collisions + sum(session.id_collisions for session in sessions),
    )


def is_uuid_shaped(record_id: str) -> bool:
    """Whether an id is made so that two records never share it by chance."""
    return _UUID.fullmatch(record_id) is not None


def _newest_snapshots(entries: list[Entry]) -> tuple[list[Entry], list[Entry]]:
    newest_seq: dict[tuple[str, str, int], int] = {}
    for entry in entries:
        if entry.snapshot:
            newest_seq[_version_key(entry)] = entry.seq
    if not newest_seq:
        return entries, []
    newest: list[Entry] = []
    older: list[Entry] = []
    for entry in entries:
        is_newest = not entry.snapshot or newest_seq[_version_key(entry)] == entry.seq
        (newest if is_newest else older).append(entry)
    return newest, older


def _version_key(entry: Entry) -> tuple[str, str, int]:
    # An unfinished line elsewhere in the file is another line, not an older version of this one.
    return (entry.header_kind, entry.src, entry.off if entry.tail else -1)


def _without_torn_tails(entries: list[Entry]) -> tuple[list[Entry], list[Entry]]:
    torn = [entry for entry in entries if entry.tail and entry.reason]
    if not torn:
        return entries, []
    finished = {(entry.src, entry.off) for entry in entries if not entry.tail}
    dropped = [entry for entry in torn if (entry.src, entry.off) in finished]
    positions = {entry.position for entry in dropped}
    return [entry for entry in entries if entry.position not in positions], dropped


def _first_of_each(entries: list[Entry]) -> tuple[list[Entry], list[Entry], int]:
    first_of: dict[object, Entry] = {}
    groups: dict[object, list[Entry]] = {}
    for entry in entries:
        key = _record_key(entry)
        first = first_of.setdefault(key, entry)
        if first is not entry:
            groups.setdefault(key, [first]).append(entry)
    if not groups:
        return entries, [], 0
    dropped: set[Position] = set()
    collisions = 0
    for group in groups.values():
        kept: set[object] = set()
        group.sort(key=_choice_order)
        for entry in group:
            key = _copy_key(entry)
            if key in kept or _repeats_own(entry, group[0]):
                dropped.add(entry.position)
            else:
                kept.add(key)
        collisions += len(kept) - 1
    chosen: list[Entry] = []
    repeats: list[Entry] = []
    for entry in entries:
        (repeats if entry.position in dropped else chosen).append(entry)
    return chosen, repeats, collisions


def _record_key(entry: Entry) -> object:
    """What two records must share to be copies; `_is_copy` decides."""
    return entry.record or (entry.src, entry.off, entry.sha)


def _choice_order(entry: Entry) -> tuple[bool, int, bool, str, int, int]:
    return (
        entry.carried,
        entry.gen,
        entry.stream != MAIN,
        entry.stream,
        entry.seq,
        entry.row,
    )


def _copy_key(entry: Entry) -> object:
    """What two records that share an id, or a place, must share too to be copies."""
    if not entry.record:
        return None
    if is_uuid_shaped(entry.record):
        return (entry.kind, entry.call)
    # An id such as `1` says little; without a time to compare, only equal bytes are a copy.
    return (entry.kind, entry.call, entry.time_ns, "" if entry.time_ns else entry.sha)


def _repeats_own(entry: Entry, first: Entry) -> bool:
    """Whether a parent's file repeats in `entry` what stands in `first`, however it reads there."""
    return entry.carried and not first.carried and is_uuid_shaped(entry.record)


def _in_source_order(entries: list[Entry]) -> tuple[Entry, ...]:
    # Entries of one source come in file order already, so whole sources are put in order.
    sources: dict[tuple[int, str, bool], list[Entry]] = {}
    for entry in entries:
        # All records of one landed file come from one source, for each stream it tells of.
        place = (entry.seq, entry.stream, entry.carried)
        source = sources.get(place)
        if source is None:
            sources[place] = [entry]
        else:
            source.append(entry)
    ordered = sorted(sources.values(), key=lambda source: _source_order(source[0]))
    return tuple(chain.from_iterable(ordered))


def _source_order(entry: Entry) -> tuple[bool, bool, str, bool, bool, int, str, str]:
    return (
        entry.stream == "",
        entry.stream != MAIN,
        entry.stream,
        entry.kind == "agent_meta",
        entry.carried,
        entry.gen,
        entry.header_kind if not entry.stream else "",
        entry.src,
    )
