"""`MarketRates`: risk-free rate, equity premium and betas of a day, each with where it comes from."""

from __future__ import annotations

from dataclasses import dataclass
from statistics import median

from tradingagents.errors import NoData
from tradingagents.valuation.company.claims import Sourced
from tradingagents.valuation.company.facts import CompanyFacts
from tradingagents.valuation.cost_of_capital import unlever_beta

LEAST_PEERS = 3
"""Peers needed for a beta of the sector."""
BLUME = (2 / 3, 1 / 3)
"""Weights of the regression and of 1 in an adjusted beta (M. Blume, 1975): betas drift to that of the market."""


@dataclass(frozen=True, slots=True)
class PeerBeta:
    """Beta of a peer from its own regression, and without its debt."""

    symbol: str
    regression: float
    unlevered: float | None
    """None where its debt or market value is not known."""


@dataclass(frozen=True, slots=True)
class MarketRates:
    """What a cost of capital needs of the market."""

    risk_free: Sourced
    equity_premium: Sourced
    regression: float | None
    """Beta of the company's own daily returns over two years; None with too few."""
    benchmark: str
    peers: tuple[PeerBeta, ...] = ()

    @property
    def sector_unlevered(self) -> float | None:
        """Median of the peers' unlevered betas; None below `LEAST_PEERS`."""
        found = [one.unlevered for one in self.peers if one.unlevered is not None]
        return median(found) if len(found) >= LEAST_PEERS else None

    def beta_for(self, facts: CompanyFacts, debt_to_equity: float, tax_rate: float) -> Sourced:
        """Return the unlevered beta to use: of the sector where enough peers are known, else the company's own.

        Raises:
            NoData: Neither is known.
        """
        sector = self.sector_unlevered
        if sector is not None:
            names = ", ".join(one.symbol for one in self.peers if one.unlevered is not None)
            return Sourced(max(sector, 0.0), f"get_stock_data: median beta without debt of {names}")
        own = self._adjusted(facts)
        return Sourced(unlever_beta(own.value, tax_rate, debt_to_equity), f"{own.source}, without debt")

    def levered_beta(self, facts: CompanyFacts) -> Sourced:
        """Return the beta of the equity where debt is no financing, as of a bank: of the peers, else the company's own.

        Raises:
            NoData: Neither is known.
        """
        if len(self.peers) >= LEAST_PEERS:
            worth = median(one.regression for one in self.peers)
            names = ", ".join(one.symbol for one in self.peers)
            return Sourced(max(worth, 0.0), f"get_stock_data: median beta of {names}")
        return self._adjusted(facts)

    def _adjusted(self, facts: CompanyFacts) -> Sourced:
        if self.regression is None:
            raise NoData(
                f"The beta of {facts.symbol} is not known: its history has fewer than 60 sessions in common with a "
                f"benchmark, or too many without a bar. Give beta=…."
            )
        weight, rest = BLUME
        adjusted = max(weight * self.regression + rest, 0.0)
        return Sourced(adjusted, f"get_stock_data: regression on {self.benchmark}, two years, a third of the way to 1")


def peer_beta(
    symbol: str, regression: float, debt: float | None, market_value: float | None, tax_rate: float
) -> PeerBeta:
    """Return a peer's beta from its regression, and without its debt where that is known."""
    if debt is None or not market_value or market_value <= 0:
        return PeerBeta(symbol, regression, None)
    return PeerBeta(symbol, regression, unlever_beta(regression, tax_rate, debt / market_value))
