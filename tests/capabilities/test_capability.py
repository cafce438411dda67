"""A capability: what its declaration promises, what it refuses, and what it leaves in the data sheet."""

from __future__ import annotations

from datetime import date
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pydantic import ValidationError

from tests.capabilities.market import AS_OF, CAPABILITIES, DAY, LATER, QUESTIONS, snapshot_market
from tests.support.figures import parse_figures
from tests.support.tiers import examples
from tradingagents.analytics.price.stock_data import StockData
from tradingagents.capabilities.capability import Capability, capability
from tradingagents.capabilities.company import get_balance_sheet, get_income_statement, get_ttm_analysis
from tradingagents.capabilities.news import get_global_news, get_insider_transactions, get_news
from tradingagents.capabilities.prices import get_indicators, get_macro_regime, get_peer_comparison, get_stock_data
from tradingagents.dataflows.market_data import MarketData
from tradingagents.dataflows.reference.metrics import MISSING
from tradingagents.errors import BadDate, BadSymbol, NoData


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("capabilities") / "market"


@pytest.fixture
def market(folder: Path) -> MarketData:
    return snapshot_market(folder)


def sheet_row(market: MarketData, name: str) -> Any:
    """Return the one row of a capability's own answer: the one with figures."""
    (row,) = [row for row in market.sheet.rows if row.method == name and row.figures]
    return row


@pytest.mark.parametrize("asked", CAPABILITIES, ids=lambda one: one.name)
def test_every_figure_shown_parses_back_and_stands_in_the_data_sheet(market: MarketData, asked: Capability):
    result = asked.ask(market, **QUESTIONS[asked])
    shown = [(figure.name, figure.text) for figure in result.figures() if figure.text != MISSING]
    read = parse_figures(result.to_markdown())
    recorded = sheet_row(market, asked.name).figures
    assert len(shown) >= 1
    assert set(recorded) == {name for name, _ in shown}
    for name, text in shown:
        assert f"| {name} | {text} |" in result.to_markdown()
        assert read[name].value == recorded[name], name


@pytest.mark.parametrize("asked", CAPABILITIES, ids=lambda one: one.name)
def test_an_answer_says_who_gave_it_and_when_it_was_known(market: MarketData, asked: Capability):
    result = asked.ask(market, **QUESTIONS[asked])
    first, _, provenance, *_ = result.to_markdown().splitlines()
    assert first == f"## {result.title}"
    assert provenance.startswith(f"(source {result.source}, as of {DAY}")
    assert result.known_at is not None
    assert result.known_at <= market.cutoff.instant
    row = sheet_row(market, asked.name)
    assert (row.vendor, row.rows, row.known_at, row.notes) == (
        result.source,
        result.rows,
        result.known_at,
        result.notes,
    )


def test_arguments_as_a_model_writes_them_are_read(market: MarketData):
    result = get_stock_data.ask(market, symbol=" acmq ", start_date="2025-03-03", end_date="2025-03-14")
    assert (result.symbol, result.start, result.end, result.rows) == ("ACMQ", date(2025, 3, 3), AS_OF, 10)


@pytest.mark.parametrize(
    ("asked", "arguments", "field"),
    [
        (get_stock_data, {"symbol": "ACMQ", "start_date": "soon", "end_date": DAY}, "start_date"),
        (get_stock_data, {"symbol": "ACMQ", "end_date": DAY}, "start_date"),
        (get_indicators, {"symbol": "ACMQ", "indicator": 7, "curr_date": DAY}, "indicator"),
        (get_income_statement, {"ticker": "ACMQ", "freq": "weekly"}, "freq"),
        (get_global_news, {"curr_date": DAY, "limit": "many"}, "limit"),
        (get_global_news, {"curr_date": DAY, "look_back_days": 10**9}, "look_back_days"),
        (
            get_indicators,
            {"symbol": "ACMQ", "indicator": "rsi", "curr_date": DAY, "look_back_days": 10**9},
            "look_back_days",
        ),
        (get_news, {"ticker": None, "start_date": DAY, "end_date": DAY}, "ticker"),
        (get_ttm_analysis, {"ticker": "ACMQ", "as_of": LATER}, "as_of"),
        (get_macro_regime, {"curr_date": DAY, "data": "another market"}, "data"),
    ],
)
def test_arguments_that_do_not_fit_are_refused_by_name(
    market: MarketData, asked: Capability, arguments: dict[str, Any], field: str
):
    with pytest.raises(ValidationError) as refusal:
        asked.ask(market, **arguments)
    assert [error["loc"] for error in refusal.value.errors()] == [(field,)]
    assert market.sheet.rows == ()


@pytest.mark.parametrize(
    "asked",
    [one for one in CAPABILITIES if "curr_date" in one.arguments.model_fields],
    ids=lambda one: one.name,
)
def test_a_date_beyond_the_day_is_read_as_the_day_and_noted(market: MarketData, asked: Capability):
    plain = asked.ask(market, **QUESTIONS[asked])
    late = asked.ask(market, **{**QUESTIONS[asked], "curr_date": LATER})
    note = f"{LATER} lies after {DAY}, the day of this study, and was read as that day."
    assert late.notes == (*plain.notes, note)
    assert late.figures() == plain.figures()
    assert f"Note: {note}" in late.to_markdown()
    assert note in sheet_row(market, asked.name).notes


