"""What the page has to know of one agent's records, given to it as values.

The views know no agent. A program that serves a page fills these in from the dialect whose
records it shows; left empty, nothing is measured, named or explained.
"""

from msgspec import Struct


class Term(Struct, frozen=True):
    """One word of the model: the agent's own word (empty when it has none), where, a note."""

    native: str = ""
    where: str = ""
    note: str = ""


class ToolDuration(Struct, frozen=True):
    """A duration that the runtime wrote into the structured result of a tool.

    Attributes:
        tool: The tool's name.
        key: Number in the structured result.
        unit_ms: Milliseconds per unit of that number.
    """

    tool: str
    key: str
    unit_ms: int = 1


class JournalWords(Struct, frozen=True, kw_only=True):
    """Where a line of a run journal holds what a child returned, and what names it.

    Attributes:
        type_key, type_result: Key and value that tell a line with a result.
        result: Key of the result.
        names: Keys of the result that may name the child, in order.
        claims, claim: Key of a list in the result, and key of the text in its first object.
    """

    type_key: str = ""
    type_result: str = ""
    result: str = ""
    names: tuple[str, ...] = ()
    claims: str = ""
    claim: str = ""


class TotalsWords(Struct, frozen=True, kw_only=True):
    """Where the runtime states what a session has spent so far.

    Attributes:
        record_type: The type that such a record states.
        models: Key of an object with an object of counters per model.
        counters: Key of each counter, by `in`, `out`, `cache_read`, `cache_write`.
    """

    record_type: str = ""
    models: str = ""
    counters: dict[str, str] = {}


class NativeWords(Struct, frozen=True, kw_only=True):
    """Everything the page knows of one dialect.

    Attributes:
        terms: By word of the model.
        turn_duration_ms: Key of the measured milliseconds in the record of a turn's duration.
        quiet_injections: Openings of injected texts that say nothing about a talk.
        command_arguments: Name of the tag around what was typed after a command's name.
    """

    dialect: str = ""
    terms: dict[str, Term] = {}
    turn_duration_ms: str = ""
    tool_durations: tuple[ToolDuration, ...] = ()
    journal: JournalWords = JournalWords()
    totals: TotalsWords = TotalsWords()
    quiet_injections: tuple[str, ...] = ()
    command_arguments: str = ""
