"""Sequential test of repeated answers: would a model that is asked the same again give the same action?

Hypotheses, for the action given most often, of share p in all answers that the model would ever give:

- settled: p is at least `SETTLED_SHARE` (the answer flips in 5 of 100 asks or fewer);
- unsettled: p is at most `UNSETTLED_SHARE` (no action has a majority).

After n asks, k of which gave an action, its evidence is Wald's log-likelihood ratio of the two shares,

    k ln(SETTLED_SHARE / UNSETTLED_SHARE) + (n - k) ln((1 - SETTLED_SHARE) / (1 - UNSETTLED_SHARE)),

and the asks end as settled once it reaches ln(2 / FALSE_SETTLED) for an action, as unsettled once it is at or below
ln(UNSETTLED_RATIO) for every action. The likelihood ratio is a martingale of mean 1 under the share it is divided by,
so that it exceeds 1/e at any time with a chance of at most e (Ville); the 2 is for the two actions that may each have
half of the answers. Between the shares, either end is right.

Sources: A. Wald, Sequential Tests of Statistical Hypotheses, Annals of Mathematical Statistics 16 (1945), 117-186;
J. Ville, Étude critique de la notion de collectif (1939). Exact errors and asks: `benchmarks/settling.py`.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Literal

SETTLED_SHARE = 0.95
UNSETTLED_SHARE = 0.5
FALSE_SETTLED = 0.05
"""Most often that a run is called settled although an agent's answers are not.

A trading run is settled if each of its three deciding agents is. That needs no correction of this error (an
intersection-union test, R. L. Berger 1982), while one false alarm of three unsettles a run: settled agents are called
unsettled in 1.5 of 100 cases (2 are allowed, `benchmarks/settling.py`), and runs of three of them in 5 at most.
"""
UNSETTLED_RATIO = 0.03
"""Likelihood ratio of settled against unsettled at which asks end as unsettled.

Wald's limit would be that error, 0.02, and keeps that error however far the ratio falls below it. Here a differing
answer divides the ratio by ten, so that asks end far below any limit, and Wald's makes for needless ones: at 0.03, 5
against 3 answers end them as well. By enumeration, settled agents are then called unsettled in 1.3 of 100 cases (two
actions) and 1.5 (three), still below 2, and answers scattered over three actions take 1.28 times the fewest asks of
any test with the stated errors, where Wald's limit takes 1.32 times. At 0.04, 2 against 2 would end them: 2.3."""
ANSWERS = 4
"""Different answers that there are: BUY, SELL, HOLD, and none that can be used."""
_AGREES = math.log(SETTLED_SHARE / UNSETTLED_SHARE)
_DIFFERS = math.log((1 - SETTLED_SHARE) / (1 - UNSETTLED_SHARE))
_UPPER = math.log(2 / FALSE_SETTLED)
_LOWER = math.log(UNSETTLED_RATIO)
LEAST_ASKS = math.ceil(_UPPER / _AGREES)
"""Asks that settle an action where all give it."""
LEAST_UNSETTLED = 3
"""Asks that unsettle where no two give the same."""

SettlingVerdict = Literal["settled", "unsettled"]


def evidence(answers: int, asked: int) -> float:
    """Return the log-likelihood ratio of settled against unsettled for one action.

    Args:
        answers: Asks that gave the action.
        asked: All asks.
    """
    return answers * _AGREES + (asked - answers) * _DIFFERS


def settling_verdict(counts: Mapping[str, int], most: int) -> SettlingVerdict | None:
    """Return how the asks have ended; None while they go on.

    Args:
        counts: Asks by the action that they gave.
        most: Maximum number of asks. They end earlier where no further answers could settle an action within it.
    """
    return _verdict(max(counts.values(), default=0), sum(counts.values()), most)


def further_asks(counts: Mapping[str, int], most: int) -> int:
    """Return the least number of further asks after which they can end; 0 where they have ended.

    So many can be made at once without one that proves needless.

    Args:
        counts: Asks by the action that they gave.
        most: Maximum number of asks.
    """
    lead, asked = max(counts.values(), default=0), sum(counts.values())
    further = 0
    while True:
        scattered = max(lead, math.ceil((asked + further) / ANSWERS))
        if _verdict(lead + further, asked + further, most) or _verdict(scattered, asked + further, most):
            return further
        further += 1


def _verdict(lead: int, asked: int, most: int) -> SettlingVerdict | None:
    """Return how asks have ended of which `lead` gave the most frequent action."""
    if evidence(lead, asked) >= _UPPER:
        return "settled"
    if not asked:
        return None
    out_of_reach = evidence(lead + most - asked, most) < _UPPER
    return "unsettled" if evidence(lead, asked) <= _LOWER or out_of_reach else None
