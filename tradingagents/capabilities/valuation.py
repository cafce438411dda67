"""Questions about what a company is worth: inputs, value, sensitivity, expectations, multiples; and the index."""

from __future__ import annotations

from datetime import date

from tradingagents.capabilities.capability import capability
from tradingagents.dataflows.gateway.financial_sources import STATEMENT_METHOD
from tradingagents.dataflows.market_data import MarketData
from tradingagents.schemas.valuation_models import ModelName
from tradingagents.valuation.company.results import (
    CompanyValuation,
    CompanyValuationInputs,
    IndexValuation,
    PriceExpectations,
    RelativeValuation,
    ValuationSensitivity,
)
from tradingagents.valuation.sensitivity import Driver

# The computation is imported where it is asked: agents declare `valuation` as a tool, and most runs value nothing.
STATEMENTS = tuple(STATEMENT_METHOD.values())
NEEDS = {"get_stock_data", "get_profile", *STATEMENTS}
RATES = {"get_macro_indicators", "get_peers", "get_industry_performance"}


@capability(title="Inputs of a valuation", returns=CompanyValuationInputs, requires=NEEDS, uses=RATES)
def build_valuation_inputs(
    data: MarketData, ticker: str, curr_date: date | None = None, model: ModelName = "auto", assumptions: str = ""
) -> CompanyValuationInputs:
    """Build the inputs of a valuation from what was known by a day; each assumption says where it comes from.

    Args:
        ticker: Ticker, for example AAPL.
        curr_date: Day to value at, YYYY-MM-DD; none: the day of this study.
        model: fcff, excess_returns (banks, insurers, utilities), funds_from_operations (REITs), dividend_discount, or
            auto, which chooses by the kind of company.
        assumptions: Numbers to use instead, such as wacc=0.09; growth=0.08; separated by semicolons.
    """
    from tradingagents.capabilities.valuation_answers import inputs_of

    return inputs_of(data.as_of_date(curr_date), ticker, model, assumptions)


@capability(returns=CompanyValuation, requires=NEEDS, uses=RATES)
def valuation(
    data: MarketData, ticker: str, curr_date: date | None = None, model: ModelName = "auto", assumptions: str = ""
) -> CompanyValuation:
    """Value a company without a language model: value per share, bridge, and the growth its price implies.

    Args:
        ticker: Ticker, for example AAPL.
        curr_date: Day to value at, YYYY-MM-DD; none: the day of this study.
        model: fcff, excess_returns (banks, insurers, utilities), funds_from_operations (REITs), dividend_discount, or
            auto, which chooses by the kind of company.
        assumptions: Numbers to use instead, such as wacc=0.09; growth=0.08; separated by semicolons.
    """
    from tradingagents.capabilities.valuation_answers import value_of

    return value_of(data.as_of_date(curr_date), ticker, model, assumptions)


@capability(title="Sensitivity of the valuation", returns=ValuationSensitivity, requires=NEEDS, uses=RATES)
def sensitivity(
    data: MarketData,
    ticker: str,
    curr_date: date | None = None,
    rows: Driver = "wacc",
    columns: Driver = "stable_growth",
    assumptions: str = "",
) -> ValuationSensitivity:
    """Show how a company's value per share changes with two drivers, and with each driver alone.

    Args:
        ticker: Ticker, for example AAPL.
        curr_date: Day to value at, YYYY-MM-DD; none: the day of this study.
        rows: Driver of the rows.
        columns: Driver of the columns, another one.
        assumptions: Numbers to use instead, such as wacc=0.09; growth=0.08; separated by semicolons.
    """
    from tradingagents.capabilities.valuation_answers import sensitivity_of

    return sensitivity_of(data.as_of_date(curr_date), ticker, (rows, columns), assumptions)


@capability(returns=PriceExpectations, requires=NEEDS, uses=RATES)
def reverse_valuation(
    data: MarketData, ticker: str, curr_date: date | None = None, model: ModelName = "auto", assumptions: str = ""
) -> PriceExpectations:
    """Find what the price of a share implies: growth, margin, cost of capital, each with the others unchanged.

    Args:
        ticker: Ticker, for example AAPL.
        curr_date: Day to value at, YYYY-MM-DD; none: the day of this study.
        model: fcff, excess_returns (banks, insurers, utilities), funds_from_operations (REITs), dividend_discount, or
            auto, which chooses by the kind of company.
        assumptions: Numbers to use instead, such as wacc=0.09; growth=0.08; separated by semicolons.
    """
    from tradingagents.capabilities.valuation_answers import expectations_of

    return expectations_of(data.as_of_date(curr_date), ticker, model, assumptions)


@capability(returns=RelativeValuation, requires=NEEDS, uses={"get_peers", "get_industry_performance"})
def relative_valuation(data: MarketData, ticker: str, curr_date: date | None = None) -> RelativeValuation:
    """Find the price of a share at its peers' EV/EBITDA, EV/sales, P/E, P/B and P/FCF, with quartiles.

    Args:
        ticker: Ticker, for example AAPL.
        curr_date: Day to value at, YYYY-MM-DD; none: the day of this study.
    """
    from tradingagents.capabilities.valuation_answers import multiples_of_peers

    return multiples_of_peers(data.as_of_date(curr_date), ticker)


@capability(
    title="Valuation of the S&P 500",
    returns=IndexValuation,
    requires={"get_stock_data"},
    uses={"get_macro_indicators"},
    example={"assumptions": "payout_yield=0.03; growth=0.05"},
)
def sp500_dcf(data: MarketData, curr_date: date | None = None, assumptions: str = "") -> IndexValuation:
    """Find the return and the equity risk premium that the level of the S&P 500 implies, from what its companies pay.

    Args:
        curr_date: Day to value at, YYYY-MM-DD; none: the day of this study.
        assumptions: Numbers to use instead: payout_yield, growth, risk_free; such as payout_yield=0.03; growth=0.06.
    """
    from tradingagents.capabilities.index_valuation import value_of_index

    return value_of_index(data.as_of_date(curr_date), assumptions)
