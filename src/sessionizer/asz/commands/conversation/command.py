"""`asz conversation`: one assembled conversation, in numbers, as a tree or as a document."""

from sessionizer.asz.commands.conversation import query, rows, text
from sessionizer.asz.errors import UnknownConversationError
from sessionizer.asz.flags import SharedArguments
from sessionizer.asz.settings import read_root
from sessionizer.asz.words import page_words
from sessionizer.cli.context import Context
from sessionizer.cli.flags import Flag, Positional, positive_number
from sessionizer.landing.zone import Zone
from sessionizer.rounds.chain import read_chain
from sessionizer.rounds.store import conversation_ids, head_generation
from sessionizer.views.conversation import build_conversation
from sessionizer.views.document import build_document
from sessionizer.views.evidence import Evidence
from sessionizer.views.revisions import find_revisions
from sessionizer.views.totals import read_totals

DESCRIPTION = """
Verifies and folds the rounds of one conversation, and prints what came out: how many nodes
and relations of each kind, how well the joins are known, what was spent, what is still open,
and the tree of containment, cut to a readable size with the rest counted.

With --format json the whole conversation is one document: talks as trees with their words,
streams, segments, relations, open entries, and the rounds and files it rests on with their
digests, checked.
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
    Flag(
        "--at-round",
        "N",
        positive_number,
        help="As it was after round N. Without it: after the newest.",
    ),
    Flag(
        "--history",
        "NODE-ID",
        conflicts=("--terms",),
        help="Only what each round said about one node, relation or unresolved entry.",
    ),
    Flag(
        "--format",
        "FORM",
        choices=("text", "json"),
        default="text",
        help="Text for people, or one JSON document.",
    ),
)
EXAMPLES = (
    ("asz conversation 5f0c1d2e-0000-4000-8000-000000000001", "Counts, gaps and the tree."),
    ("asz conversation ID --terms both", "With the agent's own word beside each kind."),
    ("asz conversation ID --at-round 1 --format json", "The whole document as it began."),
    ("asz conversation ID --history tool/toolu_1", "How one step came to be what it is."),
)


class Args(SharedArguments):
    """What the user typed."""

    id: tuple[str, ...]
    terms: str
    at_round: int | None
    history: str | None
    format: str


def run(args: Args, context: Context) -> int:
    """Fold and print."""
    zone = Zone(read_root(args))
    zone.require()
    (conversation,) = args.id
    if conversation not in conversation_ids(zone.conversations_directory):
        raise UnknownConversationError(conversation, str(zone.root))
    directory = zone.conversation_directory(conversation)
    chain = read_chain(directory, at_round=args.at_round)
    head = len(head_generation(directory).files)
    words = page_words()
    if args.history is not None:
        history = find_revisions(chain, args.history)
        shown = text.render_history(history)
        context.write(rows.render(history) if args.format == "json" else shown)
        return 0
    if args.format == "json":
        document = build_document(zone, build_conversation(zone, chain, words), head=head)
        context.write(rows.render(document))
        return 0
    folded = chain.folded
    evidence = Evidence(zone, tuple(covered.session for covered in folded.sessions))
    totals = read_totals(zone, folded.sessions, evidence, words.totals)
    natives = {name: term.native for name, term in words.terms.items() if term.native}
    described = query.describe(folded, head=head, stated=totals)
    context.write(text.render(described, query.Words(args.terms, natives)))
    return 0
