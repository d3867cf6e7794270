"""Texts of steps from landed records. Pure: rows in, texts out.

Sizes are UTF-8 bytes of the whole text; what is shown may be its beginning.
"""

import json
from collections.abc import Iterable
from typing import Final

import msgspec
from msgspec import Raw, Struct

from sessionizer.base.text import clip_utf8
from sessionizer.index.readable import data_object, readable_text
from sessionizer.landing.record import Part, Row
from sessionizer.model import kinds
from sessionizer.model.nodes import Node
from sessionizer.views.native import NativeWords

PREVIEW_BYTES: Final = 2000
# Structure a page can show field by field; more is for the whole record.
STRUCTURE_BYTES: Final = 20_000
# Pictures go inside the answer up to here, each and together; more is for the whole record.
MEDIA_BYTES: Final = 2_000_000
MEDIA_TOTAL_BYTES: Final = 12_000_000
_MEMBERS: Final = msgspec.json.Decoder(dict[str, Raw])
_NUMBER: Final = msgspec.json.Decoder(int | float)
SHOWN_MEDIA: Final = frozenset({"image/png", "image/jpeg", "image/gif", "image/webp"})


class Limits(Struct, frozen=True, gc=False):
    """How many bytes of a text, and of a structure, are shown; None for all of it."""

    text_bytes: int | None
    structure_bytes: int | None


PREVIEW: Final = Limits(PREVIEW_BYTES, STRUCTURE_BYTES)
WHOLE: Final = Limits(None, None)


class Quote(Struct, frozen=True, gc=False):
    """The beginning of a text, and the size of the whole."""

    text: str
    bytes: int

    @property
    def cut_bytes(self) -> int:
        """Size of the whole when this is not it; 0 otherwise."""
        return self.bytes if len(self.text.encode("utf-8", "replace")) < self.bytes else 0


