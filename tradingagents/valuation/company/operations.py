"""Growth, margins, tax and turnover of the operations: what is normal for the company, not only what was last."""

from __future__ import annotations

from tradingagents.errors import NoData
from tradingagents.valuation.company.assumptions import MARGINAL_TAX, AssumptionBook
from tradingagents.valuation.company.claims import Sourced
from tradingagents.valuation.company.facts import CompanyFacts
from tradingagents.valuation.limited_liability import GIVE_MARGIN, NO_VALUE

GROWTH_BOUNDS = (-0.05, 0.25)
"""Growth of the past is taken within these, for growth beyond them does not last five years."""
TURNOVER_BOUNDS = (0.3, 5.0)
"""Sales to capital of the past is taken within these."""
USUAL_TAX = (0.05, 0.40)


def usual_tax(facts: CompanyFacts) -> Sourced:
    """Return the tax rate of the last twelve months where it is a usual one, else a convention."""
    low, high = USUAL_TAX
    if facts.tax_rate is not None and low <= facts.tax_rate.value <= high:
        return facts.tax_rate
    return Sourced(MARGINAL_TAX, f"default: {MARGINAL_TAX:.0%}, no usual tax rate follows from the statements", True)


def growth_of(facts: CompanyFacts, book: AssumptionBook) -> float:
    """Return the growth of revenue for the first five years: that of the past within bounds."""
    low, high = GROWTH_BOUNDS
    if facts.growth is None:
        if facts.growth_gap and not {"growth_years_1_to_5", "sales_growth"} & book.given.keys():
            gap = f"{facts.symbol} cannot be valued: {facts.growth_gap}, so that its growth is not known"
            raise NoData(f"{gap}. Give growth=…, or choose another vendor.")
        return book.take("growth_years_1_to_5", 0.04, "default: 4 %, revenue of earlier years is not known")
    bounded = min(max(facts.growth.value, low), high)
    limit = "" if bounded == facts.growth.value else f"; {facts.growth.value:.1%}, taken within {low:.0%} to {high:.0%}"
    return book.take("growth_years_1_to_5", Sourced(bounded, facts.growth.source + limit))


def margins_of(facts: CompanyFacts, book: AssumptionBook) -> tuple[float, float]:
    """Return the operating margin of the last twelve months, and the one to reach in year 5."""
    income, revenue = facts.operating_income, facts.revenue
    if income is None or revenue is None or revenue.value <= 0:
        if "oper_margin" not in book.given:
            raise NoData(f"The operating margin of {facts.symbol} is not known; give margin=….")
        return 0.0, 0.0
    now = income.value / revenue.value
    margin = book.take("margin_t0", Sourced(now, income.source.replace("operating_income", "operating_income/revenue")))
    median = facts.median_margin
    if now <= 0 and (median is None or median.value <= 0) and not {"target_margin", "oper_margin"} & book.given.keys():
        raise NoData(_no_usual_margin(facts.symbol, now, median))
    if now > 0 or median is None:
        return margin, book.take("target_margin", margin, "default: the margin of the last twelve months goes on")
    return margin, book.take("target_margin", median)


def _no_usual_margin(symbol: str, now: float, median: Sourced | None) -> str:
    """Say that years of losses are no norm: half of the years or more lie at or below zero where their median does."""
    past = (
        "no earlier year is known" if median is None else f"{median.value:.1%} is the {median.source.split(', ')[-1]}"
    )
    return (
        f"{NO_VALUE}: {symbol} lost {-now:.1%} of its revenue on operations in the last twelve months, and {past}; "
        f"years of losses are no usual margin. {GIVE_MARGIN}."
    )


def turnover_of(facts: CompanyFacts, book: AssumptionBook) -> float:
    """Return revenue over the capital of the operations, within bounds."""
    low, high = TURNOVER_BOUNDS
    capital = facts.years[0].invested_capital if facts.years else None
    if capital is None or capital <= 0 or facts.revenue is None:
        return book.take("turnover", 1.5, "default: 1.5, invested capital is not known or not positive")
    ratio = facts.years[0].revenue / capital
    bounded = min(max(ratio, low), high)
    limit = "" if bounded == ratio else f"; {ratio:.2f}, taken within {low:g} to {high:g}"
    where = f"get_balance_sheet: revenue over equity + debt - cash and securities, {facts.years[0].end}"
    return book.take("turnover", Sourced(bounded, where + limit))
