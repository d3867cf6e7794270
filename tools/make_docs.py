"""Write the generated parts of docs/, or check that they are fresh.

A generated part stands between `<!-- generated: NAME -->` and `<!-- end -->`; the text
around it is written by hand. Run without arguments to rewrite, with `--check` to compare.
"""

import re
import sys
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path

from sessionizer.asz.main import PROGRAM as ASZ
from sessionizer.cli.command import Program
from sessionizer.cli.help import render_command_help, render_program_help
from sessionizer.csift.main import PROGRAM as CSIFT

DOCS = Path(__file__).parent.parent / "docs"
_PART = re.compile(r"(<!-- generated: (?P<name>[^>]+) -->\n).*?(<!-- end -->)", re.DOTALL)


def main() -> int:
    """Rewrite or check; the exit code says whether everything was fresh."""
    check = "--check" in sys.argv[1:]
    parts = dict(generate_parts())
    used: set[str] = set()
    stale = []
    for page in sorted(DOCS.rglob("*.md")):
        text = page.read_text(encoding="utf-8")
        fresh = _PART.sub(lambda match: _fill(match, parts, used), text)
        if fresh != text:
            stale.append(page)
            if not check:
                page.write_text(fresh, encoding="utf-8")
    missing = sorted(set(parts) - used)
    for name in missing:
        print(f"no page shows the generated part {name!r}", file=sys.stderr)
    if check:
        for page in stale:
            print(f"{page} is stale; run `make docs`", file=sys.stderr)
    return 1 if missing or (check and stale) else 0


def generate_parts() -> Iterator[tuple[str, str]]:
    """Every generated part, by name."""
    for program in (ASZ, CSIFT):
        yield f"{program.name} --help", _block(render_program_help(program))
        for name, _ in program.commands:
            yield f"{program.name} {name} --help", _block(_command_help(program, name))


def _command_help(program: Program, name: str) -> Iterator[str]:
    return render_command_help(program, name, import_module(f"{program.package}.{name}.command"))


def _block(lines: Iterator[str]) -> str:
    return "```text\n" + "\n".join(lines).rstrip() + "\n```\n"


def _fill(match: re.Match[str], parts: dict[str, str], used: set[str]) -> str:
    name = match["name"]
    if name not in parts:
        raise SystemExit(f"unknown generated part {name!r}")
    used.add(name)
    return match[1] + parts[name] + match[3]


if __name__ == "__main__":
    sys.exit(main())
