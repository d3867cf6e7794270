import os
from pathlib import Path

import pytest
from msgspec.structs import replace

from sessionizer.adapters.claude_code_local.deriving import CLAUDE_CODE
from sessionizer.adapters.claude_code_local.memory import PassMemory
from sessionizer.adapters.claude_code_local.session_pass import Handover
from sessionizer.base.digests import sha256_hex
from sessionizer.landing import reading
from sessionizer.landing.cursor import AppendCursor
from sessionizer.landing.raw import encode_raw, label_of
from sessionizer.landing.session_data import encode_landed
from sessionizer.landing.verify import verify_session
from sessionizer.landing.zone import KNOWN_DIALECT_GENERATION
from tests.build.collecting import Archive
from tests.build.home import AGENT, S1, S2, Home
from tests.build.six_lines import F1_LINES, F1_SESSION


@pytest.fixture
def archive(home: Home, tmp_path: Path) -> Archive:
    return Archive(home.projects, tmp_path / "root")


def places(archive: Archive, session: str) -> list[tuple[int, int, int]]:
    return [(row.ord, row.off, row.bytes) for row in archive.rows(session)]


# ------------------------------------------------------------------ the printed cases


def test_six_lines_become_one_landed_file_to_the_byte(home: Home, archive: Archive) -> None:
    """F1: 1512 source bytes, 2220 landed bytes, and the digests printed there."""
    source = home.file(
        f"projects/-home-dev-app/{F1_SESSION}.jsonl", "".join(f"{line}\n" for line in F1_LINES)
    )
    assert source.stat().st_size == 1512

    report = archive.collect()

    (file,) = archive.zone.landed(F1_SESSION)
    body = file.path.read_bytes()
    assert file.path.name == "transcript-20260102T030500.123456789Z-000001.sd"
    assert len(body) == 2220
    (landed,) = archive.landed(F1_SESSION)
    assert landed.digest == "ecedc087faf85ecfe32bb1a64647010805999ba2e901530824707ab35436ec2f"
    assert body.endswith(
        b'{"t":"end","records":6,'
        b'"digest":"669467a410e08ee302a25be502e545fa4f6c898feecc95b331e174effa41b17c"}\n'
    )
    assert archive.kept(F1_SESSION) == source.read_bytes()
    assert (report.sessions, report.sources, report.landed, report.records) == (1, 1, 1, 6)
    assert report.bytes == 1512 - 6
    assert report.complete


def test_a_line_that_landed_again_has_the_printed_digest(home: Home, archive: Archive) -> None:
    """F3: what an interrupted pass of an older program left; verify counts it."""
    body = "".join(f"{line}\n" for line in F1_LINES)
    home.file(f"projects/-home-dev-app/{F1_SESSION}.jsonl", body)
    archive.collect()
    (first,) = archive.landed(F1_SESSION)
    header = replace(first.header, seq=2, at="2026-01-02T03:06:00Z")
    again = encode_landed(header, first.rows[5:])

    assert sha256_hex(again) == "90a1b52636ff87f06c5a98e2661b587623a9a56078f1247c7cd195ae6a64f651"
    place = archive.zone.landed(F1_SESSION)[0].path.parent
    stem = "transcript-20260102T030600.000000000Z-000002"
    (place / f"{stem}.sd").write_bytes(again)
    line = F1_LINES[5].encode() + b"\n"
    label = label_of(header, line, ord=6, off=1381)
    (place / f"{stem}.raw.zst").write_bytes(encode_raw(label, line))
    check = verify_session(archive.zone, F1_SESSION)
    assert (check.records, check.repeated, check.problems) == (7, 1, ())
    assert archive.kept(F1_SESSION) == body.encode()


def test_its_cursor_says_how_far_it_was_read(home: Home, archive: Archive) -> None:
    """F1: offset, lines, the last id, the last seq."""
    home.file(
        f"projects/-home-dev-app/{F1_SESSION}.jsonl", "".join(f"{line}\n" for line in F1_LINES)
    )
    archive.collect()

    cursor = archive.cursor(F1_SESSION)
    assert isinstance(cursor, AppendCursor)
    assert (cursor.offset, cursor.ord, cursor.last_uuid, cursor.last_seq) == (1512, 6, "s1", 1)
    assert (cursor.size, cursor.state) == (1512, "active")
    assert cursor.source == f"-home-dev-app/{F1_SESSION}.jsonl"
    assert cursor.updated_at == "2026-01-02T03:05:00.123456789Z"


