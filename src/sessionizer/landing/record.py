"""Session Data: what one landed file holds, as values.

Field order is key order in the file; a field left at its default is not written
(docs/formats/session-data.md). Field names are the file's keys, except where a key is a
Python word.
"""

from typing import Final

from msgspec import Raw, Struct, field

ENVELOPE_VERSION: Final = 1
SCHEMA: Final = "sd/1"

# Header kinds, each with the prefix of its file names.
TRANSCRIPT: Final = "transcript"
AGENT_META: Final = "agent_meta"
JOURNAL: Final = "journal"
WORKFLOW_MANIFEST: Final = "workflow_manifest"
WORKFLOW_SCRIPT: Final = "workflow_script"
TRANSCRIPT_TAIL: Final = "transcript_tail"
JOURNAL_TAIL: Final = "journal_tail"
SESSION_TITLE: Final = "session_title"
FILE: Final = "file"
HISTORY: Final = "history"
PREFIX_OF_KIND: Final = {
    TRANSCRIPT: "transcript",
    AGENT_META: "meta",
    JOURNAL: "journal",
    WORKFLOW_MANIFEST: "manifest",
    WORKFLOW_SCRIPT: "script",
    TRANSCRIPT_TAIL: "tail",
    JOURNAL_TAIL: "tail",
    SESSION_TITLE: "title",
    FILE: "file",
    HISTORY: "history",
}

# Flags, in writing order. Unknown names are kept and ignored by a reader.
FLAGS: Final = (
    "synthetic",
    "context_reset",
    "reset_summary",
    "finished",
    "external_input",
    "injected",
    "child_result",
    "error",
    "launch_ack",
    "turn_duration",
    "command",
    "notice",
    "progress",
    "sidechain",
    "by_shape",
    "custom_title",
    "summary_title",
    "queued",
)


class Header(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """The first line of a landed file.

    Attributes:
        at: When the pass collected it, RFC 3339 UTC.
        src: Path of the source relative to the adapter's source root, `/` separators.
        stream: On transcripts and sidecars.
        batch: On journals, manifests and scripts.
        file_class: Folder below `files/`, on kind `file`.
        gen: Generation of a re-landed source, from 2.
    """

    h: int = field(default=ENVELOPE_VERSION)
    schema: str = SCHEMA
    seq: int
    at: str
    kind: str
    adapter: str
    dialect: str
    src: str
    session: str
    stream: str | None = None
    batch: str | None = None
    file_class: str | None = field(default=None, name="class")
    gen: int | None = None
    role: str | None = None


class Usage(Struct, frozen=True, kw_only=True, omit_defaults=True, gc=False):
    """Token counters of one record; None is absent, which is not 0.

    In the file a counter that is 0 or absent is left out; `absent` and 0 are told apart
    in the index only.
    """

    input: int | None = field(default=None, name="in")
    output: int | None = field(default=None, name="out")
    cache_read: int | None = None
    cache_write: int | None = None


class Part(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """One piece of a record's content.

    Attributes:
        k: `text`, `reasoning`, `call`, `result`, `media`, `data` or `unknown`.
        data: JSON text as the source spelled it, white space outside strings removed; empty
            bytes when there is none.
        of: On a result: the call it belongs to.
        prompt: On a call: 12 hex digits of the SHA-256 of its trimmed `prompt` input.
        failed: Only when the source stated it.
        bytes: Size of the original, even if less is here; 0 when there is none.
    """

    k: str
    text: str = ""
    data: Raw = Raw()
    id: str = ""
    of: str = ""
    name: str = ""
    prompt: str = ""
    failed: bool | None = None
    media: str = ""
    encoding: str = ""
    state: str | None = None
    bytes: int = 0


class Drop(Struct, frozen=True, omit_defaults=True):
    """Something understood and left behind, with its size in bytes and why."""

    what: str
    bytes: int
    why: str = ""


class Row(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """One source record after conversion.

    Attributes:
        ord: Line number in the source, from 1.
        off: Byte offset in the source, from 0.
        sha: First 12 hex digits of the SHA-256 of the record's source bytes.
        bytes: Length of those bytes, without the newline.
        glued: Ordinal of an object on a shared line, from 2; 0 when alone or first.
        origin: `agent`, `external` or `runtime`: who produced it.
        time: The source's timestamp, byte for byte.
        flags: In the order of `FLAGS`.
        usage: Present when the source record had a usage object, even an empty one.
    """

    ord: int
    off: int
    sha: str
    bytes: int
    glued: int = 0
    carried: bool = False
    stream: str = ""
    id: str = ""
    parent: str = ""
    call: str = ""
    run: str = ""
    continues: str = ""
    copied_from: str = ""
    tool: str = ""
    child: str = ""
    batch: str = ""
    label: str = ""
    started_by: str = ""
    origin: str | None = field(default=None, name="from")
    time: str = ""
    trigger: str = ""
    queue: str = ""
    flags: tuple[str, ...] = ()
    usage: Usage | None = None
    parts: tuple[Part, ...] = ()
    dropped: tuple[Drop, ...] = ()
