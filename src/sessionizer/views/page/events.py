"""Server-sent events: a reader hears of a new round without asking again and again."""

import asyncio
from collections.abc import AsyncIterator, Callable
from typing import Final

import msgspec
from starlette.concurrency import run_in_threadpool

from sessionizer.base.errors import SessionizerError
from sessionizer.views.library import Head, Library

LOOK_SECONDS: Final = 1.0
# A line now and then, so that a lost connection is noticed at both ends.
ALIVE_SECONDS: Final = 15.0


async def iter_rounds(
    library: Library, conversation: str, *, stopping: Callable[[], bool]
) -> AsyncIterator[bytes]:
    """Events for the newest round now, and for every later one, until `stopping`.

    A chain that can not be read for a while is only waited for: other answers say why.
    """
    last: Head | None = None
    silent = 0.0
    while not stopping():
        head = await run_in_threadpool(_read_head, library, conversation)
        if head is not None and head != last:
            last, silent = head, 0.0
            yield b"event: round\ndata: " + msgspec.json.encode(head) + b"\n\n"
        elif silent >= ALIVE_SECONDS:
            silent = 0.0
            yield b": alive\n\n"
        await asyncio.sleep(LOOK_SECONDS)
        silent += LOOK_SECONDS


def _read_head(library: Library, conversation: str) -> Head | None:
    try:
        return library.head(conversation)
    except (SessionizerError, OSError):
        return None
