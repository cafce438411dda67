"""Cost of capital and what lasts after the forecast: rates of the day, beta, leverage, credit spread, returns.

The cost of capital of the inputs fades to that of a beta of 1 by year 10: a beta shrunk to its peers is not moved to 1
as well.
"""

from __future__ import annotations

from tradingagents.errors import NoData
from tradingagents.valuation.company.assumptions import MARGINAL_TAX, AssumptionBook, needed
from tradingagents.valuation.company.claims import Sourced
from tradingagents.valuation.company.facts import CompanyFacts
from tradingagents.valuation.company.market_rates import LEAST_PEERS, MarketRates, PeerMean
from tradingagents.valuation.company.operations import usual_tax
from tradingagents.valuation.cost_of_capital import (
    CapitalStructure,
    CostOfCapital,
    blume_adjusted,
    cost_of_capital,
    lever_beta,
    market_value_of_debt,
    unlever_beta,
    weight_of_own_beta,
)
from tradingagents.valuation.inputs import InadmissibleInput

SECTOR_BOUNDS = {
    "utilities": (0.4, 1.4),
    "consumer-staples": (0.5, 1.5),
    "healthcare": (0.5, 1.7),
    "real-estate": (0.5, 1.7),
    "communication-services": (0.5, 1.9),
    "energy": (0.6, 1.9),
    "materials": (0.6, 1.9),
    "industrials": (0.6, 1.9),
    "financials": (0.6, 1.9),
    "consumer-discretionary": (0.6, 2.2),
    "technology": (0.6, 2.2),
}
"""Lowest and highest beta of the equity that a valuation uses, by sector. Judgement: wide, against what two years of
one market do to a sector, such as betas near 0 of makers of household goods."""
OTHER_BOUNDS = (0.4, 2.2)


def beta_of(
    facts: CompanyFacts, rates: MarketRates, book: AssumptionBook, debt_to_equity: float = 0.0, tax_rate: float = 0.0
) -> Sourced:
    """Return the beta of the equity, with its parts as assumptions.

    Levered betas are held against levered ones, unlevered against unlevered: without debt where the debt of five peers
    is known and that of the company finances it, else with debt. With fewer than five peers the own beta moves a third
    of the way to 1. The peers stand in for the beta of a young listing, not for one that is withheld.

    Args:
        debt_to_equity: Of the company at market values; 0 where debt is no financing, as of a bank.
        tax_rate: Of the company.

    Raises:
        NoData: Neither its own beta nor that of five peers is known, or its own is withheld.
    """
    prior = (rates.peer_mean("without debt") if debt_to_equity else None) or rates.peer_mean("with debt")
    own = _own(rates, book)
    if own is None and rates.regression_withheld:
        raise NoData(f"{rates.regression_withheld} Give beta=….")
    if prior is not None:
        ratio = unlever_beta(1.0, tax_rate, debt_to_equity) if prior.basis == "without debt" else 1.0
        found, how = _shrunk(rates, book, prior, own, ratio)
    elif own is not None:
        found = blume_adjusted(own)
        how = f"own beta {own:.2f}, a third of the way to 1 (Blume 1975), as fewer than {LEAST_PEERS} peers are known"
    else:
        raise NoData(
            f"The beta of {facts.symbol} is not known: its history has fewer than 60 sessions in common with a "
            f"benchmark, or too many without a bar. Give beta=…."
        )
    bounded, limit = _bounded(found, facts.profile.sector)
    return Sourced(bounded, f"get_stock_data: {how}{limit}")


def _own(rates: MarketRates, book: AssumptionBook) -> float | None:
    if rates.regression is None and "beta_regression" not in book.given:
        return None
    error = "" if rates.standard_error is None else f", standard error {rates.standard_error:.2f}"
    many = f"{rates.returns} daily returns" if rates.returns else "daily returns of two years"
    source = f"get_stock_data: {many} on {rates.benchmark}{error}; with debt"
    return book.take("beta_regression", Sourced(rates.regression or 0.0, source))


def _shrunk(
    rates: MarketRates, book: AssumptionBook, prior: PeerMean, own: float | None, ratio: float
) -> tuple[float, str]:
    """Return the beta of the equity between the own one and the peers', and how it came about.

    Args:
        ratio: Of the beta without debt to the one with it; 1 where both are with debt.
    """
    peers = book.take("beta_peers", Sourced(prior.mean, _of_peers(rates, prior)))
    weight = book.take("beta_weight", _weight(rates, prior, ratio, own, is_given="beta_regression" in book.given))
    if own is None:
        return peers / ratio, f"mean of the peers {peers:.2f} {prior.basis}, the own beta is not known"
    shrunk = weight * own * ratio + (1 - weight) * peers
    how = f"own beta {own * ratio:.2f} with a weight of {weight:.0%}, peers {peers:.2f}, both {prior.basis}"
    return shrunk / ratio, how


