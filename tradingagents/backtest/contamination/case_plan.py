"""How many cases the test of `verdict` asks for, by simulation of known deciders, before decisions are paid for.

Cases are asked for until a memoriser of 90 % is convicted and a reader with 10 % noise is acquitted in four of five
trials. Everything is drawn with a fixed seed, so that the same question has the same answer.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tradingagents.backtest.contamination.verdict import (
    ACTIONS,
    LEAST_PAIRS,
    SEED,
    Case,
    Exchange,
    Verdict,
    judge,
    unlike_pairs,
)

ASSUMED_MIX = (0.6, 0.2, 0.2)
"""Shares of BUY, SELL and HOLD where none is known."""
POWER = 0.8
MARGIN = 0.05
"""By which the simulated power must pass `POWER`: about two standard errors of so many trials."""
TRIALS, DRAWS = 250, 199
MOST_CASES = 600
LEAST_TICKERS = 2


@dataclass(frozen=True, slots=True)
class Decider:
    """A decider of known kind, for simulation."""

    memory: float = 0.0
    """Probability that it decides as it remembers of a name that it recognises."""
    reads: bool = False
    """Whether it reads data where it remembers nothing; otherwise it draws from the mix."""
    noise: float = 0.0
    """Probability that it draws from the mix instead."""
    whole_names: bool = False
    """Whether it remembers some names always and others never, instead of each now and then."""
    stable: bool = False
    """Whether names mean the same action on all days, made-up names included."""
    reads_prices: bool = True
    """Whether it reads prices, which can be mirrored; otherwise news and statements, which cannot."""


MEMORISER, READER = Decider(memory=0.9), Decider(reads=True, noise=0.1)
Grid = NDArray[np.int_]  # actions by day and company, as places in ACTIONS


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
    """Return the least number of cases with which the test tells a memoriser from a reader in four of five trials.

    Args:
        tickers: Companies; each is tried on every day.
        mix: Shares of BUY, SELL and HOLD that the decider is expected to give; scaled to 1.
    """
    shares = _scaled(mix)
    most = max(1, MOST_CASES // tickers)
    low = min(most - 1, int(LEAST_PAIRS / max(_pairs_a_day(tickers, shares), LEAST_PAIRS / most)) // 2)
    high = low + 1
    while high < most and not _suffices(tickers, high, shares):
        low, high = high, min(2 * high, most)
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if _suffices(tickers, middle, shares) else (middle, high)
    found, cost = power(tickers, high, shares), decisions_for(tickers, high, shares)
    enough = min(found) >= POWER + MARGIN
    return CasePlan(tickers, shares, high * tickers if enough else None, cost if enough else None, *found)


def smoothed(counts: Mapping[str, int]) -> tuple[float, ...]:
    """Return the mix that a sample of decisions speaks for: what was never seen may still come (half a case each)."""
    return _scaled([counts[action] + 0.5 for action in ACTIONS])


def power(tickers: int, days: int, mix: Sequence[float]) -> tuple[float, float]:
    """Return how often a memoriser of 90 % is convicted, and a reader with 10 % noise acquitted, with so many cases."""
    shares = _scaled(mix)
    return _found(MEMORISER, "name", (tickers, days), shares), _found(READER, "data", (tickers, days), shares)


def decisions_for(tickers: int, days: int, mix: Sequence[float]) -> int:
    """Return the number of decisions that so many cases are expected to take: three a case, and two a pair."""
    return round(days * (3 * tickers + 2 * _pairs_a_day(tickers, _scaled(mix))))


def _pairs_a_day(tickers: int, mix: Sequence[float]) -> float:
    drawn = np.random.default_rng(SEED).choice(len(ACTIONS), (200, tickers), p=mix)
    pairs = [len(unlike_pairs({str(place): ACTIONS[one] for place, one in enumerate(row)})) for row in drawn]
    return float(np.mean(pairs))


def simulated(
    decider: Decider, shape: tuple[int, int], mix: Sequence[float], rng: np.random.Generator, draws: int = DRAWS
) -> Verdict:
    """Return the verdict on a decider of known kind in one simulated trial.

    Args:
        decider: Who decides.
        shape: Companies and days.
        mix: Shares of BUY, SELL and HOLD, of what data say and of what names mean.
        rng: Where chance comes from.
        draws: Permutations of each agreement.
    """
    tickers, days = shape

    def drawn() -> Grid:
        return rng.choice(len(ACTIONS), (days, tickers), p=mix)

    def meaning() -> Grid:
        return np.repeat(drawn()[:1], days, axis=0) if decider.stable else drawn()

    data, names, made_up = drawn(), meaning(), meaning()
    knows_name = rng.random(tickers) < decider.memory

    def said(of_data: Grid, of_name: Grid, known: NDArray[np.bool_] | None) -> Grid:
        """Decide; `known` says which names are remembered where that is a matter of the name, None: name is hidden."""
        otherwise = of_data if decider.reads else (made_up if known is None and decider.stable else drawn())
        recalled = np.broadcast_to(False, of_data.shape)
        if known is not None:
            recalled = np.broadcast_to(known, of_data.shape)
            recalled = recalled if decider.whole_names else rng.random(of_data.shape) < decider.memory
        return np.where(rng.random(of_data.shape) < decider.noise, drawn(), np.where(recalled, of_name, otherwise))

    turned = np.array([1, 0, 2])[data] if decider.reads_prices else data
    plain, hidden, mirrored = said(data, names, knows_name), said(data, names, None), said(turned, names, knows_name)
    cases = [
        Case(str(column), str(row), *(ACTIONS[grid[row, column]] for grid in (plain, hidden, mirrored)))
        for row in range(days)
        for column in range(tickers)
    ]
    shown, pairs = np.tile(np.arange(tickers), (days, 1)), list[tuple[int, int, int]]()
    for row in range(days):
        for first, second in unlike_pairs({str(place): ACTIONS[one] for place, one in enumerate(plain[row])}):
            pairs.append((row, int(first), int(second)))
            shown[row, [int(first), int(second)]] = int(second), int(first)
    renamed = said(data, np.take_along_axis(names, shown, axis=1), knows_name[shown])
    exchanges = [
        Exchange(
            (str(first), str(second)),
            str(row),
            (ACTIONS[plain[row, first]], ACTIONS[plain[row, second]]),
            (ACTIONS[renamed[row, first]], ACTIONS[renamed[row, second]]),
        )
        for row, first, second in pairs
    ]
    return judge(cases, exchanges, draws=draws)


def _suffices(tickers: int, days: int, mix: tuple[float, ...]) -> bool:
    return all(
        _found(decider, wanted, (tickers, days), mix) >= POWER + MARGIN
        for decider, wanted in ((MEMORISER, "name"), (READER, "data"))
    )


@lru_cache(maxsize=64)
def _found(decider: Decider, wanted: str, shape: tuple[int, int], mix: tuple[float, ...]) -> float:
    if not _pairs_a_day(shape[0], mix):
        return 0.0  # one action only: no names can be exchanged
    rng = np.random.default_rng(SEED)
    return sum(simulated(decider, shape, mix, rng).follows == wanted for _ in range(TRIALS)) / TRIALS


def _scaled(mix: Sequence[float]) -> tuple[float, ...]:
    return tuple(one / sum(mix) for one in mix)