@pytest.mark.parametrize(
    "asked",
    [one for one in CAPABILITIES if {"curr_date", "end_date"} & set(one.arguments.model_fields)],
    ids=lambda one: one.name,
)
@pytest.mark.parametrize("day", ["0001-01-01", "1800-01-01"])
def test_a_day_before_all_data_is_refused_in_words(market: MarketData, asked: Capability, day: str):
    dates = {name: day for name in asked.arguments.model_fields if name.endswith("_date")}
    with pytest.raises((BadDate, NoData), match=r"name a day from|choose another vendor"):
        asked.ask(market, **{**QUESTIONS[asked], **dates})


def test_days_of_insider_trades_that_run_backwards_are_refused(market: MarketData):
    with pytest.raises(BadDate, match="swap them"):
        get_insider_transactions.ask(market, ticker="ACMQ", start_date="2024-03-15", end_date="2024-03-14")


def test_every_late_date_of_a_question_is_named_once(market: MarketData):
    result = get_stock_data.ask(market, symbol="ACMQ", start_date="2025-06-02", end_date=LATER)
    assert result.notes[-1] == f"2025-06-02, {LATER} lies after {DAY}, the day of this study, and was read as that day."
    assert (result.start, result.rows) == (AS_OF, 1)


@settings(max_examples=examples(60), deadline=None)
@given(day=st.dates(date(2024, 9, 2), date(2030, 12, 31)))
def test_no_date_a_model_writes_opens_the_future(folder: Path, day: date):
    market = snapshot_market(folder)
    result = get_stock_data.ask(market, symbol="ACMQ", start_date=date(2024, 1, 2), end_date=day)
    assert result.end is not None
    assert result.end <= min(day, AS_OF)
    assert result.known_at is not None
    assert result.known_at <= market.cutoff.instant


def test_an_earlier_day_is_answered_as_known_then_in_the_same_sheet(market: MarketData):
    earlier = get_ttm_analysis.ask(market, ticker="ACMQ", curr_date="2024-10-30")
    assert earlier.known_at is not None
    assert (
        earlier.known_at.isoformat() == "2024-07-30T20:30:00+00:00"
    )  # the next filing came half an hour after the close
    now = get_ttm_analysis.ask(market, ticker="ACMQ")
    assert now.known_at is not None
    assert now.known_at.isoformat() == "2024-10-30T20:30:00+00:00"
    assert len([row for row in market.sheet.rows if row.method == "get_ttm_analysis"]) == 2


@pytest.mark.parametrize(
    ("asked", "arguments", "error", "hint"),
    [
        (get_stock_data, {"symbol": "../../x", "start_date": DAY, "end_date": DAY}, BadSymbol, "write it like AAPL"),
        (get_stock_data, {"symbol": "NOSUCHQ", "start_date": DAY, "end_date": DAY}, NoData, "has no NOSUCHQ"),
        (get_balance_sheet, {"ticker": "CRGQ"}, NoData, "continue without|(choose|use) another vendor"),
        (get_news, {"ticker": "DOVQ", "start_date": DAY, "end_date": DAY}, NoData, "choose another vendor"),
        (get_peer_comparison, {"ticker": "SPY"}, NoData, "compare it with a broad index"),
        (get_indicators, {"symbol": "ACMQ", "indicator": "rsj", "curr_date": DAY}, Exception, "rsi"),
    ],
)
def test_what_cannot_be_answered_says_what_to_do(
    market: MarketData, asked: Capability, arguments: dict[str, Any], error: type[Exception], hint: str
):
    with pytest.raises(error, match=hint):
        asked.ask(market, **arguments)
    assert not [row for row in market.sheet.rows if row.figures]


def test_a_declaration_becomes_name_summary_and_schema():
    @capability(returns=StockData, requires={"get_stock_data"})
    def get_price(data: MarketData, ticker: str, days: int = 3) -> Any:
        """Tell the price.

        Of one stock.

        Args:
            ticker: Ticker, for example
                AAPL: the symbol.
            days: How many days.
        """

    schema = get_price.arguments.model_json_schema()
    assert (get_price.name, get_price.summary) == ("get_price", "Tell the price.")
    assert schema["properties"]["ticker"]["description"] == "Ticker, for example AAPL: the symbol."
    assert (schema["properties"]["days"]["default"], schema["required"]) == (3, ["ticker"])
    assert schema["additionalProperties"] is False


def test_an_argument_without_a_meaning_is_no_declaration():
    with pytest.raises(KeyError, match="days"):

        @capability(returns=StockData, requires={"get_stock_data"})
        def get_price(data: MarketData, ticker: str, days: int = 3) -> Any:
            """Tell the price.

            Args:
                ticker: Ticker.
            """
