"""Publish the next round of a conversation, or nothing when nothing is new.

The only module here that writes. A round is written once and never replaced.
"""

import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

from msgspec import Struct

from sessionizer.base.digests import SHORT_DIGITS
from sessionizer.base.files import (
    make_private_directory,
    remove_temporaries,
    write_atomic,
    write_exclusive,
)
from sessionizer.base.instants import format_instant_ns
from sessionizer.base.locks import LockedError, exclusive_lock
from sessionizer.base.state_text import format_state, parse_state
from sessionizer.model.nodes import Entities
from sessionizer.rounds.chain import read_chain
from sessionizer.rounds.delta import Delta, diff_entities
from sessionizer.rounds.errors import (
    ChainLockedError,
    InterpretationError,
    LostEvidenceError,
    MovedHeadError,
    OtherSessionsError,
)
from sessionizer.rounds.fold import Folded, fold_rounds
from sessionizer.rounds.frames import (
    SCHEMA,
    Counts,
    Header,
    SessionRange,
    adopt_inherited,
    adopt_summary,
)
from sessionizer.rounds.input_digest import Evidence, chain_input_digest
from sessionizer.rounds.interpretation import (
    PARSER,
    POLICY,
    Age,
    Interpretation,
    compare_interpretations,
)
from sessionizer.rounds.round import Round, decode_round, encode_round
from sessionizer.rounds.store import (
    check_conversation_id,
    list_rounds,
    round_name,
    rounds_directory,
)

STATE_FILE = "conversation.state"
LOCK_FILE = ".lock"


class Draft(Struct, frozen=True, kw_only=True):
    """Everything the next round is made of.

    Attributes:
        evidence: Landed files per session, in the conversation's order of sessions; not empty.
        summary: The state after the round: any value with the fields of `frames.Summary`.
        inherits: Older sessions whose records are copied here, in any order: any values with
            the fields of `frames.Inherited`. The assembly has its own, as neither package
            knows the other.
    """

    conversation: str
    evidence: tuple[Evidence, ...]
    entities: Entities
    interpretation: Interpretation
    summary: object | None = None
    inherits: tuple[object, ...] = ()


class Published(Struct, frozen=True, kw_only=True):
    """What was written.

    Attributes:
        round: Number of the new round; None when nothing was new.
        counts: Its frames; all 0 when nothing was new.
        path: The new file.
        generation: Generation of the chain, from 1.
        folded: The conversation after it.
    """

    round: int | None = None
    counts: Counts = Counts(0, 0, 0)
    path: Path | None = None
    generation: int
    folded: Folded


class OpenChain(Struct, frozen=True, kw_only=True):
    """A chain whose lock is held, and to which a round may be added.

    Attributes:
        generation: Where the next round goes. `folded` is empty when that is a new one.
    """

    directory: Path
    generation: int
    interpretation: Interpretation
    folded: Folded


def publish_round(
    directory: Path,
    *,
    entities: Entities,
    session: str,
    conversation: str,
    through_seq: int,
    landed_digests: tuple[tuple[int, str], ...],
    dialect: str,
    summary: object | None,
    inherits: tuple[object, ...] = (),
    more: tuple[Evidence, ...] = (),
    parser: str = PARSER,
    policy: str = POLICY,
) -> Published:
    """Bring the conversation in `directory` up to `entities`, in one round at most.

    Args:
        directory: `<conversations>/<conversation>`; created when it is missing.
        entities: The assembly over all landed files through `through_seq`.
        session: The conversation's first (normally only) session.
        conversation: Its id; equals the directory's name.
        through_seq: The last landed file that counts.
        landed_digests: `(seq, file digest)` of landed files, at least all above the chain's.
        dialect: Of the landed files, `claude-code/1`.
        summary: The conversation after this round, see `Draft`.
        inherits: Older sessions whose records are copied here, see `Draft`.
        more: Evidence of the conversation's further sessions.
        parser: Version of the rules of assembly.
        policy: Version and idle gap of the rules of segments.

    Raises:
        ChainLockedError: Another process is publishing here.
        RefusedRoundError, BrokenChainError: The chain so far fails a check; nothing is written.
        InterpretationError: The chain is of a newer or another interpretation.
        OtherSessionsError: The chain tells of other sessions.
        LostEvidenceError: The chain covers landed files that are gone.
    """
    interpretation = Interpretation(parser, policy, dialect)
    own = Evidence(session=session, through_seq=through_seq, landed=landed_digests)
    draft = Draft(
        conversation=conversation,
        evidence=(own, *more),
        entities=entities,
        interpretation=interpretation,
        summary=summary,
        inherits=inherits,
    )
    with open_chain(directory, interpretation=interpretation) as chain:
        return append_round(chain, draft)


@contextmanager
def open_chain(directory: Path, *, interpretation: Interpretation) -> Iterator[OpenChain]:
    """Hold the conversation's lock and its folded chain while the block runs.

    For a caller that assembles under the lock; `publish_round` is the short form.

    Raises:
        ChainLockedError, RefusedRoundError, BrokenChainError, InterpretationError: As for
            `publish_round`.
    """
    check_conversation_id(directory.name)
    make_private_directory(directory)
    with ExitStack() as held:
        try:
            held.enter_context(exclusive_lock(directory / LOCK_FILE))
        except LockedError as error:
            raise ChainLockedError(directory.name) from error
        yield _open(directory, interpretation)


