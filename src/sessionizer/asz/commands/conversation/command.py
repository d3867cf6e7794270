"""`asz conversation`: one assembled conversation, in numbers and as a tree."""

from sessionizer.asz.commands.conversation import query, text
from sessionizer.asz.errors import UnknownConversationError
from sessionizer.asz.flags import SharedArguments
from sessionizer.asz.settings import read_root
from sessionizer.claude_code.native_terms import NATIVE_TERMS
from sessionizer.cli.context import Context
from sessionizer.cli.flags import Flag, Positional
from sessionizer.landing.zone import Zone
from sessionizer.rounds.chain import read_chain
from sessionizer.rounds.store import conversation_ids

DESCRIPTION = """
Verifies and folds the rounds of one conversation, and prints what came out: how many nodes
and relations of each kind, how well the joins are known, what is still open, and the tree of
containment, cut to a readable size with the rest counted.
"""
POSITIONALS = (
    Positional("ID", least=1, help="The conversation; by default a session's id is its name."),
)
FLAGS = (
    Flag(
        "--terms",
        "WORDS",
        choices=("unified", "native", "both"),
        default="unified",
        help="Which vocabulary names the kinds: this project's, the agent's own, or both.",
    ),
)
EXAMPLES = (
    ("asz conversation 5f0c1d2e-0000-4000-8000-000000000001", "Counts, gaps and the tree."),
    ("asz conversation ID --terms both", "With the agent's own word beside each kind."),
)


class Args(SharedArguments):
    """What the user typed."""

    id: tuple[str, ...]
    terms: str


def run(args: Args, context: Context) -> int:
    """Fold and print."""
    zone = Zone(read_root(args))
    zone.require()
    (conversation,) = args.id
    if conversation not in conversation_ids(zone.conversations_directory):
        raise UnknownConversationError(conversation, str(zone.root))
    folded = read_chain(zone.conversation_directory(conversation)).folded
    natives = {term.term: term.word for term in NATIVE_TERMS if term.word}
    context.write(text.render(query.describe(folded), query.Words(args.terms, natives)))
    return 0
