"""Find an agent that has no file of its own by its id."""

from sessionizer.transcripts.damage import Damage
from sessionizer.transcripts.facts import FactGatherer
from sessionizer.transcripts.files import Catalogue, TranscriptFile
from sessionizer.transcripts.framing import decode_line
from sessionizer.transcripts.gates import Gates
from sessionizer.transcripts.reading import iter_physical_lines

_PREFIXES = ("side-", "carried-")


def find_lane(file: TranscriptFile, lane: str, catalogue: Catalogue) -> bool:
    """Whether the top-level `file` holds an inline or carried lane of that id.

    Its bytes are looked at first; only a file that holds the id is read.
    """
    needle = lane
    for prefix in _PREFIXES:
        needle = needle.removeprefix(prefix)
    if needle.startswith("L") and needle[1:].isdigit():
        needle = '"'  # a lane named after its line: every file may hold it
    if not any(needle.encode() in line.body for line in iter_physical_lines(file.path)):
        return False
    agents = {
        other.session_id
        for other in catalogue.files
        if other.is_subagent and other.parent_session_id == file.session_id
    }
    gatherer = FactGatherer(Gates(), is_subagent=False, agents_with_files=frozenset(agents))
    for line in iter_physical_lines(file.path):
        for one in decode_line(line, Damage()):
            gatherer.add(one)
    return any(found.id == lane for found in gatherer.finish().lanes)
