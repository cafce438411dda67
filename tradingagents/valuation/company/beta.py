"""The beta of a valuation: own regression, shrunk to the peers by precision, moved to 1, within the sector's bounds."""

from __future__ import annotations

from tradingagents.errors import NoData
from tradingagents.valuation.company.assumptions import AssumptionBook
from tradingagents.valuation.company.claims import Sourced
from tradingagents.valuation.company.facts import CompanyFacts
from tradingagents.valuation.company.rates import MarketRates, PeerMean
from tradingagents.valuation.cost_of_capital import blume_adjusted, lever_beta, unlever_beta, weight_of_own_beta

SECTOR_BOUNDS = {
    "utilities": (0.3, 1.3),
    "consumer-staples": (0.4, 1.4),
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
    is known and that of the company finances it, else with debt.

    Args:
        debt_to_equity: Of the company at market values; 0 where debt is no financing, as of a bank.
        tax_rate: Of the company.

    Raises:
        NoData: Neither its own beta nor that of five peers is known.
    """
    prior = (rates.peer_mean("without debt") if debt_to_equity else None) or rates.peer_mean("with debt")
    if rates.regression is None and prior is None and "beta_regression" not in book.given:
        raise NoData(
            f"The beta of {facts.symbol} is not known: its history has fewer than 60 sessions in common with a "
            f"benchmark, or too many without a bar. Give beta=…."
        )
    measured, how = _shrunk(rates, book, prior, debt_to_equity, tax_rate)
    moved = blume_adjusted(measured)
    lowest, highest = SECTOR_BOUNDS.get(facts.profile.sector or "", OTHER_BOUNDS)
    bounded = min(max(moved, lowest), highest)
    words = f"get_stock_data: {how}, a third of the way to 1 (Blume 1975)"
    if bounded != moved:
        where = f"the sector {facts.profile.sector}" if facts.profile.sector in SECTOR_BOUNDS else "any sector"
        words += f"; {moved:.2f}, taken within {lowest:g} to {highest:g}, the bounds of {where}"
    return Sourced(bounded, words)


def _shrunk(
    rates: MarketRates, book: AssumptionBook, prior: PeerMean | None, debt_to_equity: float, tax_rate: float
) -> tuple[float, str]:
    """Return the measured beta of the equity after shrinking, and how it came about."""
    own = _own(rates, book)
    if prior is None:
        return own or 0.0, f"own beta {own:.2f} alone, fewer than five peers are known"
    is_without = prior.basis == "without debt"
    ratio = unlever_beta(1.0, tax_rate, debt_to_equity) if is_without else 1.0
    peers = book.take("beta_peers", Sourced(prior.mean, _of_peers(rates, prior)))
    weight = book.take("beta_weight", _weight(rates, prior, ratio, own, is_given="beta_regression" in book.given))
    measured = weight * (own or 0.0) * ratio + (1 - weight) * peers
    if own is None:
        how = f"mean of the peers {peers:.2f} {prior.basis}, the own beta is not known"
    else:
        how = f"own beta {own * ratio:.2f} with weight {weight:.0%}, peers {peers:.2f}, both {prior.basis}"
    return lever_beta(measured, tax_rate, debt_to_equity) if is_without else measured, how


def _own(rates: MarketRates, book: AssumptionBook) -> float | None:
    if rates.regression is None and "beta_regression" not in book.given:
        return None
    error = "" if rates.standard_error is None else f", standard error {rates.standard_error:.2f}"
    many = f"{rates.returns} daily returns" if rates.returns else "daily returns of two years"
    source = f"get_stock_data: {many} on {rates.benchmark}{error}; with debt"
    return book.take("beta_regression", Sourced(rates.regression or 0.0, source))


def _of_peers(rates: MarketRates, prior: PeerMean) -> str:
    of = f" of {rates.peers_of}" if rates.peers_of else ""
    count = len(prior.symbols)
    return f"get_stock_data: mean of {count} peers{of}, {prior.basis}, spread {prior.spread:.2f}: {', '.join(prior.symbols)}"


def _weight(rates: MarketRates, prior: PeerMean, ratio: float, own: float | None, *, is_given: bool) -> Sourced:
    if own is None:
        return Sourced(0.0, "default: 0, the own beta is not known", assumed=True)
    if rates.standard_error is None or is_given:
        return Sourced(1.0, "default: 1, the error of the own beta is not known", assumed=True)
    weight = weight_of_own_beta(rates.standard_error * ratio, prior.spread)
    return Sourced(
        weight, "default: of the own beta, spread² / (spread² + standard error²) (Vasicek 1973)", assumed=True
    )
