"""Which of some ids are those of real tool blocks in a transcript, not text that quotes them."""

from collections.abc import Iterator

from sessionizer.claude_code.blocks import Block
from sessionizer.transcripts.damage import Damage
from sessionizer.transcripts.framing import decode_line
from sessionizer.transcripts.reading import iter_physical_lines
from sessionizer.transcripts.record import is_tool_result, is_tool_use


def native_ids_among(path: str, ids: frozenset[str]) -> frozenset[str]:
    """Those of `ids` that a tool use or a tool result in the file carries."""
    found: set[str] = set()
    for block in _iter_blocks(path, ids):
        if is_tool_use(block) and block.id in ids:
            found.add(block.id or "")
        elif is_tool_result(block) and block.tool_use_id in ids:
            found.add(block.tool_use_id or "")
    return frozenset(found)


def find_calls(path: str, ids: frozenset[str]) -> dict[str, str]:
    """Those of `ids` that a tool use in the file carries, with the tool's name."""
    return {
        block.id: block.name or ""
        for block in _iter_blocks(path, ids)
        if is_tool_use(block) and block.id is not None and block.id in ids
    }


def _iter_blocks(path: str, ids: frozenset[str]) -> Iterator[Block]:
    """The blocks of every line that holds one of the ids. A file that is gone has none."""
    needles = [one.encode() for one in ids]
    try:
        for line in iter_physical_lines(path) if needles else ():
            if any(needle in line.body for needle in needles):
                for one in decode_line(line, Damage()):
                    yield from one.blocks
    except OSError:
        return
