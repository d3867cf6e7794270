"""Which agents an agent started, and those in turn."""

# ruff: noqa: PTH123

import mmap
from collections.abc import Iterator, Sequence

from sessionizer.transcripts.damage import Damage
from sessionizer.transcripts.files import Catalogue, TranscriptFile
from sessionizer.transcripts.framing import decode_line
from sessionizer.transcripts.reading import iter_physical_lines
from sessionizer.transcripts.record import is_tool_use
from sessionizer.transcripts.spawns import read_sidecars


def find_descendants(
    ancestor: TranscriptFile, family: Sequence[TranscriptFile], catalogue: Catalogue
) -> tuple[TranscriptFile, ...]:
    """The agents below `ancestor`, children before their children.

    A sidecar names the parent, or the call that started the agent; then the transcript that
    holds that call is the parent's. What names neither is nobody's descendant here.

    Args:
        ancestor: An agent's transcript.
        family: The other agents of its session.
        catalogue: Where the sidecars lie.
    """
    sidecars = read_sidecars(catalogue.sidecars.get(ancestor.parent_session_id, ()))
    parents = {sidecar.agent_id: sidecar.parent_agent_id for sidecar in sidecars}
    calls = {sidecar.agent_id: sidecar.tool_use_id for sidecar in sidecars}
    found: list[TranscriptFile] = []
    queue = [ancestor]
    left = list(family)
    while queue:
        parent = queue.pop(0)
        for file in tuple(left):
            stated = parents.get(file.session_id, "")
            call = calls.get(file.session_id, "")
            if stated == parent.session_id or (
                not stated and call and _issues(parent, call, catalogue)
            ):
                left.remove(file)
                found.append(file)
                queue.append(file)
    return tuple(found)


def _issues(file: TranscriptFile, call: str, catalogue: Catalogue) -> bool:
    """Whether the call was made there first: a fork's copy of its parent's call makes none."""
    if not _holds_call(file.path, call):
        return False
    mains = (
        other.path
        for other in catalogue.files
        if not other.is_subagent and other.session_id == file.parent_session_id
    )
    return not any(_holds_call(path, call) for path in mains)


def _holds_call(path: str, call: str) -> bool:
    needle = call.encode()
    try:
        return any(True for _ in _calls(path, needle, call))
    except OSError:
        return False


def _calls(path: str, needle: bytes, call: str) -> Iterator[None]:
    if not _has_bytes(path, needle):
        return
    for line in iter_physical_lines(path):
        if needle not in line.body:
            continue
        for one in decode_line(line, Damage()):
            if any(is_tool_use(block) and block.id == call for block in one.blocks):
                yield None


def _has_bytes(path: str, needle: bytes) -> bool:
    with open(path, "rb") as file:
        try:
            with mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as view:
                return view.find(needle) >= 0
        except ValueError:  # an empty file
            return False
