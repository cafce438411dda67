"""A book at the prices of a day: splits since it was taken, exchange rates, and what cannot be priced."""

from __future__ import annotations

import threading
from dataclasses import replace
from datetime import date

import numpy as np
import pytest

from tests.support.fakes import RowsVendor, clock, make_prices
from tradingagents.dataflows.interface import Vendors
from tradingagents.dataflows.market_data import MarketData
from tradingagents.dataflows.models import Dividend, Prices, Split
from tradingagents.dataflows.valued_book import ValuedBook, ValuedPosition, ValueGap, exchange_rate, valued_book
from tradingagents.errors import AllVendorsFailed, VendorDown
from tradingagents.schemas.portfolio import Portfolio, Position
from tradingagents.settings import load_settings

FRIDAY = date(2025, 3, 14)
BEFORE, SPLIT_DAY = date(2025, 1, 31), date(2025, 2, 10)


def flat(symbol: str, close: float, *, currency: str = "USD", before: float | None = None, **more: object) -> Prices:
    """Return bars with one close on all days but the last session up to FRIDAY, whose close before may be another."""
    prices = make_prices(symbol, last=FRIDAY, start=close, step=0.0, **more)  # type: ignore[arg-type]
    closes = prices.close if before is None else np.where(prices.days < np.datetime64(FRIDAY), before, prices.close)
    return replace(prices, open=closes, low=closes, high=closes, close=closes, adj_close=closes, currency=currency)


def market(*prices: Prices, as_of: date = FRIDAY) -> MarketData:
    settings = load_settings({"data_vendor": "rows"}, environ={})
    vendor = RowsVendor(prices={bars.symbol: bars for bars in prices})
    return MarketData(settings, as_of, vendors=Vendors(settings, {"rows": vendor}), now=clock)


def book(*positions: Position, day: date = BEFORE, **cash: float) -> Portfolio:
    return Portfolio(positions=positions, cash=cash, day=day)


def only(found: ValuedBook) -> ValuedPosition:
    assert len(found.positions) == 1
    return found.positions[0]


def test_value_weight_day_change_and_gain_by_hand():
    held = Position(symbol="ACME", quantity=10, average_price=80, currency="USD", account="main")
    short = Position(symbol="SHRT", quantity=-5, average_price=50, currency="USD")
    found = valued_book(book(held, short, USD=200), market(flat("ACME", 100, before=98), flat("SHRT", 40)))
    acme, shrt = found.positions
    assert (acme.value, acme.day_change, acme.gain) == (1000, 20, 0.25)
    assert (shrt.value, shrt.day_change, shrt.gain) == (-200, 0, pytest.approx(0.2))
    assert (found.equity, found.cash, found.currency) == (1000, 200, "USD")
    assert found.weights() == {"ACME": 1.0, "SHRT": -0.2}
    assert found.without_value == ()
    assert found.to_json()["positions"][0]["value"] == 1000


def test_a_split_since_the_purchase_adjusts_quantity_and_average_price():
    prices = flat("ACME", 100, splits=[Split(SPLIT_DAY, 4.0)])
    held = Position(symbol="ACME", quantity=10, average_price=200, currency="USD")
    found = only(valued_book(book(held), market(prices)))
    assert (found.quantity, found.average_price, found.value) == (40, 50, 4000)
    assert found.note == "4-for-1 split of 2025-02-10 applied"


@pytest.mark.parametrize("day", [SPLIT_DAY, FRIDAY])
def test_a_split_up_to_the_day_of_the_book_is_in_it_already(day: date):
    prices = flat("ACME", 100, splits=[Split(SPLIT_DAY, 4.0)])
    found = only(valued_book(book(Position(symbol="ACME", quantity=40, average_price=50), day=day), market(prices)))
    assert (found.quantity, found.average_price, found.value, found.note) == (40, 50, 4000, "")


def test_a_split_after_the_day_of_the_study_is_not_known():
    prices = flat("ACME", 25, splits=[Split(date(2025, 3, 12), 4.0)])
    found = only(valued_book(book(Position(symbol="ACME", quantity=10)), market(prices, as_of=date(2025, 3, 11))))
    assert (found.quantity, found.price, found.value, found.note) == (10, 100, 1000, "")


def test_a_spin_off_that_a_source_lists_as_a_split_adds_no_shares():
    prices = flat("ACME", 100, splits=[Split(SPLIT_DAY, 1.281)])
    found = only(valued_book(book(Position(symbol="ACME", quantity=10, average_price=80)), market(prices)))
    assert (found.quantity, found.average_price, found.value) == (10, 80, 1000)
    assert found.note == "the spin-off of 2025-02-10 is not in it"


