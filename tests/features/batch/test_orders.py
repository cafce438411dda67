"""The file of orders for a broker: prices in the instrument's currency, money in the book's, each column named."""

from __future__ import annotations

import csv
import io
from dataclasses import replace
from datetime import date

from tests.support.fakes import RowsVendor, clock, make_prices
from tradingagents.analytics.holdings.day_orders import DayDecision, day_orders
from tradingagents.analytics.holdings.order_list import OrderRules
from tradingagents.analytics.holdings.reader_book import read_book
from tradingagents.dataflows.interface import Vendors
from tradingagents.dataflows.market_data import MarketData
from tradingagents.dataflows.models import Prices
from tradingagents.features.batch.orders import orders_csv
from tradingagents.reports.decision_notes import order_rows
from tradingagents.schemas.portfolio import OrderListRecord, Portfolio, Position
from tradingagents.settings import load_settings

FRIDAY = date(2025, 3, 14)


def flat(symbol: str, close: float, currency: str) -> Prices:
    prices = make_prices(symbol, last=FRIDAY, start=close, step=0.0)
    same = prices.close
    return replace(prices, open=same, low=same, high=same, adj_close=same, currency=currency)


def orders() -> OrderListRecord:
    """A book of 10,000 USD: 4 SAP.DE at 200 EUR (1.25) and 1,000 VOD.L at 80 pence (1.25 for a pound) are 1,000 each.

    SELL closes SAP.DE; BUY of ACME at 100 USD asks for the largest position, 20 %, which is 20 shares.
    """
    bars = (flat("SAP.DE", 200, "EUR"), flat("VOD.L", 80, "GBp"), flat("ACME", 100, "USD"))
    rates = (flat("EURUSD=X", 1.25, "USD"), flat("GBPUSD=X", 1.25, "USD"))
    settings = load_settings({"data_vendor": "rows"}, environ={})
    vendor = RowsVendor(prices={row.symbol: row for row in (*bars, *rates)})
    data = MarketData(settings, FRIDAY, vendors=Vendors(settings, {"rows": vendor}), now=clock)
    held = (Position(symbol="SAP.DE", quantity=4), Position(symbol="VOD.L", quantity=1000))
    reader = read_book(Portfolio(positions=held, cash={"USD": 8000}, day=FRIDAY), data, ("ACME",))
    decisions = {
        "SAP.DE": DayDecision("SELL", 0.9, 220.0, 150.0),
        "VOD.L": DayDecision("SELL", 0.5, 0.9, 0.6),
        "ACME": DayDecision("BUY", 0.9, 90.0, 130.0),
    }
    rules = OrderRules(max_position=0.2, max_sector=1.0, min_cash=0.0, commission=lambda shares, price: 1.0)
    return day_orders(reader, decisions, "equal", rules, shorting=False)


def test_a_row_has_prices_in_one_currency_and_money_in_another_that_is_named():
    rows = {row["symbol"]: row for row in csv.DictReader(io.StringIO(orders_csv(orders())))}
    assert list(rows) == ["SAP.DE", "VOD.L", "ACME"]
    assert rows["SAP.DE"] == {
        "symbol": "SAP.DE",
        "side": "SELL",
        "quantity": "4",
        "order_type": "MARKET",
        "currency": "EUR",
        "reference_price": "200.0000",
        "stop": "220.0000",
        "target": "150.0000",
        "book_currency": "USD",
        "book_amount": "1000.00",
        "book_commission": "1.00",
    }
    pence = rows["VOD.L"]  # half is sold where a SELL is not sure: 500 at 80 pence, told in pounds, are 500 USD
    assert [pence[name] for name in ("quantity", "currency", "reference_price")] == ["500", "GBP", "0.8000"]
    assert (pence["book_currency"], pence["book_amount"]) == ("USD", "500.00")
    own = rows["ACME"]
    assert [own[name] for name in ("side", "quantity", "currency", "book_amount")] == ["BUY", "20", "USD", "2000.00"]


def test_the_table_of_orders_names_a_foreign_price():
    prices = {cells[0]: cells[4] for cells in order_rows(orders())}
    assert prices == {"SAP.DE": "200.00 EUR", "VOD.L": "0.8000 GBP", "ACME": "100.00"}
