"""The numbers of every real transcript, counted once by hand, and tokens from the lines again.

Talks of `main` are the places where a person spoke: read in the file, one after the other.
"""

import json
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from msgspec import Struct

from sessionizer.asz.parsing import ParsedConversation, Parser
from sessionizer.model.nodes import Node
from sessionizer.rounds.frames import Summary, Tokens
from tests.build.collecting import Archive

pytestmark = pytest.mark.real_data
COUNTERS = {
    "in": "input_tokens",
    "out": "output_tokens",
    "cache_read": "cache_read_input_tokens",
    "cache_write": "cache_creation_input_tokens",
}


class Numbers(Struct, frozen=True):
    """What a transcript holds.

    Attributes:
        talks: Of `main`, inherited ones included.
        tools: Tool uses, and how many of them have exactly one result.
        children: Child streams, and how many of them have a known start.
        internal: Streams that the runtime runs for itself.
        calls: Provider calls, each once.
        at_least: How many of the session's own state less than they used.
        open: References that nothing answers.
    """

    talks: int
    tools: tuple[int, int]
    children: tuple[int, int]
    internal: int
    calls: int
    at_least: int
    open: int


COUNTED = {
    # A person's `look at both files`; everything later bears the same run.
    ("newest-shapes-home", "10000000-0000-4000-8000-000000000001"): Numbers(
        1, (3, 3), (2, 1), 0, 9, 6, 3
    ),
    ("newest-shapes-home", "10000000-0000-4000-8000-000000000002"): Numbers(
        1, (3, 3), (0, 0), 0, 4, 1, 0
    ),
    ("newest-shapes-home", "10000000-0000-4000-8000-000000000003"): Numbers(
        1, (0, 0), (0, 0), 0, 1, 0, 0
    ),
    # Lines 1 and 3.
    ("v1.0.119-mcp-list-result", "67a8478e-78dc-44ab-82ea-f65c8ead85f6"): Numbers(
        2, (1, 1), (0, 0), 0, 3, 3, 0
    ),
    ("v1.0.98-old-layout", "1af7fc5e-8455-4414-9ccd-011d40f70b2a"): Numbers(
        1, (12, 12), (0, 0), 0, 7, 5, 0
    ),
    # Lines 2, 112, 134, 153, 163; line 161 is an interrupt.
    ("v2.1.12-glued-line", "130d7b7e-5801-4345-9bd6-f32fd9b8429b"): Numbers(
        5, (41, 41), (0, 0), 0, 42, 38, 1
    ),
    # Lines 4, 173, 187, 226; line 9 is a skill's text.
    ("v2.1.12-microcompact", "0cd9edf7-459c-4900-af40-cf2c64dea525"): Numbers(
        4, (55, 55), (0, 0), 0, 57, 57, 0
    ),
    ("v2.1.205-desktop-windows", "88e16f61-d1b7-47a3-84f1-057e0f96521a"): Numbers(
        1, (1, 1), (0, 0), 0, 2, 0, 0
    ),
    # Two lines, and nobody speaks.
    ("v2.1.217-fallback", "df0a6e5d-bba0-4488-b540-8f55f98b5b1b"): Numbers(
        0, (0, 0), (0, 0), 0, 1, 0, 0
    ),
    # Placeholders instead of ids: one of two side-chain records is a stream of its own.
    ("v2.1.220-every-shape", "22000000-0000-4000-8000-000000000220"): Numbers(
        2, (2, 1), (1, 0), 0, 4, 2, 2
    ),
    # No main file at all.
    ("v2.1.29-internal-agents", "967e501d-aa48-4eab-a21f-b17058bd78f0"): Numbers(
        0, (0, 0), (0, 0), 2, 2, 2, 0
    ),
    # It begins with a summary; the record before the reset stands nowhere.
    ("v2.1.2xx-compaction", "030df228-1b4b-482d-b343-0fc9c13a3d1a"): Numbers(
        1, (17, 17), (0, 0), 0, 17, 0, 1
    ),
    ("v2.1.2xx-fork-family", "493c22a8-b700-4b88-aab8-0fafb602c3be"): Numbers(
        1, (15, 15), (0, 0), 0, 12, 0, 0
    ),
    ("v2.1.2xx-fork-family", "dcce4143-4609-43c5-a0e3-ea883f6c959b"): Numbers(
        1, (15, 15), (0, 0), 0, 12, 0, 0
    ),
    ("v2.1.2xx-fork-family", "e0a6db83-6641-4699-ac03-2286e8aa073f"): Numbers(
        1, (15, 15), (0, 0), 0, 12, 0, 0
    ),
    # Lines 4, 21 (a command typed locally), 26; 18 and 39 are interrupts.
    ("v2.1.38-tool-heavy", "d6e0bada-1959-4eec-a9d2-0bfade768d8f"): Numbers(
        3, (6, 6), (0, 0), 0, 4, 4, 0
    ),
    # Lines 4 and 12, both commands; line 7 is a notification, line 20 a queue line.
    ("v2.1.39-queued-prompt-only", "8dbf99fc-731b-49b2-a3de-2414d0a07b14"): Numbers(
        2, (4, 4), (0, 0), 0, 6, 6, 0
    ),
    # The main file is cut before one result.
    ("v2.1.39-subagents", "ae4a77f8-aedd-4bc1-888f-c94edc91af04"): Numbers(
        1, (25, 24), (1, 1), 1, 10, 10, 1
    ),
    ("v2.1.4-foreign-summary", "5a3bb1c8-c3ce-466e-b487-24212cbf1da1"): Numbers(
        1, (1, 0), (0, 0), 0, 1, 1, 1
    ),
    # Line 4, a command, and line 7.
    ("v2.1.45-image", "d161f8df-fbc0-4df3-8c31-ff512052f8b2"): Numbers(
        2, (6, 6), (0, 0), 0, 7, 7, 0
    ),
    # Lines 3 and 29.
    ("v2.1.63-progress", "540a8f92-9d04-4794-9d44-a53d78eedef2"): Numbers(
        2, (12, 12), (0, 0), 0, 9, 1, 0
    ),
}
HOMES = sorted({home for home, _ in COUNTED})


