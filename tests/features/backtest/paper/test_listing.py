"""Lists of paper accounts and the page of one: as of a day, from what has changed, damaged ones beside others."""

from __future__ import annotations

import asyncio
import shutil
from datetime import date
from pathlib import Path

import pytest

from tests.features.backtest.paper.test_paper import DAYS, PLAN, TICKERS, services_in
from tests.support.opened_files import opened_files
from tradingagents.features.backtest.paper.account import PaperAccount
from tradingagents.features.backtest.paper.journal import paper_days, paper_orders, rationale_of, undecided_sessions
from tradingagents.features.backtest.paper.page import paper_document
from tradingagents.features.backtest.paper.plan import PaperPlan
from tradingagents.features.backtest.paper.run import run_paper
from tradingagents.features.backtest.paper.status import list_paper_accounts, paper_status, status_of
from tradingagents.features.backtest.postings import Order, OrderFill, OrderRest
from tradingagents.reports.render.html import to_html
from tradingagents.reports.render.markdown import to_markdown

LEDGER = "paper/main/ledger.jsonl"


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An account run on two days with a gap between them, and one that was never run."""
    found = tmp_path_factory.mktemp("listing")
    PaperAccount.create(found, PLAN)
    PaperAccount.create(found, PaperPlan(name="new"))
    for day in (DAYS[0], DAYS[5]):
        asyncio.run(run_paper(services_in(found), day=day))
    return found


def test_a_list_reads_the_ledgers_that_have_changed(home: Path, tmp_path: Path):
    home = Path(shutil.copytree(home, tmp_path / "copy"))  # which no other test has listed
    with opened_files() as first:
        run, new = list_paper_accounts(home)
    assert [path for path in first if path.endswith(LEDGER)]
    status = paper_status(home)
    assert (run.account, run.equity, run.benchmark_return) == ("main", status.equity, status.benchmark_return)
    assert (run.sessions, run.positions, run.orders) == (6, len(status.positions), len(status.orders))
    assert (new.account, new.tickers, new.last_session, new.equity) == ("new", (), None, 100_000.0)
    with opened_files() as second:
        assert list_paper_accounts(home) == (run, new)
    assert [Path(path).name for path in second if str(home) in path] == ["index.json"]

    ledger = home / LEDGER
    whole = ledger.read_bytes()
    ledger.write_bytes(whole.replace(b'"action":"BUY"', b'"action":"SELL"', 1))
    damaged, _ = list_paper_accounts(home)
    assert "was changed" in damaged.error
    ledger.write_bytes(whole)
    assert list_paper_accounts(home) == (run, new)


def test_accounts_are_shown_as_they_stood_on_the_day_of_the_question(home: Path):
    then, _ = list_paper_accounts(home, DAYS[2])
    assert (then.last_session, then.sessions) == (DAYS[2], 3)
    assert [one.account for one in list_paper_accounts(home, date(2024, 9, 30))] == ["new"]
    account = PaperAccount(home, "main")
    ledger = account.read_ledger()
    for number, line in enumerate(ledger.lines):
        cut = ledger.upto(line.mark.day)
        assert (len(cut.lines), cut.head, cut.content) == (number + 1, line.hash, b"".join(_lines(home)[: number + 1]))
        assert status_of(account.plan, cut, line.mark.day).equity == line.mark.equity / 100
    assert ledger.upto(date(2030, 1, 1)) is ledger


def _lines(home: Path) -> list[bytes]:
    return (home / LEDGER).read_bytes().splitlines(keepends=True)


def test_orders_have_their_reason_and_what_became_of_them(home: Path):
    ledger = PaperAccount(home, "main").read_ledger()
    given = [(line.mark.day, one) for line in ledger.lines for one in line.postings if isinstance(one, Order)]
    found = paper_orders(ledger)
    assert [(one.decided, one.symbol, one.shares) for one in found] == [(d, o.symbol, o.shares) for d, o in given]
    fills = {(line.mark.day, one.symbol): one for line in ledger.lines for one in line.postings
             if isinstance(one, OrderFill)}  # fmt: skip
    rests = [one for line in ledger.lines for one in line.postings if isinstance(one, OrderRest)]
    assert {(one.traded, one.symbol): one.filled for one in found if one.traded} == {
        key: one.shares for key, one in fills.items()
    }
    assert len([one for one in found if one.unfilled]) == len(rests)
    assert all(one.decided < one.traded for one in found if one.traded)
    bought = next(one for one in found if one.shares > 0)
    assert bought.reason.startswith("BUY, strength ")
    reasons = rationale_of(home, [bought.key, "0" * 64, ""])
    assert set(reasons) == {bought.key}


def test_an_account_next_to_its_benchmark_ends_where_its_status_says(home: Path):
    ledger, status = PaperAccount(home, "main").read_ledger(), paper_status(home)
    days = paper_days(ledger, PLAN.deposit)
    assert [one.day for one in days] == DAYS[:6]
    assert days[0].benchmark == PLAN.deposit
    assert status.benchmark_return is not None
    assert days[-1].benchmark == pytest.approx(PLAN.deposit * (1 + status.benchmark_return))
    assert days[-1].equity == status.equity


def test_warnings_name_sessions_without_a_run_and_those_since(home: Path):
    ledger = PaperAccount(home, "main").read_ledger()
    assert undecided_sessions(ledger, PLAN.every) == (DAYS[2], DAYS[3], DAYS[4])
    missed = "Nothing was decided on 3 sessions (2024-10-03 to 2024-10-07)"
    assert [one.split(" on which")[0] for one in paper_status(home, until=DAYS[5]).warnings] == [missed]
    behind, *_ = paper_status(home, until=date(2024, 10, 12)).warnings
    assert behind == "3 sessions have closed since 2024-10-08; run the account again."


def test_the_page_and_the_text_say_what_the_status_says(home: Path):
    status = paper_status(home, until=DAYS[5])
    document = paper_document(home, status, PaperAccount(home, "main").read_ledger())
    page, text = to_html(document), to_markdown(document)
    for said in (f"{status.equity:,.2f} USD", *status.warnings, *TICKERS, "The proposed", "at the next open"):
        assert said in page
        assert said in text
    assert page.count("<svg") == 2
    assert "<script" not in page
    new = PaperAccount(home, "new")
    empty = to_markdown(paper_document(home, paper_status(home, "new"), new.read_ledger()))
    assert "Nothing has been decided yet." in empty
    assert "not run yet" in empty
