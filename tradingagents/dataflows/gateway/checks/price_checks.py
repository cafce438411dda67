"""Validity of daily bars: ordered, prices above zero, one bar per session, plausible splits, no unexplained jump.

Invalid bars are left out and reported. If there are too many, the newest bar is invalid, or a session has two different
bars, the prices are unusable as a whole: results based on them would be wrong without showing it. Bars before a break
(`price_breaks`), a long hole or shifted days (`price_days`) are withheld, so that no figure crosses it; where the level
since then may be the wrong one, the prices are unusable too. Returns with dividends (`price_dividends`) and volumes
(`traded_bars`) may be withheld alone.

Sources restate all bars for each split. Bars are judged as they were traded on the last day that counts, so that a
split after it changes neither what is said of them nor which of them are used.

`data check`, imports and recordings report the same faults: `check_prices` is the one judge of prices.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import date, timedelta
from typing import Any

import numpy as np
import numpy.typing as npt

from tradingagents.dataflows.gateway.checks.price_breaks import (
    SETTLED,
    in_doubt,
    is_share,
    price_breaks,
    settles,
)
from tradingagents.dataflows.gateway.checks.price_days import (
    Mask,
    first_of_two,
    in_order,
    longest_missing,
    lost_sessions,
    missing_before,
    off_calendar,
    shifted,
    trading_calendar,
    with_bars,
    without_copies,
)
from tradingagents.dataflows.gateway.checks.price_dividends import closes_may_be_adjusted, with_sound_returns
from tradingagents.dataflows.gateway.checks.row_checks import UNITS_OF_A_DOLLAR, is_currency
from tradingagents.dataflows.gateway.checks.traded_bars import RECENT, checked_end, with_sound_volumes, with_traded_bars
from tradingagents.dataflows.gateway.faults import Fault, quoted
from tradingagents.dataflows.models import Days, Dividend, Floats, PriceBreak, Prices, Split
from tradingagents.dataflows.reference.currencies import major_unit
from tradingagents.dataflows.reference.data_faults import reference

HIGHEST_PRICE = 1e9
"""Maximum price of a share, index or coin in any traded currency."""
HIGHEST_VOLUME = 1e15
MAX_SPLIT = 10_000.0
"""Maximum split ratio, and its inverse the minimum: the largest of listed stocks were a few thousand to one."""
MAX_BAD = 0.01
"""Maximum share of bars that may be left out."""
TOLERANCE = 0.001
"""How far open, high, low and close may contradict each other, for rounding: a tenth of a percent."""
MOST_OUTSIDE = 0.005
"""From half a percent on, which of them is wrong cannot be told, and the bar is left out."""
FAR_OUT, FAR_OUT_ELSEWHERE = 2.0, 3.0
"""How many times open and close the high may be, or they the low: of a share, and of indices, coins and others. Of 540
recorded US symbols (2022 to 2025) no share came to 1.3, and the VIX to 1.7."""
SAME_SPLIT = timedelta(days=5)
"""Days within which a second split of one ratio is the same one: no company splits twice in a week."""
MOST_NAMED = 6
"""Sessions without a sound bar that a note names one by one."""

MOST_MONEY = 1e12
"""USD traded a session, of the last ones by their median: the most of any share or fund by 2026 was a quarter of it."""

MONEY_SESSIONS = 20

_BAR = "the bar is left out"
_PAID = "the dividend is left out"
_CONTRADICT = "its list of splits contradicts itself"
"""What is said of splits after the day asked for: that there is one was not known."""
_UNUSED = "its prices are not used"


@dataclass(frozen=True, slots=True)
class CheckedPrices:
    """Valid bars, and the faults of the others."""

    prices: Prices
    faults: tuple[Fault, ...]
    unusable: str | None
    """Why the prices as a whole are unusable; None if they aren't."""


