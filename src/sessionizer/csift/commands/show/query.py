"""Cap what was addressed, and say how to go on."""

from collections.abc import Sequence

from msgspec import Struct

from sessionizer.transcripts.fetching import Slot

DEFAULT_CAP = 200


class Selection(Struct, frozen=True, kw_only=True):
    """What is shown of the addressed records.

    Attributes:
        parts: Slots in order, each with the number of its units that are shown.
        shown, dropped: Units.
        cap: The most that were allowed; 0 for all.
        remainder: The command that goes on where the cap cut; None when nothing was cut, or
            what was cut stands on no line.
        non_records: Addressed lines that are no records.
    """

    parts: tuple[tuple[Slot, int], ...]
    shown: int
    dropped: int
    cap: int
    remainder: str | None
    non_records: int


class Disclosure(Struct, frozen=True, kw_only=True):
    """What has to be said beside the records.

    Attributes:
        session_id, is_subagent, parent_session_id, is_internal, path: The transcript.
        skipped_lines, repaired_lines, recovered_records: Of the whole file.
        unreadable_sources: What the walk to it could not read.
        with_sidecar: Whether waiting questions were merged in.
    """

    session_id: str
    is_subagent: bool
    parent_session_id: str
    is_internal: bool
    path: str
    skipped_lines: int
    repaired_lines: int
    recovered_records: int
    unreadable_sources: int
    with_sidecar: bool


def select(
    slots: Sequence[Slot], *, cap: int, handle: str, last_line: int | None, non_records: int
) -> Selection:
    """Keep the first `cap` units; 0 keeps all.

    Args:
        slots: In order of the file.
        cap: See above.
        handle: The transcript as a target.
        last_line: The last line that was addressed; None when no line was.
        non_records: Addressed lines that are no records.
    """
    parts: list[tuple[Slot, int]] = []
    shown = dropped = 0
    rest: list[int] = []
    for slot in slots:
        taken = slot.units if not cap else min(slot.units, cap - shown)
        if taken:
            parts.append((slot, taken))
            shown += taken
        if taken < slot.units:
            dropped += slot.units - taken
            if slot.line is not None:
                rest.append(slot.line)
    remainder = None
    if rest:
        remainder = f"csift show {handle} --line {rest[0]}..{max(rest[-1], last_line or 0)}"
    return Selection(
        parts=tuple(parts),
        shown=shown,
        dropped=dropped,
        cap=cap,
        remainder=remainder,
        non_records=non_records,
    )
