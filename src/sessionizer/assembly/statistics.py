"""Counts of one assembly, each beside its denominator."""

from msgspec import Struct


class Statistics(Struct, frozen=True, kw_only=True):
    """How much there was, and how much of it could be joined.

    Attributes:
        entries: Canonical entries; with `duplicates`, `torn_tails` and `beyond` all entries.
        steps: Nodes of a step kind, `llm.call` not among them.
        calls_without_end: Calls of which no fragment states a stop reason.
        synthetic_messages: Calls that the client made itself.
        spawns: Statements that name a landed child.
        echoed_results: Records of internal agents that repeat another stream's results.
    """

    entries: int = 0
    duplicates: int = 0
    beyond: int = 0
    torn_tails: int = 0
    id_collisions: int = 0
    streams: int = 0
    epochs: int = 0
    talks: int = 0
    runs: int = 0
    steps: int = 0
    provider_calls: int = 0
    call_fragments: int = 0
    calls_without_end: int = 0
    synthetic_messages: int = 0
    tool_uses: int = 0
    tools_resolved: int = 0
    tools_unmatched: int = 0
    echoed_results: int = 0
    spawns: int = 0
    spawns_resolved: int = 0
    children_orphan: int = 0
    notifications: int = 0
    notify_unmatched: int = 0
    segments_open: int = 0
    segments_candidate: int = 0
