"""Which of some ids are those of real tool blocks in a transcript, not text that quotes them."""

from sessionizer.transcripts.damage import Damage
from sessionizer.transcripts.framing import decode_line
from sessionizer.transcripts.reading import iter_physical_lines
from sessionizer.transcripts.record import is_tool_result, is_tool_use


def native_ids_among(path: str, ids: frozenset[str]) -> frozenset[str]:
    """Those of `ids` that a tool use or a tool result in the file carries."""
    found: set[str] = set()
    needles = [one.encode() for one in ids]
    for line in iter_physical_lines(path) if needles else ():
        if not any(needle in line.body for needle in needles):
            continue
        for one in decode_line(line, Damage()):
            for block in one.blocks:
                if is_tool_use(block) and block.id in ids:
                    found.add(block.id or "")
                elif is_tool_result(block) and block.tool_use_id in ids:
                    found.add(block.tool_use_id or "")
    return frozenset(found)
