"""`asz show`: the kept records that an id stands for."""

from sessionizer.asz.commands.show import query, text
from sessionizer.asz.errors import MissingSessionDataError, UnknownRecordError, UnknownSessionError
from sessionizer.asz.flags import SharedArguments
from sessionizer.asz.settings import read_root
from sessionizer.cli.context import Context
from sessionizer.cli.flags import Positional
from sessionizer.index.copies import select_canonical
from sessionizer.index.session_index import load_index
from sessionizer.landing.session_data import read_row
from sessionizer.landing.zone import LandedFile, Zone

DESCRIPTION = """
Prints the kept records with a record id, or with the parts of a tool use: where each stands in
the storage root and in its source, who produced it, and the beginning of each part in one line
with control characters spelled out. Copies of a record are listed too, after the one that
counts. The index is used when it is there and made in memory when it is not.
"""
POSITIONALS = (
    Positional("SESSION", least=1, help="The session that holds the record."),
    Positional("ID", least=1, help="A tool-use id or a record id; a tool-use id wins."),
)
FLAGS = ()
EXAMPLES = (
    (
        "asz show 5f0c8a52-7d1e-4b39-9c64-2a8e31d0b7f4 toolu_01dyLGjFxDNd3YkovTm1F4yE",
        "A call and its result, with the records they stand in.",
    ),
)


class Args(SharedArguments):
    """What the user typed."""

    session: tuple[str, ...]
    id: tuple[str, ...]


def run(args: Args, context: Context) -> int:
    """Look the id up, read the records, print them."""
    zone = Zone(read_root(args))
    zone.require()
    (session,), (wanted,) = args.session, args.id
    if session not in zone.session_ids():
        raise UnknownSessionError(session, str(zone.root))
    found = query.find(select_canonical(load_index(zone, session).entries), wanted)
    if not wanted or not found.records:
        raise UnknownRecordError(wanted, session)
    landed = zone.landed_by_seq(session)
    records = [_read(session, landed, record) for record in found.records]
    context.write(text.render(wanted, found, records))
    return 0


def _read(session: str, landed: dict[int, LandedFile], record: query.FoundRecord) -> text.Shown:
    file = landed.get(record.entry.seq)
    if file is None:
        raise MissingSessionDataError(session, record.entry.seq)
    header, row = read_row(file.path, record.entry.row)
    return text.Shown(found=record, file=file.relative, header=header, row=row)
