"""What is known of real transcripts, through collection, index and assembly."""

from pathlib import Path

import pytest

from sessionizer.adapters.claude_code_local.collect import collect_once
from sessionizer.adapters.claude_code_local.sources import AdapterConfig
from sessionizer.assembly.inheritance import Inherited, share_records, survey_session
from sessionizer.assembly.pipeline import Assembly, assemble
from sessionizer.index.entry import Entry
from sessionizer.index.session_index import load_index, update_index
from sessionizer.landing.zone import Zone
from sessionizer.model.nodes import Node

pytestmark = pytest.mark.real_data
NOW_NS = 1_790_000_000_000_000_000
SAMPLES = (
    "newest-shapes-home",
    "v1.0.98-old-layout",
    "v1.0.119-mcp-list-result",
    "v2.1.4-foreign-summary",
    "v2.1.12-glued-line",
    "v2.1.12-microcompact",
    "v2.1.29-internal-agents",
    "v2.1.38-tool-heavy",
    "v2.1.39-subagents",
    "v2.1.39-queued-prompt-only",
    "v2.1.45-image",
    "v2.1.63-progress",
    "v2.1.205-desktop-windows",
    "v2.1.2xx-fork-family",
    "v2.1.2xx-compaction",
    "v2.1.217-fallback",
    "v2.1.220-every-shape",
)


def landed(home: Path, root: Path) -> Zone:
    zone = Zone(root)
    report = collect_once(
        AdapterConfig(source_root=home / "projects"),
        zone,
        now_ns=lambda: NOW_NS,
        on_landed=lambda *_: None,
        flush_tails=True,
    )
    assert report.errors == ()
    return zone


def entries_by_session(home: Path, root: Path) -> dict[str, tuple[Entry, ...]]:
    zone = landed(home, root)
    return {session: load_index(zone, session).entries for session in zone.session_ids()}


def assembled(session: str, entries: tuple[Entry, ...]) -> Assembly:
    through = entries[-1].seq
    return assemble(entries, session=session, conversation=session, through=through)


def only(home: Path, root: Path) -> Assembly:
    ((session, entries),) = entries_by_session(home, root).items()
    return assembled(session, entries)


def nodes(whole: Assembly, kind: str) -> list[Node]:
    return [node for node in whole.entities.nodes if node.kind == kind]


@pytest.mark.parametrize("sample", SAMPLES)
def test_every_record_has_an_account_and_nothing_dangles(
    real_data: Path, tmp_path: Path, sample: str
) -> None:
    """Whatever the version."""
    for session, entries in entries_by_session(real_data / sample, tmp_path).items():
        whole = assembled(session, entries)
        ids = {node.id for node in whole.entities.nodes}

        assert whole.coverage.unaccounted == ()
        assert whole.coverage.total == len(entries)
        assert {node.parent for node in whole.entities.nodes} - ids == {None}
        assert {
            end for edge in whole.entities.relations for end in (edge.source, edge.target)
        } <= ids


@pytest.mark.parametrize("sample", ["v2.1.39-subagents", "newest-shapes-home"])
def test_the_stored_index_is_the_loaded_one(real_data: Path, tmp_path: Path, sample: str) -> None:
    """Rebuilt or read: the same entries."""
    zone = landed(real_data / sample, tmp_path)

    for session in zone.session_ids():
        loaded = load_index(zone, session)
        assert update_index(zone, session, now_ns=NOW_NS) == loaded
        assert load_index(zone, session) == loaded


def test_the_oldest_layout_sums_its_calls_once(real_data: Path, tmp_path: Path) -> None:
    """Seven calls; a naive sum over records would be 1,258."""
    whole = only(real_data / "v1.0.98-old-layout", tmp_path)

    assert whole.summary.calls == 7
    assert whole.summary.tokens.output == 953
    assert whole.statistics.tools_resolved == whole.statistics.tool_uses


def test_every_call_of_the_microcompact_sample_is_a_stub(real_data: Path, tmp_path: Path) -> None:
    """57 of 57, at least 107 tokens; and its boundary opens no epoch."""
    whole = only(real_data / "v2.1.12-microcompact", tmp_path)

    states = [node.attrs["usage_state"] for node in nodes(whole, "llm.call")]
    assert states == ["stub"] * 57
    assert whole.summary.tokens.output == 107
    assert whole.summary.at_least == 57
    assert whole.statistics.epochs == 1


