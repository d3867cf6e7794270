"""Sessions that no sane program would write: their files, and how they may land."""

from collections.abc import Iterable
from itertools import pairwise

from hypothesis import strategies as st
from msgspec import Struct, json
from msgspec.structs import replace

from sessionizer.base.digests import short_sha256
from sessionizer.landing.record import Part, Row, Usage
from tests.build.rows import (
    MAIN_SRC,
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
