"""The book in a real browser: imported by file and by paste, valued with risk and decisions, deleted; 13F holdings."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tests.support.web_page import Site
from tradingagents.dataflows.portfolio_store import book_days

if TYPE_CHECKING:
    from playwright.sync_api import Page, Route

    from tests.service.web.conftest import OpenPage

DAY = "2025-03-14"
FITS = "document.documentElement.scrollWidth <= document.documentElement.clientWidth"
BROKER = """Positions for account Individual ...123 as of 03:00 PM ET, 2025/03/14

"Symbol","Description","Qty (Quantity)","Price","Mkt Val (Market Value)","Cost Basis","Account"
"VELQ","VELTRANE","120","$96.58","$11,589.60","$9,000.00","Main"
"MODZ","MODZ INC","45","$40.06","$1,802.70","$4,100.00","Main"
"Cash & Cash Investments","--","--","--","$5,000.00","--",""
"Account Total","--","--","--","$18,392.30","--",""
"""


@pytest.fixture(autouse=True)
def no_book(site: Site) -> Iterator[None]:
    """The home has no book before a test, and none after it."""
    yield
    for day in book_days(site.home):
        (site.home / "book" / f"{day}.json").unlink()


def read(page: Page, day: str = DAY) -> None:
    """Have the form read what it was given."""
    page.wait_for_selector("#book-text:visible")
    page.fill("#import-day", day)
    page.click("button:text-is('Read it')")


def row(page: Page, symbol: str) -> list[str]:
    """Return the cells of a holding."""
    found = page.locator("[data-holdings] tr", has=page.locator(f"th:has-text('{symbol}')"))
    return [" ".join(cell.split()) for cell in found.locator("th, td").all_inner_texts()]


def test_a_brokers_file_is_read_shown_and_stored_and_then_valued(
    open_page: OpenPage, site: Site, run_id: str, tmp_path: Path
) -> None:
    file = tmp_path / "positions.csv"
    file.write_text(BROKER)
    page = open_page("#/portfolio")
    page.wait_for_selector("text=Nothing is stored yet")
    page.set_input_files("#book-file", file)
    page.wait_for_selector("h3:has-text('2 positions')")  # as soon as it is chosen
    read(page)
    page.wait_for_selector("h3:has-text('2 positions on 2025-03-14; cash 5,000.00 USD')")
    assert site.ask("/v1/books") == []  # read, and not yet stored
    page.click("button:text-is('Store it')")
    page.wait_for_selector("#import:not([open])", state="attached")
    page.fill("#book-day", DAY)
    page.click("button:text-is('Show')")
    page.wait_for_selector(f"h2:has-text('Your book of {DAY}, as of {DAY}')")
    page.wait_for_selector("text=Volatility a year")
    # 120 x 96.58 + 45 x 40.06 + 5,000 = 18,392.30; 11,589.60 of it are VELQ; 96.58 / 75 - 1 is the gain on cost
    said = page.inner_text("main")
    assert "18,392.30 USD" in said
    _, quantity, price, day, value, weight, of_risk, gain, _, decision = row(page, "VELQ")
    assert (quantity, price, value, weight, gain) == ("120", "96.58 USD", "11,589.60", "63.01%", "▴ +28.77%")
    answer = site.ask("/v1/capabilities/book", {"arguments": {}, "as_of": DAY})["result"]
    (held,) = (holding for holding in answer["holdings"] if holding["symbol"] == "VELQ")
    assert day == f"{'▾' if held['change_pct'] < 0 else '▴'} {held['change_pct']:+.2f}% {held['change']:+,.2f}"
    risk = site.ask("/v1/capabilities/book_risk", {"arguments": {}, "as_of": DAY})["result"]
    (part,) = (holding for holding in risk["holdings"] if holding["symbol"] == "VELQ")
    assert of_risk == f"{100 * part['contribution']:.2f}%"
    decided = [run for run in site.ask("/v1/runs") if run["kind"] == "trading" and run["action"]]
    runs = [run["run_id"] for run in decided if (run["ticker"], run["day"]) == ("VELQ", DAY)]
    assert held["decision"]["run_id"] == runs[0]  # the newest: other tests may have decided after `run_id`
    assert run_id in runs
    assert decision == f"{held['decision']['action']} {DAY} Analyze"
    assert row(page, "MODZ")[-1] == "none Analyze"
    page.locator("[data-holdings] tr", has=page.locator("th:has-text('VELQ')")).locator("button").click()
    page.wait_for_selector("form.start")
    assert (page.input_value("[name=ticker]"), page.is_checked("[name=book]")) == ("VELQ", True)


def test_an_analysis_from_the_page_decides_for_what_is_held(open_page: OpenPage, site: Site) -> None:
    site.ask("/v1/books", {"text": "ticker,quantity\nVELQ,10", "day": DAY, "cash": {"USD": 1000}})
    page = open_page("#/new?ticker=VELQ&book=stored")
    page.fill("[name=day]", DAY)
    page.click("button[type=submit]")
    page.wait_for_selector(".decision .badge:visible")
    (task,) = [task for task in site.ask("/v1/tasks") if task["request"].get("book")]
    card = site.ask(f"/v1/runs/{site.ended(task['task_id'])['run_ids'][0]}")
    assert card["book"]["quantity"] == 10


def test_pasted_rows_with_a_fault_are_named_and_nothing_is_stored(open_page: OpenPage, site: Site) -> None:
    page = open_page("#/portfolio")
    page.wait_for_selector("#book-text:visible")
    page.click("button:text-is('Read it')")
    page.wait_for_selector("[role=alert]:has-text('Choose a file or paste rows.')")
    page.fill("#book-text", "ticker,quantity\nVELQ,ten")
    read(page)
    page.wait_for_selector("[role=alert]:has-text('row 2, column quantity')")
    page.fill("#book-text", "ticker,quantity\nVELQ,10")
    page.fill("#import-cash", "5000")
    page.click("button:text-is('Read it')")
    page.wait_for_selector("[role=alert]:has-text('Write cash like USD 5000')")
    assert site.ask("/v1/books") == []
    page.fill("#import-cash", "usd 5000.50, EUR=-20")
    page.click("button:text-is('Read it')")
    page.wait_for_selector("h3:has-text('1 position on 2025-03-14; cash -20.00 EUR, 5,000.50 USD')")
    page.click("button:text-is('Store it')")
    page.wait_for_selector("summary:has-text('Stored books (1)')")
    (stored,) = site.ask("/v1/books")
    assert stored["book"]["cash"] == {"EUR": -20.0, "USD": 5000.5}


def test_a_book_fits_a_phone_and_is_deleted_after_a_question(open_page: OpenPage, site: Site) -> None:
    site.ask("/v1/books", {"text": "ticker,quantity\nVELQ,10\nNODQ,-3", "day": DAY})
    page = open_page("#/portfolio?day=2025-03-14", width=400)
    page.wait_for_selector("text=Volatility a year")
    assert page.evaluate(FITS)
    page.click("summary:has-text('Stored books')")
    page.click(f"[aria-label='Delete the book of {DAY}']")
    assert len(site.ask("/v1/books")) == 1
    page.click("button:text-is('Yes, delete')")
    page.wait_for_selector("text=Nothing is stored yet")
    assert site.ask("/v1/books") == []


def test_the_day_chosen_last_is_shown_whichever_answer_comes_last(open_page: OpenPage, site: Site) -> None:
    site.ask("/v1/books", {"text": "ticker,quantity\nVELQ,10", "day": "2025-03-03"})
    page = open_page("#/portfolio?day=2025-03-05")
    page.wait_for_selector("text=Volatility a year")
    from playwright.sync_api import Error

    slow = "**/v1/capabilities/book"
    held_back: list[Route] = []

    def hold_the_first(route: Route) -> None:
        if held_back:
            route.continue_()
        held_back.append(route)

    page.route(slow, hold_the_first)
    page.fill("#book-day", "2025-03-10")
    page.click("button:text-is('Show')")
    page.wait_for_selector("main .spinner")
    page.fill("#book-day", DAY)
    page.click("button:text-is('Show')")
    page.wait_for_selector(f"h2:has-text('as of {DAY}')")
    with suppress(Error):  # given up by the page
        held_back[0].continue_()
    page.wait_for_timeout(300)
    assert f"as of {DAY}" in page.inner_text("main h2")


def test_what_large_investors_held_is_under_investors(open_page: OpenPage) -> None:
    page = open_page("#/portfolio")
    page.click("a:text-is('Investors')")
    page.fill("#investor", "Moorcastle Macro")
    page.fill("#investor-day", DAY)
    page.click("button:text-is('Show')")
    page.wait_for_selector("h2:text('Moorcastle Macro')")
    assert page.get_attribute("nav a[data-view=portfolio]", "aria-current") == "page"
