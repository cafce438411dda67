"""Every figure that a tool shows has a name for people, and that name is read back as the figure it names."""

from __future__ import annotations

from datetime import date, timedelta
from pathlib import Path
from typing import Any, get_args

import pytest

from tests.contracts.test_look_ahead import WIDER
from tradingagents.analytics.company.metric_names import LABELS, known_label, metric_label, metric_named
from tradingagents.analytics.price.indicators import INDICATORS
from tradingagents.capabilities.capability import Capability
from tradingagents.capabilities.registry import built_in
from tradingagents.dataflows.market_data import MarketData
from tradingagents.dataflows.models import MoverCategory
from tradingagents.dataflows.reference.line_items import ITEMS
from tradingagents.dataflows.reference.macro_series import ALIASES
from tradingagents.dataflows.reference.sectors import SECTORS
from tradingagents.dataflows.vendors.simulated.economy import MACRO_SERIES
from tradingagents.provenance.wording import Wording, common_book
from tradingagents.settings import load_settings

DAY = date(2025, 3, 14)
CAPABILITIES = built_in()
ARGUMENTS: dict[str, Any] = {
    "start_date": DAY - timedelta(days=365),
    "end_date": DAY,
    "curr_date": DAY,
    "from_date": DAY - timedelta(days=45),
    "to_date": DAY + timedelta(days=20),
    "symbols": "VELQ,OMBZ",
}
"""Arguments of every capability that has them; the others are those of its example and of the look-ahead test."""
CHOICES: dict[str, tuple[str, ...]] = {
    "symbol": ("VELQ", "SPY", "^GSPC"),
    "ticker": ("VELQ", "OMBZ"),
    "indicator": (",".join(INDICATORS),),
    "category": get_args(MoverCategory),
    "sector_key": SECTORS,
}
QUOTED = frozenset(
    {
        *("sec_filing_section", "current_view_context", "save_thesis", "saved_theses", "saved_backtests"),
        *("paper_accounts", "forward_records", "reveal_forward_record", "guidance"),
    }
)
"""Capabilities that quote a text as filed or saved and have no figures of their own."""


def questions(capability: Capability) -> list[dict[str, Any]]:
    """Arguments that a capability can be asked with, each choice once."""
    fields = capability.arguments.model_fields
    example = {**capability.example_arguments("VELQ", DAY), **WIDER.get(capability.name, {})}
    asked: list[dict[str, Any]] = [example | {name: value for name, value in ARGUMENTS.items() if name in fields}]
    choices = CHOICES | ({"indicator": MACRO_SERIES} if capability.name == "get_macro_indicators" else {})
    if capability.name == "get_earnings_calendar":
        choices = choices | {"symbol": ("",)}  # all companies: a fund has none, one company maybe no figure
    for name, values in choices.items():
        if name in fields:
            asked = [{**one, name: value} for one in asked for value in values]
    return asked


@pytest.mark.parametrize("name", CAPABILITIES)
def test_every_figure_of_every_tool_has_a_name_for_people(name: str, tmp_path: Path):
    data = MarketData(load_settings({"data_vendor": "simulated", "home": tmp_path}, environ={}), DAY)
    shown = {
        figure.name
        for asked in questions(CAPABILITIES[name])
        for figure in CAPABILITIES[name].ask(data, **asked).figures()
    }
    assert bool(shown) == (name not in QUOTED)
    assert [one for one in sorted(shown) if known_label(one) is None] == []
    assert [one for one in sorted(shown) if "_" in metric_label(one)] == []


def test_every_item_indicator_and_series_has_one_even_where_no_company_reports_it():
    names = [*INDICATORS, *(item for items in ITEMS.values() for item in items), *(one.lower() for one in ALIASES)]
    assert [one for one in names if known_label(one) is None] == []


@pytest.mark.parametrize(
    ("name", "label"),
    [
        ("close_200_sma", "200-day average"),
        ("revenue_yoy", "year-on-year revenue growth"),
        ("net_value", "net insider buying"),
        ("^IXIC_change_pct", "Nasdaq Composite 1-day change"),
        ("BRK-B_change_1d", "BRK-B 1-day change"),
        ("BRK-B_change_1w", "BRK-B 1-week change"),
        ("AAPL_share_of_portfolio", "AAPL share of the portfolio"),
        ("037833100_value", "037833100 value held"),
        ("price_change", "price change"),
        ("technology_1m", "Information Technology 1-month return"),
        ("oil_gas_companies", "oil gas companies"),
        ("unrate_change_1y", "unemployment rate, change over a year"),
        ("us_nonfarm_payrolls_previous", "US nonfarm payrolls, previous value"),
        ("form_10_k_a", "10-K/A filings"),
        ("form_def_14a", "DEF 14A filings"),
        ("form_s_1", "S-1 filings"),
    ],
)
def test_what_people_call_it(name: str, label: str):
    assert metric_label(name) == known_label(name) == label


@pytest.mark.parametrize(
    "name",
    [
        *("^GSPC_change_pct", "^GSPC_high_52w", "^VIX_last", "COVZ_change_1d", "BRK-B_1m", "industrials_1m"),
        *(
            "BRK-B_change_1w",
            "AAPL_from_52w_high",
            "AAPL_value",
            "AAPL_shares",
            "AAPL_share_of_portfolio",
            "price_change",
        ),
        *("communication-services_1m", "healthcare_1w", "indices_up", "sectors_up", "movers_skew"),
        *("cyclical_less_defensive", "regime_score", "close_200_sma"),
    ],
)
def test_a_label_names_its_figure(name: str):
    assert metric_named(metric_label(name)) == name


@pytest.mark.parametrize("label", ["", "some words 1-day change", "no such 1-month return", "level", "XYZ"])
def test_other_words_name_no_figure(label: str):
    assert metric_named(label) is None


def test_a_name_that_nobody_named_is_shown_as_words():
    assert known_label("quick_ratio") is None
    assert metric_label("quick_ratio") == "quick ratio"


def test_a_label_says_to_the_figure_check_what_the_name_says():
    """A figure that a text calls by its label is traced as one called by its name."""
    book = common_book()
    differ = {}
    for name, label in LABELS.items():
        named, labelled = (
            {("metric", what) for what in told.metrics} | {("period", what) for what in told.periods}
            for told in (Wording(name, book), Wording(label, book))
        )
        if named and not named <= labelled:
            differ[name] = (sorted(named), label, sorted(labelled))
    assert differ == {}
