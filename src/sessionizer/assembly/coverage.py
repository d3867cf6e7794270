"""The account of every landed record: the node that holds it, or why none does.

Each record has exactly one account, so the numbers add up to all records. A record that
fits none is `unaccounted`, and that is a fault of ours.
"""

from collections.abc import Callable, Iterable
from typing import Final

from msgspec import Struct

from sessionizer.assembly.places import position_of
from sessionizer.assembly.titles import is_title_line
from sessionizer.base.digests import short_sha256
from sessionizer.index.copies import Canonical
from sessionizer.index.entry import Entry, Position
from sessionizer.model.kinds import MAIN
from sessionizer.model.nodes import Node

UNACCOUNTED: Final = "unaccounted"
_BLANK: Final = frozenset({short_sha256(b""), short_sha256(b"\r")})
METADATA: Final = "metadata"


class Coverage(Struct, frozen=True, kw_only=True):
    """How many records have which account.

    Attributes:
        counts: By account, in the order of `ACCOUNTS`; accounts without records are left out.
        metadata_types: The records accounted as `metadata`, by the type they state, by name.
        total: All records.
        unaccounted: Positions of records that fit no account; empty unless we are at fault.
    """

    counts: dict[str, int]
    metadata_types: dict[str, int]
    total: int
    unaccounted: tuple[Position, ...]


class Marks(Struct, frozen=True, kw_only=True):
    """Positions that stage 4 set aside: results that could not be joined, and why."""

    echoed: frozenset[Position] = frozenset()
    unrequested: frozenset[Position] = frozenset()


def _is_user_in_child(entry: Entry) -> bool:
    return entry.kind == "user" and (entry.stream != MAIN or "sidechain" in entry.flags)


_RULES: Final[tuple[tuple[str, Callable[[Entry], bool]], ...]] = (
    ("torn_tail", lambda entry: entry.tail and bool(entry.reason)),
    # A program is kept as it is and was never meant to be read as a record.
    ("script", lambda entry: entry.kind == "script"),
    ("blank", lambda entry: bool(entry.reason) and entry.sha in _BLANK),
    ("unreadable", lambda entry: bool(entry.reason)),
    ("progress", lambda entry: "progress" in entry.flags),
    ("queue_line", lambda entry: bool(entry.queue)),
    ("title", lambda entry: entry.kind == "session_title" or is_title_line(entry)),
    ("sidecar", lambda entry: entry.kind == "agent_meta"),
    ("journal", lambda entry: entry.kind == "journal"),
    ("manifest", lambda entry: entry.kind == "manifest"),
    ("file", lambda entry: entry.kind == "file"),
    ("history", lambda entry: entry.kind == "history"),
)
# Only for records that state a result: these come between the lists above and below.
_ECHOED: Final = "echoed_result"
_UNREQUESTED: Final = "result_without_request"
_AMBIGUOUS: Final = "ambiguous_result"
_LAST_RULES: Final[tuple[tuple[str, Callable[[Entry], bool]], ...]] = (
    (
        _AMBIGUOUS,
        lambda entry: any(block.kind == "tool_result" for block in entry.blocks),
    ),
    ("delegated_prompt", _is_user_in_child),
    ("runtime_text", lambda entry: entry.kind == "user"),
    (METADATA, lambda entry: entry.kind == "system"),
)
ACCOUNTS: Final = (
    "beyond",
    "copy",
    "node",
    "torn_tail",
    "unreadable",
    "blank",
    "progress",
    "queue_line",
    "title",
    "sidecar",
    "journal",
    "manifest",
    "script",
    "file",
    "history",
    _ECHOED,
    _UNREQUESTED,
    _AMBIGUOUS,
    "delegated_prompt",
    "runtime_text",
    METADATA,
    UNACCOUNTED,
)


def account_entries(canonical: Canonical, nodes: Iterable[Node], marks: Marks) -> Coverage:
    """Account for every entry of `canonical`, copies and what lies beyond included."""
    counts = dict.fromkeys(ACCOUNTS, 0)
    counts["beyond"] = len(canonical.beyond)
    counts["copy"] = len(canonical.copies)
    counts["torn_tail"] = len(canonical.torn_tails)
    held = _held_positions(nodes)
    types: dict[str, int] = {}
    unaccounted: list[Position] = []
    for entry in canonical.entries:
        account = "node" if entry.position in held else _account(entry, marks)
        counts[account] += 1
        if account == METADATA:
            types[entry.record_type] = types.get(entry.record_type, 0) + 1
        elif account == UNACCOUNTED:
            unaccounted.append(entry.position)
    return Coverage(
        counts={account: count for account, count in counts.items() if count},
        metadata_types=dict(sorted(types.items())),
        total=sum(counts.values()),
        unaccounted=tuple(unaccounted),
    )


def _account(entry: Entry, marks: Marks) -> str:
    for account, applies in _RULES:
        if applies(entry):
            return account
    if entry.position in marks.echoed:
        return _ECHOED
    if entry.position in marks.unrequested:
        return _UNREQUESTED
    for account, applies in _LAST_RULES:
        if applies(entry):
            return account
    return UNACCOUNTED


def _held_positions(nodes: Iterable[Node]) -> set[Position]:
    held: set[Position] = set()
    for node in nodes:
        if node.ref is not None:
            held.add(position_of(node.ref))
        held.update(map(position_of, node.refs))
    return held
