"""Laws of the structure itself: one tree, no loose end, every tool once, every token once."""

import hashlib
import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from sessionizer.assembly.inheritance import NONE, share_records, survey_session
from sessionizer.assembly.pipeline import Assembly, assemble_sessions
from sessionizer.assembly.places import position_of
from sessionizer.assembly.sessions import SessionEntries
from sessionizer.asz.parsing import ParsedConversation, Parser
from sessionizer.landing.record import Row
from sessionizer.model.nodes import Entities
from tests.build.collecting import Archive
from tests.build.drawing import assembled
from tests.build.growth import Source, growths, land, land_whole, sources
from tests.build.home import AGENT, S1, Home, encode_line, txt, use
from tests.build.rows import Landing

REPOSITORY = Path(__file__).parents[2]
SESSIONS = tuple(f"00000000-0000-4000-8000-00000000000{n}" for n in (3, 1, 2))


def in_one_conversation(*several: tuple[Source, ...]) -> tuple[Assembly, list[Landing]]:
    """Sessions that may hold the same records, assembled together."""
    landings = []
    for session, files in zip(SESSIONS, several, strict=False):
        landing = Landing(session)
        for source in files:
            land(landing, source, source.rows)
        landings.append(landing)
    tables = share_records(survey_session(one.session, one.entries) for one in landings)
    whole = assemble_sessions(
        [
            SessionEntries(
                session=one.session,
                entries=one.entries,
                through=one.seq,
                inheritance=tables.get(one.session, NONE),
            )
            for one in landings
        ],
        conversation="several",
    )
    return whole, landings


def check_tree(entities: Entities) -> None:
    """Every node hangs, over parents that are there, below a session; nothing else is a root."""
    parents = {node.id: node.parent for node in entities.nodes}
    kinds = {node.id: node.kind for node in entities.nodes}
    assert len(parents) == len(entities.nodes)
    for node_id in parents:
        path = [node_id]
        while (parent := parents[path[-1]]) is not None:
            assert parent not in path
            path.append(parent)
        assert kinds[path[-1]] == "session"
    ends = {end for edge in entities.relations for end in (edge.source, edge.target)}
    assert ends <= parents.keys()


def requested(files: Iterable[Source]) -> set[str]:
    """Ids of all tool uses that any record requests."""
    parts = (part for source in files for built in source.rows for part in built.parts)
    return {part.id for part in parts if part.k == "call" and part.id}


def tools(entities: Entities) -> list[str]:
    return [node.id for node in entities.nodes if node.kind in ("tool", "agent.call")]


@given(st.data())
def test_every_path_ends_at_the_session(data: st.DataObject) -> None:
    """However the files landed."""
    grown = data.draw(growths(data.draw(sources())))

    check_tree(assembled(grown).entities)


@given(st.lists(sources(), min_size=2, max_size=3))
def test_every_path_of_several_sessions_ends_at_one_of_them(
    several: list[tuple[Source, ...]],
) -> None:
    """Whatever they share; each has its node, positions lead to its files."""
    whole, landings = in_one_conversation(*several)

    check_tree(whole.entities)
    places = {
        ("" if number == 0 else landing.session, entry.seq, entry.row): len(entry.blocks)
        for number, landing in enumerate(landings)
        for entry in landing.entries
    }
    for node in whole.entities.nodes:
        for reference in (*node.refs, *((node.ref,) if node.ref else ())):
            assert (reference.block or 0) < max(1, places[position_of(reference)])
    sessions = [node.id for node in whole.entities.nodes if node.kind == "session"]
    assert sessions == sorted(f"session/{landing.session}" for landing in landings)


@given(st.lists(sources(), min_size=2, max_size=3))
def test_every_record_of_several_sessions_has_one_account(
    several: list[tuple[Source, ...]],
) -> None:
    """What a later session repeats is a copy."""
    whole, landings = in_one_conversation(*several)

    coverage = whole.coverage

    assert coverage.unaccounted == ()
    assert coverage.total == sum(len(landing.entries) for landing in landings)


