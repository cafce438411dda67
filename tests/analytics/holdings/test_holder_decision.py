"""What a decision means for ten books, each worked out by hand; and what holds for all of them."""

from __future__ import annotations

from dataclasses import replace
from datetime import date
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tests.support.fakes import RowsVendor, clock, make_prices
from tradingagents.analytics.holdings.book_risk import daily_returns
from tradingagents.analytics.holdings.holder_actions import View
from tradingagents.analytics.holdings.holder_decision import holder_decision
from tradingagents.analytics.holdings.order_list import OrderRules
from tradingagents.analytics.holdings.reader_book import ReaderBook, read_book
from tradingagents.dataflows.interface import Vendors
from tradingagents.dataflows.market_data import MarketData
from tradingagents.dataflows.models import Prices, Profile, Split
from tradingagents.dataflows.portfolio_file import portfolio_of, read_portfolio
from tradingagents.errors import AllVendorsFailed, VendorDown
from tradingagents.schemas.portfolio import HolderRecord, Portfolio, Position
from tradingagents.settings import load_settings

FRIDAY, DAY = date(2025, 3, 14), date(2025, 1, 31)
RULES = OrderRules(max_position=0.2, max_sector=1.0, min_cash=0.0)
BUY: tuple[View, float, float | None] = ("BUY", 0.7, 0.1)
SURE: tuple[View, float, float | None] = ("SELL", 0.7, None)
UNSURE: tuple[View, float, float | None] = ("SELL", 0.5, None)
HOLD: tuple[View, float, float | None] = ("HOLD", 0.5, None)


def flat(symbol: str, close: float, *, currency: str = "USD", **more: Any) -> Prices:
    prices = make_prices(symbol, **{"last": FRIDAY, "start": close, "step": 0.0, **more})
    closes = prices.close
    return replace(prices, open=closes, low=closes, high=closes, adj_close=closes, currency=currency)


MARKET = {
    bars.symbol: bars
    for bars in (
        flat("ACME", 100),
        flat("OTHR", 50),
        flat("SPLT", 25, splits=[Split(date(2025, 2, 10), 4.0)]),
        flat("SAP.DE", 200, currency="EUR"),
        flat("EURUSD=X", 1.25),
        flat("NOFX.L", 80, currency="GBp"),
        make_prices("GONE", last=date(2024, 6, 28)),
    )
}


def market() -> MarketData:
    settings = load_settings({"data_vendor": "rows"}, environ={})
    profiles = {"ACME": Profile("ACME", "Acme", "stock", sector="energy", currency="USD")}
    vendor = RowsVendor(prices=MARKET, profiles=profiles)
    return MarketData(settings, FRIDAY, vendors=Vendors(settings, {"rows": vendor}), now=clock)


def read(positions: dict[str, float], symbol: str = "ACME", **cash: float) -> ReaderBook:
    held = tuple(Position(symbol=name, quantity=quantity) for name, quantity in positions.items())
    return read_book(Portfolio(positions=held, cash=cash, day=DAY), market(), (symbol,))


def decide(
    reader: ReaderBook, decided: tuple[View, float, float | None], symbol: str = "ACME", **more: Any
) -> HolderRecord:
    given = {"levels": (90.0, 120.0), "orders": RULES, "shorting": False, **more}
    return holder_decision(reader, symbol, decided, given["levels"], given["orders"], shorting=given["shorting"])


def short(found: HolderRecord) -> tuple[Any, ...]:
    """Return action, shares, money, and the weight before and after."""
    weight = found.weight
    return found.action, found.shares, found.money, None if weight is None else (weight.before, weight.after)


class NoRates(RowsVendor):
    """Does not answer on exchange rates."""

    def get_stock_data(self, symbol: str, start: date, end: date) -> Prices:
        if symbol.endswith("=X"):
            raise VendorDown("rows does not answer; try again later.")
        return super().get_stock_data(symbol, start, end)


@pytest.mark.parametrize("held", ["SAP.DE", "ACME"])
def test_no_decision_is_made_for_a_book_whose_rates_could_not_be_asked_for(held: str):
    settings = load_settings({"data_vendor": "rows"}, environ={})
    data = MarketData(settings, FRIDAY, vendors=Vendors(settings, {"rows": NoRates(prices=MARKET)}), now=clock)
    mine = Portfolio(positions=(Position(symbol=held, quantity=5),), cash={"USD": 100}, day=DAY)
    with pytest.raises(AllVendorsFailed, match=r"SAP\.DE.* exchange rate from EUR to USD could not be asked for now"):
        read_book(mine, data, ("SAP.DE",))


