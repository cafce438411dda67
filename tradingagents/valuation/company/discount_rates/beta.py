"""The beta of a valuation: own regression, shrunk to the peers by precision, within the bounds of its sector.

The cost of capital of the inputs fades to that of a beta of 1 by year 10: a beta shrunk to its peers is not moved to 1
as well.
"""

from __future__ import annotations

from tradingagents.errors import NoData
from tradingagents.valuation.company.assumptions import AssumptionBook
from tradingagents.valuation.company.claims import Sourced
from tradingagents.valuation.company.discount_rates.rates import LEAST_PEERS, MarketRates, PeerMean
from tradingagents.valuation.company.facts import CompanyFacts
from tradingagents.valuation.cost_of_capital import blume_adjusted, unlever_beta, weight_of_own_beta

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
