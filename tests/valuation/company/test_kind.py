"""The kind of a company by words and statements, the model that fits it, and what is refused in its place."""

from __future__ import annotations

from dataclasses import replace
from typing import get_args

import pytest

from tests.support.fakes import make_prices
from tests.valuation.company.test_facts import ENDS, PROFILE, statement
from tradingagents.analytics.company.business import business_of
from tradingagents.dataflows.models import Profile
from tradingagents.dataflows.reference.sectors import sector_key
from tradingagents.errors import NoData, UsageError
from tradingagents.valuation.company.answer_parts import CapitalYear, CompanyKind
from tradingagents.valuation.company.facts import CompanyFacts, company_facts
from tradingagents.valuation.company.kind import FITTING, choose_model, kind_of

WORDS = [
    # GICS                                                              Yahoo
    ("Financials", "Diversified Banks", "bank"), ("Financial Services", "Banks - Regional", "bank"),
    ("Financials", "Consumer Finance", "bank"), ("Financial Services", "Capital Markets", "bank"),
    ("Financials", "Property & Casualty Insurance", "insurer"), ("Financial Services", "Insurance - Life", "insurer"),
    ("Financials", "Insurance Brokers", "firm"), ("Financial Services", "Insurance Brokers", "firm"),
    ("Financials", "Financial Exchanges & Data", "firm"),
    ("Financial Services", "Financial Data & Stock Exchanges", "firm"),
    ("Financials", "Transaction & Payment Processing Services", "firm"),
    ("Financials", "Asset Management & Custody Banks", "by_sheet"),
    ("Financial Services", "Asset Management", "by_sheet"),
    ("Financial Services", "Credit Services", "by_sheet"),
    ("Financials", "Mortgage REITs", "mortgage_reit"), ("Real Estate", "REIT - Mortgage", "mortgage_reit"),
    ("Financial Services", "Mortgage Finance", "bank"),
    ("Real Estate", "Retail REITs", "reit"), ("Real Estate", "REIT - Healthcare Facilities", "reit"),
    ("Real Estate", "Real Estate Services", "firm"), ("Real Estate", "Real Estate - Development", "firm"),
    ("Utilities", "Electric Utilities", "utility"), ("Utilities", "Utilities - Regulated Electric", "utility"),
    ("Utilities", "Multi-Utilities", "utility"), ("Utilities", "Utilities - Diversified", "utility"),
    ("Utilities", "Independent Power Producers & Energy Traders", "firm"),
    ("Utilities", "Utilities - Independent Power Producers", "firm"), ("Utilities", "Utilities - Renewable", "firm"),
    ("Financials", "Multi-Sector Holdings", "holding"), ("Financial Services", "Financial Conglomerates", "holding"),
    ("Industrials", "Industrial Conglomerates", "firm"), ("Industrials", "Conglomerates", "firm"),
    ("Financial Services", "Shell Companies", "shell"),
    ("Consumer Discretionary", "Restaurants", "firm"), (None, None, "firm"), ("Financials", None, "bank"),
    ("Energy", "Oil & Gas Equipment & Services", "firm"), ("Materials", "Industrial Gases", "firm"),
]  # fmt: skip


@pytest.mark.parametrize(("sector", "industry", "business"), WORDS)
def test_words_of_gics_and_of_yahoo_say_the_trade(sector: str | None, industry: str | None, business: str) -> None:
    assert business_of(sector_key(sector), industry) == business


def profile(sector: str, industry: str) -> Profile:
    return replace(PROFILE, sector=sector, industry=industry)


def facts(who: Profile = PROFILE, *, assets: float = 1000.0, equity: float = 300.0, **items: float) -> CompanyFacts:
    """Four equal quarters of which each has revenue 100, operating income 20 and net income 12, but for `items`."""
    usual = {"revenue": 100.0, "operating_income": 20.0, "net_income": 12.0, "shares_diluted": 50.0}
    rows = [statement("income", end, **{**usual, **items}) for end in ENDS]
    sheet = statement("balance", ENDS[0], equity=equity, total_assets=assets, total_debt=100.0, cash=40.0)
    return company_facts(make_prices("ACMQ"), rows, [sheet], [], who)


def test_every_kind_has_its_models() -> None:
    assert set(FITTING) == set(get_args(CompanyKind))
    assert {kind for kind, models in FITTING.items() if not models} == {"no_sales", "shell"}


