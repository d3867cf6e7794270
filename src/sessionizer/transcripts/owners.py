"""Which of several files with the same records had them first.

Continued, forked and branched sessions begin with the records of an older one.
"""

from collections.abc import Mapping, Sequence

import msgspec
from msgspec import Struct

from sessionizer.transcripts.reading import iter_physical_lines
from sessionizer.transcripts.when import parse_timestamp


class Identity(Struct, frozen=True, kw_only=True):
    """What tells a file's age.

    Attributes:
        session_id: Its own id.
        times: Each record's id to its time in nanoseconds; the earliest of copies.
        anonymous_ns: The earliest time of a record without id; None without.
        forked_from: Sessions that its records name as their origin.
    """

    session_id: str
    times: Mapping[str, int]
    anonymous_ns: int | None
    forked_from: frozenset[str]


class _ForkedFrom(Struct, frozen=True, rename="camel", gc=False):
    session_id: str | None = None


class _Line(Struct, frozen=True, rename="camel", gc=False):
    uuid: str | None = None
    timestamp: str | None = None
    forked_from: _ForkedFrom | None = None


_DECODER = msgspec.json.Decoder(_Line)


def read_identity(path: str, session_id: str) -> Identity:
    """Read the ids and times of a file's records; a line that cannot be read has neither."""
    times: dict[str, int] = {}
    anonymous: list[int] = []
    forked: set[str] = set()
    for line in iter_physical_lines(path):
        try:
            found = _DECODER.decode(line.body)
        except (msgspec.DecodeError, RecursionError):
            continue
        if found.forked_from is not None and found.forked_from.session_id:
            forked.add(found.forked_from.session_id)
        instant = parse_timestamp(found.timestamp)
        if instant is None:
            continue
        if found.uuid:
            times[found.uuid] = min(instant, times.get(found.uuid, instant))
        else:
            anonymous.append(instant)
    return Identity(
        session_id=session_id,
        times=times,
        anonymous_ns=min(anonymous, default=None),
        forked_from=frozenset(forked),
    )


def rank_by_age(identities: Sequence[Identity]) -> tuple[int, ...]:
    """Positions of `identities`, the oldest file first.

    A file is younger than one it was forked from. Of others the one whose own records, that no
    other file holds, begin earlier is older; then the smaller id.
    """
    counts: dict[str, int] = {}
    for identity in identities:
        for uuid in identity.times:
            counts[uuid] = counts.get(uuid, 0) + 1
    sessions = {identity.session_id: identity for identity in identities}

    def age(position: int) -> tuple[int, bool, int, str]:
        identity = identities[position]
        own = [instant for uuid, instant in identity.times.items() if counts[uuid] == 1]
        if identity.anonymous_ns is not None:
            own.append(identity.anonymous_ns)
        depth = _fork_depth(identity, sessions)
        return (depth, not own, min(own, default=0), identity.session_id)

    return tuple(sorted(range(len(identities)), key=age))


def _fork_depth(identity: Identity, sessions: Mapping[str, Identity]) -> int:
    """How many forks lie between a file and its oldest ancestor among `sessions`."""
    depth, passed, level = 0, {identity.session_id}, {identity.session_id}
    while True:
        level = {
            parent
            for one in level
            for parent in sessions[one].forked_from
            if parent in sessions and parent not in passed
        }
        if not level:
            return depth
        passed |= level
        depth += 1
