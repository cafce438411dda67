"""Random deciders: where an account stands among a thousand that trade as much and know nothing.

A random decider takes the decisions that were tested and gives them to other tickers and other days: the tickers
exchange their whole sequences of decisions, and all sequences are rotated in time by the same number of decision days.
So it decides BUY, SELL and HOLD as often, with the same confidence, holds as long, and moves its tickers together as
much as the tested one did; what is lost is only which ticker, and when. Were the decisions drawn without regard to the
prices, each of these arrangements was as likely, so that the tested one has a uniform rank among them.

HOLD means what was decided before. Where a rotation cuts a sequence, the first HOLD is replaced by the decision that it
stands for, or the random deciders would begin with less than the tested one had.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from datetime import date
from functools import partial
from typing import get_args

import numpy as np
from numpy.typing import NDArray

from tradingagents.analytics.holdings.weights import Scheme
from tradingagents.features.backtest.advance import AccountRules
from tradingagents.features.backtest.exits import ExitRule
from tradingagents.features.backtest.market import BacktestMarket
from tradingagents.features.backtest.score import StrategyScore
from tradingagents.features.backtest.statistics.many_accounts import (
    BUY,
    SELL,
    STAY,
    Array,
    DayDecisions,
    ManyAccounts,
    PlainScheme,
    run_accounts,
)
from tradingagents.features.backtest.strategies import Decisions

DRAWS = 1000
SEED = 20260101
LEAST_ARRANGEMENTS = 20
"""Fewest different results of random deciders: with fewer none can be better than 95 of 100."""
LARGEST_GAP = 0.005
"""Most that the tested account may end off its ledger when it is computed in arrays, as a fraction."""
MOST_COST = 0.1
"""Most that other costs may move the returns of random deciders, as a fraction of the width of their middle half. Each
rotation joins the end of the sequences to their beginning, so that deciders who seldom change trade somewhat more."""
QUANTILES = (5, 25, 50, 75, 95)
SAME = 1e-9
"""Returns that are nearer than this are the same result."""
NEVER_DIFFER = "the decisions never differ, so every random decider does the same"


@dataclass(frozen=True, slots=True, kw_only=True)
class RandomDeciders:
    """The tested account among random deciders with the same decisions on other tickers and days.

    All figures but `draws` are None where `unknown` says why nothing can be told.
    """

    draws: int
    percentile: float | None = None
    """Share of the random deciders with a lower total return, those with the same one counted half; 0 to 1."""
    p_value: float | None = None
    """(1 + random deciders with at least the account's return) / (1 + draws)."""
    total_return: float | None = None
    """Of the tested account, computed as those of the random deciders are, without the cost of models."""
    quantiles: Mapping[str, float] | None = None
    """Total return of the random deciders: its 5th, 25th, 50th, 75th and 95th percentile, by `5` to `95`."""
    turnover_ratio: float | None = None
    """Median turnover of the random deciders over that of the tested account."""
    exposure_ratio: float | None = None
    """The same of the mean invested share."""
    different: int | None = None
    """How many results differ among the draws."""
    ledger_gap: float | None = None
    """How far the tested account in arrays ends off its ledger, as a fraction of it."""
    unknown: str | None = None
    """Why nothing can be told."""


def random_deciders(
    decisions: Decisions,
    market: BacktestMarket,
    rules: AccountRules,
    scheme: Scheme,
    score: StrategyScore,
    *,
    exits: ExitRule = "none",
    draws: int = DRAWS,
    seed: int = SEED,
) -> RandomDeciders:
    """Return where the tested account stands among random deciders.

    Args:
        decisions: Those that were tested, by day and ticker.
        market: What was traded.
        rules: Those of the tested account.
        scheme: How weights were computed.
        score: Of the tested account, to check the computation against.
        exits: What closed positions between decisions. A stop is a price of one ticker and day, so that a decision that
            is made elsewhere has none.
        draws: Number of random deciders.
        seed: Random seed; the same decisions and seed give the same result.
    """
    nothing = partial(RandomDeciders, draws=draws)
    if rules.shorts is not None:
        return nothing(unknown="random deciders are not computed for accounts that may sell borrowed shares")
    if exits != "none":
        return nothing(unknown="random deciders are not computed where stops and targets close positions")
    plain = next((name for name in get_args(PlainScheme) if name == scheme), None)
    if plain is None:
        return nothing(unknown=f"random deciders are not computed for the weights {scheme}")
    panel = Panel.of(decisions, sorted(market.tickers), market.decision_days)
    if panel.constant(with_confidence=plain == "confidence"):
        return nothing(unknown=NEVER_DIFFER)
    found = _accounts(panel, market, rules, plain, draws, seed)
    return _judged(found, rules.deposit, score, nothing)


@dataclass(frozen=True, slots=True)
class Panel:
    """Decisions as arrays of shape (decision days, tickers)."""

    days: tuple[date, ...]
    tickers: tuple[str, ...]
    action: NDArray[np.int8]
    """The first of each sequence is never STAY."""
    confidence: Array
    standing: NDArray[np.int8]
    """BUY or SELL, whichever was decided last."""
    stated: Array
    """Confidence of the decision that stands; 0 for SELL."""

    @classmethod
    def of(cls, decisions: Decisions, tickers: list[str], days: tuple[date, ...]) -> Panel:
        """Arrange decisions; before its first decision a ticker counts as sold, which is the same as not held."""
        action = np.zeros((len(days), len(tickers)), dtype=np.int8)
        confidence = np.zeros(action.shape)
        for row, day in enumerate(days):
            made = decisions.get(day, {})
            for column, ticker in enumerate(tickers):
                if ticker in made and made[ticker].action in ("BUY", "SELL"):
                    action[row, column] = BUY if made[ticker].action == "BUY" else SELL
                    confidence[row, column] = made[ticker].confidence
        action[0] = np.where(action[0] == STAY, SELL, action[0])
        last = np.maximum.accumulate(np.where(action != STAY, np.arange(len(days))[:, None], 0), axis=0)
        standing = np.take_along_axis(action, last, axis=0)
        stated = np.where(standing == BUY, np.take_along_axis(confidence, last, axis=0), 0.0)
        return cls(days, tuple(tickers), action, confidence, standing, stated)

    def constant(self, *, with_confidence: bool) -> bool:
        """Tell whether what stands is the same on all tickers and days."""
        stated = self.stated if with_confidence else np.zeros(1)
        return len(np.unique(self.standing)) == 1 and len(np.unique(stated)) == 1

    def on(self, place: int, shift: NDArray[np.int64], columns: NDArray[np.int64]) -> DayDecisions:
        """Return what random deciders decide on a day.

        Args:
            place: Of the day.
            shift: By how many decision days each is rotated, shape (deciders,).
            columns: Whose decisions each ticker gets, shape (deciders, tickers).
        """
        rows = (place + shift)[:, None] % len(self.days)
        action, confidence = (self.standing, self.stated) if place == 0 else (self.action, self.confidence)
        return DayDecisions(action[rows, columns], confidence[rows, columns])


def _accounts(
    panel: Panel, market: BacktestMarket, rules: AccountRules, scheme: PlainScheme, draws: int, seed: int
) -> ManyAccounts:
    """Return the tested account, and after it those of the random deciders."""
    drawn = np.random.default_rng(seed)
    tickers = np.tile(np.arange(len(panel.tickers)), (draws + 1, 1))
    columns = drawn.permuted(tickers, axis=1)
    shift = drawn.integers(len(panel.days), size=draws + 1)
    columns[0], shift[0] = tickers[0], 0
    made: dict[date, Callable[[], DayDecisions]] = {
        day: partial(panel.on, place, shift, columns) for place, day in enumerate(panel.days)
    }
    return run_accounts(market.table, market.days, panel.tickers, made, replace(rules, charges={}), scheme)


def _judged(
    found: ManyAccounts, deposit: float, score: StrategyScore, nothing: Callable[..., RandomDeciders]
) -> RandomDeciders:
    """Return the first account's place among the others, or why it cannot be told."""
    returns = found.final / deposit - 1
    own, others = float(returns[0]), returns[1:]
    gap = abs(float(found.final[0]) / (score.final_equity + score.model_cost) - 1)
    if gap > LARGEST_GAP:
        return nothing(ledger_gap=gap, unknown=f"the tested account, computed as the random deciders are, ends "
                       f"{100 * gap:.1f} % off its ledger")  # fmt: skip
    different = 1 + int((np.diff(np.sort(others)) > SAME).sum())
    if different < LEAST_ARRANGEMENTS:
        return nothing(different=different, ledger_gap=gap, unknown=f"the decisions can be arranged on tickers and "
                       f"days in {different} ways only, and {LEAST_ARRANGEMENTS} are needed")  # fmt: skip
    turnover = _ratio(found.turnover)
    low, high = np.quantile(others, (0.25, 0.75))
    paid = (score.commissions + score.slippage) / deposit
    if turnover is None or abs(turnover - 1) * paid > MOST_COST * (high - low):
        times = "otherwise than" if turnover is None else f"{turnover:.2f} times as much as"
        return nothing(different=different, ledger_gap=gap, turnover_ratio=turnover,
                       unknown=f"random deciders would trade {times} the tested account, and pay for it")  # fmt: skip
    lower, least = float((others < own - SAME).mean()), int((others >= own - SAME).sum())
    same = least / len(others) - float((others > own + SAME).mean())
    return nothing(
        percentile=lower + same / 2,
        p_value=(1 + least) / (1 + len(others)),
        total_return=own,
        quantiles={str(percent): float(np.quantile(others, percent / 100)) for percent in QUANTILES},
        turnover_ratio=turnover,
        exposure_ratio=_ratio(found.exposure),
        different=different,
        ledger_gap=gap,
    )


def _ratio(values: Array) -> float | None:
    """Return the median of the others over the first; None for a first of 0."""
    return float(np.median(values[1:])) / float(values[0]) if values[0] else None
