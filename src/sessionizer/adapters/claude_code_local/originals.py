"""Read sources again in the form they are kept, to compare them with what was kept."""

import os
from collections.abc import Callable, Iterator
from pathlib import Path

from sessionizer.adapters.claude_code_local.history import Views, read_views
from sessionizer.adapters.claude_code_local.sources import AdapterConfig
from sessionizer.landing.reading import iter_file
from sessionizer.landing.record import HISTORY, Header


def source_reader(config: AdapterConfig) -> Callable[[Header], Iterator[bytes] | None]:
    """A function that gives the bytes of the source a header names; None when it is gone.

    Of the shared history it gives the lines of the header's session. The history is read
    once, at the first question.
    """
    views: list[Views | None] = []

    def read(header: Header) -> Iterator[bytes] | None:
        path = Path(os.path.abspath(config.source_root / header.src))  # noqa: PTH100 - links stay
        if header.kind != HISTORY:
            return iter_file(path) if path.is_file() else None
        if not views:
            found = read_views(path)
            views.append(None if found is None else found[0])
        known = views[0]
        return None if known is None else iter((known.of_session.get(header.session, b""),))

    return read
