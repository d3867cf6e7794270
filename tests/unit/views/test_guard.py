"""Who may read the page: names, methods, origins, tokens, headers."""

import asyncio
from typing import Any

import httpx
import pytest
from starlette.responses import PlainTextResponse
from starlette.types import Receive, Scope, Send

from sessionizer.views.page.guard import COOKIE, Door, Guard, host_part, is_loopback, open_door

TOKEN = "t0ken"


async def answer_secret(scope: Scope, receive: Receive, send: Send) -> None:
    """What the guard protects; it would write its own, wrong, cache header."""
    answer = PlainTextResponse("secret", headers={"Cache-Control": "public", "X-Frame": "1"})
    await answer(scope, receive, send)


def ask(
    door: Door, path: str = "/", *, method: str = "GET", server: str = "10.0.0.5", **headers: str
) -> httpx.Response:
    """The guard's answer; `_` in the name of a header stands for `-`."""

    async def guarded(scope: Scope, receive: Receive, send: Send) -> None:
        scope["server"] = (server, 8787)
        await Guard(answer_secret, door)(scope, receive, send)

    async def request() -> httpx.Response:
        transport = httpx.ASGITransport(guarded)
        async with httpx.AsyncClient(transport=transport, base_url="http://localhost") as client:
            named = {name.replace("_", "-"): value for name, value in headers.items()}
            return await client.request(method, path, headers=named)

    return asyncio.run(request())


@pytest.mark.parametrize(
    "host",
    [
        "localhost",
        "localhost:8787",
        "127.0.0.1:8787",
        "127.0.0.1",
        "[::1]:1",
        "LOCALHOST:9",
        "localhost.",
    ],
)
def test_a_loopback_page_answers_under_the_names_of_this_machine(host: str) -> None:
    """With any port or none: a reader may reach it through a tunnel."""
    assert ask(open_door("127.0.0.1"), host=host).text == "secret"


@pytest.mark.parametrize(
    "host",
    [
        "evil.example:8787",
        "evil.example",
        "127.0.0.1.evil.example",
        "localhost.evil.example",
        "127.0.0.1@evil.example",
        "localhost:evil",
        "[::1].evil.example",
        "10.0.0.5",
        "",
    ],
)
def test_a_foreign_name_is_refused(host: str) -> None:
    """V4: a page of another site may have bound its own name to this address."""
    answer = ask(open_door("127.0.0.1"), host=host)

    assert answer.status_code == 403
    assert "secret" not in answer.text
    assert list(answer.json()) == ["error"]


def test_an_open_page_answers_under_the_address_it_was_reached_at() -> None:
    """Bound to all addresses, it has as many names as the machine has addresses."""
    door = open_door("0.0.0.0")

    assert ask(door, host="10.0.0.5:8787", server="10.0.0.5").text == "secret"
    assert ask(door, host="10.0.0.6:8787", server="10.0.0.5").status_code == 403
    assert ask(door, host="[fe80::1]:8787", server="fe80::1").text == "secret"
    assert ask(door, host="localhost:8787").text == "secret"


@pytest.mark.parametrize("method", ["POST", "PUT", "DELETE", "PATCH", "OPTIONS", "TRACE", "BREW"])
def test_any_method_that_is_not_reading_is_refused(method: str) -> None:
    """V4: and the answer says which are allowed."""
    answer = ask(open_door("127.0.0.1"), "/anything", method=method)

    assert answer.status_code == 405
    assert answer.headers["allow"] == "GET, HEAD"


def test_head_is_reading() -> None:
    """Link checkers ask so."""
    assert ask(open_door("127.0.0.1"), method="HEAD").status_code == 200


@pytest.mark.parametrize(
    ("headers", "status"),
    [
        ({"sec_fetch_site": "cross-site", "sec_fetch_mode": "no-cors"}, 403),
        ({"sec_fetch_site": "cross-site"}, 403),
        ({"sec_fetch_site": "same-site", "sec_fetch_mode": "cors"}, 403),
        ({"sec_fetch_site": "cross-site", "sec_fetch_mode": "navigate"}, 200),
        ({"sec_fetch_site": "same-origin", "sec_fetch_mode": "cors"}, 200),
        ({"sec_fetch_site": "none", "sec_fetch_mode": "navigate"}, 200),
        ({"origin": "http://evil.example"}, 403),
        ({"origin": "null"}, 403),
        ({"origin": "http://[bad"}, 403),
        ({"origin": "file://localhost"}, 403),
        ({"origin": "http://localhost:8787"}, 200),
        ({"origin": "http://127.0.0.1:8787"}, 200),
    ],
)
def test_a_request_that_another_site_started_is_refused(
    headers: dict[str, str], status: int
) -> None:
    """A link from elsewhere may open the page; a script from elsewhere may not read it."""
    assert ask(open_door("127.0.0.1"), **headers).status_code == status


