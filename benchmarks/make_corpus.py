"""Write a corpus of invented Claude Code transcripts, shaped like real ones.

    python benchmarks/make_corpus.py OUT --sessions 62 --bytes 1GB --seed 7

OUT becomes a `<claude-home>`. The same arguments give the same bytes, whatever OUT is
called. What was made is printed as JSON lines, and stands in OUT/corpus.jsonl.
"""

import argparse
import json
import re
import sys
from pathlib import Path

# As a script this file stands in the import path, not the directory that holds its package.
sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from benchmarks.corpus.sessions import write_corpus
from benchmarks.corpus.workshop import Workshop

UNITS = {"": 1, "KB": 10**3, "MB": 10**6, "GB": 10**9, "KIB": 2**10, "MIB": 2**20, "GIB": 2**30}
SMALLEST = 1_000_000
SUMMARY = "corpus.jsonl"


def parse_size(text: str) -> int:
    """Bytes of `6MB`, `64MiB`, `1GB` or a plain number.

    Raises:
        argparse.ArgumentTypeError: It is none of these, or under `SMALLEST`.
    """
    match = re.fullmatch(r"(\d+)([KMG]I?B)?", text.upper())
    if match is None:
        raise argparse.ArgumentTypeError(f"{text!r} is not a size such as 64MB or 1GiB")
    size = int(match[1]) * UNITS[match[2] or ""]
    if size < SMALLEST:
        raise argparse.ArgumentTypeError(f"at least {SMALLEST} bytes are needed, not {size}")
    return size


def parse_arguments(arguments: list[str] | None = None) -> argparse.Namespace:
    """The command line; ends the program with a usage line when it is wrong."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    parser.add_argument("out", type=Path, metavar="OUT", help="directory to make; must be empty")
    parser.add_argument("--sessions", type=int, default=24, help="how many (24)")
    parser.add_argument("--bytes", type=parse_size, default="256MB", help="about how much (256MB)")
    parser.add_argument("--seed", type=int, default=7, help="another seed, another corpus (7)")
    options = parser.parse_args(arguments)
    if options.sessions < 1:
        parser.error("--sessions must be at least 1")
    if options.out.exists() and any(options.out.iterdir()):
        parser.error(f"{options.out} is not empty")
    return options


def main() -> None:
    """Write the corpus and print its summary."""
    options = parse_arguments()
    shop = Workshop(options.seed, options.bytes)
    write_corpus(shop, options.out, options.sessions)
    arguments = {"sessions": options.sessions, "bytes": options.bytes, "seed": options.seed}
    rows = [{"kind": "arguments", **arguments}, *shop.ledger.rows(), *shop.schedule.rows()]
    summary = "".join(f"{json.dumps(row, ensure_ascii=False)}\n" for row in rows)
    (options.out / SUMMARY).write_text(summary, encoding="utf-8", newline="\n")
    sys.stdout.write(summary)


if __name__ == "__main__":
    main()
