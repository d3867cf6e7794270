"""`csift search` as text."""

from collections.abc import Iterable, Iterator, Mapping

from sessionizer.base.text import visible
from sessionizer.csift.commands.search.query import Diagnosis, Disclosure, Outcome, refetch
from sessionizer.csift.hit_lines import glyph, render_damage, render_hit, render_scope
from sessionizer.transcripts.census import Census
from sessionizer.transcripts.exchanges import Exchange, Hit
from sessionizer.transcripts.handles import Handles
from sessionizer.transcripts.when import format_local

_SIBLING = "·"
_LABELS_NAMED = 6

Copies = Mapping[int, tuple[tuple[str, int | None], ...]]


def render(
    outcome: Outcome,
    exchanges: Iterable[Exchange],
    said: Disclosure,
    handles: Handles,
    copies: Copies,
) -> Iterator[str]:
    """The matches and everything that has to be said about them."""
    return map(visible, _render(outcome, exchanges, said, handles, copies))


def _render(
    outcome: Outcome,
    exchanges: Iterable[Exchange],
    said: Disclosure,
    handles: Handles,
    copies: Copies,
) -> Iterator[str]:
    yield from render_scope(said.scope)
    if not outcome.total:
        yield "no matching exchanges"
        yield from render_damage(skipped=said.skipped_lines, repaired=said.repaired_lines)
        return
    yield _first_line(outcome)
    for exchange in exchanges:
        yield ""
        yield _heading(exchange, handles)
        for hit in exchange.hits:
            yield f"  {glyph(hit)} {_hit_line(hit, copies)}"
            if exchange.is_subagent and hit.line is not None:
                yield f"      ↳ {refetch(hit, exchange)}"
        yield from _siblings(exchange)
    yield ""
    yield _footer(outcome, said)
    if said.with_sidecar:
        yield "with elicitation sidecar"
    if outcome.drafts:
        yield (
            f"({outcome.drafts} superseded draft(s) outside turn numbering — searchable as "
            "-t user.unsent, fetch with csift show --line)"
        )
    if outcome.folded:
        yield (
            f"({len(outcome.folded)} exchange(s) are copies of exchanges above, folded; "
            "--copies shows them)"
        )
    yield from render_damage(skipped=said.skipped_lines, repaired=said.repaired_lines)
    if outcome.is_clipped:
        yield ""
        yield "note: matches above are TRUNCATED, match-centered FRAGMENTS — not summaries."
        yield "  whole records: re-run with --no-truncate"
        yield "  one record in full: csift show <@session|@agent-id> --line <N>"


def render_census(census: Census) -> Iterator[str]:
    """The counts, one key per line."""
    return (visible(f"{count:7d}  {key}") for key, count in census.rows)


def census_note(census: Census, dropped: int) -> str:
    """What the census covers and what it leaves out."""
    parts = [f"{census.records} matched record(s) across {len(census.rows)} {census.axis} key(s)"]
    if census.excluded:
        parts.append(f"{census.excluded} record(s) have no {census.axis} (outside this axis)")
    if dropped:
        parts.append(
            f"{dropped} exchange(s) dropped by --max-count (census incomplete; raise --max-count)"
        )
    return " · ".join(parts)


def render_diagnosis(found: Diagnosis, said: Disclosure) -> Iterator[str]:
    """Why nothing was found, for standard error."""
    return map(visible, _render_diagnosis(found, said))


def _render_diagnosis(found: Diagnosis, said: Disclosure) -> Iterator[str]:
    yield (
        f"csift: 0 matches {_say_extent(said)} "
        f"Scope: {said.scope.total} session(s). "
        f"Active filters: {', '.join(found.filters) or 'none'}."
    )
    if said.skipped_lines:
        yield (
            f"csift: caveat: {said.skipped_lines} malformed line(s) skipped — the absence is "
            f"{'definitive' if said.is_whole else 'known'} for parseable lines only."
        )
    if said.scope.total:
        yield _explain_labels(found, said)
    if found.gated:
        yield f"csift: scanned only under an explicit -t: {', '.join(found.gated)}"


def _say_extent(said: Disclosure) -> str:
    if said.is_whole:
        return "— a DEFINITIVE absence (exit 0), NOT an error."
    missing = []
    if said.unreadable_sources:
        missing.append(f"{said.unreadable_sources} source(s) could not be read")
    if said.undecided_records:
        missing.append(f"{said.undecided_records} record(s) could not be decided")
    return f"in what could be read; {' and '.join(missing)}: the absence holds for the rest only."


def _explain_labels(found: Diagnosis, said: Disclosure) -> str:
    if found.excluded is None:
        return (
            "csift: no label filter is active; --count-by label over '' shows what is in this scope"
        )
    records, by_label = found.excluded
    if not records:
        where = "this scope" if said.is_whole else "what could be read of this scope"
        return f'csift: "{found.pattern}" is genuinely absent in {where}, not a label mistake'
    named = [f"{label} ×{count}" for label, count in list(by_label.items())[:_LABELS_NAMED]]
    more = len(by_label) - _LABELS_NAMED
    listed = " · ".join(named) + (f" (+{more} more label(s))" if more > 0 else "")
    return (
        f'csift: ⚠ but "{found.pattern}" DOES occur — {records} record(s) under: {listed}. Your '
        "-t/-T excluded them; drop -t/-T or select one of those labels."
    )


def _first_line(outcome: Outcome) -> str:
    parts = [
        f"matches  {outcome.total} exchange(s)",
        f"{len(outcome.transcripts)} session(s)",
        "oldest first",
    ]
    if outcome.dropped:
        which = "earliest" if outcome.cap > 0 else "latest"
        parts.append(f"showing {which} {len(outcome.shown)}")
    if outcome.undated:
        parts.append("undated last")
    return " · ".join(parts)


def _heading(exchange: Exchange, handles: Handles) -> str:
    token = handles.token(exchange.session_id)
    when = format_local(exchange.timestamp, milliseconds=True)
    parent = f" (parent {exchange.parent_session_id[:8]})" if exchange.is_subagent else ""
    if exchange.turn is None:
        return f"{token}·draft{parent} (superseded — outside turn numbering)  {when}"
    return f"{token}·t{exchange.turn}{parent}  {when}"


def _hit_line(hit: Hit, copies: Copies) -> str:
    others = len({session for session, _ in copies.get(hit.digest, ())}) if hit.digest else 0
    elsewhere = f" [also in {others} other session(s)]" if others else ""
    return f"{render_hit(hit)}{elsewhere}"


def _siblings(exchange: Exchange) -> Iterator[str]:
    for sibling in exchange.siblings:
        yield f"  {_SIBLING} {_hit_line(sibling, {})}"
    if exchange.siblings_hidden:
        lines = f"{exchange.first_line}..{exchange.last_line}"
        yield (
            f"  {_SIBLING} (+{exchange.siblings_hidden} more · csift show @{exchange.holder} "
            f"--line {lines})"
        )


def _footer(outcome: Outcome, said: Disclosure) -> str:
    parts = [
        f"matched {len(outcome.shown)} exchange(s)",
        f"{outcome.shown_transcripts} session(s)",
        f"label={said.label}",
    ]
    if said.label_not:
        parts.append(f"label-not={said.label_not}")
    if outcome.dropped:
        which = "later" if outcome.cap > 0 else "earlier"
        parts.append(f"{outcome.dropped} {which} dropped by --max-count")
    return " · ".join(parts)