def test_glued_records_are_all_accounted_for(real_data: Path, tmp_path: Path) -> None:
    """170 lines, 171 rows, one of them a copy."""
    coverage = only(real_data / "v2.1.12-glued-line", tmp_path).coverage

    assert coverage.total == 171
    assert coverage.counts["copy"] == 1


def test_internal_agents_are_nobodys_work(real_data: Path, tmp_path: Path) -> None:
    """Two internal streams, no human message, no open entry."""
    whole = only(real_data / "v2.1.29-internal-agents", tmp_path)

    assert [node.attrs["role"] for node in nodes(whole, "stream")] == ["internal", "internal"]
    assert nodes(whole, "message.external") == []
    assert whole.entities.unresolved == ()


def test_a_carried_child_is_its_file(real_data: Path, tmp_path: Path) -> None:
    """25 carried rows, all copies; a stream of 40 records; one start."""
    whole = only(real_data / "v2.1.39-subagents", tmp_path)

    streams = {node.stream: node.attrs for node in nodes(whole, "stream")}
    assert streams["aac57f5"] == {"records": 40, "role": "child"}
    assert whole.statistics.duplicates == 25
    starts = [edge for edge in whole.entities.relations if edge.type == "starts"]
    assert [(edge.target, edge.quality) for edge in starts] == [("stream/aac57f5", "exact_unique")]


def test_a_child_without_its_file_is_what_its_parent_carries(
    real_data: Path, tmp_path: Path
) -> None:
    """The same stream from 25 carried rows, with its tools joined."""
    ((session, entries),) = entries_by_session(real_data / "v2.1.39-subagents", tmp_path).items()
    kept = tuple(entry for entry in entries if not entry.src.endswith("agent-aac57f5.jsonl"))

    whole = assembled(session, kept)

    stream = next(node for node in nodes(whole, "stream") if node.stream == "aac57f5")
    assert stream.attrs == {"records": 25, "role": "child", "carried": "parent"}
    tools = [node for node in nodes(whole, "tool") if node.stream == "aac57f5"]
    assert tools
    assert {node.attrs["result_join"] for node in tools} <= {"exact_unique", "unresolved"}


def test_a_prompt_that_stands_in_the_queue_only_is_shown(real_data: Path, tmp_path: Path) -> None:
    """Line 20 is a person's sentence, removed; line 6 is a notification and none."""
    ((session, entries),) = entries_by_session(
        real_data / "v2.1.39-queued-prompt-only", tmp_path
    ).items()
    lines = {(entry.seq, entry.row): entry.ord for entry in entries}

    queued = {
        lines[node.ref.seq, node.ref.row]: node.attrs["queue"]
        for node in nodes(assembled(session, entries), "message.external")
        if node.ref and "queue" in node.attrs
    }

    assert queued == {20: "removed"}


def test_a_queued_prompt_that_came_back_is_shown_once(real_data: Path, tmp_path: Path) -> None:
    """Line 1 repeats as line 5; the call has 814 output tokens, not 2,204."""
    ((session, entries),) = entries_by_session(
        real_data / "v2.1.205-desktop-windows", tmp_path
    ).items()
    whole = assembled(session, entries)
    lines = {(entry.seq, entry.row): entry.ord for entry in entries}

    asked = [lines[n.ref.seq, n.ref.row] for n in nodes(whole, "message.external") if n.ref]

    assert asked == [5]
    assert whole.summary.tokens.output == 814


def test_the_fork_family_spends_its_tokens_once(real_data: Path, tmp_path: Path) -> None:
    """Three files, 12 calls in each, 7,984 output tokens together."""
    found = entries_by_session(real_data / "v2.1.2xx-fork-family", tmp_path)
    tables = share_records(survey_session(session, held) for session, held in found.items())
    names = {session[:8]: session for session in found}
    oldest, middle = names["dcce4143"], names["e0a6db83"]

    whole = [
        assemble(
            held,
            session=session,
            conversation=session,
            through=held[-1].seq,
            inheritance=tables[session],
        )
        for session, held in found.items()
        if session in tables
    ]
    alone = [assembled(session, held) for session, held in found.items() if session not in tables]

    spent = [each.summary.tokens.output for each in (*whole, *alone) if each.summary.tokens]
    assert sum(spent) == 7_984
    calls = {node.id for each in (*whole, *alone) for node in nodes(each, "llm.call")}
    assert len(calls) == 12
    assert tables[names["493c22a8"]].owners == (
        Inherited(oldest, 53, "strong_inference"),
        Inherited(middle, 2, "strong_inference"),
    )