def test_a_partial_line_waits_and_is_read_whole(home: Home, archive: Archive) -> None:
    """P3: ord and off go on; a pass without news lands nothing and takes no number."""
    path = home.file(f"projects/-p/{S1}.jsonl", "aa\nbb\ncc")

    assert archive.collect().records == 2
    assert places(archive, S1) == [(1, 0, 2), (2, 3, 2)]
    with path.open("ab") as file:
        file.write(b"dd\n")
    assert archive.collect().records == 1
    assert places(archive, S1)[2:] == [(3, 6, 4)]
    third = archive.collect()
    assert (third.landed, third.records, third.complete) == (0, 0, True)
    assert [file.seq for file in archive.zone.landed(S1)] == [1, 2]
    assert archive.kept(S1) == b"aa\nbb\nccdd\n"


def test_a_shortened_file_is_a_conflict_that_stays(home: Home, archive: Archive) -> None:
    """P3: said when it is seen, counted in every pass, and the file is followed on."""
    path = home.file(f"projects/-p/{S1}.jsonl", "aa\nbb\nccdd\n")
    archive.collect()
    path.write_bytes(b"aa\nbb")

    fourth, fifth = archive.collect(), archive.collect()

    assert fourth.conflicts == fifth.conflicts == 1
    assert not fourth.complete and not fifth.complete
    for report in (fourth, fifth):
        (error,) = report.errors
        assert error.startswith(f"-p/{S1}.jsonl: truncated: 5 bytes, 11")
    assert archive.cursor(S1).state == "conflict"
    assert archive.kept(S1) == b"aa\nbb\nccdd\n"
    assert archive.kept(S1, directory="streams/main@2") == b"aa\n"


@pytest.mark.parametrize("more", [b"", b"zz\n"], ids=["equal size", "grown"])
def test_a_rewritten_file_is_a_conflict(home: Home, archive: Archive, more: bytes) -> None:
    """P3: byte 0 changed, at equal size too."""
    path = home.file(f"projects/-p/{S1}.jsonl", "aa\nbb\n")
    archive.collect()
    path.write_bytes(b"Xa\nbb\n" + more)

    report = archive.collect()

    assert report.conflicts == 1
    assert any("rewritten" in error and "digest" in error for error in report.errors)
    assert archive.kept(S1, directory="streams/main@2") == b"Xa\nbb\n" + more


def test_the_next_generation_is_followed_and_named_in_its_header(
    home: Home, archive: Archive
) -> None:
    """Six lines, the last two cut, one added: generation 2 lands five and goes on."""
    path = home.file(f"projects/-p/{S1}.jsonl", "l1\nl2\nl3\nl4\nl5\nl6\n")
    archive.collect()
    path.write_bytes(b"l1\nl2\nl3\nl4\nnew\n")
    archive.collect()
    with path.open("ab") as file:
        file.write(b"l7\n")
    archive.collect()

    assert len(archive.rows(S1)) == 6
    assert len(archive.rows(S1, directory="streams/main@2")) == 6
    headers = [landed.header for landed in archive.landed(S1)]
    assert [(header.stream, header.gen) for header in headers] == [
        ("main", None), ("main", 2), ("main", 2),
    ]  # fmt: skip
    assert archive.problems() == []


def test_an_accepted_conflict_is_counted_no_more(home: Home, archive: Archive) -> None:
    """The old cursor is superseded; the new generation is the source now."""
    path = home.file(f"projects/-p/{S1}.jsonl", "aa\nbb\n")
    archive.collect()
    path.write_bytes(b"cc\n")
    assert archive.collect().conflicts == 1

    accepted = archive.collect(accept=True)

    assert (accepted.conflicts, accepted.complete) == (0, True)
    assert archive.cursor(S1).state == "superseded"
    path.write_bytes(b"cc\ndd\n")
    assert archive.collect().records == 1
    path.write_bytes(b"e\n")
    archive.collect()
    assert archive.kept(S1, directory="streams/main@3") == b"e\n"


