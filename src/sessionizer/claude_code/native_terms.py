"""The words of the model, and what Claude Code calls the same thing.

A term whose word is None is derived: the runtime has no word for it. Where a term is both
a key of a record and a kind of node or relation, its entry is about the latter.
"""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

from msgspec import Struct


class NativeTerm(Struct, frozen=True, kw_only=True):
    """One word of the model.

    Attributes:
        term: The model's word.
        word: The runtime's field, record or marker; None when it has none.
        where: In what that word stands; empty when there is none.
        note: What a reader could get wrong; may be empty.
    """

    term: str
    word: str | None = None
    where: str = ""
    note: str = ""


def _native(term: str, word: str, where: str, note: str = "") -> NativeTerm:
    return NativeTerm(term=term, word=word, where=where, note=note)


def _derived(term: str, note: str = "") -> NativeTerm:
    return NativeTerm(term=term, note=note)


NATIVE_TERMS: Final = (
    # Keys of a record.
    _native("id", "uuid", "record"),
    _native("parent", "parentUuid", "record"),
    _native("call", "message.id", "record", "requestId, then uuid, where there is none"),
    _native(
        "batch", "toolUseResult.runId", "launch result of a workflow", "and the run's directory"
    ),
    _native("child", "toolUseResult.agentId", "launch result, journal"),
    _native("time", "timestamp", "record", "kept as written; lines are not in order of time"),
    _native("trigger", "origin.kind", "record, or its attachment"),
    # Structure.
    _derived("conversation", "given, not found; by default one session's id"),
    _derived("segment", "a window of activity between two long pauses"),
    _native("session", "sessionId", "record, name of the transcript"),
    _native("stream", "agentId", "child record", "the main stream is the session's transcript"),
    _derived("epoch", "between two resets of the context"),
    _derived("talk", "found from what triggered a run"),
    _native("run", "promptId", "record", "one agent loop per value"),
    # Steps.
    _native(
        "message.external",
        'origin.kind == "human"',
        "user record",
        "or a queued command in prompt mode; told by shape where no origin is stated",
    ),
    _native("message.assistant", "text block", "assistant record"),
    _native(
        "message.synthetic", 'message.model == "<synthetic>"', "assistant record", "the client's"
    ),
    _native("context.injection", "attachment", "attachment record"),
    _native("llm.call", "message.id", "assistant records that share it", "usually several records"),
    _native("thinking", "thinking block", "assistant record"),
    _native("tool", "tool_use + tool_result", "two records", "one step"),
    _native("agent.call", "Agent, Task, Skill or Workflow tool_use", "assistant record"),
    _native(
        "agent.launch_ack",
        'toolUseResult.status == "async_launched"',
        "tool result",
        "says that a child started; it is not the child's result",
    ),
    _derived("agent.output", "the last answer of a child"),
    _native("runtime.notification", "<task-notification>", "user record"),
    _native("epoch.boundary", "system/compact_boundary", "system record"),
    _native("epoch.summary", "isCompactSummary", "user record"),
    _native("error.api", "system/api_error", "system record"),
    _native(
        "control.interrupt", "toolUseResult.interrupted", "tool result", "not written as a step"
    ),
    _native("control.permission", "permission-mode", "record type", "not written as a step"),
    _native(
        "control.command", "system/local_command", "system record", "or a <command-name> wrapper"
    ),
    _native("turn.duration", "system/turn_duration", "system record", "measured by the runtime"),
    _native(
        "control.notice",
        "system/away_summary, bridge_status, informational, model_refusal_fallback",
        "system record",
        "and every other subtype",
    ),
    # Relations.
    _native("starts", "toolUseResult.agentId, or a run journal", "launch result"),
    _native("reports", "<task-notification>", "user record"),
    _derived("ends_with"),
    _native("result_of", "tool_use_id", "tool_result block", "not written as a relation"),
    _native("follows", "logicalParentUuid", "compact_boundary record"),
    _native("summarizes", "parentUuid", "isCompactSummary record"),
    _derived("in_segment"),
    _derived("retries", "the runtime does not say which call repeats which"),
    _native("cancels", "toolUseResult.interrupted", "tool result", "not written as a relation"),
    _derived("input_of", "what is sent to the provider is not written down"),
    _native(
        "continues",
        "forkedFrom.sessionId",
        "copied record",
        "from session to session; as a key of a record it is logicalParentUuid",
    ),
    # How well something is known.
    _derived("exact_unique", "an identifier names exactly one candidate"),
    _derived("exact_ambiguous", "an identifier names several candidates; none is chosen"),
    _derived("strong_inference", "follows from the structure, without an identifier"),
    _derived("weak_inference", "plausible"),
    _derived("unresolved", "nothing usable was found"),
    _derived("conflict", "sources disagree"),
    # How much of a content is there.
    _derived("available", "the bytes are in a landed record"),
    _native("redacted", "redacted_thinking", "content block"),
    _derived("omitted", "left out on purpose"),
    _derived("hash_only", "only a digest was kept"),
    _derived("size_only", "only a length was kept"),
    _derived("truncated", "a part, with the length of the whole"),
    _derived("unavailable", "never written, or removed since"),
    # What set something off.
    _native("external", 'origin.kind == "human"', "record", "also a run that states no origin"),
    _native("notification", 'origin.kind == "task-notification"', "record"),
    _derived("unknown", "no record states a trigger"),
    # Roles of a stream.
    _native("main", "<sessionId>.jsonl", "name of the transcript"),
    _native(
        "internal",
        "agent-acompact-*, agent-aprompt_suggestion-*, agent-aside_question-*",
        "name of the transcript",
        "the runtime's own agents; nobody asked for them",
    ),
    # Flags.
    _native("progress", "progress", "record type", "up to about 2.1.67"),
    _native("sidechain", "isSidechain", "record in a main transcript", "a child inside the file"),
    _derived("by_shape", "a person's message told by the form of its record"),
    _native("custom_title", "customTitle", "custom-title record or file"),
    _native("summary_title", "summary", "summary record", "may name another session's leaf"),
    _native("queued", 'operation == "enqueue"', "queue-operation record"),
    # What token counts are worth.
    _native("reported", "message.stop_reason", "assistant record", "a fragment states one"),
    _derived("partial", "counts without a stop reason"),
    _derived("stub", "a placeholder: fewer tokens than the text needs"),
    _derived("absent", "no usage was written"),
    # Attributes.
    _derived("inherited_from", "the session that a copied call or talk belongs to"),
    _native(
        "carried", "agent_progress", "progress record", "the child's only copy is in its parent"
    ),
    _native("queue", "operation", "queue-operation record", "what became of a waiting prompt"),
    _derived("quality", "how well the attribute beside it is known"),
    _derived("title_by", "who gave the title: a person, the runtime, or a summary"),
    _derived("same_call", "the call that stands in another stream too"),
    _derived("elsewhere", "a session that is not part of this conversation"),
)

_BY_TERM: Final[Mapping[str, NativeTerm]] = MappingProxyType(
    {native.term: native for native in NATIVE_TERMS}
)


def find_native_term(term: str) -> NativeTerm | None:
    """The entry of `term`; None when this dialect has none."""
    return _BY_TERM.get(term)
