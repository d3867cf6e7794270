"""Serve the page until somebody ends it."""

import contextlib
import os
import socket
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final

import uvicorn
from msgspec import Struct

from sessionizer.views.errors import AddressError, NoConversationsError, OpenAddressError
from sessionizer.views.library import Library
from sessionizer.views.native import NativeWords
from sessionizer.views.page.application import build_application
from sessionizer.views.page.guard import TOKEN_QUERY, bracketed, is_loopback, open_door

DEFAULT_HOST: Final = "127.0.0.1"
DEFAULT_PORT: Final = 8787
HIGHEST_PORT: Final = 65_535
# Connections that are still open get this long when the page ends.
GRACE_SECONDS: Final = 2
_BACKLOG: Final = 128
_WILDCARDS: Final = ("", "0.0.0.0", "::")  # noqa: S104 - compared, not bound


class Served(Struct, frozen=True, kw_only=True):
    """What is being served, and where.

    Attributes:
        conversations: Number of conversations at the start.
        url: What a reader opens; with the token, where there is one.
        is_open: Whether other machines can reach it.
    """

    root: Path
    conversations: int
    url: str
    is_open: bool


def serve(
    root: Path,
    *,
    host: str = DEFAULT_HOST,
    port: int = DEFAULT_PORT,
    announce: Callable[[Served], None],
    ready: Callable[[], None] | None = None,
    stop: threading.Event | None = None,
    token: str = "",
    words: NativeWords | None = None,
    note: str = "",
    allow_empty: bool = False,
) -> None:
    """Serve the page over the storage root and return when it was ended.

    It ends on SIGINT or SIGTERM, when it runs in the main thread, and when `stop` is set.

    Args:
        root: The storage root; only read.
        host: A name or an address to bind; IPv6 with or without brackets.
        port: 0 takes a free one.
        announce: Told where the page is, once the address is taken and before it answers.
        ready: Called once it answers.
        stop: Ends the page from another thread.
        token: What a reader must show. Needed when `host` is not a loopback address.
        words: What is known of the agent's own words.
        note: One line about all that is served, shown above the list of conversations.
        allow_empty: Serve although there is no conversation yet.

    Raises:
        NoConversationsError: There is no conversation.
        OpenAddressError: Other machines could read everything without a token.
        AddressError: The address is in use, or not one of this machine.
    """
    library = Library(root, words=words, note=note)
    conversations = len(library.ids())
    if not conversations and not allow_empty:
        raise NoConversationsError(root)
    is_open = not is_loopback(host)
    if is_open and not token:
        raise OpenAddressError(host)
    listener = _bind(host, port)
    with contextlib.closing(listener):
        query = f"/?{TOKEN_QUERY}={token}" if token else ""
        # Nobody can open a wildcard address; the machine's name works there and elsewhere.
        name = socket.gethostname() if host.strip("[]") in _WILDCARDS else bracketed(host)
        url = f"http://{name}:{listener.getsockname()[1]}{query}"
        announce(Served(root=root, conversations=conversations, url=url, is_open=is_open))
        _run(library, listener, host=host, token=token, ready=ready, stop=stop)


class _Server(uvicorn.Server):
    """Ends on a signal without raising it again: ending is what the reader asked for."""

    def __init__(self, config: uvicorn.Config, ready: Callable[[], None] | None) -> None:
        super().__init__(config)
        self._ready = ready

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        if self._ready is not None and self.started:
            self._ready()

    def handle_exit(self, sig: int, frame: Any) -> None:  # noqa: ARG002 - the signature is given
        self.force_exit = self.should_exit
        self.should_exit = True


def _run(
    library: Library,
    listener: socket.socket,
    *,
    host: str,
    token: str,
    ready: Callable[[], None] | None,
    stop: threading.Event | None,
) -> None:
    server: _Server | None = None

    def is_stopping() -> bool:
        return server is not None and server.should_exit

    application = build_application(library, open_door(host, token=token), stopping=is_stopping)
    config = uvicorn.Config(
        application,
        access_log=False,
        log_config=None,
        log_level="critical",  # what is wrong is said in answers; stderr is for the person
        lifespan="off",
        server_header=False,
        timeout_graceful_shutdown=GRACE_SECONDS,
        ws="none",
    )
    server = _Server(config, ready)
    if stop is not None:
        threading.Thread(target=_stop_on, args=(server, stop), daemon=True).start()
    server.run(sockets=[listener])


def _stop_on(server: uvicorn.Server, stop: threading.Event) -> None:
    stop.wait()
    server.should_exit = True


def _bind(host: str, port: int) -> socket.socket:
    bare = host.strip("[]")
    address = f"{bracketed(bare)}:{port}"
    if not 0 <= port <= HIGHEST_PORT:  # the system would take it modulo 65536
        raise AddressError(address, f"{port} is not a port")
    try:
        family, kind, protocol, _, place = socket.getaddrinfo(
            bare, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE
        )[0]
        listener = socket.socket(family, kind, protocol)
    except (OSError, UnicodeError, OverflowError) as error:
        raise AddressError(address, _problem(error)) from error
    try:
        if os.name == "posix":  # elsewhere it would let two programs share the address
            listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listener.bind(place)
        listener.listen(_BACKLOG)
    except (OSError, OverflowError) as error:
        listener.close()
        raise AddressError(address, _problem(error)) from error
    return listener


def _problem(error: Exception) -> str:
    return getattr(error, "strerror", None) or str(error)
