"""Deciders of known kind, whose decisions are drawn: what the verdicts and the plan of cases are tried on."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from tradingagents.features.backtest.contamination.verdict import (
    ACTIONS,
    DRAWS,
    DecidedCase,
    InputVerdict,
    NameExchange,
    judge,
    unlike_pairs,
)

Grid = NDArray[np.int_]  # actions by day and company, as places in ACTIONS


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


@dataclass(frozen=True, slots=True)
class Market:
    """What data say and what names mean."""

    data: Grid
    names: Grid
    made_up: Grid
    """What the made-up names mean to a decider for whom names mean the same on all days."""
    knows_name: NDArray[np.bool_]
    """By company; counts for deciders that remember whole names."""


class Trial:
    """One simulated trial: the decisions of a decider of known kind.

    Args:
        decider: Who decides.
        shape: Companies and days.
        mix: Shares of BUY, SELL and HOLD, of what data say and of what names mean.
        rng: Where chance comes from.
    """

    def __init__(
        self, decider: Decider, shape: tuple[int, int], mix: Sequence[float], rng: np.random.Generator
    ) -> None:
        self._decider, self._rng, self._mix = decider, rng, mix
        self.tickers, self.days = shape
        self._market = Market(
            self._drawn(),
            self._meaning(),
            self._meaning(),
            rng.permutation(self.tickers) < round(decider.memory * self.tickers),
        )

    def verdict(self, draws: int) -> InputVerdict:
        """Return the verdict on the decisions, each agreement by so many permutations."""
        data, names, known = self._market.data, self._market.names, self._market.knows_name
        turned = np.array([1, 0, 2])[data] if self._decider.reads_prices else data
        plain, hidden = self._said(data, names, known), self._said(data, names, None)
        mirrored = self._said(turned, names, known)
        cases = [
            DecidedCase(str(column), str(row), *(ACTIONS[grid[row, column]] for grid in (plain, hidden, mirrored)))
            for row in range(self.days)
            for column in range(self.tickers)
        ]
        return judge(cases, self._exchanged(plain), draws=draws)

    def _exchanged(self, plain: Grid) -> list[NameExchange]:
        shown, pairs = np.tile(np.arange(self.tickers), (self.days, 1)), list[tuple[int, int, int]]()
        for row in range(self.days):
            for pair in unlike_pairs({str(place): ACTIONS[one] for place, one in enumerate(plain[row])}):
                first, second = (int(one) for one in pair)
                pairs.append((row, first, second))
                shown[row, [first, second]] = second, first
        names, known = np.take_along_axis(self._market.names, shown, axis=1), self._market.knows_name[shown]
        renamed = self._said(self._market.data, names, known)
        return [
            NameExchange(
                (str(first), str(second)),
                str(row),
                (ACTIONS[plain[row, first]], ACTIONS[plain[row, second]]),
                (ACTIONS[renamed[row, first]], ACTIONS[renamed[row, second]]),
            )
            for row, first, second in pairs
        ]

    def _said(self, of_data: Grid, of_name: Grid, known: NDArray[np.bool_] | None) -> Grid:
        """Decide; `known` says which names are remembered where that is a matter of the name, None: name is hidden."""
        decider, rng = self._decider, self._rng
        invents = known is None and decider.stable
        otherwise = of_data if decider.reads else (self._market.made_up if invents else self._drawn())
        recalled = np.broadcast_to(False, of_data.shape)
        if known is not None:
            recalled = np.broadcast_to(known, of_data.shape)
            recalled = recalled if decider.whole_names else rng.random(of_data.shape) < decider.memory
        noisy = rng.random(of_data.shape) < decider.noise
        return np.where(noisy, self._drawn(), np.where(recalled, of_name, otherwise))

    def _drawn(self) -> Grid:
        return self._rng.choice(len(ACTIONS), (self.days, self.tickers), p=self._mix)

    def _meaning(self) -> Grid:
        return np.repeat(self._drawn()[:1], self.days, axis=0) if self._decider.stable else self._drawn()


def simulated(
    decider: Decider, shape: tuple[int, int], mix: Sequence[float], rng: np.random.Generator, draws: int = DRAWS
) -> InputVerdict:
    """Return the verdict on a decider of known kind in one simulated trial; `Trial` says what is given."""
    return Trial(decider, shape, mix, rng).verdict(draws)