def _of_peers(rates: MarketRates, prior: PeerMean) -> str:
    of = f" of {rates.peers_of}" if rates.peers_of else ""
    what = f"mean of {len(prior.symbols)} peers{of}, {prior.basis}, spread {prior.spread:.2f}"
    return f"get_stock_data: {what}: {', '.join(prior.symbols)}"


def _weight(rates: MarketRates, prior: PeerMean, ratio: float, own: float | None, *, is_given: bool) -> Sourced:
    if own is None:
        return Sourced(0.0, "default: 0, the own beta is not known", assumed=True)
    if rates.standard_error is None or is_given:
        return Sourced(1.0, "default: 1, the error of the own beta is not known", assumed=True)
    weight = weight_of_own_beta(rates.standard_error * ratio, prior.spread)
    how = "of the own beta against the peers', spread² / (spread² + standard error²) (Vasicek 1973)"
    return Sourced(weight, f"default: {how}", assumed=True)


def _bounded(found: float, sector: str | None) -> tuple[float, str]:
    """Return a beta within the bounds of its sector, and the words that say so where they bind."""
    lowest, highest = SECTOR_BOUNDS.get(sector or "", OTHER_BOUNDS)
    bounded = min(max(found, lowest), highest)
    if bounded == found:
        return bounded, ""
    of = f"of the sector {sector}" if sector in SECTOR_BOUNDS else "where the sector is not known"
    return bounded, f"; {found:.2f} in all, taken within {lowest:g} to {highest:g}, the bounds {of}"


STABLE_BETA = 1.0
"""Of a mature company."""
STABLE_SPREAD, MOST_TARGET_DEBT = 0.015, 0.5
"""Credit spread of a mature company, and the largest share of debt it is assumed to keep."""
NOMINAL_GROWTH = 0.038
"""Of the economy for ever: real growth of 1.8 % and inflation of 2 %, the longer-run medians of the Federal Reserve's
Summary of Economic Projections since 2019."""
BELOW_RISK_FREE = 0.005
"""What growth for ever stays below the risk-free rate, at the least."""
ADVANTAGE_KEPT, MOST_ADVANTAGE, ADVANTAGE_YEARS = 0.5, 0.15, 3
"""Part of today's return on capital above its cost that lasts for ever, the most of it, and the years that show it. The
most is judgement: a return above it is what accounts with few assets show, not what new capital earns."""
SPREADS = ((8.0, 0.010), (3.0, 0.015), (1.5, 0.030))
"""Credit spread by interest coverage: the first whose coverage is reached."""
LOWEST_SPREAD_GRADE = 0.050
UNKNOWN_SPREAD = 0.015
DEBT_YEARS = 5.0
"""Average time to repayment."""


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
    equity, spread = facts.price * shares, book.take("debt_spread", _spread(facts, debt))
    interest = (facts.interest or debt * (market[0] + spread)) if debt else 0.0
    worth = market_value_of_debt(interest, debt, market[0] + spread, DEBT_YEARS) if debt else 0.0
    if "beta" in book.given:
        beta = book.take("beta", 0.0)
        book.take("unlevered_beta", unlever_beta(beta, tax, worth / equity), "given as beta, without debt")
    elif "unlevered_beta" in book.given:
        beta = lever_beta(book.take("unlevered_beta", 0.0), tax, worth / equity)
    else:
        found = beta_of(facts, rates, book, worth / equity, tax)
        unlevered = Sourced(unlever_beta(found.value, tax, worth / equity), f"{found.source}; here without own debt")
        beta = lever_beta(book.take("unlevered_beta", unlevered), tax, worth / equity)
    structure = CapitalStructure(
        risk_free=market[0],
        equity_premium=market[1],
        unlevered_beta=unlever_beta(beta, tax, worth / equity),
        tax_rate=tax,
        equity=equity,
        debt=debt,
        interest=interest,
        debt_spread=spread,
        debt_years=DEBT_YEARS,
    )
    return cost_of_capital(structure), debt, tax


def _spread(facts: CompanyFacts, debt: float) -> Sourced:
    if not debt or not facts.interest or facts.operating_income is None:
        return Sourced(UNKNOWN_SPREAD, "default: 1.5 points, interest or operating income is not known", True)
    coverage = facts.operating_income.value / facts.interest
    spread = next((one for least, one in SPREADS if coverage >= least), LOWEST_SPREAD_GRADE)
    return Sourced(spread, f"default: by interest coverage, {coverage:.1f} times", True)


