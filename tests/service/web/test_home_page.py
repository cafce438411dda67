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


def test_the_market_of_a_day_in_blocks_of_their_own(open_page: OpenPage, site: Site) -> None:
    site.ask("/v1/watchlist", {"tickers": ["VELQ"]})
    page = open_page(width=400, height=700)
    page.route("**/v1/capabilities/get_sector_performance", lambda route: route.abort())
    page.evaluate("location.hash = '#/home?day=2025-03-14'")
    page.wait_for_selector("#block-breadth:not([aria-busy])", timeout=60_000)
    assert page.input_value("#market-day") == "2025-03-14"
    sectors = page.locator("#block-sectors")
    assert "cannot be reached" in sectors.inner_text()
    page.unroute_all()
    sectors.locator("text=Try again").click()
    page.wait_for_selector("#block-sectors a:text-is('Technology')")
    indices = site.ask("/v1/capabilities/get_market_indices", {"arguments": {}, "as_of": "2025-03-14"})["result"]
    shown = page.inner_text("#block-indices")
    assert all(f"{index['last']:,.2f}" in shown for index in indices["indices"])
    assert "Source: Market indices (simulated)" in shown
    losers = site.ask(
        "/v1/capabilities/get_market_movers", {"arguments": {"category": "day_losers"}, "as_of": "2025-03-14"}
    )
    first = losers["result"]["movers"][0]
    assert f"{first['change_pct']:.2f}%" in page.inner_text("#block-movers")
    address = page.get_attribute(f"#block-movers a:text-is('{first['symbol']}')", "href")
    assert address == f"#/company/{first['symbol']}?day=2025-03-14"
    assert "VELQ" in page.inner_text("#block-watchlist")
    assert "Import it under Portfolio" in page.inner_text("#block-book")
    assert "Results" in page.inner_text("#block-calendar")
    assert "rose" in page.inner_text("#block-breadth")
    assert page.locator("text=Simulated market").count() >= 1
    assert page.evaluate("document.documentElement.scrollWidth - innerWidth") <= 0
    page.fill("#market-day", "2025-03-13")
    page.wait_for_selector("#block-indices:has-text('known by 2025-03-13')")
    page.fill(BOX, "VELQ")
    page.press(BOX, "Enter")
    page.wait_for_url("**/#/company/VELQ?day=2025-03-13")


def test_runs_are_named_by_company_kind_and_day_and_filtered(open_page: OpenPage, site: Site, run_id: str) -> None:
    asked = {"kind": "debate", "request": {"ticker": "VELQ", "day": "2025-03-14", "offline": True}}
    (debate,) = site.ended(site.ask("/v1/tasks", asked)["task_id"])["run_ids"]
    page = open_page("#/history")
    page.wait_for_selector(f"a[href='#/run/{run_id}']")
    assert page.inner_text(f"a[href='#/run/{run_id}']") == "VELQ: analysis of 2025-03-14"
    row = page.locator("tr", has=page.locator(f"a[href='#/run/{debate}']"))
    assert "Conviction" in row.inner_text()
    page.select_option("#history-kind", "Debate")
    assert page.locator(f"a[href='#/run/{run_id}']").count() == 0
    page.select_option("#history-market", "real")
    assert "No run matches" in page.inner_text("main")
    page.evaluate("route => { location.hash = route; }", f"#/run/{run_id}")
    page.wait_for_selector("figure.chart figcaption:visible")
    assert page.inner_text("figure.chart figcaption:visible") == "VELQ price chart"
    assert page.inner_text("h1") == "Veltrane Systems: analysis of 2025-03-14"
    page.evaluate("location.hash = '#/home'")
    page.wait_for_selector(f".latest a[href='#/run/{debate}']:has-text('conviction')")
