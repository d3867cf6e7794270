"""One round to bytes and back. A `CheckedRound` comes out of `decode_round` and nowhere else."""

from collections.abc import Mapping
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
    lines = body.split(b"\n")
    if lines.pop():
        raise RefusedRoundError(name, "truncated: the last line has no line end")
    frames = _decode_frames(lines, name)
    if not frames:
        raise RefusedRoundError(name, "truncated: not even a header")
    header = _checked_header(frames[0], name)
    nodes: dict[str, NodeFrame] = {}
    relations: dict[str, RelationFrame] = {}
    unresolved: dict[str, UnresolvedFrame] = {}
    ends = _ends(header)
    for number, frame in enumerate(frames[1:], start=2):
        problem = ""
        if isinstance(frame, NodeFrame):
            problem = _find_problem(frame, nodes, header, ends)
            nodes[frame.id] = frame
        elif isinstance(frame, RelationFrame):
            problem = _find_problem(frame, relations, header, ends)
            relations[frame.id] = frame
        elif isinstance(frame, UnresolvedFrame):
            problem = _find_problem(frame, unresolved, header, ends)
            unresolved[frame.id] = frame
        elif isinstance(frame, Header):
            problem = "more than one header"
        else:
            if number < len(frames) or not lines[-1]:
                raise RefusedRoundError(name, "there is something after the commit")
            round_ = Round(
                header=header,
                nodes=tuple(nodes.values()),
                relations=tuple(relations.values()),
                unresolved=tuple(unresolved.values()),
            )
            before = len(body) - len(lines[-1]) - 1
            _check_commit(frame, round_, sha256_hex(memoryview(body)[:before]), name)
            return CheckedRound(name=name, digest=frame.digest, round=round_)
        if problem:
            raise RefusedRoundError(name, problem)
    raise RefusedRoundError(name, "truncated: no commit")


def decode_header(line: bytes, *, name: str) -> Header:
    """The header in the first line of a round, checked by itself and against no digest.

    Raises:
        RefusedRoundError: It is no header, or breaks a rule of headers.
    """
    return _checked_header(_decode_frame(line, name), name)


def _decode_frames(lines: list[bytes], name: str) -> list[Frame]:
    """The frames in `lines`, blank ones skipped."""
    decode = _DECODER.decode
    try:
        return [decode(line) for line in lines if line.strip()]
    except (msgspec.MsgspecError, RecursionError, UnicodeDecodeError):
        return [_decode_frame(line, name) for line in lines if line.strip()]


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


def _checked_header(header: Frame, name: str) -> Header:
    if not isinstance(header, Header):
        raise RefusedRoundError(name, "the first frame is not a header")
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


def _ends(header: Header) -> dict[str | None, int]:
    """The last landed file that a reference may name, by the session that it states."""
    ends: dict[str | None, int] = {one.session: one.through_seq for one in header.ranges}
    ends[None] = header.through_seq
    return ends


def _find_problem(
    frame: EntityFrame,
    before: Mapping[str, EntityFrame],
    header: Header,
    ends: Mapping[str | None, int],
) -> str:
    """The first rule that an entity breaks; empty when it breaks none."""
    if not frame.id:
        return f"{_type(frame)} frame with an empty id {frame.id!r}"
    if frame.id in before:
        return f"{_type(frame)} id {frame.id!r} occurs twice"
    if frame.revision != header.round:
        return f"{frame.id!r} is of revision {frame.revision} in round {header.round}"
    if isinstance(frame, UnresolvedFrame):
        if not frame.tombstone and frame.state not in UNRESOLVED_STATES:
            return f"{frame.id!r} has the unknown state {frame.state!r}"
        return ""
    missing = "" if frame.tombstone else _missing(frame)
    if missing:
        return f"{_type(frame)} {frame.id!r} has no {missing}"
    for reference in frame.references:
        if (
            reference.seq < 1
            or reference.row < 1
            or (reference.block or 0) < 0
            or reference.seq > ends.get(reference.session, 0)
        ):
            return _explain_reference(reference, frame.id, ends)
    return ""


def _missing(frame: NodeFrame | RelationFrame) -> str:
    """Key that must have a value and has none; empty when there is no such key."""
    if isinstance(frame, NodeFrame):
        return "" if frame.kind else "kind"
    keys = {"type": frame.type, "from": frame.source, "to": frame.target}
    return next((key for key, value in keys.items() if not value), "")


def _explain_reference(reference: Reference, entity_id: str, ends: Mapping[str | None, int]) -> str:
    if reference.seq < 1 or reference.row < 1 or (reference.block or 0) < 0:
        problem = "is no position"
    elif reference.session not in ends:
        problem = f"is in session {reference.session}, which the round does not cover"
    else:
        problem = f"lies beyond through_seq {ends[reference.session]}"
    return f"reference {reference.seq}/{reference.row} of {entity_id!r} {problem}"


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
