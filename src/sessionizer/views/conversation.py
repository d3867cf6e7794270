"""One conversation as of one round: a verified chain, and what its records say."""

from msgspec import Struct

from sessionizer.landing.zone import Zone
from sessionizer.rounds.chain import Chain
from sessionizer.views.errors import UnknownRecordError, UnknownTalkError
from sessionizer.views.evidence import Evidence, FoundRecord
from sessionizer.views.facts import read_facts
from sessionizer.views.names import Memory, read_names
from sessionizer.views.native import NativeWords
from sessionizer.views.outline import Outline, Position, build_outline
from sessionizer.views.overview import FlowStep, Overview, build_flow, build_overview
from sessionizer.views.sources import read_project
from sessionizer.views.talk_tree import Scene, TreeNode, build_outside, build_talk


class Conversation(Struct, frozen=True, kw_only=True):
    """One conversation as of one round.

    Attributes:
        overview: Without the state of its source, which changes by itself.
        memory: What was read of its records; later versions go on with it.
    """

    chain: Chain
    scene: Scene
    evidence: Evidence
    overview: Overview
    memory: Memory

    def talk(self, talk_id: str) -> TreeNode:
        """The tree of one talk.

        Raises:
            UnknownTalkError: There is no such talk.
        """
        outline = self.scene.outline
        node = outline.nodes.get(talk_id)
        if node is None or talk_id not in outline.steps:
            raise UnknownTalkError(talk_id)
        return build_talk(self.scene, self.evidence, node)

    def outside(self) -> tuple[TreeNode, ...]:
        """The steps in no talk."""
        return build_outside(self.scene, self.evidence)

    def flow(self) -> tuple[FlowStep, ...]:
        """Every step, without words."""
        return build_flow(self.scene.outline, self.scene.facts)

    def record(self, seq: str, row: str, session: str) -> FoundRecord:
        """The landed record at a position; `session` is empty for the first.

        Raises:
            UnknownRecordError: There is none.
        """
        sessions = self.scene.outline.sessions
        scope = "" if session in ("", *sessions[:1]) else session
        numbers = [_number(seq), _number(row)]
        found = None
        if scope == "" or scope in sessions:
            found = self.evidence.find_record(scope, numbers[0], numbers[1])
        if found is None:
            raise UnknownRecordError(seq, row)
        return found


def build_conversation(
    zone: Zone, chain: Chain, words: NativeWords, *, memory: Memory | None = None
) -> Conversation:
    """The conversation that `chain` folds to.

    `memory` is what was read for another version of it: records that landed never change.
    """
    folded = chain.folded
    outline = build_outline(folded)
    memory = memory or Memory()
    evidence = Evidence(zone, outline.sessions)
    facts = read_facts(zone, folded.sessions, times_wanted(outline))
    names = read_names(outline, facts, evidence, words, memory)
    overview = build_overview(
        outline,
        facts,
        names,
        generation=chain.generation,
        project=read_project(zone, folded.session),
    )
    return Conversation(
        chain=chain,
        scene=Scene(outline=outline, facts=facts, names=names, words=words),
        evidence=evidence,
        overview=overview,
        memory=memory,
    )


def times_wanted(outline: Outline) -> frozenset[Position]:
    """Positions whose times are shown: of every node, and of requests and results."""
    return frozenset(
        outline.position(ref)
        for node in outline.nodes.values()
        for ref in (node.ref, *node.refs[:2])
        if ref is not None
    )


def _number(text: str) -> int:
    """A position's number; 0, which is none, for anything else."""
    return int(text) if text.isascii() and text.isdigit() and len(text) < 16 else 0
