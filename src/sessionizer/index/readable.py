"""The readable text of a landed record, and its digest.

Two records that say the same are linked by the digest, so that what is built on the index
needs no text.
"""

import json
from collections.abc import Mapping

import msgspec

from sessionizer.base.digests import short_sha256
from sessionizer.landing.record import Part, Row

_ENVELOPE = "queued_command"


def readable_text(row: Row) -> str:
    r"""What a person would read of `row`, white space trimmed at both ends.

    Its text parts joined with `\n`; else the prompt of an envelope
    `{"type":"queued_command","prompt":...}`; else the content of a queue line; else nothing.
    """
    texts = [part.text for part in row.parts if part.k == "text" and part.text]
    if texts:
        return "\n".join(texts).strip()
    for part in row.parts:
        document = data_object(part)
        if document.get("type") == _ENVELOPE:
            return joined_text(document.get("prompt")).strip()
        if row.queue:
            return joined_text(document.get("content")).strip()
    return ""


def joined_text(content: object) -> str:
    r"""A string as it is; of a list the `text` of its objects, joined with `\n`; else nothing."""
    if isinstance(content, str):
        return content
    if not isinstance(content, list):
        return ""
    texts = [block.get("text") for block in content if isinstance(block, dict)]
    return "\n".join(text for text in texts if isinstance(text, str))


def text_digest(text: str) -> str:
    """12 hex digits of the SHA-256 of `text` without white space at its ends; empty for none."""
    text = text.strip()
    return short_sha256(text.encode("utf-8", "surrogatepass")) if text else ""


def data_object(part: Part) -> Mapping[str, object]:
    """The JSON object a `data` part holds; empty when it holds anything else."""
    if part.k != "data" or not bytes(part.data).startswith(b"{"):
        return {}
    try:
        document = msgspec.json.decode(part.data)
    except (msgspec.DecodeError, RecursionError):
        # msgspec refuses lone surrogates and deep nesting, which the source may hold.
        try:
            document = json.loads(bytes(part.data))
        except (ValueError, RecursionError):
            return {}
    return document if isinstance(document, dict) else {}
