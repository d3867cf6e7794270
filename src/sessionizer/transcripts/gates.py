"""Which lines are parsed at all. Pure.

Most lines of a transcript are no messages. They are read only when a selector or a flag asks
for them, so that a plain search says what was said.
"""

import re
from collections.abc import Iterable

from msgspec import Struct

from sessionizer.claude_code.values import decode_members, decode_text
from sessionizer.transcripts.labels import (
    BOUNDARY_SUBTYPE,
    HOOK_CONTEXT,
    SNAPSHOT_TYPES,
    SUBTYPES,
)
from sessionizer.transcripts.queue import queue_text
from sessionizer.transcripts.record import TranscriptRecord
from sessionizer.transcripts.taxonomy import (
    BOUNDARY,
    GATED,
    LABELS,
    PROGRESS,
    SNAPSHOT,
    SYSTEM,
    Selection,
)

_ROLE = rb'"role"[ \t\r]*:[ \t\r]*"(?:user|assistant)"'
_ROLE_MARKER = re.compile(_ROLE)
_CONVERSATION = ("user", "assistant")


class Gates(Struct, frozen=True, kw_only=True):
    """What is parsed beside messages and queued prompts.

    Attributes:
        leaves: The gated leaves that are open, the boundary among them.
        hook_context: Attachments that hooks put into the context.
        attachments: All attachments.
    """

    leaves: frozenset[str] = frozenset()
    hook_context: bool = False
    attachments: bool = False


ALL_GATES = Gates(leaves=frozenset({BOUNDARY, *GATED}), hook_context=True, attachments=True)


def open_gates(selection: Selection, *, additional_context: bool, attachments: bool) -> Gates:
    """The gates that a search opens."""
    leaves = {leaf for leaf in GATED if leaf in selection.reached}
    if BOUNDARY in selection.labels and (not selection.included or BOUNDARY in selection.reached):
        leaves.add(BOUNDARY)
    return Gates(
        leaves=frozenset(leaves),
        hook_context=additional_context or attachments,
        attachments=attachments,
    )


def unreached(selection: Selection) -> tuple[str, ...]:
    """The promoted leaves, when no selector reached any; else none."""
    reached = any(leaf in selection.reached for leaf in GATED)
    return () if reached else tuple(leaf for leaf in LABELS if leaf in GATED)


def candidate_pattern(gates: Gates) -> re.Pattern[bytes]:
    """What the bytes of a line hold when it may be a record that `gates` admit.

    Only bare values and keys: white space between tokens may differ.
    """
    parts: list[bytes] = [_ROLE, b"queue-operation", b"queued_command"]
    if BOUNDARY in gates.leaves:
        parts.append(BOUNDARY_SUBTYPE.encode())
    if gates.attachments:
        parts.append(b'"attachment"')
    elif gates.hook_context:
        parts.append(HOOK_CONTEXT.encode())
    if SYSTEM in gates.leaves:
        parts.append(b'"subtype"')
    else:
        parts += [word.encode() for word, leaf in SUBTYPES.items() if leaf in gates.leaves]
    if SNAPSHOT in gates.leaves:
        parts.append(b'"file-history-')
    if PROGRESS in gates.leaves:
        parts.append(b'"progress"')
    return re.compile(b"|".join(parts))


def admits(one: TranscriptRecord, gates: Gates) -> bool:
    """Whether a decoded record is one of those that are parsed."""
    kind = one.type
    if kind in _CONVERSATION or one.record.csift is not None:
        return True
    if kind == "queue-operation":
        return queue_text(one) is not None
    if kind == "attachment":
        return _admits_attachment(one, gates)
    if kind == "system":
        return _system_leaf(one.record.subtype) in gates.leaves
    if kind in SNAPSHOT_TYPES:
        return SNAPSHOT in gates.leaves
    return kind == "progress" and PROGRESS in gates.leaves


def is_message_line(body: bytes) -> bool:
    """Whether a line carries a role marker."""
    return _ROLE_MARKER.search(body) is not None


def _admits_attachment(one: TranscriptRecord, gates: Gates) -> bool:
    if gates.attachments or queue_text(one) is not None:
        return True
    if not gates.hook_context:
        return False
    members = decode_members(one.record.attachment)
    return bool(members and "type" in members and decode_text(members["type"]) == HOOK_CONTEXT)


def _system_leaf(subtype: str | None) -> str:
    if subtype == BOUNDARY_SUBTYPE:
        return BOUNDARY
    return SUBTYPES.get(subtype or "", SYSTEM)


def join_leaves(leaves: Iterable[str]) -> str:
    """Leaves as a note lists them."""
    return ", ".join(leaves)
