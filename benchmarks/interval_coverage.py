"""How often the 95 % intervals hold the truth, by method, kind of market, overlap and sample size.

`python -m benchmarks.interval_coverage [SAMPLES] [SEED]` (4,000 samples) prints the tables of
docs/concepts/backtest-statistics.md. Four kinds of market: independent values; windows that overlap, so that
neighbouring values share most of their return (for daily accounts: an autocorrelation of 0.2); correlated tickers,
which share a market; volatility in clusters (GARCH(1, 1) of 0.1 and 0.85 with Student's t of 5 degrees). Sizes and
constants were chosen with the seeds below 1,000; the tables have been made with others.
"""

from __future__ import annotations

import math
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, timedelta

import numpy as np

from tradingagents.analytics.decisions.scoreboard import ScoredDecision, score
from tradingagents.analytics.performance import rank_ic
from tradingagents.analytics.performance.intervals import LEVEL
from tradingagents.analytics.performance.paired import paired_test
from tradingagents.analytics.performance.regression import benchmark_regression
from tradingagents.dataflows.models import Floats
from tradingagents.features.backtest.statistics.calls import mean_over_days
from tradingagents.features.backtest.statistics.outcomes import beyond_chance

INDEPENDENT, OVERLAPPING = "independent", "overlapping"
CORRELATED, CLUSTERED = "correlated tickers", "volatility clusters"
MARKETS = (INDEPENDENT, OVERLAPPING, CORRELATED, CLUSTERED)
FIRST, WEEK = date(2015, 1, 5), timedelta(weeks=1)
TICKERS = 6
SHARED = 0.7
"""Share of a ticker's deviation that the market gives."""


@dataclass
class Count:
    """How often intervals held the truth, and one-sided tests of a true 0 called it above 0."""

    samples: int = 0
    printed: int = 0
    held: int = 0
    called: int = 0

    def add(self, low: float | None, high: float | None, true: float, p_value: float = 1.0) -> None:
        """Count one sample; None: no interval was given."""
        self.samples += 1
        if low is not None and high is not None:
            self.printed += 1
            self.held += low <= true <= high
            self.called += p_value <= LEVEL


Row = Mapping[str, Count]
"""By figure."""


def shocks(random: np.random.Generator, periods: int, tickers: int, market: str) -> Floats:
    """Return independent or clustered values of variance 1, shape (periods, tickers); correlated where tickers are."""
    if market == CLUSTERED:
        return clustered(random, periods, tickers)
    own: Floats = random.normal(size=(periods, tickers))
    if market == CORRELATED:
        own = SHARED * random.normal(size=(periods, 1)) + math.sqrt(1 - SHARED**2) * own
    return own


def clustered(random: np.random.Generator, periods: int, tickers: int, warm: int = 100) -> Floats:
    """Return GARCH(1, 1) values of variance 1 whose variance moves alike for all tickers."""
    freedom = 5
    noise = random.standard_t(freedom, (periods + warm, tickers)) / np.sqrt(freedom / (freedom - 2))
    found, variance = np.empty_like(noise), 1.0
    for place, row in enumerate(noise):
        found[place] = np.sqrt(variance) * row
        variance = 0.05 + 0.1 * float(np.mean(found[place] ** 2)) + 0.85 * variance
    after: Floats = found[warm:]
    return after


def scoreboard_sample(random: np.random.Generator, market: str, weeks: int, window: int, true: float) -> Row:
    """Return whether the scoreboard's interval of the mean excess holds the truth: one call a week on each ticker.

    Args:
        random: Draws.
        market: Kind of market.
        weeks: Weeks with a call.
        window: Weeks that a call is measured over; 1: no overlap.
        true: Mean weekly excess.
    """
    tickers = TICKERS if market == CORRELATED else 1
    weekly = true + 0.03 * shocks(random, weeks + window, tickers, market)
    sums = np.cumsum(np.vstack([np.zeros((1, tickers)), weekly]), axis=0)
    excess = (sums[window:] - sums[:-window])[:weeks]
    calls = [
        ScoredDecision(f"T{ticker}", FIRST + week * WEEK, FIRST + (week + window) * WEEK, 0.6, value > 0, value, value)
        for week, row in enumerate(excess.tolist())
        for ticker, value in enumerate(row)
    ]
    found, count = score(calls).excess, Count()
    count.add(found.low if found else None, found.high if found else None, true * window)
    return {"mean excess": count}


