"""What a search finds: hits, in the exchange they belong to. Values only."""

from msgspec import Struct


class Hit(Struct, frozen=True, kw_only=True, gc=False):
    """One view of one record that matched, ready to be shown.

    Attributes:
        session_id, is_subagent, parent_session_id: Whose record it is.
        line: Physical line, from 1; None in the elicitation sidecar.
        glued: Its number among several objects of a line, from 2; None for the first.
        uuid: The record's.
        source: `transcript` or `elicitation-sidecar`.
        label, labels: The view's, and all of the record's.
        timestamp: As the record has it.
        text: The excerpt, in one line.
        field: Path of the value the match stands in; None for the text itself.
        clipped: Whether the excerpt leaves something out.
        digest: Of id, time and text, to find the same hit in another file; 0 for a record
            whose id is too short to be one.
        offset, size: The line's place in its file, in bytes.
    """

    session_id: str
    is_subagent: bool
    parent_session_id: str
    line: int | None
    label: str
    labels: tuple[str, ...]
    timestamp: str | None
    text: str
    glued: int | None = None
    carried: int = 0
    uuid: str | None = None
    source: str = "transcript"
    field: str | None = None
    clipped: bool = False
    tool_name: str | None = None
    tool_use_id: str | None = None
    sender: str | None = None
    receiver: str | None = None
    pairing: str | None = None
    is_error: bool | None = None
    queue_operation: str | None = None
    queue_reason: str | None = None
    queue_outcome: str | None = None
    image_ids: tuple[str, ...] = ()
    model: str | None = None
    version: str | None = None
    attachment: str | None = None
    digest: int = 0
    offset: int = 0
    size: int = 0


class Exchange(Struct, frozen=True, kw_only=True):
    """The hits of one turn, or of one draft.

    Attributes:
        path: The file, as the system names it: a name need not be text.
        session_id, is_subagent, parent_session_id: Whose turn it is.
        holder: The session whose file holds the lines: for refetching.
        turn: From 0; None for a draft.
        timestamp: When it starts, as stored; None when undated.
        record_uuids: All records of the turn.
        first_line, last_line: Of the turn.
        hits: Never empty.
        siblings: Other views of the turn, when asked for.
        siblings_hidden: How many of those are over the caps.
    """

    path: bytes
    session_id: str
    is_subagent: bool
    parent_session_id: str
    holder: str
    turn: int | None
    timestamp: str | None
    start_ns: int | None
    record_uuids: tuple[str, ...]
    first_line: int | None
    last_line: int | None
    hits: tuple[Hit, ...]
    siblings: tuple[Hit, ...] = ()
    siblings_hidden: int = 0
