"""Laws of searching: no short cut may change an answer."""

import re
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from hypothesis import example, given
from hypothesis import strategies as st
from msgspec.structs import replace

from sessionizer.claude_code.values import decode_value, is_present
from sessionizer.transcripts.account import AccountReader
from sessionizer.transcripts.blocks import iter_blocks
from sessionizer.transcripts.carried import iter_carried
from sessionizer.transcripts.damage import Damage
from sessionizer.transcripts.errors import PatternError
from sessionizer.transcripts.exchanges import Exchange
from sessionizer.transcripts.family import Families, Family
from sessionizer.transcripts.files import Catalogue, TranscriptFile
from sessionizer.transcripts.framing import clean_line, decode_line, is_framed
from sessionizer.transcripts.gates import ALL_GATES, Gates, open_gates
from sessionizer.transcripts.lane_views import LaneViews
from sessionizer.transcripts.matching import iter_strings
from sessionizer.transcripts.pattern.compiled import Pattern, compile_pattern
from sessionizer.transcripts.possible import iter_possible_texts
from sessionizer.transcripts.prefilter import make_filter
from sessionizer.transcripts.query import Query
from sessionizer.transcripts.reading import iter_physical_lines
from sessionizer.transcripts.searching import search_files, share_out
from sessionizer.transcripts.taxonomy import select_labels
from sessionizer.transcripts.units import View
from sessionizer.transcripts.when import Window
from tests.build.strategies import WORDS, texts, transcripts

GATES = (Gates(), ALL_GATES)


@contextmanager
def on_disk(lines: list[bytes]) -> Iterator[TranscriptFile]:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "s.jsonl"
        path.write_bytes(b"".join(line + b"\n" for line in lines))
        yield TranscriptFile(
            path=str(path), session_id="s", is_subagent=False, parent_session_id="s"
        )


@st.composite
def patterns(draw: st.DrawFn) -> str:
    """Patterns near the words that occur: literals, parts, alternatives, classes, flags."""
    word = draw(st.one_of(st.sampled_from(WORDS), texts()))
    word = word.encode("utf-8", "replace").decode()
    start = draw(st.integers(0, max(len(word) - 1, 0)))
    piece = word[start : start + draw(st.integers(1, 12))] or "foo"
    shape = draw(st.integers(0, 6))
    if shape == 0:
        return piece.lower() if draw(st.booleans()) else re.escape(piece.swapcase())
    escaped = re.escape(piece)
    if shape == 1:
        return f"(?i){escaped}"
    if shape == 2:
        return f"{escaped}|completed"
    if shape == 3 and len(piece) > 2:
        return f"{re.escape(piece[0])}.{re.escape(piece[2:])}"
    if shape == 4:
        return rf"\b{escaped}"
    if shape == 5:
        return f"(?:{escaped})+[a-z]?"
    return escaped


def compiled(pattern: str) -> Pattern:
    try:
        return compile_pattern(pattern, ignore_case=False, multiline=False)
    except PatternError:
        return compile_pattern(re.escape(pattern), ignore_case=False, multiline=False)


def ask(pattern: str, labels: tuple[str, ...]) -> Query:
    found = compiled(pattern)
    selection = select_labels(labels, ())
    return Query(
        find=found.engine.search,
        needles=found.needles,
        selection=selection,
        gates=open_gates(selection, additional_context=False, attachments=bool(labels)),
        window=Window(),
    )


def answer(file: TranscriptFile, query: Query, processes: int = 1) -> list[Exchange]:
    families = Families(Catalogue((file,), {}))
    with search_files([file], query, families, processes=processes) as results:
        return list(results.iter_exchanges(results.entries))


@given(transcripts(), patterns(), st.sampled_from([(), ("user.*", "agent.*", "harness.*")]))
def test_the_filter_hides_no_match(
    lines: list[bytes], pattern: str, labels: tuple[str, ...]
) -> None:
    """R11: with needles and without, the same exchanges, hits and totals."""
    query = ask(pattern, labels)
    with on_disk(lines) as file:
        fast = answer(file, query)
        slow = answer(file, replace(query, needles=None))

    assert fast == slow


@given(st.data(), transcripts())
def test_every_text_may_be_found_by_every_part_of_it(
    data: st.DataObject, lines: list[bytes]
) -> None:
    """R11, line by line: a piece of what a view shows never passes its line over."""
    with on_disk(lines) as file:
        shown = [
            (line, text)
            for line, view in iter_views(file)
            for text in (view.text, *(text for _, text in strings_of(view)))
            if text
        ]
        if not shown:
            return
        line, text = data.draw(st.sampled_from(shown))
    start = data.draw(st.integers(0, len(text) - 1))
    piece = text[start : start + data.draw(st.integers(3, 20))]
    found = compile_pattern(
        re.escape(data.draw(st.sampled_from([piece, piece.lower(), piece.upper()]))),
        ignore_case=data.draw(st.booleans()),
        multiline=False,
    )
    line_filter = make_filter(found.needles, ALL_GATES)

    if line_filter is not None and found.engine.search(text) is not None:
        assert line_filter.may_match(line) or line_filter.may_borrow(line)


