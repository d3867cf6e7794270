"""Who may read the page: checks before every request, headers on every answer.

The page shows private transcripts on a local port, and a browser lets any web page send
requests there. So the name in `Host` must be ours (a foreign name could be bound to this
address), and a request that another site started is refused unless it opens the page itself.
"""

import hmac
import secrets
import socket
from collections.abc import Iterable, Mapping
from ipaddress import ip_address
from typing import Final
from urllib.parse import parse_qsl, urlencode, urlsplit

from msgspec import Struct
from starlette.datastructures import Headers, MutableHeaders
from starlette.responses import Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from sessionizer.views.page.answers import error_answer

METHODS: Final = ("GET", "HEAD")
LOCAL_NAMES: Final = frozenset({"localhost", "127.0.0.1", "[::1]"})
COOKIE: Final = "asz_token"
TOKEN_QUERY: Final = "token"
HEADERS: Final = (
    ("X-Content-Type-Options", "nosniff"),
    ("Referrer-Policy", "no-referrer"),
    ("Cache-Control", "no-store"),
    ("Cross-Origin-Resource-Policy", "same-origin"),
    (
        "Content-Security-Policy",
        "default-src 'none'; script-src 'self'; style-src 'self'; "
        "img-src 'self' data:; connect-src 'self'; base-uri 'none'; form-action 'none'; "
        "frame-ancestors 'none'",
    ),
)


class Door(Struct, frozen=True):
    """Under which names the page answers, and what opens it.

    Attributes:
        names: Accepted host parts of `Host`, in lower case, IPv6 addresses in brackets.
        any_own_address: Whether the address a request came in at is accepted, too.
        token: What a reader must show; empty on a loopback address.
    """

    names: frozenset[str]
    any_own_address: bool = False
    token: str = ""


def open_door(host: str, *, token: str = "") -> Door:
    """The door of a page that is bound to `host`."""
    if is_loopback(host):
        return Door(LOCAL_NAMES | {bracketed(host).lower()}, token=token)
    own = socket.gethostname().lower()
    names = LOCAL_NAMES | {bracketed(host).lower(), own, f"{own}.local"}
    return Door(names, any_own_address=True, token=token)


def new_token() -> str:
    """A token that nobody guesses."""
    return secrets.token_urlsafe(24)


def is_loopback(host: str) -> bool:
    """Whether only this machine reaches `host`."""
    if host.lower() == "localhost":
        return True
    try:
        return ip_address(host.strip("[]")).is_loopback
    except ValueError:
        return False


def bracketed(host: str) -> str:
    """`host` as it stands in an address: IPv6 in brackets."""
    return f"[{host}]" if ":" in host and not host.startswith("[") else host


def host_part(authority: str) -> str:
    """The host of `host:port`, in lower case, without a final dot; IPv6 keeps its brackets."""
    if authority.startswith("["):
        host = authority.partition("]")[0] + "]"
        rest = authority[len(host) :]
    else:
        host, colon, port = authority.partition(":")
        rest = colon + port
    if rest and not (rest.startswith(":") and (rest[1:].isdigit() or not rest[1:])):
        return ""
    return host.lower().removesuffix(".")


class Guard:
    """Wraps the page: nothing reaches it that `door` does not let in."""

    def __init__(self, app: ASGIApp, door: Door) -> None:
        self._app = app
        self._door = door

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer, or refuse."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return

        async def send_guarded(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                for name, value in HEADERS:
                    headers[name] = value
            await send(message)

        refused = self._refusal(scope)
        await (refused or self._app)(scope, receive, send_guarded)

    def _refusal(self, scope: Scope) -> Response | None:
        headers = Headers(scope=scope)
        hosts = headers.getlist("host")
        if len(hosts) != 1 or not self._is_our_name(host_part(hosts[0]), scope):
            return error_answer(403, "this page does not answer under that name")
        if scope["method"] not in METHODS:
            answer = error_answer(405, f"only {' and '.join(METHODS)}: the page is read-only")
            answer.headers["Allow"] = ", ".join(METHODS)
            return answer
        if not self._is_same_origin(headers, scope):
            return error_answer(403, "another site may not read this page")
        return self._ask_token(headers, scope) if self._door.token else None

    def _is_our_name(self, host: str, scope: Scope) -> bool:
        if host in self._door.names:
            return True
        server = scope.get("server")
        return bool(self._door.any_own_address and server and host == bracketed(server[0]).lower())

    def _is_same_origin(self, headers: Mapping[str, str], scope: Scope) -> bool:
        navigates = headers.get("sec-fetch-mode") == "navigate"
        if headers.get("sec-fetch-site") in ("cross-site", "same-site") and not navigates:
            return False
        origin = headers.get("origin")
        if origin is None:
            return True
        try:
            parts = urlsplit(origin)
        except ValueError:
            return False
        return parts.scheme in ("http", "https") and self._is_our_name(
            host_part(parts.netloc), scope
        )

    def _ask_token(self, headers: Headers, scope: Scope) -> Response | None:
        shown = [headers.get("authorization", "").removeprefix("Bearer ")]
        shown += _cookies(headers.getlist("cookie"), COOKIE)
        if any(self._opens(one) for one in shown):
            return None
        query = parse_qsl(scope["query_string"].decode("latin-1"), keep_blank_values=True)
        if not any(self._opens(value) for key, value in query if key == TOKEN_QUERY):
            return error_answer(401, "open the whole address that asz printed, token included")
        # The token leaves the address, so that it stays out of histories and screenshots.
        rest = urlencode([(key, value) for key, value in query if key != TOKEN_QUERY])
        answer = Response(status_code=303)
        answer.headers["Location"] = _own_path(scope) + (f"?{rest}" if rest else "")
        answer.set_cookie(COOKIE, self._door.token, httponly=True, samesite="strict")
        return answer

    def _opens(self, shown: str) -> bool:
        return hmac.compare_digest(shown.encode(), self._door.token.encode())


def _own_path(scope: Scope) -> str:
    """The path of the request, which can not be taken for another host's address."""
    raw: bytes = scope.get("raw_path") or scope["path"].encode("ascii", "ignore")
    return "/" + raw.decode("latin-1").partition("?")[0].lstrip("/\\")


def _cookies(headers: Iterable[str], name: str) -> list[str]:
    pairs = (pair.strip().partition("=") for header in headers for pair in header.split(";"))
    return [value for key, _, value in pairs if key == name]
