"""Answers of the page: JSON, errors, HTML."""

from html import escape
from typing import Final

import msgspec
from starlette.responses import Response

_JSON: Final = "application/json; charset=utf-8"
_HTML: Final = "text/html; charset=utf-8"
_ENCODER: Final = msgspec.json.Encoder()


def json_answer(value: object) -> Response:
    """`value` as JSON; `<`, `>` and `&` stand as they are."""
    return Response(_ENCODER.encode(value), media_type=_JSON)


def error_answer(status: int, message: str) -> Response:
    """`{"error": message}`."""
    body = _ENCODER.encode({"error": message.encode("utf-8", "replace").decode()})
    return Response(body, status_code=status, media_type=_JSON)


def html_answer(body: bytes, *, status: int = 200) -> Response:
    """A page."""
    return Response(body, status_code=status, media_type=_HTML)


def missing_page(title: str, message: str) -> bytes:
    """A small page that says what is not there, with a way back to the list."""
    return (
        '<!doctype html><html lang="en"><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width">'
        f"<title>{escape(title)}</title>"
        '<link rel="stylesheet" href="/static/css/tokens.css">'
        '<link rel="stylesheet" href="/static/css/base.css">'
        f'<main class="message"><h1>{escape(title)}</h1><p>{escape(message)}</p>'
        '<p><a href="/">All conversations</a></p></main></html>'
    ).encode("utf-8", "replace")
