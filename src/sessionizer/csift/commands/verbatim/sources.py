"""From an open transcript to the passages that may be restored."""

from collections.abc import Iterator

from msgspec import Struct

from sessionizer.claude_code.markers import is_internal_agent
from sessionizer.csift.commands.verbatim.query import Source
from sessionizer.transcripts.lanes import MAIN
from sessionizer.transcripts.open_transcript import OpenTranscript
from sessionizer.transcripts.ranges import Range
from sessionizer.transcripts.spoken import Conversation, Passage
from sessionizer.transcripts.when import Window


class Limits(Struct, frozen=True, kw_only=True):
    """Which passages may be restored at all.

    Attributes:
        turns: By index; None for all.
        window: By the time of what began them.
        max_compactions: Not what more summaries came after; 0 leaves out nothing.
        subagents: Whether agents' lanes inside a session's file are restored too.
    """

    turns: Range | None
    window: Window
    max_compactions: int
    subagents: bool


def iter_sources(transcript: OpenTranscript, limits: Limits) -> Iterator[Source]:
    """The conversations of a transcript: its own, or the one it is narrowed to, and lanes."""
    file = transcript.file
    for number, lane in enumerate(transcript.facts.lanes):
        is_wanted = lane.id == (file.lane or MAIN)
        if is_wanted or (limits.subagents and file.lane is None):
            yield _make_source(transcript, number, limits)


def _make_source(transcript: OpenTranscript, number: int, limits: Limits) -> Source:
    file = transcript.file
    conversation = Conversation(transcript, number)
    lane = conversation.lane.id
    count = len(conversation.lane.turns.members)
    turns = range(count) if limits.turns is None else limits.turns.resolve(count)
    passages = [
        passage
        for passage in conversation.passages
        if (limits.turns is None or passage.turn in turns)
        and _is_inside(conversation, passage, limits)
        and _is_recent(conversation, passage, limits.max_compactions)
    ]
    return Source(
        session_id=lane or file.session_id,
        is_subagent=file.is_subagent or lane != MAIN,
        parent_session_id=file.parent_session_id,
        is_internal=is_internal_agent(lane) if lane != MAIN else file.is_internal,
        holder=f"@{file.session_id}",
        count=len(passages),
        read=lambda position: conversation.read(passages[position]),
        read_user=lambda position: conversation.read_user(passages[position]),
        summary_lines=conversation.summary_lines,
        read_summary=conversation.read_summary,
        with_sidecar=bool(transcript.pending) and lane == MAIN,
    )


def _is_inside(conversation: Conversation, passage: Passage, limits: Limits) -> bool:
    """Whether the time of what began a passage, or of its last words, lies in the window."""
    if not limits.window.is_bounded:
        return True
    fact = passage.beside
    if fact is None:
        opener = conversation.lane.turns.openers[passage.turn or 0]
        fact = None if opener is None else conversation.lane.facts[opener]
    timestamp = conversation.read(passage).timestamp if fact is None else fact.timestamp
    return limits.window.admits(timestamp)


def _is_recent(conversation: Conversation, passage: Passage, most: int) -> bool:
    """Whether at most so many summaries came after a passage."""
    if not most:
        return True
    line = passage.line
    if line is not None and sum(after > line for after in conversation.summary_lines) > most:
        return False
    return conversation.read(passage).compactions_before <= most