def stable_tax_of(book: AssumptionBook, facts: CompanyFacts, effective: float) -> float:
    """Return the tax rate after the forecast: the company's own usual one, else a convention.

    The equity premium is the one at which companies are worth their prices while they pay what they pay, and the own
    rate predicts later tax better than 25 % does (`benchmarks.valuation_norms`).

    Args:
        effective: The rate of the forecast's first years.
    """
    if "effective_tax" in book.given or not usual_tax(facts).assumed:
        return book.take("marginal_tax", effective, "default: effective_tax, the company continues to pay what it pays")
    return book.take("marginal_tax", MARGINAL_TAX, "default: federal and state taxes of the United States")


def stable_growth_of(book: AssumptionBook, risk_free: float, currency: str) -> float:
    """Return the growth after the forecast: below the risk-free rate, and no more than the economy's."""
    below = risk_free - BELOW_RISK_FREE
    if currency == "USD" and below > NOMINAL_GROWTH:
        return book.take(
            "stable_growth",
            NOMINAL_GROWTH,
            "default: the economy's, real growth of 1.8% and inflation of 2% (Federal Reserve, longer run); lower than "
            "the risk-free rate less half a point",
        )
    return book.take("stable_growth", below, "default: the risk-free rate less half a point")


def stable_cost(
    book: AssumptionBook, rates: MarketRates, capital: CostOfCapital, market: tuple[float, float], tax: float
) -> float:
    """Return the cost of capital after the forecast; a single number given as `wacc` holds for ever.

    That of a mature company: a beta of 1, and the share of debt at market values that is usual among its peers, else
    its own of the day.
    """
    own = book.given.get("wacc")
    if isinstance(own, int | float) and not isinstance(own, bool) and "stable_wacc" not in book.given:
        return book.take("stable_wacc", float(own), "given as wacc", "given")
    share = book.take("target_debt_share", _target_debt(rates, capital))
    equity, debt = market[0] + STABLE_BETA * market[1], (market[0] + STABLE_SPREAD) * (1 - tax)
    return book.take(
        "stable_wacc",
        (1 - share) * equity + share * debt,
        f"default: a mature company's, equity at a beta of 1, target_debt_share at {STABLE_SPREAD:.1%} above risk_free",
    )


def _target_debt(rates: MarketRates, capital: CostOfCapital) -> Sourced:
    peers, own = rates.target_debt_share, 1 - capital.equity_weight
    if peers is None:
        share, source = own, "default: the company's own of the day, debt over debt and equity at market values"
    else:
        share, names = peers
        source = f"get_balance_sheet: median debt over debt and equity at market values of {', '.join(names)}"
    bounded = min(share, MOST_TARGET_DEBT)
    limit = "" if bounded == share else f"; {share:.0%}, taken as {MOST_TARGET_DEBT:.0%} at the most"
    return Sourced(bounded, source + limit, assumed=peers is None)


def stable_return(book: AssumptionBook, facts: CompanyFacts, cost: float, today: float, tax: float) -> float:
    """Return the return on new capital after the forecast: its cost, or more where the past names a reason.

    Competition takes an advantage away. Half of it remains, within 15 points, where the return on capital lay above its
    cost in each of three known years or more: such advantages last for decades (T. Koller, M. Goedhart and D. Wessels,
    "Valuation", chapter on the return on capital). A company that earns less than its capital costs is assumed to stop
    losing on it.
    """
    kept = min(max((today - cost) * ADVANTAGE_KEPT, 0.0), MOST_ADVANTAGE)
    past = _past_returns(facts, tax)
    if kept and len(past) >= ADVANTAGE_YEARS and min(past) > cost:
        why = (
            f"default: stable_wacc and half of the advantage of today's {today:.1%} over it, at most "
            f"{MOST_ADVANTAGE:.0%}, as the return on capital lay above it in each of {len(past)} years known"
        )
        return book.take("stable_roic", cost + kept, why)
    return book.take("stable_roic", cost, "default: stable_wacc, competition takes an advantage away")


def _past_returns(facts: CompanyFacts, tax: float) -> list[float]:
    """Return the returns after tax on the invested capital of each year where both are known."""
    return [
        year.operating_income * (1 - tax) / year.invested_capital
        for year in facts.years
        if year.operating_income is not None and year.invested_capital is not None and year.invested_capital > 0
    ]


def equity_costs(facts: CompanyFacts, rates: MarketRates, book: AssumptionBook) -> tuple[float, float, float]:
    """Return risk-free rate, cost of equity, and that of a mature company."""
    risk_free, premium = market_rates(rates, book)
    beta = book.take("beta", Sourced(0.0, "given") if "beta" in book.given else beta_of(facts, rates, book))
    stable = book.take(
        "stable_cost_of_equity", risk_free + STABLE_BETA * premium, "default: risk_free + equity_premium, a beta of 1"
    )
    return risk_free, risk_free + beta * premium, stable
