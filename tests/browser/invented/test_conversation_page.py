"""The conversation page: talks, steps, children, evidence, and what is not known."""

import re

import pytest
from playwright.sync_api import Page, expect

from tests.browser.invented.conftest import BROKEN_MESSAGE, OpenPage
from tests.browser.invented.page_server import PageServer
from tests.browser.invented.writer import BROKEN, CHILD, EMPTY, HOSTILE, SESSION

pytestmark = pytest.mark.browser

AT = f"/c/{SESSION}"
SECOND = f"{AT}?talk=talk/main/p2"


def card(page: Page, text: str) -> object:
    """The card whose head holds `text`."""
    return page.locator("section.card").filter(has=page.locator("header", has_text=text)).first


def test_a_talk_opens_and_closes_between_its_input_and_its_reply(open_page: OpenPage) -> None:
    """Closed, a talk is what was typed, what came of it in numbers, and the reply."""
    page = open_page(AT)
    expect(page.get_by_text("Photos that were taken upright")).to_have_count(2)
    expect(page.get_by_text("The flag is read and the photo is turned")).to_be_visible()
    strip = page.get_by_role("button", name=re.compile("2 tools"))
    expect(strip).to_have_attribute("aria-expanded", "false")
    strip.click()
    expect(strip).to_have_attribute("aria-expanded", "true")
    expect(page.locator("main").get_by_text("orientation?: number;")).to_be_visible()
    strip.click()
    expect(page.locator("main").get_by_text("orientation?: number;")).to_have_count(0)


def test_the_address_restores_talk_step_and_depth(open_page: OpenPage) -> None:
    """A link of a step shows that step selected, in its open talk."""
    page = open_page(f"{SECOND}&step=tool/toolu_edit&depth=everything")
    expect(page.locator(".card.selected header")).to_contain_text("Edit")
    expect(page.get_by_role("radio", name="Everything")).to_have_attribute("aria-checked", "true")
    expect(page.locator("aside")).to_contain_text("tool/toolu_edit")


def test_depth_decides_what_shows_and_says_what_it_hides(open_page: OpenPage) -> None:
    """Nothing is left out without a number."""
    page = open_page(f"{AT}?talk=talk/main/p1")
    page.get_by_role("button", name=re.compile("2 tools")).click()
    expect(page.get_by_text(re.compile("2 steps of smaller kinds are not shown"))).to_be_visible()
    page.keyboard.press("d")
    expect(page.get_by_text("Model call")).to_be_visible()
    expect(page.get_by_text("measured by the runtime")).to_be_visible()
    page.keyboard.press("d")
    expect(page.locator(".reply-box")).to_have_count(0)
    expect(page.locator(".strip")).to_have_count(0)


def test_a_failed_command_shows_its_colours_code_and_true_size(open_page: OpenPage) -> None:
    """What is clipped says how much there is; the whole comes on demand, colours included."""
    page = open_page(f"{SECOND}&step=tool/toolu_test")
    bash = card(page, "npm test -- orient")
    expect(bash).to_contain_text("failed, exit 1")
    expect(bash.locator(".ground-red")).to_have_text(" FAIL ")
    expect(bash).not_to_contain_text("\u001b")
    foot = bash.locator(".clip-foot")
    expect(foot).to_contain_text(re.compile(r"first 12 lines, 0\.\d of 129 KB"))
    bash.get_by_role("button", name="Last lines").click()
    expect(bash).to_contain_text("1 failed, 3 passed")
    bash.get_by_role("button", name="Show all").click()
    expect(bash).to_contain_text("rendering tile 300 of 2400")
    expect(foot).to_contain_text("400 of 2,409 lines")


