"""`csift search` as text."""

from collections.abc import Iterable, Iterator, Mapping

from sessionizer.base.text import normalise, visible
from sessionizer.csift.commands.search.query import Diagnosis, Disclosure, Outcome, refetch
from sessionizer.transcripts.census import Census
from sessionizer.transcripts.exchanges import Exchange, Hit
from sessionizer.transcripts.handles import Handles
from sessionizer.transcripts.scope import ScopeCount
from sessionizer.transcripts.taxonomy import COMMUNICATION, NARRATION, TOOL_RESULT, TOOL_USE
from sessionizer.transcripts.when import format_local

_GLYPHS = {"user": "◂", "agent": "▸", "harness": "⚙"}
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
    yield from _scope_banner(said.scope)
    if not outcome.total:
        yield "no matching exchanges"
        yield from _damage(said)
        return
    yield _first_line(outcome)
    hinted = False
    for exchange in exchanges:
        yield ""
        yield _heading(exchange, handles)
        for hit in exchange.hits:
            yield f"  {_GLYPHS[hit.label.partition('.')[0]]} {_hit_line(hit, copies)}"
            if exchange.is_subagent and hit.line is not None:
                yield f"      ↳ {refetch(hit, exchange)}"
            if hit.image_ids and not hinted:
                hinted = True
                yield (
                    f"      ↳ read the image(s): csift image @{exchange.holder} "
                    f"--id {hit.image_ids[0]} --out DIR"
                )
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
    yield from _damage(said)
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
        f"csift: 0 matches — a DEFINITIVE absence (exit 0), NOT an error. "
        f"Scope: {said.scope.total} session(s). "
        f"Active filters: {', '.join(found.filters) or 'none'}."
    )
    if said.skipped_lines:
        yield (
            f"csift: caveat: {said.skipped_lines} malformed line(s) skipped — the absence is "
            "definitive for parseable lines only."
        )
    if said.scope.total:
        yield _explain_labels(found)
    if found.gated:
        yield f"csift: scanned only under an explicit -t: {', '.join(found.gated)}"


def _explain_labels(found: Diagnosis) -> str:
    if found.excluded is None:
        return (
            "csift: no label filter is active; --count-by label over '' shows what is in this scope"
        )
    records, by_label = found.excluded
    if not records:
        return f'csift: "{found.pattern}" is genuinely absent in this scope, not a label mistake'
    named = [f"{label} ×{count}" for label, count in list(by_label.items())[:_LABELS_NAMED]]
    more = len(by_label) - _LABELS_NAMED
    listed = " · ".join(named) + (f" (+{more} more label(s))" if more > 0 else "")
    return (
        f'csift: ⚠ but "{found.pattern}" DOES occur — {records} record(s) under: {listed}. Your '
        "-t/-T excluded them; drop -t/-T or select one of those labels."
    )


def _scope_banner(scope: ScopeCount) -> Iterator[str]:
    if scope.subagents:
        noun = "session" if scope.total == 1 else "sessions"
        yield (
            f"scope  {scope.total} {noun} in scope "
            f"({scope.top_level} top-level + {scope.subagents} subagent)"
        )
        yield ""


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
    name = f" {normalise(hit.tool_name)}" if hit.tool_name else ""
    direction = ""
    if hit.label in COMMUNICATION and hit.sender is not None:
        direction = f"{hit.sender} ⇨ {hit.receiver}  "
    images = ""
    if hit.image_ids:
        images = f"  [{len(hit.image_ids)} image(s): {', '.join(hit.image_ids)}]"
    others = len({session for session, _ in copies.get(hit.digest, ())}) if hit.digest else 0
    elsewhere = f" [also in {others} other session(s)]" if others else ""
    return f"{_decorate(hit)}{name}  {direction}{_position(hit)}  {hit.text}{images}{elsewhere}"


def _siblings(exchange: Exchange) -> Iterator[str]:
    for sibling in exchange.siblings:
        yield f"  {_SIBLING} {_hit_line(sibling, {})}"
    if exchange.siblings_hidden:
        lines = f"{exchange.first_line}..{exchange.last_line}"
        yield (
            f"  {_SIBLING} (+{exchange.siblings_hidden} more · csift show @{exchange.holder} "
            f"--line {lines})"
        )


def _position(hit: Hit) -> str:
    """`L12`, `L12.2` for the second object on a line, or the sidecar."""
    if hit.line is None:
        return "(elicitation sidecar)"
    return f"L{hit.line}" if hit.glued is None else f"L{hit.line}.{hit.glued}"


def _decorate(hit: Hit) -> str:
    """The label, and what is known about the thing it names. Nothing of it can be matched."""
    label = hit.label
    if label in (TOOL_USE, TOOL_RESULT):
        if hit.pairing == "paired":
            label = f"{TOOL_USE} ▹ {TOOL_RESULT}"
        elif hit.pairing == "pending":
            label = f"{TOOL_USE} (no result — pending)"
        elif hit.pairing == "orphan":
            label = f"{TOOL_RESULT} (use not in scope)"
    if label == NARRATION:
        label = f"{label} [narration summary]"
    if hit.is_error:
        label = f"{label} [error]"
    if hit.queue_operation:
        parts = [hit.queue_operation]
        if hit.queue_reason:
            parts.append(hit.queue_reason)
        if hit.queue_outcome in ("removed", "taken_back"):
            parts.append("removed later")
        label = f"{label} [{' · '.join(parts)}]"
    return label


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


def _damage(said: Disclosure) -> Iterator[str]:
    if said.skipped_lines:
        yield f"({said.skipped_lines} malformed line(s) skipped)"
    if said.repaired_lines:
        yield f"({said.repaired_lines} damaged line(s) read with replacements)"
