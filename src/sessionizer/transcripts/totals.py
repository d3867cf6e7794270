"""Add up the counts of transcripts, so that what stands in several of them counts once. Pure."""

from array import array
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence

from msgspec import Struct

from sessionizer.model.kinds import USAGE_ABSENT, USAGE_PARTIAL, USAGE_REPORTED, USAGE_STUB
from sessionizer.transcripts.tallies import Call, Kind, Tally

STATES = (USAGE_REPORTED, USAGE_PARTIAL, USAGE_STUB, USAGE_ABSENT)
_RANK = {state: rank for rank, state in enumerate(STATES)}

Copy = tuple[int, Call]  # which tally, and the call as it stands there


class Tokens(Struct, frozen=True, kw_only=True):
    """Tokens of some calls."""

    input: int = 0
    output: int = 0
    cache_read: int = 0
    cache_write: int = 0


class Counts(Struct, frozen=True, kw_only=True):
    """What records and calls add up to.

    Attributes:
        user, assistant: Records.
        turns: Turns.
        compactions: Summaries after a reset.
        tools: Calls by name of the tool.
        narrations: Narration blocks by model.
        tags: Thinking blocks by a tag that is no narration.
        tokens: By model, of calls that state any.
        calls: By model, and there by state of their usage; every state is named.
    """

    user: int
    assistant: int
    turns: int
    compactions: int
    tools: Mapping[str, int]
    narrations: Mapping[str, int]
    tags: Mapping[str, int]
    tokens: Mapping[str, Tokens]
    calls: Mapping[str, Mapping[str, int]]

    def state_count(self, *states: str, model: str | None = None) -> int:
        """How many calls, of one model or of all, are in any of some states."""
        models = self.calls.values() if model is None else (self.calls.get(model, {}),)
        return sum(counts.get(state, 0) for counts in models for state in states)

    @property
    def is_at_least(self) -> bool:
        """Whether tokens may be more than the sums say: some calls state them in part or not."""
        return self.state_count(USAGE_PARTIAL, USAGE_STUB, USAGE_ABSENT) > 0


def count_tally(tally: Tally) -> Counts:
    """The counts of one transcript for itself."""
    numbers = Counter(array("I", tally.record_kinds))
    kinds = {tally.kinds[number]: count for number, count in numbers.items()}
    return _fold(kinds, len(tally.turn_digests) // 8, tally.calls)


def count_total(tallies: Sequence[Tally], counted: Iterable[Call]) -> Counts:
    """The counts of several transcripts together; a record or turn with an id counts once.

    Args:
        tallies: In any order.
        counted: The calls that count, see `choose_calls`.
    """
    kinds: dict[Kind, int] = {}
    seen: set[int] = set()
    turns: set[int] = set()
    anonymous = 0
    for tally in tallies:
        numbers = array("I", tally.record_kinds)
        fresh: Counter[int] = Counter()
        for number, digest in zip(numbers, array("Q", tally.record_digests), strict=True):
            if digest:
                if digest in seen:
                    continue
                seen.add(digest)
            fresh[number] += 1
        for number, count in fresh.items():
            kind = tally.kinds[number]
            kinds[kind] = kinds.get(kind, 0) + count
        openers = array("Q", tally.turn_digests)
        turns.update(openers)
        anonymous += openers.count(0)
    return _fold(kinds, len(turns - {0}) + anonymous, counted)


def find_shared(tallies: Sequence[Tally]) -> dict[int, list[Copy]]:
    """The copies of every call that stands in more than one file, by its digest."""
    first: dict[int, int] = {}
    shared: dict[int, list[Copy]] = {}
    for number, tally in enumerate(tallies):
        for call in tally.calls:
            if call.digest and first.setdefault(call.digest, number) != number:
                shared[call.digest] = []
    for number, tally in enumerate(tallies) if shared else ():
        for call in tally.calls:
            if call.digest in shared:
                shared[call.digest].append((number, call))
    return shared


def find_tied(shared: Mapping[int, Sequence[Copy]]) -> frozenset[int]:
    """The tallies with copies of a call that are equally complete: their ages decide."""
    tied: set[int] = set()
    for copies in shared.values():
        best = min(map(_worth, copies))
        equal = [number for number, call in copies if _worth((number, call)) == best]
        if len(equal) > 1:
            tied.update(equal)
    return frozenset(tied)


def choose_calls(
    tallies: Sequence[Tally], shared: Mapping[int, Sequence[Copy]], ages: Mapping[int, int]
) -> tuple[list[Call], list[int]]:
    """The calls that count once all copies are known, and how many of each tally do not.

    Of copies the most complete counts: the best state, the larger output, the earlier time,
    then the oldest file.

    Args:
        tallies: See above.
        shared: From `find_shared`.
        ages: Rank of each tied tally, the oldest first.
    """
    owners = {
        digest: min(copies, key=lambda copy: (_worth(copy), ages.get(copy[0], 0), copy[0]))[0]
        for digest, copies in shared.items()
    }
    counted: list[Call] = []
    inherited = [0] * len(tallies)
    for number, tally in enumerate(tallies):
        for call in tally.calls:
            if owners.get(call.digest, number) == number:
                counted.append(call)
            else:
                inherited[number] += 1
    return counted, inherited


def _worth(copy: Copy) -> tuple[int, int, bool, int]:
    """Smaller is better."""
    _, call = copy
    return (_RANK[call.state], -call.output, call.at_ns is None, call.at_ns or 0)


def _fold(kinds: Mapping[Kind, int], turns: int, calls: Iterable[Call]) -> Counts:
    tools: Counter[str] = Counter()
    narrations: Counter[str] = Counter()
    tags: Counter[str] = Counter()
    types: Counter[str] = Counter()
    compactions = 0
    for kind, count in kinds.items():
        types[kind.type] += count
        compactions += count * kind.is_summary
        for tool in kind.tools:
            tools[tool] += count
        for tag in kind.tags:
            tags[tag] += count
        if kind.narrations:
            narrations[kind.model] += count * kind.narrations
    tokens: dict[str, Tokens] = {}
    states: dict[str, dict[str, int]] = {}
    for call in calls:
        of_model = states.setdefault(call.model, dict.fromkeys(STATES, 0))
        of_model[call.state] += 1
        if call.state != USAGE_ABSENT:
            sums = tokens.get(call.model, Tokens())
            tokens[call.model] = Tokens(
                input=sums.input + call.input,
                output=sums.output + call.output,
                cache_read=sums.cache_read + call.cache_read,
                cache_write=sums.cache_write + call.cache_write,
            )
    return Counts(
        user=types["user"],
        assistant=types["assistant"],
        turns=turns,
        compactions=compactions,
        tools=tools,
        narrations=narrations,
        tags=tags,
        tokens=tokens,
        calls=states,
    )
