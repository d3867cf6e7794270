"""Check what landed of a session against its own digests.

Nothing is printed and nothing is changed. One file that can not be read is one problem, and
checking goes on.
Source: docs/formats/verification.md.
"""

from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from msgspec import Struct
from msgspec.structs import replace

from sessionizer.base.digests import short_sha256
from sessionizer.landing.contiguity import check_contiguity
from sessionizer.landing.errors import DamagedFileError
from sessionizer.landing.names import parse_landed_name
from sessionizer.landing.raw import Label, read_label, read_raw, verify_raw
from sessionizer.landing.record import Header, Row
from sessionizer.landing.repair import APPEND_KINDS, TAIL_KINDS
from sessionizer.landing.session_data import Landed, read_header, read_landed
from sessionizer.landing.zone import DeltaDirectory, LandedFile, RawFile, Zone

# Above this a file's bytes are checked piece by piece; its one row says nothing of slices.
_IN_MEMORY_BYTES: Final = 256 << 20


class SessionCheck(Struct, frozen=True, kw_only=True):
    """What was checked of one session.

    Attributes:
        sources: Kept sources: one per directory and prefix.
        records: Rows read.
        repeated: Rows that landed more than once.
        problems: One line each, in order of path.
    """

    session: str
    sources: int
    records: int
    repeated: int
    problems: tuple[str, ...]


class _File(Struct, frozen=True, kw_only=True):
    file: LandedFile
    landed: Landed
    label: Label | None


def verify_session(zone: Zone, session: str) -> SessionCheck:
    """Check every delta of a session and how they join."""
    problems: list[str] = []
    sources = records = repeated = 0
    seqs: Counter[int] = Counter()
    for directory in zone.delta_directories(session):
        numbers = {file.seq for file in directory.landed} | {raw.name.seq for raw in directory.raws}
        seqs.update(numbers)
        for prefix in directory.prefixes:
            sources += 1
            files = tuple(_iter_files(directory, prefix, session, problems))
            records += sum(len(each.landed.rows) for each in files)
            repeated += _check_source(files, problems)
    problems += [
        f"seq {seq} appears {count} times" for seq, count in sorted(seqs.items()) if count > 1
    ]
    return SessionCheck(
        session=session,
        sources=sources,
        records=records,
        repeated=repeated,
        problems=tuple(problems),
    )


def _iter_files(
    directory: DeltaDirectory, prefix: str, session: str, problems: list[str]
) -> Iterator[_File]:
    """Every delta whose Session Data reads; each half is checked, whatever the other is."""
    raws = {raw.name.stem: raw for raw in directory.raws if raw.name.prefix == prefix}
    for raw in raws.values():
        if raw.landed is None:
            problems.append(f"{raw.path.name}: it has no Session Data beside it")
            _check_raw(raw, None, problems)
    for file in directory.landed:
        if file.kind_prefix != prefix:
            continue
        landed: Landed | None = None
        try:
            landed = read_landed(file.path)
            problems += _header_problems(file, landed.header, session)
        except (DamagedFileError, OSError) as error:
            problems.append(_explain(error))
        parsed = parse_landed_name(file.path.name)
        beside = raws.get(parsed.stem) if parsed else None
        if beside is None:
            problems.append(f"{file.path.name}: its raw file is missing")
        label = None if beside is None else _check_raw(beside, landed, problems)
        if landed is not None:
            yield _File(file=file, landed=landed, label=label)


def _header_problems(file: LandedFile, header: Header, session: str) -> Iterator[str]:
    name = file.path.name
    if header.seq != file.seq:
        yield f"{name}: its header says seq {header.seq}"
    if header.session != session:
        yield f"{name}: its header says session {header.session}"


def _check_raw(raw: RawFile, landed: Landed | None, problems: list[str]) -> Label | None:
    """Check kept bytes for themselves, and against Session Data that reads."""
    body: bytes | None = None
    try:
        label = read_label(raw.path)
        if label.bytes > _IN_MEMORY_BYTES:
            verify_raw(raw.path)
        else:
            body = read_raw(raw.path).body
    except (DamagedFileError, OSError) as error:
        problems.append(_explain(error))
        return None
    header = None if raw.landed is None else _stated_header(raw.landed.path)
    problems += _label_problems(raw, label, header, landed)
    if landed is not None and body is not None:
        problems += _slice_problems(raw, label, body, landed.rows)
    return label


def _label_problems(
    raw: RawFile, label: Label, header: Header | None, landed: Landed | None
) -> Iterator[str]:
    name = raw.path.name
    if label.header.seq != raw.name.seq:
        yield f"{name}: its label says seq {label.header.seq}"
    elif header is not None and replace(label.header, dialect=header.dialect) != header:
        yield f"{name}: its label's header differs from the one in the Session Data"
    if landed is None:
        return
    first = landed.rows[0]
    if (label.ord, label.off) != (first.ord, first.off):
        yield (
            f"{name}: its label begins at line {label.ord}, byte {label.off}; "
            f"its first row at line {first.ord}, byte {first.off}"
        )


def _stated_header(path: Path) -> Header | None:
    """The header of Session Data that may be damaged further on; None when it is, too."""
    try:
        return read_header(path)
    except (DamagedFileError, OSError):
        return None


def _slice_problems(
    raw: RawFile, label: Label, body: bytes, rows: tuple[Row, ...]
) -> Iterator[str]:
    for number, row in enumerate(rows, start=1):
        start = row.off - label.off
        piece = body[start : start + row.bytes] if start >= 0 else b""
        if len(piece) != row.bytes or short_sha256(piece) != row.sha:
            yield f"{raw.path.name}: the bytes of row {number} differ from its sha {row.sha}"
            return


def _check_source(files: tuple[_File, ...], problems: list[str]) -> int:
    """Check how the deltas of one source join; return how many rows landed again."""
    if not files:
        return 0
    kind = files[0].landed.header.kind
    if kind not in APPEND_KINDS:
        for each in files:
            problems += _snapshot_problems(each)
        return 0
    found = check_contiguity((each.file.path.name, each.landed.rows) for each in files)
    problems += found.problems
    problems += _join_problems(files)
    return found.repeated


def _snapshot_problems(each: _File) -> Iterator[str]:
    name, rows = each.file.path.name, each.landed.rows
    kind = each.landed.header.kind
    if kind in TAIL_KINDS:
        if any(row.ord != rows[0].ord for row in rows):
            yield f"{name}: a kept last line holds rows of several lines"
    elif len(rows) != 1:
        yield f"{name}: a snapshot has one record, this has {len(rows)}"
    elif (rows[0].ord, rows[0].off) != (1, 0):
        yield f"{name}: a snapshot's record stands at line 1, byte 0"


def _join_problems(files: tuple[_File, ...]) -> Iterator[str]:
    """Kept bytes that do not join on; rows may hide it, since a newline has no row."""
    reach = 0
    for each in files:
        if each.label is None:
            continue
        if each.label.off > reach:
            yield (
                f"{each.file.raw_path.name}: byte gap: kept bytes begin at {each.label.off}, "
                f"those before end at {reach}"
            )
        reach = max(reach, each.label.off + each.label.bytes)


def _explain(error: Exception) -> str:
    return str(error)
