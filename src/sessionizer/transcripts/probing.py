"""A first look at a file: can it hold a hit at all, and how well are its lines framed?

Most files hold none, and are done with after this. Bytes are searched for what every match
must contain; only lines that hold it are decoded.
"""

from sessionizer.transcripts.blocks import iter_blocks
from sessionizer.transcripts.damage import Damage
from sessionizer.transcripts.framing import clean_line, decode_line, is_framed
from sessionizer.transcripts.reading import PhysicalLine
from sessionizer.transcripts.scanner import Scanner


def probe_file(path: str, scanner: Scanner, damage: Damage) -> bool:
    """Whether the file may hold a hit. Stops at the first line that may be one.

    Args:
        path: The file.
        scanner: What is looked for.
        damage: Where to count. Complete only when the answer is no.

    Raises:
        OSError: The file cannot be read.
    """
    for block in iter_blocks(path):
        damage.skipped += block.count_unframed()
        for index in scanner.lines_to_read(block):
            if _may_be_hit(block.line(index), scanner, damage):
                return True
    return False


def _may_be_hit(line: PhysicalLine, scanner: Scanner, damage: Damage) -> bool:
    if scanner.candidates.search(line.body) is None:
        return False
    found = Damage()
    records = list(decode_line(line, found))
    cleaned, _ = clean_line(line.body, number=line.number)
    if not is_framed(cleaned):
        found.skipped = 0  # counted with the block's frames
    damage.add(found)
    return any(scanner.may_be_hit(one) for one in records)
