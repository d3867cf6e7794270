from pathlib import Path

import pytest

from sessionizer.landing.cursor import (
    AppendCursor,
    SnapshotCursor,
    encode_cursor,
    read_append_cursor,
    read_cursor,
    read_snapshot_cursor,
    stored_source,
)
from sessionizer.landing.errors import CursorKindError
from tests.build.landed import SRC

APPEND = AppendCursor(
    source=SRC,
    dev=2053,
    ino=918273,
    offset=1512,
    ord=6,
    last_uuid="s1",
    tail_sha256="5f0c",
    size=1512,
    mtime=1767323049,
    last_seq=1,
    updated_at="2026-01-02T03:05:00.2Z",
)


def test_an_append_cursor_is_readable_text() -> None:
    """One pair per line, values below each other."""
    assert encode_cursor(APPEND).decode() == (
        "schema      1\n"
        "kind        append\n"
        f"source      {SRC}\n"
        "dev         2053\n"
        "ino         918273\n"
        "offset      1512\n"
        "ord         6\n"
        "last_uuid   s1\n"
        "tail_sha256 5f0c\n"
        "size        1512\n"
        "mtime       1767323049\n"
        "last_seq    1\n"
        "updated_at  2026-01-02T03:05:00.2Z\n"
        "state       active\n"
    )


@pytest.mark.parametrize(
    "cursor",
    [
        APPEND,
        AppendCursor(source="x", state="conflict", reason="truncated: 5 bytes", mtime_ns=5),
        AppendCursor(source=""),
        SnapshotCursor(source="y.json", content_sha256="ab", size=3, mtime=1, last_seq=9),
        SnapshotCursor(source="y#tail", content_sha256="ab", offset=6, ord=3, ino=4, mtime_ns=7),
    ],
)
def test_a_cursor_comes_back(tmp_path: Path, cursor: AppendCursor | SnapshotCursor) -> None:
    """Whatever is written is read again."""
    path = tmp_path / "transcript.cursor"
    path.write_bytes(encode_cursor(cursor))

    assert read_cursor(path) == cursor


def test_a_missing_cursor_is_none(tmp_path: Path) -> None:
    """A source without one starts fresh."""
    assert read_append_cursor(tmp_path / "x.cursor") is None
    assert read_snapshot_cursor(tmp_path / "x.cursor") is None


def test_comments_unknown_keys_and_bad_numbers_are_harmless(tmp_path: Path) -> None:
    """F8: a number that does not parse counts as 0."""
    path = tmp_path / "transcript.cursor"
    path.write_text("# note\n\ncolour blue\nkind   append\nsource s\noffset x\nord -3\nsize 9\n")

    assert read_append_cursor(path) == AppendCursor(source="s", size=9)


def test_a_cursor_of_another_kind_is_refused(tmp_path: Path) -> None:
    """It is not ours to overwrite."""
    path = tmp_path / "transcript.cursor"
    path.write_bytes(encode_cursor(SnapshotCursor(source="s")))

    with pytest.raises(CursorKindError, match="'snapshot', expected 'append'"):
        read_append_cursor(path)
    path.write_text("kind other\n")
    with pytest.raises(CursorKindError, match="'other'"):
        read_cursor(path)


def test_a_source_is_compared_as_a_cursor_gives_it_back() -> None:
    """A file name may hold a newline; a cursor's value may not."""
    assert stored_source("a\nb") == "a b"
    assert stored_source(SRC) == SRC
