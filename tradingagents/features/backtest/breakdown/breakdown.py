"""What a backtest's result says besides its strategies: the analysts' scorecard, and the states of the market."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date

from tradingagents.analytics.decisions.outcome import SIDE
from tradingagents.features.backtest.breakdown.outcomes import Wanted, outcomes
from tradingagents.features.backtest.breakdown.regimes import RegimeRow, market_states, regimes
from tradingagents.features.backtest.breakdown.scorecard import ScorecardRow, scorecard
from tradingagents.features.backtest.engines.decision_store import StoredDecision
from tradingagents.features.backtest.score import Account
from tradingagents.features.backtest.traded_prices import TradedPrices


@dataclass(frozen=True, slots=True)
class RegimeTable:
    """How the tested account did in each state of a market."""

    market: str
    """What the states are of, in words."""
    rows: tuple[RegimeRow, ...]


@dataclass(frozen=True, slots=True)
class Breakdown:
    """Parts of a backtest's result."""

    scorecard: tuple[ScorecardRow, ...]
    regimes: RegimeTable


def break_down(
    decided: Mapping[Wanted, StoredDecision],
    account: Account,
    held: Account,
    table: TradedPrices,
    *,
    tickers: Sequence[str],
    benchmark: str | None,
) -> Breakdown:
    """Say whose opinion was right, and how the account did in each state of the market.

    Args:
        account: The tested account.
        held: Buy and hold.
        table: Prices, from long before the start on.
        tickers: What was decided on.
        benchmark: Fund that the states are of; None: the tickers in equal parts.
    """
    last: date = account.days[-1]
    known = outcomes(decided, table, last)
    states = market_states([benchmark] if benchmark else tickers, table, account.days)
    calls = {
        one: SIDE[stored.decision.action] * stored.decision.confidence
        for one, stored in decided.items()
        if stored.decision.action in SIDE
    }
    market = f"the benchmark fund {benchmark}" if benchmark else "the tickers in equal parts"
    rows = regimes(states, account, held, calls, known)
    return Breakdown(scorecard(decided, known), RegimeTable(market, rows))
