"""Sources that are rewritten as a whole: what decides whether one changed.

A final newline means nothing in most of them, so it is stripped before comparing and
converting. A kept `file` is compared exactly.
Source: docs/formats/storage.md, "Snapshots".
"""

import hashlib
from pathlib import Path
from typing import Final

from sessionizer.landing.raw import Label, iter_body
from sessionizer.landing.record import FILE, JOURNAL_TAIL, TRANSCRIPT_TAIL

EXACT_KINDS: Final = frozenset({FILE, TRANSCRIPT_TAIL, JOURNAL_TAIL})


def strip_snapshot(body: bytes) -> bytes:
    """Content without the line ends at its end."""
    return body.rstrip(b"\r\n")


def content_sha256(path: Path, label: Label) -> str:
    """The digest that decides whether a snapshot changed, from its raw file.

    Raises:
        DamagedFileError: The raw file can not be read.
    """
    if label.header.kind in EXACT_KINDS:
        return label.sha256
    return hashlib.sha256(strip_snapshot(b"".join(iter_body(path)))).hexdigest()
