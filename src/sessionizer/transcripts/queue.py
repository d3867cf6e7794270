"""Prompts typed while the agent worked: which came back, and what became of the others. Pure.

A queue line says that a text entered or left the queue, and nothing more. Whether the agent
saw it is known only when the text comes back later in the file.
"""

from collections.abc import Callable, Iterable
from typing import Any

from msgspec import Raw

from sessionizer.base.text import normalise
from sessionizer.claude_code.blocks import decode_blocks
from sessionizer.claude_code.markers import (
    QUEUE_DEQUEUE,
    QUEUE_ENQUEUE,
    QUEUE_POP_ALL,
    QUEUE_REMOVE,
    command_arguments,
    command_name,
)
from sessionizer.claude_code.values import decode_members, decode_text, is_present
from sessionizer.transcripts.record import TranscriptRecord, is_text
from sessionizer.transcripts.sections import split_sections

DEQUEUED = "dequeued"
REMOVED = "removed"
TAKEN_BACK = "taken_back"
WAITING = "waiting"

QUEUED_COMMAND = "queued_command"

Place = tuple[int | None, int | None]  # line and glued number


def queue_text(one: TranscriptRecord) -> str | None:
    """What a queue line or a queued command says, if a person said it; else None."""
    if one.type == "queue-operation":
        text = _content_text(one.record.content)
    elif one.type == "attachment":
        text = _prompt_text(one)
    else:
        return None
    if text is None or not text.strip():
        return None
    return None if split_sections(text) else text


class QueueLedger:
    """Walks a file's records in order and keeps account of its queue.

    Attributes:
        outcomes: Of each line that queued a text: how it left the queue.
        returned: Lines whose text came back later.
    """

    def __init__(self) -> None:
        self.outcomes: dict[Place, str] = {}
        self.returned: set[Place] = set()
        self._waiting: list[tuple[Place, str]] = []
        # Texts that may still come back, by what they begin with, each with its number.
        self._open: dict[str, list[tuple[int, Place, tuple[str, ...]]]] = {}
        self._queued = 0

    def add(self, one: TranscriptRecord) -> None:
        """Take the next record into account."""
        if one.type == "queue-operation":
            self._move(one)
        elif self._open and (one.type == "user" or _is_queued_command(one)):
            self._answer(one)

    def _move(self, one: TranscriptRecord) -> None:
        place = (one.line, one.glued)
        operation = one.record.operation
        text = queue_text(one)
        content = _content_text(one.record.content)
        if operation == QUEUE_ENQUEUE:
            self._waiting.append((place, normalise(content or "")))
            if text is not None:
                self.outcomes[place] = WAITING
                keys = _keys(text)
                self._queued += 1
                self._open.setdefault(_first_word(keys), []).append((self._queued, place, keys))
        elif operation == QUEUE_POP_ALL:
            for waiting, _ in self._waiting:
                self._leave(waiting, TAKEN_BACK)
            self._waiting.clear()
        elif operation == QUEUE_DEQUEUE and self._waiting:
            self._leave(self._waiting.pop(0)[0], DEQUEUED)
        elif operation == QUEUE_REMOVE and self._waiting:
            number = self._removed(content)
            if number is not None:
                self._leave(self._waiting.pop(number)[0], REMOVED)

    def _removed(self, content: str | None) -> int | None:
        if content is None or not content.strip():
            return len(self._waiting) - 1
        wanted = normalise(content)
        texts = [text for _, text in self._waiting]
        return texts.index(wanted) if wanted in texts else None

    def _leave(self, place: Place, outcome: str) -> None:
        if place in self.outcomes:
            self.outcomes[place] = outcome

    def _answer(self, one: TranscriptRecord) -> None:
        """One place of a later record answers one queue line, the oldest."""
        places = [
            lines
            for text in _spoken(one)
            if any(word in text for word in self._open) and (lines := _keys(text))
        ]
        words = {_first_word((line,)) for spoken in places for line in spoken}
        waiting = sorted(entry for word in words & self._open.keys() for entry in self._open[word])
        for entry in waiting:
            _, place, wanted = entry
            for index, spoken in enumerate(places):
                rest = _take(spoken, wanted)
                if rest is not None:
                    places[index : index + 1] = rest
                    self._close(entry)
                    self.returned.add(place)
                    break

    def _close(self, entry: tuple[int, Place, tuple[str, ...]]) -> None:
        word = _first_word(entry[2])
        self._open[word].remove(entry)
        if not self._open[word]:
            del self._open[word]


class LateLedger(QueueLedger):
    """Keeps no account before somebody asks for one: few do, and it is not cheap.

    Args:
        read: Gives the account.
    """

    def __init__(self, read: Callable[[], QueueLedger]) -> None:
        self._read = read

    def add(self, one: TranscriptRecord) -> None:
        """Take nothing into account."""

    def __getattr__(self, name: str) -> Any:
        if name not in ("outcomes", "returned"):
            raise AttributeError(name)
        account = self._read()
        self.outcomes, self.returned = account.outcomes, account.returned
        return getattr(account, name)


def _keys(text: str) -> tuple[str, ...]:
    """A prompt as normalised lines, blank ones dropped."""
    return tuple(line for line in map(normalise, text.split("\n")) if line)


def _first_word(lines: tuple[str, ...]) -> str:
    """What a text begins with: a cheap first comparison."""
    return lines[0].partition(" ")[0] if lines else ""


def _take(lines: tuple[str, ...], wanted: tuple[str, ...]) -> list[tuple[str, ...]] | None:
    """What is left of `lines` on both sides of `wanted`; None when it is not among them."""
    if " ".join(lines) == " ".join(wanted):  # the same words, broken into lines elsewhere
        return []
    for start in range(len(lines) - len(wanted) + 1):
        if lines[start : start + len(wanted)] == wanted:
            return [part for part in (lines[:start], lines[start + len(wanted) :]) if part]
    return None


def _spoken(one: TranscriptRecord) -> Iterable[str]:
    """The texts of a later record."""
    if one.type == "attachment":
        texts = [queue_text(one) or ""]
    elif isinstance(one.content, str):
        texts = [one.content]
    else:
        texts = [block.text or "" for block in one.blocks if is_text(block)]
    for text in texts:
        name = command_name(text)
        yield text if name is None else f"{name} {command_arguments(text) or ''}"


def _is_queued_command(one: TranscriptRecord) -> bool:
    return one.type == "attachment" and _prompt_text(one) is not None


def _prompt_text(one: TranscriptRecord) -> str | None:
    members = decode_members(one.record.attachment)
    if not members or "type" not in members or "prompt" not in members:
        return None
    if decode_text(members["type"]) != QUEUED_COMMAND:
        return None
    return _content_text(members["prompt"])


def _content_text(raw: Raw) -> str | None:
    """A string, or the text blocks of a list joined by newlines."""
    if not is_present(raw):
        return None
    content = decode_blocks(raw)
    if content is None or isinstance(content, str):
        return content
    texts = [block.text or "" for block in content if is_text(block)]
    return "\n".join(texts) if texts else None