def test_a_huge_result_opens_in_pages(open_page: OpenPage) -> None:
    """More than a megabyte is never put into the transcript at once."""
    page = open_page(f"{AT}?talk=talk/main/p3&step=tool/toolu_big")
    card(page, "cat build.log").get_by_role("button", name="Show all").click()
    expect(page.get_by_role("tab", name="Result")).to_have_attribute("aria-selected", "true")
    expect(page.locator("aside")).to_contain_text(re.compile(r"page 1 of \d+"))
    page.get_by_role("button", name="Next").click()
    expect(page.locator("aside")).to_contain_text(re.compile(r"page 2 of \d+"))


def test_an_edit_shows_the_patch_that_the_runtime_reported(open_page: OpenPage) -> None:
    """Line numbers are the file's; the request alone would not know them."""
    page = open_page(f"{SECOND}&step=tool/toolu_edit")
    edit = card(page, "orient.ts")
    expect(edit.locator("header")).to_contain_text("+4 −2")
    expect(edit.locator(".diff .add")).to_have_count(4)
    expect(edit.locator(".diff .del")).to_have_count(2)
    expect(edit.locator(".diff .add i").nth(1)).to_have_text("38")


def test_an_edit_without_a_patch_says_that_it_is_the_request(
    open_page: OpenPage, site: PageServer
) -> None:
    """Old builds report no patch: the two texts of the request are compared, and that is said."""
    talk = site.answers[f"/api/c/{SESSION}/talk/talk/main/p2"]
    steps = talk["children"][0]["children"]
    next(step for step in steps if step["id"] == "tool/toolu_edit").pop("structured")
    page = open_page(f"{SECOND}&step=tool/toolu_edit")
    edit = card(page, "orient.ts")
    expect(edit).to_contain_text("As the request asked for it")
    expect(edit.locator(".diff .add code")).to_have_text("return upright;")


def test_a_question_shows_all_choices_and_the_chosen_one(open_page: OpenPage) -> None:
    """The answer is the person's decision: it shows with the messages already."""
    page = open_page(f"{SECOND}&step=tool/toolu_ask&depth=messages")
    question = card(page, "Question")
    expect(question.locator("li")).to_have_count(3)
    expect(question.locator("li.chosen")).to_contain_text("When they are opened")
    expect(question.locator("li.chosen")).to_contain_text("chosen")


def test_a_child_opens_inside_its_card_and_is_never_merged(open_page: OpenPage) -> None:
    """Its steps stand in the card of the call; below two levels only its stream opens."""
    page = open_page(f"{SECOND}&step=tool/toolu_agent")
    agent = card(page, "Trace every layout path")
    agent.get_by_role("button", name="Open here").first.click()
    nested = agent.locator(".nested").first
    expect(nested).to_contain_text("Delegated input")
    expect(nested).to_contain_text("Two places:")
    nested.get_by_role("button", name=re.compile("show 5 steps")).click()
    inner = nested.locator("section.card", has_text="Count the callers").first
    inner.get_by_role("button", name="Open here").click()
    expect(inner.locator(".nested")).to_contain_text("Three callers.")


def test_a_child_stream_says_whose_it_is_and_leads_back(open_page: OpenPage) -> None:
    """The banner names the opener and how well that is known."""
    page = open_page(f"{AT}?stream={CHILD}")
    banner = page.locator(".stream-banner")
    expect(banner).to_contain_text("Trace every layout path")
    expect(banner).to_contain_text("exact_unique")
    banner.get_by_role("button", name="Back to the step").click()
    expect(page.locator(".card.selected header")).to_contain_text("Trace every layout path")
    expect(page).to_have_url(re.compile("step=tool/toolu_agent"))


def test_streams_stand_under_their_opener_and_strays_in_a_group(open_page: OpenPage) -> None:
    """A stream that nothing opened is not given a parent."""
    page = open_page(AT)
    page.get_by_role("tab", name=re.compile("Streams")).click()
    tree = page.get_by_role("tree", name="Streams")
    expect(tree.get_by_role("treeitem", name=re.compile("Count the callers"))).to_have_attribute(
        "aria-level", "3"
    )
    expect(tree).to_contain_text("No known opener")
    expect(tree.get_by_role("treeitem", name=re.compile("child e5591c"))).to_contain_text(
        "time unknown"
    )