def check_prices(prices: Prices, last: date) -> CheckedPrices:
    """Check the bars, dividends and splits of one symbol up to a day.

    Of later splits only their ratios count, since they restate the prices too.

    Returns:
        The bars on the basis given, that of all splits; `prices` itself where nothing is wrong.
    """
    split = next((one for one in prices.splits if not is_split(one)), None)
    if split is not None:
        what = f"the split ratio is {quoted(split.ratio)}"
        fault = _of_split(prices, split, last, what, what)
        return CheckedPrices(prices, (fault,), "one of its splits cannot be")
    if not is_currency(prices.currency):
        fault = Fault(prices.symbol, None, f"{quoted(prices.currency)!r} is no currency", _UNUSED, withholds=True)
        return CheckedPrices(prices, (fault,), "its currency is none")
    faults: list[Fault] = []
    if (other := _other_ratio(prices, last)) is not None:
        why = _CONTRADICT if other.day is None else f"{other.day} has two different splits"
        return CheckedPrices(prices, (other,), why)
    prices = _without_repeated_splits(prices, last, faults)
    prices = in_order(in_major_unit(prices), last, faults)
    prices = _with_sound_dividends(prices, last, faults)
    if not len(prices):
        return CheckedPrices(prices, tuple(faults), None)
    prices = without_copies(prices, faults)
    traded = prices.as_traded(last) if any(one.day > last for one in prices.splits) else prices
    twice = first_of_two(traded)
    if twice is not None:
        what = f"two different bars of this session, {_bar_text(traded, twice)} and {_bar_text(traded, twice + 1)}"
        fault = Fault(prices.symbol, _day(prices, twice), what, _UNUSED, kind="two-bars-of-a-day", withholds=True)
        return CheckedPrices(prices, (*faults, fault), f"{_day(prices, twice)} has two different bars")
    checked = _with_sound_bars(traded, later_ratio(prices, last), last, faults)
    return checked if traded is prices else replace(checked, prices=_restated(checked.prices, traded, prices))


def later_ratio(prices: Prices, last: date) -> float:
    """Return by how much the splits after a day multiply a share: prices given times it are those traded by then."""
    return math.prod(split.ratio for split in prices.splits if split.day > last)


def _restated(checked: Prices, traded: Prices, given: Prices) -> Prices:
    """Return what is left of the bars as traded on the basis given, that of all splits."""
    if checked is traded:
        return given
    left = with_bars(given, np.searchsorted(given.days, checked.days))
    emptied = np.isnan(checked.volume) | (checked.volume == 0)
    return replace(
        left,
        adj_close=np.where(np.isnan(checked.adj_close), np.nan, left.adj_close),
        volume=np.where(emptied, checked.volume, left.volume),
        withheld=None if checked.withheld is None else _restated_break(checked.withheld, given),
        gate_notes=checked.gate_notes,
        untraded=checked.untraded,
        lost=checked.lost,
    )


def _restated_break(found: PriceBreak, given: Prices) -> PriceBreak:
    """Return a break with the closes given on its days."""

    def close(day: date) -> float:
        return float(given.close[np.searchsorted(given.days, np.datetime64(day))])

    after = None if found.until is None else close(found.until)
    return replace(found, close_before=close(found.before), close=close(found.day), close_after=after)


def _with_sound_bars(prices: Prices, restated: float, last: date, faults: list[Fault]) -> CheckedPrices:
    """Return the bars without those that cannot be, and what is known since the newest break.

    Args:
        prices: As traded on the last day.
        restated: `later_ratio`, by which the source's own rounding is multiplied.
    """
    breaks: list[PriceBreak] = []
    wrong, outside = _wrong_and_outside(prices)
    off = off_calendar(prices.symbol, prices.days)
    faults += [_order_fault(prices, int(place)) for place in np.flatnonzero((outside > TOLERANCE) & ~wrong)]
    if wrong.any() or off.any():
        moved = shifted(prices, off)
        faults += [_bar_fault(prices, int(index), off) for index in np.flatnonzero(wrong | off)]
        unusable = _unusable(prices, wrong, off)
        if unusable is None and moved is not None and moved[1] is None:
            fault = Fault(prices.symbol, None, moved[0], _UNUSED, None, "day-without-session", withholds=True)
            faults, unusable = [fault, *faults], "its days are shifted"
        if unusable is not None:
            return CheckedPrices(prices, tuple(replace(fault, done=_UNUSED) for fault in faults), unusable)
        breaks += [moved[1]] if moved is not None and moved[1] is not None else []
    given = with_bars(prices, ~off) if off.any() else prices
    left_out = prices.days[wrong & ~off]
    prices = with_bars(prices, ~(wrong | off)) if wrong.any() or off.any() else prices
    prices = with_traded_bars(checked_end(prices, last, trading_calendar(prices.symbol), faults), faults)
    prices = _with_sound_volume(prices, faults)
    missing = missing_before(prices)
    hole = longest_missing(prices, missing)
    breaks += [hole] if hole is not None else []
    in_given = missing if len(given) == len(prices) else missing_before(given)
    if hole is None and in_given.any():
        faults.append(_missing_fault(given, in_given))
    prices = _with_lost_sessions(prices, missing, left_out)
    return _since_the_newest_break(prices, restated, [*breaks, *price_breaks(prices)], faults)


