"""Errors and asks of the sequential test behind the setting `settle`, against the best test that there could be.

`python -m benchmarks.settling [RUNS] [SEED]` (2,000 runs a row) prints the table of docs/guides/settling.md: by the
share of the action given most often, how often a model is called settled, the mean number of asks, exactly and as
simulated, and the fewest asks of any sequential test with the same errors.

The best test is found by dynamic programming over the counts of answers: the mean of asks at a share is minimised
subject to both errors, by Lagrange multipliers. What their dual function gives is a lower bound whatever the
multipliers, reached by a test that decides by lot in some states; so a ratio to it is never too small.
"""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence
from functools import cache
from itertools import permutations

import numpy as np
from scipy.optimize import minimize

from tradingagents.analytics.decisions.settling import (
    FALSE_SETTLED,
    SETTLED_SHARE,
    UNSETTLED_SHARE,
    further_asks,
    settling_verdict,
)
from tradingagents.settings import Settings

ACTIONS = ("BUY", "SELL", "HOLD")
MOST: int = Settings.model_fields["settle_max_asks"].default
Shares = tuple[float, float, float]
CLEAR: tuple[Shares, Shares] = ((0.95, 0.05, 0.0), (0.95, 0.025, 0.025))
"""Models that a test has to call settled."""
FLAT: Shares = (0.5, 0.5, 0.0)
"""The model that is most easily called so and must not."""
FALSE_UNSETTLED = 0.02
"""Most often that an agent is called unsettled although its answers are settled, apart from the end at a maximum."""
ALLOWED = (FALSE_SETTLED, (FALSE_UNSETTLED, FALSE_UNSETTLED))
"""The errors that are stated, at `FLAT` and at each of `CLEAR`."""
ROWS: Mapping[str, Shares] = {
    "1.00": (1.0, 0.0, 0.0),
    "0.98": (0.98, 0.02, 0.0),
    "0.95": (SETTLED_SHARE, 1 - SETTLED_SHARE, 0.0),
    "0.90": (0.9, 0.1, 0.0),
    "0.80": (0.8, 0.2, 0.0),
    "0.70": (0.7, 0.3, 0.0),
    "0.60": (0.6, 0.4, 0.0),
    "0.50": (UNSETTLED_SHARE, 1 - UNSETTLED_SHARE, 0.0),
    "0.50, three": (0.5, 0.25, 0.25),
    "0.40": (0.4, 0.3, 0.3),
}


def exact(shares: Sequence[float], most: int = MOST) -> tuple[list[float], float]:
    """Return the chance that each action is settled, and the mean number of asks, by enumeration of all counts.

    Args:
        shares: Of the actions among the answers.
        most: Maximum number of asks.
    """
    settled, asks = [0.0] * len(shares), 0.0
    live: dict[tuple[int, ...], float] = {(0,) * len(shares): 1.0}
    while live:
        asks += sum(live.values())
        reached: dict[tuple[int, ...], float] = {}
        for counts, chance in live.items():
            for place, share in enumerate(shares):
                if share:
                    more = (*counts[:place], counts[place] + 1, *counts[place + 1 :])
                    reached[more] = reached.get(more, 0.0) + chance * share
        live = {}
        for counts, chance in reached.items():
            verdict = settling_verdict(dict(enumerate(counts)), most)  # type: ignore[arg-type]  # only counts matter
            if verdict is None:
                live[counts] = chance
            elif verdict == "settled":
                settled[max(range(len(shares)), key=counts.__getitem__)] += chance
    return settled, asks


def simulated(shares: Sequence[float], runs: int, seed: int, most: int = MOST) -> tuple[float, float, float]:
    """Return the share of runs called settled, and the mean numbers of asks and of rounds of asks at once."""
    random = np.random.default_rng(seed)
    settled = asks = rounds = 0
    for _ in range(runs):
        counts = dict.fromkeys(ACTIONS, 0)
        further = 1  # the first alone: it fills the provider's cache for the others
        while further:
            rounds += 1
            for action in random.choice(ACTIONS, size=further, p=shares):
                counts[action] += 1
            further = further_asks(counts, most)
        asks += sum(counts.values())
        settled += settling_verdict(counts, most) == "settled"
    return settled / runs, asks / runs, rounds / runs


def errors(most: int = MOST) -> tuple[float, tuple[float, ...]]:
    """Return the exact errors of the test: how often it settles `FLAT`, and does not settle each of `CLEAR`."""
    return sum(exact(FLAT, most)[0]), tuple(1 - exact(clear, most)[0][0] for clear in CLEAR)


