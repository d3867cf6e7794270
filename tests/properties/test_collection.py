"""Laws of collection: nothing is lost, nothing lands twice, however a source grows."""

import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sessionizer.landing.raw import read_raw
from sessionizer.landing.session_data import read_landed
from sessionizer.landing.verify import verify_session
from tests.build.collecting import Archive
from tests.build.crashing import Crash, crash_at
from tests.build.home import AGENT, S1, Home

pieces = st.lists(
    st.one_of(
        st.sampled_from([b"\n", b"aa\n", b"{}\n", b'{"a":1}', b"\r\n", b"\xef\xbb\xbf", b"\xff"]),
        st.binary(max_size=12),
    ),
    min_size=1,
    max_size=8,
)
windows = st.integers(min_value=1, max_value=9)


@contextmanager
def archive_of(relative: str) -> Iterator[tuple[Archive, Path]]:
    """An archive, and an empty source of it."""
    with tempfile.TemporaryDirectory() as folder:
        home = Home(Path(folder) / "claude")
        path = home.file(relative)
        yield Archive(home.projects, Path(folder) / "root"), path


def whole_lines(body: bytes) -> bytes:
    return body[: body.rfind(b"\n") + 1]


def kept_tail(archive: Archive, session: str) -> tuple[int, bytes] | None:
    raws = archive.zone.delta_directory(session, "streams/main").raws
    tails = [raw for raw in raws if raw.name.prefix == "tail"]
    if not tails:
        return None
    delta = read_raw(tails[-1].path)
    return delta.label.off, delta.body


@given(pieces, windows)
def test_kept_bytes_are_the_source_in_any_cut(growth: list[bytes], window: int) -> None:
    """Up to the last newline after every pass; a second pass lands nothing."""
    with archive_of(f"projects/-p/{S1}.jsonl") as (archive, path):
        source = b""
        for piece in growth:
            source += piece
            with path.open("ab") as file:
                file.write(piece)
            report = archive.collect(window=window)
            assert report.errors == ()
            assert archive.kept(S1) == whole_lines(source)
        assert archive.collect(window=window).landed == 0
        check = verify_session(archive.zone, S1)
        assert (check.problems, check.repeated) == ((), 0)
        lines = len({row.ord for row in archive.rows(S1) if row.off < len(whole_lines(source))})
        assert lines == source.count(b"\n")


@given(pieces, windows)
def test_with_its_tail_the_whole_source_is_kept(growth: list[bytes], window: int) -> None:
    """Flushed, not one byte is missing."""
    with archive_of(f"projects/-p/{S1}.jsonl") as (archive, path):
        path.write_bytes(b"".join(growth))
        archive.collect(window=window, flush_tails=True)
        source = path.read_bytes()

        whole = whole_lines(source)
        assert archive.kept(S1) == whole
        rest = source[len(whole) :]
        assert kept_tail(archive, S1) == ((len(whole), rest) if rest else None)
        assert archive.collect(window=window, flush_tails=True).landed == 0


@given(
    pieces,
    st.lists(
        st.sampled_from(["session.state", "*.cursor", "*.sd", "index"]), min_size=1, max_size=8
    ),
)
def test_what_may_be_lost_comes_back(growth: list[bytes], losses: list[str]) -> None:
    """State, cursors and Session Data between passes: bytes and numbers stay right."""
    with archive_of(f"projects/-p/{S1}.jsonl") as (archive, path):
        numbers: set[int] = set()
        for index, piece in enumerate(growth):
            with path.open("ab") as file:
                file.write(piece)
            archive.collect(window=3)
            new = {file.seq for file in archive.zone.landed(S1)} - numbers
            assert not new or min(new) > max(numbers, default=0)
            numbers |= new
            for lost in archive.zone.session_directory(S1).rglob(losses[index % len(losses)]):
                lost.unlink()
        archive.collect(window=3)
        assert archive.kept(S1) == whole_lines(path.read_bytes())
        check = verify_session(archive.zone, S1)
        assert (check.problems, check.repeated) == ((), 0)


@given(st.binary(min_size=1, max_size=30), st.binary(max_size=30), windows)
def test_a_changed_source_is_never_joined(first: bytes, second: bytes, window: int) -> None:
    """Whatever replaces a source, each generation holds one state of it, whole."""
    with archive_of(f"projects/-p/{S1}.jsonl") as (archive, path):
        path.write_bytes(first)
        archive.collect(window=window)
        path.write_bytes(second)
        report = archive.collect(window=window)

        assert archive.kept(S1) in (whole_lines(first), whole_lines(second))
        if report.conflicts:
            assert archive.kept(S1) == whole_lines(first)
            assert archive.kept(S1, directory="streams/main@2") == whole_lines(second)
        else:
            assert second.startswith(whole_lines(first))
            assert archive.kept(S1) == whole_lines(second)
        assert archive.problems() == []


# ------------------------------------------------------------------ a machine that stops


def prepare(home: Home) -> None:
    """A session with every way to grow: lines, a tail, snapshots, files, the history."""
    home.file(f"projects/-p/{S1}.jsonl", "aa\nbb\n")
    home.file(f"projects/-p/{S1}/subagents/agent-{AGENT}.jsonl", "cc\n")
    home.file(f"projects/-p/{S1}/subagents/agent-{AGENT}.meta.json", "{}")