def test_equal_content_in_a_new_file_is_read_on(home: Home, archive: Archive) -> None:
    """P3: backups and synchronisers replace files; the new inode is stored."""
    path = home.file(f"projects/-p/{S1}.jsonl", "aa\nbb\n")
    archive.collect()
    other = path.with_name("copy")
    other.write_bytes(b"aa\nbb\ncc\n")
    other.replace(path)

    report = archive.collect()

    assert (report.records, report.conflicts) == (1, 0)
    cursor = archive.cursor(S1)
    assert isinstance(cursor, AppendCursor)
    assert cursor.ino == path.stat().st_ino


def test_empty_lines_and_carriage_returns_are_records(home: Home, archive: Archive) -> None:
    """P3: 0 bytes is a line; a carriage return belongs to it."""
    home.file(f"projects/-p/{S1}.jsonl", "\n\n")
    home.file(f"projects/-p/{S2}.jsonl", "x\r\n")
    archive.collect()

    assert places(archive, S1) == [(1, 0, 0), (2, 1, 0)]
    assert places(archive, S2) == [(1, 0, 2)]


def test_a_line_longer_than_the_window_comes_alone(home: Home, archive: Archive) -> None:
    """P3: window 4; only that one line is read beyond it."""
    home.file(f"projects/-p/{S1}.jsonl", "abcdefgh\nij\nkl\n")
    report = archive.collect(window=4)

    assert [[row.ord for row in each.rows] for each in archive.landed(S1)] == [[1], [2], [3]]
    assert archive.kept(S1) == b"abcdefgh\nij\nkl\n"
    assert report.pending == 0


def test_what_one_pass_can_not_take_is_pending(home: Home, archive: Archive) -> None:
    """65 windows, then the next source has its turn; the next pass takes the rest."""
    home.file(f"projects/-p/{S1}.jsonl", "a\n" * 70)
    first = archive.collect(window=2)

    assert (first.records, first.pending, first.complete) == (65, 1, False)
    second = archive.collect(window=2)
    assert (second.records, second.pending, second.complete) == (5, 0, True)


def test_a_sidecar_without_its_final_newline_is_the_same(home: Home, archive: Archive) -> None:
    """P3: a final newline means nothing there."""
    home.file(f"projects/-p/{S1}.jsonl", "{}\n")
    relative = f"projects/-p/{S1}/subagents/agent-{AGENT}.meta.json"
    path = home.file(relative, '{"a":1}\n')
    archive.collect()
    path.write_bytes(b'{"a":1}')
    assert archive.collect().landed == 0
    path.write_bytes(b'{"a":2}')
    assert archive.collect().landed == 1

    rows = archive.rows(S1, directory=f"streams/{AGENT}")
    assert [(row.ord, row.off, row.bytes) for row in rows] == [(1, 0, 7), (1, 0, 7)]
    assert archive.problems() == []


def test_an_empty_sidecar_lands_nothing(home: Home, archive: Archive) -> None:
    """There is no record in it yet."""
    home.file(f"projects/-p/{S1}/subagents/agent-{AGENT}.meta.json", "\n")
    report = archive.collect()
    assert (report.landed, report.errors) == (0, ())


def test_a_deleted_transcript_is_gone_and_stays_kept(home: Home, archive: Archive) -> None:
    """P3: counted, never an error, and nothing landed is touched."""
    path = home.file(f"projects/-p/{S1}.jsonl", "aa\n")
    archive.collect()
    path.unlink()

    report = archive.collect()

    assert (report.sessions, report.gone, report.complete) == (0, 1, True)
    assert archive.cursor(S1).state == "source_gone"
    assert archive.kept(S1) == b"aa\n"
    home.file(f"projects/-p/{S1}.jsonl", "aa\nbb\n")
    back = archive.collect()
    assert (back.gone, back.records, back.conflicts) == (0, 1, 0)
    assert archive.cursor(S1).state == "active"


def test_two_sources_of_one_stream_are_never_interleaved(home: Home, archive: Archive) -> None:
    """P3: the first by path is collected, the other is an error that names both."""
    home.file(f"projects/-p-one/{S1}/subagents/agent-{AGENT}.jsonl", "aa\n")
    other = home.file(f"projects/-p-two/{S1}/subagents/agent-{AGENT}.jsonl", "bb\n")
    report = archive.collect()

    (error,) = report.errors
    assert "refusing to interleave" in error
    assert f"-p-one/{S1}/subagents" in error and f"-p-two/{S1}/subagents" in error
    assert (report.conflicts, report.complete) == (1, False)
    assert archive.kept(S1, directory=f"streams/{AGENT}") == b"aa\n"

    other.write_bytes(b"aa\n")
    assert archive.collect().complete


