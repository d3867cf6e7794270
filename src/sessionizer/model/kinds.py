"""The fixed words of the structure. Each is explained in docs/glossary.md."""

from typing import Final

# Structure, outermost first.
CONVERSATION: Final = "conversation"
SEGMENT: Final = "segment"
SESSION: Final = "session"
STREAM: Final = "stream"
EPOCH: Final = "epoch"
TALK: Final = "talk"
RUN: Final = "run"
STRUCTURE_KINDS: Final = (CONVERSATION, SEGMENT, SESSION, STREAM, EPOCH, TALK, RUN)

# Steps.
MESSAGE_EXTERNAL: Final = "message.external"
MESSAGE_ASSISTANT: Final = "message.assistant"
MESSAGE_SYNTHETIC: Final = "message.synthetic"
CONTEXT_INJECTION: Final = "context.injection"
LLM_CALL: Final = "llm.call"
THINKING: Final = "thinking"
TOOL: Final = "tool"
AGENT_CALL: Final = "agent.call"
AGENT_LAUNCH_ACK: Final = "agent.launch_ack"
AGENT_OUTPUT: Final = "agent.output"
RUNTIME_NOTIFICATION: Final = "runtime.notification"
EPOCH_BOUNDARY: Final = "epoch.boundary"
EPOCH_SUMMARY: Final = "epoch.summary"
ERROR_API: Final = "error.api"
CONTROL_INTERRUPT: Final = "control.interrupt"
CONTROL_PERMISSION: Final = "control.permission"
CONTROL_COMMAND: Final = "control.command"
CONTROL_NOTICE: Final = "control.notice"
TURN_DURATION: Final = "turn.duration"
STEP_KINDS: Final = (
    MESSAGE_EXTERNAL,
    MESSAGE_ASSISTANT,
    MESSAGE_SYNTHETIC,
    CONTEXT_INJECTION,
    LLM_CALL,
    THINKING,
    TOOL,
    AGENT_CALL,
    AGENT_LAUNCH_ACK,
    AGENT_OUTPUT,
    RUNTIME_NOTIFICATION,
    EPOCH_BOUNDARY,
    EPOCH_SUMMARY,
    ERROR_API,
    CONTROL_INTERRUPT,
    CONTROL_PERMISSION,
    CONTROL_COMMAND,
    CONTROL_NOTICE,
    TURN_DURATION,
)

# Relations.
STARTS: Final = "starts"
REPORTS: Final = "reports"
ENDS_WITH: Final = "ends_with"
RESULT_OF: Final = "result_of"
FOLLOWS: Final = "follows"
SUMMARIZES: Final = "summarizes"
IN_SEGMENT: Final = "in_segment"
RETRIES: Final = "retries"
CANCELS: Final = "cancels"
INPUT_OF: Final = "input_of"
CONTINUES: Final = "continues"
RELATION_TYPES: Final = (
    STARTS,
    REPORTS,
    ENDS_WITH,
    RESULT_OF,
    FOLLOWS,
    SUMMARIZES,
    IN_SEGMENT,
    RETRIES,
    CANCELS,
    INPUT_OF,
    CONTINUES,
)

# How well a join is known, best first; `unresolved` and `conflict` stand apart.
EXACT_UNIQUE: Final = "exact_unique"
EXACT_AMBIGUOUS: Final = "exact_ambiguous"
STRONG_INFERENCE: Final = "strong_inference"
WEAK_INFERENCE: Final = "weak_inference"
UNRESOLVED: Final = "unresolved"
CONFLICT: Final = "conflict"
QUALITIES: Final = (
    EXACT_UNIQUE,
    EXACT_AMBIGUOUS,
    STRONG_INFERENCE,
    WEAK_INFERENCE,
    UNRESOLVED,
    CONFLICT,
)

# How a statement is held.
OBSERVED_REPLAYABLE: Final = "observed_replayable"
OBSERVED_REPORT_ONLY: Final = "observed_report_only"
PROPOSED: Final = "proposed"
UNAVAILABLE: Final = "unavailable"
CLAIM_STATES: Final = (OBSERVED_REPLAYABLE, OBSERVED_REPORT_ONLY, PROPOSED, UNAVAILABLE)

# How much of a content is present.
AVAILABLE: Final = "available"
REDACTED: Final = "redacted"
OMITTED: Final = "omitted"
HASH_ONLY: Final = "hash_only"
SIZE_ONLY: Final = "size_only"
TRUNCATED: Final = "truncated"
CONTENT_STATES: Final = (
    AVAILABLE,
    REDACTED,
    OMITTED,
    HASH_ONLY,
    SIZE_ONLY,
    TRUNCATED,
    UNAVAILABLE,
)

# Role of a stream, and its fixed name for the session's own transcript.
MAIN: Final = "main"
CHILD: Final = "child"
INTERNAL: Final = "internal"
STREAM_ROLES: Final = (MAIN, CHILD, INTERNAL, "auxiliary", "judge")

# What set a run going.
EXTERNAL: Final = "external"
NOTIFICATION: Final = "notification"
UNKNOWN: Final = "unknown"
TRIGGERS: Final = (EXTERNAL, NOTIFICATION, UNKNOWN)

# How much a call's token counts are worth.
USAGE_REPORTED: Final = "reported"
USAGE_PARTIAL: Final = "partial"
USAGE_STUB: Final = "stub"
USAGE_ABSENT: Final = "absent"
USAGE_STATES: Final = (USAGE_REPORTED, USAGE_PARTIAL, USAGE_STUB, USAGE_ABSENT)

# State of an entry of the unresolved catalogue.
OPEN: Final = "open"
RESOLVED: Final = "resolved"
TERMINAL: Final = "terminal"
UNRESOLVED_STATES: Final = (OPEN, RESOLVED, TERMINAL)
