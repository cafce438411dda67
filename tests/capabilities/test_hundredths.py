"""Prices quoted in pence, cents or agorot against statements in pounds, rand or shekels, checked by hand."""

from __future__ import annotations

import json
from datetime import date
from pathlib import Path
from typing import Any

import pytest

from tests.support.snapshot_folder import (
    price_row,
    statement_row,
    write_actions,
    write_lines,
    write_manifest,
    write_prices,
)
from tradingagents.capabilities.company import get_fundamentals
from tradingagents.capabilities.prices import get_stock_data
from tradingagents.capabilities.valuation import valuation
from tradingagents.dataflows.market_data import MarketData
from tradingagents.dataflows.reference.calendar import exchange_of, sessions
from tradingagents.errors import NoData
from tradingagents.settings import load_settings

DAY = date(2025, 3, 14)
ENDS = (date(2024, 3, 31), date(2024, 6, 30), date(2024, 9, 30), date(2024, 12, 31))
UNITS = [("PNCQ.L", "GBp", "GBP"), ("PNCQ.L", "GBX", "GBP"), ("CNTQ.JO", "ZAc", "ZAR"), ("AGRQ", "ILA", "ILS")]


def adjusted(day: date) -> float:
    """The close of 400 without the dividends of 3 and 5 that were paid after a day."""
    return 400.0 * (397 / 400 if day < date(2024, 6, 13) else 1.0) * (395 / 400 if day < date(2024, 11, 14) else 1.0)


def market(folder: Path, symbol: str, unit: str, books: str) -> MarketData:
    """A share at 400 units, that paid 8 a year; quarters of 25 m revenue and 0.05 a share, 50 m shares."""
    days = sessions(exchange_of(symbol)).between(date(2024, 1, 2), DAY)
    write_manifest(folder, days[0], days[-1])
    write_prices(folder, [price_row(symbol, day, 400.0) | {"adj_close": adjusted(day)} for day in days])
    write_actions(folder, [(symbol, "2024-06-13", "dividend", 3.0), (symbol, "2024-11-14", "dividend", 5.0)])
    profile = {"name": "Hundredths", "kind": "stock", "sector": "Materials", "currency": unit}
    (folder / "profiles.json").write_text(json.dumps({symbol: profile}), encoding="utf-8")
    income: dict[str, Any] = {
        "revenue": 25e6,
        "net_income": 2.5e6,
        "eps_diluted": 0.05,
        "eps_basic": 0.05,
        "shares_diluted": 50e6,
        "shares_basic": 50e6,
    }
    rows = [
        statement_row(symbol, kind, end, items, filed_at=f"{end.isoformat()}T21:00:00Z", currency=books)
        for end in ENDS
        for kind, items in (("income", income), ("balance", {"equity": 40e6, "total_assets": 90e6, "cash": 5e6}))
    ]
    write_lines(folder / "statements.jsonl.gz", rows)
    settings = load_settings({"data_vendor": "snapshot", "data_dir": str(folder)}, environ={})
    return MarketData(settings, DAY, exchange=exchange_of(symbol))


@pytest.mark.parametrize(("symbol", "unit", "currency"), UNITS)
def test_multiples_are_those_of_the_whole_currency(tmp_path: Path, symbol: str, unit: str, currency: str):
    data = market(tmp_path, symbol, unit, currency)
    found = get_fundamentals.answer(data, symbol, DAY)
    assert (found.currency, found.price) == (currency, pytest.approx(4.0))
    assert found.market_cap == pytest.approx(200e6)  # 4.00 x 50 m
    assert found.pe_ttm == pytest.approx(20.0)  # 4.00 / (4 x 0.05)
    assert found.ps_ttm == pytest.approx(2.0)  # 200 m / 100 m
    assert found.pb == pytest.approx(5.0)  # 200 m / 40 m
    assert found.dividend_yield == pytest.approx(2.0)  # 0.08 / 4.00
    assert data.instrument(symbol).currency == currency
    assert get_stock_data.answer(data, symbol, date(2025, 1, 1), DAY).last_close == pytest.approx(4.0)


def test_multiples_of_two_currencies_are_absent_and_say_why(tmp_path: Path):
    found = get_fundamentals.answer(market(tmp_path, "PNCQ.L", "GBp", "USD"), "PNCQ.L", DAY)
    assert (found.pe_ttm, found.market_cap) == (None, None)
    assert found.warnings == ("PNCQ.L: Prices are in GBP, the books in USD: ratios of the two are n/a.",)


def test_a_company_quoted_in_pence_is_valued_in_pounds(tmp_path: Path):
    data = market(tmp_path, "PNCQ.L", "GBp", "GBP")
    given = "risk_free=0.04; beta=1; oper_margin=0.15; growth=0.03; debt=0; tax_rate=0.25"
    found = valuation.answer(data, "PNCQ.L", assumptions=given)
    assert (found.currency, found.price) == ("GBP", pytest.approx(4.0))
    assert 0.4 < found.value_per_share < 40.0  # pounds: in pence it would lie a hundredfold higher
    assert found.upside == pytest.approx(found.value_per_share / 4.0 - 1)


@pytest.mark.parametrize(("unit", "books"), [("", "GBP"), ("GBp", ""), ("", "")])
def test_a_currency_that_nobody_states_gives_no_multiple_and_no_value(tmp_path: Path, unit: str, books: str):
    data = market(tmp_path, "PNCQ.L", unit, books)
    found = get_fundamentals.answer(data, "PNCQ.L", DAY)
    assert (found.pe_ttm, found.market_cap, found.shares) == (None, None, None)
    (reason,) = found.withheld
    assert "does not state the currency of the" in reason
    assert reason.endswith("(docs/reference/data-faults.md#currency-unknown).")
    assert [fault.kind for fault in found.faults] == ["currency-unknown"]
    with pytest.raises(NoData, match="is not stated, so that they are not set against each other"):
        valuation.answer(data, "PNCQ.L", assumptions="risk_free=0.04")
