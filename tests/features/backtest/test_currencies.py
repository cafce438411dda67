"""Other currencies: converted at rates that were known, with their cost, or refused with words; and joint calendars."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, date, datetime, time, timedelta
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from cli.flags import Flags, read_settings
from tests.features.backtest.market import made_prices
from tests.support.snapshot_folder import price_row, write_snapshot
from tradingagents.dataflows.reference.calendar import sessions
from tradingagents.errors import NoData, UsageError
from tradingagents.features.backtest.advance import AccountRules
from tradingagents.features.backtest.broker import TradingCosts
from tradingagents.features.backtest.financing.currencies import ExchangeRate, in_currency, read_rate
from tradingagents.features.backtest.ledger import BookLedger
from tradingagents.features.backtest.limits import RiskLimits
from tradingagents.features.backtest.market import joint_sessions
from tradingagents.features.backtest.paper.account import PaperAccount
from tradingagents.features.backtest.paper.plan import PaperPlan
from tradingagents.features.backtest.paper.prices import PaperMarket
from tradingagents.features.backtest.paper.run import run_paper
from tradingagents.features.backtest.postings import OrderFill
from tradingagents.features.backtest.request import BacktestRequest
from tradingagents.features.backtest.run import backtest
from tradingagents.features.backtest.score import run_account
from tradingagents.runtime.services import Services, open_services

FIRST, LAST = date(2025, 2, 3), date(2025, 3, 14)


def services_of(folder: Path, home: Path) -> Services:
    return open_services(read_settings(Flags(offline=True, home=home, data_dir=folder), {}), {})


def add_rows(folder: Path, rows: list[dict[str, Any]]) -> Path:
    """Add prices to a recorded folder, with their currencies."""
    path = folder / "prices.parquet"
    table = pq.ParquetFile(path).read()
    schema = table.schema.append(pa.field("currency", pa.string()))
    known = [{"currency": "USD", **row} for row in table.to_pylist()]
    pq.write_table(pa.Table.from_pylist([*known, *rows], schema=schema), path)
    return folder


def days_in(exchange: str) -> tuple[date, ...]:
    return sessions(exchange).between(FIRST - timedelta(days=60), LAST)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A recorded folder with a stock in Frankfurt, one in London in pence, and rates that rise by 1 % a day."""
    made = write_snapshot(tmp_path_factory.mktemp("fx"), first=date(2024, 1, 2), last=LAST)
    rows = [
        price_row("EURQ.DE", day, 51.0, currency="EUR", volume=1_000_000, open=50.0, low=50.0)
        for day in days_in("XETR")
    ]
    rows += [price_row("PNCQ.L", day, 400.0, currency="GBp", volume=1_000_000) for day in days_in("XLON")]
    rows += [price_row("YENQ.T", day, 400.0, currency="JPY", volume=1_000_000) for day in days_in("XTKS")]
    for pair, start in (("EURUSD=X", 1.0), ("USDGBP=X", 0.8)):
        rows += [
            price_row(pair, day, start * 1.01**n, currency=pair[3:6], volume=0) for n, day in enumerate(days_in("24/5"))
        ]
    with (made / "actions.csv").open("a", encoding="utf-8") as listed:
        listed.write("TLT,2024-06-03,dividend,0.01\n")  # a fund of bonds without any is no baseline
    return add_rows(made, rows)


def test_a_price_is_worth_the_last_rate_that_was_known_then():
    days = sessions().between(date(2025, 3, 3), date(2025, 3, 7))
    prices = made_prices("A", days, [10] * 5, dividends=[(days[2], 1.0)])
    closes = [datetime.combine(day, time(0), UTC) + timedelta(days=1) for day in days]  # known at midnight
    rate = ExchangeRate("EURUSD=X", tuple(closes), np.array([1.1, 1.2, 1.3, 1.4, 1.5]))
    found = in_currency(prices, rate, "USD", 0.01)
    assert [day.item() for day in found.days] == list(days[1:])  # no rate was known on the first day
    assert found.close.tolist() == pytest.approx([11, 12, 13, 14])  # that of the day before
    assert [one.amount for one in found.dividends] == pytest.approx([1.2 * 0.99])
    assert found.currency == "USD"
    stale = ExchangeRate("EURUSD=X", (datetime(2025, 2, 1, tzinfo=UTC),), np.array([1.1]))
    assert len(in_currency(prices, stale, "USD", 0.01)) == 0


def test_rates_come_from_either_pair_and_hundredths_are_counted(folder: Path, tmp_path: Path):
    services, span = services_of(folder, tmp_path), (FIRST, LAST)
    euro, pence = read_rate(services, "EUR", "USD", span), read_rate(services, "GBp", "USD", span)
    assert (euro.pair, pence.pair) == ("EURUSD=X", "USDGBP=X")
    noon = datetime(2025, 3, 5, 12, tzinfo=UTC)
    count = len([day for day in days_in("24/5") if day < noon.date()]) - 1
    assert euro.at([noon])[0] == pytest.approx(1.01**count, rel=1e-6)
    assert pence.at([noon])[0] == pytest.approx(0.01 / (0.8 * 1.01**count), rel=1e-6)
    assert read_rate(services, "GBp", "GBP", span).at([noon])[0] == 0.01
    with pytest.raises(NoData, match=r"No exchange rate from JPY to USD is known \(JPYUSD=X\)"):
        read_rate(services, "JPY", "USD", span)


