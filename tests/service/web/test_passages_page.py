"""Passages of filings in a real browser: found on a company's page, cited by an answer, and read on their page."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import pytest

from tests.support.warm import WarmProcess
from tests.support.web_page import Site, serving

if TYPE_CHECKING:
    from playwright.sync_api import Browser

    from tests.service.web.conftest import OpenPage

DAY = "2025-03-14"


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory, browser: Browser) -> Iterator[Site]:
    """A server whose home holds the filings of VELQ."""
    home = tmp_path_factory.mktemp("home")
    command = ["-m", "tradingagents", "filings", "add", "VELQ", "--offline", "--quiet", "--home", str(home)]
    assert WarmProcess(command).wait(timeout=120) == 0
    with serving(home) as running:
        yield running


def test_a_passage_is_found_on_the_companys_page_and_read_where_it_stands(open_page: OpenPage, site: Site) -> None:
    page = open_page(f"#/company/VELQ?day={DAY}")
    page.wait_for_selector("#passage-query")
    asked = {"arguments": {"query": "gross margin", "ticker": "VELQ", "limit": 5}, "as_of": DAY}
    (first, *_) = site.ask("/v1/capabilities/search_filings", asked)["result"]["passages"]
    page.fill("#passage-query", "gross margin")
    page.keyboard.press("Enter")
    page.wait_for_selector(".passages blockquote")
    assert f"{first['document']}, page {first['page']}" in page.inner_text(".passages li >> nth=0")
    assert words(first["text"]) == words(page.inner_text(".passages blockquote >> nth=0"))
    page.click(".passages li >> nth=0 >> a:text-is('Read the page')")
    page.wait_for_selector(".answer blockquote")
    assert " ".join(words(first["text"])[:8]) in " ".join(words(page.inner_text(".answer")))
    days = page.locator("#block-filings td:nth-child(2)")
    page.go_back()
    days.first.wait_for()
    span = {"ticker": "VELQ", "start_date": "2024-03-14", "end_date": DAY}
    listed = site.ask("/v1/capabilities/get_filings", {"arguments": span, "as_of": DAY})["result"]
    assert days.all_inner_texts() == [one["filed_on"] for one in listed["filings"]]


def words(text: str) -> list[str]:
    return text.split()


def test_a_company_without_stored_filings_says_how_to_store_them(open_page: OpenPage) -> None:
    page = open_page(f"#/company/PIXZ?day={DAY}")
    page.wait_for_selector("#block-filings:not([aria-busy])")
    assert "tradingagents filings add PIXZ" in page.inner_text("#block-filings")
    assert page.locator("#passage-query").count() == 0


def test_citations_of_an_answer_open_what_they_cite(open_page: OpenPage, site: Site) -> None:
    page = open_page("#/new?kind=filings_question")
    page.fill("[name=question]", "What does VELQ say about its gross margin?")
    page.fill("[name=day]", DAY)
    page.press("[name=question]", "Enter")
    page.wait_for_selector(".chip.status-done", timeout=60_000)
    (run,) = site.ask("/v1/runs")
    card = site.ask(f"/v1/runs/{run['run_id']}")
    citation = page.locator(".prose button.figure").first
    label = citation.inner_text().strip("[]")
    source = next(one for one in card["sources"] if one["label"] == label)
    citation.click()
    shown = page.inner_text("dialog")
    assert f"{source['name']}, page {source['page'] + 1}" in shown
    assert words(source["text"])[:6] == words(page.inner_text("dialog blockquote"))[:6]
    page.click("dialog a:text-is('Read the page')")
    page.wait_for_selector(".answer blockquote")
    assert page.locator("dialog").count() == 0
    assert source["name"] in page.inner_text(".answer")
