"""Every line of genuine transcripts, from version 1.0.98 on."""

from collections import Counter
from pathlib import Path

import msgspec
import pytest

from sessionizer.adapters.claude_code_local.contract import SourceContext
from sessionizer.adapters.claude_code_local.convert import convert_line
from sessionizer.base.digests import short_sha256
from sessionizer.claude_code.lines import iter_lines
from sessionizer.landing.contiguity import check_contiguity
from sessionizer.landing.record import JOURNAL, TRANSCRIPT, Row

pytestmark = pytest.mark.real_data


def source_of(path: Path) -> SourceContext:
    """What the place of a file says about it."""
    if path.name == "journal.jsonl":
        return SourceContext(kind=JOURNAL, batch=path.parent.name)
    if path.stem.startswith("agent-"):
        return SourceContext(kind=TRANSCRIPT, stream=path.stem.removeprefix("agent-"))
    return SourceContext(kind=TRANSCRIPT, stream="main", main=True)


def convert_file(path: Path) -> tuple[Row, ...]:
    """The rows of all lines of a file."""
    source = source_of(path)
    return tuple(
        row
        for line in iter_lines(path.read_bytes())
        for row in convert_line(
            source, line.body, ord=line.number, off=line.offset, first=line.number == 1
        )
    )


def transcripts(sample: Path) -> list[Path]:
    """Its transcripts and journals."""
    paths = sorted((sample / "projects").rglob("*.jsonl"))
    assert paths
    return paths


def main_rows(real_data: Path, sample: str) -> tuple[Row, ...]:
    """The rows of the one main transcript of a sample."""
    (path,) = (real_data / sample / "projects").glob("*/*.jsonl")
    return convert_file(path)


def flagged(rows: tuple[Row, ...], flag: str) -> list[Row]:
    """The rows that have the flag, in order."""
    return [row for row in rows if flag in row.flags]


def test_every_line_of_every_sample_is_read(real_data: Path) -> None:
    """No row is unreadable, every slice is the source's, and the rows join without a gap."""
    samples = [path for path in sorted(real_data.iterdir()) if (path / "projects").is_dir()]
    assert len(samples) > 15
    for path in (found for sample in samples for found in transcripts(sample)):
        body = path.read_bytes()
        rows = convert_file(path)

        assert {row.ord for row in rows} == set(range(1, len(body.splitlines()) + 1)), path
        assert check_contiguity([(path.name, rows)]).problems == ()
        for row in rows:
            assert row.sha == short_sha256(body[row.off : row.off + row.bytes])
            assert row.parts
            if "unknown" in {part.k for part in row.parts}:
                assert "block type" in row.parts[0].text
            assert msgspec.json.decode(msgspec.json.encode(row), type=Row) == row


def test_a_glued_line_gives_one_row_more_than_there_are_lines(real_data: Path) -> None:
    """170 lines, 171 rows: line 128 is two whole objects."""
    rows = main_rows(real_data, "v2.1.12-glued-line")

    assert (len({row.ord for row in rows}), len(rows)) == (170, 171)
    assert [(row.ord, row.glued) for row in rows if row.glued] == [(128, 2)]


def test_messages_that_a_parent_carries_are_copies_of_the_childs_file(real_data: Path) -> None:
    """25 of them, with the uuids of the child's own file, and the same content."""
    sample = real_data / "v2.1.39-subagents"
    rows = main_rows(real_data, sample.name)
    (child,) = sample.rglob("agent-aac57f5.jsonl")
    own = {row.id: row for row in convert_file(child)}

    carried = [row for row in rows if row.carried]

    assert len(carried) == 25
    assert {row.stream for row in carried} == {"aac57f5"}
    assert len(own) == 40
    for row in carried:
        assert (row.parts, row.call) == (own[row.id].parts, own[row.id].call)
    (task,) = [part.id for row in rows for part in row.parts if part.name == "Task"]
    hosts = [row for row in flagged(rows, "progress") if row.child == "aac57f5"]
    assert {row.tool for row in hosts} == {task}
    assert [row.child for row in flagged(rows, "child_result")] == ["aac57f5"]


