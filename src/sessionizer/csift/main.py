"""The program `csift`."""

import sys

from sessionizer.cli.command import Program
from sessionizer.cli.program import run_program
from sessionizer.csift.flags import SHARED

PROGRAM = Program(
    name="csift",
    summary="Search what AI coding agents did: ripgrep for transcripts. Its first reader is a "
    "program, so output is compact, complete and never silently cut.",
    error_prefix="csift: error: ",
    commands=(
        ("list", "The sessions in scope, with their first and last messages."),
        ("search", "Records whose text matches a pattern, in their exchange."),
        ("show", "Records of one transcript in full, by line, id or turn."),
        ("stats", "What transcripts hold, in numbers: records, turns, tools, tokens."),
        ("verbatim", "What was said in a conversation's recent turns, within a budget."),
    ),
    shared=SHARED,
    package="sessionizer.csift.commands",
    dash_positionals=True,
    hidden={"turns": "`turns` is gone; use `verbatim`"},
)


def main(argv: list[str] | None = None) -> int:
    """Run the program; `argv` without the program's name. Returns the exit code."""
    return run_program(PROGRAM, sys.argv[1:] if argv is None else argv)