def append_round(chain: OpenChain, draft: Draft) -> Published:
    """Write the round that turns the fold of `chain` into the entities of `draft`, if any.

    Raises:
        OtherSessionsError, LostEvidenceError: As for `publish_round`.
        MovedHeadError: Somebody published here without the lock.
    """
    folded = chain.folded
    ranges = _next_ranges(folded, draft)
    delta = diff_entities(draft.entities, folded)
    inherits = adopt_inherited(draft.inherits)
    advanced = any(covered.through_seq >= covered.from_seq for covered in ranges)
    joined = folded.round > 0 and len(ranges) > len(folded.sessions)
    if not delta and not advanced and not joined and inherits == folded.inherits:
        return Published(generation=chain.generation, folded=folded)
    header = Header(
        schema=SCHEMA,
        conversation=draft.conversation,
        session=ranges[0].session,
        round=folded.round + 1,
        previous=folded.digest,
        from_seq=ranges[0].from_seq,
        through_seq=ranges[0].through_seq,
        input_digest=chain_input_digest(
            folded.input_digest,
            (
                (evidence.session, evidence.digests(covered.from_seq))
                for evidence, covered in zip(draft.evidence, ranges, strict=True)
            ),
        ),
        parser=draft.interpretation.parser,
        policy=draft.interpretation.policy,
        dialect=draft.interpretation.dialect,
        inherits=inherits,
        sessions=ranges if len(ranges) > 1 else (),
        summary=None if draft.summary is None else adopt_summary(draft.summary),
    )
    return _write(chain, header, delta)


def _write(chain: OpenChain, header: Header, delta: Delta) -> Published:
    encoded = encode_round(
        Round(
            header=header,
            nodes=delta.nodes,
            relations=delta.relations,
            unresolved=delta.unresolved,
        )
    )
    target = rounds_directory(chain.directory, chain.generation)
    path = target / round_name(header.round, encoded.digest)
    # What our own reader would refuse is never published.
    checked = decode_round(encoded.body, name=str(path))
    after = fold_rounds([checked], chain.folded)
    make_private_directory(target)
    remove_temporaries(target)
    files = list_rounds(target)
    head = (files[-1].number, files[-1].short_digest) if files else (0, "")
    if head != (chain.folded.round, chain.folded.digest[:SHORT_DIGITS]):
        raise MovedHeadError(target, expected=chain.folded.round)
    write_exclusive(path, encoded.body)
    write_atomic(chain.directory / STATE_FILE, _state(after, chain.generation))
    return Published(
        round=header.round,
        counts=delta.counts,
        path=path,
        generation=chain.generation,
        folded=after,
    )


def _open(directory: Path, interpretation: Interpretation) -> OpenChain:
    chain = read_chain(directory)
    generation, folded = chain.generation, chain.folded
    if folded.round > 0:
        age = compare_interpretations(interpretation, folded.interpretation)
        if age is Age.NEWER:
            generation, folded = generation + 1, Folded()
        elif age is not Age.SAME:
            raise InterpretationError(
                directory.name, chain=str(folded.interpretation), program=str(interpretation)
            )
    if folded.round > 0 and _stated_head(directory / STATE_FILE) != folded.digest:
        write_atomic(directory / STATE_FILE, _state(folded, generation))
    return OpenChain(
        directory=directory, generation=generation, interpretation=interpretation, folded=folded
    )


def _next_ranges(folded: Folded, draft: Draft) -> tuple[SessionRange, ...]:
    """What the next round covers per session, in the chain's order."""
    expected = tuple(covered.session for covered in folded.sessions)
    found = tuple(evidence.session for evidence in draft.evidence)
    if found[: len(expected)] != expected:
        raise OtherSessionsError(draft.conversation, expected=expected, found=found)
    ends = {covered.session: covered.through_seq for covered in folded.sessions}
    for evidence in draft.evidence:
        covered_seq = ends.get(evidence.session, 0)
        if evidence.through_seq < covered_seq:
            raise LostEvidenceError(
                evidence.session, covered=covered_seq, found=evidence.through_seq
            )
    return tuple(
        SessionRange(evidence.session, ends.get(evidence.session, 0) + 1, evidence.through_seq)
        for evidence in draft.evidence
    )


def _stated_head(path: Path) -> str | None:
    """The head that the state file names. It is a cache: a wrong one is only written anew."""
    try:
        return parse_state(path.read_text("utf-8", "replace")).get("head_digest")
    except OSError:
        return None


def _state(folded: Folded, generation: int) -> bytes:
    return format_state(
        {
            "schema": 1,
            "conversation": folded.conversation,
            "generation": generation,
            "head": folded.round,
            "head_digest": folded.digest,
            "through_seq": folded.through_seq,
            "input_digest": folded.input_digest,
            "parser": folded.parser,
            "policy": folded.policy,
            "dialect": folded.dialect or None,
            "updated_at": format_instant_ns(time.time_ns()),
        }
    )