@pytest.mark.parametrize("host", ["localhost", "evil.example"])
def test_every_answer_carries_the_protective_headers(host: str) -> None:
    """Refusals too; and what the page itself would say is overruled."""
    headers = ask(open_door("127.0.0.1"), host=host).headers

    assert headers["x-content-type-options"] == "nosniff"
    assert headers["referrer-policy"] == "no-referrer"
    assert headers["cache-control"] == "no-store"
    assert "access-control-allow-origin" not in headers
    policy = headers["content-security-policy"].split("; ")
    assert policy == [
        "default-src 'none'",
        "script-src 'self'",
        "style-src 'self'",
        "img-src 'self' data:",
        "connect-src 'self'",
        "base-uri 'none'",
        "form-action 'none'",
        "frame-ancestors 'none'",
    ]


# ------------------------------------------------------------------ tokens


def test_without_the_token_nothing_is_shown() -> None:
    """Whoever reaches the port is not yet a reader."""
    door = open_door("10.0.0.5", token=TOKEN)

    for headers in ({}, {"authorization": "Bearer wrong"}, {"cookie": f"{COOKIE}=wrong"}):
        answer = ask(door, "/?token=wrong", **headers)
        assert (answer.status_code, "secret" in answer.text) == (401, False)


def test_a_token_in_the_address_becomes_a_cookie_and_leaves_the_address() -> None:
    """So that it stays out of histories, and the page's own requests carry it."""
    door = open_door("10.0.0.5", token=TOKEN)

    answer = ask(door, f"/c/x?talk=a%2Fb&token={TOKEN}")

    assert answer.status_code == 303
    assert answer.headers["location"] == "/c/x?talk=a%2Fb"
    cookie = answer.headers["set-cookie"]
    assert cookie.startswith(f"{COOKIE}={TOKEN};")
    assert "HttpOnly" in cookie
    assert "SameSite=strict" in cookie
    assert ask(door, "/c/x", cookie=f"other=1; {COOKIE}={TOKEN}").text == "secret"
    assert ask(door, "/c/x", authorization=f"Bearer {TOKEN}").text == "secret"


def test_the_redirect_stays_on_this_host() -> None:
    """`//host` would be an address of another machine."""
    answer = ask(open_door("10.0.0.5", token=TOKEN), f"//evil.example/?token={TOKEN}")

    assert not answer.headers["location"].startswith("//")


# ------------------------------------------------------------------ names


@pytest.mark.parametrize(
    ("host", "expected"),
    [
        ("127.0.0.1", True),
        ("127.9.9.9", True),
        ("::1", True),
        ("[::1]", True),
        ("localhost", True),
        ("0.0.0.0", False),
        ("", False),
        ("::", False),
        ("10.0.0.5", False),
        ("localhost.evil.example", False),
    ],
)
def test_only_loopback_is_loopback(host: str, expected: bool) -> None:
    """Everything else needs a token."""
    assert is_loopback(host) is expected


@pytest.mark.parametrize(
    ("authority", "host"),
    [
        ("A.b:80", "a.b"),
        ("[::1]:80", "[::1]"),
        ("[::1]", "[::1]"),
        ("[::1", "[::1]"),
        ("a:b", ""),
        ("a:1:2", ""),
        ("", ""),
    ],
)
def test_the_host_part_is_cut_out_strictly(authority: str, host: str) -> None:
    """What does not parse is no name at all."""
    assert host_part(authority) == host


def test_scopes_other_than_http_pass() -> None:
    """The server's own start-up messages are no requests."""
    seen: list[Any] = []

    async def remember(scope: Scope, _receive: Receive, _send: Send) -> None:
        seen.append(scope["type"])

    async def nothing(*_: Any) -> Any:
        return None

    asyncio.run(Guard(remember, open_door("127.0.0.1"))({"type": "lifespan"}, nothing, nothing))

    assert seen == ["lifespan"]