def test_an_accepted_second_source_lands_as_a_generation(home: Home, archive: Archive) -> None:
    """Nothing is merged unasked; asked, both are followed, each under its own path."""
    home.file(f"projects/-p-one/{S1}.jsonl", "aa\n")
    other = home.file(f"projects/-p-two/{S1}.jsonl", "bb\n")
    archive.collect()
    accepted = archive.collect(accept=True)
    other.write_bytes(b"bb\ncc\n")
    report = archive.collect()

    assert accepted.complete and report.complete
    assert archive.kept(S1, directory="streams/main@2") == b"bb\ncc\n"
    assert [each.header.src for each in archive.landed(S1)] == [
        f"-p-one/{S1}.jsonl", f"-p-two/{S1}.jsonl", f"-p-two/{S1}.jsonl",
    ]  # fmt: skip


def test_a_source_that_moved_is_followed(home: Home, archive: Archive) -> None:
    """Same bytes under another project directory: no conflict, the new path is stored."""
    path = home.file(f"projects/-p-one/{S1}.jsonl", "aa\n")
    archive.collect()
    moved = home.file(f"projects/-p-two/{S1}.jsonl", "aa\nbb\n")
    path.unlink()
    report = archive.collect()

    assert (report.records, report.conflicts, report.gone) == (1, 0, 0)
    assert archive.cursor(S1).source == f"-p-two/{moved.name}"


# ------------------------------------------------------------------ the last line

WHOLE = (
    '{"type":"assistant","uuid":"a1","message":{"content":[{"type":"text","text":"last words"}]}}'
)


def test_a_whole_object_without_newline_is_kept_at_once(home: Home, archive: Archive) -> None:
    """A session must not lose its last words; completed later, it lands once more."""
    path = home.file(f"projects/-p/{S1}.jsonl", f"aa\n{WHOLE}")
    first = archive.collect()
    second = archive.collect()
    with path.open("ab") as file:
        file.write(b"\nbb\n")
    archive.collect()

    assert (first.landed, first.records, second.landed) == (1, 2, 0)
    kinds = [(each.header.kind, each.header.src) for each in archive.landed(S1)]
    src = f"-p/{S1}.jsonl"
    assert kinds == [
        ("transcript", src), ("transcript_tail", f"{src}#tail"), ("transcript", src),
    ]  # fmt: skip
    tail = archive.landed(S1)[1]
    assert [(row.ord, row.off, row.id) for row in tail.rows] == [(2, 3, "a1")]
    assert archive.kept(S1) == path.read_bytes()
    assert archive.kept(S1, prefix="transcript") == path.read_bytes()
    assert archive.problems() == []


def test_a_torn_line_is_kept_when_the_file_rests(home: Home, archive: Archive) -> None:
    """Until then it is a write in progress. Ten minutes, or when asked."""
    path = home.file(f"projects/-p/{S1}.jsonl", 'aa\n{"type":"assis')
    assert archive.collect().records == 1
    os.utime(path, ns=(archive.now_ns - 599 * 10**9,) * 2)
    assert archive.collect().records == 0
    os.utime(path, ns=(archive.now_ns - 600 * 10**9,) * 2)
    assert archive.collect().records == 1
    assert archive.collect().records == 0
    assert archive.landed(S1)[-1].header.kind == "transcript_tail"


def test_flushing_keeps_every_tail_now(home: Home, archive: Archive) -> None:
    """A person who is about to delete the home does not want to wait."""
    home.file(f"projects/-p/{S1}.jsonl", 'aa\n{"type":"assis')
    assert archive.collect(flush_tails=True).records == 2


def test_the_same_tail_at_another_place_is_another_tail(home: Home, archive: Archive) -> None:
    """Equal bytes are not the same line."""
    path = home.file(f"projects/-p/{S1}.jsonl", WHOLE)
    archive.collect()
    path.write_bytes(f"{WHOLE}\n{WHOLE}".encode())
    archive.collect()

    tails = [each for each in archive.landed(S1) if each.header.kind == "transcript_tail"]
    assert [each.rows[0].off for each in tails] == [0, len(WHOLE) + 1]


