"""A company's page in a real browser: blocks that load alone, chart by mouse and keyboard, sources, a wrong ticker."""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import date, datetime, timedelta
from typing import TYPE_CHECKING

import pytest

from tests.support.web_page import Site

if TYPE_CHECKING:
    from playwright.sync_api import Page, Route

    from tests.service.web.conftest import OpenPage

DAY = "2025-03-14"
FITS = "document.documentElement.scrollWidth <= document.documentElement.clientWidth"
BLOCKS = ("chart", "figures", "worth", "multiples", "statements", "results", "changes", "insiders", "runs", "news")
LATER = ("filings", "calls", "risk")


def company(open_page: OpenPage, symbol: str = "VELQ", *, width: int = 1280, day: str = DAY) -> Page:
    page = open_page(f"#/company/{symbol}?day={day}", width=width)
    page.wait_for_selector(".blocks")
    complete(page)
    return page


def complete(page: Page) -> None:
    page.wait_for_function("() => document.querySelector('.blocks') && !document.querySelector('[aria-busy]')")


def block(page: Page, name: str) -> str:
    return page.inner_text(f"#block-{name}")


def test_every_block_has_an_answer_or_a_sentence_and_figures_lead_to_their_source(
    open_page: OpenPage, site: Site, run_id: str
) -> None:
    page = company(open_page)
    fundamentals = site.ask("/v1/capabilities/get_fundamentals", {"arguments": {"ticker": "VELQ"}, "as_of": DAY})
    figures = block(page, "figures")
    for name in ("pe_ttm", "market_cap", "dividend_yield"):
        assert fundamentals["shown"][name] in figures, name
        assert fundamentals["labels"][name].lower() in figures.lower()
    for name in (*BLOCKS, *LATER):
        said = page.locator(f"#block-{name}")
        assert said.locator(".error, .spinner").count() == 0, name
        assert len(said.inner_text()) > len(said.locator("h2").inner_text()) + 20, name
    assert "_" not in page.inner_text(".blocks")
    assert page.locator(f"#block-runs a[href*='{run_id}']").count() == 1
    page.click(f"#block-figures .figure:text-is('{fundamentals['shown']['pe_ttm']}')")
    drawer = page.inner_text("dialog")
    assert f"Where {fundamentals['shown']['pe_ttm']} comes from" in drawer
    assert "P/E ratio" in page.inner_text("dialog tr[aria-current]")
    page.keyboard.press("Escape")
    page.goto(f"{site.origin}/company/VELQ?day={DAY}")  # as people write it; the tab has the token
    page.wait_for_selector(".blocks")
    page.reload()
    page.wait_for_selector(".blocks")
    assert page.inner_text("h1").endswith("VELQ")
    assert page.input_value("#company-day") == DAY


def test_the_chart_is_looked_at_by_mouse_and_by_keyboard(open_page: OpenPage, site: Site) -> None:
    page = company(open_page)
    asked = {"symbols": "VELQ", "start_date": "2024-01-01", "indicators": "volume", "annotations": ""}
    answer = site.ask("/v1/capabilities/open_chart", {"arguments": asked, "as_of": DAY, "files": False})
    bars = answer["result"]
    assert (answer["artifacts"], bars["files"]) == ([], [])
    plot = page.locator(".plot")
    plot.focus()
    page.keyboard.press("ArrowLeft")
    page.keyboard.press("ArrowLeft")
    said = page.inner_text(".readout")
    assert f"Close {bars['closes'][-2]:,.2f} USD" in " ".join(said.split())
    page.keyboard.press("+")
    assert page.get_attribute("button[aria-label='1 year']", "aria-pressed") == "false"
    page.click("button[aria-label='1 month']")
    page.click("summary:has-text('The days shown as a table')")
    rows = page.locator("#block-chart table tbody tr")
    rows.first.wait_for()  # the browser tells of the opened details a moment later
    assert rows.count() == 21
    assert rows.first.inner_text().split("\t")[:2] == [DAY, f"{bars['opens'][-1]:,.2f}"]
    page.click("#block-chart th button:text-is('Close')")
    assert page.get_attribute("#block-chart th:has(button:text-is('Close'))", "aria-sort") == "ascending"
    cells = page.locator("#block-chart tbody td:nth-child(5)").all_inner_texts()
    closes = [float(text.replace(",", "")) for text in cells]
    assert closes == sorted(closes)
    page.fill("#block-chart .look-compare input", "SPY")
    page.keyboard.press("Enter")
    page.wait_for_selector("#block-chart figcaption:has-text('compared with SPY')")
    box = plot.bounding_box()
    assert box is not None
    page.mouse.move(box["x"] + 5, box["y"] + 40)
    first = " ".join(page.inner_text(".readout").split())
    assert first.endswith("VELQ 0.00% SPY 0.00%")
    page.fill("#block-chart .look-compare input", "NOSUCH")
    page.keyboard.press("Enter")
    page.wait_for_selector("#block-chart .warning:has-text('NOSUCH')")


