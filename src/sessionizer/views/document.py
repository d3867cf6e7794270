"""One conversation as one document: everything the page can show of it, and what it rests on.

Field by field in docs/formats/conversation-document.md.
"""

from collections.abc import Iterator
from typing import Final

from msgspec import Struct, field, structs

from sessionizer.base.errors import SessionizerError
from sessionizer.landing.session_data import digest_of_file
from sessionizer.landing.zone import Zone
from sessionizer.model.nodes import Reference
from sessionizer.rounds.chain import Chain
from sessionizer.rounds.frames import Counts, SessionRange
from sessionizer.rounds.input_digest import chain_input_digest
from sessionizer.views.conversation import Conversation
from sessionizer.views.overview import Overview
from sessionizer.views.talk_tree import TreeNode, build_trees
from sessionizer.views.texts import WHOLE
from sessionizer.views.totals import StatedTotals, read_totals

SCHEMA: Final = "conversation-document/1"
# What the files of a round are, held against the digest in its header.
MATCHES: Final = "matches"
DIFFERS: Final = "differs"


class RelationRow(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """An edge, as the newest round that tells of it says."""

    id: str
    type: str
    source: str = field(name="from")
    target: str = field(name="to")
    quality: str
    via: str = ""
    evidence: tuple[Reference, ...] = ()


class UnresolvedRow(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A reference that nothing answers, or that was answered since: `state` tells."""

    id: str
    kind: str
    ref: str = ""
    reason: str = ""
    state: str


class RoundRow(Struct, frozen=True, kw_only=True):
    """One round of the chain, verified.

    Attributes:
        file: Its path below the root.
        digest: Its commit digest.
        evidence: `matches` when the landed files it covers are those that it was made of,
            else `differs`: one is changed or gone.
    """

    round: int
    file: str
    digest: str
    input_digest: str
    evidence: str
    covers: tuple[SessionRange, ...]
    counts: Counts


class FileRow(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A landed file that the conversation rests on.

    Attributes:
        file: Its path below the root.
        sha256: Of the file as it is now; empty when it cannot be read.
    """

    session: str
    seq: int
    file: str
    sha256: str = ""


class ConversationDocument(Struct, frozen=True, kw_only=True):
    """A whole conversation after `round`, in the words of the page.

    Attributes:
        head: Number of the newest round; the same as `round` unless an earlier one was asked for.
        overview: Counts and lists; the unresolved entries of it are those that are open.
        talks: A tree per talk, in display order, with whole texts.
        outside: The steps in no talk.
        stated_totals: What the runtime says was spent, per session that says so.
    """

    schema: str = SCHEMA
    id: str
    round: int
    head: int
    overview: Overview
    talks: tuple[TreeNode, ...]
    outside: tuple[TreeNode, ...]
    relations: tuple[RelationRow, ...]
    unresolved: tuple[UnresolvedRow, ...]
    stated_totals: tuple[StatedTotals, ...]
    rounds: tuple[RoundRow, ...]
    files: tuple[FileRow, ...]


def build_document(zone: Zone, conversation: Conversation, *, head: int) -> ConversationDocument:
    """The document of a conversation whose newest round is `head`."""
    chain = conversation.chain
    folded = chain.folded
    scene = structs.replace(conversation.scene, limits=WHOLE)
    trees = build_trees(scene, conversation.evidence)
    files = tuple(_iter_files(zone, folded.sessions))
    return ConversationDocument(
        id=folded.conversation,
        round=folded.round,
        head=head,
        overview=conversation.overview,
        talks=trees.talks,
        outside=trees.outside,
        relations=tuple(
            RelationRow(
                id=one.id,
                type=one.type,
                source=one.source,
                target=one.target,
                quality=one.quality,
                via=one.via or "",
                evidence=one.evidence,
            )
            for _, one in sorted(folded.relations.items())
        ),
        unresolved=tuple(
            UnresolvedRow(
                id=one.id,
                kind=one.kind,
                ref=one.ref or "",
                reason=one.reason or "",
                state=one.state,
            )
            for _, one in sorted(folded.unresolved.items())
        ),
        stated_totals=read_totals(zone, folded.sessions, conversation.evidence, scene.words.totals),
        rounds=tuple(_iter_rounds(zone, chain, files)),
        files=files,
    )


def _iter_files(zone: Zone, covered: tuple[SessionRange, ...]) -> Iterator[FileRow]:
    for one in covered:
        try:
            landed = zone.landed(one.session)
        except SessionizerError:
            continue
        for file in landed:
            if file.seq > one.through_seq:
                continue
            try:
                digest = digest_of_file(file.path)
            except OSError:
                digest = ""
            yield FileRow(session=one.session, seq=file.seq, file=file.relative, sha256=digest)


def _iter_rounds(zone: Zone, chain: Chain, files: tuple[FileRow, ...]) -> Iterator[RoundRow]:
    """The rounds, each held against the files by the rule that made its input digest."""
    before = ""
    for checked in chain.rounds:
        header = checked.header
        found = chain_input_digest(
            before,
            (
                (
                    covered.session,
                    sorted(
                        file.sha256
                        for file in files
                        if file.session == covered.session
                        and covered.from_seq <= file.seq <= covered.through_seq
                    ),
                )
                for covered in header.ranges
            ),
        )
        before = header.input_digest
        yield RoundRow(
            round=header.round,
            file=_below(zone, checked.name),
            digest=checked.digest,
            input_digest=header.input_digest,
            evidence=MATCHES if found == header.input_digest else DIFFERS,
            covers=header.ranges,
            counts=checked.round.counts,
        )


def _below(zone: Zone, path: str) -> str:
    """A path as it reads from the root."""
    return path.removeprefix(f"{zone.root}").replace("\\", "/").lstrip("/")
