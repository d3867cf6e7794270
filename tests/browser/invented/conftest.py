"""The page over invented answers, with the strict policy of the product."""

from collections.abc import Callable, Iterator

import pytest
from playwright.sync_api import Browser, Page

from tests.browser.invented.answers import answers
from tests.browser.invented.page_server import PageServer
from tests.browser.invented.writer import BROKEN

OpenPage = Callable[..., Page]
BROKEN_MESSAGE = "round 2: main-000002.sf was changed after it was written (digest differs)"


@pytest.fixture
def site() -> Iterator[PageServer]:
    server = PageServer(answers())
    server.failing[f"/api/c/{BROKEN}"] = BROKEN_MESSAGE
    yield server
    server.close()


# Keys are listened to once the first paint is done; a test types faster than any person.
_AFTER_FIRST_PAINT = """() => new Promise((done) =>
  requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(done))))"""


@pytest.fixture
def open_page(browser: Browser, site: PageServer) -> Iterator[OpenPage]:
    """Opens paths of the site; fails on any console message or request that leaves the site.

    `allow` names what a test provokes on purpose.
    """
    contexts = []
    problems: list[str] = []
    allowed: list[str] = []

    def open_path(
        path: str, *, width: int = 1440, height: int = 900, theme: str = "dark", allow: str = ""
    ) -> Page:
        context = browser.new_context(
            viewport={"width": width, "height": height},
            color_scheme="light" if theme == "light" else "dark",
            timezone_id="UTC",
        )
        contexts.append(context)
        allowed.extend([allow] if allow else [])
        page = context.new_page()
        page.on("pageerror", lambda error: problems.append(str(error)))
        page.on("console", lambda message: problems.append(message.text))
        page.on("request", lambda request: _note_foreign(request.url))
        page.goto(f"{site.url}{path}")
        page.evaluate(_AFTER_FIRST_PAINT)
        return page

    def _note_foreign(url: str) -> None:
        if not url.startswith((site.url, "data:")):
            problems.append(f"left the site: {url}")

    yield open_path
    for context in contexts:
        context.close()
    assert [line for line in problems if not any(word in line for word in allowed)] == []
