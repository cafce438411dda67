"""What a stranger reads on the page: whole words, one way to write a figure, sentences, and headings that are true."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tests.service.web.test_access import IDENTIFIERS
from tests.support.web_page import Site, serving

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

    from tests.service.web.conftest import OpenPage

DAY = "2025-03-14"
DRAWN = "() => document.querySelector('main h1') && !document.querySelector('main [aria-busy], main .spinner')"
TYPED = """() => {
  const found = [];
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) {
    const node = walker.currentNode;
    if (!node.parentElement.checkVisibility() || node.parentElement.closest("code, pre, script")) continue;
    if (/`|\\btradingagents [a-z]/.test(node.data)) found.push(node.data.trim().slice(0, 90));
  }
  return found;
}"""
"""Commands, and marks of code, among words."""
LOWER = """() => [...document.querySelectorAll("main p, main li, main td .finding")]
  .filter(node => node.checkVisibility() && !node.closest(".prose, .chat"))
  .filter(node => /^[a-z][^]*[.]$/.test(node.textContent.trim()))
  .map(node => node.textContent.trim().slice(0, 90))"""
"""Sentences that begin in lower case."""
DIGITS = """() => {
  const found = [];
  const walker = document.createTreeWalker(document.querySelector("main"), NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) {
    const node = walker.currentNode;
    if (!node.parentElement.checkVisibility() || node.parentElement.closest("code, pre, svg, .prose")) continue;
    if (/(?<![\\d.])(?:[1-9]\\d*|0)\\.(?!0)\\d{3,}/.test(node.data)) found.push(node.data.trim().slice(0, 60));
  }
  return found;
}"""
"""Figures with more decimals than are read; below 0.1 the digits that count may stand."""
UNSIGNED = """() => [...document.querySelectorAll("main dl.levels > div")].filter(node => {
  const [name, value] = [node.querySelector("dt").textContent, node.querySelector("dd").textContent];
  return /(change|return)$/i.test(name) && /^[1-9]\\d*\\.\\d+%|^0\\.\\d*[1-9]\\d*%/.test(value);
}).map(node => node.textContent)"""
"""Changes and returns that do not say in which direction."""
CUT = """() => {
  const pen = document.createElement("canvas").getContext("2d");
  return [...document.querySelectorAll("main input[placeholder]")].filter(node => {
    const style = getComputedStyle(node);
    pen.font = style.font;
    const room = node.clientWidth - parseFloat(style.paddingLeft) - parseFloat(style.paddingRight);
    return node.checkVisibility() && room && pen.measureText(node.placeholder).width > room + 1;
  }).map(node => node.placeholder);
}"""
"""Examples in fields that are cut at their edge."""
CHECKS = {
    "TYPED": TYPED,
    "LOWER": LOWER,
    "DIGITS": DIGITS,
    "UNSIGNED": UNSIGNED,
    "CUT": CUT,
    "IDENTIFIERS": IDENTIFIERS,
}
PLACES = (
    *(f"#/home?day={DAY}", f"#/company/VELQ?day={DAY}", "#/history", "#/portfolio", "#/paper", "#/investors"),
    *("#/watchlist", "#/backtests", "#/data", "#/data/nope", "#/run/nope", "#/task/nope", "#/chat/s-nope"),
    *("#/company/XYZZY", "#/company/VELQ?day=abc"),
)


def shown(page: Page, place: str) -> None:
    """Show a place, and wait until nothing of it loads."""
    page.evaluate("place => { location.hash = place; }", place)
    page.wait_for_timeout(50)
    page.wait_for_function(DRAWN)


def test_words_and_figures_read_the_same_everywhere(open_page: OpenPage, run_id: str) -> None:
    page = open_page()
    for place in (*PLACES, f"#/run/{run_id}"):
        shown(page, place)
        for name, check in CHECKS.items():
            assert page.evaluate(check) == [], (place, name)


def test_the_token_is_asked_for_in_words(open_page: OpenPage) -> None:
    page = open_page()
    page.evaluate("sessionStorage.clear(); location.hash = '#/history';")
    page.reload()
    page.wait_for_selector("dialog")
    assert page.evaluate(TYPED) == []
    assert page.evaluate("document.activeElement.id") == "token"


@pytest.mark.parametrize(
    ("address", "heading", "way_on"),
    [
        ("VELQ?day=abc", "No data of VELQ on abc", "Show it on"),
        ("VELQ?day=2999-01-01", "No data of VELQ on 2999-01-01", "Show it on"),
        ("XYZZY", "No company XYZZY", "Start page"),
        ("../chat/s-nope", "No such conversation", "New chat"),
    ],
)
def test_the_heading_says_what_is_missing(open_page: OpenPage, address: str, heading: str, way_on: str) -> None:
    page = open_page(f"#/company/{address}".replace("company/../", ""))
    page.wait_for_selector(".error")
    page.get_by_text(way_on).first.wait_for()
    assert page.inner_text("h1") == heading


def test_a_waiting_run_is_told_without_a_command(open_page: OpenPage, site: Site) -> None:
    request = {"ticker": "MODZ", "day": DAY, "approve": True}
    task = site.ask("/v1/tasks", {"kind": "analyze", "request": request})
    assert site.ended(task["task_id"])["status"] == "awaiting_approval"
    page = open_page("#/history")
    page.wait_for_selector("table")
    assert page.evaluate(TYPED) == []
    row = page.locator("tr", has_text="MODZ: analysis of")
    assert row.locator(".finding").inner_text().endswith("awaits approval.")
    assert "MODZ: analysis of" in page.locator("section.card a").first.inner_text()
    site.ask(f"/v1/tasks/{task['task_id']}/cancel", {})


def test_the_latest_runs_say_what_they_found(open_page: OpenPage, site: Site) -> None:
    question = {"question": "What is the price of VELQ?", "day": DAY}
    site.ended(site.ask("/v1/tasks", {"kind": "research", "request": question})["task_id"])
    page = open_page("#/home")
    found = page.locator(".latest li", has_text="What is the price of VELQ?").first.locator(".finding")
    found.wait_for()
    assert "96.58 USD" in found.inner_text()
    assert "no language model" not in found.inner_text()


def test_a_data_folder_that_is_gone_is_said_once(browser: Browser, tmp_path: Path) -> None:
    data = ("--data-vendor", "snapshot", "--data-dir", str(tmp_path / "gone"))
    with serving(tmp_path / "home", *data) as site:
        page = browser.new_page()
        page.goto(site.address)
        page.wait_for_selector("main .error")
        page.wait_for_function(DRAWN)
        assert page.locator("main", has_text="There is no folder").count() == 1
        assert page.get_by_text("There is no folder").count() == 1
        assert page.evaluate(IDENTIFIERS) == page.evaluate(TYPED) == []
        page.evaluate("location.hash = '#/company/NVDA'")
        page.wait_for_selector("main h1:has-text('The data cannot be read')")
        page.close()
