"""The corpus generator: repeatable bytes, honest counts, the documented shares.

Files are judged here with the standard library alone, never with the generator's own
accounting: that accounting is one of the things under test.
"""

import hashlib
import json
import subprocess
import sys
from collections import Counter, defaultdict
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path
from typing import Any, NamedTuple

import pytest

SCRIPT = Path(__file__).resolve().parents[3] / "benchmarks" / "make_corpus.py"
SIX_MEGABYTES = ("--sessions", "6", "--bytes", "6MB", "--seed", "7")

Record = dict[str, Any]


class Corpus(NamedTuple):
    """A corpus on disk, what the script printed, and its transcripts decoded."""

    home: Path
    printed: str
    transcripts: dict[str, list[Record]]

    def rows(self, kind: str) -> list[Record]:
        return [row for row in map(json.loads, self.printed.splitlines()) if row["kind"] == kind]

    def records(self) -> Iterator[Record]:
        for records in self.transcripts.values():
            yield from records


def run_script(
    out: Path, *arguments: str, hash_seed: str = "0"
) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        (sys.executable, str(SCRIPT), str(out), *arguments),
        env={"PYTHONHASHSEED": hash_seed},
        cwd=out.parent,
        capture_output=True,
        text=True,
        encoding="utf-8",
        check=False,
    )


def read_tree(home: Path) -> dict[str, tuple[str, float]]:
    return {
        path.relative_to(home).as_posix(): (
            hashlib.sha256(path.read_bytes()).hexdigest(),
            path.stat().st_mtime if path.suffix == ".jsonl" and "projects" in path.parts else 0.0,
        )
        for path in sorted(home.rglob("*"))
        if path.is_file()
    }


def transcript_paths(home: Path) -> list[Path]:
    paths = sorted((home / "projects").rglob("*.jsonl"))
    return [path for path in paths if path.name != "journal.jsonl"]


@pytest.fixture(scope="module")
def corpus(tmp_path_factory: pytest.TempPathFactory) -> Corpus:
    home = tmp_path_factory.mktemp("corpus") / "home"
    done = run_script(home, *SIX_MEGABYTES)
    assert (done.returncode, done.stderr) == (0, "")
    transcripts = {
        path.relative_to(home / "projects").as_posix(): [
            json.loads(line) for line in path.read_bytes().splitlines()
        ]
        for path in transcript_paths(home)
    }
    return Corpus(home, done.stdout, transcripts)


def blocks_of(record: Record) -> list[Record]:
    content = record.get("message", {}).get("content", [])
    return content if isinstance(content, list) else []


def size(value: object) -> int:
    return len(json.dumps(value, ensure_ascii=False, separators=(",", ":")).encode())


def first_copies(records: list[Record]) -> list[Record]:
    """Records in order, without those whose uuid stood there before."""
    seen: set[str] = set()
    return [
        record
        for record in records
        if "uuid" in record and not (record["uuid"] in seen or seen.add(record["uuid"]))
    ]


def test_the_same_arguments_give_the_same_bytes(corpus: Corpus, tmp_path: Path) -> None:
    """Neither the name of the directory nor the hash seed may show in a file or in its time."""
    other = tmp_path / "another name"

    done = run_script(other, *SIX_MEGABYTES, hash_seed="4242")

    assert done.stdout == corpus.printed
    assert read_tree(other) == read_tree(corpus.home)


def test_another_seed_gives_another_corpus(corpus: Corpus, tmp_path: Path) -> None:
    """Otherwise the seed does nothing, and the test above proves nothing."""
    other = tmp_path / "home"

    run_script(other, "--sessions", "6", "--bytes", "6MB", "--seed", "8")

    assert not set(read_tree(other)) & set(read_tree(corpus.home)) - {"corpus.jsonl"}


def test_the_summary_is_printed_and_kept(corpus: Corpus) -> None:
    """Whoever is given only the directory still knows what is in it."""
    assert (corpus.home / "corpus.jsonl").read_text(encoding="utf-8") == corpus.printed


def test_every_line_is_one_whole_json_object(corpus: Corpus) -> None:
    """A benchmark over a damaged corpus would measure how damage is handled."""
    for path in sorted(corpus.home.rglob("*.jsonl")):
        body = path.read_bytes()
        assert body.endswith(b"\n"), path
        for line in body.split(b"\n")[:-1]:
            assert isinstance(json.loads(line), dict), path