def paired_sample(random: np.random.Generator, market: str, sessions: int) -> Row:
    """Return whether the paired test holds the truth: a strategy without an edge against its benchmark.

    The accounts hold six tickers in unlike weights where tickers are correlated.
    """
    values = shocks(random, sessions + 50, TICKERS + 1, market)
    if market == OVERLAPPING:  # what a session adds to the gap goes on in the next
        for place in range(1, len(values)):
            values[place, 1] += 0.2 * values[place - 1, 1]
    values = 0.01 * values[50:]
    weights = random.dirichlet(np.ones(TICKERS))
    if market == CORRELATED:
        own, held = values[:, :TICKERS] @ weights, values[:, :TICKERS].mean(axis=1)
    else:
        own, held = values[:, 0] + 0.5 * values[:, 1], values[:, 0]
    test, counts = paired_test(own, held), {"difference": Count(), "Sharpe difference": Count()}
    if test is None:
        counts["difference"].add(None, None, 0.0)
        counts["Sharpe difference"].add(None, None, 0.0)
    else:
        counts["difference"].add(test.low, test.high, 0.0, test.p_value)
        counts["Sharpe difference"].add(test.sharpe_low, test.sharpe_high, 0.0)
    return counts


def regression_sample(random: np.random.Generator, market: str, sessions: int) -> Row:
    """Return whether the regression's intervals hold the truth: beta 0.8, no alpha."""
    values = 0.01 * shocks(random, sessions + 50, 2, INDEPENDENT if market == CORRELATED else market)
    if market == OVERLAPPING:
        for place in range(1, len(values)):
            values[place] += 0.2 * values[place - 1]
    values = values[50:]
    found = benchmark_regression(0.8 * values[:, 0] + 0.6 * values[:, 1], values[:, 0])
    counts = {name: Count() for name in ("alpha", "beta", "information")}
    for name, count in counts.items():
        low, high = getattr(found, f"{name}_low"), getattr(found, f"{name}_high")
        count.add(low, high, 0.8 if name == "beta" else 0.0)
    return counts


def calls_sample(random: np.random.Generator, market: str, days: int, buys: float = 0.6) -> Row:
    """Return whether the intervals of call quality hold the truth: sides without skill in a rising market.

    Where windows do not overlap, as between decisions of a backtest, calls of a day share the market and nothing else.

    Args:
        random: Draws.
        market: Kind of market; `overlapping` has calls that stay on their side for five decisions.
        days: Decision days.
        buys: Share of BUY among the calls.
    """
    tickers = {INDEPENDENT: 1, OVERLAPPING: 2}.get(market, TICKERS)
    changes = 0.1 + shocks(random, days, tickers, market)
    drawn = random.random((days, tickers))
    if market == OVERLAPPING:
        drawn = np.repeat(drawn[::5], 5, axis=0)[:days]
    sides = np.where(drawn < buys, 1.0, -1.0)
    confidence = random.uniform(0.5, 0.9, (days, tickers))
    on = [FIRST + number * WEEK for number in range(days)]
    wanted = [(f"T{place}", day) for day in on for place in range(tickers)]
    known = dict(zip(wanted, changes.ravel().tolist(), strict=True))
    made = [(one[1], side, known[one]) for one, side in zip(wanted, sides.ravel().tolist(), strict=True)]
    counts = {"hit rate beyond chance": Count(), "Brier": Count()}
    found, _ = beyond_chance(made, known)
    counts["hit rate beyond chance"].add(
        found.low if found else None, found.high if found else None, 0.0, found.p_value if found else 1.0
    )
    right = sides * changes > 0
    brier, _ = mean_over_days([day for day, _, _ in made], ((confidence - right) ** 2).ravel())
    rate = buys * ABOVE[market] + (1 - buys) * (1 - ABOVE[market])
    second = 0.49 + 0.4**2 / 12  # of a confidence between 0.5 and 0.9
    counts["Brier"].add(brier.low if brier else None, brier.high if brier else None, second - 2 * 0.7 * rate + rate)
    return counts


