"""A backtest in a real browser: started from the form, watched, its report read, found in the list."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tests.support.web_page import Site

if TYPE_CHECKING:
    from tests.service.web.conftest import OpenPage

FITS = "document.documentElement.scrollWidth <= document.documentElement.clientWidth"


def test_a_backtest_is_started_watched_and_found_again(site: Site, open_page: OpenPage) -> None:
    page = open_page("#/new?kind=backtest")
    page.fill("[name=tickers]", "VELQ, OMBZ")
    page.fill("[name=start]", "2024-10-01")
    page.fill("[name=end]", "2024-12-20")
    page.fill("[name=every]", "18")
    page.click("button[type=submit]")
    page.wait_for_selector("progress, .chip:has-text('done')")
    page.wait_for_selector(".chip:has-text('done')")
    page.wait_for_selector(".report-page figure.chart.wide svg.price-chart")
    task = site.ask("/v1/tasks?limit=1")[0]
    assert task["progress"]["done"] == task["progress"]["total"] == 8
    shown = page.inner_text(".report-page")
    assert task["result"]["verdict"].replace(" %", "%") in shown  # the page writes per cent in one way
    for chapter in ("Whose reading was right", "States of the market", "Decisions on the price", "Costs and limits"):
        assert chapter in shown
    with page.expect_download() as told:
        page.locator("button:has-text('Trades')").first.click()
    assert told.value.path().read_text().startswith("day,ticker,side")

    again = open_page("#/history", width=400)
    again.click("a:has-text('Backtests')")
    again.wait_for_selector("a:has-text('VELQ, OMBZ')")
    assert again.evaluate(FITS)
    again.click("a:has-text('VELQ, OMBZ')")
    again.wait_for_selector(".report-page figure.chart.narrow svg.price-chart")
    assert task["result"]["verdict"].replace(" %", "%") in again.inner_text(".report-page")
    assert again.evaluate(FITS)