@pytest.mark.parametrize(("name", "exactly"), [("rare", 6), ("han", 4), ("absent", 0)])
def test_counted_needles_are_there_exactly_so_often(
    corpus: Corpus, name: str, exactly: int
) -> None:
    """In so many lines, of different records, and in no other file of the home."""
    (planted,) = (row for row in corpus.rows("planted") if row["name"] == name)
    text = planted["text"].encode()
    transcripts = transcript_paths(corpus.home)
    others = {path for path in corpus.home.rglob("*") if path.is_file()} - {*transcripts}

    lines = [
        line for path in transcripts for line in path.read_bytes().split(b"\n") if text in line
    ]

    assert len(lines) == exactly
    assert len({json.loads(line)["uuid"] for line in lines}) == exactly
    assert {path.name for path in others if text in path.read_bytes()} <= {"corpus.jsonl"}
    assert (planted["lines"], planted["records"]) == (exactly, exactly)


def test_the_frequent_needle_is_counted_as_it_stands(corpus: Corpus) -> None:
    """It also stands in replayed lines, so lines and records are different counts."""
    (planted,) = (row for row in corpus.rows("planted") if row["name"] == "frequent")
    text = planted["text"]

    lines, uuids = 0, set()
    for path in transcript_paths(corpus.home):
        for line in path.read_text(encoding="utf-8").split("\n"):
            if text in line:
                lines += 1
                uuids.add(json.loads(line)["uuid"])

    assert (planted["lines"], planted["records"]) == (lines, len(uuids))
    assert 0.07 < lines / sum(map(len, corpus.transcripts.values())) < 0.17


def test_the_summary_agrees_with_the_files(corpus: Corpus) -> None:
    """A benchmark trusts these figures."""
    files = [path for path in (corpus.home / "projects").rglob("*") if path.is_file()]
    paths = transcript_paths(corpus.home)
    (row,) = corpus.rows("corpus")
    types = Counter(record["type"] for record in corpus.records())

    assert row == {
        "kind": "corpus",
        "bytes": sum(path.stat().st_size for path in files),
        "transcript_bytes": sum(path.stat().st_size for path in paths),
        "records": sum(map(len, corpus.transcripts.values())),
        "files": len(files),
        "transcripts": len(paths),
    }
    assert 6_000_000 <= row["bytes"] < 6_600_000
    assert {row["name"]: row["count"] for row in corpus.rows("record_type")} == types


BANDS = {
    "envelope": (29, 39),
    "tool_result": (25, 36),
    "signature": (10, 17),
    "tool_use_result": (4, 12),
    "tool_input": (4.5, 10),
    "injected": (3.5, 7.5),
    "text": (2, 4.5),
}
"""Percent of bytes. The documented shares are 33.6, 30.4, 13.3, 7.6, 6.8, 5.3 and 3.0; a
corpus this small is moved by a few large results."""


def test_the_shares_of_bytes_lie_near_the_documented_ones(corpus: Corpus) -> None:
    """How fast a tool is depends on what the bytes are: signatures cost nothing to skip."""
    parts: Counter[str] = Counter()
    for record in corpus.records():
        parts["all"] += size(record) + 1
        parts["tool_use_result"] += "toolUseResult" in record and size(record["toolUseResult"])
        parts["injected"] += "attachment" in record and size(record["attachment"])
        content = record.get("message", {}).get("content")
        parts["text"] += isinstance(content, str) and size(content)
        for block in blocks_of(record):
            parts["tool_result"] += size(block["content"]) if "content" in block else 0
            parts["signature"] += size(block["signature"]) if "signature" in block else 0
            parts["tool_input"] += size(block["input"]) if "input" in block else 0
            parts["text"] += size(block["text"]) if block["type"] == "text" else 0
    parts["envelope"] = 2 * parts["all"] - parts.total()
    measured = {part: 100 * parts[part] / parts["all"] for part in BANDS}
    printed = {row["name"]: row["here"] for row in corpus.rows("percent")}

    for part, (least, most) in BANDS.items():
        assert least < measured[part] < most, part
        assert printed[f"{part}_of_bytes"] == pytest.approx(measured[part], abs=0.01)


def test_line_sizes_lie_near_the_documented_ones(corpus: Corpus) -> None:
    """A median of about 1.4 KB and a tail of tens of kilobytes."""
    sizes = sorted(
        len(line) + 1
        for path in transcript_paths(corpus.home)
        for line in path.read_bytes().split(b"\n")[:-1]
    )
    at = {name: sizes[int(share * len(sizes))] for name, share in (("p10", 0.1), ("p50", 0.5))}
    at |= {"p90": sizes[int(0.9 * len(sizes))], "p99": sizes[int(0.99 * len(sizes))]}

    assert 150 < at["p10"] < 800
    assert 900 < at["p50"] < 2_000
    assert 3_000 < at["p90"] < 8_000
    assert 10_000 < at["p99"] < 40_000
    assert 40_000 < sizes[-1] < 200_000
    printed = {row["name"]: row["here"] for row in corpus.rows("line_bytes")}
    assert printed["max"] == sizes[-1]