@pytest.mark.parametrize(
    ("decided", "found"),
    [
        (BUY, ("hold", 0, 0, (0.2, 0.2))),  # as much is held as a position may weigh
        (SURE, ("close", -20, -2000, (0.2, 0.0))),
        (UNSURE, ("trim", -10, -1000, (0.2, 0.1))),
        (HOLD, ("hold", 0, 0, (0.2, 0.2))),
        (("NO_DECISION", 0.0, None), ("hold", 0, 0, (0.2, 0.2))),
    ],
)
def test_a_full_position(decided: tuple[View, float, float | None], found: tuple[Any, ...]):
    """20 shares at 100 of a book of 10,000."""
    assert short(decide(read({"ACME": 20}, USD=8000.0), decided)) == found


def test_a_tiny_position_is_added_to():
    """1 share of a book of 10,000; 10 % are 10 shares."""
    found = decide(read({"ACME": 1}, USD=9900.0), BUY)
    assert short(found) == ("add", 9, 900, (0.01, 0.1))
    assert (found.stop, found.target, found.sector) == (90, 120, "energy")
    assert found.cash is not None
    assert (found.cash.before, found.cash.after) == (0.99, 0.9)
    assert found.sector_weight is not None
    assert (found.sector_weight.before, found.sector_weight.after) == (0.01, 0.1)


def test_a_short_position_is_covered_by_a_buy_and_left_by_a_sell():
    """10 shares sold short of a book of 10,000 + 1,000 - 1,000."""
    reader = read({"ACME": -10}, USD=11_000.0)
    covered = decide(reader, BUY)
    assert short(covered) == ("cover", 10, 1000, (-0.1, 0.0))
    assert (covered.stop, covered.target) == (None, None)
    assert short(decide(reader, SURE)) == ("hold", 0, 0, (-0.1, -0.1))
    assert short(decide(reader, ("SELL", 0.7, 0.15), shorting=True)) == ("add", -5, -500, (-0.1, -0.15))


def test_a_position_in_another_currency_is_weighed_at_the_day_s_rate():
    """4 shares at 200 EUR are 1,000 USD of 10,000; 15 % are 1,500 USD, 2 shares more."""
    reader = read({"SAP.DE": 4}, "SAP.DE", USD=9000.0)
    assert short(decide(reader, ("BUY", 0.7, 0.15), "SAP.DE")) == ("add", 2, 500, (0.1, 0.15))


def test_what_has_no_exchange_rate_is_sold_but_not_bought_and_that_is_said():
    reader = read({"NOFX.L": 9}, "NOFX.L", USD=1000.0)
    sold = decide(reader, SURE, "NOFX.L")
    assert short(sold) == ("close", -9, None, None)
    assert sold.notes == (
        "Weights leave out NOFX.L, whose value is not known.",
        "Its weight in the book is not known, so that nothing is bought.",
    )
    assert short(decide(reader, UNSURE, "NOFX.L")) == ("trim", -4, None, None)
    assert short(decide(reader, BUY, "NOFX.L")) == ("hold", 0, None, None)
    assert decide(read({}, "NOFX.L", USD=1000.0), BUY, "NOFX.L").why == "its weight in the book is not known"


def test_without_cash_nothing_is_bought_and_the_limit_is_named():
    """Other shares for 10,000, no cash."""
    found = decide(read({"OTHR": 200}), BUY)
    assert short(found) == ("hold", 0, 0, (0, 0))
    assert (found.cut_by, found.why) == (("min_cash",), "nothing is held")


def test_a_position_above_the_limit_is_trimmed_whatever_the_view():
    """50 shares of a book of 10,000: 20 % are 20 shares."""
    reader = read({"ACME": 50}, USD=5000.0)
    for decided in (BUY, HOLD):
        assert short(decide(reader, decided)) == ("trim", -30, -3000, (0.5, 0.2))
    assert short(decide(reader, SURE)) == ("close", -50, -5000, (0.5, 0.0))


def test_an_instrument_in_two_accounts_is_one_position():
    """12 and 8 shares of a book of 10,000, bought at 50 and 75: 60 on average."""
    book = Portfolio(
        positions=(
            Position(symbol="ACME", quantity=12, average_price=50, currency="USD", account="one"),
            Position(symbol="ACME", quantity=8, average_price=75, currency="USD", account="two"),
        ),
        cash={"USD": 8000.0},
        day=DAY,
    )
    found = decide(read_book(book, market(), ("ACME",)), SURE)
    assert short(found) == ("close", -20, -2000, (0.2, 0.0))
    assert (found.average_price, found.gain) == (60, pytest.approx(2 / 3))


