#!/usr/bin/env python3
"""Write the bundled sample home, or with `--check` say where the files differ from it.

Everything below `src/sessionizer/sample/` but its `__init__.py` comes from here.
"""

import argparse
import shutil
import sys
from pathlib import Path

from sample.facts import render_readme
from sample.home import build_home

TARGET = Path(__file__).resolve().parents[1] / "src" / "sessionizer" / "sample"
# Bytes and line ends are facts of the sample: no tool may translate them.
ATTRIBUTES = b"* -text\n"
BY_HAND = ("__init__.py", "__pycache__")


def main() -> int:
    """Write or compare; 1 when `--check` found a difference."""
    parser = argparse.ArgumentParser(description=__doc__, allow_abbrev=False)
    parser.add_argument("--out", type=Path, default=TARGET, metavar="DIR")
    parser.add_argument("--check", action="store_true", help="write nothing; exit 1 if stale")
    options = parser.parse_args()

    home = build_home()
    files = {**home, "README.md": render_readme(home), ".gitattributes": ATTRIBUTES}
    if options.check:
        stale = _differences(options.out, files)
        for path in stale:
            print(f"{options.out / path}: not what tools/make_sample.py makes", file=sys.stderr)
        if stale:
            print("run `make sample`", file=sys.stderr)
        return bool(stale)
    _write(options.out, files)
    return 0


def _differences(target: Path, files: dict[str, bytes]) -> list[str]:
    there = {
        path.relative_to(target).as_posix(): path
        for path in target.rglob("*")
        if path.is_file() and path.relative_to(target).parts[0] not in BY_HAND
    }
    return sorted(
        name
        for name in there.keys() | files.keys()
        if name not in there or name not in files or there[name].read_bytes() != files[name]
    )


def _write(target: Path, files: dict[str, bytes]) -> None:
    target.mkdir(parents=True, exist_ok=True)
    for old in target.iterdir():
        if old.name in BY_HAND:
            continue
        if old.is_dir():
            shutil.rmtree(old)
        else:
            old.unlink()
    for name, body in files.items():
        path = target / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(body)


if __name__ == "__main__":
    sys.exit(main())
