"""Laws of index and assembly, over sessions that no sane program would write."""

import re
from collections.abc import Iterable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sessionizer.assembly.coverage import ACCOUNTS
from sessionizer.assembly.inheritance import (
    find_sharing,
    list_holding,
    share_records,
    survey_session,
)
from sessionizer.assembly.pipeline import Assembly, assemble
from sessionizer.assembly.places import position_of
from sessionizer.base.canonical import encode_canonical
from sessionizer.index.codec import (
    SCHEMA,
    Segment,
    SegmentHeader,
    decode_segment,
    encode_segment,
)
from sessionizer.index.entry import Entry
from tests.build.drawing import assembled, spell_all
from tests.build.growth import Source, growths, land, land_whole, sources
from tests.build.rows import SESSION, Landing, user

# How positions stand inside ids: `msg/1/5:0`, `notify_1_5`, `at_3_17`, `side-1_5`.
POSITION = re.compile(r"(?<![0-9A-Za-z])(\d+)[/_](\d+)(?![0-9a-f]*-)")


def normalised(whole: Assembly, entries: Iterable[Entry]) -> list[str]:
    """Every entity with places of sources instead of positions, sorted (R41)."""
    places = {
        (str(entry.seq), str(entry.row)): f"<{entry.src} {entry.off} {entry.carried}>"
        for entry in entries
    }

    def place(match: re.Match[str]) -> str:
        return places.get((match[1], match[2]), match[0])

    def named(value: object) -> str:
        return POSITION.sub(place, encode_canonical(value).decode())

    def spelled(references: Iterable[object]) -> list[str]:
        return sorted(POSITION.sub(place, one) for one in spell_all(references).split(","))

    drawn = [
        f"{named([node.id, node.kind, node.parent, node.stream, node.attrs])}"
        f" {spelled([node.ref])} {spelled(node.refs[:1])} {spelled(node.refs[1:])}"
        for node in whole.entities.nodes
    ]
    drawn += [
        f"{named([edge.id, edge.source, edge.target, edge.quality, edge.via])}"
        f" {spelled(edge.evidence)}"
        for edge in whole.entities.relations
    ]
    drawn += [named([gap.id, gap.ref, gap.reason]) for gap in whole.entities.unresolved]
    return sorted(drawn)


@given(st.data())
def test_how_the_growth_was_cut_does_not_matter(data: st.DataObject) -> None:
    """Any order of files, any chunks, tails in between: the same structure (R41)."""
    files = data.draw(sources())
    whole = land_whole(files)
    grown = data.draw(growths(files))

    at_once, in_pieces = assembled(whole), assembled(grown)

    assert normalised(in_pieces, grown.entries) == normalised(at_once, whole.entries)
    assert in_pieces.statistics.entries == at_once.statistics.entries
    assert in_pieces.summary.tokens == at_once.summary.tokens


@given(st.data())
def test_every_landed_record_has_one_account(data: st.DataObject) -> None:
    """The numbers add up to all records, and nothing is left over."""
    grown = data.draw(growths(data.draw(sources())))
    through = data.draw(st.integers(0, grown.seq))

    coverage = assembled(grown, through=through).coverage

    assert coverage.unaccounted == ()
    assert sum(coverage.counts.values()) == coverage.total == len(grown.entries)
    assert set(coverage.counts) <= set(ACCOUNTS)
    statistics = assembled(grown, through=through).statistics
    assert len(grown.entries) == (
        statistics.entries + statistics.duplicates + statistics.beyond + statistics.torn_tails
    )


@given(st.data())
def test_landing_records_again_changes_nothing(data: st.DataObject) -> None:
    """Whole files once more, as after an interrupted pass: the same entities, byte for byte."""
    files = data.draw(sources())
    once = assembled(land_whole(files))
    again = land_whole(files)
    for source in data.draw(st.lists(st.sampled_from(files), min_size=1, max_size=3)):
        land(again, source, source.rows[data.draw(st.integers(0, len(source.rows) - 1)) :])

    # A snapshot that lands again is a newer version, and its nodes move to it.
    repeated = [entry for entry in again.entries if entry.seq <= len(files) or not entry.snapshot]

    assert assembled_entries(repeated).entities == once.entities


