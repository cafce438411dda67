"""A backtest's decisions compared with those under a disguise: what is left when names, years and levels are hidden."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from tradingagents.analytics.performance.proportions import ObservedShare
from tradingagents.features.backtest.contamination.verdict import agreement
from tradingagents.features.backtest.decide import DecisionSet
from tradingagents.features.backtest.market import BacktestMarket
from tradingagents.features.backtest.score import by_day
from tradingagents.features.backtest.statistics.calls import CallQuality, call_quality


@dataclass(frozen=True, slots=True)
class DisguiseCheck:
    """Decisions under a disguise, on the same tickers and days."""

    same: Mapping[str, float | int | None]
    """Decided as without the disguise: `count`, `of`, `share`."""
    by_chance: float
    """How many would be the same by chance, with the same mix of actions on each day."""
    beyond_chance: bool
    """Whether chance seldom gives as many."""
    decisions: CallQuality
    """Of the disguised decisions, against the real prices."""


def disguise_check(plain: DecisionSet, hidden: DecisionSet, market: BacktestMarket) -> DisguiseCheck:
    """Compare the decisions of a backtest with those under a disguise.

    Args:
        plain: As they are.
        hidden: Under the disguise.
        market: What they are measured on.
    """
    both = plain.found.keys() & hidden.found.keys()
    same = sum(plain.found[case].decision.action == hidden.found[case].decision.action for case in both)
    made = by_day({case: stored.decision for case, stored in hidden.found.items()})
    chance = agreement(
        [(str(case[1]), plain.found[case].decision.action, hidden.found[case].decision.action) for case in both]
    )
    return DisguiseCheck(
        same=ObservedShare(same, len(both)).to_json(),
        by_chance=chance.by_chance,
        beyond_chance=chance.beyond_chance,
        decisions=call_quality(made, market.table, market.days[-1]),
    )
