"""What the page is told of the agent's own words: the dialect, as neutral values."""

from sessionizer.adapters.claude_code_local.contract import DIALECT
from sessionizer.claude_code import measurements
from sessionizer.claude_code.native_terms import NATIVE_TERMS
from sessionizer.views.native import (
    JournalWords,
    NativeWords,
    Term,
    ToolDuration,
    TotalsWords,
)


def page_words() -> NativeWords:
    """The words of the dialect whose records are kept today."""
    return NativeWords(
        dialect=DIALECT,
        terms={
            term.term: Term(native=term.word or "", where=term.where, note=term.note)
            for term in NATIVE_TERMS
        },
        turn_duration_ms=measurements.TURN_DURATION_KEY,
        tool_durations=tuple(
            ToolDuration(tool, key, unit_ms) for tool, key, unit_ms in measurements.TOOL_DURATIONS
        ),
        journal=JournalWords(
            type_key=measurements.JOURNAL_TYPE_KEY,
            type_result=measurements.JOURNAL_RESULT_TYPE,
            result=measurements.JOURNAL_RESULT_KEY,
            names=measurements.JOURNAL_NAME_KEYS,
            claims=measurements.JOURNAL_CLAIMS_KEY,
            claim=measurements.JOURNAL_CLAIM_KEY,
        ),
        totals=TotalsWords(
            record_type=measurements.TOTALS_TYPE,
            models=measurements.TOTALS_MODELS_KEY,
            counters=dict(measurements.TOTALS_COUNTER_KEYS),
        ),
        quiet_injections=measurements.QUIET_INJECTIONS,
        command_arguments=measurements.COMMAND_ARGUMENTS_TAG,
    )
