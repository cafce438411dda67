"""Gross profit is withheld where a cost of revenue means nothing, and nowhere else."""

from __future__ import annotations

from datetime import date

import pytest

from tests.support.builders import AS_OF, QUARTER_ENDS, statement
from tests.support.fakes import RowsVendor
from tradingagents.analytics.company.business import gross_profit_doubt
from tradingagents.analytics.company.ttm import ttm
from tradingagents.capabilities.capability import Capability
from tradingagents.capabilities.company import get_income_statement, get_ttm_analysis
from tradingagents.capabilities.filings import get_financials
from tradingagents.dataflows.interface import Vendors
from tradingagents.dataflows.market_data import MarketData
from tradingagents.dataflows.models import Profile
from tradingagents.settings import load_settings

PARTIAL = {"revenue": 100.0, "gross_profit": 88.3, "operating_income": 4.6}


def profile(sector: str | None, industry: str | None) -> Profile:
    return Profile(symbol="MADE", name="Made", kind="stock", sector=sector, industry=industry)


@pytest.mark.parametrize(
    ("sector", "industry", "withheld"),
    [
        ("healthcare", "Managed Health Care", True),
        ("healthcare", "Healthcare Plans", True),
        ("financials", "Property & Casualty Insurance", True),
        ("financials", "Diversified Banks", True),
        ("financials", None, True),
        ("financials", "Insurance Brokers", False),
        ("financials", "Transaction & Payment Processing Services", False),
        ("healthcare", "Pharmaceuticals", False),
        ("technology", "Semiconductors", False),  # a designer of chips sells licences at next to no cost
        ("consumer-discretionary", "Restaurants", True),  # the source counts food, not wages and rent
        (None, None, False),
    ],
)
def test_whose_gross_profit_says_nothing(sector: str | None, industry: str | None, withheld: bool):
    assert (gross_profit_doubt(profile(sector, industry), PARTIAL) is not None) is withheld


def test_a_partial_cost_is_told_by_its_size():
    shop = profile("consumer-discretionary", "Restaurants")
    doubt = gross_profit_doubt(shop, {"revenue": 100.0, "gross_profit": 90.4, "operating_income": 47.2})
    assert doubt is not None
    assert "cost of revenue is 9.6% of revenue and other operating expenses are 43.2%" in doubt
    whole = {"revenue": 100.0, "gross_profit": 57.0, "operating_income": 47.2}
    assert gross_profit_doubt(shop, whole) is None
    assert gross_profit_doubt(shop, {"revenue": 100.0}) is None


def test_without_a_usable_profile_nothing_shows_what_a_gross_profit_means():
    other = Profile("MADE", "MADE", "stock", withheld="MADE: the source answers about 'XOM'.")
    doubt = gross_profit_doubt(other, {"revenue": 100.0, "gross_profit": 50.0, "operating_income": 20.0})
    assert doubt is not None
    assert doubt.endswith("cannot be told without its profile. MADE: the source answers about 'XOM'.")


def test_a_profile_of_another_company_withholds_the_gross_profit_of_every_table():
    profiles = {"MADE": Profile("XOM", "Exxon Mobil", "stock", "energy")}
    rows = [statement(end, {"revenue": 100.0, "gross_profit": 88.3}) for end in QUARTER_ENDS]
    vendors = Vendors(
        load_settings({"data_vendor": "rows"}, environ={}),
        {"rows": RowsVendor(profiles=profiles, statements=rows)},
        environ={},
    )
    data = MarketData(load_settings({"data_vendor": "rows"}, environ={}), AS_OF, vendors=vendors)
    known = data.known_profile("MADE")
    assert known is not None
    assert (known.symbol, known.name, known.sector) == ("MADE", "MADE", None)
    shown = get_income_statement.ask(data, ticker="MADE")
    assert "gross_profit" not in {figure.name for figure in shown.figures() if figure.value is not None}
    assert any("the source answers about XOM" in note for note in shown.notes)


def test_an_insurer_has_no_gross_margin_and_the_answer_says_why():
    income = [statement(end, PARTIAL) for end in QUARTER_ENDS]
    insurer = ttm(income, [], [], as_of=AS_OF, profile=profile("healthcare", "Managed Health Care"))
    assert (insurer.ttm_gross_profit, insurer.gross_margin, insurer.margin_trend["gross"]) == (
        None,
        None,
        "insufficient",
    )
    assert insurer.operating_margin == pytest.approx(4.6)
    assert all(quarter.gross_profit is None for quarter in insurer.quarters)
    assert any(note.startswith("Gross profit and margin are withheld") for note in insurer.notes)
    assert ttm(income, [], [], as_of=AS_OF).gross_margin == pytest.approx(88.3)


def test_figures_of_a_fiscal_year_say_so_in_the_table():
    year = {"revenue": 800.0, "net_income": 160.0}
    shown = ttm([statement(QUARTER_ENDS[1], year, frequency="annual")], [], [], as_of=AS_OF).to_markdown()
    assert "| ttm_revenue | 800.00 USD | fiscal year to 2023-12-31 |" in shown
    assert "| total_assets | n/a |  |" in shown
    quarters = [statement(end, PARTIAL) for end in QUARTER_ENDS]
    assert "| ttm_revenue | 400.00 USD |\n" in ttm(quarters, [], [], as_of=AS_OF).to_markdown()


@pytest.mark.parametrize("tool", [get_financials, get_income_statement, get_ttm_analysis])
@pytest.mark.parametrize(("symbol", "withheld"), [("COVZ", True), ("LEDQ", True), ("VELQ", False)])
def test_every_tool_that_shows_a_gross_profit_keeps_the_rule(tool: Capability, symbol: str, withheld: bool):
    data = MarketData(load_settings({"data_vendor": "simulated"}, environ={}), date(2025, 3, 14))
    shown = tool.ask(data, ticker=symbol)
    values = [figure.value for figure in shown.figures() if "gross" in figure.name]
    assert all(value is None for value in values) is withheld
    assert any(note.startswith("Gross profit and margin are withheld") for note in shown.notes) is withheld
