"""A recording that stops, a halt, a delisting, a merger for cash and one for shares are five things."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from datetime import date
from pathlib import Path

import numpy as np
import pytest

from tests.features.backtest.market import NO_COSTS, days_of, made_prices, table_of
from tests.test_thin_prices import SYMBOL, folder_with, halt
from tradingagents.dataflows.models import ListingEnd, Split
from tradingagents.errors import NoData, UsageError
from tradingagents.features.backtest.advance import AccountRules
from tradingagents.features.backtest.audit.second.book import SecondBook, SecondTrader, StatedCosts
from tradingagents.features.backtest.audit.second.prices import history_of
from tradingagents.features.backtest.financing.listing_ends import funds_to_the_end
from tradingagents.features.backtest.limits import RiskLimits, ShortRules
from tradingagents.features.backtest.market import BacktestMarket, read_market
from tradingagents.features.backtest.pages.trades import trade_rows
from tradingagents.features.backtest.postings import Delisting, Merger, OrderRest, Posting
from tradingagents.features.backtest.request import BacktestRequest
from tradingagents.features.backtest.score import Account, run_account
from tradingagents.features.backtest.strategies import constant_targets
from tradingagents.runtime.services import open_services
from tradingagents.settings import load_settings

DAYS = days_of(40)
ENDS = DAYS[25]
RULES = AccountRules(costs=NO_COSTS, limits=RiskLimits(5, 1.0, 1.0, 0.0), deposit=1_000.0)
OTHER = made_prices("B", DAYS, [20.0] * 40)


def ending(end: ListingEnd | None, weights: Mapping[str, float] | None = None, **more: object) -> Account:
    """An account that has bought 50 shares of A at 10 when A trades for the last time, at 12, the day before `ENDS`."""
    prices = made_prices("A", DAYS, [10.0] * 24 + [12.0] * 16, missing=DAYS[25:], ended=end)
    table = table_of(prices, more.pop("other", OTHER), days=DAYS)  # type: ignore[arg-type]
    targets = constant_targets(weights or {"A": 0.5}, DAYS[:1])
    return run_account(table, DAYS, replace(RULES, **more), targets)  # type: ignore[arg-type]


def of_kind(account: Account, kind: type[Posting]) -> list[tuple[date, Posting]]:
    return [(line.mark.day, one) for line in account.ledger.lines for one in line.postings if isinstance(one, kind)]


def test_bars_that_stop_are_no_end():
    account = ending(None)
    assert of_kind(account, Delisting) == []
    assert account.ledger.book.shares == {"A": 50}
    assert account.ledger.lines[-1].mark.equity == 110_000


def test_a_delisting_closes_at_the_last_close_where_nothing_else_is_known():
    assert of_kind(ending(ListingEnd(ENDS, "delisted")), Delisting) == [(ENDS, Delisting("A", 50, 12.0, 60_000))]


def test_a_delisting_closes_at_what_holders_got_even_at_nothing():
    for cash in (0.0, 3.5):
        account = ending(ListingEnd(ENDS, "delisted", cash))
        assert of_kind(account, Delisting) == [(ENDS, Delisting("A", 50, cash, round(5_000 * cash)))]
        assert account.ledger.book.cash == 50_000 + round(5_000 * cash)


def test_a_delisting_after_a_halt_comes_on_its_day():
    account = ending(ListingEnd(DAYS[30], "delisted"))
    assert [day for day, _ in of_kind(account, Delisting)] == [DAYS[30]]


def test_a_merger_for_cash_pays_the_cash():
    assert of_kind(ending(ListingEnd(ENDS, "merged", 13.0)), Delisting) == [(ENDS, Delisting("A", 50, 13.0, 65_000))]


def test_a_merger_for_shares_gives_shares_and_pays_the_fraction_by_hand():
    account = ending(ListingEnd(ENDS, "merged", 1.0, "B", 0.33))  # 16.5 shares of 20, and 50 x 1.00
    assert of_kind(account, Merger) == [(ENDS, Merger("A", 50, "B", 16, 32_000, 6_000))]
    assert of_kind(account, Delisting) == []
    book = account.ledger.book
    assert (book.shares, book.cash, book.realised) == ({"B": 16}, 56_000, 38_000 - 50_000)
    assert account.ledger.lines[-1].mark.equity == 56_000 + 32_000
    ended = list(trade_rows(account.ledger, {}))[-1]
    assert (ended.side, ended.price, ended.reason) == ("merged", 7.6, "merged; 16 shares of B and 60.00 in cash")


def test_received_shares_join_those_that_are_held_and_get_no_dividend_of_their_day():
    other = made_prices("B", DAYS, [20.0] * 40, dividends=[(ENDS, 1.0), (DAYS[27], 1.0)])
    account = ending(ListingEnd(ENDS, "merged", None, "B", 0.5), {"A": 0.5, "B": 0.4}, other=other)
    assert account.ledger.book.shares == {"B": 20 + 25}
    assert account.ledger.book.dividends == 2_000 + 4_500


def test_a_short_position_owes_the_shares_and_pays_the_cash():
    shorts = ShortRules(max_short=1.0, borrow_bp=0.0)
    account = ending(ListingEnd(ENDS, "merged", 1.0, "B", 0.33), {"A": -0.5}, shorts=shorts)
    assert of_kind(account, Merger) == [(ENDS, Merger("A", -50, "B", -16, -32_000, -6_000))]
    assert account.ledger.book.shares == {"B": -16}


def test_a_position_of_the_other_side_is_not_netted_against_the_merger():
    shorts = ShortRules(max_short=1.0, borrow_bp=0.0)
    account = ending(ListingEnd(ENDS, "merged", 1.0, "B", 0.5), {"A": 0.5, "B": -0.2}, shorts=shorts)
    assert of_kind(account, Merger) == []
    assert of_kind(account, Delisting) == [(ENDS, Delisting("A", 50, 11.0, 55_000))]
    assert account.ledger.book.shares == {"B": -10}


def test_a_split_of_the_other_company_on_that_day_is_not_applied_to_received_shares():
    other = made_prices("B", DAYS, [20.0] * 25 + [10.0] * 15, splits=[Split(ENDS, 2.0)])
    account = ending(ListingEnd(ENDS, "merged", None, "B", 1.0), other=other)
    assert account.ledger.book.shares == {"B": 50}


def test_an_order_for_what_has_ended_is_no_longer_filled():
    prices = made_prices("A", DAYS, [10.0] * 40, missing=DAYS[25:], ended=ListingEnd(ENDS, "delisted"))
    targets = constant_targets({"A": 0.5}, [DAYS[24], DAYS[26]])
    account = run_account(table_of(prices, days=DAYS), DAYS, RULES, targets)
    assert of_kind(account, OrderRest) == [(ENDS, OrderRest("A", 50, "delisted"))]


@pytest.mark.parametrize(
    "end",
    [
        ListingEnd(ENDS, "delisted"),
        ListingEnd(ENDS, "delisted", 0.0),
        ListingEnd(ENDS, "merged", 13.0),
        ListingEnd(ENDS, "merged", 1.0, "B", 0.33),
        None,
    ],
)
def test_the_second_book_and_the_second_trader_say_the_same(end: ListingEnd | None):
    account, second = ending(end), SecondBook()
    for line in account.ledger.lines:
        for posting in line.postings:
            second.apply(posting.to_json())
    assert second.cash * 100 == account.ledger.book.cash
    assert second.shares == account.ledger.book.shares
    prices = made_prices("A", DAYS, [10.0] * 24 + [12.0] * 16, missing=DAYS[25:], ended=end)
    histories = {one.symbol: history_of(one, DAYS) for one in (prices, OTHER)}
    free = StatedCosts(0.0, 0.0, 0.0, 0.0, 1.0)
    equity = SecondTrader(histories, free, 1_000.0).equity(DAYS, {DAYS[0]: {"A": 0.5}})
    assert [equity[line.mark.day] for line in account.ledger.lines] == [
        line.mark.equity / 100 for line in account.ledger.lines
    ]


# What a backtest reads


LAST = date(2024, 11, 27)
ASKED = BacktestRequest(tickers=(SYMBOL, "ELMQ"), start=date(2024, 10, 1), end=date(2025, 1, 31), every=12)


def market_of(tmp_path: Path, *actions: str, last: date = LAST, asked: BacktestRequest = ASKED) -> BacktestMarket:
    folder = folder_with(tmp_path / "f", lambda rows: [row for row in rows if row["date"].date() <= last])
    if actions:
        listed = (folder / "actions.csv").read_text().splitlines()[1:]
        lines = ["symbol,date,action,value,into,into_shares", *listed, *actions]
        (folder / "actions.csv").write_text("\n".join(lines) + "\n")
    return read_market(services_in(folder, tmp_path), asked)


def services_in(folder: Path, home: Path):
    config = {"llm_provider": "offline", "data_vendor": "snapshot", "data_dir": str(folder), "home": str(home)}
    return open_services(load_settings(config, environ={}), {})


def test_a_ticker_whose_bars_stop_is_refused_with_the_last_day_that_can_be_tested(tmp_path: Path):
    with pytest.raises(NoData, match=r"ACMQ \(last bar 2024-11-27\) end before 2025-01-31.*End the test on 2024-11-27"):
        market_of(tmp_path)
    found = market_of(tmp_path, asked=replace(ASKED, end=LAST))
    assert found.days[-1] == LAST
    assert not [one for one in found.warnings if "ACMQ" in one]


def test_a_backtest_ends_where_all_its_recordings_end(tmp_path: Path):
    found = market_of(tmp_path, asked=replace(ASKED, tickers=(SYMBOL,)))
    assert found.days[-1] == LAST
    assert f"The recorded prices end on {LAST}; the backtest ends there too." in found.warnings
    late = replace(ASKED, tickers=(SYMBOL,), start=date(2024, 11, 26))
    with pytest.raises(UsageError, match="The recorded prices end on 2024-11-27; name a period that ends there"):
        market_of(tmp_path, asked=late)


@pytest.mark.parametrize(
    ("action", "told"),
    [
        ("ACMQ,2024-11-29,delisted,,,", "ACMQ is delisted; last price of 2024-11-27. A position is closed at it: what"),
        (
            "ACMQ,2024-11-29,delisted,0,,",
            "ACMQ was delisted on 2024-11-29; last price of 2024-11-27. Holders get 0.00",
        ),
        (
            "ACMQ,2024-11-29,merged,12.5,,",
            "ACMQ merged on 2024-11-29; last price of 2024-11-27. Holders get 12.50",
        ),
        ("ACMQ,2024-11-29,merged,,ELMQ,0.5", "Holders get 0.5 shares of ELMQ a share."),
        ("ACMQ,2024-11-29,merged,1,HAWQ,0.5", "Holders get 0.5 shares of HAWQ and 1.00 a share."),
    ],
)
def test_a_stated_end_is_told_and_the_test_goes_to_its_own_end(tmp_path: Path, action: str, told: str):
    found = market_of(tmp_path, action)
    assert found.days[-1] == ASKED.end
    assert [one for one in found.warnings if told in one]
    assert found.table.is_gone("ACMQ", date(2024, 11, 29))
    assert not found.table.is_gone("ACMQ", LAST)
    if "HAWQ" in action:
        assert found.table.close("HAWQ", ASKED.end) is not None
        assert found.tickers == ("ACMQ", "ELMQ")


def test_a_merger_into_a_company_without_prices_is_refused(tmp_path: Path):
    with pytest.raises(
        NoData, match=r"ACMQ merged into NOPEX on 2024-11-29 \(2 shares of NOPEX a share\); leave ACMQ out"
    ):
        market_of(tmp_path, "ACMQ,2024-11-29,merged,,NOPEX,2")


def test_an_end_that_the_bars_contradict_is_refused(tmp_path: Path):
    with pytest.raises(NoData, match="says that ACMQ was delisted on 2024-11-26, and has a bar of 2024-11-27"):
        market_of(tmp_path, "ACMQ,2024-11-26,delisted,,,")


def test_a_short_silence_and_bars_without_a_trade_are_halts(tmp_path: Path):
    missing = (date(2025, 1, 28), date(2025, 2, 12))
    folder = folder_with(
        tmp_path / "a", lambda rows: [row for row in rows if not missing[0] <= row["date"].date() <= missing[1]]
    )
    found = read_market(services_in(folder, tmp_path), ASKED)
    assert found.days[-1] == ASKED.end
    assert found.table.close("ACMQ", ASKED.end) == found.table.close("ACMQ", date(2025, 1, 27))
    assert found.table.bar("ACMQ", ASKED.end) is None
    assert not found.table.is_gone("ACMQ", ASKED.end)
    folder = folder_with(tmp_path / "b", halt(date(2025, 1, 2), date(2025, 3, 14)))
    found = read_market(services_in(folder, tmp_path), ASKED)
    assert [
        one for one in found.warnings if one.startswith("ACMQ has not traded since 2024-12-31: it counts as halted")
    ]
    assert not found.table.is_gone("ACMQ", ASKED.end)


def test_a_fund_whose_bars_stop_is_left_out_and_said():
    short = made_prices("SPY", DAYS, [10.0] * 40, missing=DAYS[20:])
    whole = made_prices("AGG", DAYS, [10.0] * 40)
    funds, told = funds_to_the_end(table_of(short, whole, days=DAYS), {"SPY": short, "AGG": whole}, DAYS[-1])
    assert list(funds) == ["AGG"]
    assert told == (f"SPY is left out of the baselines: its prices end on {DAYS[19]}.",)


@pytest.mark.real_data
def test_recorded_companies_whose_recording_stops_are_not_delisted(test_data: Path, tmp_path: Path):
    asked = BacktestRequest(tickers=("AAPL", "CSCO", "INTC"), start=date(2025, 6, 2), end=date(2025, 8, 15), every=5)
    services = services_in(test_data / "snapshot", tmp_path)
    with pytest.raises(NoData, match=r"CSCO \(last bar 2025-07-24\), INTC .*End the test on 2025-07-24"):
        read_market(services, asked)
    both = read_market(services, replace(asked, tickers=("CSCO", "INTC")))
    assert both.days[-1] == date(2025, 7, 24)
    assert "The recorded prices end on 2025-07-24; the backtest ends there too." in both.warnings
    assert [one for one in both.warnings if one.startswith("Dividends of SPY, AGG, IEF, TLT are not listed")]
    assert not [one for one in both.warnings if "delisted" in one]
    assert np.isfinite(both.prices["CSCO"].close).all()
