"""Inputs of a real-estate trust: funds from operations as Nareit defines them, adjusted, and the properties' income."""

from __future__ import annotations

from tradingagents.errors import NoData
from tradingagents.valuation.company.assumptions import AssumptionBook, BuiltInputs, needed
from tradingagents.valuation.company.claims import Sourced
from tradingagents.valuation.company.discount_rates.capital import equity_costs
from tradingagents.valuation.company.discount_rates.rates import MarketRates
from tradingagents.valuation.company.equity_inputs import finished
from tradingagents.valuation.company.facts import CompanyFacts
from tradingagents.valuation.equity_models import FundsInputs
from tradingagents.valuation.limited_liability import NO_VALUE
from tradingagents.valuation.paths import YEARS, fading_path

UPKEEP = 0.15
"""Of depreciation: what keeps buildings as they are, where the statements do not tell it from what adds to them.
Judgement of 2026-11-28."""
RENTS = 0.02
"""Growth of the rents of the same buildings: the inflation that central banks aim at."""
CAP_SPREAD = 0.02
"""Capitalisation rate of properties over the ten-year treasury. Judgement of 2026-11-28."""


def reit_inputs(facts: CompanyFacts, rates: MarketRates, book: AssumptionBook) -> BuiltInputs:
    """Build the inputs of a real-estate trust.

    Growth is that of the rents of the same buildings, which needs no capital. Buildings bought with retained funds or
    new shares are taken to be worth what they cost, so that all funds count as if they were paid out.

    Raises:
        NoData: Depreciation or income is not known, or the adjusted funds are not above zero.
    """
    shares = book.take("shares_out", needed(facts.shares, "shares_out", facts, book))
    risk_free, cost, stable_cost = equity_costs(facts, rates, book)
    funds = _funds(facts, book)
    stable_growth = book.take(
        "stable_growth",
        min(RENTS, risk_free),
        f"default: {RENTS:.0%}, the inflation that central banks aim at, or the risk-free rate if that is less",
    )
    growth = book.take_first("funds_growth", stable_growth, "default: stable_growth, rents of the same buildings")
    payout = book.take_first("payout", 1.0, "default: 1, buildings bought with retained funds are worth what they cost")
    income, rate, claims = _properties(facts, book, risk_free)
    inputs = FundsInputs(
        funds_t0=funds,
        shares_out=shares,
        funds_growth=fading_path(growth, stable_growth),
        payout=(payout,) * YEARS,
        cost_of_equity=fading_path(cost, stable_cost),
        stable_growth=stable_growth,
        stable_cost_of_equity=stable_cost,
        operating_income=income,
        cap_rate=rate,
        claims=claims,
    )
    return finished("funds_from_operations", inputs, book)


def _funds(facts: CompanyFacts, book: AssumptionBook) -> float:
    """Return the adjusted funds from operations (AFFO), with each step as an assumption."""
    if "funds_t0" in book.given:
        return _above_zero(book.take("funds_t0", 0.0), facts)
    items = facts.method_items
    income = facts.income_to_common or facts.net_income
    earned = book.take("net_income", needed(income, "net_income", facts, book))
    worn = book.take("depreciation", needed(items.depreciation, "depreciation", facts, book))
    gains = book.take("gains_on_sales", items.gains)
    written_down = book.take("impairments", items.impairment)
    terms = "net_income + depreciation + impairments - gains_on_sales"
    ffo = book.take("funds_from_operations", Sourced(earned + worn + written_down - gains, terms))
    upkeep = book.take("recurring_capital_expenditure", _upkeep(items.capital_expenditure, worn))
    less = Sourced(ffo - upkeep, "funds_from_operations - recurring_capital_expenditure")
    return _above_zero(book.take("funds_t0", less), facts)


def _above_zero(funds: float, facts: CompanyFacts) -> float:
    if funds > 0:
        return funds
    raise NoData(
        f"{NO_VALUE}: the adjusted funds from operations of {facts.symbol} are {funds:,.0f}, and there is nothing to "
        f"discount. Give funds_t0=… of a usual year."
    )


def _upkeep(spent: Sourced | None, worn: float) -> Sourced:
    usual = UPKEEP * worn
    if spent is not None and 0 <= spent.value < usual:
        return Sourced(spent.value, f"{spent.source}, all of it")
    why = "capital_expenditure holds what adds to them too" if spent is not None else "it is not known"
    return Sourced(usual, f"default: {UPKEEP:.0%} of depreciation keeps the buildings as they are, for {why}", True)


def _properties(
    facts: CompanyFacts, book: AssumptionBook, risk_free: float
) -> tuple[float | None, float | None, float]:
    """Return net operating income, capitalisation rate and claims; None twice where the income or debt is not known."""
    own, worn = facts.operating_income, facts.method_items.depreciation
    given = {"operating_income", "debt"} & book.given.keys()
    knows_income = (own is not None and worn is not None) or "operating_income" in given
    if not knows_income or (facts.debt is None and "debt" not in given):
        return None, None, 0.0
    source = "get_income_statement: operating_income + depreciation, after the cost of the head office"
    both = Sourced(own.value + worn.value if own is not None and worn is not None else 0.0, source)
    income = book.take("operating_income", both)
    spread = book.take("cap_spread", CAP_SPREAD, f"default: {CAP_SPREAD:.0%} over the risk-free rate, judgement")
    rate = book.take("cap_rate", risk_free + spread, "default: risk_free + cap_spread")
    claims = facts.claims
    owed = book.take("debt", needed(facts.debt, "debt", facts, book))
    owed += book.take("preferred_equity", claims.preferred_equity)
    owed += book.take("minority_interest", claims.minority_interest)
    owed += book.take_known("finance_leases", claims.finance_leases)
    owed += book.take_known("pension_deficit", claims.pension_deficit)
    cash = book.take("cash", facts.cash or Sourced(0.0, "default: 0, the source gives no cash", assumed=True))
    cash += book.take_known("short_term_investments", claims.short_term_investments)
    cash += book.take("non_operating_assets", claims.investments)
    return income, rate, owed - cash