def test_kinds_of_records_lie_near_the_documented_shares(corpus: Corpus) -> None:
    """Main streams hold 37% of records, attachments 5.9%; 28.6% of main lines have no uuid."""
    main = [
        records
        for path, records in corpus.transcripts.items()
        if path.count("/") == 1 and "agent-" not in path
    ]
    records = list(corpus.records())
    lines = sum(map(len, main))
    unnamed = sum("uuid" not in record for one in main for record in one)

    assert len(main) == 6
    assert 0.27 < lines / len(records) < 0.47
    assert 0.05 < sum(record["type"] == "attachment" for record in records) / len(records) < 0.07
    assert 0.22 < unnamed / lines < 0.31


def test_every_tool_use_has_one_result_in_its_own_file(corpus: Corpus) -> None:
    """True of real transcripts once replayed records are left out."""
    for path, records in corpus.transcripts.items():
        blocks = [block for record in first_copies(records) for block in blocks_of(record)]
        uses = [block["id"] for block in blocks if block["type"] == "tool_use"]
        results = [block["tool_use_id"] for block in blocks if block["type"] == "tool_result"]
        assert sorted(uses) == sorted(results), path
        assert len(set(uses)) == len(uses), path


def test_calls_are_written_in_fragments_among_their_results(corpus: Corpus) -> None:
    """One block per record; 24% of calls with several fragments have results in between."""
    fragments: defaultdict[tuple[str, str], list[int]] = defaultdict(list)
    for path, records in corpus.transcripts.items():
        for number, record in enumerate(first_copies(records)):
            if record["type"] == "assistant":
                assert len(blocks_of(record)) == 1
                fragments[path, record["message"]["id"]].append(number)
    several = [numbers for numbers in fragments.values() if len(numbers) > 1]
    interleaved = [numbers for numbers in several if any(b - a > 1 for a, b in pairwise(numbers))]

    assert 1.7 < sum(map(len, fragments.values())) / len(fragments) < 2.4
    assert 0.15 < len(interleaved) / len(several) < 0.33


def test_parents_are_records_of_the_same_file(corpus: Corpus) -> None:
    """The chain can be walked back; it forks where tools ran in parallel."""
    forks = 0
    for path, records in corpus.transcripts.items():
        uuids = {record["uuid"] for record in records if "uuid" in record}
        parents = [record["parentUuid"] for record in first_copies(records)]
        assert {parent for parent in parents if parent is not None} <= uuids, path
        children = Counter(parent for parent in parents if parent is not None)
        forks += sum(count > 1 for count in children.values())
    assert forks > 0


def test_rare_events_are_all_there(corpus: Corpus) -> None:
    """At least one each, however small the corpus."""
    records = [record for one in corpus.transcripts.values() for record in first_copies(one)]
    subtypes = Counter(record.get("subtype") for record in records)
    replayed = sum(
        sum("uuid" in record for record in one) - len(first_copies(one))
        for one in corpus.transcripts.values()
    )
    images = [
        block
        for record in records
        for inner in blocks_of(record)
        if isinstance(inner.get("content"), list)
        for block in inner["content"]
        if block["type"] == "image"
    ]

    synthetic = [
        record for record in records if record.get("message", {}).get("model") == "<synthetic>"
    ]
    nested = [
        path
        for path in corpus.home.glob("projects/*/*/subagents/*.meta.json")
        if "parentAgentId" in json.loads(path.read_text(encoding="utf-8"))
    ]
    spilled = list(corpus.home.glob("projects/*/*/tool-results/*.txt"))
    counted = {
        "api_error": subtypes["api_error"],
        "synthetic": len(synthetic),
        "compaction": subtypes["compact_boundary"],
        "replay": replayed,
        "spill": len(spilled),
        "image": len(images),
        "nested": len(nested),
    }
    summaries = sum(record.get("isCompactSummary", False) for record in records)

    assert min(counted.values()) >= 1, counted
    assert summaries == subtypes["compact_boundary"]
    assert counted == {
        row["name"]: row["made"] for row in corpus.rows("event") if row["name"] in counted
    }


def test_replayed_records_stand_just_before_a_boundary(corpus: Corpus) -> None:
    """The runtime writes history again when it is about to reset its context."""
    for records in corpus.transcripts.values():
        seen: set[str] = set()
        for record, following in pairwise(records):
            if "uuid" not in record:
                continue
            if record["uuid"] in seen:
                again = following.get("uuid") in seen
                assert again or following.get("subtype") == "compact_boundary"
            seen.add(record["uuid"])


