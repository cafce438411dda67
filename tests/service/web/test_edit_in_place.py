"""Watch list, book, paper accounts, theses and settings changed on the page, each with what it changes or a test."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from typing import TYPE_CHECKING

import pytest

from tests.support.web_page import Site
from tradingagents.dataflows.portfolio_store import book_days
from tradingagents.runtime.runs.watch_list import WatchList

if TYPE_CHECKING:
    from tests.service.web.conftest import OpenPage

DAY = "2025-03-14"
FITS = "document.documentElement.scrollWidth <= document.documentElement.clientWidth"


@pytest.fixture(autouse=True)
def nothing_stored(site: Site) -> Iterator[None]:
    """The home has no list and no book before a test, and none after it."""
    listed = WatchList(site.home)
    listed.remove(listed.tickers)
    yield
    listed.remove(listed.tickers)
    for day in book_days(site.home):
        (site.home / "book" / f"{day}.json").unlink()


def test_the_watch_list_is_added_to_sorted_and_shortened_by_keyboard(open_page: OpenPage, site: Site) -> None:
    page = open_page("#/watchlist", width=400)
    page.wait_for_selector("text=The watch list is empty")
    page.focus("#watch-add")
    page.keyboard.type("velq, MODZ OMBZ")
    page.keyboard.press("Enter")
    page.wait_for_selector("a.symbol:text-is('OMBZ')")
    assert site.ask("/v1/watchlist") == {"tickers": ["VELQ", "MODZ", "OMBZ"]}
    page.focus("th button:text-is('Symbol')")
    page.keyboard.press("Enter")
    assert page.locator("a.symbol").all_inner_texts() == ["MODZ", "OMBZ", "VELQ"]
    page.focus("[aria-label='Remove MODZ from the list']")
    page.keyboard.press("Enter")
    page.wait_for_selector("a.symbol:text-is('MODZ')", state="detached")
    assert site.ask("/v1/watchlist") == {"tickers": ["VELQ", "OMBZ"]}
    page.fill("#watch-add", "no such/ticker")
    page.keyboard.press("Enter")
    page.wait_for_selector("[role=alert]:has-text('is not a ticker symbol')")
    assert page.evaluate(FITS)


def test_the_book_is_edited_and_the_difference_shown_before_it_is_stored(open_page: OpenPage, site: Site) -> None:
    site.ask(
        "/v1/books", {"text": "ticker,quantity,average price\nMODZ,5,\nVELQ,10,75", "day": DAY, "cash": {"USD": 1}}
    )
    page = open_page(f"#/portfolio?day={DAY}")
    page.click("#edit-book summary")
    assert page.input_value("[aria-label='Ticker of row 2']") == "VELQ"  # as stored: by symbol
    page.fill("[aria-label='Quantity of row 2']", "12.5")
    page.click("[aria-label='Remove row 1']")
    page.click("button:text-is('Add a position')")
    page.keyboard.type("OMBZ")
    page.fill("[aria-label='Quantity of row 3']", "ten")
    page.click("button:text-is('Show what changes')")
    page.wait_for_selector("#edit-book [role=alert]:has-text('quantity')")
    page.fill("[aria-label='Quantity of row 3']", "-3")
    page.fill("#edit-cash", "USD 250")
    page.click("button:text-is('Show what changes')")
    page.wait_for_selector("#edit-book h3")
    rows = [row.split("\t") for row in page.locator("#edit-book tbody tr").all_inner_texts()]
    assert sorted(rows) == [
        ["Cash in USD", "1.00", "250.00", "changed"],
        ["MODZ", "5", "—", "removed"],
        ["OMBZ", "—", "-3", "added"],
        ["VELQ", "10 at 75.00", "12.5 at 75.00", "changed"],
    ]
    assert site.ask("/v1/book")["book"]["cash"] == {"USD": 1.0}  # not stored before the user says so
    page.click("#edit-book button:text-is('Store it')")
    page.wait_for_selector("[data-holdings] a.symbol:text-is('OMBZ')")
    book = site.ask("/v1/book")["book"]
    assert {one["symbol"]: one["quantity"] for one in book["positions"]} == {"VELQ": 12.5, "OMBZ": -3}
    assert book["cash"] == {"USD": 250.0}


def test_a_paper_account_is_made_on_the_page(open_page: OpenPage, site: Site) -> None:
    shutil.rmtree(site.home / "paper" / "made", ignore_errors=True)
    page = open_page("#/paper", width=400)
    page.click("#new-account summary")
    page.fill("#paper-name", "Made")
    page.fill("#paper-tickers", "velq, MODZ")
    page.click("button:text-is('Make it')")
    page.wait_for_selector("#new-account [role=alert]:has-text('small letters')")
    page.fill("#paper-name", "made")
    page.fill("#paper-deposit", "25000")
    page.click("button:text-is('Make it')")
    page.wait_for_selector("h1:has-text('Paper account made')")
    page.wait_for_selector("text=25,000.00 USD")
    answer = site.ask("/v1/capabilities/paper_accounts", {"arguments": {"account": "made"}})["result"]
    assert answer["accounts"][0]["tickers"] == ["VELQ", "MODZ"]
    shutil.rmtree(site.home / "paper" / "made")


def test_a_setting_is_tried_and_its_line_given_and_no_key_is_asked_for(open_page: OpenPage, site: Site) -> None:
    page = open_page("#/new", width=400)
    page.click("#settings")
    page.wait_for_selector("#setting-budget_usd")
    page.fill("#setting-budget_usd", "2.5")
    page.wait_for_selector("pre:text-is('TRADINGAGENTS_BUDGET_USD=2.5')")
    page.click("button:text-is('Test the models')")
    page.wait_for_selector("li:has-text('works offline')")
    page.fill("#setting-llm_provider", "opnai")
    page.click("button:text-is('Test the models')")
    page.wait_for_selector("[role=alert]:has-text('did you mean openai?')")
    assert page.locator("input[name*=key i], input[type=password]").count() == 0
    assert page.evaluate(FITS)
    now = {one["setting"]: one["now"] for one in site.ask("/v1/settings/shown")}
    assert (now["budget_usd"], now["llm_provider"]) == (None, "offline")


def test_a_thesis_is_tested_on_the_year_before_and_saved(open_page: OpenPage, site: Site) -> None:
    page = open_page(f"#/company/VELQ?day={DAY}")
    page.click("#block-theses summary")
    page.fill("#thesis-text", "Margins hold.")
    page.fill("#thesis-breakers", "price above 1\ngross_margin below 1")
    page.click("button:text-is('Test on the year before')")
    page.wait_for_selector("#block-theses table")
    said = page.inner_text("#block-theses table")
    assert "above 1" in said
    page.click("#block-theses button:text-is('Save')")
    page.wait_for_selector("#block-theses .thesis:has-text('Margins hold.')")
    stored = site.ask("/v1/capabilities/saved_theses", {"arguments": {"ticker": "VELQ"}, "as_of": DAY})["result"]
    assert stored["theses"][0]["breakers"] == ["price above 1", "gross_margin below 1"]
    shutil.rmtree(site.home / "theses", ignore_errors=True)
