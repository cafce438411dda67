"""Breaks of a price series: jumps between neighbouring closes that no listed action explains, and their way back.

A split that was not applied, a change of unit (pounds, pence) and another company's bars look like moves of the market.
They are told from true moves by what is traded: a split or a change of unit leaves the money traded as it was, while of
540 recorded US symbols (2022 to 2025) every one-day move by 3:2 came with at least 4.4 times the usual money, and every
one by 5:4 with at least 1.9 times. A listed split says by itself what the closes must not do, so a jump by its ratio is
a break whatever is traded. A jump whose cause cannot be told is a break too. The gate, `data check`, imports and
backtests all ask `price_breaks`.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property
from statistics import median

import numpy as np

from tradingagents.dataflows.gateway.checks.share_jumps import NEAR_PRICE, usual_ratio
from tradingagents.dataflows.models import Floats, PriceBreak, Prices, Split
from tradingagents.dataflows.reference.calendar import exchange_of
from tradingagents.dataflows.reference.data_faults import FaultKind

LARGE = 3.0
"""From this ratio on, a jump is a break unless it was traded like news."""
SMALLEST_SPLIT = 1.5
"""3 for 2: smaller splits (4:3, 5:4) that are not listed are looked for among quiet moves only."""
TRADED_LIKE_NEWS = 3.0
"""Money traded, in multiples of the usual, from which a jump near a split's ratio below `LARGE` is a move."""
SHARES_LIKE_NEWS = 10.0
"""Shares traded, in multiples of the usual, from which a larger jump near no split's ratio is a move."""
USUAL_SESSIONS, LEAST_SESSIONS = 20, 5
"""The usual volume is the median of so many sessions before; of fewer than the least, that of the sessions after."""
LEAST_SHARES = 1000.0
"""Usual shares a session below which the trading of one session tells nothing about a quiet move."""
LISTED_NEAR = 0.25
"""Most by which the day's own move may hide a listed split's ratio, as a log; at most half the ratio."""
LISTED_OFF, LARGE_ENOUGH_OFF = 2, 0.18
"""Sessions by which the list may miss the day, and the smallest log ratio that is looked for there."""
UNITS = (100.0, 1000.0)
UNIT_NEAR = 0.1
"""Tolerance around the ratio of two units of one currency."""
LONGEST_STRETCH = 60
"""Sessions within which the way back from a wrong level is looked for."""
BACK_NEAR = 1.5
"""How far the level after a wrong stretch may differ from the one before it, as a ratio; at most by half the jump."""
SETTLED = 20
"""Sessions after which the level since an unlisted split counts as the true one. Of a change of unit, and of a jump
whose cause is not known, either level may be the wrong one, and neither ever settles."""
QUIET_SPREADS = 6.0
"""Fewest usual daily changes of a quiet move: a share that moves so far every month tells nothing."""
QUIET: tuple[tuple[float, float], ...] = ((0.35, 3.0), (0.25, 1.8), (0.2, 1.5))
"""Smallest log change of a quiet move, and shares or money traded, in multiples of the usual, from which it is none."""
FAR, FAR_SPREADS, FAR_TRADED = 0.25, 10.0, 2.2
"""The same for a move of so many usual daily changes: of all such moves recorded the least traded one came with 3.6
times the usual, and another currency makes the price move without trading (CAD 1.36)."""
THERE_AND_BACK, QUIET_SHARES, QUIET_END = 0.1, 1.4, 2.0
"""Smallest log change of a stretch in another currency, and most shares traded at its ends: the geometric mean of both,
and each, in multiples of the usual."""
LIMITED = frozenset(("XTKS", "XSHG", "XKRX", "XTAI", "XBOM", "XIDX", "XBKK", "XKLS", "XIST", "XSAU"))
"""Exchanges with a daily price limit, at which a share moves far with hardly any trading: a quiet move says nothing."""
SPREAD_SESSIONS = 60
_LISTED: tuple[FaultKind, ...] = ("split-not-applied", "split-applied-twice")
"""Kinds after which the level is the traded one: the list of splits says so."""


