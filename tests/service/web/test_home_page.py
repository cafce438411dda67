"""Home: one box that takes a ticker, a name or a question, four ways to start, and the others folded."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tests.service.web.test_first_steps import recorded  # noqa: F401 - a server on recorded data
from tests.support.snapshot_folder import LAST
from tests.support.web_page import Site

if TYPE_CHECKING:
    from playwright.sync_api import Browser

    from tests.service.web.conftest import OpenPage

BOX = "#first"


def test_the_box_is_the_first_thing_and_does_the_obvious(open_page: OpenPage, site: Site) -> None:
    page = open_page(width=400, height=700)
    box = page.locator(BOX).bounding_box()
    assert box is not None
    assert box["y"] + box["height"] < 300
    page.wait_for_selector("a.kind")
    assert page.locator("a.kind:visible .kind-title").all_inner_texts() == [
        "Analyze a stock",
        "Scan the market",
        "Value a company",
        "Ask filings and calls",
    ]
    page.click("summary:text-is('More')")
    assert page.locator("a.kind:visible").count() == len(
        [kind for kind in site.ask("/v1/task-kinds") if kind["policy"]["listed"]]
    )
    page.click(BOX)
    page.keyboard.type("velt")
    page.wait_for_selector("[role=option][aria-selected=true]:has-text('Veltrane Systems')")
    assert page.get_attribute(BOX, "aria-expanded") == "true"
    chosen = page.get_attribute(BOX, "aria-activedescendant")
    page.keyboard.press("ArrowDown")
    assert page.get_attribute(BOX, "aria-activedescendant") != chosen
    assert "Ask: velt" in page.inner_text("[aria-selected=true]")
    page.keyboard.press("ArrowUp")
    assert page.get_attribute(BOX, "aria-activedescendant") == chosen
    page.keyboard.press("Escape")
    assert page.get_attribute(BOX, "aria-expanded") == "false"
    page.keyboard.press("Enter")  # the only one that begins so
    page.wait_for_url("**/#/company/VELQ")


def test_a_question_starts_a_conversation_with_it(open_page: OpenPage, site: Site) -> None:
    page = open_page()
    assert page.evaluate("document.activeElement.id") == "first"
    page.keyboard.type("What is VELQ trading at?")
    page.wait_for_selector("[role=option]")
    assert page.locator("[role=option]").count() == 1
    page.keyboard.press("Enter")
    page.wait_for_url("**/#/chat/*")
    page.wait_for_selector(".message.assistant")
    (said,) = page.locator(".message.user").all_inner_texts()
    assert said.endswith("What is VELQ trading at?")
    (session,) = [one for one in site.ask("/v1/sessions") if one["session_id"] == page.url.rpartition("/")[2]]
    assert session["title"]
    page.go_back()
    page.wait_for_selector(BOX)


def test_names_are_those_of_the_recorded_data(browser: Browser, recorded: Site) -> None:  # noqa: F811
    page = browser.new_page()
    try:
        page.goto(recorded.address)
        page.fill(BOX, "acm")
        page.wait_for_selector("[role=option]:has-text('ACMQ')")
        page.keyboard.press("Enter")
        page.wait_for_url("**/#/company/ACMQ")
        page.goto(f"{recorded.origin}/#/new?kind=valuation_pack")
        page.wait_for_selector("form.start")
        assert page.input_value("[name=day]") == LAST.isoformat()
    finally:
        page.close()
