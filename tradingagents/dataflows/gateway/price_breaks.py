"""Breaks of a price series: jumps between neighbouring closes that no listed action explains, and their way back.

A split that was not applied, a change of unit (pounds, pence) and another company's bars look like moves of the market.
They are told from true moves by what is traded: a split or a change of unit leaves the money traded as it was, while of
540 recorded US symbols (2022 to 2025) every one-day move by 3:2 came with at least 4.4 times the usual money. A jump
whose cause cannot be told is a break too. The gate, `data check`, imports and backtests all ask `price_breaks`.
"""

from __future__ import annotations

import numpy as np

from tradingagents.dataflows.gateway.share_jumps import NEAR_PRICE, usual_ratio
from tradingagents.dataflows.models import Floats, PriceBreak, Prices

LARGE = 3.0
"""From this ratio on, a jump is a break unless it was traded like news."""
SMALLEST_SPLIT = 1.5
"""3 for 2: the moves of smaller splits (4:3, 5:4) are common ones of the market, so they are not looked for."""
TRADED_LIKE_NEWS = 3.0
"""Money traded, in multiples of the usual, from which a jump near a split's ratio below `LARGE` is a move."""
SHARES_LIKE_NEWS = 10.0
"""Shares traded, in multiples of the usual, from which a larger jump near no split's ratio is a move."""
USUAL_SESSIONS, LEAST_SESSIONS = 20, 5
"""The usual volume is the median of so many sessions before; of fewer than the least, it is not known."""
LISTED_NEAR = 0.1
"""Tolerance around a listed split's ratio: the day's own move comes on top."""
UNITS = (100.0, 1000.0)
UNIT_NEAR = 0.1
"""Tolerance around the ratio of two units of one currency."""
LONGEST_STRETCH = 60
"""Sessions within which the way back from a wrong level is looked for."""
BACK_NEAR = 1.5
"""How far the level after a wrong stretch may differ from the one before it, as a ratio."""
SETTLED = 20
"""Sessions after which a new level counts as the true one; a change of unit never settles."""


def price_breaks(prices: Prices) -> tuple[PriceBreak, ...]:
    """Return the breaks of a series that is adjusted for its listed splits, oldest first.

    A break and its way back are one. Days that are known only later are not looked at, so the answer for a day is
    that of the bars up to it.

    Args:
        prices: Bars above zero, one per session, oldest first.
    """
    found: list[PriceBreak] = []
    jumps = _jumps(prices.close)
    last = -1
    for position, index in enumerate(jumps):
        if index <= last or (cause := _cause(prices, index)) is None:
            continue
        back = next((later for later in jumps[position + 1 :] if _is_back(prices.close, index, later)), None)
        last = index if back is None else back
        found.append(_break(prices, index, back, cause))
    return tuple(found)


def in_doubt(newest: PriceBreak, prices: Prices) -> bool:
    """Return whether the level since the newest break may itself be the wrong one."""
    if newest.until is not None:
        return False
    return newest.changes_unit or int((prices.days > np.datetime64(newest.day)).sum()) < SETTLED


def is_share(prices: Prices) -> bool:
    """Return whether a series may have splits: shares and funds do, indices, currencies, coins and futures do not."""
    symbol = prices.symbol
    return prices.basis != "index" and not (symbol[:1] == "^" or "=" in symbol or symbol.endswith(("-USD", "-EUR")))


def _jumps(close: Floats) -> list[int]:
    """Return the bars whose close may break with the one before."""
    before, after = close[:-1], close[1:]
    with np.errstate(divide="ignore", invalid="ignore"):
        size = np.maximum(after / before, before / after)
    size[~np.isfinite(size)] = 1.0  # closes that are no prices are judged elsewhere
    found: list[int] = (np.flatnonzero(size >= SMALLEST_SPLIT * (1 - LISTED_NEAR)) + 1).tolist()
    return found


def _cause(prices: Prices, index: int) -> str | None:
    """Return what a jump looks like; None if it is explained."""
    before, after = float(prices.close[index - 1]), float(prices.close[index])
    if (listed := _listed_split(prices, index)) is not None:
        return listed
    day = prices.days[index].item()
    paid = sum(one.amount for one in prices.dividends if one.day == day)
    if 0 < paid < before:
        before -= paid  # a special dividend is a listed action
    change = before / after
    size = max(change, 1 / change)
    ratio = usual_ratio(change, near=NEAR_PRICE) if is_share(prices) else None
    split = None if ratio is None else f"like a {_words(ratio)} split that is not listed"
    if size < LARGE and (split is None or size < LARGE * (1 - NEAR_PRICE)):
        money = _of_usual(prices.close * prices.volume, index) if split else None
        return split if money is not None and money < TRADED_LIKE_NEWS else None
    unit = next((one for one in UNITS if abs(size / one - 1) <= UNIT_NEAR), None)
    if unit is not None:
        return f"{_UNIT} by {unit:,.0f}"
    shares = _of_usual(prices.volume, index)
    if split is None and shares is not None and shares >= SHARES_LIKE_NEWS:
        return None
    return split or "without an action or the trading that news brings: it cannot be told from an error"


_UNIT = "like a change of the unit"


def _listed_split(prices: Prices, index: int) -> str | None:
    """Return how a split of the jump's day is at fault: prices that are adjusted once do not jump at it."""
    change = float(prices.close[index - 1] / prices.close[index])
    before, day = prices.days[index - 1].item(), prices.days[index].item()
    for split in prices.splits:
        if not before < split.day <= day or max(split.ratio, 1 / split.ratio) < SMALLEST_SPLIT:
            continue
        for seen, fault in ((split.ratio, "not applied"), (1 / split.ratio, "applied twice")):
            if abs(change / seen - 1) < LISTED_NEAR:
                return f"the listed {_words(split.ratio)} split is {fault}"
    return None


def _is_back(close: Floats, index: int, later: int) -> bool:
    if later - index > LONGEST_STRETCH:
        return False
    level, wrong, after = float(close[index - 1]), float(close[later - 1]), float(close[later])
    near = max(after / level, level / after) <= BACK_NEAR
    return near and max(wrong / level, level / wrong) > BACK_NEAR * (1 - NEAR_PRICE)


def _of_usual(traded: Floats, index: int) -> float | None:
    """Return a session's trade over the median of those before; None where that is not known."""
    usual = traded[max(0, index - USUAL_SESSIONS) : index]
    usual = usual[np.isfinite(usual) & (usual > 0)]
    if len(usual) < LEAST_SESSIONS or not traded[index] > 0:
        return None
    return float(traded[index] / np.median(usual))


def _break(prices: Prices, index: int, back: int | None, cause: str) -> PriceBreak:
    days, close = prices.days, prices.close
    return PriceBreak(
        before=days[index - 1].item(),
        day=days[index].item(),
        close_before=float(close[index - 1]),
        close=float(close[index]),
        until=None if back is None else days[back].item(),
        close_after=None if back is None else float(close[back]),
        cause=cause,
        changes_unit=cause.startswith(_UNIT),
    )


def _words(ratio: float) -> str:
    if ratio in (1.5, 1 / 1.5):
        return "3 for 2" if ratio > 1 else "2 for 3"
    return f"{ratio:g} for 1" if ratio > 1 else f"1 for {1 / ratio:g}"