def test_a_foreign_position_is_bought_and_marked_in_the_currency_of_the_account(folder: Path, tmp_path: Path):
    plan = PaperPlan(tickers=("EURQ.DE",), costs=TradingCosts(0.0, 0.0, 0.0, 0.0, 1.0, 0.01))
    market = PaperMarket(services_of(folder, tmp_path), plan, BookLedger(), plan.tickers)
    days = market.calendar.between(FIRST, LAST)
    market.read(days)
    assert market.foreign == {"EURQ.DE"}
    table = market.table(days[-1])
    limits = RiskLimits(max_position=1.0, max_sector=1.0)
    rules = AccountRules(10_000.0, plan.costs, limits, least_trade=0.0, foreign=market.foreign)
    account = run_account(table, days, rules, lambda day, _held: {"EURQ.DE": 0.5} if day == days[0] else None)
    (fill,) = (one for line in account.ledger.lines for one in line.postings if isinstance(one, OrderFill))
    worth = {day: n for n, day in enumerate(days_in("24/5"))}

    def rate(day: date) -> float:
        """Return the rate of the day before, the last that was known during it."""
        return float(1.01 ** (max(n for one, n in worth.items() if one < day)))

    assert fill.price == pytest.approx(50 * rate(days[1]) * 1.01, rel=1e-6)
    assert fill.slippage == pytest.approx(fill.value - fill.value / 1.01, abs=2)
    last = account.ledger.lines[-1].mark
    assert last.prices["EURQ.DE"] == pytest.approx(51 * rate(days[-1]), rel=1e-6)
    assert market.cost(3.0, days[5]) == 3.0


async def test_an_account_of_three_exchanges_and_currencies_runs_and_an_unknown_rate_stops_it(
    folder: Path, tmp_path: Path
):
    PaperAccount.create(tmp_path, PaperPlan(tickers=("DOVQ", "EURQ.DE", "PNCQ.L")))
    services = services_of(folder, tmp_path)
    for day in (date(2025, 2, 14), date(2025, 2, 18)):  # in between New York has a holiday, and Frankfurt trades
        found = await run_paper(services, day=day)
    assert [mark.day for mark in found.sessions] == [date(2025, 2, 17), date(2025, 2, 18)]
    PaperAccount.create(tmp_path, PaperPlan(name="yen", tickers=("DOVQ", "YENQ.T")))
    with pytest.raises(NoData, match="leave the tickers in JPY out"):
        await run_paper(services, "yen", date(2025, 2, 14))
    PaperAccount.create(tmp_path, PaperPlan(name="euro", tickers=("EURQ.DE",), currency="EUR", benchmark="EURQ.DE"))
    assert len((await run_paper(services, "euro", date(2025, 2, 14))).sessions) == 1


def test_exchanges_that_open_before_others_close_cannot_share_an_account():
    joint = joint_sessions(["XNYS", "XETR", "XNYS"])
    new_york, frankfurt = sessions("XNYS"), sessions("XETR")
    span = (date(2024, 1, 1), date(2024, 12, 31))
    assert set(joint.between(*span)) == {*new_york.between(*span), *frankfurt.between(*span)}
    day = date(2024, 6, 5)
    assert joint.close_of(day) == new_york.close_of(day)
    assert joint.opens[joint.days.index(day)] == frankfurt.opens[frankfurt.days.index(day)]
    assert joint_sessions(["XNYS"]) is new_york
    with pytest.raises(UsageError, match="cannot share an account"):
        joint_sessions(["XASX", "24/7"])


async def test_a_backtest_converts_if_the_currency_is_named_and_adds_up_nothing_otherwise(folder: Path, tmp_path: Path):
    services = services_of(folder, tmp_path)
    asked = BacktestRequest(tickers=("DOVQ", "EURQ.DE"), start=FIRST, end=date(2025, 2, 28), every=9, currency="USD")
    found = await backtest(services, asked)
    held = found.accounts["buy_and_hold"].ledger
    assert set(held.book.shares) == {"DOVQ", "EURQ.DE"}
    assert found.record["currency"] == "USD"
    assert "The prices of EURQ.DE were converted to USD" in " ".join(found.record["warnings"])
    price = held.lines[-1].mark.prices["EURQ.DE"]
    steps = len([day for day in days_in("24/5") if day < date(2025, 2, 28)]) - 1
    assert price == pytest.approx(51 * 1.01**steps, rel=1e-6)
    with pytest.raises(UsageError, match="unless the account's currency is named"):
        await backtest(services, replace(asked, currency=None))
    with pytest.raises(NoData, match="No exchange rate from JPY to USD"):
        await backtest(services, replace(asked, tickers=("YENQ.T",)))
    alone = await backtest(services, replace(asked, tickers=("EURQ.DE",), currency=None))
    day = date(2025, 2, 27)
    dollars, rate = found.table.close("TLT", day), 1.01 ** (len([one for one in days_in("24/5") if one < day]) - 1)
    assert dollars is not None
    assert alone.record["currency"] == "EUR"
    assert alone.table.close("TLT", day) == pytest.approx(dollars / rate, rel=1e-6)
    yen = await backtest(services, replace(asked, tickers=("YENQ.T",), currency=None))
    assert (yen.record["currency"], yen.record["funds"]) == ("JPY", [])  # no rate from the dollar is known
