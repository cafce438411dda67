"""The unit of the volume: shares, not lots of a hundred or thousands.

A change of the unit is a hundred- or thousand-fold step of the volume at unchanged prices. In 540 recorded US symbols
(2022 to 2025) no session of a share that is traded much had more than 50 times, or less than a fiftieth, of the usual.
"""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np

from tradingagents.dataflows.gateway.faults import Fault
from tradingagents.dataflows.models import Floats, Prices
from tradingagents.dataflows.reference.data_faults import reference

POWERS, NEAR, NEAR_HUNDREDFOLD = (2, 3), 2.5, 1.8
"""Powers of ten that are looked for, and the ratio by which the session's own trade may differ from the usual one; the
closer one for a hundred times the usual, for a session of a share's own may have fifty times."""
STEP = 12.0
"""Smallest ratio of neighbouring volumes that is looked at."""
MUCH = 100_000.0
"""Shares a session from which a share is traded much: below, a hundred-fold step may be a true one."""
QUIET = math.log(1.5)
USUAL, LEAST = 20, 3
SETTLED = 5
"""Sessions from a step on whose median shows the unit whatever the first of them traded: a day of options' expiry has
several times the usual."""


def with_sound_volumes(prices: Prices, faults: list[Fault]) -> Prices:
    """Return the bars with the volume emptied where its unit differs from that of the newest bars, or is not known.

    Args:
        prices: One valid bar a session, sorted.
        faults: Collects the steps.
    """
    steps = _steps(prices)
    if not steps:
        return prices
    net = sum(sign for _, sign in steps)
    back = abs(net) < 0.5
    newest = prices.days[steps[-1][0]].item()
    done = (
        f"volumes before {newest} are withheld"
        if back
        else "volumes are withheld, for which unit is right is not known"
    )
    found = [
        Fault(prices.symbol, prices.days[at].item(), _words(power), done, None, "volume-unit", True)
        for at, power in steps
    ]
    faults += found
    volume = prices.volume.copy()
    volume[: steps[-1][0] if back else len(volume)] = np.nan
    which = f"Volumes of {prices.symbol} before {newest} are" if back else f"The volumes of {prices.symbol} are"
    note = f"{which} withheld: {found[-1].text()} ({reference('volume-unit')})."
    return replace(prices, volume=volume, gate_notes=(*prices.gate_notes, note))


def _steps(prices: Prices) -> list[tuple[int, float]]:
    """Return the bars at which the unit of the volume changes, with the power of ten of the change."""
    volume, close = prices.volume, prices.close
    if len(prices) < LEAST + 1:
        return []
    before, after = np.maximum(volume[:-1], 1e-9), np.maximum(volume[1:], 1e-9)
    ratio = after / before
    apart = (ratio >= STEP) | (ratio <= 1 / STEP)
    if not apart.any():
        return []
    quiet = np.abs(np.log(close[1:] / close[:-1])) < QUIET
    traded = (volume[1:] > 0) & (volume[:-1] > 0)
    found: list[tuple[int, float]] = []
    for index in (np.flatnonzero(apart & quiet & traded) + 1).tolist():
        if (power := _power(volume, index, found)) is not None:
            found.append((index, power))
    return _without_halts(found)


def _without_halts(steps: list[tuple[int, float]]) -> list[tuple[int, float]]:
    """Return the steps without those down and up again from one session to the next: a day that trading was halted."""
    found: list[tuple[int, float]] = []
    for index, power in steps:
        if found and power > 0 and found[-1] == (index - 1, -power):
            found.pop()
        else:
            found.append((index, power))
    return found


def _power(volume: Floats, index: int, before: list[tuple[int, float]]) -> float | None:
    """Return the power of ten by which the volume steps at a bar; None if it is none of a unit.

    Args:
        before: The steps before it; volumes are not compared across the last.
    """
    usual = volume[max(before[-1][0] if before else 0, index - USUAL) : index]
    usual = usual[usual > 0]
    if not len(usual):
        return None
    level = float(np.median(usual))
    following = volume[index : index + USUAL]
    following = following[following > 0]
    change = float(volume[index]) / level
    if len(usual) < LEAST:  # a stretch at the beginning, or of one or two bars
        change = float(np.median(following)) / level if len(following) >= LEAST else change
    if max(level, float(volume[index])) < MUCH:
        return None
    since = float(np.median(following[:SETTLED])) / level if len(following) >= SETTLED else 1.0
    settled = next((one for one in (-3, -2, 2, 3) if abs(math.log(since) - one * math.log(10)) <= math.log(NEAR)), None)
    if settled is not None and math.log(change) * settled > 0:
        return float(settled)
    power = round(math.log10(change))
    lasts = len(following) >= LEAST and 1 / NEAR <= float(np.median(following[:LEAST])) / level / 10.0**power <= NEAR
    near = NEAR_HUNDREDFOLD if power == min(POWERS) and not (before or lasts) else NEAR
    return float(power) if abs(power) in POWERS and 1 / near <= change / 10.0**power <= near else None


def _words(power: float) -> str:
    unit = f"{10 ** abs(power):,.0f}"
    way = f"{unit} times" if power > 0 else f"a {unit}th of"
    return f"the volume is about {way} the usual at an unchanged price, like another unit than shares"