def parsed(home: Path, root: Path) -> dict[str, ParsedConversation]:
    archive = Archive(home / "projects", root)
    assert archive.collect(flush_tails=True).errors == ()
    found = tuple(Parser(archive.zone).parse(now_ns=1))
    return {one.conversation: one for one in found if isinstance(one, ParsedConversation)}


def numbers(one: ParsedConversation) -> Numbers:
    nodes = one.folded.nodes.values()
    tools = [node for node in nodes if node.kind in ("tool", "agent.call")]
    streams = [node.attrs["role"] for node in nodes if node.kind == "stream"]
    summary = one.folded.summary or Summary()
    return Numbers(
        talks=sum(node.kind == "talk" and node.stream == "main" for node in nodes),
        tools=(len(tools), sum(tool.attrs["result_join"] == "exact_unique" for tool in tools)),
        children=(streams.count("child"), started_children(one)),
        internal=streams.count("internal"),
        calls=sum(node.kind == "llm.call" for node in nodes),
        at_least=summary.at_least,
        open=len(one.folded.open_unresolved),
    )


def started_children(one: ParsedConversation) -> int:
    nodes = one.folded.nodes
    starts = {edge.target for edge in one.folded.relations.values() if edge.type == "starts"}
    return sum(nodes[stream].attrs["role"] == "child" for stream in starts)


@pytest.mark.parametrize("home", HOMES)
def test_the_numbers_are_those_counted_by_hand(real_data: Path, tmp_path: Path, home: str) -> None:
    """Every session of the sample, and no other."""
    found = parsed(real_data / home, tmp_path / "root")

    assert {session: numbers(one) for session, one in found.items()} == {
        session: counted for (name, session), counted in COUNTED.items() if name == home
    }


@pytest.mark.parametrize("home", HOMES)
def test_tokens_and_tools_are_what_the_lines_say(
    real_data: Path, tmp_path: Path, home: str
) -> None:
    """Counted again from the source with nothing but a JSON parser."""
    found = parsed(real_data / home, tmp_path / "root")

    for session, one in found.items():
        messages = list(iter_messages(real_data / home, session))
        summary = one.folded.summary or Summary()
        tokens = Counter(named(summary.tokens)) + Counter(named(summary.tokens_inherited))
        assert tokens == count_tokens(messages), session
        tools = {node.id for node in one.folded.nodes.values() if is_tool(node)}
        assert tools == {f"tool/{tool}" for tool in count_uses(messages)}, session


def is_tool(node: Node) -> bool:
    return node.kind in ("tool", "agent.call")


def named(tokens: Tokens | None) -> dict[str, int]:
    if tokens is None:
        return {}
    values = (tokens.input, tokens.output, tokens.cache_read, tokens.cache_write)
    return dict(zip(COUNTERS, values, strict=True))


# ------------------------------------------------------------------ from the lines, without us


def iter_messages(home: Path, session: str) -> Iterator[dict[str, Any]]:
    """Every assistant message of a session's files, with an id where it has none of its own."""
    for project in sorted((home / "projects").iterdir()):
        files = [project / f"{session}.jsonl", *sorted((project / session).rglob("agent-*.jsonl"))]
        for path in files:
            for line in path.read_bytes().split(b"\n") if path.exists() else ():
                for record in iter_objects(line.decode("utf-8", "replace")):
                    if record.get("type") == "assistant":
                        key = record.get("requestId") or record["uuid"]
                        yield {"id": key, **record["message"]}


def iter_objects(line: str) -> Iterator[dict[str, Any]]:
    """The whole objects on a line: some lines hold two."""
    decoder, at = json.JSONDecoder(strict=False), 0
    line = line.strip()
    while at < len(line):
        try:
            found, at = decoder.raw_decode(line, at)
        except ValueError:
            return
        if isinstance(found, dict):
            yield found


def count_tokens(messages: list[dict[str, Any]]) -> Counter[str]:
    """Per call and counter the largest value; then the sum."""
    calls: dict[str, Counter[str]] = {}
    for message in messages:
        call = calls.setdefault(message["id"], Counter())
        for name, key in COUNTERS.items():
            call[name] = max(call[name], message.get("usage", {}).get(key) or 0)
    return sum(calls.values(), Counter())


def count_uses(messages: list[dict[str, Any]]) -> set[str]:
    blocks = (block for message in messages for block in message["content"])
    return {
        block["id"]
        for block in blocks
        if isinstance(block, dict)
        and block["type"] in ("tool_use", "server_tool_use")
        and block.get("id")
    }