def _since_the_newest_break(
    prices: Prices, restated: float, breaks: list[PriceBreak], faults: list[Fault]
) -> CheckedPrices:
    """Return the bars since the newest break, with sound returns and volumes, or why none can be used."""
    if breaks:
        breaks.sort(key=lambda gap: gap.sound_from)
        newest = breaks[-1]
        doubted = next((gap for gap in reversed(breaks) if in_doubt(gap, prices)), None)
        done = f"prices before {newest.sound_from} are withheld, with every figure across that day"
        done = done if doubted is None else _UNUSED
        faults += [Fault(prices.symbol, gap.day, gap.text, done, kind=gap.kind, withholds=True) for gap in breaks]
        if doubted is not None:
            wait = "" if not settles(doubted) else f" (it counts as true after {SETTLED} sessions)"
            why = f"their level since {doubted.day} cannot be told from an error{wait}"
            return CheckedPrices(replace(prices, withheld=newest), tuple(faults), why)
        prices = replace(prices.since(newest.sound_from), withheld=newest)
    if closes_may_be_adjusted(prices, restated):
        what = "the closes equal the adjusted ones across listed dividends, and are in no steps of a traded price"
        faults.append(Fault(prices.symbol, None, what, _UNUSED, kind="dividends-disagree", withholds=True))
        return CheckedPrices(prices, tuple(faults), "its closes may be adjusted for dividends")
    if (most := _impossible_money(prices)) is not None:
        what = f"closes times volumes are {most:.2g} {prices.currency} a session, more than any share was traded for"
        faults.append(Fault(prices.symbol, None, what, _UNUSED, kind="out-of-range", withholds=True))
        return CheckedPrices(prices, tuple(faults), "its prices or volumes are in another unit")
    prices = with_sound_volumes(with_sound_returns(prices, restated, faults), faults)
    return CheckedPrices(prices, tuple(faults), None)


def _impossible_money(prices: Prices) -> float | None:
    """Return the usual money traded a session where no share ever had so much; None where it may be."""
    if not is_share(prices) or not len(prices):
        return None
    usual = float(np.median((prices.close * prices.volume)[-MONEY_SESSIONS:]))
    return usual if usual > MOST_MONEY * UNITS_OF_A_DOLLAR.get(prices.currency, math.inf) else None


def in_major_unit(prices: Prices) -> Prices:
    """Return prices quoted in pence, cents or agorot in pounds, rand or shekels, which statements are in."""
    currency, value = major_unit(prices.currency)
    if currency == prices.currency:
        return prices
    levels = {name: getattr(prices, name) * value for name in ("open", "high", "low", "close", "adj_close")}
    paid = tuple(
        replace(dividend, amount=dividend.amount * value) if _is_dividend(dividend) else dividend
        for dividend in prices.dividends
    )
    return replace(prices, **levels, dividends=paid, currency=currency)


def is_split(split: Split) -> bool:
    """Return whether a split ratio is plausible."""
    ratio: Any = split.ratio
    return isinstance(ratio, (int, float)) and 1 / MAX_SPLIT <= ratio <= MAX_SPLIT


def _of_split(prices: Prices, split: Split, last: date, what: str, later: str) -> Fault:
    """Return the fault of a split; of one after the last day, whose day was not known, with `later` as what it is."""
    known = split.day <= last
    return Fault(prices.symbol, split.day if known else None, what if known else later, _UNUSED, split, withholds=True)


