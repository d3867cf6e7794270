"""The main journey: open the list, a conversation, a talk, a tool, a child."""

import re

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import Visit

pytestmark = pytest.mark.browser


def test_a_newcomer_reads_the_sample(visit: Visit) -> None:
    """List, conversation, talk, a tool's output; no console error, nothing off the machine."""
    page = visit.page
    page.goto(f"{visit.address}/")
    expect(page.get_by_role("link", name="Tide tables: one lag, applied once")).to_be_visible()
    expect(page.get_by_role("link", name="Count gulls that were only heard")).to_be_visible()
    expect(page.get_by_text("sample data, invented")).to_be_visible()

    page.get_by_role("link", name="Tide tables: one lag, applied once").click()
    expect(page).to_have_url(re.compile(r"/c/5f0c8a52-7d1e-4b39-9c64-2a8e31d0b7f4"))
    transcript = page.get_by_role("main")
    expect(transcript.get_by_text("Since the weekend the table for Kelmouth")).to_be_visible()
    expect(transcript.get_by_text("The longitude is applied twice")).to_be_visible()

    strip = transcript.get_by_role("button", name=re.compile("5 tools")).first
    expect(strip).to_have_attribute("aria-expanded", "false")
    strip.click()
    expect(strip).to_have_attribute("aria-expanded", "true")
    expect(transcript.get_by_text("local_phase", exact=False).first).to_be_visible()
    expect(transcript.get_by_text("Bash").first).to_be_visible()


def test_markup_in_a_transcript_is_text(visit: Visit) -> None:
    """Text from a transcript is never HTML: no element of it exists, no script of it runs."""
    page = visit.page
    fired = []
    page.on("dialog", lambda dialog: (fired.append(dialog.message), dialog.dismiss()))
    page.goto(f"{visit.address}/c/5f0c8a52-7d1e-4b39-9c64-2a8e31d0b7f4")
    expect(page.get_by_role("main").get_by_text("Person").first).to_be_visible()

    assert page.locator("main script, main iframe, main form, main base").count() == 0
    assert fired == []


def test_the_old_session_shows_its_child(visit: Visit) -> None:
    """A sidechain inside the main file is a stream of its own, under the call that started it."""
    page = visit.page
    page.goto(f"{visit.address}/c/0b6d2f17-48ce-4a05-b7f3-91c6e5a8d204")
    page.get_by_role("tab", name=re.compile("Streams")).click()

    expect(page.get_by_role("treeitem")).to_have_count(2)


@pytest.mark.parametrize("width", [1440, 768, 390, 320])
def test_the_page_never_scrolls_sideways(visit: Visit, width: int) -> None:
    """At every width only code boxes scroll, not the page."""
    page = visit.page
    page.set_viewport_size({"width": width, "height": 800})
    for path in ("/", "/c/5f0c8a52-7d1e-4b39-9c64-2a8e31d0b7f4"):
        page.goto(f"{visit.address}{path}")
        expect(page.get_by_text("Tide tables").first).to_be_visible()
        assert page.evaluate("document.documentElement.scrollWidth") <= width