def test_every_link_shows_its_quality_and_leads_to_its_other_end(open_page: OpenPage) -> None:
    """From a relation to the record that proves it."""
    page = open_page(f"{SECOND}&step=tool/toolu_flow")
    page.get_by_role("tab", name=re.compile("Links")).click()
    links = page.locator(".links")
    expect(links).to_contain_text("strong_inference")
    expect(links).to_contain_text("run journal")
    expect(links).to_contain_text("exact_ambiguous")
    links.get_by_role("button", name=re.compile("refuted")).click()
    expect(page.locator(".stream-banner")).to_contain_text("named by the run's journal")


def test_evidence_names_file_position_digest_and_a_command(open_page: OpenPage) -> None:
    """A reader can check a step without this page."""
    page = open_page(f"{SECOND}&step=tool/toolu_edit")
    page.get_by_role("tab", name=re.compile("Evidence")).click()
    evidence = page.locator("aside")
    expect(evidence).to_contain_text("-000001.sd")
    expect(evidence).to_contain_text(re.compile(r"seq 1, row \d+, block 0"))
    expect(evidence).to_contain_text(re.compile(rf"asz show {SESSION} main-1-\d+"))
    expect(evidence).to_contain_text(re.compile(rf"csift show @{SESSION} --line \d+ --raw"))


def test_raw_explains_its_keys(open_page: OpenPage) -> None:
    """Each key with an entry in the glossary has a question mark that opens it."""
    page = open_page(f"{SECOND}&step=tool/toolu_edit")
    page.get_by_role("tab", name="Raw").click()
    page.get_by_role("button", name="What is sha?").click()
    expect(page.locator(".json")).to_contain_text("digest of the source line")


def test_what_is_missing_is_a_row_with_its_reason(open_page: OpenPage) -> None:
    """Withheld thinking, a call without a result, an open reference: none is just absent."""
    page = open_page(f"{SECOND}&step=tool/toolu_lost")
    expect(card(page, "Measure the nightly job")).to_contain_text("No result landed for this call.")
    page.get_by_role("button", name=re.compile("Incomplete")).click()
    problems = page.get_by_role("region", name="Completeness")
    expect(problems).to_contain_text(re.compile(r"1 of \d+"))
    problems.get_by_role("button", name="toolu_lost").click()
    expect(page.locator("aside")).to_contain_text("tool/toolu_lost")


def test_an_open_reference_stands_in_the_transcript(open_page: OpenPage) -> None:
    """It is dotted, says what is named and why it is not found, and leads there if it can."""
    page = open_page(f"{AT}?talk=talk/main/p4")
    page.locator(".scroll").evaluate("pane => { pane.scrollTop = 1e9; }")
    box = page.locator(".unresolved-box", has_text="result of toolu_lost")
    expect(box).to_contain_text("no result landed for this tool use")
    box.get_by_role("button", name="Show it").click()
    expect(page.locator(".card.selected header")).to_contain_text("Measure the nightly job")


def test_hostile_text_is_shown_and_does_nothing(open_page: OpenPage) -> None:
    """Tool names, inputs, results, prompts and replies are text; invisible characters show."""
    page = open_page(f"{SECOND}&step=tool/toolu_mcp")
    expect(page.locator(".card.selected")).to_contain_text(HOSTILE)
    page.get_by_role("tab", name="Raw").click()
    expect(page.locator(".json")).to_contain_text("onerror")
    page.goto(f"{page.url.split('/c/')[0]}{AT}?talk=talk/main/p3")
    reply = page.locator(".reply-box", has_text="a name that turns")
    expect(reply).to_contain_text("⟦RLO⟧")
    expect(reply).to_contain_text("⟦ZWSP⟧")
    expect(reply).to_contain_text("[a link](javascript:alert(1))")
    assert reply.locator("a, img, script").count() == 0
    assert "broken" not in page.title()


