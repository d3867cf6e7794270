"""A transcript that lies outside the projects directory, given by its path.

Kept free of msgspec and typing: every start comes through here.
"""

# ruff: noqa: PTH113, PTH118, PTH119, PTH123

import os
import re

from sessionizer.transcripts.errors import TargetError
from sessionizer.transcripts.files import AgentSidecar, Catalogue, TranscriptFile

ELICITATIONS = "elicitations.jsonl"
HEAD_BYTES = 64 * 1024

_AGENT = "agent-"
_SENTINEL = b"elicitation-marker-v1"
_NAMED_SESSION = re.compile(rb'"sessionId"\s*:\s*"([^"\\]*)"')


def read_outside(path: str) -> tuple[TranscriptFile, Catalogue]:
    """The transcript at `path`, and what lies beside it and belongs to it.

    Raises:
        TargetError: The file is no transcript, by its name or by what it holds.
    """
    directory, name = os.path.split(path)
    stem = name.removesuffix(".jsonl")
    if name == ELICITATIONS or _holds_markers(path):
        raise TargetError(
            path, f"{path} is an elicitation sidecar, not a transcript", hint="name its session"
        )
    if name == "journal.jsonl":
        raise TargetError(path, f"{path} is the journal of a workflow run, not a transcript")
    above, found, _ = path.partition(f"{os.sep}subagents{os.sep}")
    if found or stem.startswith(_AGENT):
        parent = os.path.basename(above) if found else _read_session(path)
        folder = above if found else os.path.join(directory, parent)
        file = TranscriptFile(
            path=path,
            session_id=stem.removeprefix(_AGENT),
            is_subagent=True,
            parent_session_id=parent,
            folder=folder,
        )
    else:
        folder = os.path.join(directory, stem)
        file = TranscriptFile(
            path=path,
            session_id=stem,
            is_subagent=False,
            parent_session_id=stem,
            folder=folder,
            elicitations=_existing(os.path.join(folder, ELICITATIONS)),
            title_file=_existing(os.path.join(folder, "custom-title.json")),
        )
    return file, _list_family(file, folder)


def _list_family(file: TranscriptFile, folder: str) -> Catalogue:
    files, sidecars = [file], []
    for directory, _, names in os.walk(os.path.join(folder, "subagents")):
        for name in sorted(names):
            path = os.path.join(directory, name)
            if not name.startswith(_AGENT):
                continue
            if name.endswith(".meta.json"):
                agent = name.removeprefix(_AGENT).removesuffix(".meta.json")
                sidecars.append(AgentSidecar(agent, path))
            elif name.endswith(".jsonl") and path != file.path:
                files.append(
                    TranscriptFile(
                        path=path,
                        session_id=name.removeprefix(_AGENT).removesuffix(".jsonl"),
                        is_subagent=True,
                        parent_session_id=file.parent_session_id,
                        folder=folder,
                    )
                )
    files.sort(key=lambda one: os.fsencode(one.path))
    return Catalogue(tuple(files), {file.parent_session_id: tuple(sidecars)})


def _holds_markers(path: str) -> bool:
    """Whether every line that is not blank carries a hook's sentinel."""
    with open(path, "rb") as file:
        first = next((line for line in file if line.strip()), b"")
        return _SENTINEL in first and all(_SENTINEL in line for line in file if line.strip())


def _read_session(path: str) -> str:
    with open(path, "rb") as file:
        named = _NAMED_SESSION.search(file.read(HEAD_BYTES))
    return named.group(1).decode("utf-8", "replace") if named else ""


def _existing(path: str) -> str | None:
    return path if os.path.isfile(path) else None
