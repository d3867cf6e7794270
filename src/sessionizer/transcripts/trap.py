"""Find the transcript whose own shell command carries a marker: who is asking.

A subagent cannot see its own id. It puts a marker into this very command, and only its own
transcript holds that command as a tool's input.
"""

from collections.abc import Iterable, Sequence

from sessionizer.claude_code.values import decode_members, decode_text
from sessionizer.transcripts.damage import Damage
from sessionizer.transcripts.errors import AmbiguousTargetError, MarkerError
from sessionizer.transcripts.files import TranscriptFile
from sessionizer.transcripts.framing import decode_line
from sessionizer.transcripts.reading import iter_physical_lines
from sessionizer.transcripts.record import TranscriptRecord, is_tool_use

SHELLS = ("Bash", "PowerShell")
PROGRAM = "csift"


def find_marker(marker: str, family: Sequence[TranscriptFile]) -> TranscriptFile:
    """The transcript that carries `marker`: an agent's before the session's own.

    Raises:
        MarkerError: None carries it.
        AmbiguousTargetError: More than one agent carries it.
    """
    found = [file for file in family if _carries(file, marker)]
    agents = [file for file in found if file.is_subagent]
    if len(agents) > 1:
        raise AmbiguousTargetError(
            f"@trap:{marker}", "agents", sorted(file.session_id for file in agents)
        )
    if agents or found:
        return (agents or found)[0]
    raise MarkerError(
        f"no transcript of the calling session carries the marker {marker!r}",
        hint="use @main if this is the top-level session; check that the marker stands literally "
        "in the command; then re-run the same marker as a separate command, since a transcript "
        "lands on disk a few seconds later",
    )


def _carries(file: TranscriptFile, marker: str) -> bool:
    needle = marker.encode()
    for line in iter_physical_lines(file.path):
        if needle not in line.body:
            continue
        records = decode_line(line, Damage())
        if any(marker in command and PROGRAM in command for command in _commands(records)):
            return True
    return False


def _commands(records: Iterable[TranscriptRecord]) -> Iterable[str]:
    for one in records:
        for block in one.blocks:
            if is_tool_use(block) and block.name in SHELLS:
                given = decode_members(block.input) or {}
                yield (decode_text(given["command"]) if "command" in given else None) or ""
