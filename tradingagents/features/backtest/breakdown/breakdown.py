"""What a backtest's result says besides its strategies: the analysts' scorecard, and the states of the market."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from datetime import date

from tradingagents.analytics.decisions.outcome import SIDE
from tradingagents.features.backtest.breakdown.opinions import Opinion
from tradingagents.features.backtest.breakdown.outcomes import Pointed, PointedShare, Wanted, outcomes, pointed_share
from tradingagents.features.backtest.breakdown.regimes import RegimeRow, market_states, regimes
from tradingagents.features.backtest.decisions.decision_store import StoredDecision
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
    rows = [_row(first[key], pointed_share(pointed, known)) for key, pointed in scores.items()]
    return (*(row for row in rows if not row.metric), *(row for row in rows if row.metric))


def _row(opinion: Opinion, share: PointedShare) -> ScorecardRow:
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
