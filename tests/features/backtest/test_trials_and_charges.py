"""Trials that the home folder shows, and models that are charged to accounts in other currencies than USD."""

from __future__ import annotations

from dataclasses import replace
from datetime import date
from pathlib import Path

import numpy as np
import pytest

from tests.features.backtest.audit.made_backtests import EuroVendor, by_chance, made, services_of
from tradingagents.errors import NoData
from tradingagents.features.backtest.broker import TradingCosts
from tradingagents.features.backtest.market import BacktestMarket, read_market
from tradingagents.features.backtest.pages.report import backtest_report
from tradingagents.features.backtest.request import BacktestRequest
from tradingagents.features.backtest.variants.accounts import model_charges, trade_variants
from tradingagents.features.backtest.variants.decided import DecidedVariant
from tradingagents.files.json_text import parse_json

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
    assert "Trials: 9 (9 declared; 4 seen here and in 3 other backtests of this home" in text
    elsewhere = choice(made(tmp_path, replace(ASKED, tickers=("OMBZ", "SANQ"))).folder)
    assert (elsewhere["trials"], elsewhere["looks"]) == (1, 0)  # no ticker is the same: another test
    (declared.folder / "result.json").write_text("{")
    assert choice(made(tmp_path, replace(ASKED, deposit=50_000.0)).folder)["looks"] == 3  # a damaged one says nothing


def test_looks_at_one_idea_count_when_the_period_moves_by_a_day_or_a_ticker_is_dropped(tmp_path: Path):
    """They counted with the same tickers and period only: who moved the start by a day had made one trial."""
    made(tmp_path, replace(ASKED, schemes=("equal", "hrp")))
    made(tmp_path, replace(ASKED, costs=TradingCosts(half_spread=0.001)))
    same = choice(made(tmp_path, replace(ASKED, every=5)).folder)
    assert same["trials"] == 5  # three of the first, one of the second, and itself
    for moved in (
        replace(ASKED, start=date(2024, 10, 2)),
        replace(ASKED, end=date(2024, 12, 12)),
        replace(ASKED, tickers=("HELQ",)),
        replace(ASKED, tickers=("HELQ", "VELQ", "OMBZ")),
    ):
        folder = made(tmp_path, moved).folder
        found = choice(folder)
        assert (found["trials"], found["looks"]) == (6, 3), moved
        assert found == choice(made(tmp_path, moved).folder), "scored again it is the same look"
        alone = choice(made(tmp_path / "alone", moved).folder)
        assert found["edge"]["deflated"] < alone["edge"]["deflated"] <= found["edge"]["probabilistic"]  # type: ignore[index]
        for name in folder.iterdir():
            name.unlink()
        for path in (tmp_path / "alone" / "backtests").glob("*/*"):
            path.unlink()


def test_the_report_names_the_nearest_looks_and_what_is_other_in_them(tmp_path: Path):
    first = made(tmp_path, replace(ASKED, schemes=("equal",))).folder
    made(tmp_path, replace(ASKED, start=date(2024, 6, 3), end=date(2024, 8, 30)))
    folder = made(tmp_path, replace(ASKED, tickers=("HELQ", "OMBZ", "SANQ"), start=date(2024, 10, 2))).folder
    text = (folder / "report.md").read_text()
    assert "3 seen here and in 1 other backtest of this home that share tickers and days" in text
    other = "start, 1 ticker more, 2 tickers fewer, other weights"
    said = f"`{first.name}` (2024-10-01 to 2024-12-13, HELQ; other: {other};"
    assert f"{said} trials: 2)" in text
    assert "Not counted: 1 other backtest with some of the tickers in other periods." in text


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
