"""The plain way to read transcripts: decode every line, look at every string.

    python -I decode_every_line.py DIRECTORY [WORD]

Prints how many lines hold WORD in one of their strings; without WORD, how many lines there are.
Independent of the package it is compared with, and of the corpus generator.
"""

import json
import sys
from collections.abc import Iterator
from pathlib import Path


def iter_strings(value: object) -> Iterator[str]:
    """Yield every string within a decoded value, keys left out."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        for inner in value.values():
            yield from iter_strings(inner)
    elif isinstance(value, list):
        for inner in value:
            yield from iter_strings(inner)


def count_lines(directory: Path, word: str | None) -> int:
    """Lines below `directory` that hold `word`, or all lines when it is None."""
    found = 0
    for path in sorted(directory.rglob("*.jsonl")):
        with path.open("rb", buffering=1 << 18) as file:
            for line in file:
                record = json.loads(line)
                found += word is None or any(word in text for text in iter_strings(record))
    return found


if __name__ == "__main__":
    print(count_lines(Path(sys.argv[1]), sys.argv[2] if len(sys.argv) > 2 else None))