@pytest.mark.parametrize(
    ("assets", "equity", "kind"),
    [
        (3000.0, 300.0, "bank"),  # equity 10 % of assets, which are 7.5 years of revenue
        (3000.0, 600.0, "firm"),  # equity 20 %: a manager of others' money
        (1000.0, 100.0, "firm"),  # 10 %, but 2.5 years of revenue: a card network that bought back its shares
    ],
)
def test_lenders_among_mixed_industries_are_told_by_the_balance_sheet(assets: float, equity: float, kind: str) -> None:
    who = profile("financials", "Asset Management")
    assert kind_of(who) is None
    assert kind_of(who, facts(who, assets=assets, equity=equity)) == kind


def test_a_utility_that_sells_at_market_prices_is_no_regulated_one() -> None:
    who = profile("utilities", "Electric Utilities")
    assert kind_of(who, facts(who, equity=400.0)) == "utility"  # 48 / 400 = 12 %
    assert kind_of(who, facts(who, equity=300.0)) == "firm"  # 48 / 300 = 16 %


def test_negative_equity_is_said_and_excess_returns_are_refused() -> None:
    found = choose_model("auto", PROFILE, facts=facts(equity=-200.0))
    assert (found.kind, found.model) == ("negative_equity", "fcff")
    assert found.why[0].startswith("Book equity is negative")
    with pytest.raises(UsageError, match=r"book equity is negative.*use model=fcff"):
        choose_model("excess_returns", PROFILE, facts=facts(equity=-200.0))


def losses(growth: float, years: tuple[float, ...]) -> CompanyFacts:
    lost = facts(operating_income=-20.0, net_income=-25.0)
    past = tuple(CapitalYear(end, 400.0, income, 300.0, None) for end, income in zip(ENDS, years, strict=True))
    assert lost.median_margin is not None
    return replace(lost, growth=replace(lost.median_margin, value=growth), years=past)


@pytest.mark.parametrize(
    ("growth", "years", "kind"),
    [
        (0.25, (-80.0, -90.0, -70.0, -60.0), "no_profit_yet"),
        (0.02, (-80.0, -90.0, -70.0, -60.0), "losses"),
        (0.25, (-80.0, -90.0, -70.0, 60.0), "losses"),
    ],
)
def test_no_profit_yet_is_losses_in_every_year_and_growth(growth: float, years: tuple[float, ...], kind: str) -> None:
    assert kind_of(PROFILE, losses(growth, years)) == kind


def test_a_company_without_sales_is_refused_with_its_cash() -> None:
    burning = facts(revenue=1.0, operating_income=-20.0, net_income=-20.0)
    with pytest.raises(NoData) as refused:
        choose_model("auto", PROFILE, facts=burning)
    told = str(refused.value)
    assert "no sales to speak of" in told
    assert "they last 6 months" in told  # 40 of cash, 80 a year
    assert "net of debt they are -1.20 USD a share" in told  # (40 - 100) / 50
    assert "give revenue_t0=…, margin=… and growth=…" in told
    chosen = choose_model("auto", PROFILE, facts=burning, given=("revenue_t0", "margin"))
    assert (chosen.kind, chosen.model) == ("no_sales", "fcff")


@pytest.mark.parametrize(
    ("sector", "industry", "asked", "told"),
    [
        ("real-estate", "Retail REITs", "fcff", "Use model=funds_from_operations"),
        ("real-estate", "Retail REITs", "excess_returns", "Use model=funds_from_operations"),
        ("real-estate", "REIT - Mortgage", "fcff", "Use model=excess_returns"),
        ("financials", "Multi-Sector Holdings", "fcff", "Use model=excess_returns"),
        ("utilities", "Gas Utilities", "funds_from_operations", "Use model=excess_returns"),
        ("technology", "Semiconductors", "funds_from_operations", "use model=fcff"),
        ("financials", "Shell Companies", "auto", "its cash for each share is what it is worth"),
    ],
)
def test_a_model_that_does_not_fit_is_refused_before_anything_is_asked_for(
    sector: str, industry: str, asked: str, told: str
) -> None:
    with pytest.raises(UsageError, match=told):
        choose_model(asked, profile(sector, industry))  # type: ignore[arg-type]
