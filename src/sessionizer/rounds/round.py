"""One round to bytes and back. A `CheckedRound` comes out of `decode_round` and nowhere else."""

from collections.abc import Iterable, Mapping
from typing import Final

import msgspec
from msgspec import Struct

from sessionizer.base.canonical import encode_canonical
from sessionizer.base.digests import sha256_hex
from sessionizer.model.ids import id_sort_key
from sessionizer.model.kinds import UNRESOLVED_STATES
from sessionizer.model.nodes import Reference
from sessionizer.rounds.errors import RefusedRoundError
from sessionizer.rounds.frames import (
    SCHEMA,
    Commit,
    Counts,
    Frame,
    Header,
    NodeFrame,
    RelationFrame,
    SessionRange,
    UnresolvedFrame,
)

_DECODER: Final = msgspec.json.Decoder(Frame)
_FRAME_TYPES: Final = ("header", "node", "relation", "unresolved", "commit")

EntityFrame = NodeFrame | RelationFrame | UnresolvedFrame


class Round(Struct, frozen=True, kw_only=True):
    """What one round says, in values."""

    header: Header
    nodes: tuple[NodeFrame, ...] = ()
    relations: tuple[RelationFrame, ...] = ()
    unresolved: tuple[UnresolvedFrame, ...] = ()

    @property
    def counts(self) -> Counts:
        """Numbers of frames."""
        return Counts(len(self.nodes), len(self.relations), len(self.unresolved))


class EncodedRound(Struct, frozen=True):
    """The bytes of a round file, and their commit digest, 64 hex digits."""

    body: bytes
    digest: str


class CheckedRound(Struct, frozen=True, kw_only=True):
    """A round that passed every check a round can pass by itself.

    Attributes:
        name: The file it was read from, for messages.
        digest: Its commit digest, 64 hex digits.
    """

    name: str
    digest: str
    round: Round

    @property
    def header(self) -> Header:
        """The header of the round."""
        return self.round.header


def encode_round(round_: Round) -> EncodedRound:
    """The one file content of `round_`: frames sorted by id, one per line, then the commit."""
    frames: list[Frame] = [round_.header]
    for group in (round_.nodes, round_.relations, round_.unresolved):
        frames.extend(sorted(group, key=lambda frame: id_sort_key(frame.id)))
    body = b"".join(encode_canonical(frame) + b"\n" for frame in frames)
    digest = sha256_hex(body)
    commit = Commit(digest=digest, counts=round_.counts)
    return EncodedRound(body + encode_canonical(commit) + b"\n", digest)


def decode_round(body: bytes, *, name: str) -> CheckedRound:
    """Check and decode the content of a round file; `name` stands in messages.

    Every rule that a round can break by itself is checked here, the digest after the frames:
    so a message says what is wrong rather than only that something is. Blank lines before the
    commit are skipped, unknown keys are ignored.

    Raises:
        RefusedRoundError: The first rule that is broken.
    """
    header: Header | None = None
    nodes: dict[str, NodeFrame] = {}
    relations: dict[str, RelationFrame] = {}
    unresolved: dict[str, UnresolvedFrame] = {}
    start = 0
    while start < len(body):
        end = body.find(b"\n", start)
        if end < 0:
            raise RefusedRoundError(name, "truncated: the last line has no line end")
        line = body[start:end]
        if not line.strip():
            start = end + 1
            continue
        frame = _decode_frame(line, name)
        if isinstance(frame, Header):
            if header is not None:
                raise RefusedRoundError(name, "more than one header")
            header = _checked_header(frame, name)
        elif header is None:
            raise RefusedRoundError(name, "the first frame is not a header")
        elif isinstance(frame, Commit):
            if end + 1 != len(body):
                raise RefusedRoundError(name, f"{len(body) - end - 1} byte(s) after the commit")
            round_ = Round(
                header=header,
                nodes=tuple(nodes.values()),
                relations=tuple(relations.values()),
                unresolved=tuple(unresolved.values()),
            )
            _check_commit(frame, round_, sha256_hex(body[:start]), name)
            return CheckedRound(name=name, digest=frame.digest, round=round_)
        elif isinstance(frame, NodeFrame):
            _check_entity(frame, nodes, header, name)
            nodes[frame.id] = frame
        elif isinstance(frame, RelationFrame):
            _check_entity(frame, relations, header, name)
            relations[frame.id] = frame
        else:
            _check_entity(frame, unresolved, header, name)
            unresolved[frame.id] = frame
        start = end + 1
    if header is None:
        raise RefusedRoundError(name, "truncated: not even a header")
    raise RefusedRoundError(name, "truncated: no commit")


