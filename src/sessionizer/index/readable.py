"""The readable text of a landed record, and its digest.

Two records that say the same are linked by the digest, so that what is built on the index
needs no text.
"""

import json
from collections.abc import Mapping

import msgspec

from sessionizer.base.digests import short_sha256
from sessionizer.base.surrogates import decode_mended, replace_lone_surrogates
from sessionizer.landing.record import Part, Row

_ENVELOPE = "queued_command"
_DECODER = msgspec.json.Decoder()


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
    # Mended before the row is read back, which mends it too: both ways give one text.
    try:
        document = decode_mended(_DECODER, bytes(part.data))
    except (msgspec.DecodeError, RecursionError):
        try:  # it takes deeper nesting
            document = json.loads(replace_lone_surrogates(bytes(part.data)))
        except (ValueError, RecursionError):
            return {}
    return document if isinstance(document, dict) else {}
