"""One figure, one value: every capability, prompt and JSON answer shows the same for the same company and day.

Figures are compared by their name and the period beside it. Names that mean the same are compared too; where the basis
differs (adjusted against traded), the names differ, and `metric_names` says what each is.
"""

from __future__ import annotations

import json
import math
from collections.abc import Iterator, Mapping
from datetime import date, timedelta
from pathlib import Path
from typing import Any

import pytest
from pydantic import ValidationError

from tests.support.figures import parse_figures
from tradingagents.analytics.least_history import HISTORY
from tradingagents.analytics.price.indicators import momentum_for, overlays_for
from tradingagents.capabilities.capability import Capability
from tradingagents.capabilities.company import get_fundamentals
from tradingagents.capabilities.prices import get_indicators
from tradingagents.capabilities.prices_risk_charts import market_snapshot
from tradingagents.capabilities.registry import registry
from tradingagents.capabilities.valuation import relative_valuation
from tradingagents.dataflows.market_data import MarketData
from tradingagents.dataflows.results import Result
from tradingagents.errors import SettingsError, TradingAgentsError
from tradingagents.settings import load_settings

DAY = date(2025, 3, 14)
WINDOW = timedelta(days=179)
SUBJECT = ("ticker", "symbol", "symbols")
INDICATORS = "close_50_sma,close_200_sma,close_10_ema,macd,macds,macdh,rsi,boll,boll_ub,boll_lb,atr,vwma"
SAME: tuple[frozenset[str], ...] = tuple(
    map(
        frozenset,
        (
            ("price", "close", "last_close", "{symbol}_price"),
            ("sma_50", "close_50_sma"),
            ("sma_200", "close_200_sma"),
            ("change_1d", "{symbol}_change_1d"),
            ("change_1w", "return_1w", "stock_1w", "{symbol}_change_1w"),
            ("change_1m", "return_1m", "stock_1m", "{symbol}_change_1m"),
            ("change_3m", "return_3m", "stock_3m"),
            ("return_6m", "stock_6m"),
            ("return_ytd", "stock_ytd"),
            ("beta", "beta_daily", "beta_regression"),
            ("roe", "dupont_roe"),
            ("net_margin", "dupont_net_margin"),
            ("operating_margin", "dupont_operating_margin"),
        ),
    )
)
"""Names of one and the same figure."""
OF_STATEMENTS = frozenset({"get_income_statement", "get_balance_sheet", "get_cashflow"})
"""Tables of quarters, whose columns name their periods."""


def market(vendor: Mapping[str, Any], day: date, home: Path) -> MarketData:
    return MarketData(load_settings({**vendor, "home": home}, environ={}), day)


def arguments_of(capability: Capability, symbol: str, day: date) -> dict[str, Any] | None:
    """The question of a capability about one symbol on a day; None where it is about something else."""
    fields = capability.arguments.model_fields
    subject = next((name for name in SUBJECT if name in fields), None)
    if subject is None:
        return None
    known = {
        subject: symbol,
        "curr_date": day,
        "start_date": day - WINDOW,
        "end_date": day,
        "indicator": INDICATORS,
        "indicators": "close_10_ema,close_50_sma,close_200_sma,boll,rsi,macd",
    }
    return {name: value for name, value in known.items() if name in fields}


def answers(data: MarketData, symbol: str, day: date) -> Iterator[tuple[str, Result]]:
    for name, capability in sorted({one.name: one for one in registry().values()}.items()):
        given = arguments_of(capability, symbol, day)
        if given is None:
            continue
        try:
            yield name, capability.answer(data, **capability.arguments.model_validate(given).model_dump())
        except (TradingAgentsError, ValidationError):
            continue  # it needs more than a symbol, or the market does not have it


def values_of(data: MarketData, symbol: str, day: date) -> dict[tuple[str, str], dict[str, float]]:
    """Every figure by its name and period, with the value of each capability that shows it."""
    alike = {name.format(symbol=symbol): min(group) for group in SAME for name in group}
    found: dict[tuple[str, str], dict[str, float]] = {}
    for capability, answer in answers(data, symbol, day):
        over = f" of {capability}" if capability in OF_STATEMENTS else ""
        for figure in answer.figures():
            if figure.rounded is not None:
                name = alike.get(figure.name, figure.name)
                found.setdefault((name, figure.over + over), {})[f"{capability}.{figure.name}"] = figure.rounded
    return found


def check(data: MarketData, symbol: str, day: date) -> int:
    """Compare all values; return how many figures are shown by more than one."""
    shared = {key: shown for key, shown in values_of(data, symbol, day).items() if len(shown) > 1}
    different = {key: shown for key, shown in shared.items() if len(set(shown.values())) > 1}
    assert not different
    return len(shared)