def test_a_split_before_the_usual_history_is_found_and_one_before_all_prices_withholds_the_value():
    old, split = date(2020, 1, 2), Split(date(2021, 7, 20), 4.0)
    long = flat("ACME", 100, first=date(2019, 12, 30), splits=[split])
    held = Position(symbol="ACME", quantity=10, average_price=200, currency="USD")
    found = only(valued_book(book(held, day=old), market(long)))
    assert (found.quantity, found.average_price, found.value) == (40, 50, 4000)

    recent = flat("ACME", 100)
    doubtful = valued_book(book(held, day=old, USD=10), market(recent))
    assert (only(doubtful).value, only(doubtful).is_counted, doubtful.without_value) == (None, False, ("ACME",))
    assert "a split since 2020-01-02 may be missing" in only(doubtful).note
    assert doubtful.equity == 10


def test_a_gain_in_pence_is_told_where_pounds_were_paid():
    held = Position(symbol="VOD.L", quantity=100, average_price=0.5, currency="GBP")
    found = only(valued_book(book(held, GBP=1), market(flat("VOD.L", 80, currency="GBp"))))
    assert (found.value, found.gain) == (pytest.approx(80), pytest.approx(0.6))
    either = Position(symbol="VOD.L", quantity=100, average_price=50)
    assert only(valued_book(book(either, GBP=1), market(flat("VOD.L", 80, currency="GBp")))).gain is None


def test_a_dividend_adjusts_nothing():
    prices = flat("ACME", 100, dividends=[Dividend(SPLIT_DAY, 5.0)])
    prices = replace(prices, adj_close=prices.adj_close * np.where(prices.days < np.datetime64(SPLIT_DAY), 0.95, 1.0))
    held = Position(symbol="ACME", quantity=10, average_price=80, currency="USD")
    found = only(valued_book(book(held), market(prices)))
    assert (found.quantity, found.average_price, found.value, found.note) == (10, 80, 1000, "")


def test_currencies_convert_at_the_rate_of_the_day_by_either_pair():
    data = market(
        flat("SAP.DE", 200, currency="EUR"),
        flat("EURUSD=X", 1.1, before=1.25),  # the pair trades on after New York's close: Thursday's close is known
        flat("VOD.L", 80, currency="GBp"),
        flat("USDGBP=X", 0.8, currency="GBP"),
    )
    held = (Position(symbol="SAP.DE", quantity=2), Position(symbol="VOD.L", quantity=100))
    found = valued_book(book(*held, USD=500, EUR=100), data)
    assert found.currency == "USD"
    assert [(position.value, position.note) for position in found.positions] == [(500, ""), (pytest.approx(100), "")]
    assert (found.cash, found.unconverted) == (625, {})
    assert found.equity == pytest.approx(1225)
    assert exchange_rate(data, "GBp", "USD") == pytest.approx(0.0125)
    assert exchange_rate(data, "JPY", "USD") == ValueGap("no exchange rate from JPY to USD is known")


def test_what_has_no_exchange_rate_is_shown_unconverted_and_said():
    found = valued_book(book(Position(symbol="SAP.DE", quantity=2), USD=500, CHF=70), market(
        flat("SAP.DE", 200, currency="EUR")), "USD")  # fmt: skip
    position = only(found)
    assert (position.price, position.currency, position.value) == (200, "EUR", None)
    assert position.note == "no exchange rate from EUR to USD is known"
    assert (found.equity, found.cash, found.unconverted) == (500, 500, {"CHF": 70})
    assert (found.without_value, found.weights()) == (("SAP.DE",), {})


def test_a_holding_that_no_longer_trades_has_no_value_and_says_why():
    ended = make_prices("GONE", last=date(2024, 6, 28))
    found = valued_book(book(Position(symbol="GONE", quantity=5), USD=1), market(ended))
    assert only(found).value is None
    assert "prices of GONE end on 2024-06-28" in only(found).note
    assert found.equity == 1


class SilentOn(RowsVendor):
    """Does not answer on some symbols, as long as they are in `silent`."""

    silent: frozenset[str] = frozenset()

    def get_stock_data(self, symbol: str, start: date, end: date) -> Prices:
        if symbol in self.silent:
            raise VendorDown("rows does not answer; try again later.")
        return super().get_stock_data(symbol, start, end)