def price_breaks(prices: Prices) -> tuple[PriceBreak, ...]:
    """Return the breaks of a series that is adjusted for its listed splits, oldest first.

    A break and its way back are one. Days that are known only later are not looked at, so the answer for a day is
    that of the bars up to it.

    Args:
        prices: Bars above zero, one per session, oldest first.
    """
    series = _Series(prices)
    found: list[PriceBreak] = []
    last = -1
    for index in series.candidates():
        if index <= last or (cause := series.cause(index)) is None:
            continue
        back = series.way_back(index) if cause.back is None else cause.back
        last = index if back is None else back
        found.append(series.break_at(index, back, cause))
    return tuple(found)


def in_doubt(newest: PriceBreak, prices: Prices) -> bool:
    """Return whether the level since the newest break may itself be the wrong one."""
    if newest.until is not None or not newest.is_jump or newest.kind in _LISTED:
        return False
    return not settles(newest) or int((prices.days > np.datetime64(newest.day)).sum()) < SETTLED


def settles(found: PriceBreak) -> bool:
    """Return whether the level since a break counts as the true one after `SETTLED` sessions.

    That since a small split does not, for it cannot be told from a change of the currency.
    """
    size = max(found.close / found.close_before, found.close_before / found.close)
    return found.kind == "split-not-listed" and size >= SMALLEST_SPLIT * (1 - NEAR_PRICE)


def is_share(prices: Prices) -> bool:
    """Return whether a series may have splits: shares and funds do, indices, currencies, coins and futures do not."""
    symbol = prices.symbol
    return prices.basis != "index" and not (symbol[:1] == "^" or "=" in symbol or symbol.endswith(("-USD", "-EUR")))


@dataclass(frozen=True, slots=True)
class _Cause:
    kind: FaultKind
    words: str
    """What the jump looks like, to end a sentence."""
    back: int | None = None
    """The bar of the way back, where it is part of the cause."""