def test_the_chart_is_looked_at_with_fingers(open_page: OpenPage) -> None:
    """Two fingers spread and move the window, one reads values, and a stroke upward scrolls the page."""
    page = open_page(f"#/company/VELQ?day={DAY}", width=400, height=800, has_touch=True)
    page.wait_for_selector(".blocks")
    complete(page)
    plot = page.locator(".plot")
    plot.scroll_into_view_if_needed()
    box = plot.bounding_box()
    assert box is not None
    (x, y), fingers = (box["x"] + box["width"] / 2, box["y"] + box["height"] / 2), page.context.new_cdp_session(page)

    def touch(kind: str, *places: tuple[float, float]) -> None:
        points = [{"x": at, "y": height, "id": finger} for finger, (at, height) in enumerate(places)]
        fingers.send("Input.dispatchTouchEvent", {"type": f"touch{kind}", "touchPoints": points})

    def window() -> list[date]:
        first, last = re.findall(r"\d{1,2} \w{3} \d{4}", page.inner_text("#block-chart figcaption"))
        return [datetime.strptime(day, "%d %b %Y").date() for day in (first, last)]  # noqa: DTZ007 - days alone

    def two(one: Callable[[int], float], other: Callable[[int], float]) -> None:
        touch("Start", (one(0), y))
        touch("Start", (one(0), y), (other(0), y))
        for step in range(1, 9):
            touch("Move", (one(step), y), (other(step), y))
        touch("End")

    whole = window()
    two(lambda step: x - 30 - 10 * step, lambda step: x + 30 + 10 * step)
    near = window()
    assert whole[0] < near[0] < near[1] < whole[1]
    two(lambda step: x - 40 + 5 * step, lambda step: x + 40 + 5 * step)
    earlier = window()
    assert earlier[0] < near[0]
    assert abs((earlier[1] - earlier[0]) - (near[1] - near[0])) < timedelta(days=8)
    touch("Start", (x, y))
    read = page.inner_text(".readout")
    touch("Move", (x - 60, y))
    assert page.inner_text(".readout") != read
    touch("End")
    assert window() == earlier
    before = page.evaluate("scrollY")
    touch("Start", (x, y))
    for step in range(1, 12):
        touch("Move", (x, y - 15 * step))
        page.wait_for_timeout(16)
    touch("End")
    page.wait_for_function("before => scrollY > before + 50", arg=before)


def test_blocks_load_alone_and_say_why_they_are_empty(open_page: OpenPage) -> None:
    page = open_page()

    def refuse(route: Route) -> None:
        route.fulfill(status=503, json={"error": {"code": "vendor_down", "message": "The vendor does not answer."}})

    page.route("**/v1/capabilities/get_news", refuse)
    page.evaluate("day => { location.hash = `#/company/VELQ?day=${day}`; }", DAY)
    complete(page)
    assert "The vendor does not answer." in block(page, "news")
    assert page.locator("#block-figures .figure").count() > 10
    page.unroute("**/v1/capabilities/get_news")
    page.click("#block-news button:text-is('Try again')")
    page.wait_for_selector("#block-news ol.stories, #block-news p.muted:has-text('No article')")


@pytest.mark.parametrize("wrong", ["ZZZZ", "%3Cb%3Ex", ".."])
def test_a_wrong_ticker_is_a_sentence_and_a_way_on(open_page: OpenPage, wrong: str) -> None:
    page = open_page(f"#/company/{wrong}?day={DAY}")
    page.wait_for_selector("[role=alert]")
    assert page.locator("main .spinner").count() == 0
    page.fill("#company-name", "Veltrane")
    page.keyboard.press("Enter")
    page.wait_for_selector(".company-head h1:has-text('VELQ')")


def test_a_day_before_the_data_leads_to_the_last_one(open_page: OpenPage) -> None:
    page = open_page("#/company/VELQ?day=2010-01-04")
    page.wait_for_selector("h1:has-text('No data of VELQ on 2010-01-04')")
    page.click("a:has-text('Show it on')")
    page.wait_for_selector(".company-head h1:has-text('VELQ')")


def test_the_page_fits_a_phone_and_leads_to_peers_and_the_watch_list(open_page: OpenPage, site: Site) -> None:
    page = company(open_page, width=400)
    assert page.evaluate(FITS)
    page.click("button:text-is('Watch')")
    page.wait_for_selector("button:text-is('On the watch list')")
    assert "VELQ" in site.ask("/v1/watchlist")["tickers"]
    peer = page.locator(".peers a").first
    symbol = peer.inner_text()
    peer.click()
    page.wait_for_selector(f".company-head h1:has-text('{symbol}')")
    assert page.input_value("#company-day") == DAY
