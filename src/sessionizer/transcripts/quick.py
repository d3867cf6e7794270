"""Read the facts of ordinary lines without decoding their texts.

Most lines are an agent's blocks and the results of its tools. Of those a file's account needs
ids and types only, which a typed decode gives several times faster than a whole one. A line
with anything unusual is left to the slow path, and the two must agree on every line: a law in
the tests.
"""

import msgspec
from msgspec import Raw, Struct

from sessionizer.claude_code.markers import REJECTION
from sessionizer.transcripts.gates import Gates
from sessionizer.transcripts.labels import (
    BOUNDARY_SUBTYPE,
    SNAPSHOT_TYPES,
    SPAWN_TOOLS,
)
from sessionizer.transcripts.lanes import Fact
from sessionizer.transcripts.openers import may_answer
from sessionizer.transcripts.reading import PhysicalLine
from sessionizer.transcripts.taxonomy import BOUNDARY, SNAPSHOT

PLAN_TOOL = "ExitPlanMode"
_USES = ("tool_use", "server_tool_use")
_REJECTION = REJECTION.partition("'")[2].encode()
# Lines of these types are records only behind a gate, or tell nothing about where records are.
_IDLE = frozenset(
    {
        "ai-title",
        "custom-title",
        "last-prompt",
        "mode",
        "permission-mode",
        "summary",
        "agent-name",
        "cost-state",
    }
)


class _Block(Struct, frozen=True, gc=False):
    type: str = ""
    id: str | None = None
    name: str | None = None
    tool_use_id: str | None = None
    is_error: bool | None = None
    content: Raw = Raw(b"")


class _Message(Struct, frozen=True, gc=False):
    role: str | None = None
    content: list[_Block] | str | None = None


class _Typed(Struct, frozen=True, gc=False):
    type: str | None = None


class _Result(Struct, frozen=True, gc=False):
    answers: Raw = Raw(b"")
    response: Raw = Raw(b"")


class _Line(Struct, frozen=True, rename="camel", gc=False):
    parent_uuid: str | None = None
    is_sidechain: bool | None = None
    agent_id: str | None = None
    type: str | None = None
    subtype: str | None = None
    message: _Message | None = None
    is_compact_summary: bool | None = None
    uuid: str | None = None
    timestamp: str | None = None
    tool_use_result: _Result | str | list[Raw] | None = None
    attachment: _Typed | None = None
    csift: Raw = Raw(b"")


_DECODER = msgspec.json.Decoder(_Line)


class QuickFact(Struct, frozen=True, gc=False):
    """An ordinary record's fact, and the tools it calls and answers.

    Attributes:
        fact: None when the line is well formed and no record.
        calls: Id and name of each tool use.
        answers: Ids of the uses that results answer.
    """

    fact: Fact | None
    calls: tuple[tuple[str, str], ...] = ()
    answers: tuple[str, ...] = ()


NOTHING = QuickFact(None)


class QuickReader:
    """Reads lines of one kind of file. `read` returns None for a line it will not judge."""

    def __init__(self, gates: Gates) -> None:
        self._attachments = gates.attachments or gates.hook_context
        self._systems = bool(gates.leaves - {BOUNDARY})
        self._boundary = BOUNDARY in gates.leaves
        self._snapshots = SNAPSHOT in gates.leaves
        self._tools: dict[str, str] = {}

    def read(self, line: PhysicalLine) -> QuickFact | None:
        """The fact of an ordinary line."""
        body = line.body
        try:
            found = _DECODER.decode(body)
            if not body.isascii():
                body.decode()
        except (msgspec.DecodeError, RecursionError, UnicodeDecodeError):
            return None
        kind = found.type
        if kind == "assistant":
            return self._read_assistant(line, found)
        if kind == "user":
            return self._read_result(line, found)
        if kind in _IDLE:
            return NOTHING
        if kind == "attachment":
            return self._read_attachment(found)
        if kind == "system" and not self._systems:
            is_boundary = found.subtype == BOUNDARY_SUBTYPE
            return None if is_boundary and self._boundary else NOTHING
        if kind in SNAPSHOT_TYPES and not self._snapshots:
            return NOTHING
        return None

    def _read_attachment(self, found: _Line) -> QuickFact | None:
        if self._attachments or found.attachment is None:
            return None
        return None if found.attachment.type in (None, "queued_command") else NOTHING

    def _read_assistant(self, line: PhysicalLine, found: _Line) -> QuickFact | None:
        message = found.message
        if message is None or message.role != "assistant" or not isinstance(message.content, list):
            return None
        calls = []
        for block in message.content:
            if block.type in _USES and block.id:
                if block.name == PLAN_TOOL:
                    return None
                calls.append((block.id, block.name or ""))
            elif block.type.endswith("tool_result"):
                return None
        if bytes(found.csift):
            return None
        self._tools.update(calls)
        return QuickFact(_make_fact(line, found), tuple(calls))

    def _read_result(self, line: PhysicalLine, found: _Line) -> QuickFact | None:
        message = found.message
        if message is None or message.role != "user" or found.is_compact_summary:
            return None
        if not isinstance(message.content, list) or bytes(found.csift):
            return None
        result = found.tool_use_result
        if isinstance(result, _Result) and (bytes(result.answers) or bytes(result.response)):
            return None
        answers = []
        for block in message.content:
            if block.type != "tool_result" or may_answer(block.content):
                return None
            if block.is_error and _may_reject(block.content):
                return None
            call = block.tool_use_id or ""
            if self._tools.get(call) in (None, *SPAWN_TOOLS):
                return None
            answers.append(call)
        if not answers:
            return None
        return QuickFact(_make_fact(line, found), (), tuple(answers))


def _may_reject(content: Raw) -> bool:
    """Whether an error may be a person's refusal, the apostrophe in it escaped or not."""
    body = bytes(content)
    return _REJECTION in body or b"\\u00" in body


def _make_fact(line: PhysicalLine, found: _Line) -> Fact:
    return Fact(
        opens=False,
        uuid=found.uuid or "",
        parent=found.parent_uuid or "",
        line=line.number,
        offset=line.offset,
        size=len(line.body),
        timestamp=found.timestamp,
        type=found.type or "",
        sidechain=bool(found.is_sidechain),
        agent=found.agent_id or "",
    )
