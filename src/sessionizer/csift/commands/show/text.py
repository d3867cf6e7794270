"""`csift show` as text."""

from collections.abc import Iterable, Iterator, Sequence

from sessionizer.base.text import visible
from sessionizer.csift.commands.show.query import Disclosure, Selection
from sessionizer.csift.hit_lines import glyph, render_damage, render_hit
from sessionizer.transcripts.branches import BranchPoint
from sessionizer.transcripts.fetching import Unit
from sessionizer.transcripts.sidecar import NOTE
from sessionizer.transcripts.when import format_local


def render(selection: Selection, units: Iterable[Unit], said: Disclosure) -> Iterator[str]:
    """The records under their turns, and everything that has to be said about them."""
    return map(visible, _render(selection, units, said))


def _render(selection: Selection, units: Iterable[Unit], said: Disclosure) -> Iterator[str]:
    yield _heading(said)
    group: tuple[object, ...] | None = None
    for unit in units:
        position = unit.hit.line if unit.is_draft else None
        if group != (unit.lane, unit.turn, unit.is_draft, position):
            group = (unit.lane, unit.turn, unit.is_draft, position)
            yield ""
            yield _group_heading(unit)
        copy = f" (copy of L{unit.copy_of})" if unit.copy_of is not None else ""
        yield f"  {glyph(unit.hit)} {render_hit(unit.hit)}{copy}"
    yield ""
    yield f"fetched {selection.shown} record unit(s)"
    if selection.dropped:
        go_on = f" · continue: {selection.remainder}  " if selection.remainder else " "
        yield (
            f"+{selection.dropped} more record unit(s) beyond the {selection.cap}-unit cap"
            f"{go_on}(or --max-count 0 = uncapped)"
        )
    if selection.non_records:
        yield (
            f"{selection.non_records} line(s) in the addressed range are not records "
            "(metadata/attachment — inspect with --raw)"
        )
    if said.with_sidecar:
        yield NOTE
    yield from render_damage(skipped=said.skipped_lines, repaired=said.repaired_lines)


def render_branches(
    points: Sequence[BranchPoint], conversation: int, handle: str, said: Disclosure
) -> Iterator[str]:
    """Where the conversation forks."""
    return map(visible, _render_branches(points, conversation, handle, said))


def _render_branches(
    points: Sequence[BranchPoint], conversation: int, handle: str, said: Disclosure
) -> Iterator[str]:
    yield f"BRANCH POINTS  {said.session_id}"
    yield (
        f"  {conversation} conversation record(s) · {len(points)} branch point(s) (a record with "
        "2+ conversation children; tool-result carriers, isMeta records, and compaction summaries "
        "never count)"
    )
    for number, point in enumerate(points, start=1):
        where = "(parent not in file)" if point.line is None else f"L{point.line}"
        gap = "unknown (missing timestamps)"
        if point.widest_gap_seconds is not None:
            gap = spell_gap(point.widest_gap_seconds)
        yield (
            f"  #{number}  uuid {point.uuid}  {where}  children {len(point.children)} · "
            f"widest gap {gap}"
        )
        for child in point.children:
            when = format_local(child.timestamp, milliseconds=True)
            yield f"      L{child.line}  {when}  {child.type}"
        yield f"      ↳ csift show {handle} --line {point.children[-1].line}"
    if not points:
        yield "  no forks: every conversation record has at most one conversation child"
    yield from render_damage(skipped=said.skipped_lines, repaired=said.repaired_lines)


def spell_gap(seconds: int) -> str:
    """`1h59m50s`, `2m5s`, `15s`; units that are zero are left out."""
    minutes, rest = divmod(seconds, 60)
    hours, minutes = divmod(minutes, 60)
    parts = ((hours, "h"), (minutes, "m"), (rest, "s"))
    return "".join(f"{count}{unit}" for count, unit in parts if count) or "0s"


def _heading(said: Disclosure) -> str:
    if not said.is_subagent:
        return f"SESSION {said.session_id}"
    internal = "  (internal)" if said.is_internal else ""
    return f"SUBAGENT {said.session_id}  ·  parent SESSION {said.parent_session_id}{internal}"


def _group_heading(unit: Unit) -> str:
    when = format_local(unit.start, milliseconds=True)
    lane = f"(lane {unit.lane})  " if unit.lane else ""
    if unit.is_draft:
        return f"{lane}(superseded draft — outside turn numbering)  {when}"
    if unit.turn is None:
        return f"{lane}(outside turns)"
    return f"{lane}t{unit.turn}  {when}"