def fewest_asks(shares: Shares, most: int, false_settled: float, false_unsettled: Sequence[float]) -> float:
    """Return a lower bound of the mean number of asks at these shares of any sequential test with these errors.

    Args:
        shares: At which asks are counted, in any order of the actions.
        most: Maximum number of asks of the test.
        false_settled: Largest chance to call `FLAT` settled, in the mean over the orders of the actions.
        false_unsettled: Largest chance not to settle the right action, likewise, for each of `CLEAR`.
    """

    def below(logs: Sequence[float]) -> float:
        return -bound(shares, most, false_settled, false_unsettled, logs)

    starts = ((3.0, 3.0, 2.0), (4.5, 4.0, 3.0), (5.5, 5.5, 4.0), (5.0, 2.0, 4.0))
    found = [minimize(below, start, method="Nelder-Mead", options={"xatol": 1e-3, "fatol": 1e-4}) for start in starts]
    return -min(float(one.fun) for one in found)


def bound(
    shares: Shares, most: int, false_settled: float, false_unsettled: Sequence[float], logs: Sequence[float]
) -> float:
    """Return the dual function: a lower bound as of `fewest_asks`, whatever the multipliers.

    Args:
        shares: As of `fewest_asks`.
        most: As of `fewest_asks`.
        false_settled: As of `fewest_asks`.
        false_unsettled: As of `fewest_asks`.
        logs: Of the multipliers: of the error at `FLAT`, then of those at each of `CLEAR`.
    """
    settling, *unsettling = map(float, np.exp(np.clip(logs, -9.0, 12.0)))
    least = _least_cost(shares, most, settling, unsettling)
    return least - settling * false_settled - float(np.dot(unsettling, false_unsettled))


def _least_cost(shares: Shares, most: int, settling: float, unsettling: Sequence[float]) -> float:
    """Return the least mean of asks plus both errors at their prices, over all tests of at most `most` asks."""
    values: dict[tuple[int, ...], float] = {}
    for asked in range(most, -1, -1):
        reached = values
        values = {}
        for counts in _partitions(asked):
            parts = [_weights(clear, counts) for clear in CLEAR]
            missed = sum(price * whole for price, (_, whole) in zip(unsettling, parts, strict=True))
            wrong = sum(price * (whole - right) for price, (right, whole) in zip(unsettling, parts, strict=True))
            stop = min(settling * _weights(FLAT, counts)[1] + wrong, missed)
            if asked == most:
                values[counts] = stop
                continue
            more = sum(
                reached[_ordered((*counts[:place], counts[place] + 1, *counts[place + 1 :]))] for place in range(3)
            )
            go_on = _weights(shares, counts)[1] + more
            values[counts] = min(stop, go_on) if asked else go_on
    return values[0, 0, 0]


@cache
def _partitions(total: int) -> list[tuple[int, int, int]]:
    return [(a, b, total - a - b) for a in range(total + 1) for b in range(a + 1) if 0 <= total - a - b <= b]


@cache
def _ordered(counts: tuple[int, ...]) -> tuple[int, ...]:
    return tuple(sorted(counts, reverse=True))


@cache
def _weights(shares: Shares, counts: tuple[int, ...]) -> tuple[float, float]:
    """Return the chance of one sequence with these counts, in the mean over the orders of the shares.

    The first number is the part of the orders in which the first action has the largest share.
    """
    orders = list(permutations(shares))
    chances = [float(np.prod(np.power(order, counts))) for order in orders]
    right = sum(chance for order, chance in zip(orders, chances, strict=True) if order[0] == max(shares))
    return right / len(orders), sum(chances) / len(orders)


def main(runs: int = 2_000, seed: int = 1_000) -> None:
    """Print the table; the last ratio is to the best test that uses up the errors which are allowed."""
    own, allowed = errors(), ALLOWED
    print(f"errors: {own[0]:.4f} settled of {FLAT}, {own[1]} not settled of {CLEAR}")
    print("| share | settled, exact | settled, simulated | asks | rounds | fewest asks of any test | ratio | allowed |")
    print("|---|---|---|---|---|---|---|---|")
    for number, (name, shares) in enumerate(ROWS.items()):
        settled, asks = exact(shares)
        often, simulated_asks, rounds = simulated(shares, runs, seed + number)
        best, loosest = (fewest_asks(shares, MOST, *limits) for limits in (own, allowed))
        print(
            f"| {name} | {sum(settled):.1%} | {often:.1%} | {asks:.2f} ({simulated_asks:.2f}) | {rounds:.1f} "
            f"| {best:.2f} | {asks / best:.2f} | {asks / loosest:.2f} |",
            flush=True,
        )


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