def _other_ratio(prices: Prices, last: date) -> Fault | None:
    """Return that two splits of one day have different ratios; None if none have."""
    ratios: dict[date, float] = {}
    for split in prices.splits:
        if ratios.setdefault(split.day, split.ratio) != split.ratio:
            what = f"two splits are listed, {ratios[split.day]:g} and {split.ratio:g}"
            return _of_split(prices, split, last, what, _CONTRADICT)
    return None


def _without_repeated_splits(prices: Prices, last: date, faults: list[Fault]) -> Prices:
    """Return the prices with each split once: listed twice, it would be undone twice."""
    once: list[Split] = []
    for split in sorted(prices.splits, key=lambda one: one.day):
        if not (once and split.ratio == once[-1].ratio and split.day - once[-1].day <= SAME_SPLIT):
            once.append(split)
        elif split.day <= last:
            what = f"the {split.ratio:g} split is listed twice, first on {once[-1].day}"
            faults.append(Fault(prices.symbol, split.day, what, "it counts once", split))
    return prices if len(once) == len(prices.splits) else replace(prices, splits=tuple(once))


def _bar_text(prices: Prices, index: int) -> str:
    levels = "/".join(f"{getattr(prices, name)[index]:g}" for name in ("open", "high", "low", "close"))
    return f"{levels} (volume {prices.volume[index]:,.0f})"


def wrong_bars(prices: Prices) -> Mask:
    """Return which bars cannot be: a price that is none, or open, high, low and close that contradict each other."""
    return _wrong_and_outside(prices)[0]


def _wrong_and_outside(prices: Prices) -> tuple[Mask, Floats]:
    wrong = _wrong_values(prices)
    outside = _outside(prices, ~wrong)
    return wrong | (outside > MOST_OUTSIDE) | _far_out(prices, ~wrong), outside


def _wrong_values(prices: Prices) -> Mask:
    wrong = np.zeros(len(prices), dtype=np.bool_)
    for values in (prices.open, prices.high, prices.low, prices.close, prices.adj_close):
        wrong |= ~((values > 0) & (values <= HIGHEST_PRICE))  # false for NaN too
    return wrong


def _outside(prices: Prices, valid: Mask) -> Floats:
    """Return by what share open or close lie outside of low to high, or the high below the low; 0 where invalid."""
    high, low = prices.high, prices.low
    with np.errstate(all="ignore"):  # of prices that are none
        top = np.maximum(np.maximum(prices.open, prices.close), low)
        bottom = np.minimum(np.minimum(prices.open, prices.close), high)
        return np.where(valid, np.maximum(1 - high / top, 1 - bottom / low), 0.0)


def _far_out(prices: Prices, valid: Mask) -> Mask:
    """Return the bars whose high or low lie too far from open and close to be of one session."""
    far = FAR_OUT if is_share(prices) else FAR_OUT_ELSEWHERE
    with np.errstate(all="ignore"):  # of prices that are none
        above = prices.high >= far * np.maximum(prices.open, prices.close)
        return valid & (above | (prices.low * far <= np.minimum(prices.open, prices.close)))


def _order_fault(prices: Prices, index: int) -> Fault:
    return Fault(prices.symbol, _day(prices, index), _order_text(prices, index), "the bar is used", kind="bar-order")


def _order_text(prices: Prices, index: int) -> str:
    """Return how open, high, low and close of a bar contradict each other."""
    high, low = float(prices.high[index]), float(prices.low[index])
    if high < low * (1 - TOLERANCE):
        return f"the high {high:g} lies below the low {low:g}"
    if high >= FAR_OUT * max(prices.open[index], prices.close[index]):
        return f"the high {high:g} lies far above open and close"
    if low * FAR_OUT <= min(prices.open[index], prices.close[index]):
        return f"the low {low:g} lies far below open and close"
    far = {name: float(getattr(prices, name)[index]) for name in ("open", "close")}
    name = max(far, key=lambda one: max(far[one] / high, low / far[one]))
    return f"the {name} {far[name]:g} lies outside of low {low:g} to high {high:g}"


def _missing_fault(prices: Prices, missing: npt.NDArray[np.int64]) -> Fault:
    places = np.flatnonzero(missing)
    first, count = _day(prices, int(places[0])), int(missing.sum())
    what = f"{count} {'session is' if count == 1 else 'sessions are'} missing, the first before {first}"
    recent = _day(prices, int(places[-1])) > _day(prices, len(prices) - 1) - RECENT
    done = "figures over sessions across them are n/a"
    return Fault(prices.symbol, first, what, done, kind="missing-days", withholds=recent)


