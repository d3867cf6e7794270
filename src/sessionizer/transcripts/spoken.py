"""What a person and an agent said in a turn: their own words, without tools and thinking.

The words of a turn are read when they are asked for, and let go again; most turns of a long
transcript are never asked for.
"""

from collections.abc import Iterable, Iterator

from msgspec import Struct

from sessionizer.claude_code.markers import tag_value
from sessionizer.transcripts.answers import answer_text
from sessionizer.transcripts.images import image_ids
from sessionizer.transcripts.labels import section_labels
from sessionizer.transcripts.lanes import Fact, Lane
from sessionizer.transcripts.open_transcript import OpenTranscript
from sessionizer.transcripts.openers import raw_text, tool_results
from sessionizer.transcripts.queue import queue_text
from sessionizer.transcripts.record import (
    SIDECAR,
    TRANSCRIPT,
    TranscriptRecord,
    is_text,
    is_tool_result,
    is_tool_use,
)
from sessionizer.transcripts.sections import (
    Section,
    notification_kind,
    notification_label,
    split_sections,
)
from sessionizer.transcripts.sidecar import pending_text
from sessionizer.transcripts.taxonomy import (
    COMMUNICATION,
    TOOL_USE,
    USER_ANSWER,
    USER_MESSAGE,
    USER_QUEUED,
    USER_REJECTION,
)
from sessionizer.transcripts.texts import rejection_text
from sessionizer.transcripts.units import RUNTIME, SELF, UNKNOWN


class Trigger(Struct, frozen=True, kw_only=True):
    """The task that began a turn in a person's place.

    Attributes:
        kind: `background-command`, `agent`, `workflow`, `monitor` or `task`.
        task_id, status, event: As the notification states them; None where it does not.
    """

    kind: str
    task_id: str | None
    status: str | None
    event: str | None


class UserWords(Struct, frozen=True, kw_only=True):
    """What began a turn, or was typed beside one.

    Attributes:
        label: Its first label.
        text: In full, with its line breaks.
        line: From 1; None for a question that waits beside the transcript.
        timestamp: As stored.
        uuid: The record's.
        source: `transcript` or `elicitation-sidecar`.
        image_ids: Of its pictures.
        sender, receiver: Of a message of another agent; None for all else.
        trigger: The task that speaks; None when a person does.
        queue_operation, queue_reason, queue_outcome: Of a queued prompt.
    """

    label: str
    text: str
    line: int | None
    timestamp: str | None
    uuid: str | None
    source: str = TRANSCRIPT
    image_ids: tuple[str, ...] = ()
    sender: str | None = None
    receiver: str | None = None
    trigger: Trigger | None = None
    queue_operation: str | None = None
    queue_reason: str | None = None
    queue_outcome: str | None = None


class AgentWords(Struct, frozen=True, kw_only=True):
    """One message of the agent.

    Attributes:
        text: In full.
        line: From 1.
        timestamp, uuid: Its record's.
        tool_calls, failed: Tools called, and results that state an error, since the message
            before it.
    """

    text: str
    line: int
    timestamp: str | None
    uuid: str | None
    tool_calls: int
    failed: int


class Words(Struct, frozen=True, kw_only=True):
    """The words of one turn, or one prompt that stands beside turns.

    Attributes:
        turn: Its index; None outside turns.
        user: What began it; None for a turn that nothing began.
        agent: The agent's messages, in order.
        tool_calls: Tools called in the whole turn.
        compactions_before: Summaries that came after it: 0 for what is still in the context.
    """

    turn: int | None
    user: UserWords | None
    agent: tuple[AgentWords, ...]
    tool_calls: int
    compactions_before: int

    @property
    def timestamp(self) -> str | None:
        """When it was said: the person's time, else that of the agent's last message."""
        if self.user is not None:
            return self.user.timestamp
        return self.agent[-1].timestamp if self.agent else None

    @property
    def first_line(self) -> int | None:
        """Where it begins; None beside the transcript."""
        if self.user is not None:
            return self.user.line
        return self.agent[0].line if self.agent else None


class Passage(Struct, frozen=True, kw_only=True):
    """Where words stand that were not read yet.

    Attributes:
        turn: Index of a turn; None outside turns.
        beside: The record of a queued prompt or a waiting question; None for a whole turn.
        line: The last line that may hold words of it, from 1; None beside the transcript.
    """

    turn: int | None
    beside: Fact | None
    line: int | None


class Summary(Struct, frozen=True, kw_only=True):
    """A summary that took the place of what came before it."""

    line: int
    text: str


