"""What talks and streams are called, and what became of tools: read from landed records.

Nothing of it is stored in rounds. A text that was read once is remembered, since landed
records never change.
"""

from collections.abc import Iterable, Iterator
from typing import Final

import msgspec
from msgspec import Struct

from sessionizer.base.text import clip_utf8, normalise
from sessionizer.index.readable import data_object, readable_text
from sessionizer.landing.record import Row
from sessionizer.model import kinds
from sessionizer.model.nodes import Node
from sessionizer.views.evidence import Evidence, decode_row
from sessionizer.views.facts import Facts
from sessionizer.views.native import JournalWords, NativeWords
from sessionizer.views.outline import Outline, Position, is_main, opener_of
from sessionizer.views.texts import WHOLE, OwnText, Quote, own_text, quote

JOURNAL_NAME_BYTES: Final = 160
INJECTIONS_TRIED: Final = 3
NAMED_BY_JOURNAL: Final = "journal"
_REPLIES: Final = frozenset({kinds.MESSAGE_ASSISTANT, kinds.AGENT_OUTPUT})
_NOTHING: Final = Quote("", 0)


class StreamName(Struct, frozen=True):
    """What a stream is called; `named_by` is `journal` when that is where it comes from."""

    label: str = ""
    named_by: str = ""


class Names(Struct, frozen=True, kw_only=True):
    """Names and outcomes of one conversation.

    Attributes:
        labels, replies: By talk; a talk without one is left out.
        streams: By stream name.
        failed: Number of tools whose result says that it failed, by talk.
    """

    labels: dict[str, Quote]
    replies: dict[str, Quote]
    streams: dict[str, StreamName]
    failed: dict[str, int]

    def of_stream(self, name: str) -> StreamName:
        """The name of a stream; an empty one when it has none."""
        return self.streams.get(name, StreamName())


class Memory:
    """What was read of records before: it holds for every later round too."""

    def __init__(self) -> None:
        self.texts: dict[tuple[Position, int], Quote] = {}
        self.failures: dict[Position, frozenset[int]] = {}
        self.journal_names: dict[Position, str] = {}


class _Outcome(Struct, frozen=True, gc=False):
    """Only what tells whether a result failed; the rest of a part is skipped."""

    k: str = ""
    failed: bool | None = None


class _Outcomes(Struct, frozen=True):
    parts: tuple[_Outcome, ...] = ()


_OUTCOMES: Final = msgspec.json.Decoder(_Outcomes)


class _Sought(Struct, frozen=True):
    """A text that may name something: the node it is of, or a bare position."""

    position: Position
    node: Node | None = None

    @property
    def key(self) -> tuple[Position, int]:
        """Two texts of one record differ by their part."""
        block = None if self.node is None or self.node.ref is None else self.node.ref.block
        return (self.position, -1 if block is None else block)


def read_names(
    outline: Outline, facts: Facts, evidence: Evidence, words: NativeWords, memory: Memory
) -> Names:
    """Read what `memory` does not know yet, in one pass per landed file, and name everything."""
    labels = {talk.id: tuple(_label_candidates(outline, facts, talk)) for talk in outline.talks}
    replies = {talk.id: _reply_of(outline, talk) for talk in outline.talks}
    unnamed = [stream for stream in outline.streams if not stream.attrs.get("label")]
    journal = {
        stream.stream or "": facts.journal.get(stream.stream or "", ()) for stream in unnamed
    }
    results = {talk.id: tuple(_results(outline, talk)) for talk in outline.talks}
    sought = {found.key: found for group in labels.values() for found in group}
    sought |= {found.key: found for found in replies.values() if found is not None}
    _read(
        evidence,
        words,
        memory,
        texts=sought.values(),
        outcomes=(position for group in results.values() for position, _ in group),
        journal=(position for group in journal.values() for position in group),
    )
    return Names(
        labels={
            talk: label
            for talk, group in labels.items()
            if (label := _choose_label(group, words, memory)).text
        },
        replies={
            talk: memory.texts.get(found.key, _NOTHING)
            for talk, found in replies.items()
            if found is not None
        },
        streams={
            stream.stream or "": _name_stream(stream, journal, memory) for stream in outline.streams
        },
        failed={
            talk: sum(block in memory.failures.get(position, ()) for position, block in group)
            for talk, group in results.items()
        },
    )


def name_from_journal(row: Row, words: JournalWords) -> str:
    """The name that a line of a run journal gives to its child; empty when it gives none.

    White space is collapsed; a name above 160 bytes is cut and ends in an ellipsis.
    """
    for part in row.parts:
        line = data_object(part)
        result = line.get(words.result)
        if line.get(words.type_key) != words.type_result or not isinstance(result, dict):
            continue
        found = (result.get(key) for key in words.names)
        name = next((value for value in found if isinstance(value, str) and value.strip()), "")
        if not name:
            continue
        claim = _first_claim(result, words)
        whole = normalise(f"{name} \u00b7 {claim}" if claim else name)
        clipped = clip_utf8(whole, JOURNAL_NAME_BYTES)
        return whole if clipped == whole else f"{clipped}\u2026"
    return ""


def _first_claim(result: dict[str, object], words: JournalWords) -> str:
    claims = result.get(words.claims)
    first = claims[0] if isinstance(claims, list) and claims else None
    claim = first.get(words.claim) if isinstance(first, dict) else None
    return claim if isinstance(claim, str) else ""