@dataclass(frozen=True)
class _Series:
    """Closes of one symbol, and what each jump of them looks like."""

    prices: Prices

    @cached_property
    def changes(self) -> Floats:
        """Log change of each close from the one before; 0 for the first, and where a close is no price."""
        with np.errstate(divide="ignore", invalid="ignore"):
            found = np.diff(np.log(self.prices.close), prepend=np.nan)
        found[~np.isfinite(found)] = 0.0  # closes that are no prices are judged elsewhere
        return found

    @cached_property
    def shared(self) -> bool:
        return is_share(self.prices)

    @cached_property
    def quiet_counts(self) -> bool:
        """Whether a move without trading points to an error: of a share without a daily limit."""
        return self.shared and exchange_of(self.prices.symbol) not in LIMITED

    @cached_property
    def large(self) -> list[int]:
        """Bars after a change that may be a break by itself, or the end of a stretch."""
        least = THERE_AND_BACK if self.shared else math.log(SMALLEST_SPLIT * (1 - NEAR_PRICE))
        found: list[int] = np.flatnonzero(np.abs(self.changes) >= least).tolist()
        return found

    @cached_property
    def split_days(self) -> dict[int, list[Split]]:
        """Listed splits by the bar of their day, or the next one; a split before the second bar changes nothing."""
        found: dict[int, list[Split]] = {}
        for split in self.prices.splits:
            at = int(np.searchsorted(self.prices.days, np.datetime64(split.day)))
            if split.ratio != 1 and 0 < at < len(self.prices) + LISTED_OFF:
                found.setdefault(at, []).append(split)
        return found

    def candidates(self) -> list[int]:
        """Return the bars that may break with the one before, oldest first."""
        return sorted({*self.large, *(at for at in self.split_days if at < len(self.prices))})

    def cause(self, index: int) -> _Cause | None:
        """Return what a jump looks like; None if it is explained."""
        if (listed := self._listed(index)) is not None:
            return listed
        change = self._unexplained(index)
        size = max(change, 1 / change)
        if size < SMALLEST_SPLIT * (1 - NEAR_PRICE):
            return self._quiet(index, change)
        ratio = usual_ratio(change, near=NEAR_PRICE) if self.shared else None
        split = None if ratio is None else _unlisted(ratio)
        if split is not None and self._shares_stay(index, change):
            split = _Cause("unit-change", _ONE_CURRENCY)
        if size < LARGE and (split is None or size < LARGE * (1 - NEAR_PRICE)):
            money = self._of_usual(self.prices.close * self.prices.volume, index) if split else None
            return split if money is not None and money < TRADED_LIKE_NEWS else self._quiet(index, change)
        unit = next((step for step in UNITS if abs(size / step - 1) <= UNIT_NEAR), None)
        if unit is not None:
            return _Cause("unit-change", f"like a change of the unit by {unit:,.0f}")
        shares = self._of_usual(self.prices.volume, index)
        money = self._of_usual(self.prices.close * self.prices.volume, index)
        if split is None and shares is not None and shares >= SHARES_LIKE_NEWS and (money or 0.0) >= QUIET[-1][1]:
            return None
        return split or _UNKNOWN

    def way_back(self, index: int) -> int | None:
        """Return the bar at which the closes are back at the level before a jump; None if they are not."""
        return next((later for later in self.large if later > index and self._is_back(index, later)), None)

    def break_at(self, index: int, back: int | None, cause: _Cause) -> PriceBreak:
        """Return the break between a bar and the one before."""
        days, close = self.prices.days, self.prices.close
        return PriceBreak(
            kind=cause.kind,
            before=days[index - 1].item(),
            day=days[index].item(),
            close_before=float(close[index - 1]),
            close=float(close[index]),
            until=None if back is None else days[back].item(),
            close_after=None if back is None else float(close[back]),
            cause=cause.words,
        )

    def _unexplained(self, index: int) -> float:
        """Return the close before over the close, without what a listed dividend explains."""
        before, after = float(self.prices.close[index - 1]), float(self.prices.close[index])
        day = self.prices.days[index].item()
        paid = sum(dividend.amount for dividend in self.prices.dividends if dividend.day == day)
        return (before - paid if 0 < paid < before else before) / after  # a special dividend is a listed action

    def _listed(self, index: int) -> _Cause | None:
        """Return how a split listed for a bar, or for one near it, is at fault.

        Closes that are adjusted once do not jump at a split. A small split is distinguished from the day's move:
        both the open and the close are nearer to the ratio than to no change.
        """
        for off in (0, 1, -1, 2, -2):
            found = self.split_days.get(index + off)
            if found is None or (off and index in self.split_days):
                continue
            ratios = {split.ratio for split in found} | {math.prod(split.ratio for split in found)}
            for ratio in sorted(ratios, key=lambda one: -abs(math.log(one))):
                if (cause := self._at_fault(index, ratio, found[0], off)) is not None:
                    return cause
        return None

    def _at_fault(self, index: int, ratio: float, split: Split, off: int) -> _Cause | None:
        size = abs(math.log(ratio))
        if size < (LARGE_ENOUGH_OFF if off else 2 * self._spread(index)):
            return None
        near = min(LISTED_NEAR, size / 4 if off else size / 2)
        fell, before, first = -self.changes[index], self.prices.close[index - 1], self.prices.open[index]
        opened = math.log(before / first) if first > 0 else fell
        listed = f"the listed {_words(ratio)} split" + (f" of {split.day}" if off else "")
        for power, kind, fault in _FAULTS:
            wanted = power * math.log(ratio)
            apart = abs(fell - wanted) < near and (size >= LARGE_ENOUGH_OFF or abs(opened - wanted) < size / 2)
            if apart and not (off and power == _INVERSE):
                return _Cause(kind, f"{listed} is {fault}")
        return None

    def _shares_stay(self, index: int, change: float) -> bool:
        """Return whether as many shares are traded after a jump as before, where a split would multiply them.

        Args:
            change: The close before over the close; of a split, what the shares are multiplied by.
        """
        volume = self.prices.volume
        before, after = volume[max(0, index - USUAL_SESSIONS) : index], volume[index : index + USUAL_SESSIONS]
        before, after = before[before > 0], after[after > 0]
        if min(len(before), len(after)) < LEAST_SESSIONS:
            return False
        grown = math.log(float(np.median(after) / np.median(before)))
        return abs(grown) < abs(grown - math.log(change))

    def _quiet(self, index: int, change: float) -> _Cause | None:
        """Return the cause of a move that nobody traded on: an unlisted small split, or a stretch in another currency.

        Shares only, without a daily limit: what has no volume, or moves so far every week, tells nothing.
        """
        spread = self._spread(index)
        if not self.quiet_counts or abs(math.log(change)) < max(THERE_AND_BACK, QUIET_SPREADS * spread):
            return None
        volume = self.prices.volume
        shares = self._of_usual(volume, index)
        if shares is None or volume[index] < LEAST_SHARES * shares or self._in_adjusted(index):
            return None
        if (back := self._quiet_way_back(index, spread, shares)) is not None:
            return _Cause("unit-change", _OTHER_CURRENCY, back)
        money = self._of_usual(self.prices.close * volume, index)
        moved = abs(math.log(change))
        most = next((traded for size, traded in QUIET if moved >= size), 0.0)
        most = max(most, FAR_TRADED) if moved >= max(FAR, FAR_SPREADS * spread) else most
        if money is None or min(money, shares) >= most:
            return None
        ratio = next((split for split in SMALL_SPLITS if abs(max(change, 1 / change) / split - 1) <= NEAR_PRICE), None)
        if ratio is None:
            return _UNKNOWN
        return _unlisted(ratio if change > 1 else 1 / ratio)

    def _quiet_way_back(self, index: int, spread: float, shares: float) -> int | None:
        """Return the bar that undoes a jump, both of them without being traded; None if there is none."""
        jump = self.changes[index]
        near = min(max(4 * spread, 0.02), abs(jump) / 4)
        for later in self.large:
            if index < later <= index + LONGEST_STRETCH and abs(self.changes[later] + jump) <= near:
                back = self._of_usual(self.prices.volume, later)
                quiet = back is not None and max(shares, back) < QUIET_END and shares * back < QUIET_SHARES**2
                return later if quiet else None
        return None

    def _in_adjusted(self, index: int) -> bool:
        """Return whether the adjusted close does not jump: a spin-off that its source knows, and does not list."""
        adjusted = self.prices.adj_close
        if self.changes[index] > 0 or not (adjusted[index] > 0 and adjusted[index - 1] > 0):
            return False
        return bool(abs(math.log(adjusted[index] / adjusted[index - 1])) < abs(self.changes[index]) / 3)

    def _spread(self, index: int) -> float:
        """Return the usual daily log change around a bar, robust against jumps; 0 where there are none."""
        first = max(1, index - SPREAD_SESSIONS)
        near = np.abs(self.changes[first:index])
        if len(near) < LEAST_SESSIONS:
            near = np.abs(self.changes[index + 1 : index + 1 + SPREAD_SESSIONS])
        return 1.4826 * median(near.tolist()) if len(near) else 0.0

    def _of_usual(self, traded: Floats, index: int) -> float | None:
        """Return a session's trade over the median of its neighbours; None where that is not known."""
        for usual in (traded[max(0, index - USUAL_SESSIONS) : index], traded[index + 1 : index + 1 + USUAL_SESSIONS]):
            known = usual[np.isfinite(usual) & (usual > 0)]
            if len(known) >= LEAST_SESSIONS:
                return float(traded[index]) / median(known.tolist()) if traded[index] > 0 else None
        return None

    def _is_back(self, index: int, later: int) -> bool:
        if later - index > LONGEST_STRETCH:
            return False
        close, jump = self.prices.close, abs(self.changes[index])
        level, wrong, after = float(close[index - 1]), float(close[later - 1]), float(close[later])
        near = min(math.log(BACK_NEAR), jump / 2)  # a move of the market is no way back from a small jump
        undoes = -np.sign(self.changes[index]) * self.changes[later] >= jump / 2
        return bool(
            undoes
            and abs(math.log(after / level)) <= near
            and abs(math.log(wrong / level)) > near + math.log(1 - NEAR_PRICE)
        )


SMALL_SPLITS = (1.25, 4 / 3)
_INVERSE = -2
_FAULTS: tuple[tuple[int, FaultKind, str], ...] = (
    (1, "split-not-applied", "not applied"),
    (-1, "split-applied-twice", "applied twice"),
    (_INVERSE, "split-not-applied", "applied with its inverse ratio"),
)
"""Powers of the ratio by which the closes fall where a split is at fault."""
_OTHER_CURRENCY = (
    "there and back by one factor without the trading that news brings, like a stretch in another currency"
)
_ONE_CURRENCY = "with as many shares traded as before, like a change of the currency"
_UNKNOWN = _Cause("price-jump", "without an action or the trading that news brings: it cannot be told from an error")


def _unlisted(ratio: float) -> _Cause:
    return _Cause("split-not-listed", f"like a {_words(ratio)} split that is not listed")


def _words(ratio: float) -> str:
    for new, old in ((3, 2), (5, 4), (4, 3), (2, 3), (4, 5), (3, 4)):
        if math.isclose(ratio, new / old):
            return f"{new} for {old}"
    return f"{ratio:g} for 1" if ratio > 1 else f"1 for {1 / ratio:g}"
