"""`asz glossary`: the fixed words, and the agent's own word for each."""

from sessionizer.asz.commands.glossary import text
from sessionizer.asz.flags import SharedArguments
from sessionizer.claude_code.native_terms import NATIVE_TERMS
from sessionizer.cli.context import Context

DESCRIPTION = """
Prints every fixed word of the model, the word the agent's files use for it, and where it
stands there. A word without one is derived by this project. Reads nothing.
"""
POSITIONALS = ()
FLAGS = ()
EXAMPLES = (("asz glossary", "The whole vocabulary."),)


class Args(SharedArguments):
    """What the user typed."""


def run(args: Args, context: Context) -> int:  # noqa: ARG001 - every command has this shape
    """Print the glossary."""
    context.write(text.render(NATIVE_TERMS))
    return 0
