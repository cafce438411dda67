"""What a backtest's result says besides its strategies: the analysts' scorecard, and the states of the market.

- **Trend**: rising where the market closed above the mean of its last 200 closes, else falling.
- **Volatility**: turbulent where the standard deviation of the last 20 daily returns is above the median of that
  figure over the last 252 sessions, else calm.

A session belongs to the state at the close before it: nothing of the session itself, and nothing later, is used. The
market is the benchmark fund, or the tickers in equal parts where there are no prices of it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from datetime import date
from itertools import pairwise

import numpy as np

from tradingagents.analytics.decisions.outcome import SIDE
from tradingagents.analytics.performance import paired_test
from tradingagents.analytics.performance.paired import LEAST_SESSIONS
from tradingagents.analytics.price.returns import SESSIONS_PER_YEAR
from tradingagents.dataflows.models import Floats
from tradingagents.features.backtest.decisions.decision_store import StoredDecision
from tradingagents.features.backtest.decisions.opinions import Opinion
from tradingagents.features.backtest.score import Account
from tradingagents.features.backtest.statistics.outcomes import Pointed, PointedShare, Wanted, outcomes, pointed_share
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
        case: SIDE[stored.decision.action] * stored.decision.confidence
        for case, stored in decided.items()
        if stored.decision.action in SIDE
    }
    market = f"the benchmark fund {benchmark}" if benchmark else "the tickers in equal parts"
    rows = regimes(states, account, held, calls, known)
    return Breakdown(scorecard(decided, known), RegimeTable(market, rows))


@dataclass(frozen=True, slots=True, kw_only=True)
class ScorecardRow(PointedShare):
    """How often one agent, or one figure that an agent read, was right."""

    report: str
    """State key of the agent's text."""
    who: str
    """The agent."""
    metric: str
    """The figure; empty for the agent as a whole."""
    reading: str
    """What people call the figure."""
    tool: str


def scorecard(decided: Mapping[Wanted, StoredDecision], known: Mapping[Wanted, float]) -> tuple[ScorecardRow, ...]:
    """Return a row for each agent and reading, agents first, in the order in which they spoke.

    Args:
        decided: Decisions with the opinions they rest on.
        known: Return after each decision, by ticker and day.
    """
    scores: dict[tuple[str, str, str], list[Pointed]] = {}
    first: dict[tuple[str, str, str], Opinion] = {}
    for wanted, stored in decided.items():
        if wanted not in known:
            continue
        for key, named in _by_key(stored.opinions).items():
            first.setdefault(key, named[0])
            mean = sum(opinion.score for opinion in named) / len(named)
            scores.setdefault(key, []).append(Pointed(wanted[1], mean, known[wanted]))
    rows = [_scorecard_row(first[key], pointed_share(pointed, known)) for key, pointed in scores.items()]
    return (*(row for row in rows if not row.metric), *(row for row in rows if row.metric))


def _scorecard_row(opinion: Opinion, share: PointedShare) -> ScorecardRow:
    return ScorecardRow(
        report=opinion.report,
        who=opinion.who,
        metric=opinion.metric,
        reading=opinion.reading,
        tool=opinion.tool,
        **asdict(share),
    )


def _by_key(opinions: Sequence[Opinion]) -> dict[tuple[str, str, str], list[Opinion]]:
    """Return opinions by what they are about; a figure that was read twice counts once, with its mean score."""
    found: dict[tuple[str, str, str], list[Opinion]] = {}
    for opinion in opinions:
        found.setdefault((opinion.report, opinion.metric, opinion.tool), []).append(opinion)
    return found