@given(st.data())
def test_every_tool_use_of_the_sources_is_one_node(data: st.DataObject) -> None:
    """Asked twice, copied, carried or only answered: one node per request, none without."""
    files = data.draw(sources())

    found = tools(assembled(data.draw(growths(files))).entities)

    assert found == sorted(f"tool/{tool}" for tool in requested(files))


@given(st.lists(sources(), min_size=2, max_size=3))
def test_every_tool_use_of_several_sessions_is_one_node(
    several: list[tuple[Source, ...]],
) -> None:
    """A fork repeats the requests of the older session."""
    whole, _ = in_one_conversation(*several)

    asked = {tool for files in several for tool in requested(files)}
    assert tools(whole.entities) == sorted(f"tool/{tool}" for tool in asked)


# ------------------------------------------------------------------ backfill


def apart(source: Source) -> Source:
    """The same source with records and calls that no other source has."""
    own = source.stream or source.kind
    taken: set[str] = set()

    def name(identifier: str) -> str:
        return f"{own}.{identifier}" if identifier else ""

    def renamed(built: Row, number: int) -> Row:
        again = f".{number}" if built.id in taken else ""
        taken.add(built.id)
        return replace(
            built,
            id=f"{name(built.id)}{again}" if built.id else "",
            parent=name(built.parent),
            call=name(built.call),
            carried=False,
            stream=None,
            queue="",
            flags=tuple(flag for flag in built.flags if flag != "queued"),
        )

    return replace(
        source,
        role=None,
        rows=tuple(renamed(built, number) for number, built in enumerate(source.rows)),
    )


@given(st.data())
def test_ids_stay_when_earlier_sources_are_filled_in(data: st.DataObject) -> None:
    """A source that lands late, whichever it is, renames nothing that is there already."""
    files = tuple(apart(source) for source in data.draw(sources()))
    late = data.draw(st.sampled_from(files))
    before = land_whole(source for source in files if source is not late)
    known = {node.id for node in assembled(before).entities.nodes} if before.entries else set()

    land(before, late, late.rows)

    assert known <= {node.id for node in assembled(before).entities.nodes}


# ------------------------------------------------------------------ tokens, from the lines


COUNTERS = {
    "in": "input_tokens",
    "out": "output_tokens",
    "cache_read": "cache_read_input_tokens",
    "cache_write": "cache_creation_input_tokens",
}
usages = st.none() | st.dictionaries(
    st.sampled_from(sorted(COUNTERS.values())), st.integers(0, 500)
)


@st.composite
def answers(draw: st.DrawFn) -> list[dict[str, Any]]:
    """Fragments of calls: where, of which call, with which usage; some stand twice."""
    return draw(
        st.lists(
            st.fixed_dictionaries(
                {
                    "child": st.booleans(),
                    "call": st.sampled_from("abc"),
                    "usage": usages,
                    "stop": st.sampled_from((None, "end_turn", "tool_use")),
                    "again": st.booleans(),
                }
            ),
            min_size=1,
            max_size=10,
        )
    )


def write_answers(home: Home, spoken: list[dict[str, Any]]) -> None:
    main = home.transcript(S1).human("p1", "go")
    main.assistant(use("t1", "Task", prompt="look"), call="start")
    child = main.child()
    main.result("t1", "done", tur={"agentId": AGENT})
    for number, fragment in enumerate(spoken):
        transcript = child if fragment["child"] else main
        name = f"{'child' if fragment['child'] else 'main'}-{fragment['call']}"
        transcript.assistant(
            txt(f"part {number}"),
            call=name,
            stop=fragment["stop"],
            **({} if fragment["usage"] is None else {"usage": fragment["usage"]}),
        )
        if fragment["again"]:
            lines = transcript.path.read_bytes().splitlines()
            repeated = json.loads(lines[-1])
            repeated["message"]["usage"] = {"output_tokens": 9_999}
            transcript.raw(encode_line(repeated))


