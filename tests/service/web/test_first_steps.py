"""What a person meets first on the page: a ticker that is not there, recorded data, a question about a run."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import pytest

from tests.support.snapshot_folder import LAST, write_snapshot
from tests.support.web_page import Site, serving

if TYPE_CHECKING:
    from playwright.sync_api import Browser

    from tests.service.web.conftest import OpenPage

DAY = "2025-03-14"
UNKNOWN = "AAPL does not exist in the simulated market"


def test_a_ticker_that_is_not_there_is_said_and_can_be_changed(open_page: OpenPage, site: Site) -> None:
    page = open_page("#/new")
    page.fill("[name=ticker]", "AAPL")
    page.fill("[name=day]", DAY)
    page.click("text=Start")
    page.wait_for_selector(".error:visible")
    page.wait_for_selector(".chip.status-failed")
    said = page.inner_text("main")
    assert UNKNOWN in said
    assert "see tradingagents runs list" not in said
    assert page.locator("text=Starting…").count() == 0
    assert page.locator(".spinner").count() == 0
    assert page.locator("button:has-text('Resume'), a:has-text('Permanent page')").count() == 0
    (task,) = [one for one in site.ask("/v1/tasks") if one["title"] == f"AAPL {DAY}"]
    assert (task["resumable"], task["run_ids"], task["error"]["code"]) == (False, [], "no_data")
    page.click("text=Change the request")
    page.wait_for_selector("form.start")
    assert page.input_value("[name=ticker]") == "AAPL"
    assert page.input_value("[name=day]") == DAY


def test_a_question_about_a_run_is_asked_from_the_form(open_page: OpenPage, site: Site) -> None:
    asked = {"kind": "debate", "request": {"ticker": "VELQ", "day": DAY, "offline": True}}
    (run_id,) = site.ended(site.ask("/v1/tasks", asked)["task_id"])["run_ids"]
    page = open_page(f"#/run/{run_id}")
    page.wait_for_selector("role=tab[name=Verdict]")
    assert "conviction" in page.inner_text("[role=tabpanel]:visible").lower()
    assert "This run has no decision" not in page.inner_text("main")
    page.evaluate("location.hash = '#/new?kind=run_question'")
    page.wait_for_selector("form.start [name=run]:visible")
    page.wait_for_selector(f"option[value='{run_id}']", state="attached")
    page.fill("[name=run]", run_id)
    page.fill("[name=question]", "What would change your mind?")
    page.click("text=Start")
    page.wait_for_selector(".chip.status-done")
    page.goto(f"{site.origin}/#/history")
    row = page.locator("tr", has=page.locator(f"a[href='#/run/{run_id}']"))
    assert "of 10" in row.inner_text()
    assert "Simulated market" in row.inner_text()


@pytest.fixture(scope="module")
def recorded(tmp_path_factory: pytest.TempPathFactory, browser: Browser) -> Iterator[Site]:
    """A server on a folder of recorded data."""
    folder = write_snapshot(tmp_path_factory.mktemp("recorded") / "data")
    with serving(tmp_path_factory.mktemp("home"), "--data-dir", str(folder)) as running:
        yield running


def test_a_server_on_recorded_data_analyses_them_on_the_last_recorded_day(browser: Browser, recorded: Site) -> None:
    page = browser.new_page()
    try:
        page.goto(recorded.address)
        page.click("a:has-text('Analyze a stock')")
        page.wait_for_selector("form.start")
        assert page.input_value("[name=day]") == LAST.isoformat()
        assert page.get_attribute("[name=day]", "max") == LAST.isoformat()
        assert f"recorded data to {LAST}" in page.inner_text(".field.check label")
        page.fill("[name=ticker]", "ACMQ")
        page.click("text=Start")
        page.wait_for_selector(".decision .badge:visible", timeout=60_000)
        assert "Simulated" not in page.inner_text("main")
        for route in ("watchlist", "data/get_stock_data"):
            page.evaluate(f"location.hash = '#/{route}'")
            page.wait_for_selector("#watch-day, #data-day")
            assert page.input_value("#watch-day, #data-day") == LAST.isoformat()
    finally:
        page.close()
    (run,) = recorded.ask("/v1/runs")
    assert (run["ticker"], run["day"], run["market"]) == ("ACMQ", LAST.isoformat(), "real")
    card = recorded.ask(f"/v1/runs/{run['run_id']}")
    assert (
        {"snapshot"} <= {row["vendor"] for row in card["data_sheet"]} <= {"snapshot", "recorded", "snapshot+recorded"}
    )
    answer = recorded.ask("/v1/capabilities/market_snapshot", {"arguments": {"ticker": "ACMQ"}})
    assert answer["as_of"] == LAST.isoformat()
