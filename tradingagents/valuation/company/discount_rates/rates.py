"""`MarketRates`: risk-free rate, equity premium and betas of a day, each with where it comes from.

What a beta is made of them is in `beta.beta_of`.
"""

from __future__ import annotations

from dataclasses import dataclass
from statistics import mean, median, stdev
from typing import Literal

from tradingagents.valuation.company.claims import Sourced
from tradingagents.valuation.cost_of_capital import unlever_beta

LEAST_PEERS = 5
"""Peers needed for a beta of the peers."""
LEAST_LEVERAGES = 3
"""Peers with a known debt and market value needed for a typical share of debt."""
Basis = Literal["without debt", "with debt"]


@dataclass(frozen=True, slots=True)
class PeerBeta:
    """Beta of a peer from its own regression, and without its debt."""

    symbol: str
    regression: float
    unlevered: float | None
    """None where its debt or market value is not known."""
    standard_error: float | None = None
    """Newey-West, of the regression."""
    returns: int = 0
    """Daily returns regressed."""
    debt_share: float | None = None
    """Debt over debt and market value of the equity; None where one is not known."""


@dataclass(frozen=True, slots=True)
class PeerMean:
    """What the peers say of a beta before it is measured: their mean and how far they lie apart."""

    mean: float
    spread: float
    """Standard deviation of the peers' betas."""
    basis: Basis
    symbols: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class MarketRates:
    """What a cost of capital needs of the market."""

    risk_free: Sourced
    equity_premium: Sourced
    regression: float | None
    """Beta of the company's own daily returns over two years; None with too few."""
    benchmark: str
    peers: tuple[PeerBeta, ...] = ()
    standard_error: float | None = None
    """Newey-West, of the company's own beta; None where that is not known."""
    returns: int = 0
    """Daily returns of the company's own regression."""
    peers_of: str = ""
    """What the peers have in common, such as `the industry Semiconductors`."""
    regression_withheld: str = ""
    """Why the company's own beta is withheld, where it has the sessions but not sound bars of them; empty elsewhere."""

    @property
    def sector_unlevered(self) -> float | None:
        """Mean of the peers' unlevered betas; None below `LEAST_PEERS`."""
        found = self.peer_mean("without debt")
        return found.mean if found is not None else None

    @property
    def target_debt_share(self) -> tuple[float, tuple[str, ...]] | None:
        """Median share of debt of the peers at market values, with whose; None below `LEAST_LEVERAGES`."""
        known = {peer.symbol: peer.debt_share for peer in self.peers if peer.debt_share is not None}
        return (median(known.values()), tuple(known)) if len(known) >= LEAST_LEVERAGES else None

    def peer_mean(self, basis: Basis) -> PeerMean | None:
        """Return mean and spread of the peers' betas on one basis; None below `LEAST_PEERS` of them."""
        betas = {peer.symbol: peer.regression if basis == "with debt" else peer.unlevered for peer in self.peers}
        known = {symbol: found for symbol, found in betas.items() if found is not None}
        if len(known) < LEAST_PEERS:
            return None
        return PeerMean(mean(known.values()), stdev(known.values()), basis, tuple(known))


def peer_beta(
    symbol: str,
    regression: float,
    debt: float | None,
    market_value: float | None,
    tax_rate: float,
    *,
    standard_error: float | None = None,
    returns: int = 0,
) -> PeerBeta:
    """Return a peer's beta from its regression, and without its debt where that is known."""
    if debt is None or not market_value or market_value <= 0:
        return PeerBeta(symbol, regression, None, standard_error, returns)
    unlevered = unlever_beta(regression, tax_rate, debt / market_value)
    return PeerBeta(symbol, regression, unlevered, standard_error, returns, debt / (debt + market_value))
