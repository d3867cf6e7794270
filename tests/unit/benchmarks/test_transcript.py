"""How one transcript is written."""

import json
from pathlib import Path

from benchmarks.corpus.needles import FREQUENT, RARE
from benchmarks.corpus.transcript import FIRST, NEW, Era, Session, Transcript, format_instant
from benchmarks.corpus.workshop import Workshop

NOW = 1_780_272_000_123


def make_session(project: Path, era: Era) -> Session:
    return Session(
        id="aaaaaaaa-1111-4222-8333-000000000001",
        project=project,
        cwd="/home/dev/mill",
        branch="main",
        slug="lo-mi-na",
        era=era,
    )


def test_a_counted_needle_is_never_written_twice(tmp_path: Path) -> None:
    """History is written again before a reset; the number of its lines is promised."""
    shop, path = Workshop(7, 1_000_000), tmp_path / "one.jsonl"
    with Transcript(shop, make_session(tmp_path, NEW), path, NOW) as main:
        for text in ("plain", f"a {RARE.text}", f"a {FREQUENT.text}"):
            main.add("user", {"message": {"role": "user", "content": text}})

        copied = main.replay(10)

    records = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
    texts = [record["message"]["content"] for record in records]
    assert copied == 2
    assert texts == ["plain", "a zephyquix", "a quoxwick", "plain", "a quoxwick"]
    assert [record["uuid"] for record in records[3:]] == [records[0]["uuid"], records[2]["uuid"]]
    assert shop.ledger.needle_lines == {"rare": 1, "frequent": 2}
    assert shop.ledger.needle_records == {"rare": 1, "frequent": 1}


def test_a_child_inside_the_file_leaves_the_main_chain_alone(tmp_path: Path) -> None:
    """Version 1.0 wrote its children between the lines of their parent, in a chain of theirs."""
    shop, path = Workshop(7, 1_000_000), tmp_path / "one.jsonl"
    with Transcript(shop, make_session(tmp_path, FIRST), path, NOW) as main:
        before = main.add("user", {})
        with main.inside_child():
            child = main.add("user", {})
            main.add("assistant", {})
        main.add("assistant", {})

    records = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
    chain = [(record["isSidechain"], record["parentUuid"]) for record in records]
    assert chain == [(False, None), (True, None), (True, child), (False, before)]


def test_a_file_has_the_time_of_its_last_record(tmp_path: Path) -> None:
    """Otherwise a listing by time would differ between two runs."""
    shop, path = Workshop(7, 1_000_000), tmp_path / "one.jsonl"
    with Transcript(shop, make_session(tmp_path, NEW), path, NOW) as main:
        main.add("user", {})

    (record,) = (json.loads(line) for line in path.read_text(encoding="utf-8").splitlines())
    milliseconds = path.stat().st_mtime_ns // 1_000_000
    assert record["timestamp"] == format_instant(milliseconds)


def test_an_instant_has_milliseconds_and_is_utc() -> None:
    """As the runtime writes it."""
    assert format_instant(NOW) == "2026-06-01T00:00:00.123Z"
