r"""From bytes to records: one physical line at a time, with an account of the damage.

A line ends at `\n` only. It is framed when it begins with `{` and ends with `}`; what is not
framed, or cannot be read, is counted and never passed over in silence.
"""

from collections.abc import Iterator

from sessionizer.claude_code.objects import recover_records, split_objects
from sessionizer.claude_code.records import Record, decode_record
from sessionizer.claude_code.repairs import strip_damage
from sessionizer.transcripts.damage import Damage
from sessionizer.transcripts.reading import PhysicalLine
from sessionizer.transcripts.record import TranscriptRecord, place_record

WHITE = b" \t\r\n\x0b\x0c"


def is_framed(body: bytes) -> bool:
    """Whether a line that is not blank looks like one object, or several."""
    body = body.strip(WHITE)
    return body.startswith(b"{") and body.endswith(b"}")


def clean_line(body: bytes, *, number: int) -> tuple[bytes, bool]:
    """A line without the damage around it, and whether there was any."""
    cleaned, stripped = strip_damage(body, first_line=number == 1)
    return cleaned.strip(WHITE), stripped


def decode_line(line: PhysicalLine, damage: Damage) -> Iterator[TranscriptRecord]:
    """The records of one line, usually one; what could not be read is added to `damage`."""
    cleaned, stripped = clean_line(line.body, number=line.number)
    if not cleaned:
        damage.skipped += stripped  # nothing but NULs: what stood there is lost
        return
    first = decode_record(cleaned, lenient_controls=True)
    if first.record is not None:
        damage.repaired += stripped or first.repaired
        yield _place(first.record, first.text, line, None)
        return
    damage.repaired += stripped
    yield from _split_line(cleaned, line, damage)


def _split_line(cleaned: bytes, line: PhysicalLine, damage: Damage) -> Iterator[TranscriptRecord]:
    """The objects of a line that is not one object, first to last."""
    objects = split_objects(cleaned, lenient_controls=True)
    pieces = [cleaned[span.start : span.stop] for span in objects.spans]
    broken = objects.rest is not None
    if objects.rest is not None:
        rest = cleaned[objects.rest.start : objects.rest.stop]
        spans = recover_records(rest, lenient_controls=True)
        pieces += [rest[span.start : span.stop] for span in spans]
    glued = 0
    repaired = False
    for piece in pieces:
        decoded = decode_record(piece.strip(WHITE), lenient_controls=True)
        if decoded.record is None:
            broken = True
            continue
        glued += 1
        repaired = repaired or decoded.repaired
        damage.recovered += glued > 1 or not objects.spans
        yield _place(decoded.record, decoded.text, line, glued if glued > 1 else None)
    damage.skipped += broken
    damage.repaired += repaired


def _place(record: Record, text: bytes, line: PhysicalLine, glued: int | None) -> TranscriptRecord:
    return place_record(
        record,
        line=line.number,
        glued=glued,
        offset=line.offset,
        size=len(line.body),
        whole=text,
    )
