"""`MarketRates`: risk-free rate, equity premium and betas of a day, each with where it comes from.

What a beta is made of them is in `capital_cost.beta_of`.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from datetime import date
from functools import cache
from importlib.resources import files
from statistics import mean, median, stdev
from typing import Any, Literal

from tradingagents.errors import NoData
from tradingagents.valuation.company.answer_parts import PeerBeta
from tradingagents.valuation.company.claims import Sourced
from tradingagents.valuation.cost_of_capital import unlever_beta
from tradingagents.valuation.inputs import InadmissibleInput, finite
from tradingagents.valuation.paths import HIGH_YEARS, fading_path

LEAST_PEERS = 5
"""Peers needed for a beta of the peers."""
LEAST_LEVERAGES = 3
"""Peers with a known debt and market value needed for a typical share of debt."""
Basis = Literal["without debt", "with debt"]


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


KNOWN_FROM = (1, 10)
"""Month and day from which the value of a year counts as published."""
LONGEST_AGE = 3
"""Years for which a value is used when later ones are missing from the table."""


@dataclass(frozen=True, slots=True)
class EquityPremium:
    """An equity risk premium and where it comes from."""

    value: float
    year: int
    source: str


def equity_premium(as_of: date) -> EquityPremium:
    """Return the newest premium published by a day.

    Raises:
        NoData: The table begins later, or ends years before.
    """
    table = _table()
    years = [int(year) for year in table["premiums"] if date(int(year), *KNOWN_FROM) <= as_of]
    if not years or as_of.year - max(years) > LONGEST_AGE:
        raise NoData(f"No equity risk premium is known for {as_of}; give one, such as equity_premium=0.05.")
    newest = max(years)
    return EquityPremium(float(table["premiums"][str(newest)]), newest, f"{table['name']}, {newest}")


@cache
def _table() -> dict[str, Any]:
    text = files("tradingagents.valuation.company").joinpath("equity_risk_premium.json").read_text("utf-8")
    found: dict[str, Any] = json.loads(text)
    return found


_ROUNDS = 200


@dataclass(frozen=True, slots=True, kw_only=True)
class IndexPayout:
    """What an index pays and how that grows. Rates are fractions."""

    level: float
    payout: float
    """Dividends and buybacks of twelve months, in points of the index."""
    growth: float
    """Of the payout for five years; then it moves to the risk-free rate by year 10."""
    risk_free: float
    """Also the growth after year 10."""


def implied_return(given: IndexPayout) -> float:
    """Return the yearly return at which the payouts are worth the level of the index.

    >>> flat = IndexPayout(level=100, payout=4, growth=0.02, risk_free=0.02)
    >>> round(implied_return(flat), 9)  # Gordon: 4 x 1.02 / 100 + 0.02
    0.0608

    Raises:
        InadmissibleInput: A number cannot be, or no return below 100 % gives the level.
    """
    for name in ("level", "payout", "growth", "risk_free"):
        finite(name, getattr(given, name))
    for name in ("level", "payout"):
        if getattr(given, name) <= 0:
            raise InadmissibleInput(name, "must be greater than 0.")
    if not -0.5 < given.growth < 1 or not -0.1 < given.risk_free < 0.5:
        raise InadmissibleInput("growth", "and risk_free must be plausible rates, such as 0.05.")
    low, high = given.risk_free + 1e-9, 1.0
    if index_value(given, high) > given.level:
        raise InadmissibleInput("payout", "is too large for the level: the implied return is above 100 %.")
    for _ in range(_ROUNDS):
        middle = (low + high) / 2
        if middle in (low, high):
            break
        if index_value(given, middle) > given.level:
            low = middle
        else:
            high = middle
    return (low + high) / 2


def index_value(given: IndexPayout, rate: float) -> float:
    """Return what the payouts are worth at a rate of return."""
    worth, paid = 0.0, given.payout
    path = fading_path(given.growth, given.risk_free, 2 * HIGH_YEARS)
    for year, growth in enumerate(path, start=1):
        paid *= 1 + growth
        worth += paid / (1 + rate) ** year
    return worth + paid * (1 + given.risk_free) / (rate - given.risk_free) / (1 + rate) ** len(path)