def iter_views(file: TranscriptFile) -> Iterator[tuple[bytes, View]]:
    """Every view of every record with its line, under every label of its own."""
    reader = AccountReader(file, ALL_GATES, Family(), Damage())
    views = LaneViews(file, reader.read(), Family())
    for line in iter_physical_lines(file.path):
        for one in reader.decode(line, Damage()):
            for record in (one, *reader.gatherer.carried(one)):
                place = views.place_of(record)
                for label in views.labels(record, place) if place is not None else ():
                    for view in views.views(record, place, label.__eq__):
                        yield line.body, view


def strings_of(view: View) -> list[tuple[str, str]]:
    if not is_present(view.payload):
        return []
    return list(iter_strings(decode_value(view.payload)))


@given(transcripts())
def test_possible_texts_hold_every_view(lines: list[bytes]) -> None:
    """What a first look tries a pattern on must include what a second look shows."""
    with on_disk(lines) as file:
        reader = AccountReader(file, ALL_GATES, Family(), Damage())
        views = LaneViews(file, reader.read(), Family())
        for line in iter_physical_lines(file.path):
            for one in reader.decode(line, Damage()):
                for record in (one, *reader.gatherer.carried(one)):
                    place = views.place_of(record)
                    if place is None:
                        continue
                    possible = set(iter_possible_texts(record))
                    for label in views.labels(record, place):
                        for view in views.views(record, place, label.__eq__):
                            text, _, plan = view.text.partition(" [plan: ")
                            assert text in possible or plan


@given(transcripts(), st.sampled_from(GATES), st.booleans())
def test_a_quick_look_gives_the_same_facts(
    lines: list[bytes], gates: Gates, is_subagent: bool
) -> None:
    """Lines that are not decoded as a whole: turns, tools, pairing and damage all agree."""
    with on_disk(lines) as file:
        owned = TranscriptFile(
            path=file.path,
            session_id="a1" if is_subagent else "s",
            is_subagent=is_subagent,
            parent_session_id="s",
        )
        quick = AccountReader(owned, gates, Family(), Damage())
        slow = AccountReader(owned, gates, Family(), Damage(), quick=False)
        first, second = quick.read().facts, slow.read().facts

    assert first.lanes == second.lanes
    assert first.place_of == second.place_of
    assert first.copy_of == second.copy_of
    assert (first.tools, first.plans, first.children) == (
        second.tools,
        second.plans,
        second.children,
    )
    assert (first.calls, first.answered) == (second.calls, second.answered)
    assert first.queue.outcomes == second.queue.outcomes
    assert first.queue.returned == second.queue.returned
    for name in Damage.__slots__:
        assert getattr(quick.damage, name) == getattr(slow.damage, name)


@given(
    st.lists(
        st.one_of(
            st.binary(max_size=30),
            st.sampled_from([b"{}", b'{"a":1}', b"{", b"", b"\r", b'{"a":"\xe2\x80\xa8"}', b"\0"]),
        ),
        max_size=12,
    ),
    st.booleans(),
)
@example([b"{}" * 200_000, b"{}"], False)
def test_blocks_hold_every_line_and_count_every_frame(bodies: list[bytes], ended: bool) -> None:
    r"""Lines end at `\n` only, however long they are, and each is framed or counted."""
    whole = b"\n".join(bodies) + (b"\n" if ended and bodies else b"")
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "f"
        path.write_bytes(whole)
        slow = list(iter_physical_lines(str(path)))
        fast, unframed = [], 0
        for block in iter_blocks(str(path)):
            unframed += block.count_unframed()
            fast += [block.line(index) for index in range(len(block.ends))]

    assert [(line.number, line.offset, line.body) for line in fast] == [
        (line.number, line.offset, line.body.removesuffix(b"\n")) for line in slow
    ]
    expected = 0
    for line in slow:
        cleaned, stripped = clean_line(line.body, number=line.number)
        expected += not is_framed(cleaned) if cleaned else stripped
    assert unframed == expected


@given(st.lists(st.integers(0, 1000), max_size=30), st.integers(1, 8))
def test_shares_hold_every_file_once(sizes: list[int], count: int) -> None:
    shares = share_out(sizes, count)

    assert sorted(position for share in shares for position in share) == list(range(len(sizes)))


@given(transcripts())
def test_decoding_a_line_never_fails(lines: list[bytes]) -> None:
    """Whatever the damage: records come out, or the line is counted."""
    with on_disk(lines) as file:
        for line in iter_physical_lines(file.path):
            damage = Damage()
            found = list(decode_line(line, damage))
            assert found or damage.skipped
            for one in found:
                list(iter_carried(one))
