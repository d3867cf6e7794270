"""What an entry holds of a landed record."""

import pytest
from msgspec.structs import replace

from sessionizer.base.digests import short_sha256
from sessionizer.index.entry import Block, Entry
from sessionizer.landing.record import Part, Row, Usage
from tests.build.rows import (
    Landing,
    agent,
    call,
    document,
    human,
    reasoning,
    result,
    row,
    text,
    user,
)


def entry_of(
    built: Row, kind: str = "transcript", src: str = "p/s.jsonl", **header: object
) -> Entry:
    return Landing().land(kind, src, built, **{"stream": "main", **header}).entries[0]


@pytest.mark.parametrize(
    ("header_kind", "origin", "kind"),
    [
        ("transcript", "agent", "assistant"),
        ("transcript", "external", "user"),
        ("transcript", "runtime", "system"),
        ("transcript", None, "unknown"),
        ("transcript_tail", "agent", "assistant"),
        ("agent_meta", "runtime", "agent_meta"),
        ("journal", "runtime", "journal"),
        ("journal_tail", "runtime", "journal"),
        ("workflow_manifest", "runtime", "manifest"),
        ("workflow_script", "runtime", "script"),
        ("session_title", "runtime", "session_title"),
        ("file", "runtime", "file"),
        ("history", "runtime", "history"),
    ],
)
def test_the_kind_comes_from_the_source_else_from_the_producer(
    header_kind: str, origin: str | None, kind: str
) -> None:
    """A sidecar's line is no message, whoever produced it."""
    assert entry_of(row("x1", "-", "", text("a"), origin=origin), header_kind).kind == kind


def test_a_tail_has_the_source_of_its_transcript() -> None:
    """So that the line can be recognised when it lands whole."""
    entry = entry_of(row("", "-", "", text("a")), "transcript_tail", "p/s.jsonl#tail")

    assert (entry.src, entry.tail, entry.snapshot) == ("p/s.jsonl", True, True)


def test_blocks_keep_what_joins_records() -> None:
    """Ids, names and prompt digests; no text."""
    entry = entry_of(
        row("x1", "-", "", text("hi"), reasoning("hm"), call("t1", "Task", "look"), result("t0"))
    )

    assert entry.blocks == (
        Block("text"),
        Block("thinking"),
        Block("tool_use", "t1", "Task", short_sha256(b"look")),
        Block("tool_result", "t0"),
    )


def test_equal_prompts_have_one_digest() -> None:
    """R21: white space at the ends does not count, on either side."""
    asked = entry_of(row("x1", "-", "", call("t1", "Task", " look ")))
    told = entry_of(user("x2", "-", "", "p1", "look\n"))

    assert asked.blocks[0].prompt == told.text_sha == short_sha256(b"look")


@pytest.mark.parametrize(
    ("built", "digested"),
    [
        (human("x1", "-", "", "p1", "words"), True),
        (row("x1", "-", "", text("words"), flags=("external_input",)), True),
        (row("x1", "-", "", text("words"), flags=("queued",)), True),
        (
            row(
                "x1",
                "-",
                "",
                document('{"type":"queued_command","prompt":[{"type":"text","text":"words"}]}'),
                flags=("external_input",),
            ),
            True,
        ),
        (row("", "-", "", document('{"content":"words"}'), queue="remove"), True),
        (row("x1", "-", "", document('{"content":"words"}')), False),
        (row("x1", "-", "", text("words"), flags=("injected",)), False),
        (agent("x1", "-", "", "m1", "words"), False),
        (row("x1", "-", "", text("   "), flags=("queued",)), False),
    ],
)
def test_only_what_somebody_wrote_has_a_digest(built: Row, digested: bool) -> None:
    """People, callers, and what the queue holds."""
    assert entry_of(built).text_sha == (short_sha256(b"words") if digested else "")


def test_spoken_counts_text_calls_and_reasoning_that_is_there() -> None:
    """It is compared with output tokens, so results and missing reasoning do not count."""
    entry = entry_of(
        agent("x1", "-", "", "m1", "four", reasoning("hm"), reasoning(), call("t1"), result("t0"))
    )

    assert entry.spoken == 4 + 2 + 0 + 2


def test_an_empty_usage_object_is_not_no_usage() -> None:
    """The first says that nothing was counted, the second says nothing."""
    empty = entry_of(agent("x1", "-", "", "m1", usage=Usage()))
    none = entry_of(agent("x1", "-", "", "m1"))

    assert (empty.has_usage, none.has_usage) == (True, False)
    assert empty.usage_out is None


def test_a_counter_of_zero_reads_like_one_that_is_absent() -> None:
    """A landed file holds neither, and an index made from it must be the same."""
    assert entry_of(agent("x1", "-", "", "m1", usage=Usage(output=0))).usage_out is None


def test_only_a_whole_record_has_a_reason() -> None:
    """An unknown block stands in a record that was read."""
    unknown = Part(k="unknown", text="the record is not valid JSON", state="available", bytes=3)

    assert entry_of(row("", "-", "", unknown)).reason == "the record is not valid JSON"
    assert entry_of(agent("x1", "-", "", "m1", unknown)).reason == ""


@pytest.mark.parametrize(
    ("body", "stated"),
    [
        ('{"a":1,"type":"mode"}', "mode"),
        ('{"type":7}', ""),
        ('["type"]', ""),
        ('{"type":"x","bad":"\\ud800"}', "x"),
        ('{"type":"x",', ""),
    ],
)
def test_a_whole_record_may_state_its_type(body: str, stated: str) -> None:
    """For accounts only; what can not be read states nothing."""
    assert entry_of(row("", "-", "", document(body))).record_type == stated


def test_a_time_that_is_not_an_instant_is_none() -> None:
    """It stays in the landed record as it was written."""
    assert entry_of(replace(row("x1", "-", ""), time="yesterday")).time_ns == 0


def test_streams_hold_transcripts_and_sidecars_only() -> None:
    """A title file lies beside the main transcript and is no record of it."""
    assert entry_of(row("", "-", "", text("T")), "session_title").stream == ""
    assert entry_of(row("", "-", "", text("T")), "agent_meta", stream="a1").stream == "a1"
    assert entry_of(row("x1", "-", "", text("T"), stream="a2"), stream="main").stream == "a2"
