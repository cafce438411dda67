"""Paper accounts in a real browser: run from the form, next to the benchmark, listed, verified; wide and narrow."""

from __future__ import annotations

import shutil
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest

from tests.support.web_page import Site
from tradingagents.features.backtest.paper.account import PaperAccount
from tradingagents.features.backtest.paper.plan import PaperPlan

if TYPE_CHECKING:
    from playwright.sync_api import Page

    from tests.service.web.conftest import OpenPage

FITS = "document.documentElement.scrollWidth <= document.documentElement.clientWidth"


def start(open_page: OpenPage, account: str, day: str) -> Page:
    page = open_page(f"#/new?kind=paper_run&account={account}")
    page.wait_for_selector("[name=account]")
    assert page.input_value("[name=account]") == account
    page.fill("[name=day]", day)
    page.click("button[type=submit]")
    page.wait_for_selector(".chip:has-text('done')")
    return page


def test_an_account_is_run_and_shown_next_to_its_benchmark(site: Site, open_page: OpenPage) -> None:
    shutil.rmtree(site.home / "paper", ignore_errors=True)  # accounts of other tests
    empty = open_page("#/paper")
    empty.wait_for_selector("text=There is no paper account yet")
    PaperAccount.create(site.home, PaperPlan(name="swing", tickers=("VELQ", "OMBZ")))
    start(open_page, "swing", "2024-10-01")
    page = start(open_page, "swing", "2024-10-08")
    page.wait_for_selector(".report-page figure.chart.wide svg")
    page.click("a:has-text('All accounts')")
    page.click("a:has-text('swing')")
    page.wait_for_selector("h1:has-text('Paper account swing')")
    page.wait_for_selector(".report-page figure.chart.wide svg")
    status = site.ask("/v1/capabilities/paper_accounts", {"arguments": {"account": "swing"}})["result"]["status"]
    shown = page.inner_text("main")
    for said in (
        f"{status['equity']:,.2f} USD",
        "Nothing was decided on 4 sessions",
        "The proposed BUY stands",
        "BUY, strength",
    ):
        assert said in shown
    for chapter in ("Positions", "Decisions", "Orders", "Costs and plan"):
        assert chapter in shown
    page.click("button:has-text('Verify')")
    page.wait_for_selector("text=6 sessions and 4 decisions agree")
    assert page.evaluate(FITS)


def test_the_list_and_an_account_fit_a_phone(site: Site, open_page: OpenPage) -> None:
    PaperAccount.create(site.home, PaperPlan(name="phone", tickers=("VELQ",)))
    for day in ("2024-10-01", "2024-10-02"):  # one session makes no line
        start(open_page, "phone", day)
    page = open_page("#/portfolio", width=400)
    page.click("a:has-text('Paper accounts')")
    page.wait_for_selector("a:has-text('phone')")
    assert page.evaluate(FITS)
    page.click("a:has-text('phone')")
    page.wait_for_selector(".report-page figure.chart.narrow svg")
    assert page.evaluate(FITS)
    page.click("a:has-text('Run it')")
    page.wait_for_selector("[name=account]")
    assert page.evaluate(FITS)


def test_forward_records_are_listed_and_revealed(site: Site, open_page: OpenPage) -> None:
    page = open_page("#/paper", width=400)
    page.wait_for_selector("#forward-records :text('There is no forward record yet')")
    for words in (("start", "shown", "--tickers", "VELQ"), ("run", "shown", "--offline", "--date", "2024-10-01")):
        command = (sys.executable, "-m", "tradingagents", "record", *words, "--quiet", "--home", str(site.home))
        subprocess.run(command, check=True)
    page = open_page("#/paper", width=400)
    page.wait_for_selector("#forward-records td:has-text('2024-10-01 to 2024-10-01')")
    page.click("button:has-text('Reveal')")
    page.wait_for_selector("#forward-records [role=status]:has-text('shown: revealed 2024-10-01.')")
    page.wait_for_selector("#forward-records td:has-text('0.00%')")
    page.click("button:has-text('Reveal')")
    page.wait_for_selector("#forward-records [role=status]:has-text('no session can be revealed now')")
    assert page.evaluate(FITS)
    for folder in ("records", "paper"):
        shutil.rmtree(site.home / folder)


@pytest.mark.parametrize("name", ["..%2Fmain", "nobody", "<b>x"])
def test_a_wrong_name_is_an_error_in_words(open_page: OpenPage, name: str) -> None:
    page = open_page(f"#/paper/{name}")
    page.wait_for_selector("[role=alert]")
    said = page.inner_text("[role=alert]")
    assert "no name for a paper account" in said or "There is no paper account nobody" in said