@pytest.mark.parametrize("symbol", ["VELQ", "TELQZ"])
def test_every_capability_shows_the_same_figure(symbol: str, tmp_path: Path):
    assert check(market({"data_vendor": "simulated"}, DAY, tmp_path), symbol, DAY) >= 20


@pytest.mark.real_data
@pytest.mark.parametrize(
    ("symbol", "day", "least"),
    [
        ("AAPL", DAY, 20),
        ("CVX", date(2024, 5, 17), 20),
        ("SOLV", date(2024, 4, 25), 8),
        ("NVDA", date(2024, 3, 1), 20),
    ],
)
def test_every_capability_shows_the_same_figure_of_recorded_companies(
    symbol: str, day: date, least: int, test_data: Path, tmp_path: Path
):
    """AAPL's RSI was 31.15 and 31.21, CVX's 52.60 and 57.56, SOLV's unknown and 27.18."""
    vendor = {"data_vendor": "snapshot", "data_dir": str(test_data / "snapshot")}
    assert check(market(vendor, day, tmp_path), symbol, day) >= least


@pytest.mark.real_data
@pytest.mark.parametrize("symbol", ["AAPL", "KO"])
def test_a_figure_does_not_depend_on_how_much_history_is_read(symbol: str, test_data: Path, tmp_path: Path):
    """KO's 1-day loss at 95 % was 1.32 % of two years of prices and 1.55 % of three."""
    vendor = {"data_vendor": "snapshot", "data_dir": str(test_data / "snapshot")}
    read = [
        values_of(market({**vendor, "price_history_days": days}, DAY, tmp_path), symbol, DAY) for days in (800, 1150)
    ]
    assert len(read[0]) > 100
    assert read[0] == read[1]


OWN_MULTIPLES = {"pe": "pe_ttm", "pb": "pb", "ev_ebitda": "ev_ebitda"}


@pytest.mark.parametrize("symbol", ["NVDA", "AAPL", "BAC", "CVX", "MCD", "XOM"])
def test_a_company_s_own_multiples_beside_its_peers_are_those_of_its_key_figures(
    symbol: str, test_data: Path, tmp_path: Path
):
    """P/E by earnings per share; no P/B of an equity too old for the price."""
    settings = load_settings(
        explicit={"home": str(tmp_path), "data_vendor": "snapshot", "data_dir": str(test_data / "snapshot")}, environ={}
    )
    data = MarketData(settings, date(2025, 8, 15))
    key = {figure.name: figure.value for figure in get_fundamentals.answer(data, symbol, data.as_of).figures()}
    ranges = {found.multiple: found.own for found in relative_valuation.answer(data, symbol).ranges}
    for own, name in OWN_MULTIPLES.items():
        assert ranges[own] == pytest.approx(key.get(name)), own


def test_a_run_reads_at_least_the_history_that_figures_go_back():
    assert load_settings({}, environ={}).price_history_days == HISTORY.days
    with pytest.raises(SettingsError, match=str(HISTORY.days)):
        load_settings({"price_history_days": HISTORY.days - 1}, environ={})


def test_a_prompt_and_a_json_answer_show_the_figures_of_the_result(tmp_path: Path):
    data = market({"data_vendor": "simulated"}, DAY, tmp_path)
    for _, answer in answers(data, "VELQ", DAY):
        if answer.tabulated:
            continue
        shown = {figure.name: figure.rounded for figure in answer.figures() if figure.rounded is not None}
        read = {name: one.rounded for name, one in parse_figures(answer.to_markdown()).items()}
        assert {name: read[name] for name in shown} == pytest.approx(shown), answer.title
    written = json.loads(get_fundamentals.ask(data, ticker="VELQ", curr_date=DAY).model_dump_json())
    assert written["sma_50"] == market_snapshot.ask(data, ticker="VELQ").sma_50


def test_a_chart_draws_what_the_tools_say(tmp_path: Path):
    data = market({"data_vendor": "simulated"}, DAY, tmp_path)
    prices = data.prices("VELQ")
    drawn = {**overlays_for(prices), **momentum_for(prices)}
    found = get_indicators.ask(data, symbol="VELQ", indicator=INDICATORS, curr_date=DAY)
    said = {series.name: series.last for series in found.series}
    assert {name: float(values[-1]) for name, values in drawn.items()} == pytest.approx({n: said[n] for n in drawn})


def test_a_short_history_has_no_index_anywhere(tmp_path: Path):
    """The warm-up is one rule: what `get_indicators` withholds, no other table shows."""
    data = market({"data_vendor": "simulated"}, DAY, tmp_path)
    prices = data.prices("VELQ")
    short = prices._slice(len(prices) - 27, len(prices))
    assert all(math.isnan(values[-1]) for name, values in overlays_for(short).items() if not name.startswith("boll"))
