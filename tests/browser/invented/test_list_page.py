"""The list page: what it says, how it filters and sorts, what it says when it cannot."""

import re

import pytest
from playwright.sync_api import expect

from tests.browser.invented.conftest import OpenPage
from tests.browser.invented.page_server import PageServer
from tests.browser.invented.writer import HOSTILE, SESSION

pytestmark = pytest.mark.browser


def test_the_newest_conversation_stands_first_and_unknown_times_last(open_page: OpenPage) -> None:
    """A missing time is in words, and never sorts as 1970 among the known ones."""
    page = open_page("/")
    rows = page.locator("tbody tr:not(.spacer)")
    expect(rows.first).to_contain_text("Turn upright photos the right way round")
    expect(rows.last).to_contain_text("time unknown")
    expect(page.locator("body")).not_to_contain_text("1970")


def test_markup_in_a_title_shows_as_characters(open_page: OpenPage) -> None:
    """A title comes from a transcript: it is text, whatever it spells."""
    page = open_page("/")
    expect(page.get_by_role("link", name=f"A title with {HOSTILE}")).to_be_visible()
    assert page.locator("tbody img").count() == 0
    assert page.title() == "Conversations · sessionizer"


def test_a_note_about_everything_stands_in_the_head(open_page: OpenPage, site: PageServer) -> None:
    """Invented conversations must not be taken for somebody's own."""
    site.answers["/api/about"] = {"note": f"Sample data: invented {HOSTILE}"}
    page = open_page("/")
    expect(page.locator("header p")).to_have_text(f"read only·Sample data: invented {HOSTILE}")
    site.answers["/api/about"] = {"note": ""}
    page.reload()
    expect(page.get_by_text("Turn upright photos").first).to_be_visible()
    expect(page.locator("header p")).to_have_text("read only")


def test_the_filter_narrows_the_list_and_stays_in_the_address(open_page: OpenPage) -> None:
    """Who sends the address shows the same rows."""
    page = open_page("/")
    page.keyboard.press("/")
    page.keyboard.type("SUNDAYS")
    expect(page.locator("a.row-link")).to_have_count(1)
    expect(page).to_have_url(re.compile(r"\?q=SUNDAYS$"))
    page.reload()
    expect(page.locator("a.row-link")).to_have_count(1)


def test_nothing_matches_is_said_with_the_way_back(open_page: OpenPage) -> None:
    """An empty list for a filter is not an empty archive."""
    page = open_page("/?q=no+such+title")
    expect(page.get_by_role("heading", name="Nothing matches")).to_be_visible()
    page.get_by_role("button", name="Clear the filter").click()
    expect(page.locator("a.row-link").first).to_be_visible()


def test_a_column_head_sorts_and_says_how(open_page: OpenPage) -> None:
    """The largest conversation comes first on the first click."""
    page = open_page("/")
    page.get_by_role("button", name="Steps").click()
    expect(page.get_by_role("columnheader", name="Steps")).to_have_attribute(
        "aria-sort", "descending"
    )
    expect(page.locator("a.row-link").first).to_contain_text("Find the memory growth")


def test_a_broken_chain_stays_in_the_list_with_its_message(open_page: OpenPage) -> None:
    """It is not hidden, and no numbers are claimed for it."""
    page = open_page("/")
    row = page.locator("tr.broken")
    expect(row).to_contain_text("digest differs")
    expect(row).to_contain_text("mismatch")
    expect(row.locator("[data-word=steps]")).to_have_text("")


def test_an_empty_archive_says_what_to_run(open_page: OpenPage, site: PageServer) -> None:
    """The page is the first thing a newcomer sees."""
    site.answers["/api/conversations"] = []
    page = open_page("/")
    expect(page.get_by_role("heading", name="No conversations yet")).to_be_visible()
    expect(page.locator("main")).to_contain_text("asz collect")


def test_a_failed_request_shows_its_message_and_can_be_tried_again(
    open_page: OpenPage, site: PageServer
) -> None:
    """The server's own words reach the reader."""
    site.failing["/api/conversations"] = "the storage root is gone"
    page = open_page("/", allow="500")
    expect(page.get_by_role("alert")).to_contain_text("the storage root is gone")
    del site.failing["/api/conversations"]
    page.get_by_role("button", name="Try again").click()
    expect(page.locator("a.row-link").first).to_be_visible()


def test_the_keyboard_alone_opens_a_conversation(open_page: OpenPage) -> None:
    """`j` goes to the first row, Enter follows it."""
    page = open_page("/")
    expect(page.locator("a.row-link").first).to_be_visible()
    page.keyboard.press("j")
    page.keyboard.press("Enter")
    expect(page).to_have_url(re.compile(f"/c/{SESSION}"))


@pytest.mark.parametrize("width", [1440, 1024, 768, 390, 320])
def test_the_page_never_scrolls_sideways(open_page: OpenPage, width: int) -> None:
    """Only boxes of code may."""
    page = open_page("/", width=width)
    expect(page.locator("a.row-link").first).to_be_visible()
    assert page.evaluate("document.documentElement.scrollWidth") == width


def test_a_thousand_conversations_are_few_elements(open_page: OpenPage, site: PageServer) -> None:
    """Only rows near the visible part are in the document; the whole list can be reached."""
    row = next(one for one in site.answers["/api/conversations"] if one["id"] == SESSION)
    site.answers["/api/conversations"] = [
        row | {"id": f"id-{number:04}", "title": f"Number {number}", "to": row["to"] - number}
        for number in range(1000)
    ]
    page = open_page("/")
    expect(page.get_by_text("Number 0", exact=True)).to_be_visible()
    assert page.evaluate("document.querySelectorAll('*').length") < 3000
    page.evaluate("document.querySelector('.list-scroll').scrollTop = 1e9")
    expect(page.get_by_text("Number 999", exact=True)).to_be_visible()