@given(sources())
def test_nothing_dangles(files: tuple[Source, ...]) -> None:
    """Parents, ends of edges and references are all there."""
    landing = land_whole(files)
    entities = assembled(landing).entities
    ids = {node.id for node in entities.nodes}
    positions = {entry.position: len(entry.blocks) for entry in landing.entries}

    assert {node.parent for node in entities.nodes} - ids == {None}
    assert {edge.source for edge in entities.relations} <= ids
    assert {edge.target for edge in entities.relations} <= ids
    for node in entities.nodes:
        for reference in (*node.refs, *((node.ref,) if node.ref else ())):
            assert (reference.block or 0) < max(1, positions[position_of(reference)])


@given(sources())
def test_ids_are_unique_and_sorted(files: tuple[Source, ...]) -> None:
    """As UTF-8 bytes; a round file depends on it."""
    entities = assembled(land_whole(files)).entities

    for found in (entities.nodes, entities.relations, entities.unresolved):
        ids = [entity.id.encode() for entity in found]
        assert ids == sorted(set(ids))


@given(st.data())
def test_what_lies_beyond_the_watermark_has_no_say(data: st.DataObject) -> None:
    """Assembling up to a file is assembling without the later ones."""
    grown = data.draw(growths(data.draw(sources())))
    through = data.draw(st.integers(1, grown.seq))

    bounded = assembled(grown, through=through)

    earlier = [entry for entry in grown.entries if entry.seq <= through]
    assert bounded.entities == assembled_entries(earlier).entities


@given(st.data())
def test_a_stored_segment_comes_back_whole_or_not_at_all(data: st.DataObject) -> None:
    """Encoding is exact both ways, and one changed byte makes it unreadable."""
    entries = tuple(land_whole(data.draw(sources())).entries)
    segment = Segment(SegmentHeader(SCHEMA, "d/1", SESSION), entries)
    body = encode_segment(segment)
    at = data.draw(st.integers(0, len(body) - 1))
    damaged = body[:at] + bytes([body[at] ^ data.draw(st.integers(1, 255))]) + body[at + 1 :]

    assert decode_segment(body) == segment
    assert decode_segment(damaged) is None
    assert decode_segment(body[:at]) is None


@given(sources(), sources())
def test_a_shared_record_has_one_owner(one: tuple[Source, ...], other: tuple[Source, ...]) -> None:
    """Of all sessions that hold a record, exactly one does not inherit it."""
    held = {"s-one": land_whole(one).entries, "s-other": land_whole(other).entries}
    surveys = [survey_session(session, entries) for session, entries in held.items()]
    tables = share_records(surveys)

    shared = set(surveys[0].records) & set(surveys[1].records)

    for record in shared:
        inheriting = [session for session, table in tables.items() if record in table.record_owners]
        assert len(inheriting) == 1
    for session, table in tables.items():
        assert sum(owner.records for owner in table.owners) == len(table.record_owners)
        assert session not in table.record_owners.values()


@given(st.lists(sources(), min_size=1, max_size=4))
def test_sessions_that_share_nothing_have_no_part_in_a_table(
    several: list[tuple[Source, ...]],
) -> None:
    """So they need not be surveyed: the tables are the same."""
    held = {f"s-{number}": land_whole(files).entries for number, files in enumerate(several)}
    sharing = find_sharing(list_holding(name, entries) for name, entries in held.items())

    tables = share_records(survey_session(name, entries) for name, entries in held.items())
    without = share_records(survey_session(name, held[name]) for name in sorted(sharing))

    assert without == tables


@pytest.mark.parametrize("size", [1, 2, 3, 50])
def test_parents_in_a_circle_never_hang(size: int) -> None:
    """Any number of records, marked or not, each the parent of the next."""
    circle = [
        user(f"u{n}", f"u{(n + 1) % size}", "", "", "x", flags=("sidechain",) if n % 2 else ())
        for n in range(size)
    ]

    whole = assembled(Landing().main(*circle))

    assert whole.coverage.total == size


def assembled_entries(entries: Iterable[Entry]) -> Assembly:
    kept = list(entries)
    through = max((entry.seq for entry in kept), default=0)
    return assemble(kept, session=SESSION, conversation=SESSION, through=through)
