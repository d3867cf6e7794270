"""What the index holds of one landed record: identifiers and shape, no text."""

from collections.abc import Iterable

from msgspec import Struct, structs

# Session (empty: the conversation's first), landed file, record: the order of everything.
Position = tuple[str, int, int]


class Block(Struct, frozen=True, array_like=True, gc=False):
    """One part of a record.

    Attributes:
        kind: `tool_use`, `tool_result`, `text`, `thinking` or `other`.
        tool: Id of a call, or the call that a result belongs to; empty otherwise.
        prompt: Prompt digest of a call; empty otherwise.
    """

    kind: str
    tool: str = ""
    name: str = ""
    prompt: str = ""


class Entry(Struct, frozen=True, array_like=True, gc=False):
    """One landed record, by position (`session`, `seq`, `row`).

    Fields may be given in order, for speed: a call with all of them as keywords takes twice
    as long.

    Attributes:
        kind: `assistant`, `user`, `system`, `agent_meta`, `journal`, `manifest`, `script`,
            `session_title`, `file`, `history` or `unknown`.
        stream: Empty for records that belong to no stream.
        time_ns: Nanoseconds since 1970; 0 when the record states none.
        src: Source path, without a `#tail` ending; `tail` tells those apart.
        text_sha: 12 hex digits over the readable text of what a person or caller wrote.
        spoken: Bytes of its text, available reasoning and call parts.
        usage_in, usage_out, usage_cache_read, usage_cache_write: None when absent, which is
            not 0; `has_usage` tells an empty usage object from none.
        snapshot: Whether the source is a snapshot, of which only the newest version counts.
        reason: Reason of a whole-record `unknown` part; empty otherwise.
        record_type: The `type` a whole-record data part states; for accounts only.
    """

    seq: int
    row: int
    kind: str
    header_kind: str
    src: str
    ord: int
    off: int
    sha: str
    bytes: int
    stream: str = ""
    batch: str = ""
    time_ns: int = 0
    trigger: str = ""
    flags: tuple[str, ...] = ()
    record: str = ""
    parent: str = ""
    call: str = ""
    run: str = ""
    continues: str = ""
    copied_from: str = ""
    tool: str = ""
    child: str = ""
    started_by: str = ""
    label: str = ""
    queue: str = ""
    role: str = ""
    file_class: str = ""
    gen: int = 1
    glued: int = 0
    carried: bool = False
    tail: bool = False
    snapshot: bool = False
    text_sha: str = ""
    spoken: int = 0
    has_usage: bool = False
    usage_in: int | None = None
    usage_out: int | None = None
    usage_cache_read: int | None = None
    usage_cache_write: int | None = None
    reason: str = ""
    record_type: str = ""
    blocks: tuple[Block, ...] = ()

    @property
    def session(self) -> str:
        """Empty, which means: the conversation's first session, normally the only one."""
        return ""

    @property
    def position(self) -> Position:
        """Where it stands. `seq` alone tells nothing as soon as there are two sessions."""
        return ("", self.seq, self.row)


class ScopedEntry(Entry, frozen=True, kw_only=True, array_like=True, gc=False):
    """An entry of a session that is not the conversation's first. Never stored."""

    session: str

    @property
    def position(self) -> Position:
        """Where it stands."""
        return (self.session, self.seq, self.row)


def scope_entries(entries: Iterable[Entry], session: str) -> tuple[Entry, ...]:
    """`entries` as those of a further session of a conversation."""
    return tuple(ScopedEntry(session=session, **structs.asdict(entry)) for entry in entries)
