"""The ids that stand in names of files.

Kept free of msgspec and typing: every command starts with a walk.
"""

import re

SESSION_ID = re.compile(r"[0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}")
AGENT_ID = re.compile(r"[A-Za-z0-9_-]{1,128}")
NOTIFIED_AGENT_ID = re.compile(r"a[0-9a-f]{6,16}|a[A-Za-z0-9_]+-[0-9a-f]{6,16}")
BATCH_ID = re.compile(r"wf_[A-Za-z0-9][A-Za-z0-9_-]*")

_RESERVED_AGENT_IDS = frozenset({"main"})  # the name of a session's own lineage


def is_session_id(text: str) -> bool:
    """Whether `text` has the form 8-4-4-4-12 hex digits, of either case."""
    return SESSION_ID.fullmatch(text) is not None


def is_agent_id(text: str) -> bool:
    """Whether `text` may stand after `agent-` in a file name."""
    return AGENT_ID.fullmatch(text) is not None and text not in _RESERVED_AGENT_IDS


def is_notified_agent_id(text: str) -> bool:
    """Whether a task id in a notification names an agent, not a command or workflow."""
    return NOTIFIED_AGENT_ID.fullmatch(text) is not None


def is_batch_id(text: str) -> bool:
    """Whether `text` has the form of a workflow run's id."""
    return BATCH_ID.fullmatch(text) is not None