def silent_market(silent: set[str], *prices: Prices) -> MarketData:
    settings = load_settings({"data_vendor": "rows"}, environ={})
    vendor = SilentOn(prices={bars.symbol: bars for bars in prices})
    vendor.silent = frozenset(silent)
    return MarketData(settings, FRIDAY, vendors=Vendors(settings, {"rows": vendor}), now=clock)


def test_a_vendor_that_does_not_answer_is_told_from_a_rate_that_does_not_exist():
    mine = book(Position(symbol="SAP.DE", quantity=2), USD=500, CHF=70)
    prices = (flat("SAP.DE", 200, currency="EUR"), flat("EURUSD=X", 1.25))
    found = valued_book(mine, silent_market({"EURUSD=X", "USDEUR=X"}, *prices))
    assert (only(found).price, only(found).value, only(found).may_pass) == (200, None, True)
    asked = "the exchange rate from EUR to USD could not be asked for now (get_stock_data failed at rows"
    assert only(found).note.startswith(asked)
    assert found.rate_gaps == {"CHF": ValueGap("no exchange rate from CHF to USD is known")}
    assert [said.partition(":")[0] for said in found.unanswered()] == ["SAP.DE"]
    with pytest.raises(AllVendorsFailed, match=r"cannot be valued now: SAP.DE: .* failed at rows.*Try again"):
        found.check_answered()

    again = valued_book(mine, silent_market(set(), *prices))
    assert (again.equity, again.unanswered(), again.unconverted) == (500 + 500, (), {"CHF": 70})
    again.check_answered()


def test_a_price_that_could_not_be_asked_for_is_told_from_none():
    def held(symbol: str) -> ValuedPosition:
        """Each in a market of its own: the failures on one symbol may open the vendor's breaker for the other."""
        return only(valued_book(book(Position(symbol=symbol, quantity=2), USD=500), silent_market({"ACME"})))

    acme, none = held("ACME"), held("NONE")
    assert acme.note.startswith("its price could not be asked for now (get_stock_data failed at rows")
    assert (acme.may_pass, none.may_pass, none.note) == (True, False, "rows has no prices of NONE.")


def test_cash_whose_rate_could_not_be_asked_for_is_named():
    data = silent_market({"EURUSD=X"}, flat("ACME", 100))
    found = valued_book(book(Position(symbol="ACME", quantity=1), EUR=7), data, "USD")
    assert (found.unconverted, found.rate_gaps["EUR"].may_pass) == ({"EUR": 7}, True)
    assert found.to_json()["unanswered"] == list(found.unanswered()) != []


class Slow(RowsVendor):
    """A remote vendor that is asked for several symbols before it answers the first."""

    def get_stock_data(self, symbol: str, start: date, end: date) -> Prices:
        if symbol.startswith("S"):
            self.together.wait(timeout=10)
        return super().get_stock_data(symbol, start, end)

    together = threading.Barrier(8)


def test_holdings_are_priced_side_by_side_in_a_fixed_order():
    """Eight requests must meet before one is answered, which no loop over the holdings achieves."""
    settings = load_settings({"data_vendor": "rows"}, environ={})
    names = [f"S{number}" for number in range(16)]
    vendor = Slow(prices={name: flat(name, 10 + number) for number, name in enumerate(names)})
    data = MarketData(settings, FRIDAY, vendors=Vendors(settings, {"rows": vendor}), now=clock)
    found = valued_book(book(*(Position(symbol=name, quantity=1) for name in names), USD=1), data)
    assert [position.symbol for position in found.positions] == sorted(names)
    assert found.equity == 1 + sum(10 + number for number in range(16))


def test_gains_are_not_told_across_currencies():
    held = Position(symbol="SAP.DE", quantity=2, average_price=100, currency="USD")
    found = valued_book(book(held), market(flat("SAP.DE", 200, currency="EUR"), flat("EURUSD=X", 1.25)))
    assert only(found).gain is None


@pytest.mark.parametrize(
    ("cash", "paid", "currency"),
    [({"EUR": 5.0}, "USD", "EUR"), ({}, "EUR", "EUR"), ({}, None, "USD"), ({"EUR": 1.0, "CHF": 1.0}, "CHF", "CHF")],
)
def test_the_currency_of_a_book(cash: dict[str, float], paid: str | None, currency: str):
    held = Position(symbol="ACME", quantity=1, average_price=1, currency=paid)
    assert Portfolio(positions=(held,), cash=cash).own_currency == currency
