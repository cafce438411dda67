"""Trials that the home folder shows, and models that are charged to accounts in other currencies than USD."""

from __future__ import annotations

from dataclasses import replace
from datetime import date
from pathlib import Path

import numpy as np
import pytest

from tests.backtest.audit.made_backtests import EuroVendor, by_chance, made, services_of
from tradingagents.backtest.broker import TradingCosts
from tradingagents.backtest.market import BacktestMarket, read_market
from tradingagents.backtest.report import backtest_report
from tradingagents.backtest.request import BacktestRequest
from tradingagents.backtest.variants.accounts import model_charges, saved_trials, trade_variants
from tradingagents.backtest.variants.decided import DecidedVariant
from tradingagents.errors import NoData
from tradingagents.json_text import parse_json

ASKED = BacktestRequest(tickers=("HELQ", "VELQ"), start=date(2024, 10, 1), end=date(2024, 12, 13), every=4)
EUROS = replace(ASKED, tickers=("HEUQ", "VEUQ"))


def choice(folder: Path) -> dict[str, object]:
    found: dict[str, object] = parse_json((folder / "result.json").read_bytes())["choice"]
    return found


def test_trials_that_the_home_folder_shows_count_beside_those_that_are_declared(tmp_path: Path):
    first = choice(made(tmp_path, ASKED).folder)
    assert (first["trials"], first["seen"], first["declared"], first["counted"]) == (1, 1, None, "seen")
    tried = choice(made(tmp_path, replace(ASKED, schemes=("equal", "hrp"))).folder)
    assert (tried["trials"], tried["seen"]) == (3, 3)  # the tested one is the same ledger as before
    other = made(tmp_path, replace(ASKED, costs=TradingCosts(half_spread=0.001)))
    assert (choice(other.folder)["trials"], choice(other.folder)["counted"]) == (4, "seen")
    again = choice(made(tmp_path, replace(ASKED, costs=TradingCosts(half_spread=0.001))).folder)
    assert again == choice(other.folder)
    declared = made(tmp_path, replace(ASKED, trials=9))
    assert (choice(declared.folder)["trials"], choice(declared.folder)["counted"]) == (9, "declared")
    text = backtest_report(parse_json((declared.folder / "result.json").read_bytes()))
    assert "Trials: 9 (9 declared; 4 seen here and in other backtests" in text
    elsewhere = choice(made(tmp_path, replace(ASKED, tickers=("HELQ", "VELQ", "OMBZ"))).folder)
    assert elsewhere["trials"] == 1  # other tickers are another test
    (declared.folder / "result.json").write_text("{")
    assert len(saved_trials(tmp_path, ASKED)) == 4  # a damaged result says nothing


def market_of(home: Path, asked: BacktestRequest) -> BacktestMarket:
    return read_market(services_of(home, EuroVendor()), asked)


def test_models_are_charged_in_the_currency_of_the_account_at_the_rate_known_then(tmp_path: Path):
    market = market_of(tmp_path, EUROS)
    assert market.currency == "EUR"
    found = by_chance(market.tickers, market.decision_days, 1)
    charges, rate = model_charges(found, market), market.models_rate
    assert rate is not None
    assert rate.pair == "EURUSD=X"  # no vendor has the other pair, so its inverse
    (first, *_) = market.decision_days
    made_then = sum(day == first for _, day in found.found)
    assert charges[first] == pytest.approx(0.01 * made_then * market.charge(1.0, first))
    assert 1 / 1.2 < market.charge(1.0, first) < 1.0
    assert len({market.charge(1.0, day) for day in market.decision_days}) > 5
    report = made(tmp_path, EUROS, vendor=EuroVendor()).audited()
    assert not report.kinds, report.to_markdown()


def test_models_that_cannot_be_charged_are_refused_with_words(tmp_path: Path):
    market = replace(market_of(tmp_path, EUROS), models_rate=None)
    found = by_chance(market.tickers, market.decision_days, 1)
    decided = {"decisions": DecidedVariant({}, False, (found,))}
    with pytest.raises(
        NoData, match=r"cost 0.0\d+ USD, and no exchange rate from USD to EUR was known.*They are stored"
    ):
        trade_variants(EUROS, market, decided)
    free = {one: replace(stored, cost_usd=0.0) for one, stored in found.found.items()}
    assert not any(model_charges(replace(found, found=free), market).values())


def test_the_tested_account_pays_for_the_exchange_of_money_as_its_baselines_do(tmp_path: Path):
    """It did not, and buy and hold did: an audit of such a backtest showed it."""
    asked = replace(EUROS, currency="USD", costs=TradingCosts(0.0, 0.0, 0.0, 0.0, 1.0, 0.01))
    market = market_of(tmp_path, asked)
    found = by_chance(market.tickers, market.decision_days, 1)
    traded = trade_variants(asked, market, {"decisions": DecidedVariant({}, True, (found,))})
    for name in ("decisions", "always_buy", "buy_and_hold"):
        book = traded.accounts[name].ledger.book
        assert book.slippage / book.traded == pytest.approx(0.01, rel=0.02), name
    assert np.isfinite(traded.gap("decisions")).all()
