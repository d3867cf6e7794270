"""Laws of index and assembly, over sessions that no sane program would write."""

import re
from collections.abc import Iterable
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec import Struct, json
from msgspec.structs import replace

from sessionizer.assembly.coverage import ACCOUNTS
from sessionizer.assembly.inheritance import share_records, survey_session
from sessionizer.assembly.pipeline import Assembly, assemble
from sessionizer.assembly.places import position_of
from sessionizer.base.canonical import encode_canonical
from sessionizer.base.digests import short_sha256
from sessionizer.index.codec import (
    SCHEMA,
    Segment,
    SegmentHeader,
    decode_segment,
    encode_segment,
)
from sessionizer.index.entry import Entry
from sessionizer.landing.record import Part, Row, Usage
from tests.build.drawing import assembled, spell_all
from tests.build.rows import (
    MAIN_SRC,
    SESSION,
    Landing,
    agent,
    call,
    document,
    human,
    note,
    reasoning,
    reset,
    result,
    row,
    text,
    user,
)

RECORDS = (*(f"0123abcd-89ab-4cde-8f01-23456789abc{n:x}" for n in range(14)), "same", "")
TOOLS = ("ta", "tb", "tc", "td")
CHILDREN = ("ca", "cb", "cc")
BATCH = "wf"
WORDS = ("look", "listen", "go on")
UNREADABLE = Part(k="unknown", text="the record is not valid JSON", state="available", bytes=3)
# How positions stand inside ids: `msg/1/5:0`, `notify_1_5`, `at_3_17`, `side-1_5`.
POSITION = re.compile(r"(?<![0-9A-Za-z])(\d+)[/_](\d+)(?![0-9a-f]*-)")


class Source(Struct, frozen=True, kw_only=True):
    """One source file: rows with their places, in order."""

    kind: str
    src: str
    rows: tuple[Row, ...]
    stream: str | None = None
    batch: str | None = None
    role: str | None = None


@st.composite
def rows(draw: st.DrawFn, *, main: bool) -> Row:
    """One row of a transcript, of any kind, with any parent."""
    record, parent = draw(st.sampled_from(RECORDS)), draw(st.sampled_from((*RECORDS, "-")))
    hour = draw(st.integers(8, 11))
    at = draw(st.sampled_from(("", f"{hour:02d}:00:00", f"{hour:02d}:00:09", f"{hour:02d}:30:00")))
    run, tool = draw(st.sampled_from(("pa", "pb", ""))), draw(st.sampled_from(TOOLS))
    child = draw(st.sampled_from((*CHILDREN, "")))
    words = draw(st.sampled_from(WORDS))
    flags = draw(
        st.sampled_from(
            [(), ("injected",), ("notice",), ("error",), ("turn_duration",), ("command",)]
        )
    )
    side = ("sidechain",) if main and draw(st.integers(0, 4)) == 0 else ()
    choices = [
        user(record, parent, at, run, words, flags=side),
        user(record, parent, at, run, result(tool), child=child, flags=side),
        user(record, parent, at, run, result(tool), batch=BATCH, flags=("launch_ack",)),
        user(record, parent, at, run, "sum", flags=("reset_summary",)),
        note(record, parent, at, run, tool=tool, child=child),
        agent(
            record,
            parent,
            at,
            draw(st.sampled_from(("ma", "mb", ""))),
            *draw(
                st.lists(
                    st.sampled_from((text("hi"), reasoning(), call(tool, "Task", words))),
                    max_size=2,
                )
            ),
            finished=draw(st.booleans()),
            usage=draw(st.sampled_from((None, Usage(), Usage(output=9)))),
            flags=side,
        ),
        row(record, parent, at, document("{}"), flags=flags),
        row(record, parent, at, document("{}"), flags=("progress",), tool=tool, child=child),
        row("", "-", "", UNREADABLE),
        row("", "-", "", document('{"type":"ai-title"}'), label=words),
    ]
    if main:
        prompt = human(record, parent, at, run, words)
        queued = row("", "-", at, text(words), origin="external", trigger="external")
        choices += [
            replace(prompt, flags=("external_input", "by_shape")),
            reset(record, at, draw(st.sampled_from(RECORDS))),
            replace(queued, flags=("queued",), queue="enqueue"),
            row("", "-", at, document("{}"), queue=draw(st.sampled_from(("dequeue", "remove")))),
            replace(agent(record, parent, at, "ma", "hi"), carried=True, stream="ca"),
        ]
    return draw(st.sampled_from(choices))