def _decode_frame(line: bytes, name: str) -> Frame:
    try:
        return _DECODER.decode(line)
    except (msgspec.MsgspecError, RecursionError, UnicodeDecodeError) as error:
        raise RefusedRoundError(name, _explain(line, error)) from error


def _explain(line: bytes, error: Exception) -> str:
    """What is wrong with a line: its unknown type, or the frame that does not decode."""
    try:
        found = msgspec.json.decode(line)
    except (msgspec.MsgspecError, RecursionError, UnicodeDecodeError):
        return f"not a frame: {error}"
    if not isinstance(found, dict) or "t" not in found:
        return "a frame without a type"
    if found["t"] not in _FRAME_TYPES:
        return f"unknown frame type {found['t']!r:.80}"
    return f"{found['t']} frame {found.get('id', '')!r}: {error}"


def _checked_header(header: Header, name: str) -> Header:
    if header.schema != SCHEMA:
        raise RefusedRoundError(name, f"header: schema is {header.schema!r}, not {SCHEMA!r}")
    for key in ("conversation", "session", "input_digest", "parser", "policy"):
        if not getattr(header, key):
            raise RefusedRoundError(name, f"header: {key} is empty")
    if header.round < 1:
        raise RefusedRoundError(name, f"header: rounds count from 1, not from {header.round}")
    if bool(header.previous) != (header.round > 1):
        found = header.previous or "nothing"
        raise RefusedRoundError(name, f"header: round {header.round} names {found} as previous")
    for covered in header.ranges:
        if covered.from_seq < 1 or covered.through_seq < covered.from_seq - 1:
            raise RefusedRoundError(
                name,
                f"header: from_seq {covered.from_seq} and through_seq {covered.through_seq} "
                f"are no range (session {covered.session})",
            )
    first = SessionRange(header.session, header.from_seq, header.through_seq)
    if header.ranges[0] != first:
        raise RefusedRoundError(name, f"header: sessions do not begin with {first}")
    return header


def _check_entity(
    frame: EntityFrame, before: Mapping[str, EntityFrame], header: Header, name: str
) -> None:
    if not frame.id:
        raise RefusedRoundError(name, f"{_type(frame)} frame with an empty id {frame.id!r}")
    if frame.id in before:
        raise RefusedRoundError(name, f"{_type(frame)} id {frame.id!r} occurs twice")
    if frame.revision != header.round:
        raise RefusedRoundError(
            name, f"{frame.id!r} is of revision {frame.revision} in round {header.round}"
        )
    missing = "" if frame.tombstone else _missing(frame)
    if missing:
        raise RefusedRoundError(name, f"{_type(frame)} {frame.id!r} has no {missing}")
    if isinstance(frame, UnresolvedFrame):
        if not frame.tombstone and frame.state not in UNRESOLVED_STATES:
            raise RefusedRoundError(name, f"{frame.id!r} has the unknown state {frame.state!r}")
        return
    _check_references(frame.references, frame.id, header, name)


def _missing(frame: EntityFrame) -> str:
    """Key that must have a value and has none; empty when there is no such key."""
    if isinstance(frame, NodeFrame):
        return "" if frame.kind else "kind"
    if isinstance(frame, RelationFrame):
        keys = {"type": frame.type, "from": frame.source, "to": frame.target}
        return next((key for key, value in keys.items() if not value), "")
    return ""


def _check_references(
    references: Iterable[Reference], entity_id: str, header: Header, name: str
) -> None:
    for reference in references:
        through = _through(header, reference.session)
        if reference.seq < 1 or reference.row < 1 or (reference.block or 0) < 0:
            problem = "is no position"
        elif through is None:
            problem = f"is in session {reference.session}, which the round does not cover"
        elif reference.seq > through:
            problem = f"lies beyond through_seq {through}"
        else:
            continue
        position = f"{reference.seq}/{reference.row}"
        raise RefusedRoundError(name, f"reference {position} of {entity_id!r} {problem}")


def _through(header: Header, session: str | None) -> int | None:
    if session is None:
        return header.through_seq
    ends = (covered.through_seq for covered in header.ranges if covered.session == session)
    return next(ends, None)


def _check_commit(commit: Commit, round_: Round, digest: str, name: str) -> None:
    if commit.digest != digest:
        raise RefusedRoundError(
            name, f"digest of the bytes is {digest[:12]}, the commit says {commit.digest[:12]}"
        )
    if commit.counts != round_.counts:
        raise RefusedRoundError(
            name, f"the commit counts {_count(commit.counts)}, read were {_count(round_.counts)}"
        )


def _count(counts: Counts) -> str:
    return f"{counts.nodes} nodes, {counts.relations} relations, {counts.unresolved} unresolved"


def _type(frame: EntityFrame) -> str:
    return str(type(frame).__struct_config__.tag)
