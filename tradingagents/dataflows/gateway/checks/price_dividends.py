"""Adjusted against traded closes: the ratio of the two changes on ex-days only, by the dividend over the close before.

Whether the adjusted close, the close or the list of dividends is wrong cannot be told from one of them alone, so where
they disagree, returns with dividends are withheld up to that day; closes and figures of closes stay. Where the adjusted
closes are the closes, the closes themselves may be adjusted: those that are in no steps of a traded price are not used.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from tradingagents.dataflows.gateway.faults import Fault
from tradingagents.dataflows.models import Floats, Prices
from tradingagents.dataflows.reference.data_faults import reference

NEAR, NEAR_SHARE = 0.0005, 0.1
"""Tolerance of a day: a twentieth of a percent, and a tenth of what the dividend explains."""
CENT, FINER = 0.01, 0.0001
"""Rounding of both closes together, where the adjusted ones are in cents, and where they have more digits."""
LARGE_STEP = 0.05
"""A step without a listed dividend from which the closes themselves say whether the adjustment is right."""
STEPS = 1000
"""Steps of one unit of a currency in which prices of most exchanges are traded at the finest, ten to a cent."""
OFF_STEP = 0.05
"""Part of a step by which rounding may move a traded price."""


def closes_may_be_adjusted(prices: Prices, restated: float) -> bool:
    """Return whether closes under the name of traded ones may be adjusted for dividends.

    They equal the adjusted closes on every listed ex-day, and most of them, of the bars that no listed split adjusts,
    are no whole number of `STEPS`.

    Args:
        prices: One valid bar a session, sorted, and no jump in them.
        restated: What the source's closes were multiplied by to be those traded: its rounding is multiplied, too.
    """
    if len(prices) < 2 or prices.basis != "split_adjusted" or not prices.dividends:
        return False
    given, listed = _steps(prices)
    paid = np.abs(listed) > NEAR
    if not paid.any() or np.abs(given[paid]).max() > NEAR:
        return False
    split = max((one.day for one in prices.splits), default=None)
    as_traded = prices.close if split is None else prices.close[prices.days >= np.datetime64(split)]
    slack = OFF_STEP * (max(1.0, restated) if _in_whole(FINER, prices.close / restated) else 1.0)
    off = np.abs(STEPS * as_traded - np.rint(STEPS * as_traded)) > slack
    return len(off) > 0 and bool(off.mean() > 1 / 2)


def with_sound_returns(prices: Prices, restated: float, faults: list[Fault]) -> Prices:
    """Return the bars with the adjusted close emptied up to the newest day on which it contradicts the dividends.

    Args:
        prices: One valid bar a session, sorted, and no jump in them.
        restated: As of `closes_may_be_adjusted`.
        faults: Collects the days.
    """
    if len(prices) < 2:
        return prices
    given, listed = _steps(prices)
    off = given - listed
    if np.abs(off).max() <= NEAR:
        return prices
    unit = _rounding(prices.adj_close)
    unit = unit if restated == 1 else max(unit, restated * _rounding(prices.adj_close / restated))
    rounding = unit * (1 / prices.adj_close + 1 / prices.close)
    wrong = np.abs(off) > NEAR + NEAR_SHARE * np.abs(listed) + np.maximum(rounding, np.roll(rounding, 1))
    if not wrong.any():
        return prices
    places = [int(place) for place in np.flatnonzero(wrong) if not _is_unlisted(prices, int(place), given, listed)]
    if not places:
        return prices
    return _withheld(prices, places, given, listed, faults)


def _rounding(closes: Floats) -> float:
    return CENT if _in_whole(CENT, closes) else FINER


def _in_whole(unit: float, closes: Floats) -> bool:
    """Return whether closes are rounded to a unit."""
    units = closes / unit
    return bool(np.abs(units - np.rint(units)).max() < 1e-4)


def _steps(prices: Prices) -> tuple[Floats, Floats]:
    """Return the log step of the adjustment at each bar, as given and as the listed dividends say; 0 for the first."""
    close = prices.close
    given, listed, paid = (np.zeros(len(prices)) for _ in range(3))
    given[1:] = np.diff(np.log(prices.adj_close / close))
    dividends = prices.dividends if prices.basis == "split_adjusted" else ()  # else the closes contain them
    places = np.searchsorted(prices.days, np.array([dividend.day for dividend in dividends], "datetime64[D]"))
    for at, dividend in zip(places.tolist(), dividends, strict=True):
        if 0 < at < len(prices):
            paid[at] += dividend.amount
    listed[1:] = -np.log1p(-np.minimum(paid[1:] / close[:-1], 0.999))
    return given, listed


def _is_unlisted(prices: Prices, index: int, given: Floats, listed: Floats) -> bool:
    """Return whether a step is that of a dividend or spin-off which the source knows and need not list.

    A source may list no dividends, or those of the last years only. A large step is right if the close fell by it.
    """
    if listed[index] or prices.basis != "split_adjusted":
        return False
    if abs(given[index]) >= LARGE_STEP:
        moved = np.log(prices.adj_close[index] / prices.adj_close[index - 1])
        return bool(given[index] > 0 and abs(moved) < abs(given[index]) / 2)
    first = min((dividend.day for dividend in prices.dividends), default=None)
    return given[index] > 0 and (first is None or prices.days[index].item() < first)


def _withheld(prices: Prices, places: list[int], given: Floats, listed: Floats, faults: list[Fault]) -> Prices:
    newest = prices.days[places[-1]].item()
    done = f"returns with dividends before {newest} are withheld"
    found = [
        Fault(
            prices.symbol,
            prices.days[place].item(),
            _words(place, given, listed),
            done,
            None,
            "dividends-disagree",
            True,
        )
        for place in places
    ]
    faults += found
    note = (
        f"Returns of {prices.symbol} that reach back before {newest} are withheld, for they include dividends: "
        f"{found[-1].text()} ({reference('dividends-disagree')})."
    )
    adjusted = prices.adj_close.copy()
    adjusted[: places[-1]] = np.nan
    return replace(prices, adj_close=adjusted, gate_notes=(*prices.gate_notes, note))


def _words(index: int, given: Floats, listed: Floats) -> str:
    """Return how the two disagree on a day, in percent of the close before."""
    seen, said = (100 * (1 - float(np.exp(-one[index]))) for one in (given, listed))
    wanted = f"the listed dividend is {said:.2f} % of the close before" if listed[index] else "no dividend is listed"
    return f"the adjusted close takes off {seen:.2f} %, and {wanted}"