def placed(built: Iterable[Row], src: str) -> tuple[Row, ...]:
    """Rows at their places in the source; the digest tells different rows apart."""
    return tuple(
        replace(
            one,
            ord=number,
            off=number * 100,
            sha=short_sha256(src.encode() + json.encode(one)),
            bytes=99,
        )
        for number, one in enumerate(built, start=1)
    )


@st.composite
def sources(draw: st.DrawFn) -> tuple[Source, ...]:
    """The files of one session."""
    main = draw(st.lists(rows(main=True), min_size=1, max_size=14))
    found = [Source(kind="transcript", src=MAIN_SRC, rows=placed(main, MAIN_SRC), stream="main")]
    for name in draw(st.lists(st.sampled_from(CHILDREN), unique=True)):
        lines = draw(st.lists(rows(main=False), max_size=5))
        role = draw(st.sampled_from((None, None, "internal")))
        src = f"agent-{name}.jsonl"
        found.append(
            Source(kind="transcript", src=src, rows=placed(lines, src), stream=name, role=role)
        )
        side = row("", "-", "", document("{}"), child=name, label=f"the {name}")
        started_by = draw(st.sampled_from((*CHILDREN, "")))
        described = replace(side, started_by=started_by, tool=draw(st.sampled_from((*TOOLS, ""))))
        src = f"agent-{name}.meta.json"
        found.append(Source(kind="agent_meta", src=src, rows=placed([described], src), stream=name))
    told = [
        row("", "-", "", document("{}"), child=child, flags=flags)
        for child, flags in draw(
            st.lists(
                st.tuples(st.sampled_from(CHILDREN), st.sampled_from(((), ("child_result",)))),
                max_size=3,
            )
        )
    ]
    found.append(
        Source(kind="journal", src="journal.jsonl", rows=placed(told, "journal"), batch=BATCH)
    )
    return tuple(source for source in found if source.rows)


def land(landing: Landing, source: Source, chunk: Iterable[Row]) -> None:
    header = {"stream": source.stream, "batch": source.batch, "role": source.role}
    landing.land(source.kind, source.src, *chunk, **header)


def land_whole(files: Iterable[Source]) -> Landing:
    landing = Landing()
    for source in files:
        land(landing, source, source.rows)
    return landing


@st.composite
def growths(draw: st.DrawFn, files: tuple[Source, ...]) -> Landing:
    """The same files, landed in pieces, in any order between files, now and then by a tail."""
    pieces: dict[str, list[list[Row]]] = {}
    for source in files:
        cuts = draw(st.lists(st.integers(1, len(source.rows)), max_size=3))
        edges = sorted({0, *cuts, len(source.rows)})
        pieces[source.src] = [list(source.rows[start:stop]) for start, stop in pairwise(edges)]
    by_src = {source.src: source for source in files}
    landing = Landing()
    while waiting := sorted(src for src, left in pieces.items() if left):
        source = by_src[draw(st.sampled_from(waiting))]
        chunk = pieces[source.src].pop(0)
        if source.kind == "transcript" and draw(st.booleans()):
            first = chunk[0] if draw(st.booleans()) else replace(chunk[0], parts=(UNREADABLE,))
            if first.parts == (UNREADABLE,):
                torn = row("", "-", "", UNREADABLE)
                first = replace(torn, ord=chunk[0].ord, off=chunk[0].off, sha="feed", bytes=3)
            tail = replace(source, kind="transcript_tail", src=f"{source.src}#tail")
            land(landing, tail, [first])
        land(landing, source, chunk)
    return landing


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
