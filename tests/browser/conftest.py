"""A real Chromium over a real server, for the journeys through the page.

Without a browser the tests are skipped in one clear line; with SESSIONIZER_REQUIRE_BROWSER in
the environment they fail instead, so that CI cannot pass without them.
"""

import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, Playwright, sync_playwright

_NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
# Without these Chromium asks hosts of its own at every start.
_ARGUMENTS = (
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
)
_HOW = (
    "no Chromium found; install one (Debian: apt-get install chromium, anywhere: "
    "playwright install chromium) or name it in $CHROMIUM"
)


def find_chromium(playwright: Playwright) -> str | None:
    """`$CHROMIUM`, one on the PATH, or Playwright's own."""
    named = os.environ.get("CHROMIUM")
    found = named or next(filter(None, map(shutil.which, _NAMES)), None)
    bundled = playwright.chromium.executable_path
    return found or (bundled if Path(bundled).exists() else None)


# Per module: while Playwright runs, no other test of this process can start an event loop.
@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with sync_playwright() as playwright:
        executable = find_chromium(playwright)
        if executable is None:
            if os.environ.get("SESSIONIZER_REQUIRE_BROWSER"):
                pytest.fail(_HOW)
            pytest.skip(_HOW)
        running = playwright.chromium.launch(executable_path=executable, args=list(_ARGUMENTS))
        yield running
        running.close()


@pytest.fixture(scope="session")
def served_sample(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The address of `asz up --sample`, as a user starts it."""
    script = Path(sys.executable).with_name("asz")
    process = subprocess.Popen(
        [script, "up", "--sample", "--port", "0"],
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        cwd=tmp_path_factory.mktemp("empty"),
    )
    try:
        yield read_address(process)
    finally:
        process.terminate()
        process.communicate(timeout=20)


def read_address(process: "subprocess.Popen[str]") -> str:
    """The first address the program prints; fails with all it printed otherwise."""
    printed = []
    assert process.stdout is not None
    for line in process.stdout:
        printed.append(line)
        if match := re.search(r"http://\S+", line):
            return match.group().rstrip("/")
    pytest.fail("asz up ended without an address:\n" + "".join(printed))


class Visit:
    """A page and everything that went wrong on it."""

    def __init__(self, page: Page, address: str) -> None:
        self.page = page
        self.address = address
        self.problems: list[str] = []
        page.on("console", self._on_console)
        page.on("pageerror", lambda error: self.problems.append(f"error: {error}"))
        page.on("request", self._on_request)

    def _on_console(self, message: object) -> None:
        kind, text = message.type, message.text  # type: ignore[attr-defined]
        if kind in ("error", "warning"):
            self.problems.append(f"{kind}: {text}")

    def _on_request(self, request: object) -> None:
        url = request.url  # type: ignore[attr-defined]
        if not url.startswith((self.address, "data:")):
            self.problems.append(f"a request left the server: {url}")


@pytest.fixture
def visit(browser: Browser, served_sample: str) -> Iterator[Visit]:
    """A fresh page on the sample. Fails when anything was logged or left the machine."""
    context = browser.new_context(viewport={"width": 1440, "height": 900}, timezone_id="UTC")
    visited = Visit(context.new_page(), served_sample)
    yield visited
    context.close()
    assert visited.problems == []