TREND_CLOSES, VOLATILITY_RETURNS, MEDIAN_OVER = 200, 20, 252
RISING, FALLING, CALM, TURBULENT, UNKNOWN = "rising", "falling", "calm", "turbulent", "not known"
STATES: Mapping[str, tuple[str, ...]] = {
    "trend": (RISING, FALLING),
    "volatility": (CALM, TURBULENT),
    "both": tuple(f"{trend}, {how}" for trend in (RISING, FALLING) for how in (CALM, TURBULENT)),
}
"""States by what they are about."""
STATE_WORDS: Mapping[str, str] = {
    "trend": f"Rising: the market closed above the mean of its last {TREND_CLOSES} closes; falling: not above it.",
    "volatility": f"Turbulent: the standard deviation of the last {VOLATILITY_RETURNS} daily returns is above the "
    f"median of that figure over the last {MEDIAN_OVER} sessions; calm: not above it.",
    "both": "Both, as defined above.",
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class MarketState:
    """The state at a close."""

    trend: str
    volatility: str

    def of(self, about: str) -> str:
        """Return the state by what it is about; `not known` while there are too few sessions."""
        if about == "both":
            return UNKNOWN if UNKNOWN in (self.trend, self.volatility) else f"{self.trend}, {self.volatility}"
        return self.trend if about == "trend" else self.volatility


@dataclass(frozen=True, slots=True)
class RegimeRow:
    """The sessions of one state. Returns are yearly means, as fractions."""

    about: str
    """`trend`, `volatility` or `both`."""
    state: str
    sessions: int
    decisions: float | None
    """Of the tested account; None with fewer than 20 sessions."""
    buy_and_hold: float | None
    gap: float | None
    """Beyond buy and hold at the account's exposure; None for the reason that `untested_because` says."""
    low: float | None
    high: float | None
    """95 % interval of the gap; the sessions of the state are joined for it."""
    calls: PointedShare
    """Calls to buy or sell that were made in the state."""


def market_states(symbols: Sequence[str], table: TradedPrices, days: Sequence[date]) -> dict[date, MarketState]:
    """Return the state at the close of each day, from prices up to that close alone.

    Args:
        symbols: The benchmark, or all tickers, which then count in equal parts.
        table: Prices, from long before the days on.
        days: Sessions of the backtest.
    """
    known = [day for day in table.days if day <= days[-1]]
    returns = _market_returns(symbols, table, known)
    levels: Floats = np.cumprod(1 + np.nan_to_num(returns)).astype(np.float64)
    spread = _trailing_deviation(returns)
    place = {day: number for number, day in enumerate(known)}
    begins = int(np.argmax(np.isfinite(returns))) if np.isfinite(returns).any() else len(returns)
    return {day: _state(levels, spread, place[day], begins) for day in days if day in place}


def regimes(
    states: Mapping[date, MarketState],
    account: Account,
    held: Account,
    calls: Mapping[Wanted, float],
    known: Mapping[Wanted, float],
) -> tuple[RegimeRow, ...]:
    """Return how the tested account did in each state.

    Args:
        states: At each close.
        held: Buy and hold over the same sessions.
        calls: Signed confidence of each decision, 0 for HOLD, by ticker and day.
        known: Return after each decision.
    """
    rows = []
    for about, names in STATES.items():
        at = np.array([states[day].of(about) if day in states else UNKNOWN for day in account.days[:-1]])
        for name in (*names, UNKNOWN):
            made = [
                Pointed(day, calls[ticker, day], known[ticker, day])
                for ticker, day in calls
                if (ticker, day) in known and day in states and states[day].of(about) == name
            ]
            row = _row(about, name, at == name, account, held, pointed_share(made, known))
            if row.sessions or name != UNKNOWN:
                rows.append(row)
    return tuple(rows)


def _row(about: str, state: str, chosen: np.ndarray, account: Account, held: Account, calls: PointedShare) -> RegimeRow:
    own, other = account.returns[chosen], held.returns[chosen]
    tested = paired_test(account.excess[chosen], account.excess_matched(held)[chosen])
    return RegimeRow(
        about=about,
        state=state,
        sessions=len(own),
        decisions=_yearly(own),
        buy_and_hold=_yearly(other),
        gap=tested.difference if tested else None,
        low=tested.low if tested else None,
        high=tested.high if tested else None,
        calls=calls,
    )


def _yearly(returns: Floats) -> float | None:
    return float(returns.mean() * SESSIONS_PER_YEAR) if len(returns) >= LEAST_SESSIONS else None


def _market_returns(symbols: Sequence[str], table: TradedPrices, days: Sequence[date]) -> Floats:
    """Return the mean daily return of the symbols that traded; NaN where none did."""
    found = np.full(len(days), np.nan)
    for number, (before, day) in enumerate(pairwise(days), start=1):
        made = [one for symbol in symbols if (one := table.total_return(symbol, before, day)) is not None]
        if made:
            found[number] = float(np.mean(made))
    return found


def _trailing_deviation(returns: Floats) -> Floats:
    found = np.full(len(returns), np.nan)
    for number in range(VOLATILITY_RETURNS, len(returns)):
        found[number] = returns[number - VOLATILITY_RETURNS + 1 : number + 1].std(ddof=1)
    return found


def _state(levels: Floats, spread: Floats, at: int, begins: int) -> MarketState:
    trend = volatility = UNKNOWN
    if at - begins + 1 >= TREND_CLOSES:
        trend = RISING if levels[at] > levels[at - TREND_CLOSES + 1 : at + 1].mean() else FALLING
    past = spread[max(at - MEDIAN_OVER + 1, 0) : at + 1]
    if len(past) == MEDIAN_OVER and np.isfinite(past).all():
        volatility = TURBULENT if spread[at] > float(np.median(past)) else CALM
    return MarketState(trend, volatility)