def test_a_picture_shows_only_from_the_data_that_is_here(open_page: OpenPage) -> None:
    """Its address is a data address of one of four types."""
    page = open_page(f"{SECOND}&step=tool/toolu_shot")
    picture = card(page, "album.png").locator("img")
    expect(picture).to_have_attribute("src", re.compile("^data:image/png;base64,"))


def test_j_and_k_step_and_escape_lets_go(open_page: OpenPage) -> None:
    """The row has the focus, the inspector shows the step, the address holds it."""
    page = open_page(AT)
    expect(page.locator(".person-box").first).to_be_visible()
    page.keyboard.press("j")
    expect(page.locator("aside")).to_contain_text("message/p1")
    page.keyboard.press("j")
    expect(page.locator("[data-key='strip:talk/main/p1']")).to_be_focused()
    page.keyboard.press("Enter")
    page.keyboard.press("j")
    expect(page.locator("aside")).to_contain_text("inject/1")
    expect(page).to_have_url(re.compile("step=inject/1"))
    page.keyboard.press("k")
    page.keyboard.press("k")
    expect(page.locator("aside")).to_contain_text("message/p1")
    page.keyboard.press("Escape")
    expect(page.locator("aside")).to_contain_text("Nothing selected")


def test_question_mark_lists_the_keys(open_page: OpenPage) -> None:
    """Escape closes the list and nothing else."""
    page = open_page(AT)
    expect(page.locator(".person-box").first).to_be_visible()
    page.keyboard.press("?")
    expect(page.get_by_role("dialog")).to_contain_text("next step")
    page.keyboard.press("Escape")
    expect(page.get_by_role("dialog")).to_have_count(0)


def test_the_theme_is_kept(open_page: OpenPage) -> None:
    """Auto follows the system; a choice outlives a reload, and there is no flash before it."""
    page = open_page(AT, theme="dark")
    root = page.locator("html")
    expect(root).to_have_attribute("data-theme", "dark")
    page.get_by_role("button", name=re.compile("Theme: auto")).click()
    expect(root).to_have_attribute("data-theme", "light")
    page.reload()
    expect(root).to_have_attribute("data-theme", "light")


def test_a_new_round_arrives_without_moving_what_is_read(
    open_page: OpenPage, site: PageServer
) -> None:
    """The selection, the open fold and the place stay; the pill says what is new."""
    page = open_page(f"{SECOND}&step=tool/toolu_ask")
    expect(page.locator(".card.selected header")).to_contain_text("Question")
    expect(page.locator(".status")).to_contain_text("Following")
    place = page.locator(".card.selected").bounding_box()
    overview = site.answers[f"/api/c/{SESSION}"]
    later = {**overview["talks"][3], "id": "talk/main/p5", "label": "One more thing."}
    site.answers[f"/api/c/{SESSION}"] = overview | {
        "rounds": 5,
        "talks": [*overview["talks"][:4], later, *overview["talks"][4:]],
    }
    site.answers[f"/api/c/{SESSION}/head"] = {"rounds": 5}
    expect(page.locator(".status")).to_contain_text("round 5")
    expect(page.locator(".pill")).to_contain_text("2 new")
    assert page.locator(".card.selected").bounding_box() == place
    page.locator(".pill").click()
    expect(page.locator("main")).to_contain_text("One more thing.")


def test_a_talk_that_cannot_be_read_says_so_and_is_tried_again(
    open_page: OpenPage, site: PageServer
) -> None:
    """The rest of the page is not affected."""
    site.failing[f"/api/c/{SESSION}/talk/talk/main/p1"] = "main-000001.sd was changed on disk"
    page = open_page(AT, allow="500")
    page.get_by_role("button", name=re.compile("2 tools")).click()
    alert = page.get_by_role("alert")
    expect(alert).to_contain_text("main-000001.sd was changed on disk")
    site.failing.pop(f"/api/c/{SESSION}/talk/talk/main/p1")
    alert.get_by_role("button", name="Try again").click()
    expect(page.locator("main").get_by_text("orientation?: number;")).to_be_visible()