def grow(home: Home) -> None:
    home.file(f"projects/-p/{S1}.jsonl", 'aa\nbb\ndd\nee\nff\n{"last":1}')
    home.file(f"projects/-p/{S1}/subagents/agent-{AGENT}.jsonl", "cc\ngg\n")
    home.file(f"projects/-p/{S1}/subagents/agent-{AGENT}.meta.json", '{"x":1}')
    home.file(f"projects/-p/{S1}/tool-results/b.txt", "out")
    home.file("history.jsonl", f'{{"sessionId":"{S1}"}}\n')


def assert_whole(home: Home, archive: Archive) -> None:
    """Everything is kept, and kept once."""
    main = (home.projects / f"-p/{S1}.jsonl").read_bytes()
    child = (home.projects / f"-p/{S1}/subagents/agent-{AGENT}.jsonl").read_bytes()
    assert archive.kept(S1) == whole_lines(main)
    assert archive.kept(S1, directory=f"streams/{AGENT}") == child
    assert kept_tail(archive, S1) == (len(whole_lines(main)), b'{"last":1}')
    check = verify_session(archive.zone, S1)
    assert (check.problems, check.repeated) == ((), 0)
    assert list(archive.zone.root.rglob(".tmp-*")) == []
    metas = archive.rows(S1, directory=f"streams/{AGENT}")
    assert sorted(row.bytes for row in metas if row.ord == 1 and row.off == 0)[-1] == 7
    files = archive.zone.delta_directory(S1, "files/tool-results/b.txt").landed
    assert len(files) == 1
    assert len(archive.rows(S1, directory="files/history")) == 1
    assert archive.collect(window=8).landed == 0


def seqs_on_disk(archive: Archive) -> set[int]:
    if not archive.zone.root.is_dir():
        return set()
    return {raw.name.seq for each in archive.zone.delta_directories(S1) for raw in each.raws}


@pytest.mark.parametrize("is_first_pass", [True, False], ids=["first pass", "later pass"])
def test_a_pass_may_stop_at_any_step(tmp_path: Path, is_first_pass: bool) -> None:
    """Whatever step the machine stops at, one more pass puts everything right."""
    step = 0
    finished = False
    while not finished:
        step += 1
        home = Home(tmp_path / f"{step}" / "claude")
        archive = Archive(home.projects, tmp_path / f"{step}" / "root")
        prepare(home)
        if not is_first_pass:
            archive.collect(window=8)
        grow(home)
        with suppress(Crash), crash_at(step):
            archive.collect(window=8)
            finished = True
        before = {file.path: file.path.read_bytes() for file in archive.zone.landed(S1)}
        numbers = seqs_on_disk(archive)
        report = archive.collect(window=8)
        assert report.errors == (), step
        assert_whole(home, archive)
        for path, body in before.items():
            assert path.read_bytes() == body, step
        assert numbers <= seqs_on_disk(archive)
    assert step > 50


def test_a_repair_may_stop_at_any_step_too(tmp_path: Path) -> None:
    """A pass that stopped in the middle of publishing, and then its repair."""
    for first in range(15, 60, 15):
        step = 0
        finished = False
        while not finished:
            step += 4
            folder = tmp_path / f"{first}-{step}"
            home = Home(folder / "claude")
            archive = Archive(home.projects, folder / "root")
            prepare(home)
            archive.collect(window=8)
            grow(home)
            with suppress(Crash), crash_at(first):
                archive.collect(window=8)
            with suppress(Crash), crash_at(step):
                archive.collect(window=8)
                finished = True
            assert archive.collect(window=8).errors == ()
            assert_whole(home, archive)


# ------------------------------------------------------------------ real transcripts


@pytest.mark.real_data
def test_every_byte_of_real_homes_is_kept(real_data: Path, tmp_path: Path) -> None:
    """Transcripts and journals joined with their tails; every other file whole."""
    compared = 0
    for home in sorted(path for path in real_data.iterdir() if (path / "projects").is_dir()):
        archive = Archive(home / "projects", tmp_path / home.name)
        report = archive.collect(window=64 << 10, flush_tails=True)
        assert (report.errors, report.conflicts, report.pending) == ((), 0, 0)
        assert archive.collect(window=64 << 10, flush_tails=True).landed == 0
        assert archive.problems() == []
        for session in archive.zone.session_ids():
            for directory in archive.zone.delta_directories(session):
                for prefix in set(directory.prefixes) - {"tail", "history"}:
                    raws = [raw for raw in directory.raws if raw.name.prefix == prefix]
                    deltas = [read_raw(raw.path) for raw in raws]
                    kept = b"".join(delta.body for delta in deltas)
                    source = home / "projects" / deltas[0].label.header.src
                    tails = [raw for raw in directory.raws if raw.name.prefix == "tail"]
                    if prefix in {"transcript", "journal"} and tails:
                        kept += read_raw(tails[-1].path).body
                    assert kept == source.read_bytes(), source
                    compared += 1
                for file in directory.landed:
                    read_landed(file.path)
    assert compared >= 30
