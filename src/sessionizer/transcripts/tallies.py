"""What is counted of one transcript. Values only."""

from collections.abc import Mapping

from msgspec import Struct


class Call(Struct, frozen=True, kw_only=True, array_like=True, gc=False):
    """One provider call, as far as one file tells.

    Attributes:
        digest: Of its key and model: equal for copies in other files; 0 without a key.
        model: `(unknown)` when no record says.
        state: `reported`, `partial`, `stub` or `absent`.
        input, output, cache_read, cache_write: Tokens; what nobody stated is 0.
        at_ns: The earliest time of its records; None when undated.
    """

    digest: int
    model: str
    state: str
    input: int
    output: int
    cache_read: int
    cache_write: int
    at_ns: int | None


class Kind(Struct, frozen=True, kw_only=True, array_like=True):
    """What one record adds to the counts. Many records of a file are of one kind.

    Attributes:
        type: `user`, `assistant`, or empty for another one.
        is_summary: It is the summary after a reset.
        tools: Names of the tools it calls, one per call.
        model: Of its narration; empty without any.
        narrations: Narration blocks.
        tags: Tags of thinking blocks that are no narration.
    """

    type: str
    is_summary: bool = False
    tools: tuple[str, ...] = ()
    model: str = ""
    narrations: int = 0
    tags: tuple[str, ...] = ()


class Instant(Struct, frozen=True, array_like=True, gc=False):
    """A record's time: in nanoseconds, and as it stands in the record."""

    ns: int
    text: str


class Tally(Struct, frozen=True, kw_only=True):
    """The counts of one transcript.

    Attributes:
        lines, line_types: Of the whole file, whatever the window.
        kinds: The kinds of its records in the window.
        record_kinds: The kind of each such record, 4 bytes each.
        record_digests: Of uuid and time of each such record, 8 bytes each; 0 without uuid.
        turn_digests: Of the opener of each turn that is counted, 8 bytes each; 0 without one.
        calls: Provider calls.
        replayed: Records that only repeat another one, of this file or of the agent's own.
        first, last: The earliest and the latest time in the window.
        reported_cost: The program's own running totals, JSON as stored; empty without.
        skipped, repaired, recovered: See `Damage`.
    """

    lines: int
    line_types: Mapping[str, int]
    kinds: tuple[Kind, ...]
    record_kinds: bytes
    record_digests: bytes
    turn_digests: bytes
    calls: tuple[Call, ...]
    replayed: int
    first: Instant | None
    last: Instant | None
    reported_cost: bytes
    skipped: int
    repaired: int
    recovered: int