def test_a_broken_chain_shows_the_failed_check(open_page: OpenPage) -> None:
    """The message of the server, and the way to the others."""
    page = open_page(f"/c/{BROKEN}", allow="500")
    expect(page.get_by_role("alert")).to_contain_text(BROKEN_MESSAGE)
    expect(page.get_by_role("link", name="All conversations", exact=True)).to_be_visible()


def test_a_conversation_without_talks_lists_its_loose_steps(open_page: OpenPage) -> None:
    """They are all there is, so they are open."""
    page = open_page(f"/c/{EMPTY}")
    expect(page.locator("main")).to_contain_text("1 step outside any talk")
    expect(page.locator("main")).to_contain_text("tool list changed")


@pytest.mark.parametrize("width", [1440, 1024, 768, 390, 320])
def test_the_page_never_scrolls_sideways(open_page: OpenPage, width: int) -> None:
    """Only boxes of code may."""
    page = open_page(f"{SECOND}&step=tool/toolu_test", width=width)
    expect(page.locator(".card.selected")).to_be_visible()
    assert page.evaluate("document.documentElement.scrollWidth") == width
    assert page.evaluate("document.querySelector('.scroll').scrollWidth <= innerWidth")


def test_a_narrow_page_shows_one_pane_at_a_time(open_page: OpenPage) -> None:
    """Outline, transcript and step are tabs at the bottom."""
    page = open_page(f"{SECOND}&step=tool/toolu_edit", width=390, height=844)
    expect(page.locator("main")).to_be_visible()
    expect(page.locator("aside")).to_be_hidden()
    page.get_by_role("tab", name="Step", exact=True).last.click()
    expect(page.locator("aside")).to_be_visible()
    expect(page.locator("main")).to_be_hidden()


def test_a_thousand_talks_are_few_elements_at_any_place(
    open_page: OpenPage, site: PageServer
) -> None:
    """At most 3,000 elements; a talk in the middle is reached by its address."""
    overview = site.answers[f"/api/c/{SESSION}"]
    row = overview["talks"][1]
    talks = [
        row | {"id": f"talk/main/n{number}", "label": f"Question {number}"}
        for number in range(1, 1001)
    ]
    site.answers[f"/api/c/{SESSION}"] = overview | {"talks": talks}
    page = open_page(f"{AT}?talk=talk/main/n500")
    head = page.locator("[data-key='talk:talk/main/n500']")
    expect(head).to_be_in_viewport()
    expect(page.locator(".talk-item[aria-selected=true]")).to_be_in_viewport()
    assert head.bounding_box()["y"] < 140
    assert page.evaluate("document.querySelectorAll('*').length") < 3000
    page.locator(".scroll").evaluate("pane => { pane.scrollTop = 1e9; }")
    expect(page.locator("[data-key='talk:talk/main/n1000']")).to_be_visible()
    assert page.evaluate("document.querySelectorAll('*').length") < 3000


def test_what_a_child_says_of_its_opener_names_the_stream(open_page: OpenPage) -> None:
    """A talk's number alone would be read as one of the child's own talks."""
    page = open_page(f"{SECOND}&step=tool/toolu_edit")
    expect(page.locator("aside dd").filter(has_text=re.compile("^main"))).to_have_text("main")
    page.get_by_role("tab", name=re.compile("Streams")).click()
    tree = page.get_by_role("tree", name="Streams")
    rows = tree.get_by_role("treeitem")
    child = rows.filter(has_text="Trace every layout path").first
    expect(child).to_contain_text("in main, talk 2,")
    grandchild = rows.filter(has_text="Count the callers")
    expect(grandchild).to_contain_text("in Trace every layout path, talk 1,")