class Conversation:
    """The passages of one lane of an open transcript, and their words.

    Args:
        transcript: Already read.
        number: Which of its lanes.

    Attributes:
        lane: The lane.
        passages: The newest first.
        summary_lines: Lines of the summaries after resets, the newest first.
    """

    def __init__(self, transcript: OpenTranscript, number: int) -> None:
        self.transcript = transcript
        self.number = number
        self.lane: Lane = transcript.facts.lanes[number]
        self.context = transcript.views.context(number)
        self.passages = tuple(self._list_passages())
        summaries = (fact.line for fact in self.lane.facts if fact.is_summary)
        self.summary_lines = tuple(
            sorted((line for line in summaries if line is not None), reverse=True)
        )

    def read_summary(self, line: int) -> Summary:
        """The summary on a line."""
        fact = next(fact for fact in self.lane.facts if fact.is_summary and fact.line == line)
        found = self.transcript.record_of(fact)
        return Summary(line=line, text=raw_text(found[0]) if found else "")

    def read_user(self, passage: Passage) -> UserWords | None:
        """What began a passage; None when nothing did."""
        if passage.beside is not None:
            return self._read_beside(passage.beside)
        opener = self.lane.turns.openers[passage.turn or 0]
        return None if opener is None else self._read_opener(opener)

    def read(self, passage: Passage) -> Words:
        """The words of a passage."""
        user = self.read_user(passage)
        agent: tuple[AgentWords, ...] = ()
        calls = 0
        if passage.beside is None:
            agent, calls = self._read_agent(self.lane.turns.members[passage.turn or 0])
        lines = [words.line for words in agent]
        if user is not None and user.line is not None:
            lines.append(user.line)
        last = max(lines, default=None)
        after = 0
        if last is not None:
            after = sum(line > last for line in self.summary_lines)
        return Words(
            turn=passage.turn, user=user, agent=agent, tool_calls=calls, compactions_before=after
        )

    def _list_passages(self) -> Iterator[Passage]:
        """Questions that wait, then turns and what was queued in them, the newest first."""
        facts, turns = self.lane.facts, self.lane.turns
        for fact in reversed(facts):
            if fact.line is None:
                position = self.transcript.facts.place_of[fact.key][1]
                yield Passage(turn=turns.turn_of[position], beside=fact, line=None)
        for turn in range(len(turns.members) - 1, -1, -1):
            members = [facts[position] for position in turns.members[turn]]
            spoken = [fact.line for fact in members if fact.type == "assistant"]
            opener = turns.openers[turn]
            if opener is not None:
                spoken.append(facts[opener].line)
            last = max((line for line in spoken if line is not None), default=None)
            queued = [fact for fact in members if self._is_queued(fact)]
            late = [fact for fact in queued if last is None or (fact.line or 0) > last]
            for fact in reversed(late):
                yield Passage(turn=turn, beside=fact, line=fact.line)
            if last is not None:
                yield Passage(turn=turn, beside=None, line=last)
            for fact in reversed(queued):
                if fact not in late:
                    yield Passage(turn=turn, beside=fact, line=fact.line)

    def _is_queued(self, fact: Fact) -> bool:
        """Whether a fact is a queued prompt that nothing else repeats."""
        if fact.line is None or fact.type not in ("queue-operation", "attachment"):
            return False
        return (fact.line, fact.glued) not in self.transcript.facts.queue.returned

    def _read_beside(self, fact: Fact) -> UserWords | None:
        found = self.transcript.record_of(fact)
        if found is None:
            return None
        one, images = found
        record = one.record
        if fact.line is None:
            return UserWords(
                label=TOOL_USE,
                text=pending_text(one),
                line=None,
                timestamp=record.timestamp,
                uuid=record.uuid,
                source=SIDECAR,
            )
        return UserWords(
            label=USER_QUEUED,
            text=queue_text(one) or "",
            line=one.line,
            timestamp=record.timestamp,
            uuid=record.uuid,
            image_ids=image_ids(one, before=images),
            queue_operation=record.operation,
            queue_reason=record.reason,
            queue_outcome=self.transcript.views.queue_outcome(one),
        )

    def _read_opener(self, position: int) -> UserWords | None:
        found = self.transcript.record_of(self.lane.facts[position])
        if found is None:
            return None
        one, images = found
        labels = self.transcript.views.labels(one, (self.number, position))
        label = labels[0] if labels else USER_MESSAGE
        sections = split_sections(raw_text(one))
        text = raw_text(one)
        sender = trigger = None
        if sections:
            text = "\n".join(map(_section_words, sections))
            label = section_labels(sections[0])[0]
            if sections[0].is_notification:
                trigger = _read_trigger(sections[0])
            else:
                sender = sections[0].sender
        elif label == USER_ANSWER:
            text = answer_text(one)
        elif label == USER_REJECTION or tool_results(one):
            text = rejection_text(one, self.context.plans)
        elif label in COMMUNICATION:
            sender = (RUNTIME if self.context.is_internal else self.context.parent) or UNKNOWN
        return UserWords(
            label=label,
            text=text,
            line=one.line,
            timestamp=one.record.timestamp,
            uuid=one.record.uuid,
            image_ids=image_ids(one, before=images),
            sender=sender,
            receiver=None if sender is None else SELF,
            trigger=trigger,
        )

    def _read_agent(self, members: Iterable[int]) -> tuple[tuple[AgentWords, ...], int]:
        """The agent's messages among some records, and how many tools were called."""
        said: list[AgentWords] = []
        calls = failed = total = 0
        for position in members:
            fact = self.lane.facts[position]
            if fact.line is None or fact.type not in ("assistant", "user"):
                continue
            found = self.transcript.record_of(fact)
            if found is None:
                continue
            one = found[0]
            failed += sum(bool(block.is_error) for block in one.blocks if is_tool_result(block))
            for text in _agent_parts(one):
                if text is None:
                    calls += 1
                    total += 1
                    continue
                said.append(
                    AgentWords(
                        text=text,
                        line=fact.line,
                        timestamp=fact.timestamp,
                        uuid=one.record.uuid,
                        tool_calls=calls,
                        failed=failed,
                    )
                )
                calls = failed = 0
        return tuple(said), total


def _agent_parts(one: TranscriptRecord) -> Iterator[str | None]:
    """Texts of an agent's record in order; None for a tool's call."""
    if one.type != "assistant":
        return
    if isinstance(one.content, str):
        if one.content.strip():
            yield one.content
        return
    for block in one.blocks:
        if is_tool_use(block):
            yield None
        elif is_text(block) and (block.text or "").strip():
            yield block.text


def _section_words(section: Section) -> str:
    return notification_label(section) if section.is_notification else section.body


def _read_trigger(section: Section) -> Trigger:
    return Trigger(
        kind=notification_kind(section),
        task_id=tag_value(section.text, "task-id"),
        status=tag_value(section.text, "status"),
        event=tag_value(section.text, "event"),
    )
