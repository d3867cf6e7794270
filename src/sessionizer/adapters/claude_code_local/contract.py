"""What the adapter promises to those who read its landed files."""

from typing import Final

from msgspec import Struct

# Raised by any change that alters the row made from the same bytes.
DIALECT: Final = "claude-code/1"
ADAPTER: Final = "claude-code-local/0.1.0"


class SourceContext(Struct, frozen=True, kw_only=True, gc=False):
    """Which source a line comes from: all that its conversion needs beside the bytes.

    Attributes:
        kind: A header kind of `landing.record`.
        stream: `main` or an agent id, on transcripts and sidecars; empty elsewhere.
        batch: Id of the workflow run, on journals, manifests and scripts; empty elsewhere.
        main: Whether this is a session's own transcript; only there a person types.
        internal: Whether the stream belongs to an agent that the runtime starts for itself.
    """

    kind: str
    stream: str = ""
    batch: str = ""
    main: bool = False
    internal: bool = False
