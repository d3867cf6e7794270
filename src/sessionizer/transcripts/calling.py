"""Which session calls: the id that Claude Code leaves in the environment of its tools."""

from collections.abc import Mapping

from sessionizer.claude_code.ids import is_session_id
from sessionizer.transcripts.errors import CallingSessionError

VARIABLES = ("CLAUDE_CODE_SESSION_ID", "CODEX_COMPANION_SESSION_ID")


def read_calling_session(environ: Mapping[str, str]) -> str:
    """The id of the session that started this command. A subagent's is its parent's.

    Raises:
        CallingSessionError: No variable names one, or what it holds is no session id.
    """
    for name in VARIABLES:
        value = environ.get(name, "").strip()
        if not value:
            continue
        if not is_session_id(value):
            raise CallingSessionError(
                f"{name} holds {value!r}, which is no session id", hint="pass @<uuid> instead"
            )
        return value
    raise CallingSessionError(
        f"no session calls: {VARIABLES[0]} is not set", hint="pass @<uuid> instead of @main"
    )
