"""Where a conversation forks: records that several others continue. Pure."""

from collections.abc import Iterable, Mapping
from itertools import pairwise

from msgspec import Struct

from sessionizer.base.instants import NANOSECONDS
from sessionizer.transcripts.record import TranscriptRecord, is_tool_result
from sessionizer.transcripts.turns import pass_through
from sessionizer.transcripts.when import parse_timestamp


class Child(Struct, frozen=True, kw_only=True, gc=False):
    """A record that continues another one.

    Attributes:
        line: From 1.
        uuid: Its id; None without.
        parent: The id of what it continues.
        type: `user` or `assistant`.
        timestamp: As stored.
    """

    line: int
    uuid: str | None
    parent: str
    type: str
    timestamp: str | None


class BranchPoint(Struct, frozen=True, kw_only=True):
    """A record with two or more children.

    Attributes:
        uuid: Its id.
        line: Its line; None when it is not in the file.
        children: In order of the file.
        widest_gap_seconds: The largest distance between two children that follow each other;
            None when any of them is undated.
    """

    uuid: str
    line: int | None
    children: tuple[Child, ...]
    widest_gap_seconds: int | None


def is_conversation(one: TranscriptRecord) -> bool:
    """Whether a record is part of the talk: no tool's result, no meta record, no summary."""
    if one.type == "assistant":
        return True
    record = one.record
    return (
        one.type == "user"
        and not record.is_meta
        and not record.is_compact_summary
        and not any(is_tool_result(block) for block in one.blocks)
    )


def group_children(
    children: Iterable[Child], links: Mapping[str, str]
) -> dict[str, tuple[Child, ...]]:
    """The children of every record that has at least two, by its id.

    Args:
        children: In order of the file.
        links: Parents of progress records: a look at a parent passes through them.
    """
    families: dict[str, list[Child]] = {}
    for child in children:
        parent = pass_through(child.parent, links)
        if parent:
            families.setdefault(parent, []).append(child)
    return {parent: tuple(found) for parent, found in families.items() if len(found) > 1}


def order_branches(
    families: Mapping[str, tuple[Child, ...]], lines: Mapping[str, int]
) -> tuple[BranchPoint, ...]:
    """Branch points, the widest gap first, unknown ones last.

    Args:
        families: See `group_children`.
        lines: Where the parents stand, as far as they are in the file.
    """
    points = [
        BranchPoint(
            uuid=uuid,
            line=lines.get(uuid),
            children=children,
            widest_gap_seconds=_widest_gap(children),
        )
        for uuid, children in families.items()
    ]
    return tuple(
        sorted(
            points,
            key=lambda point: (
                point.widest_gap_seconds is None,
                -(point.widest_gap_seconds or 0),
                point.children[0].line,
            ),
        )
    )


def _widest_gap(children: tuple[Child, ...]) -> int | None:
    instants = []
    for child in children:
        instant = parse_timestamp(child.timestamp)
        if instant is None:
            return None
        instants.append(instant)
    return max(abs(later - earlier) for earlier, later in pairwise(instants)) // NANOSECONDS
