"""Bars without a trade, series that end before the last session, and the unit of the volume.

Vendors fill a halt with bars at the last price. Such a bar is no observation: it is left out, its session is named in
`Prices.untraded`, and a figure over a window of sessions is absent where one of them lies within
(`Prices.spans_gap`). Whether a symbol trades with volume is told by its own series, for indices and currencies have
none. A day is judged by the bars up to it alone, so nothing that came later changes it.

Volumes count shares, not lots of a hundred or thousands. A change of the unit is a hundred- or thousand-fold step of
the volume at unchanged prices. In 540 recorded US symbols (2022 to 2025) no session of a share that is traded much had
more than 50 times, or less than a fiftieth, of the usual.
"""

from __future__ import annotations

import math
from dataclasses import replace
from datetime import date, timedelta

import numpy as np
import numpy.typing as npt

from tradingagents.dataflows.gateway.checks.price_breaks import is_share
from tradingagents.dataflows.gateway.faults import Fault
from tradingagents.dataflows.models import Floats, Prices
from tradingagents.dataflows.reference.calendar import Sessions
from tradingagents.dataflows.reference.data_faults import reference

SEVERAL = 3
"""Sessions in a row that are a halt: with one close and volume 0 though high and low differ, and copies at one price.
One such session of a thin stock may be two trades at the same price."""
STILL = 5
"""Sessions in a row at one price to the last digit that are a halt of a share, whatever volume the source names."""
MOST_COPIES = 0.5
"""Share of copied or still bars above which a series is one that never moves, and none of them is left out."""
MOST_LAG = 1
"""Sessions that the newest bar may lag behind: sources publish a day's bar by the next session at the latest. Two
missing sessions are no delay: the stock was halted or delisted, or the feed has stopped."""
STALE_AFTER = timedelta(days=10)
"""Prices whose last bar is older than this before the session are no prices of that session. The longest closure of
the exchanges served (Shanghai's new-year and golden weeks) stays below it."""
RECENT = timedelta(days=365)
"""Stretches that ended earlier touch no figure but those of the whole history, and every answer need not name them."""

_LEFT_OUT = "such bars are left out, and figures over sessions across them are n/a"
_Mask = npt.NDArray[np.bool_]


def untraded(prices: Prices) -> _Mask:
    """Return which bars show no trade.

    They are: volume 0 at one price, or no volume at the close before, in a series that has volume; the same for
    `SEVERAL` sessions though high and low differ; a copy of the bar before with its volume; and one price for `STILL`
    sessions of a share.

    Args:
        prices: Bars above zero, one per session, oldest first.
    """
    silent = ~(prices.volume > 0)  # true for NaN too
    flat = (prices.high == prices.low) & (prices.close == prices.open) & (prices.close == prices.high)
    same = _repeats(prices.close)
    found = np.zeros(len(prices), dtype=np.bool_)
    if not silent.all():
        found |= flat & ((prices.volume == 0) | (silent & same))
        found |= _in_runs(silent & same, SEVERAL)
    if is_share(prices):
        copied = same.copy()
        if same.any():
            for values in (prices.open, prices.high, prices.low, np.where(silent, 0.0, prices.volume)):
                copied &= _repeats(values)
        found |= _few((copied & ~flat) | _in_runs(copied & ~silent, SEVERAL) | _in_runs(flat & same, STILL))
    return found


def with_traded_bars(prices: Prices, faults: list[Fault]) -> Prices:
    """Return the bars without those that show no trade, which are reported."""
    gone = untraded(prices)
    if not gone.any():
        return prices
    last: date = prices.days[-1].item()
    spans = _stretches(gone)
    recent = [span for span in spans if _day(prices, span[1] - 1) > last - RECENT]
    faults += [_fault(prices, start, stop, withholds=(start, stop) in recent) for start, stop in reversed(spans)]
    arrays = {name: getattr(prices, name)[~gone] for name in ("open", "high", "low", "close", "adj_close", "volume")}
    left_out: tuple[date, ...] = tuple(prices.days[gone].tolist())
    notes = (*prices.gate_notes, *((_note(prices, recent),) if recent else ()))
    return replace(prices, days=prices.days[~gone], **arrays, untraded=left_out, gate_notes=notes)


def checked_end(prices: Prices, last: date, calendar: Sessions | None, faults: list[Fault]) -> Prices:
    """Return the bars, noted where they end before the last session, and reported where by more than `MOST_LAG`.

    Args:
        prices: Bars as delivered.
        last: The last session that had closed.
        calendar: Of the symbol; None where it is not known.
    """
    newest = _day(prices, len(prices) - 1)
    missing = missing_sessions(newest, last, calendar)
    if not missing or last - newest > STALE_AFTER:
        return prices
    if missing <= MOST_LAG:
        bars = f"The newest bar of {prices.symbol} is of {newest}, that of {last} is not known"
        note = f"{bars}: figures are as of {newest}."
        return replace(prices, gate_notes=(*prices.gate_notes, note))
    what = f"the newest bar is {missing} sessions older than the last session, {last}"
    done = "no decision rests on its prices, and figures are those of the newest bar"
    fault = Fault(prices.symbol, newest, what, done, kind="stale-end", withholds=True)
    faults.append(fault)
    return replace(prices, gate_notes=(*prices.gate_notes, fault.reason))


def missing_sessions(newest: date, last: date, calendar: Sessions | None) -> int:
    """Return how many sessions there are after a bar up to the last one; 0 where the calendar is not known."""
    if calendar is None or newest >= last:
        return 0
    return len(calendar.between(newest + timedelta(days=1), last))