def rank_sample(random: np.random.Generator, market: str, days: int) -> Row:
    """Return whether the interval of the mean rank correlation holds the truth: six tickers a day, no skill.

    Args:
        random: Draws.
        market: Kind of market; `overlapping` has signals that stay for five decisions.
        days: Decision days.
    """
    changes = 0.1 + shocks(random, days, TICKERS, market)
    signals = random.normal(size=changes.shape)
    if market == OVERLAPPING:
        signals = np.repeat(signals[::5], 5, axis=0)[:days]
    found = np.array([rank_ic(day_signals, row) for day_signals, row in zip(signals, changes, strict=True)], float)
    mean, _ = mean_over_days([FIRST + number * WEEK for number in range(days)], found)
    count = Count()
    count.add(mean.low if mean else None, mean.high if mean else None, 0.0)
    return {"rank correlation": count}


def _above(market: str) -> float:
    """Return the share of values above -0.1 in a very long sample."""
    return float(np.mean(shocks(np.random.default_rng(12345), 400_000, 1, market) > -0.1))


ABOVE = {market: _above(market) for market in MARKETS}


def coverage(samples: int, seed: int, sample: Callable[[np.random.Generator], Row]) -> dict[str, Count]:
    """Return the counts of many samples, by figure."""
    random, totals = np.random.default_rng(seed), dict[str, Count]()
    for _ in range(samples):
        for name, one in sample(random).items():
            total = totals.setdefault(name, Count())
            total.samples += one.samples
            total.printed += one.printed
            total.held += one.held
            total.called += one.called
    return totals


def tables(samples: int, seed: int) -> Iterator[str]:
    """Return the tables as lines of Markdown, a method at a time."""
    for window, sizes in ((4, (12, 16, 26, 52, 104)), (13, (39, 52, 78, 156)), (1, (3, 4, 6, 10, 26, 52))):

        def board(random: np.random.Generator, market: str, size: int, window: int = window) -> Row:
            return scoreboard_sample(random, market, size, 1 if market == INDEPENDENT else window, 0.001)

        yield from _table(f"Scoreboard, windows of {window} weeks", "weeks", sizes, (samples, seed), board)
    yield from _table("Paired test", "sessions", (15, 20, 30, 40, 60, 126, 252, 504), (samples, seed), paired_sample)
    yield from _table("Calls", "days", (15, 20, 30, 60, 120), (samples, seed), calls_sample)
    yield from _table("Rank correlation", "days", (15, 20, 30, 60, 120), (samples, seed), rank_sample)
    yield from _table("Regression", "sessions", (40, 60, 126, 252, 504), (samples, seed), regression_sample)


def _table(
    title: str, unit: str, sizes: Sequence[int], drawn: tuple[int, int], sample: Callable[..., Row]
) -> Iterator[str]:
    samples, seed = drawn
    yield f"\n{title}: coverage in %, in brackets false wins of the one-sided test\n"
    yield f"| figure | {unit} | {' | '.join(MARKETS)} |"
    yield "|---|---:|" + "---:|" * len(MARKETS)
    for size in sizes:
        rows = [coverage(samples, seed + size, _at(sample, market, size)) for market in MARKETS]
        for name in rows[0]:
            yield f"| {name} | {size} | {' | '.join(_cell(row[name]) for row in rows)} |"


def _at(sample: Callable[..., Row], market: str, size: int) -> Callable[[np.random.Generator], Row]:
    return lambda random: sample(random, market, size)


def _cell(count: Count) -> str:
    if not count.printed:
        return "none"
    wins = f" ({100 * count.called / count.printed:.1f})" if count.called else ""
    return f"{100 * count.held / count.printed:.1f}{wins}"


def main(samples: int = 4000, seed: int = 50_000) -> None:
    """Print the tables."""
    for line in tables(samples, seed):
        sys.stdout.write(f"{line}\n")
        sys.stdout.flush()


if __name__ == "__main__":
    main(*(int(one) for one in sys.argv[1:]))
