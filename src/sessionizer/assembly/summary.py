"""The conversation in numbers, for the header of a round: a list needs no fold."""

from collections.abc import Iterable

from msgspec import Struct

from sessionizer.assembly.calls import Calls
from sessionizer.assembly.inheritance import Inheritance
from sessionizer.assembly.places import position_of, reference_to
from sessionizer.assembly.statistics import Statistics
from sessionizer.assembly.titles import Title
from sessionizer.assembly.usage import Tokens
from sessionizer.base.instants import format_instant_ns
from sessionizer.index.entry import Entry
from sessionizer.model.kinds import MESSAGE_EXTERNAL, TALK, USAGE_PARTIAL, USAGE_STUB
from sessionizer.model.nodes import Entities, Node, Reference


class Summary(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """The state of a conversation. A count of 0 and an empty text are not written.

    Attributes:
        title_by: `custom`, `runtime` or `summary`.
        ask: Position of the first input of a person.
        first, last: Smallest and largest time of any record, RFC 3339 UTC.
        talks: Without inherited ones, which `talks_inherited` counts.
        open: Unresolved entries.
        tokens: Sum over calls, None when it is 0; without inherited calls, which
            `tokens_inherited` adds up.
        at_least: Calls in `tokens` whose usage is partial or a stub: the sum is a lower bound.
    """

    title: str = ""
    title_by: str = ""
    ask: Reference | None = None
    first: str = ""
    last: str = ""
    records: int = 0
    streams: int = 0
    talks: int = 0
    talks_inherited: int = 0
    runs: int = 0
    steps: int = 0
    calls: int = 0
    tools: int = 0
    open: int = 0
    tokens: Tokens | None = None
    tokens_inherited: Tokens | None = None
    at_least: int = 0


def summarise(
    entities: Entities,
    statistics: Statistics,
    *,
    entries: Iterable[Entry],
    calls: Calls,
    title: Title | None,
    ask: Entry | None,
    inheritance: Inheritance,
) -> Summary:
    """The summary of one assembly."""
    times = [entry.time_ns for entry in entries if entry.time_ns]
    inherited_talks = sum(_is_inherited_talk(node) for node in entities.nodes)
    own, inherited, at_least = Tokens(), Tokens(), 0
    for call in calls.calls:
        if not call.counted:
            continue
        if inheritance.owner_of_call(call.key):
            inherited += call.usage.tokens
        else:
            own += call.usage.tokens
            at_least += call.usage.state in (USAGE_PARTIAL, USAGE_STUB)
    return Summary(
        title=title.text if title else "",
        title_by=title.given_by if title else "",
        ask=reference_to(ask) if ask else None,
        first=format_instant_ns(min(times)) if times else "",
        last=format_instant_ns(max(times)) if times else "",
        records=statistics.entries,
        streams=statistics.streams,
        talks=statistics.talks - inherited_talks,
        talks_inherited=inherited_talks,
        runs=statistics.runs,
        steps=statistics.steps,
        calls=statistics.provider_calls,
        tools=statistics.tool_uses,
        open=len(entities.unresolved),
        tokens=own if own.named() else None,
        tokens_inherited=inherited if inherited.named() else None,
        at_least=at_least,
    )


def find_ask(entries: Iterable[Entry], nodes: Iterable[Node]) -> Entry | None:
    """The entry of the first input of a person, in the order of `entries`."""
    asked = {position_of(node.ref) for node in nodes if node.kind == MESSAGE_EXTERNAL and node.ref}
    return next((entry for entry in entries if entry.position in asked), None) if asked else None


def _is_inherited_talk(node: Node) -> bool:
    return node.kind == TALK and "inherited_from" in node.attrs
