"""`csift stats` as text."""

from collections import Counter
from collections.abc import Iterator, Mapping
from itertools import islice
from typing import Any

from sessionizer.base.instants import NANOSECONDS
from sessionizer.base.text import normalise, visible
from sessionizer.claude_code.measurements import TOTALS_COUNTER_KEYS, TOTALS_MODELS_KEY
from sessionizer.claude_code.values import decode_value
from sessionizer.csift.commands.stats.query import Row, Statistics
from sessionizer.csift.hit_lines import render_damage, render_scope
from sessionizer.csift.nothing_found import nothing_found
from sessionizer.model.kinds import USAGE_ABSENT, USAGE_PARTIAL, USAGE_STUB
from sessionizer.transcripts.ordering import by_count
from sessionizer.transcripts.totals import Counts
from sessionizer.transcripts.when import format_local

TOTAL_TOOLS = 15
_COUNTER_NAMES = {
    "in": "in",
    "out": "out",
    "cache_read": "cache-read",
    "cache_write": "cache-write",
}


def render(statistics: Statistics) -> Iterator[str]:
    """A block per transcript, and one for all of them together."""
    return map(visible, _render(statistics))


def _render(statistics: Statistics) -> Iterator[str]:
    yield from render_scope(statistics.scope)
    for row in statistics.rows:
        yield from _row(row)
        yield ""
    if not statistics.rows:
        yield nothing_found(statistics.unreadable)
    if len(statistics.rows) > 1:
        yield from _total(statistics)
    if statistics.dropped:
        yield (
            f"… (+{statistics.dropped} more session(s) not shown — the most recently active are "
            "aggregated above; raise --max-count)"
        )


def _row(row: Row) -> Iterator[str]:
    tally = row.tally
    yield _heading(row)
    yield _records(tally.lines, row.counts)
    if tally.line_types:
        yield f"  types  {_spell(tally.line_types)}"
    if tally.first is not None and tally.last is not None:
        first = format_local(tally.first.text, milliseconds=False)
        last = format_local(tally.last.text, milliseconds=False)
        length = spell_duration((tally.last.ns - tally.first.ns) // NANOSECONDS)
        yield f"  span   {first}  →  {last}  ({length})"
    yield from _tokens(row.counts)
    yield from _claims(tally.reported_cost)
    yield from _names(row.counts, most_tools=None)
    if tally.replayed:
        yield f"  ({tally.replayed} record(s) repeat another one and are not counted)"
    if row.inherited:
        yield f"  ({row.inherited} call(s) stand in another file too, and are counted there)"
    yield from _damage(tally.skipped, tally.repaired)


def _total(statistics: Statistics) -> Iterator[str]:
    rows, counts, shown = statistics.rows, statistics.total, statistics.shown
    yield (
        f"TOTAL  {shown.total} sessions ({shown.top_level} top-level + {shown.subagents} subagent)"
    )
    yield _records(sum(row.tally.lines for row in rows), counts)
    types: Counter[str] = Counter()
    for row in rows:
        types.update(row.tally.line_types)
    if types:
        yield f"  types  {_spell(types)}"
    yield from _tokens(counts)
    yield from _names(counts, most_tools=TOTAL_TOOLS)
    if statistics.inherited:
        yield f"  {statistics.inherited} call(s) stand in more than one file, counted once"
    yield from _damage(
        sum(row.tally.skipped for row in rows), sum(row.tally.repaired for row in rows)
    )


def spell_duration(seconds: int) -> str:
    """`1d02h03m`, `1h02m03s`, `5m04s`, `4s`."""
    minutes, second = divmod(seconds, 60)
    hours, minute = divmod(minutes, 60)
    days, hour = divmod(hours, 24)
    if days:
        return f"{days}d{hour:02}h{minute:02}m"
    if hours:
        return f"{hour}h{minute:02}m{second:02}s"
    return f"{minute}m{second:02}s" if minutes else f"{second}s"


def _heading(row: Row) -> str:
    if not row.file.is_subagent and row.file.lane is None:
        return f"SESSION {row.session_id}"
    internal = "  (internal)" if row.file.is_internal else ""
    return f"SUBAGENT {row.session_id}  ·  parent SESSION {row.file.parent_session_id}{internal}"


def _records(lines: int, counts: Counts) -> str:
    return (
        f"  lines {lines} · records {counts.user} user + {counts.assistant} assistant · "
        f"turns {counts.turns} · compactions {counts.compactions}"
    )


def _tokens(counts: Counts) -> Iterator[str]:
    ordered = sorted(counts.tokens, key=lambda model: (-counts.tokens[model].output, model))
    for model in ordered:
        sums = counts.tokens[model]
        weak = counts.state_count(USAGE_PARTIAL, USAGE_STUB, model=model)
        silent = counts.state_count(USAGE_ABSENT, model=model)
        every = sum(counts.calls[model].values())
        doubts = [f"{weak} of {every} calls partial or stub"] if weak else []
        doubts += [f"{silent} of {every} calls without usage"] if silent else []
        least = "at least " if doubts else ""
        because = f" ({', '.join(doubts)})" if doubts else ""
        yield (
            f"  tokens {normalise(model)}: in {sums.input} · out {least}{sums.output}{because} · "
            f"cache-read {sums.cache_read} · cache-write {sums.cache_write}"
        )


def _claims(reported_cost: bytes) -> Iterator[str]:
    """The program's own running totals; they are another account of the same, never added."""
    stored = decode_value(reported_cost) if reported_cost else None
    if not isinstance(stored, dict):
        return
    models = stored.get(TOTALS_MODELS_KEY)
    for model, stated in models.items() if isinstance(models, dict) else ():
        if isinstance(stated, dict):
            yield f"  claimed {normalise(model)}: {' · '.join(_claim(stated))}"
    cost = stored.get("totalCostUSD")
    if isinstance(cost, int | float):
        yield f"  claimed ${cost} in all (the program's own running totals, not added to tokens)"


def _claim(stated: Mapping[str, Any]) -> Iterator[str]:
    for name, key in TOTALS_COUNTER_KEYS:
        if isinstance(stated.get(key), int | float):
            yield f"{_COUNTER_NAMES[name]} {stated[key]}"
    if isinstance(stated.get("costUSD"), int | float):
        yield f"${stated['costUSD']}"


def _names(counts: Counts, *, most_tools: int | None) -> Iterator[str]:
    if counts.narrations:
        yield (
            f"  narration blocks {_spell(counts.narrations)}  "
            "(API summaries, token split unavailable)"
        )
    if counts.tags:
        yield f"  unknown thinking tags  {_spell(counts.tags)}"
    if counts.tools:
        more = len(counts.tools) - most_tools if most_tools is not None else 0
        rest = f" · (+{more} more tools)" if more > 0 else ""
        yield f"  tools  {_spell(counts.tools, most=most_tools)}{rest}"


def _spell(counts: Mapping[str, int], *, most: int | None = None) -> str:
    ordered = islice(by_count(counts).items(), most)
    return " · ".join(f"{normalise(name)}×{count}" for name, count in ordered)


def _damage(skipped: int, repaired: int) -> Iterator[str]:
    for line in render_damage(skipped=skipped, repaired=repaired):
        yield f"  {line}"