def _with_lost_sessions(prices: Prices, missing: npt.NDArray[np.int64], left_out: Days) -> Prices:
    """Return the bars with the sessions whose bar is missing or left out, and a note on those of the last year."""
    lost = lost_sessions(prices, missing, left_out)
    if not lost:
        return prices
    recent = [day for day in lost if day > _day(prices, len(prices) - 1) - RECENT]
    notes = (_lost_note(prices, recent),) if recent else ()
    return replace(prices, lost=lost, gate_notes=(*prices.gate_notes, *notes))


def _lost_note(prices: Prices, lost: Sequence[date]) -> str:
    count, named = len(lost), ", ".join(map(str, lost[-MOST_NAMED:]))
    which = f"for {named}" if count <= MOST_NAMED else f"for {count} sessions of the last year, the last {named}"
    return (
        f"{prices.vendor} has no sound bar of {prices.symbol} {which} ({reference('missing-days')}): figures over "
        f"sessions across {'it' if count == 1 else 'them'} are n/a, and extremes of a year that it could have changed."
    )


def _unusable(prices: Prices, wrong: Mask, off: Mask) -> str | None:
    on_sessions = np.flatnonzero(~off)
    bad = int(wrong[on_sessions].sum())
    if not bad and len(on_sessions):
        return None
    if not len(on_sessions) or wrong[on_sessions[-1]]:
        index = int(on_sessions[-1]) if len(on_sessions) else len(prices) - 1
        return f"the newest bar, of {_day(prices, index)}, cannot be"
    if bad > MAX_BAD * len(on_sessions):
        return f"{bad} of {len(on_sessions)} bars cannot be"
    return None


def _bar_fault(prices: Prices, index: int, off: Mask) -> Fault:
    day = _day(prices, index)
    if off[index]:
        what = "a bar on a day without a session"
        return Fault(prices.symbol, day, what, _BAR, kind="day-without-session", withholds=True)
    values = {name: float(getattr(prices, name)[index]) for name in ("close", "adj_close", "open", "high", "low")}
    bad = next(((name, value) for name, value in values.items() if not 0 < value <= HIGHEST_PRICE), None)
    if bad is None:
        return Fault(prices.symbol, day, _order_text(prices, index), _BAR, kind="bar-order", withholds=True)
    return Fault(prices.symbol, day, f"{bad[0]} is {bad[1]:g}", _BAR, withholds=True)


def _with_sound_volume(prices: Prices, faults: list[Fault]) -> Prices:
    """Return the bars with unreadable volumes set to 0."""
    bad = ~((prices.volume >= 0) & (prices.volume <= HIGHEST_VOLUME))
    if not bad.any():
        return prices
    for index in np.flatnonzero(bad):
        value = float(prices.volume[index])
        day, what = _day(prices, int(index)), f"the volume is {value:g}"
        faults.append(Fault(prices.symbol, day, what, "it is read as 0", withholds=not np.isnan(value)))
    return replace(prices, volume=np.where(bad, 0.0, prices.volume))


def _with_sound_dividends(prices: Prices, last: date, faults: list[Fault]) -> Prices:
    bad = tuple(paid for paid in prices.dividends if paid.day <= last and not _is_dividend(paid))
    for paid in bad:
        what = f"the dividend is {quoted(_as_paid(paid.amount, later_ratio(prices, last)))}"
        faults.append(Fault(prices.symbol, paid.day, what, _PAID, paid, withholds=True))
    return replace(prices, dividends=tuple(paid for paid in prices.dividends if paid not in bad)) if bad else prices


def _as_paid(amount: Any, restated: float) -> Any:
    """Return an amount on the basis of the last day; what is no number as it is."""
    return amount * restated if restated != 1 and isinstance(amount, (int, float)) else amount


def _is_dividend(paid: Dividend) -> bool:
    amount: Any = paid.amount
    return isinstance(amount, (int, float)) and 0 <= amount <= HIGHEST_PRICE


def _day(prices: Prices, index: int) -> date:
    day: date = prices.days[index].item()
    return day