def test_a_split_since_the_purchase_multiplies_the_shares_and_divides_what_was_paid():
    """10 shares at 60 are 40 at 15 now: 1,000 of 10,000, a gain of two thirds."""
    book = Portfolio(
        positions=(Position(symbol="SPLT", quantity=10, average_price=60, currency="USD"),),
        cash={"USD": 9000.0},
        day=DAY,
    )
    found = decide(read_book(book, market(), ("SPLT",)), SURE, "SPLT")
    assert short(found) == ("close", -40, -1000, (0.1, 0.0))
    assert (found.quantity, found.average_price, found.gain) == (40, 15, pytest.approx(2 / 3))


def test_where_a_split_may_be_missing_nothing_is_traded_and_nothing_of_it_is_weighed():
    book = Portfolio(positions=(Position(symbol="ACME", quantity=10),), cash={"USD": 9000.0}, day=date(1999, 1, 4))
    found = decide(read_book(book, market(), ("ACME",)), SURE)
    assert (found.action, found.shares, found.weight) == ("hold", 0, None)
    assert found.why == "how many units are held is not sure"
    assert found.notes[0] == "Weights leave out ACME, whose value is not known."


def test_a_delisted_holding_beside_it_has_no_weight_and_that_is_said():
    found = decide(read({"ACME": 1, "GONE": 500}, USD=9900.0), BUY)
    assert short(found) == ("add", 9, 900, (0.01, 0.1))
    assert found.notes == ("Weights leave out GONE, whose value is not known.",)


def test_an_empty_file_is_a_flat_book(tmp_path: Path):
    path = tmp_path / "empty.csv"
    path.write_text("ticker,quantity\n")
    book = read_portfolio(path, day=DAY).model_copy(update={"cash": {"USD": 10_000.0}})
    reader = read_book(book, market(), ("ACME",))
    assert short(decide(reader, BUY)) == ("open", 10, 1000, (0, 0.1))
    assert short(decide(reader, SURE)) == ("hold", 0, 0, (0, 0))
    assert short(decide(reader, ("SELL", 0.7, 0.1), shorting=True)) == ("short", -10, -1000, (0, -0.1))


def test_a_book_that_is_worth_nothing_still_closes_what_it_holds():
    found = decide(read({"ACME": 10}, USD=-5000.0), SURE)
    assert short(found) == ("close", -10, None, None)


def test_without_a_size_the_weight_is_the_largest_times_the_confidence():
    found = decide(read({}, USD=10_000.0), ("BUY", 0.5, None))
    assert short(found) == ("open", 10, 1000, (0, 0.1))


def test_a_benchmark_without_the_days_leaves_the_risk_of_the_book():
    prices = {"ACME": make_prices("ACME", last=FRIDAY)}
    young = make_prices("YOUNG", first=date(2025, 2, 3), last=FRIDAY)
    found = daily_returns(prices, young, sessions=252)
    assert (len(found.returns), found.benchmark) == (252, None)
    full = daily_returns(prices, prices["ACME"], sessions=252)
    assert full.benchmark is not None
    assert full.benchmark.tolist() == full.returns[:, 0].tolist()


def test_risk_is_that_of_the_weights_before_and_after():
    days = MARKET["ACME"].days
    closes = 100 * np.where(np.arange(len(days))[::-1] % 2 == 0, 1.0, 1.01)
    moving = replace(MARKET["ACME"], open=closes, low=closes, high=closes, close=closes, adj_close=closes)
    settings = load_settings({"data_vendor": "rows"}, environ={})
    vendor = RowsVendor(prices={**MARKET, "ACME": moving})
    data = MarketData(settings, FRIDAY, vendors=Vendors(settings, {"rows": vendor}), now=clock)
    book = portfolio_of({"positions": [{"ticker": "ACME", "quantity": 10}], "cash": {"USD": 9000}, "day": str(DAY)})
    found = decide(read_book(book, data, ("ACME",), "ACME"), ("BUY", 0.7, 0.2))
    assert found.beta is not None
    assert (found.beta.before, found.beta.after) == (pytest.approx(0.1), pytest.approx(0.2))
    assert found.volatility is not None
    assert found.volatility.after == pytest.approx(2 * found.volatility.before, abs=2e-6)
    assert found.volatility.before > 0
