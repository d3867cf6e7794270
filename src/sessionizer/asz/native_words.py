"""What the page has to know of Claude Code's records, for the views that know no agent."""

from typing import Final

from sessionizer.adapters.claude_code_local.contract import DIALECT
from sessionizer.claude_code.native_terms import NATIVE_TERMS
from sessionizer.views.native import JournalWords, NativeWords, Term, ToolDuration

NATIVE_WORDS: Final = NativeWords(
    dialect=DIALECT,
    terms={term.term: Term(term.word or "", term.where, term.note) for term in NATIVE_TERMS},
    turn_duration_ms="durationMs",
    # The only tools whose results say how long they ran.
    tool_durations=(
        ToolDuration("WebFetch", "durationMs"),
        ToolDuration("WebSearch", "durationSeconds", unit_ms=1000),
        ToolDuration("Agent", "totalDurationMs"),
        ToolDuration("Task", "totalDurationMs"),
    ),
    journal=JournalWords(
        type_key="type",
        type_result="result",
        result="result",
        names=("surface", "summary", "verdict"),
        claims="refuted_claims",
        claim="claim",
    ),
    quiet_injections=('{"type":"deferred_tools_delta"',),
)