def test_runs_have_a_journal_that_names_their_children(corpus: Corpus) -> None:
    """The journal and the launch result are all that ties a run's children to their parent."""
    journals = sorted(corpus.home.rglob("journal.jsonl"))
    assert journals
    launched = {
        record["toolUseResult"]["runId"]
        for record in corpus.records()
        if isinstance(record.get("toolUseResult"), dict) and "runId" in record["toolUseResult"]
    }
    for journal in journals:
        rows = [json.loads(line) for line in journal.read_text(encoding="utf-8").splitlines()]
        started = {row["agentId"] for row in rows if row["type"] == "started"}
        children = {
            path.stem.removeprefix("agent-") for path in journal.parent.glob("agent-*.jsonl")
        }
        assert started == children
        assert journal.parent.name in launched
        manifest = journal.parents[3] / "workflows" / f"{journal.parent.name}.json"
        assert json.loads(manifest.read_text(encoding="utf-8"))["agentCount"] == len(children)


def test_words_that_stand_in_two_places_hold_no_needle(corpus: Corpus) -> None:
    """A child's task and its answer stand in its parent's file, or in the journal, as well."""
    needles = [row["text"] for row in corpus.rows("planted")]
    children = {path: one for path, one in corpus.transcripts.items() if "/subagents/" in path}

    assert len(children) > 8
    for path, records in children.items():
        (answer,) = blocks_of(records[-1])
        repeated = records[0]["message"]["content"] + answer["text"]
        assert [text for text in needles if text in repeated] == [], path


def test_old_layouts_are_there(corpus: Corpus) -> None:
    """A child beside the sessions with its progress records, and one inside the main file."""
    versions = {record["version"] for record in corpus.records() if "version" in record}
    beside = [path for path in corpus.transcripts if path.split("/")[1].startswith("agent-")]
    progress = Counter(
        record["data"]["type"] for record in corpus.records() if record["type"] == "progress"
    )
    inside = [
        record
        for path, records in corpus.transcripts.items()
        for record in records
        if "agent-" not in path and record.get("isSidechain")
    ]

    assert versions == {"2.1.251", "2.1.39", "1.0.98"}
    assert beside
    assert set(progress) == {"agent_progress", "hook_progress"}
    assert {record["version"] for record in inside} == {"1.0.98"}


def test_usage_climbs_in_children_and_repeats_in_main_files(corpus: Corpus) -> None:
    """The two habits that make a naive sum of tokens wrong in two different ways."""
    for path, records in corpus.transcripts.items():
        calls: defaultdict[str, list[Record]] = defaultdict(list)
        for record in first_copies(records):
            if record["type"] == "assistant" and record["version"] == "2.1.251":
                calls[record["message"]["id"]].append(record["message"])
        for messages in calls.values():
            tokens = [message["usage"]["output_tokens"] for message in messages]
            if "/subagents/" in path:
                assert tokens[:-1] == list(range(1, len(tokens)))
                assert all(message["stop_reason"] is None for message in messages[:-1])
            else:
                assert len(set(tokens)) == 1
                assert all(message["stop_reason"] for message in messages)


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("--bytes", "900000"), "at least 1000000 bytes"),
        (("--bytes", "much"), "not a size"),
        (("--sessions", "0"), "--sessions must be at least 1"),
    ],
)
def test_wrong_arguments_are_refused_in_one_line(
    tmp_path: Path, arguments: tuple[str, ...], said: str
) -> None:
    """Too small a corpus cannot hold what the summary promises."""
    done = run_script(tmp_path / "home", *arguments)

    assert done.returncode == 2
    assert said in done.stderr.splitlines()[-1]
    assert not (tmp_path / "home").exists()


def test_a_directory_with_files_is_left_alone(tmp_path: Path) -> None:
    """OUT might be somebody's real home."""
    (tmp_path / "mine.txt").write_text("kept", encoding="utf-8")

    done = run_script(tmp_path)

    assert done.returncode == 2
    assert "not empty" in done.stderr
    assert [path.name for path in tmp_path.iterdir()] == ["mine.txt"]


def test_a_single_session_can_hold_everything_counted(tmp_path: Path) -> None:
    """The last session closes the corpus, and here it is the first as well."""
    home = tmp_path / "home"

    done = run_script(home, "--sessions", "1", "--bytes", "1MB")

    rows = [json.loads(line) for line in done.stdout.splitlines()]
    planted = {row["name"]: row["lines"] for row in rows if row["kind"] == "planted"}
    assert (planted["rare"], planted["han"], planted["absent"]) == (6, 4, 0)
