"""What choosing costs: a result that is the best of many is discounted for all that were tried."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np

from tradingagents.analytics.performance import (
    PairedTest,
    holm,
    overfitting_probability,
    probabilistic_sharpe,
    sharpe_ratio,
    track_record_needed,
)
from tradingagents.analytics.performance.intervals import LEVEL
from tradingagents.analytics.performance.selection import expected_best
from tradingagents.analytics.price.returns import SESSIONS_PER_YEAR
from tradingagents.dataflows.models import Floats
from tradingagents.features.backtest.statistics.looks import NearLook


@dataclass(frozen=True, slots=True)
class DeflatedRatio:
    """A Sharpe ratio, discounted for the number of trials. Ratios are a year."""

    ratio: float
    best_of_chance: float
    """What the best of so many trials without skill is expected to show."""
    probabilistic: float
    """Probability that the true ratio is above 0."""
    deflated: float
    """Probability that it is above the best of chance."""
    track_record_needed: int | None
    """Sessions after which such a ratio is above 0 with 95 % confidence; None where it is not positive."""


@dataclass(frozen=True, slots=True)
class TickerTest:
    """The test of the decisions on one ticker, beside those on the others."""

    p_value: float
    adjusted: float
    """After Holm's procedure over all tickers."""
    beats: bool
    """Whether the adjusted value is at most 5 %."""
    difference: float
    """Yearly, beyond buy and hold of the ticker at equal exposure."""
    smallest_edge: float


@dataclass(frozen=True, slots=True, kw_only=True)
class ChoiceCost:
    """What is left of the tested result after all that was tried."""

    trials: int
    """Variants that one may have chosen among: the larger of `declared` and `seen`."""
    counted: Literal["declared", "seen"]
    """Which of the two it is; `seen` where they are the same."""
    declared: int | None
    seen: int
    """Variants of this backtest and of the looks at the same idea in this home folder, each ledger once."""
    looks: int = 0
    """Other backtests of the home folder that share tickers and days, see `statistics.looks`."""
    nearest: tuple[NearLook, ...] = ()
    """The nearest of them."""
    elsewhere: int = 0
    """Backtests that share tickers and no, or hardly any, days; they are not counted."""
    variants: tuple[str, ...]
    """The trials that are in this backtest."""
    sharpe: DeflatedRatio | None
    """Of the account's returns beyond bills."""
    edge: DeflatedRatio | None
    """Of its returns beyond buy and hold at equal exposure."""
    overfitting: float | None
    """Probability of overfitting over the trials: how often the best in one half of the sessions is below the median in
    the other. None with one trial, few sessions, or a variant that never varies."""
    overfitting_strategies: float | None
    """The same over all strategies of the table, for who would take the best row of it."""
    tickers: Mapping[str, TickerTest]
    """By ticker, as far as there is a test."""


def cost_of_choice(
    trials: Mapping[str, tuple[Floats, Floats]],
    strategies: Mapping[str, Floats],
    tickers: Mapping[str, PairedTest | None],
    declared: int | None,
    seen: int = 0,
) -> ChoiceCost:
    """Discount the first trial for all others.

    Args:
        trials: Daily returns beyond bills, and those beyond buy and hold at equal exposure, of every variant that was
            tried; the tested one first.
        strategies: Daily returns beyond bills of all rows of the table.
        tickers: The test of the decisions on each ticker alone.
        declared: How many variants were tried, here and before; None: nothing is said.
        seen: How many the home folder shows, those of this backtest included; those of it count in any case.
    """
    seen = max(seen, len(trials))
    count = max(declared or 1, seen)
    own, gap = next(iter(trials.values()))
    return ChoiceCost(
        trials=count,
        counted="declared" if count > seen else "seen",
        declared=declared,
        seen=seen,
        variants=tuple(trials),
        sharpe=_deflated(own, [returns for returns, _ in trials.values()], count),
        edge=_deflated(gap, [edge for _, edge in trials.values()], count),
        overfitting=_overfitting([returns for returns, _ in trials.values()]),
        overfitting_strategies=_overfitting(list(strategies.values())),
        tickers=_over_tickers(tickers),
    )


def _deflated(own: Floats, trials: Sequence[Floats], count: int) -> DeflatedRatio | None:
    ratio, known = sharpe_ratio(own, annual=False), probabilistic_sharpe(own)
    if ratio is None or known is None:
        return None
    ratios = [ratio for ratio in (sharpe_ratio(trial, annual=False) for trial in trials) if ratio is not None]
    spread = float(np.std(ratios, ddof=1)) if len(ratios) > 1 else 0.0
    if count > len(trials):  # of the others nothing is known but that a ratio without skill varies with the sessions
        spread = max(spread, 1 / math.sqrt(len(own) - 1))
    best, year = expected_best(spread, count), math.sqrt(SESSIONS_PER_YEAR)
    deflated = probabilistic_sharpe(own, best)
    return DeflatedRatio(ratio * year, best * year, known, known if deflated is None else deflated,
                         track_record_needed(own))  # fmt: skip


def _overfitting(trials: Sequence[Floats]) -> float | None:
    moving = [trial for trial in trials if sharpe_ratio(trial) is not None]
    if len(moving) < 2:
        return None
    found = np.column_stack(moving)
    begins = int(np.argmax((found != 0).all(axis=1)))  # before, some of them have not bought anything yet
    return overfitting_probability(found[begins:])


def _over_tickers(tickers: Mapping[str, PairedTest | None]) -> dict[str, TickerTest]:
    known = {name: test for name, test in tickers.items() if test is not None}
    adjusted = holm([test.p_value for test in known.values()])
    return {
        name: TickerTest(test.p_value, value, value <= LEVEL, test.difference, test.smallest_edge)
        for (name, test), value in zip(known.items(), adjusted, strict=True)
    }
