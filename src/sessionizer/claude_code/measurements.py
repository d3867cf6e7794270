"""What the runtime measured itself, and where it wrote the figure down.

Everything else that looks like a duration is a distance between two records.
"""

from typing import Final

# In a `turn_duration` record: milliseconds.
TURN_DURATION_KEY: Final = "durationMs"
# Tool name, key in its structured result, milliseconds per unit.
TOOL_DURATIONS: Final = (
    ("WebFetch", "durationMs", 1),
    ("WebSearch", "durationSeconds", 1_000),
    ("Agent", "totalDurationMs", 1),
    ("Task", "totalDurationMs", 1),
)
# A line of a workflow's journal with what a child returned, and what of it names the child.
JOURNAL_TYPE_KEY: Final = "type"
JOURNAL_RESULT_TYPE: Final = "result"
JOURNAL_RESULT_KEY: Final = "result"
JOURNAL_NAME_KEYS: Final = ("surface", "summary", "verdict")
JOURNAL_CLAIMS_KEY: Final = "refuted_claims"
JOURNAL_CLAIM_KEY: Final = "claim"
# A record with the program's own running totals; the last one counts.
TOTALS_TYPE: Final = "cost-state"
TOTALS_MODELS_KEY: Final = "modelUsage"
TOTALS_COUNTER_KEYS: Final = (
    ("in", "inputTokens"),
    ("out", "outputTokens"),
    ("cache_read", "cacheReadInputTokens"),
    ("cache_write", "cacheCreationInputTokens"),
)
# The tag around what a person typed after the name of a slash command.
COMMAND_ARGUMENTS_TAG: Final = "command-args"
# Injected texts that open like this say nothing about the talk they stand in.
QUIET_INJECTIONS: Final = ('{"type":"deferred_tools_delta"',)