# ------------------------------------------------------------------ other files


def test_other_files_of_a_session_are_kept_whole(home: Home, archive: Archive) -> None:
    """A tool result, a backup, a todo; a new version is one more delta; empty ones too."""
    home.file(f"projects/-p/{S1}.jsonl", "{}\n")
    result = home.file(f"projects/-p/{S1}/tool-results/b1.txt", "out\n")
    home.file(f"file-history/{S1}/ab@v2", b"\x00\xff\n\n")
    home.file(f"todos/{S1}-agent-{S1}.json", "")
    first = archive.collect()
    again = archive.collect()
    result.write_bytes(b"other\n")
    archive.collect()

    assert (first.landed, again.landed, first.errors) == (4, 0, ())
    headers = {each.header.src: each for each in archive.landed(S1)}
    backup = headers[f"../file-history/{S1}/ab@v2"]
    assert (backup.header.kind, backup.header.file_class) == ("file", "file-history")
    assert (backup.header.stream, backup.header.batch) == (None, None)
    (row,) = backup.rows
    (part,) = row.parts
    assert (row.bytes, part.k, part.name, part.state, part.bytes) == (
        4, "data", "ab@v2", "omitted", 4,
    )  # fmt: skip
    assert archive.kept(S1, directory="files/file-history/ab%40v2", prefix="file") == (
        b"\x00\xff\n\n"
    )
    assert len(archive.rows(S1, directory="files/tool-results/b1.txt")) == 2
    assert archive.problems() == []


def test_plans_belong_to_the_sessions_that_name_them(home: Home, archive: Archive) -> None:
    """By the slug on a line, remembered; lost, it is found again in the kept bytes."""
    home.transcript(S1).user("hello", slug="calm-otter")
    home.file("plans/calm-otter.md", "# Plan\n")
    home.file("plans/calm-otter-agent-a1.md", "# Child\n")
    home.file("plans/other.md", "# Not mine\n")
    archive.collect()

    directories = [each.relative for each in archive.zone.delta_directories(S1)]
    assert directories == [
        "files/plans", "files/plans/calm-otter-agent-a1.md", "files/plans/calm-otter.md",
        "streams/main",
    ]  # fmt: skip
    archive.zone.state_path(S1).unlink()
    home.file("plans/calm-otter.md", "# Plan, again\n")
    assert archive.collect().landed == 1


def test_each_session_keeps_its_lines_of_the_shared_history(home: Home, archive: Archive) -> None:
    """Lines of sessions A, B, none, A: A has two rows, ord 1 and 2."""
    home.file(f"projects/-p/{S1}.jsonl", "{}\n")
    first = f'{{"display":"one","sessionId":"{S1}"}}\n'
    other = f'{{"display":"b","sessionId":"{S2}"}}\n'
    last = f'{{"display":"two","sessionId":"{S1}"}}\n'
    path = home.file("history.jsonl", first + other + '{"display":"nobody"}\n' + last)
    report = archive.collect()

    rows = archive.rows(S1, directory="files/history")
    assert [(row.ord, row.off) for row in rows] == [(1, 0), (2, len(first))]
    assert archive.kept(S1, directory="files/history", prefix="history").decode() == first + last
    assert report.history_skipped == 2
    assert archive.zone.session_ids() == (S1,)

    assert archive.collect().landed == 0
    with path.open("a") as file:
        file.write(last)
    assert archive.collect().records == 1
    assert len(archive.rows(S1, directory="files/history")) == 3
    assert archive.problems() == []


def test_a_session_that_comes_after_its_history_line_gets_it(home: Home, archive: Archive) -> None:
    """A prompt is noted in the history before its transcript exists."""
    home.file(f"projects/-p/{S1}.jsonl", "{}\n")
    path = home.file("history.jsonl", f'{{"display":"one","sessionId":"{S2}"}}\n')
    os.utime(path, ns=(10**18, 10**18))
    assert archive.collect().history_skipped == 1
    home.file(f"projects/-p/{S2}.jsonl", "{}\n")
    archive.collect()

    assert len(archive.rows(S2, directory="files/history")) == 1


