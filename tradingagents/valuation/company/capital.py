"""Cost of capital and what lasts after the forecast: rates of the day, leverage, credit spread, returns."""

from __future__ import annotations

from dataclasses import replace

from tradingagents.valuation.company.assumptions import AssumptionBook, needed
from tradingagents.valuation.company.claims import Sourced
from tradingagents.valuation.company.facts import CompanyFacts
from tradingagents.valuation.company.operations import usual_tax
from tradingagents.valuation.company.rates import MarketRates
from tradingagents.valuation.cost_of_capital import CapitalStructure, CostOfCapital, cost_of_capital, unlever_beta
from tradingagents.valuation.inputs import InadmissibleInput

STABLE_BETA = 1.0
"""Of a mature company."""
ADVANTAGE_KEPT, MOST_ADVANTAGE = 0.5, 0.05
"""Part of today's return on capital above its cost that lasts for ever, and the most of it."""
SPREADS = ((8.0, 0.010), (3.0, 0.015), (1.5, 0.030))
"""Credit spread by interest coverage: the first whose coverage is reached."""
LOWEST_SPREAD_GRADE = 0.050
UNKNOWN_SPREAD = 0.015


def market_rates(rates: MarketRates, book: AssumptionBook) -> tuple[float, float]:
    """Return the risk-free rate and the equity premium."""
    return book.take("risk_free", rates.risk_free), book.take("equity_premium", rates.equity_premium)


def capital_of(
    facts: CompanyFacts, rates: MarketRates, book: AssumptionBook, shares: float, market: tuple[float, float]
) -> tuple[CostOfCapital, float, float]:
    """Return the cost of capital, the debt and the tax rate."""
    debt = book.take("debt", needed(facts.debt, "debt", facts, book))
    tax = book.take("effective_tax", usual_tax(facts))
    if shares <= 0:
        raise InadmissibleInput("shares_out", "must be greater than 0.")
    equity = facts.price * shares
    own = book.take("beta", 0.0) if "beta" in book.given else None
    if own is not None:
        beta = Sourced(unlever_beta(own, tax, debt / equity), "given as beta", assumed=True)
    else:
        beta = rates.beta_for(facts, debt / equity, tax)
    interest = facts.interest or 0.0
    spread = book.take("debt_spread", _spread(facts, debt))
    capital = cost_of_capital(
        CapitalStructure(
            risk_free=market[0],
            equity_premium=market[1],
            unlevered_beta=book.take("unlevered_beta", beta),
            tax_rate=tax,
            equity=equity,
            debt=debt,
            interest=interest or debt * (market[0] + spread),
            debt_spread=spread,
        )
    )
    if own is not None:
        weight = capital.equity_weight
        capital = replace(
            capital,
            levered_beta=own,
            cost_of_equity=market[0] + own * market[1],
            wacc=weight * (market[0] + own * market[1]) + (1 - weight) * capital.cost_of_debt * (1 - tax),
        )
    return capital, debt, tax


def _spread(facts: CompanyFacts, debt: float) -> Sourced:
    if not debt or not facts.interest or facts.operating_income is None:
        return Sourced(UNKNOWN_SPREAD, "default: 1.5 points, interest or operating income is not known", True)
    coverage = facts.operating_income.value / facts.interest
    spread = next((one for least, one in SPREADS if coverage >= least), LOWEST_SPREAD_GRADE)
    return Sourced(spread, f"default: by interest coverage, {coverage:.1f} times", True)


def stable_cost(book: AssumptionBook, mature: float) -> float:
    """Return the cost of capital after the forecast; a single number given as `wacc` holds for ever."""
    own = book.given.get("wacc")
    if isinstance(own, int | float) and not isinstance(own, bool) and "stable_wacc" not in book.given:
        return book.take("stable_wacc", float(own), "given as wacc", "given")
    return book.take(
        "stable_wacc",
        mature,
        "default: risk_free + equity_premium, the cost of capital of a mature company with a beta of 1 and no debt",
    )


def stable_return(book: AssumptionBook, cost: float, today: float) -> float:
    """Return the return on new capital after the forecast: half of today's advantage over its cost remains, within 5 %.

    A company that earns less than its capital costs is assumed to stop losing on it.
    """
    kept = min(max((today - cost) * ADVANTAGE_KEPT, 0.0), MOST_ADVANTAGE)
    why = f"default: stable_wacc and half of the advantage of today's {today:.1%} over it, at most {MOST_ADVANTAGE:.0%}"
    return book.take("stable_roic", cost + kept, why)


def equity_costs(facts: CompanyFacts, rates: MarketRates, book: AssumptionBook) -> tuple[float, float, float]:
    """Return risk-free rate, cost of equity, and that of a mature company."""
    risk_free, premium = market_rates(rates, book)
    beta = book.take("beta", rates.levered_beta(facts))
    stable = book.take(
        "stable_cost_of_equity", risk_free + STABLE_BETA * premium, "default: risk_free + equity_premium, a beta of 1"
    )
    return risk_free, risk_free + beta * premium, stable