def count_tokens(home: Home) -> dict[str, int]:
    """Every call of every file once, by the largest value of each counter. No code of ours."""
    calls: dict[str, dict[str, int]] = {}
    seen: set[str] = set()
    for path in sorted(home.path.rglob("*.jsonl")):
        for line in path.read_bytes().splitlines():
            record = json.loads(line)
            if record["type"] != "assistant" or record["uuid"] in seen:
                continue
            seen.add(record["uuid"])
            call = calls.setdefault(record["message"]["id"], {})
            for name, key in COUNTERS.items():
                value = record["message"].get("usage", {}).get(key, 0)
                call[name] = max(call.get(name, 0), value)
    sums = {name: sum(call.get(name, 0) for call in calls.values()) for name in COUNTERS}
    return {name: total for name, total in sums.items() if total}


@given(answers())
def test_the_sum_of_tokens_is_what_the_lines_say(spoken: list[dict[str, Any]]) -> None:
    """Fragments repeat totals, lines stand twice, children have files of their own."""
    with tempfile.TemporaryDirectory() as folder:
        home = Home(Path(folder) / "home")
        write_answers(home, spoken)
        archive = Archive(home.projects, Path(folder) / "root")
        archive.collect()
        (parsed,) = Parser(archive.zone).parse(now_ns=1)
        assert isinstance(parsed, ParsedConversation)

        summary = parsed.folded.summary
        by_node: dict[str, int] = {}
        for node in parsed.folded.nodes.values():
            for name, count in node.attrs.get("tokens", {}).items():
                by_node[name] = by_node.get(name, 0) + count
        stated = {} if summary is None or summary.tokens is None else named(summary.tokens)

        assert stated == by_node == count_tokens(home)


def named(tokens: Any) -> dict[str, int]:
    values = (tokens.input, tokens.output, tokens.cache_read, tokens.cache_write)
    return {name: count for name, count in zip(COUNTERS, values, strict=True) if count}


# ------------------------------------------------------------------ equal bytes


ONE_PASS = """
import sys
from pathlib import Path
from sessionizer.adapters.claude_code_local.collect import collect_once
from sessionizer.adapters.claude_code_local.sources import AdapterConfig
from sessionizer.asz.parsing import Parser
from sessionizer.landing.zone import Zone

home, root, *sessions = sys.argv[1:]
zone = Zone(Path(root))
collect_once(
    AdapterConfig(source_root=Path(home) / "projects"),
    zone,
    now_ns=lambda: 1_767_323_100_123_456_789,
    on_landed=lambda *_: None,
    flush_tails=True,
)
done = tuple(Parser(zone, {"several": tuple(sessions)} if sessions else {}).parse(now_ns=1))
print(len(done), sum(len(parsed.folded.nodes) for parsed in done))
"""


def kept_bytes(root: Path) -> dict[str, str]:
    """Digest by path of everything that holds evidence or structure."""
    return {
        path.relative_to(root).as_posix(): hashlib.sha256(path.read_bytes()).hexdigest()
        for path in sorted(root.rglob("*"))
        if path.suffix in (".sf", ".sd", ".zst", ".bin")
    }


@pytest.mark.parametrize("together", [False, True])
def test_the_same_evidence_gives_the_same_bytes(
    sample: Path, tmp_path: Path, together: bool
) -> None:
    """In other processes, with other hash seeds: nothing depends on the order of a set."""
    sessions = sorted(path.stem for path in sample.glob("projects/*/*.jsonl")) if together else []
    found = []
    for seed in ("0", "1", "4242"):
        root = tmp_path / f"root-{seed}"
        done = subprocess.run(
            [sys.executable, "-c", ONE_PASS, sample, root, *sessions],
            env={**os.environ, "PYTHONHASHSEED": seed, "PYTHONPATH": str(REPOSITORY / "src")},
            capture_output=True,
            check=False,
        )
        assert done.stderr.decode() == ""
        found.append((done.stdout, kept_bytes(root)))

    assert found[0] == found[1] == found[2]
    rounds = [name for name in found[0][1] if name.endswith(".sf")]
    assert len(rounds) == (1 if together else 3)