def test_a_prompt_that_exists_only_in_the_queue_is_a_message(real_data: Path) -> None:
    """Line 20 is a person's sentence; line 6 puts a notification into the queue."""
    rows = main_rows(real_data, "v2.1.39-queued-prompt-only")
    by_line = {row.ord: row for row in rows}

    assert [row.ord for row in flagged(rows, "queued")] == [20]
    assert by_line[20].parts[0].text.startswith("refreshing the page")
    assert (by_line[6].queue, by_line[6].origin, by_line[6].trigger) == ("enqueue", "runtime", "")
    assert (by_line[4].flags, by_line[4].parts[0].name) == (("command", "by_shape"), "/clear")
    assert (by_line[5].flags, by_line[5].trigger) == ((), "")
    assert by_line[7].trigger == "notification"


@pytest.mark.parametrize(
    ("sample", "lines"),
    [
        ("v1.0.98-old-layout", []),
        ("v1.0.119-mcp-list-result", [1, 3]),
        ("v2.1.4-foreign-summary", [3]),
        ("v2.1.12-glued-line", [2, 112, 134, 153, 163]),
        ("v2.1.12-microcompact", [4, 173, 187, 226]),
        ("v2.1.38-tool-heavy", [4, 26]),
        ("v2.1.39-subagents", [7]),
        ("v2.1.45-image", [7]),
        ("v2.1.63-progress", [3, 29]),
        ("v2.1.205-desktop-windows", [5]),
        ("v2.1.2xx-compaction", []),
    ],
)
def test_what_a_person_typed_is_found(real_data: Path, sample: str, lines: list[int]) -> None:
    """And nothing else: no interrupt, no output of a command, no summary, no skill text."""
    rows = main_rows(real_data, sample)

    assert [row.ord for row in flagged(rows, "external_input")] == lines


def test_no_person_speaks_to_an_internal_agent(real_data: Path) -> None:
    """Their prompts are the machine's, and look like a person's."""
    for path in transcripts(real_data / "v2.1.29-internal-agents"):
        rows = convert_file(path)
        assert not flagged(rows, "external_input")
        assert {row.trigger for row in rows} == {""}


def test_a_structured_list_is_kept(real_data: Path) -> None:
    """`toolUseResult` may be a bare list of blocks."""
    rows = main_rows(real_data, "v1.0.119-mcp-list-result")

    (result,) = [part for row in rows for part in row.parts if part.k == "result"]
    assert result.text or bytes(result.data).startswith(b"[")


def test_the_oldest_layout_pairs_its_tools(real_data: Path) -> None:
    """Version 1.0.98: five uses stand before their five results."""
    rows = main_rows(real_data, "v1.0.98-old-layout")
    calls = [part.id for row in rows for part in row.parts if part.k == "call"]
    results = [part.of for row in rows for part in row.parts if part.k == "result"]

    assert len(calls) == len(set(calls)) == 12
    assert sorted(calls) == sorted(results)
    largest: Counter[str] = Counter()
    for row in rows:
        if row.usage is not None:
            largest[row.call] = max(largest[row.call], row.usage.output or 0)
    assert (len(largest), sum(largest.values())) == (7, 953)


def test_an_image_is_kept_beside_its_words(real_data: Path) -> None:
    """A pasted picture stands in the same message as the text about it."""
    rows = main_rows(real_data, "v2.1.45-image")

    (media,) = [part for row in rows for part in row.parts if part.k == "media"]
    assert media.media.startswith("image/")
    assert bytes(media.data).startswith(b'"')


def test_what_no_rule_describes_is_named(real_data: Path) -> None:
    """The `fallback` block is kept with its text."""
    rows = main_rows(real_data, "v2.1.217-fallback")

    (unknown,) = [part for row in rows for part in row.parts if part.k == "unknown"]
    assert unknown.text == 'block type "fallback" is not one this dialect describes'


def test_a_reset_states_what_it_continues(real_data: Path) -> None:
    """Only `compact_boundary` is one; the smaller trims are notices."""
    compacted = main_rows(real_data, "v2.1.2xx-compaction")
    trimmed = main_rows(real_data, "v2.1.12-microcompact")

    assert [bool(row.continues) for row in flagged(compacted, "context_reset")] == [True]
    assert len(flagged(compacted, "reset_summary")) == 1
    assert flagged(trimmed, "context_reset") == []


def test_conversion_is_a_function_of_the_bytes(real_data: Path) -> None:
    """Twice the same rows, so that a lost file comes back byte for byte."""
    for path in transcripts(real_data / "v2.1.220-every-shape"):
        once, again = convert_file(path), convert_file(path)
        assert [msgspec.json.encode(row) for row in once] == [
            msgspec.json.encode(row) for row in again
        ]
