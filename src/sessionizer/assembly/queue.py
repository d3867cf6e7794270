"""Prompts that a person typed while the agent was at work, and what became of them.

A queue line says that a text entered or left the queue, and nothing more. A prompt whose
text comes back as a record is shown there; one that never comes back is shown from its queue
line, since it stands nowhere else.
"""

from collections import deque
from collections.abc import Iterable
from typing import Final

from msgspec import Struct

from sessionizer.index.entry import Entry, Position

DEQUEUED: Final = "dequeued"
REMOVED: Final = "removed"
TAKEN_BACK: Final = "taken_back"
WAITING: Final = "waiting"


class QueuedPrompt(Struct, frozen=True):
    """A prompt that stands in the queue lines only, and how it left the queue."""

    entry: Entry
    outcome: str


def find_queued_prompts(entries: Iterable[Entry]) -> tuple[QueuedPrompt, ...]:
    """The prompts among `entries`, one stream in source order, that nothing later repeats."""
    waiting: list[Entry] = []
    outcomes: dict[Position, str] = {}
    unanswered: dict[Position, Entry] = {}
    by_text: dict[str, deque[Entry]] = {}
    by_name: dict[str, deque[Entry]] = {}
    for entry in entries:
        if entry.queue:
            _move(entry, waiting, outcomes)
        if "queued" in entry.flags:
            unanswered[entry.position] = entry
            by_text.setdefault(entry.text_sha, deque()).append(entry)
            by_name.setdefault(_command_name(entry), deque()).append(entry)
            continue
        if "external_input" in entry.flags and entry.text_sha:
            _answer(by_text.get(entry.text_sha), unanswered)
        elif "command" in entry.flags and _command_name(entry):
            _answer(by_name.get(_command_name(entry)), unanswered)
    return tuple(
        QueuedPrompt(entry, outcomes.get(position, WAITING))
        for position, entry in unanswered.items()
    )


def _move(entry: Entry, waiting: list[Entry], outcomes: dict[Position, str]) -> None:
    """Apply one queue line to the list of what is waiting, notifications included."""
    operation = entry.queue
    if operation == "enqueue":
        waiting.append(entry)
        return
    if not waiting:
        return
    if operation == "dequeue":
        outcomes[waiting.pop(0).position] = DEQUEUED
    elif operation == "remove":
        number = _removed_number(entry, waiting)
        if number is not None:
            outcomes[waiting.pop(number).position] = REMOVED
    elif operation == "popAll":
        outcomes.update((left.position, TAKEN_BACK) for left in waiting)
        waiting.clear()


def _removed_number(entry: Entry, waiting: list[Entry]) -> int | None:
    if not entry.text_sha:
        return len(waiting) - 1
    for number, candidate in enumerate(waiting):
        if candidate.text_sha == entry.text_sha:
            return number
    return None


def _answer(candidates: deque[Entry] | None, unanswered: dict[Position, Entry]) -> None:
    """One later record answers one queue line, the oldest that is still unanswered."""
    while candidates:
        if unanswered.pop(candidates.popleft().position, None) is not None:
            return


def _command_name(entry: Entry) -> str:
    return next((block.name for block in entry.blocks if block.kind == "text" and block.name), "")
