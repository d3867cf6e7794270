"""The plain way to read transcripts: decode every line, look at every string.

    python -I decode_every_line.py DIRECTORY [WORD]

Prints how many lines hold WORD in one of their strings; without WORD, how many lines there are.
Independent of the package it is compared with, and of the corpus generator.
"""

import json
import sys
from pathlib import Path


def holds(value: object, word: str) -> bool:
    """Whether any string within a decoded value, keys left out, contains `word`."""
    if isinstance(value, str):
        return word in value
    if isinstance(value, dict):
        value = value.values()
    elif not isinstance(value, list):
        return False
    # A loop: `any` over a generator makes the whole program a quarter slower.
    for inner in value:  # noqa: SIM110
        if holds(inner, word):
            return True
    return False


def count_lines(directory: Path, word: str | None) -> int:
    """Lines below `directory` that hold `word`, or all lines when it is None."""
    found = 0
    for path in sorted(directory.rglob("*.jsonl")):
        with path.open("rb", buffering=1 << 18) as file:
            for line in file:
                record = json.loads(line)
                found += word is None or holds(record, word)
    return found


if __name__ == "__main__":
    print(count_lines(Path(sys.argv[1]), sys.argv[2] if len(sys.argv) > 2 else None))