def _label_candidates(outline: Outline, facts: Facts, talk: Node) -> Iterator[_Sought]:
    """Where the label of a talk may stand, best first."""
    opener = opener_of(outline, talk)
    is_message = opener is not None and opener.kind == kinds.MESSAGE_EXTERNAL
    if opener is not None and opener.ref is not None and is_message:
        yield _Sought(outline.position(opener.ref), opener)
        return
    prompt = _prompt_of(outline, facts, talk)
    if prompt is not None:
        yield _Sought(prompt)
    steps = [placed.node for placed in outline.steps[talk.id]]
    injections = [step for step in steps if step.kind == kinds.CONTEXT_INJECTION]
    for step in (opener, *injections[:INJECTIONS_TRIED]):
        if step is not None and step.ref is not None:
            yield _Sought(outline.position(step.ref), step)


def _prompt_of(outline: Outline, facts: Facts, talk: Node) -> Position | None:
    """The delegated prompt of a child's talk, which is no step."""
    stream = outline.stream_named.get(talk.stream or "")
    if stream is None or is_main(stream):
        return None
    known = facts.prompts.get(talk.stream or "")
    if known is not None or stream.ref is None:
        return known
    return outline.position(stream.ref)  # a stream cut out of its parent's file


def _choose_label(group: tuple[_Sought, ...], words: NativeWords, memory: Memory) -> Quote:
    for found in group:
        text = memory.texts.get(found.key, _NOTHING)
        is_injection = found.node is not None and found.node.kind == kinds.CONTEXT_INJECTION
        if text.text and not (is_injection and _is_quiet(text.text, words)):
            return text
    return _NOTHING


def _is_quiet(text: str, words: NativeWords) -> bool:
    return text.lstrip().startswith(words.quiet_injections)


def _reply_of(outline: Outline, talk: Node) -> _Sought | None:
    for placed in reversed(outline.steps[talk.id]):
        node = placed.node
        if node.kind in _REPLIES and node.ref is not None:
            return _Sought(outline.position(node.ref), node)
    return None


def _results(outline: Outline, talk: Node) -> Iterator[tuple[Position, int]]:
    """Positions and parts that hold the result of a tool of the talk."""
    for placed in outline.steps[talk.id]:
        node = placed.node
        if node.kind in (kinds.TOOL, kinds.AGENT_CALL) and len(node.refs) > 1:
            ref = node.refs[1]
            if ref.block is not None:
                yield outline.position(ref), ref.block


def _name_stream(
    stream: Node, journal: dict[str, tuple[Position, ...]], memory: Memory
) -> StreamName:
    label = stream.attrs.get("label")
    if isinstance(label, str) and label:
        return StreamName(label)
    for position in journal.get(stream.stream or "", ()):
        name = memory.journal_names.get(position)
        if name:
            return StreamName(name, NAMED_BY_JOURNAL)
    return StreamName()


def _read(
    evidence: Evidence,
    words: NativeWords,
    memory: Memory,
    *,
    texts: Iterable[_Sought],
    outcomes: Iterable[Position],
    journal: Iterable[Position],
) -> None:
    """Put into `memory` what it does not hold."""
    new_texts: dict[Position, list[_Sought]] = {}
    for found in texts:
        if found.key not in memory.texts:
            new_texts.setdefault(found.position, []).append(found)
    new_outcomes = {position for position in outcomes if position not in memory.failures}
    new_journal = {position for position in journal if position not in memory.journal_names}
    for position, line in evidence.iter_lines(new_texts.keys() | new_outcomes | new_journal):
        if position in new_outcomes:
            memory.failures[position] = _failed_parts(line)
        if position not in new_texts and position not in new_journal:
            continue
        row = decode_row(line)
        if row is None:
            continue
        if position in new_journal:
            memory.journal_names[position] = name_from_journal(row, words.journal)
        for found in new_texts.get(position, ()):
            memory.texts[found.key] = _text(row, found.node, words)


def _text(row: Row, node: Node | None, words: NativeWords) -> Quote:
    if node is None or node.kind in (kinds.MESSAGE_EXTERNAL, kinds.CONTEXT_INJECTION):
        readable = readable_text(row)
        if readable or node is None:
            return quote(readable)
    own = own_text(row, node, words)
    if node.kind == kinds.CONTROL_COMMAND:
        return quote(_typed_command(own, row, node, words))
    return Quote(own.text, max(own.bytes, len(own.text.encode())))


def _typed_command(own: OwnText, row: Row, node: Node, words: NativeWords) -> str:
    """A command as it was typed: its name, and what was given to it where the record marks that."""
    mark = words.command_arguments
    if not own.name or not mark:
        return own.name
    whole = own_text(row, node, words, WHOLE).text
    _, opened, rest = whole.partition(f"<{mark}>")
    arguments, closed, _ = rest.rpartition(f"</{mark}>")
    return f"{own.name} {arguments.strip()}".strip() if opened and closed else own.name


def _failed_parts(line: bytes) -> frozenset[int]:
    try:
        parts = _OUTCOMES.decode(line).parts
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError):
        return frozenset()
    return frozenset(
        number for number, part in enumerate(parts) if part.k == "result" and part.failed
    )
