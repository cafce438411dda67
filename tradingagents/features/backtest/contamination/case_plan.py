"""How many cases the test of `verdict` asks for, computed before decisions are paid for.

Cases are asked for until a memoriser of 90 % is convicted and a reader with 10 % noise is acquitted four times of five.
Both repeat a decision that they draw nothing of with probability 0.9 * 0.9 = r, and otherwise repeat it by chance only,
so that one computation serves both. Two comparisons must succeed, each by the normal approximation of the power of a
test on differences (Miettinen 1968, Biometrics 24, p. 339: matched pairs):

- Exchange: of a pair, the decisions for the one side less those for the other are 2 r on average, with a mean square of
  at most 2 + 2 r r. All days of one pair of companies count once for "data": they are added up before being squared.
- Agreement: the excess of equal decisions over chance, with shares p of the actions and c = sum of p squared, is
  r (1 - c) a case; by chance its variance is c - 2 * (sum of p cubed) + c squared. The mix of a day is given, which
  costs one case a day.

`benchmarks.input_dependency --asked` compares this with simulated trials.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from statistics import NormalDist
from typing import Any

import numpy as np

from tradingagents.features.backtest.contamination.verdict import ACTIONS, LEAST_PAIRS, LEVEL, SEED, unlike_pairs

ASSUMED_MIX = (0.6, 0.2, 0.2)
"""Shares of BUY, SELL and HOLD where none is known."""
POWER = 0.8
REPEATED = 0.9 * 0.9
"""Share of decisions that a memoriser of 90 %, or a reader with 10 % noise, repeats other than by chance."""
MOST_CASES = 600
LEAST_TICKERS = 2
DRAWN_DAYS = 400


@dataclass(frozen=True, slots=True)
class CasePlan:
    """What the test asks for, or what it can see."""

    tickers: int
    mix: tuple[float, ...]
    """Shares of BUY, SELL and HOLD."""
    cases: int | None
    """Tickers times days that it asks for; None where `MOST_CASES` do not suffice."""
    decisions: int | None
    """Decisions that these cost in all."""
    memoriser_found: float
    """Probability that a memoriser of 90 % is convicted with so many cases (with `MOST_CASES` where None)."""
    reader_found: float
    """Probability that a reader with 10 % noise is acquitted."""

    def to_json(self) -> dict[str, Any]:
        """Return it as JSON."""
        return asdict(self)


def plan_cases(tickers: int, mix: Sequence[float] = ASSUMED_MIX) -> CasePlan:
    """Return the least number of cases with which the test tells a memoriser from a reader four times of five.

    Args:
        tickers: Companies; each is tried on every day.
        mix: Shares of BUY, SELL and HOLD that the decider is expected to give; scaled to 1.
    """
    shares = _scaled(mix)
    pairs = _pairs_a_day(tickers, shares)
    most = max(1, MOST_CASES // tickers)
    found, days = (0.0, 0.0), 0
    while min(found) < POWER and days < most:
        days += 1
        found = _power((tickers, days), pairs, shares)
    if min(found) < POWER:
        return CasePlan(tickers, shares, None, None, *found)
    return CasePlan(tickers, shares, days * tickers, round(days * (3 * tickers + 2 * pairs.mean)), *found)


def smoothed(counts: Mapping[str, int]) -> tuple[float, ...]:
    """Return the mix that a sample of decisions speaks for: what was never seen may still come (half a case each)."""
    return _scaled([counts[action] + 0.5 for action in ACTIONS])


def power(tickers: int, days: int, mix: Sequence[float]) -> tuple[float, float]:
    """Return how often a memoriser of 90 % is convicted, and a reader with 10 % noise acquitted, with so many cases."""
    shares = _scaled(mix)
    return _power((tickers, days), _pairs_a_day(tickers, shares), shares)


def _power(shape: tuple[int, int], pairs: _Pairs, mix: tuple[float, ...]) -> tuple[float, float]:
    tickers, days = shape
    if days * pairs.mean < LEAST_PAIRS:
        return 0.0, 0.0  # nearly every time too few for any verdict
    agree = _agreement_power(days * (tickers - 1), mix)
    name = _exchange_power(days, pairs, repeated=0.0)
    data = _exchange_power(days, pairs, repeated=pairs.repeated) if math.comb(tickers, 2) >= LEAST_PAIRS else 0.0
    return agree * name, (1 - LEVEL) * agree * data  # prices may seem to be turned in vain


def _exchange_power(days: int, pairs: _Pairs, repeated: float) -> float:
    """Return how often the exchange is significant; `repeated` is the share of exchanges that count as one."""
    number, spread = days * pairs.mean, days * pairs.variance
    mean, square = 2 * REPEATED, 2 + 2 * REPEATED**2
    by_chance = number * square + mean**2 * (number * (number - 1) + spread) * repeated
    variance = number * (square - mean**2) + mean**2 * spread
    return _beyond(number * mean - 1, by_chance, variance)  # the sum comes in steps of two


def _agreement_power(cases: int, mix: tuple[float, ...]) -> float:
    shares = np.array(mix)
    equal = float((shares**2).sum())
    by_chance = float(equal - 2 * (shares**3).sum() + equal**2)
    square = REPEATED * float((shares * (1 - 2 * shares + equal) ** 2).sum()) + (1 - REPEATED) * by_chance
    mean = REPEATED * (1 - equal)
    return _beyond(cases * mean - 0.5, cases * by_chance, cases * (square - mean**2))


def _beyond(mean: float, by_chance: float, variance: float) -> float:
    """Return how often a sum of this mean and variance passes what chance, with its variance, seldom does."""
    usual = NormalDist()
    return usual.cdf((mean - usual.inv_cdf(1 - LEVEL) * math.sqrt(by_chance)) / math.sqrt(variance))


@dataclass(frozen=True, slots=True)
class _Pairs:
    """Exchanges that a day gives."""

    mean: float
    variance: float
    repeated: float
    """Probability that two exchanges are of the same companies."""


def _pairs_a_day(tickers: int, mix: Sequence[float]) -> _Pairs:
    """Draw days, with a fixed seed, and pair their companies."""
    drawn = np.random.default_rng(SEED).choice(len(ACTIONS), (DRAWN_DAYS, tickers), p=mix)
    pairs = [unlike_pairs({str(place): ACTIONS[action] for place, action in enumerate(row)}) for row in drawn]
    a_day = [len(of_day) for of_day in pairs]
    number = Counter(frozenset(pair) for of_day in pairs for pair in of_day)
    total = sum(a_day)
    same = sum(count * (count - 1) for count in number.values()) / max(1, total * (total - 1))
    return _Pairs(float(np.mean(a_day)), float(np.var(a_day)), same)


def _scaled(mix: Sequence[float]) -> tuple[float, ...]:
    return tuple(share / sum(mix) for share in mix)
