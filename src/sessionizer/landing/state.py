"""`session.state`: a cache of what the landed files say, and the mark of an open pass.

Source: docs/formats/storage.md, "State files".
"""

from pathlib import Path
from typing import Final

from msgspec import Struct

from sessionizer.base.files import write_atomic
from sessionizer.base.state_text import format_state, parse_number, parse_state

_SCHEMA: Final = 1
_LIVENESS: Final = "unknown"


class SessionState(Struct, frozen=True, kw_only=True):
    """What is remembered of a session between passes.

    Attributes:
        next_seq: The next free sequence number as far as the file knows; 0 when the file has
            none that is a number. Names on disk have the last word.
        last_scan: When the last pass looked, RFC 3339 UTC.
        open_pass: Whether a pass began to publish and did not end.
        slugs: Plan names seen on lines of the session, in order of first appearance; None
            when the file does not know.
        dialect: The dialect that every delta of the session has; empty when unknown.
    """

    session: str
    next_seq: int = 1
    last_scan: str = ""
    updated_at: str = ""
    open_pass: bool = False
    slugs: tuple[str, ...] | None = None
    dialect: str = ""


def parse_session_state(text: str, session: str) -> SessionState:
    """The state in `text`; what is absent or unreadable has its default."""
    pairs = parse_state(text)
    return SessionState(
        session=session,
        next_seq=parse_number(pairs["next_seq"]) if "next_seq" in pairs else 1,
        last_scan=pairs.get("last_scan", ""),
        updated_at=pairs.get("updated_at", ""),
        open_pass=parse_number(pairs.get("open_pass")) == 1,
        slugs=tuple(pairs["slugs"].split()) if "slugs" in pairs else None,
        dialect=pairs.get("dialect", ""),
    )


def read_session_state(path: Path, session: str) -> SessionState | None:
    """The state at `path`; None when there is no such file."""
    try:
        body = path.read_bytes()
    except FileNotFoundError:
        return None
    return parse_session_state(body.decode("utf-8", "replace"), session)


def encode_session_state(state: SessionState) -> bytes:
    """The state's file."""
    return format_state(
        {
            "schema": _SCHEMA,
            "session": state.session,
            "next_seq": state.next_seq,
            "liveness": _LIVENESS,
            "last_scan": state.last_scan,
            "updated_at": state.updated_at,
            "open_pass": int(state.open_pass),
            "slugs": None if state.slugs is None else " ".join(state.slugs),
            "dialect": state.dialect or None,
        }
    )


def write_session_state(path: Path, state: SessionState) -> None:
    """Replace the state file, durably."""
    write_atomic(path, encode_session_state(state))
