"""Landed files with invented rows, written as a pass writes them.

The dialect here is the simplest there can be: a line is one text part. It lets the storage
root be tested without any coding agent.
"""

from collections.abc import Iterable
from pathlib import Path

from sessionizer.base.digests import sha256_hex, short_sha256
from sessionizer.landing.cursor import AppendCursor
from sessionizer.landing.derive import Dialect
from sessionizer.landing.raw import RawDelta, encode_raw, label_of
from sessionizer.landing.record import PREFIX_OF_KIND, TRANSCRIPT, Header, Part, Row
from sessionizer.landing.session_data import encode_landed
from sessionizer.landing.tail import tail_digest
from sessionizer.landing.transaction import SessionPass
from sessionizer.landing.zone import Zone

SESSION = "11111111-1111-4111-8111-111111111111"
SRC = f"-home-dev-app/{SESSION}.jsonl"
DIALECT = "plain/1"
# 2026-01-02T03:05:00.123456789Z
NOW_NS = 1_767_323_100_123_456_789
STAMP = "20260102T030500.123456789Z"
AT = "2026-01-02T03:05:00.123456789Z"


def make_header(seq: int, *, kind: str = TRANSCRIPT, **more: str | int) -> Header:
    """A header of the main stream of `SESSION`; further fields by keyword."""
    fields: dict[str, str | int] = {
        "at": AT,
        "adapter": "plain/0.1.0",
        "dialect": DIALECT,
        "src": SRC,
        "session": SESSION,
        "stream": "main",
        **more,
    }
    return Header(seq=seq, kind=kind, **fields)  # type: ignore[arg-type]


def make_row(body: bytes, *, ord: int = 1, off: int = 0, glued: int = 0) -> Row:  # noqa: A002
    """A row with one text part over the bytes of a record."""
    text = body.decode("utf-8", "replace")
    return Row(
        ord=ord,
        off=off,
        sha=short_sha256(body),
        bytes=len(body),
        glued=glued,
        origin="runtime",
        parts=(Part(k="text", text=text, state="available", bytes=len(body)),),
    )


def line_rows(body: bytes, *, ord: int = 1, off: int = 0) -> tuple[Row, ...]:  # noqa: A002
    """One row per line of `body`; a last line without newline is a line."""
    rows = []
    for line in body.removesuffix(b"\n").split(b"\n"):
        rows.append(make_row(line, ord=ord, off=off))
        ord, off = ord + 1, off + len(line) + 1  # noqa: A001
    return tuple(rows)


def _derive(delta: RawDelta) -> tuple[Row, ...]:
    return line_rows(delta.body, ord=delta.label.ord, off=delta.label.off)


PLAIN = Dialect(name=DIALECT, number=1, derive=_derive)


def plant(
    zone: Zone,
    seq: int,
    body: bytes,
    *,
    ord: int = 1,  # noqa: A002
    off: int = 0,
    directory: str = "streams/main",
    rows: Iterable[Row] | None = None,
    header: Header | None = None,
) -> Path:
    """Write one delta without a pass, cursor or state; return its `.sd`."""
    header = header or make_header(seq)
    where = zone.session_directory(SESSION).joinpath(*directory.split("/"))
    where.mkdir(parents=True, exist_ok=True)
    stem = f"{PREFIX_OF_KIND[header.kind]}-{STAMP}-{seq:06d}"
    made = tuple(rows) if rows is not None else line_rows(body, ord=ord, off=off)
    raw = encode_raw(label_of(header, body, ord=ord, off=off), body)
    (where / f"{stem}.raw.zst").write_bytes(raw)
    path = where / f"{stem}.sd"
    path.write_bytes(encode_landed(header, made))
    return path


def land(current: SessionPass, body: bytes, *, before: bytes = b"") -> None:
    """Stage `body`, which follows `before` in the main source, and move the cursor behind it."""
    header = make_header(current.take_seq(), at=current.at)
    ord_, off = before.count(b"\n") + 1, len(before)
    current.stage(
        "streams/main", header, line_rows(body, ord=ord_, off=off), body, ord=ord_, off=off
    )
    whole = before + body
    cursor = AppendCursor(
        source=SRC,
        offset=len(whole),
        ord=whole.count(b"\n"),
        tail_sha256=tail_digest(whole),
        size=len(whole),
        last_seq=header.seq,
        updated_at=current.at,
    )
    current.move("streams/main", "transcript", cursor)


def file_digest(path: Path) -> str:
    """SHA-256 of a file."""
    return sha256_hex(path.read_bytes())
