"""The report file on its own: a table of contents, long parts that fold, no long page, by keyboard and on paper."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tests.support.web_page import Site

if TYPE_CHECKING:
    from playwright.sync_api import Browser

MOST = 8_000
"""Pixels of height on a screen 1280 wide."""
HEIGHT = "document.documentElement.scrollHeight"
SHEET = "#data > .lead"


def test_the_file_has_contents_folds_what_is_long_and_prints_whole(site: Site, browser: Browser, run_id: str) -> None:
    page = browser.new_page(viewport={"width": 1280, "height": 900})
    try:
        page.goto((site.home / "runs" / run_id / "reports" / "report.html").as_uri())
        contents = page.locator("nav[aria-label=Sections] a")
        named = {address.removeprefix("#") for address in contents.evaluate_all("all => all.map(a => a.hash)")}
        there = page.evaluate("names => names.filter(name => document.getElementById(name))", sorted(named))
        assert named == set(there) != set()
        assert page.evaluate(HEIGHT) < MOST
        assert not page.locator(SHEET).first.is_visible()
        page.focus(".part > summary:has-text('Data sheet')")
        page.keyboard.press("Enter")
        assert page.locator(SHEET).first.is_visible()
        page.keyboard.press("Enter")
        assert not page.locator(SHEET).first.is_visible()
        page.focus("nav a[href='#data']")
        page.keyboard.press("Enter")  # what leads into a folded part opens it
        page.locator(SHEET).first.wait_for()
        page.reload()
        page.goto(page.url.partition("#")[0])
        folded = page.evaluate(HEIGHT)
        page.emulate_media(media="print")
        assert page.locator("details:not([open])").count()
        assert page.evaluate(HEIGHT) > folded + 1_000
        row = page.locator("#data table tr").last.bounding_box()
        assert row is not None
        assert row["height"] > 5
    finally:
        page.close()
