"""What holders were paid, against what adjusted closes contain: by hand and on recorded prices."""

from __future__ import annotations

from dataclasses import replace
from datetime import date
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from tests.features.backtest.market import days_of, made_prices
from tradingagents.dataflows.models import Prices
from tradingagents.features.backtest.audit.holding_check import check_fund_income, check_income

DAYS = days_of(5)


def prices(paid: float = 0.0, listed: float = 0.0, closes: tuple[float, ...] = (100, 100, 99, 99, 99)) -> Prices:
    """Return a symbol that pays a dividend on the third session, by its adjusted closes and by its list."""
    plain = made_prices("F", DAYS, list(closes), dividends=[(DAYS[2], listed)] if listed else [])
    factor = np.where(np.arange(5) < 2, 1 - paid / closes[1], 1.0)
    return replace(plain, adj_close=plain.close * factor)


def account(*sessions: tuple[list[dict[str, Any]], dict[str, float]]) -> Any:
    """Return a recorded account, by the postings and marks of each session."""
    lines = [
        SimpleNamespace(day=day, postings=tuple(postings), mark={"prices": marks})
        for day, (postings, marks) in zip(DAYS, sessions, strict=True)
    ]
    return SimpleNamespace(sessions=lines, record={"first_session": str(DAYS[0]), "last_session": str(DAYS[-1])})


def fill(shares: int, price: float) -> dict[str, Any]:
    kind = "fill" if shares > 0 else "short_sale"
    value = round(abs(shares) * price * 100)
    return {
        "kind": kind,
        "symbol": "F",
        "shares": shares,
        "price": price,
        "value": value,
        "commission": 0,
        "slippage": 0,
    }


def dividend(shares: int, each: float) -> dict[str, Any]:
    return {"kind": "dividend", "symbol": "F", "shares": shares, "per_share": each, "value": round(shares * each * 100)}


HELD = {"F": 100.0}


def test_a_dividend_that_was_not_paid_is_told_with_its_amount():
    """100 shares at 100, and the adjusted closes contain 1 a share: 100 due, nothing paid."""
    told = account(([fill(100, 100.0)], HELD), ([], HELD), ([], {"F": 99.0}), ([], {"F": 99.0}), ([], {"F": 99.0}))
    (found,) = check_income(told, {"F": prices(paid=1.0)})
    assert (found.kind, found.ticker, found.severity) == ("dividends_missing", "F", "error")
    assert (found.expected, found.found) == ("dividends of 100 by the adjusted closes", "0 paid")


@pytest.mark.parametrize(
    ("count", "each", "alarm"),
    [(100, 1.0, False), (100, 0.96, False), (100, 0.5, True), (-100, 1.0, False), (-100, 0.0, True)],
)
def test_what_was_paid_is_compared_long_and_short(count: int, each: float, alarm: bool):
    paid = [dividend(count, each)] if each else []
    told = account(([fill(count, 100.0)], HELD), ([], HELD), (paid, {"F": 99.0}), ([], {"F": 99.0}), ([], {"F": 99.0}))
    assert bool(list(check_income(told, {"F": prices(paid=1.0)}))) is alarm


def test_who_bought_on_the_ex_day_gets_none_and_lacks_none():
    bought = account(([], {}), ([], {}), ([fill(100, 99.0)], {"F": 99.0}), ([], {"F": 99.0}), ([], {"F": 99.0}))
    assert not list(check_income(bought, {"F": prices(paid=1.0)}))


def test_closes_in_cents_and_an_empty_account_raise_no_alarm():
    rough = replace(prices(), adj_close=np.round(prices().close * 0.9137, 2))
    told = account(([fill(100, 100.0)], HELD), ([], HELD), ([], HELD), ([], HELD), ([], HELD))
    assert not list(check_income(told, {"F": rough}))
    assert not list(check_income(account(*[([], {})] * 5), {"F": prices(paid=1.0)}))


@pytest.mark.parametrize(("listed", "alarm"), [(1.0, False), (0.0, True), (0.5, True)])
def test_a_fund_whose_list_lacks_what_its_adjusted_closes_contain_handicaps_the_baselines(listed: float, alarm: bool):
    told = account(*[([], {})] * 5)
    found = list(check_fund_income(told, {"F": prices(paid=1.0, listed=listed)}, ("F", "UNKNOWN")))
    assert [(one.kind, one.ticker) for one in found] == ([("dividends_missing", "F")] if alarm else [])


@pytest.mark.real_data
def test_listed_dividends_of_recorded_prices_are_those_of_their_adjusted_closes(tmp_path: Path, test_data: Path):
    """Whose list is whole raises no alarm over any of seven quarters; a fund without a list does over all."""
    from tests.features.backtest.audit.recorded import recorded_services
    from tradingagents.dataflows.vendor import Vendor

    vendors = recorded_services(tmp_path, test_data / "snapshot").vendors
    for symbol, whole in (("AMGN", True), ("CAT", True), ("META", True), ("TRV", True), ("TSLA", True), ("SPY", False)):
        prices = vendors.answer("snapshot", Vendor.get_stock_data, symbol, date(2022, 1, 3), date(2025, 7, 24))
        for month in range(1, 22, 3):
            first = date(2023 + month // 12, month % 12 + 1, 1)
            last = date(2023 + (month + 3) // 12, (month + 3) % 12 + 1, 25)
            told = SimpleNamespace(record={"first_session": str(first), "last_session": str(last)})
            assert bool(list(check_fund_income(told, {symbol: prices}, (symbol,)))) is not whole, (symbol, first)  # type: ignore[arg-type]
