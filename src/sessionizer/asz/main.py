"""The program `asz`."""

import sys

from sessionizer.asz.flags import SHARED
from sessionizer.cli.command import Program
from sessionizer.cli.program import run_program

PROGRAM = Program(
    name="asz",
    summary="Keep what AI coding agents write before it is deleted, assemble it into "
    "conversations, and read them as a page.",
    error_prefix="asz: ",
    commands=(
        ("up", "Collect, assemble and serve the page, then keep following: the main job."),
        ("sources", "List the sessions and files that would be collected."),
        ("collect", "Keep the bytes of every source, once or continuously."),
        ("index", "Show or rebuild the derived index of kept sessions."),
        ("show", "Show the kept records with an id: where they stand, and what they say."),
        ("parse", "Assemble kept sessions and publish what changed as rounds."),
        ("conversation", "Show one assembled conversation: counts, gaps, tree."),
        ("view", "Serve the page over what is already assembled."),
        ("glossary", "The fixed words, and the agent's own word for each."),
        ("verify", "Check every kept byte, every digest and every chain."),
        ("doctor", "Say what will be deleted and when, and what of it is not kept."),
    ),
    shared=SHARED,
    package="sessionizer.asz.commands",
    dash_positionals=False,
)


def main(argv: list[str] | None = None) -> int:
    """Run the program; `argv` without the program's name. Returns the exit code."""
    return run_program(PROGRAM, sys.argv[1:] if argv is None else argv)
