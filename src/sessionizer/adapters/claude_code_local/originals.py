"""Read sources again in the form they are kept, to compare them with what was kept."""

import os
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Final

from sessionizer.adapters.claude_code_local.history import Views, read_views
from sessionizer.adapters.claude_code_local.sources import AdapterConfig
from sessionizer.landing.reading import iter_file
from sessionizer.landing.record import HISTORY, Header
from sessionizer.landing.verify_sources import Original

_ESCAPED_BYTE: Final = re.compile(r"\\x([89a-f][0-9a-f])")


def source_reader(config: AdapterConfig) -> Callable[[Header], Original | None]:
    """A function that gives the source a header names; None when it is gone.

    Of the shared history it gives the lines of the header's session. The history is read
    once, at the first question. What a link leads to outside the home is no source.
    """
    boundary = os.path.realpath(config.home or config.source_root)
    views: list[Views | None] = []

    def read(header: Header) -> Original | None:
        path = _find(config.source_root, header.src, boundary)
        if path is None:
            return None
        if header.kind != HISTORY:
            return Original(iter_file(path), path.stat().st_mtime_ns)
        if not views:
            found = read_views(path)
            views.append(None if found is None else found[0])
        known = views[0]
        if known is None:
            return None
        return Original(iter((known.of_session.get(header.session, b""),)), known.mtime_ns)

    return read


def _find(source_root: Path, src: str, boundary: str) -> Path | None:
    for spelling in _spellings(src):
        path = Path(os.path.abspath(source_root / spelling))  # noqa: PTH100 - links stay
        if path.is_file():
            real = os.path.realpath(path)
            return path if real.startswith(boundary + os.sep) else None
    return None


def _spellings(src: str) -> Iterator[str]:
    """The name as it stands, and with its escaped bytes as bytes."""
    yield src
    if "\\x" in src:
        encoded = _ESCAPED_BYTE.sub(lambda byte: chr(0xDC00 + int(byte[1], 16)), src)
        yield os.fsdecode(encoded.encode("utf-8", "surrogateescape"))
