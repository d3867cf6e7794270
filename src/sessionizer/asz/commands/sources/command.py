"""`asz sources`: the sessions and files that would be collected."""

from sessionizer.adapters.claude_code_local.sources import list_sources
from sessionizer.asz.collecting import adapter_config
from sessionizer.asz.commands.sources import text
from sessionizer.asz.flags import SharedArguments
from sessionizer.asz.settings import read_settings
from sessionizer.cli.context import Context

DESCRIPTION = """
Walks the home and lists every session the filters let through: in how many project
directories its files lie, and how many transcripts, sidecars, workflow journals and manifests
it has. What looks like a transcript and belongs to no session is listed with the reason.
Reads names, not content; writes nothing.
"""
POSITIONALS = ()
FLAGS = ()
EXAMPLES = (
    ("asz sources", "What `asz collect` would keep."),
    ("asz sources --claude-home /mnt/backup/.claude", "The same for another home."),
)


class Args(SharedArguments):
    """What the user typed."""


def run(args: Args, context: Context) -> int:
    """Walk and list, once per configured home."""
    for source in read_settings(args, context).sources:
        context.write(text.render(list_sources(adapter_config(source))))
    return 0