def why_not_tradable(prices: Prices, last: date, calendar: Sessions | None) -> str | None:
    """Return why no price of the newest bar can be traded at after the last session; None if one can.

    Args:
        prices: Bars known at the cut-off, at least one.
        last: The last session that had closed.
        calendar: Of the symbol; None where it is not known.
    """
    newest = _day(prices, len(prices) - 1)
    if prices.untraded and prices.untraded[-1] > newest:
        count = sum(day > newest for day in prices.untraded)
        return (
            f"{prices.symbol} has not traded since {newest}: the bars of {count} session{'s' if count > 1 else ''} up "
            f"to {prices.untraded[-1]} show no trade ({reference('no-trade')}). Its last price, "
            f"{prices.close[-1]:,.2f}, is no price of {last}; decide when it trades again."
        )
    missing = missing_sessions(newest, last, calendar)
    if missing <= MOST_LAG:
        return None
    return (
        f"The newest prices of {prices.symbol} are of {newest}, {missing} sessions before {last}: it was halted or "
        f"delisted, or the source has stopped ({reference('stale-end')}). Its last price is no price of {last}; name "
        f"another vendor, or {newest} as the day."
    )


def _repeats(values: Floats) -> _Mask:
    """Return which values equal the one before."""
    found = np.zeros(len(values), dtype=np.bool_)
    found[1:] = values[1:] == values[:-1]
    return found


def _in_runs(mask: _Mask, least: int) -> _Mask:
    """Return the part of a mask that holds for so many bars in a row."""
    found = np.zeros(len(mask), dtype=np.bool_)
    if np.count_nonzero(mask) < least:
        return found
    for start, stop in _stretches(mask):
        found[start:stop] = stop - start >= least
    return found


def _few(mask: _Mask) -> _Mask:
    return mask if np.count_nonzero(mask) <= MOST_COPIES * len(mask) else np.zeros_like(mask)


def _stretches(mask: _Mask) -> list[tuple[int, int]]:
    """Return the runs of a mask as [start, stop)."""
    edges = np.flatnonzero(np.diff(np.concatenate(([False], mask, [False])).astype(np.int8))).tolist()
    return list(zip(edges[::2], edges[1::2], strict=True))


def _fault(prices: Prices, start: int, stop: int, *, withholds: bool) -> Fault:
    first, last, count = _day(prices, start), _day(prices, stop - 1), stop - start
    where = f"{count} bars up to {last} show" if count > 1 else "the bar shows"
    volume = "like the bar before" if prices.volume[start] > 0 else "no volume"
    what = f"{where} no trade: {volume}"
    return Fault(prices.symbol, first, what, _LEFT_OUT, kind="no-trade", withholds=withholds)


def _note(prices: Prices, spans: list[tuple[int, int]]) -> str:
    count = sum(stop - start for start, stop in spans)
    start, stop = spans[-1]
    first, last = _day(prices, start), _day(prices, stop - 1)
    longest = f"from {first} to {last}" if first != last else f"on {first}"
    still = stop == len(prices) and start > 0
    end = f" Its figures are as of its last trade, on {_day(prices, start - 1)}." if still else ""
    several = f"{count} sessions of the last year, the last of them {longest}" if len(spans) > 1 else longest
    return (
        f"{prices.symbol} had no trade {several} ({reference('no-trade')}): the bars are left out. Figures over "
        f"sessions across them are n/a; high, low and drawdown of a year are of the sessions traded.{end}"
    )


def _day(prices: Prices, index: int) -> date:
    day: date = prices.days[index].item()
    return day


POWERS, NEAR, NEAR_HUNDREDFOLD = (2, 3), 2.5, 1.8
"""Powers of ten that are looked for, and the ratio by which the session's own trade may differ from the usual one; the
closer one for a hundred times the usual, for a session of a share's own may have fifty times."""
ODD, MOST_ODD = 2_000.0, 0.1
"""Times the usual volume from which a single one is in another unit, and the share of bars up to which it is single."""
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
    prices = _without_odd_volumes(prices, faults)
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
    which = (
        f"Volumes of {prices.symbol} from {prices.vendor} before {newest} are"
        if back
        else f"The volumes of {prices.symbol} from {prices.vendor} are"
    )
    note = f"{which} withheld: {found[-1].text()} ({reference('volume-unit')})."
    return replace(prices, volume=volume, gate_notes=(*prices.gate_notes, note))


def _without_odd_volumes(prices: Prices, faults: list[Fault]) -> Prices:
    """Return the bars with single volumes emptied that are in millions of the others' unit."""
    volume, close = prices.volume, prices.close
    traded = volume[volume > 0]
    if len(traded) < LEAST or (usual := float(np.median(traded))) < MUCH:
        return prices
    moved = np.abs(np.log(np.divide(close[1:], close[:-1], out=np.ones(len(close) - 1), where=close[:-1] > 0)))
    odd = (volume > ODD * usual) & np.concatenate(([True], moved < QUIET))
    if not odd.any() or odd.sum() > MOST_ODD * len(volume):
        return prices
    days = [day.item() for day in prices.days[odd]]
    what = f"the volume is more than {ODD:,.0f} times the usual at an unchanged price, like another unit than shares"
    faults += [Fault(prices.symbol, day, what, "the volume is withheld", None, "volume-unit", True) for day in days]
    named = ", ".join(day.isoformat() for day in days[:SEVERAL])
    note = (
        f"Volumes of {prices.symbol} from {prices.vendor} on {named} are withheld: {what} ({reference('volume-unit')})."
    )
    return replace(prices, volume=np.where(odd, np.nan, volume), gate_notes=(*prices.gate_notes, note))


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