def test_an_excluded_session_leaves_nothing(home: Home, archive: Archive) -> None:
    """Neither its transcript nor its lines of the history nor its files."""
    home.file(f"projects/-p/{S1}.jsonl", "{}\n")
    home.file(f"file-history/{S1}/ab@v1", "x")
    home.file("history.jsonl", f'{{"sessionId":"{S1}"}}\n')
    report = archive.collect(exclude=("-p",))

    assert (report.sessions, report.sources, report.history_skipped) == (0, 0, 1)
    assert archive.zone.session_ids() == ()


# ------------------------------------------------------------------ the pass itself


def test_a_child_beside_its_session_without_a_session_is_unplaced(
    home: Home, archive: Archive
) -> None:
    """It is counted, never silently ignored."""
    home.file("projects/-p/agent-a1b2c3.jsonl", '{"type":"user"}\n')
    assert archive.collect().unplaced == 1


def test_the_caller_hears_of_every_session(home: Home, archive: Archive) -> None:
    """With what landed in seq order; also with nothing, so that an index can catch up."""
    home.file(f"projects/-p/{S1}.jsonl", "aa\n")
    home.file(f"projects/-p/{S1}/custom-title.json", '{"customTitle":"x"}')
    heard: list[tuple[str, list[int]]] = []

    def listen(given: Handover) -> None:
        heard.append((given.session, [file.seq for file in given.fresh]))

    archive.collect(on_landed=listen)
    archive.collect(on_landed=listen)

    assert heard == [(S1, [1, 2]), (S1, [])]


def test_everything_is_private(home: Home, archive: Archive) -> None:
    """Under umask 022: directories 0700, cursors and state 0600, landed files 0444."""
    home.file(f"projects/-p/{S1}.jsonl", "aa\n")
    home.file("history.jsonl", f'{{"sessionId":"{S1}"}}\n')
    before = os.umask(0o022)
    try:
        archive.collect()
    finally:
        os.umask(before)

    root = archive.zone.root
    modes = {path: path.stat().st_mode & 0o777 for path in [root, *root.rglob("*")]}
    assert {mode for path, mode in modes.items() if path.is_dir()} == {0o700}
    published = {mode for path, mode in modes.items() if path.name.endswith((".sd", ".zst"))}
    assert published == {0o444}
    others = (
        mode
        for path, mode in modes.items()
        if path.is_file() and not path.name.endswith((".sd", ".zst"))
    )
    assert set(others) == {0o600}
    assert list(root.rglob(".tmp-*")) == []


def test_one_bad_source_does_not_stop_the_others(home: Home, archive: Archive) -> None:
    """Its error is counted and the next source follows."""
    home.file(f"projects/-p/{S1}.jsonl", "aa\n")
    home.file(f"projects/-p/{S2}.jsonl", "bb\n")
    place = archive.zone.session_directory(S1) / "streams/main"
    place.mkdir(parents=True)
    (place / "transcript.cursor").write_text("kind snapshot\nsource x\n")

    report = archive.collect()

    (error,) = report.errors
    assert "'snapshot', expected 'append'" in error
    assert (place / "transcript.cursor").read_text() == "kind snapshot\nsource x\n"
    assert archive.kept(S2) == b"bb\n"


def test_a_locked_session_is_busy_and_no_error(home: Home, archive: Archive) -> None:
    """Another collector has it; the rest goes on."""
    fcntl = pytest.importorskip("fcntl")
    home.file(f"projects/-p/{S1}.jsonl", "aa\n")
    archive.collect()
    with archive.zone.lock_path(S1).open("r+b") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        report = archive.collect()

    assert (report.busy, report.errors, report.complete) == (1, (), True)


