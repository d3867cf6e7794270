import io
import random
from pathlib import Path

import msgspec
import pytest
import zstandard

from sessionizer.landing.errors import DamagedFileError
from sessionizer.landing.raw import (
    RawDelta,
    encode_raw,
    iter_body,
    iter_raw,
    label_of,
    read_label,
    read_raw,
    verify_raw,
)
from tests.build.landed import make_header

BODIES = [
    b"",
    b"a\n",
    b"ab\n" * 500_000,
    random.Random(1).randbytes(400_000),
]


@pytest.mark.parametrize("body", BODIES, ids=["empty", "short", "repetitive", "random"])
def test_bytes_and_label_come_back(tmp_path: Path, body: bytes) -> None:
    """Whatever the frame's blocks look like, the label behind it is found."""
    label = label_of(make_header(3), body, ord=4, off=17)
    path = tmp_path / "x.raw.zst"
    path.write_bytes(encode_raw(label, body))

    assert read_raw(path) == RawDelta(label=label, body=body)
    assert read_label(path) == verify_raw(path) == label
    assert b"".join(iter_body(path)) == body


def test_an_ordinary_decoder_gives_the_source_bytes() -> None:
    """Kept bytes are readable without this program: the label is a skippable frame."""
    body = b"line one\nline two\n"
    whole = encode_raw(label_of(make_header(1), body), body)

    assert zstandard.ZstdDecompressor().decompress(whole) == body
    reader = zstandard.ZstdDecompressor().stream_reader(io.BytesIO(whole), read_across_frames=True)
    assert reader.read() == body


def test_the_label_is_json_in_a_skippable_frame() -> None:
    """The facts of the header stand beside the bytes they describe."""
    body = b"aa\n"
    whole = encode_raw(label_of(make_header(1), body, ord=2, off=9), body)
    size = len(zstandard.ZstdCompressor(level=3, write_checksum=True).compress(body))
    frame = whole[size:]

    assert frame[:4] == bytes.fromhex("502a4d18")
    assert int.from_bytes(frame[4:8], "little") == len(frame) - 8
    label = msgspec.json.decode(frame[8:])
    assert list(label) == ["raw", "header", "ord", "off", "bytes", "sha256"]
    assert (label["raw"], label["ord"], label["off"], label["bytes"]) == ("raw/1", 2, 9, 3)
    assert label["header"]["src"] == make_header(1).src
    assert list(label["header"])[:3] == ["h", "schema", "seq"]


@pytest.mark.parametrize("body", BODIES, ids=["empty", "short", "repetitive", "random"])
def test_writing_piece_by_piece_keeps_the_same(tmp_path: Path, body: bytes) -> None:
    """A file that does not fit in memory is kept like any other."""
    label = label_of(make_header(1), body)
    pieces = [body[start : start + 70_000] for start in range(0, len(body), 70_000)]
    path = tmp_path / "x.raw.zst"
    path.write_bytes(b"".join(iter_raw(label, pieces)))

    assert read_raw(path) == RawDelta(label=label, body=body)


@pytest.mark.parametrize("pieces", [[b"ab"], [b"abc", b"d"], [b"abd"]])
def test_a_source_that_changed_while_it_was_read_is_not_kept(pieces: list[bytes]) -> None:
    """Shorter, longer or other bytes than the label says."""
    with pytest.raises(ValueError, match="bytes"):
        b"".join(iter_raw(label_of(make_header(1), b"abc"), pieces))


def test_every_changed_byte_of_the_frame_is_noticed(tmp_path: Path) -> None:
    """Checksum, digest and count leave no byte unprotected."""
    body = b'{"a":1}\n{"b":2}\n'
    label = label_of(make_header(1), body)
    whole = encode_raw(label, body)
    frame = (
        len(whole)
        - len(encode_raw(label, b""))
        + len(zstandard.ZstdCompressor(write_checksum=True).compress(b""))
    )
    path = tmp_path / "x.raw.zst"
    for index in range(frame):
        path.write_bytes(whole[:index] + bytes([whole[index] ^ 0xFF]) + whole[index + 1 :])
        with pytest.raises(DamagedFileError):
            read_raw(path)


@pytest.mark.parametrize("cut", [0, 3, 8, 20, -1])
def test_a_cut_file_is_an_error_of_ours(tmp_path: Path, cut: int) -> None:
    """Cut in the magic, the header, the blocks, the label."""
    body = b"some text\n" * 3
    path = tmp_path / "x.raw.zst"
    path.write_bytes(encode_raw(label_of(make_header(1), body), body)[:cut])

    with pytest.raises(DamagedFileError, match=r"x\.raw\.zst"):
        read_raw(path)


def test_anything_behind_the_label_is_refused(tmp_path: Path) -> None:
    """One frame and one label, nothing else."""
    body = b"x\n"
    path = tmp_path / "x.raw.zst"
    path.write_bytes(encode_raw(label_of(make_header(1), body), body) + b"\0")

    with pytest.raises(DamagedFileError, match="label"):
        read_raw(path)
