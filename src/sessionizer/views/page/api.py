"""The JSON surface, field by field in docs/formats/page-json.md."""

from typing import Final

from msgspec import Raw, Struct
from starlette.requests import Request
from starlette.responses import Response

from sessionizer.base.instants import milliseconds, parse_instant_ns
from sessionizer.landing.record import Row
from sessionizer.views.evidence import decode_row
from sessionizer.views.library import Library
from sessionizer.views.native import Term
from sessionizer.views.page.answers import json_answer

# Keys of a landed file that are not words of the model.
FIELDS: Final = {
    "h": "version of the landed file's envelope",
    "schema": "format of the file",
    "seq": "number of the landed file, counted per session",
    "at": "when it was collected",
    "kind": "what it was collected from",
    "adapter": "the program part that read the source, and its version",
    "dialect": "the mapping from the agent's words to these, and its version",
    "src": "path of the source below the agent's folder",
    "gen": "generation of a source that was rewritten, from 2",
    "class": "which of the agent's kept files this is",
    "role": "what the stream is for, when it is not a person's work",
    "ord": "line number in the source, from 1",
    "off": "byte offset of the record in the source, from 0",
    "sha": "first 12 hex digits of the SHA-256 of the source bytes",
    "bytes": "size of the original, even if less is here",
    "glued": "place of the object on a line that holds several, from 2",
    "carried": "a child's record that stands inside its parent's",
    "copied_from": "the session that this record was copied from",
    "queue": "what happened to a queued prompt, in the agent's word",
    "label": "a name that a person or the agent gave",
    "started_by": "the agent that started this one",
    "from": "who produced the record: agent, external or runtime",
    "flags": "what the record was recognised as",
    "usage": "token counters, as this record states them",
    "parts": "the content, in source order",
    "dropped": "what was understood and left behind",
    "k": "kind of a part",
    "text": "readable text; on an unknown part the reason",
    "data": "structure as the source spelled it",
    "of": "the call that a result belongs to",
    "name": "what was called",
    "prompt": "digest of a call's prompt",
    "failed": "whether the source said that it failed; absent means nothing was said",
    "media": "media type",
    "encoding": "how data is written when it is no text",
    "state": "how much of the original is here",
    "in": "input tokens",
    "out": "output tokens",
    "cache_read": "tokens read from the provider's cache",
    "cache_write": "tokens written to the provider's cache",
    "what": "what was left behind",
    "why": "why it was left behind",
}


class RecordAnswer(Struct, frozen=True, kw_only=True):
    """A landed record, whole. `at` is in milliseconds since 1970, 0 when it states no time."""

    seq: int
    row: int
    record: Raw
    at: int
    file: str
    dialect: str


class About(Struct, frozen=True):
    """What is said of everything that is served; the note is empty when there is nothing to say."""

    note: str


class Glossary(Struct, frozen=True, kw_only=True):
    """The words of the model with the agent's own, and the keys of a landed file."""

    dialect: str
    terms: dict[str, Term]
    fields: dict[str, str]


class Api:
    """One function per address; each is run in a thread, so that none blocks another."""

    def __init__(self, library: Library) -> None:
        self._library = library

    def show_about(self, _request: Request) -> Response:
        """`/api/about`."""
        return json_answer(About(self._library.note))

    def list_conversations(self, _request: Request) -> Response:
        """`/api/conversations`."""
        return json_answer(self._library.rows())

    def show_overview(self, request: Request) -> Response:
        """`/api/c/{id}`."""
        return json_answer(self._library.overview(request.path_params["id"]))

    def show_head(self, request: Request) -> Response:
        """`/api/c/{id}/head`."""
        return json_answer(self._library.head(request.path_params["id"]))

    def show_flow(self, request: Request) -> Response:
        """`/api/c/{id}/flow`."""
        return json_answer(self._library.load(request.path_params["id"]).flow())

    def show_outside(self, request: Request) -> Response:
        """`/api/c/{id}/outside`."""
        return json_answer(self._library.load(request.path_params["id"]).outside())

    def show_talk(self, request: Request) -> Response:
        """`/api/c/{id}/talk/{talk}`."""
        conversation = self._library.load(request.path_params["id"])
        return json_answer(conversation.talk(request.path_params["talk"]))

    def show_record(self, request: Request) -> Response:
        """`/api/c/{id}/record/{seq}/{row}`, with `?session=` outside the first session."""
        seq, row = request.path_params["seq"], request.path_params["row"]
        conversation = self._library.load(request.path_params["id"])
        found = conversation.record(seq, row, request.query_params.get("session", ""))
        return json_answer(
            RecordAnswer(
                seq=int(seq),
                row=int(row),
                record=found.record,
                at=_time_of(decode_row(bytes(found.record))),
                file=found.file,
                dialect=found.header.dialect,
            )
        )

    def show_glossary(self, _request: Request) -> Response:
        """`/api/glossary`."""
        words = self._library.words
        return json_answer(Glossary(dialect=words.dialect, terms=words.terms, fields=FIELDS))


def _time_of(row: Row | None) -> int:
    instant = parse_instant_ns(row.time) if row is not None and row.time else None
    return 0 if instant is None else milliseconds(instant)