def test_what_was_read_before_a_bad_line_lands_once(
    home: Home, archive: Archive, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The line is an error in every pass; the lines before it are not read again."""
    monkeypatch.setattr(reading, "MAX_LINE_BYTES", 2 << 20)
    home.file(f"projects/-p/{S1}.jsonl", b"aa\nbb\n" + b"x" * (4 << 20) + b"\ncc\n")
    first, second = archive.collect(window=3), archive.collect(window=3)

    assert (first.records, second.records) == (2, 0)
    for report in (first, second):
        (error,) = report.errors
        assert error.startswith(f"-p/{S1}.jsonl: the line at byte 6 is longer than")


def test_an_older_cursor_that_was_put_back_is_moved_up(home: Home, archive: Archive) -> None:
    """The landed files beside it know better; nothing lands twice."""
    path = home.file(f"projects/-p/{S1}.jsonl", "aa\n")
    archive.collect()
    cursor = archive.zone.session_directory(S1) / "streams/main/transcript.cursor"
    older = cursor.read_bytes()
    path.write_bytes(b"aa\nbb\n")
    archive.collect()
    cursor.unlink()
    cursor.write_bytes(older)

    report = archive.collect()

    assert (report.records, report.errors) == (0, ())
    assert archive.kept(S1) == b"aa\nbb\n"
    assert archive.cursor(S1).last_seq == 2


def test_a_foreign_directory_in_the_root_is_left_alone(home: Home, archive: Archive) -> None:
    """It is no session of ours, gone or not."""
    home.file(f"projects/-p/{S1}.jsonl", "aa\n")
    (archive.zone.root / "lost+found").mkdir(parents=True)
    (archive.zone.root / "notes").mkdir()
    assert archive.collect().errors == ()
    assert list((archive.zone.root / "notes").iterdir()) == []


def test_a_session_keeps_its_history_after_its_files_are_gone(home: Home, archive: Archive) -> None:
    """Lines that come later are still its own."""
    path = home.file(f"projects/-p/{S1}.jsonl", "{}\n")
    history = home.file("history.jsonl", f'{{"sessionId":"{S1}"}}\n')
    archive.collect()
    path.unlink()
    with history.open("a") as file:
        file.write(f'{{"sessionId":"{S1}","display":"later"}}\n')
    report = archive.collect()

    assert (report.records, report.history_skipped) == (1, 0)


def test_the_newest_dialect_is_one_that_readers_know() -> None:
    """A landed file that its own program can not read would be lost to it."""
    assert CLAUDE_CODE.number == KNOWN_DIALECT_GENERATION


# ------------------------------------------------------------------ a watch


def rest(archive: Archive, *paths: Path) -> None:
    """Make files look as if nothing touched them for an hour."""
    for path in paths:
        os.utime(path, ns=(archive.now_ns - 3600 * 10**9,) * 2)


def test_a_watch_leaves_sessions_at_rest_alone(home: Home, archive: Archive) -> None:
    """Until one of their files changes; what was counted of them still is."""
    quiet = home.file(f"projects/-p/{S1}.jsonl", "aa\n")
    lost = home.file(f"projects/-p/{S1}/tool-results/x.txt", "x")
    busy = home.file(f"projects/-p/{S2}.jsonl", "aa\n")
    rest(archive, quiet)
    memory, heard = PassMemory(), list[str]()

    def listen(given: Handover) -> None:
        heard.append(given.session)

    archive.collect(memory=memory)
    lost.unlink()
    archive.collect(memory=memory)
    heard.clear()
    third = archive.collect(memory=memory, on_landed=listen)

    assert heard == [S2]
    assert (third.sessions, third.sources, third.gone, third.complete) == (2, 2, 1, True)
    with quiet.open("ab") as file:
        file.write(b"bb\n")
    busy.write_bytes(b"aa\ncc\n")
    assert archive.collect(memory=memory).records == 2


def test_a_watch_sees_a_plan_come_to_a_session_at_rest(home: Home, archive: Archive) -> None:
    """The plan changes no file of the session's own."""
    transcript = home.transcript(S1).user("hello", slug="calm-otter")
    rest(archive, transcript.path)
    memory = PassMemory()
    archive.collect(memory=memory)
    archive.collect(memory=memory)
    home.file("plans/calm-otter.md", "# Plan\n")

    assert archive.collect(memory=memory).landed == 1


def test_a_watch_never_forgets_a_conflict(home: Home, archive: Archive) -> None:
    """It is counted in every pass, at rest or not."""
    path = home.file(f"projects/-p/{S1}.jsonl", "aa\nbb\n")
    memory = PassMemory()
    archive.collect(memory=memory)
    path.write_bytes(b"cc\n")
    rest(archive, path)

    assert [archive.collect(memory=memory).conflicts for _ in range(3)] == [1, 1, 1]