class Media(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A picture or document.

    Attributes:
        data: Its base64 text as a JSON string; absent when it is not shown in place.
        bytes: Length of that text.
    """

    media: str
    data: Raw | None = None
    state: str = ""
    bytes: int = 0


class OwnText(Struct, frozen=True, kw_only=True):
    """What the record at a step's own position says."""

    text: str = ""
    name: str = ""
    failed: bool | None = None
    state: str = ""
    bytes: int = 0
    input: Raw | None = None
    media: tuple[Media, ...] = ()
    duration_ms: int | None = None


class ResultText(Struct, frozen=True, kw_only=True):
    """What a tool returned, or a child to the journal of its run."""

    text: str = ""
    failed: bool | None = None
    state: str = ""
    bytes: int = 0
    structured: Raw | None = None
    durations: dict[str, int] = {}


def quote(text: str, limits: Limits = PREVIEW) -> Quote:
    """`text` as it goes into a list or a tree: cut between characters.

    Lone surrogates, which no answer can carry, become U+FFFD.
    """
    whole = text.encode("utf-8", "replace")
    shown = whole.decode()
    if limits.text_bytes is not None:
        shown = clip_utf8(shown, limits.text_bytes)
    return Quote(shown, len(whole))


def own_text(row: Row, node: Node, words: NativeWords, limits: Limits = PREVIEW) -> OwnText:
    """The text of a step from the record at its position."""
    part = _part_at(row, None if node.ref is None else node.ref.block)
    media = _media_of(row) if node.ref is not None and node.ref.block is None else ()
    if node.kind == kinds.TURN_DURATION:
        measured = _measured_ms(row, words.turn_duration_ms)
        if measured is not None:
            return OwnText(
                name=part.name if part else "",
                state=(part.state or "") if part else "",
                bytes=part.bytes if part else 0,
                duration_ms=measured,
            )
    if part is None:
        shown = quote(readable_text(row), limits)
        return OwnText(text=shown.text, bytes=shown.bytes, media=media)
    return OwnText(
        text=_text_of(part, row, limits),
        name=part.name,
        failed=part.failed,
        state=part.state or "",
        bytes=part.bytes,
        input=_shown_object(part, limits) if part.k == "call" else None,
        media=_media([part]) if part.k == "media" else media,
    )


def result_text(
    row: Row, block: int | None, words: NativeWords, limits: Limits = PREVIEW
) -> ResultText | None:
    """What the record holds as a tool's result at `block`, or anywhere; None when nothing."""
    if block is None:
        part = next((part for part in row.parts if part.k == "result"), None)
    else:
        part = row.parts[block] if block < len(row.parts) else None
    if part is None or part.k != "result":
        return None
    return ResultText(
        text=quote(part.text, limits).text if part.text else _data_text(part, limits),
        failed=part.failed,
        state=part.state or "",
        bytes=part.bytes,
        structured=_shown_object(part, limits),
        durations=_durations(part, words),
    )


def returned_text(row: Row, words: NativeWords, limits: Limits = PREVIEW) -> ResultText | None:
    """What a line of a run journal says that a child returned; None when it says nothing."""
    key = words.journal.result
    for part in row.parts:
        returned = _member(part, key) if key and part.k == "data" else None
        if returned is not None:
            size = len(returned)
            text = _json_text(returned, limits)
            return ResultText(text=text, state=part.state or "", bytes=size)
    return None


def is_in_place(part: Part) -> bool:
    """Whether a media part may be shown, by its type, where it stands."""
    return part.media in SHOWN_MEDIA and part.state == kinds.AVAILABLE and bool(part.data)


def _part_at(row: Row, block: int | None) -> Part | None:
    if block is not None:
        return row.parts[block] if block < len(row.parts) else None
    return row.parts[0] if len(row.parts) == 1 else None


def _text_of(part: Part, row: Row, limits: Limits) -> str:
    if part.text:
        return quote(part.text, limits).text
    if not part.data or part.k == "media":
        return ""
    # Prose beside a call or a result is not what was asked for or returned.
    readable = readable_text(row) if part.k not in ("call", "result") else ""
    return quote(readable, limits).text if readable else _data_text(part, limits)


def _data_text(part: Part, limits: Limits) -> str:
    return _json_text(bytes(part.data), limits)


def _json_text(body: bytes, limits: Limits) -> str:
    """The beginning of a JSON text; of a JSON string, its value."""
    if body.startswith(b'"'):
        try:
            value = json.loads(body)
        except (ValueError, RecursionError):
            value = None
        if isinstance(value, str):
            return quote(value, limits).text
    if limits.text_bytes is not None:
        # Decoding some bytes more than are kept never cuts a character that could be whole.
        body = body[: limits.text_bytes + 4]
    return quote(body.decode("utf-8", "ignore"), limits).text


def _member(part: Part, key: str) -> bytes | None:
    """The JSON text of one member of the object that `part` holds, as it stands there."""
    try:
        found = _MEMBERS.decode(part.data).get(key)
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError):
        return None
    return None if found is None else bytes(found)


def _shown_object(part: Part, limits: Limits) -> Raw | None:
    body = bytes(part.data)
    fits = limits.structure_bytes is None or len(body) <= limits.structure_bytes
    return part.data if body.startswith(b"{") and fits else None


def _media_of(row: Row) -> tuple[Media, ...]:
    return _media(part for part in row.parts if part.k == "media")


def _media(parts: Iterable[Part]) -> tuple[Media, ...]:
    found = []
    for part in parts:
        shown = is_in_place(part) and len(bytes(part.data)) <= MEDIA_BYTES
        found.append(
            Media(
                media=part.media,
                data=part.data if shown and bytes(part.data).startswith(b'"') else None,
                state=part.state or "",
                bytes=part.bytes,
            )
        )
    return tuple(found)


def _measured_ms(row: Row, key: str) -> int | None:
    if not key:
        return None
    for part in row.parts:
        number = _whole_number(data_object(part).get(key))
        if number is not None:
            return number
    return None


def _durations(part: Part, words: NativeWords) -> dict[str, int]:
    """Measured milliseconds by tool name; only the one of the tool itself counts."""
    if not bytes(part.data).startswith(b"{"):
        return {}
    found = {}
    for duration in words.tool_durations:
        text = _member(part, duration.key)
        number = None if text is None else _number(text)
        milliseconds = None if number is None else _whole_number(number * duration.unit_ms)
        if milliseconds is not None:
            found[duration.tool] = milliseconds
    return found


def _number(text: bytes) -> int | float | None:
    try:
        return _NUMBER.decode(text)
    except (msgspec.MsgspecError, UnicodeDecodeError):
        return None


def _whole_number(value: object) -> int | None:
    if isinstance(value, bool) or not isinstance(value, int | float):
        return None
    return round(value) if 0 <= value < 2**53 else None
