"""Corruptions of bars, splits and dividends. Each docstring says where such a fault comes from."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from datetime import UTC, date, datetime, timedelta
from random import Random
from typing import Any

import numpy as np

from benchmarks.data_corruptions.companies import Company, picked
from benchmarks.data_corruptions.kind import Changed, Kind, NotApplicable, named
from tradingagents.dataflows.models import Floats, Prices, Split, Statement
from tradingagents.dataflows.reference.line_items import PER_SHARE, SHARES

FORWARD = (2.0, 3.0, 4.0, 5.0, 10.0, 20.0)
REVERSE = (1 / 2, 1 / 5, 1 / 8, 1 / 10, 1 / 20, 1 / 25)
RATES = {"GBP": 0.79, "CAD": 1.36, "CNY": 7.2, "HKD": 7.8, "INR": 83.0, "JPY": 150.0}
"""Units of a currency for a dollar."""
QUOTES = ("open", "high", "low", "close", "adj_close")


def split_not_applied(company: Company, day: date, random: Random) -> Changed:
    """The source lists a split on its day and adjusts the old bars days later, or never (yfinance, Alpha Vantage)."""
    truth, at, ratio, variant = _split_company(company, day, random)
    prices = scaled(truth.prices, slice(0, at), ratio, volume=1 / ratio)
    what = f"the split {ratio:g} of {_day(company, at)} is listed, the bars before it are as traded"
    return _of(truth, prices, variant, what, (_day(company, at),), truth=truth)


def split_not_listed(company: Company, day: date, random: Random) -> Changed:
    """A raw feed without corporate actions, or a split that the list of actions lacks (Stooq, exchange files)."""
    truth, at, ratio, variant = _split_company(company, day, random)
    prices = scaled(truth.prices, slice(0, at), ratio, volume=1 / ratio)
    prices = replace(prices, splits=company.prices.splits)
    what = f"the split {ratio:g} of {_day(company, at)} is not listed, the bars before it are as traded"
    return _of(truth, prices, variant, what, (_day(company, at),), truth=truth)


def split_applied_twice(company: Company, day: date, random: Random) -> Changed:
    """A client adjusts bars that the source has already adjusted (auto_adjust on top of adjusted closes)."""
    truth, at, ratio, variant = _split_company(company, day, random)
    prices = scaled(truth.prices, slice(0, at), 1 / ratio, volume=ratio)
    what = f"the bars before the split {ratio:g} of {_day(company, at)} are adjusted for it twice"
    return _of(truth, prices, variant, what, (_day(company, at),), truth=truth)


def split_wrongly_listed(company: Company, day: date, random: Random) -> Changed:
    """The split has the announcement or payment day instead of the first day of trading, or the inverse ratio."""
    truth, at, ratio, variant = _split_company(company, day, random)
    form = random.choice(("listed-early", "listed-late", "inverse-ratio"))
    shift = random.randint(1, 10)
    real = _day(company, at)
    if form == "inverse-ratio":
        prices = scaled(truth.prices, slice(0, at), ratio * ratio, volume=1 / ratio / ratio)
        listed = Split(real, 1 / ratio)
    elif form == "listed-early":
        if at - shift < 1:
            raise NotApplicable
        prices = scaled(truth.prices, slice(at - shift, at), ratio, volume=1 / ratio)
        listed = Split(_day(company, at - shift), ratio)
    else:
        if at + shift > company.last(day):
            raise NotApplicable
        prices = scaled(truth.prices, slice(at, at + shift), 1 / ratio, volume=ratio)
        listed = Split(_day(company, at + shift), ratio)
    prices = replace(prices, splits=_with(company.prices.splits, listed))
    what = f"the split {ratio:g} of {real} is listed as {listed.ratio:g} on {listed.day}, and applied like that"
    return _of(truth, prices, f"{form} {variant}", what, (real, listed.day), truth=truth)


def hundredfold(company: Company, day: date, random: Random) -> Changed:
    """Pence for pounds or cents for dollars: yfinance's London and Tel Aviv bars, decimal slips of the newest bar."""
    last = company.last(day)
    factor = random.choice((100.0, 100.0, 0.01))
    form = random.choice(("last-bar", "stretch", "to-the-end"))
    if form == "last-bar":
        start, stop = last, last + 1
    else:
        start = last - random.randint(8, 150)
        stop = min(start + random.randint(3, 40), last - 1) if form == "stretch" else len(company.prices)
    prices = scaled(company.prices, slice(start, stop), factor)
    what = f"bars from {_day(company, start)} to {_day(company, min(stop, last + 1) - 1)} are times {factor:g}"
    return _of(company, prices, f"{form} x{factor:g}", what, _days(company, start, min(stop, last + 1)))


def currency_stretch(company: Company, day: date, random: Random) -> Changed:
    """A part of the bars comes from another listing of the share, in its currency (ADR and home listing mixed)."""
    last = company.last(day)
    code = random.choice(tuple(RATES))
    form = random.choice(("stretch", "to-the-end"))
    start = last - random.randint(8, 150)
    stop = min(start + random.randint(5, 60), last - 1) if form == "stretch" else len(company.prices)
    prices = scaled(company.prices, slice(start, stop), RATES[code])
    what = f"bars from {_day(company, start)} to {_day(company, min(stop, last + 1) - 1)} are in {code}"
    return _of(company, prices, f"{form} {code}", what, _days(company, start, min(stop, last + 1)))


def two_closes_of_a_day(company: Company, day: date, random: Random) -> Changed:
    """A live bar is appended to the settled one of the same day, or pages of an answer overlap with a revision."""
    last = company.last(day)
    form = random.choice(("last-day", "earlier"))
    at = last if form == "last-day" else last - random.randint(1, 60)
    factor = 1 + random.choice((-1, 1)) * random.uniform(0.02, 0.15)
    second = scaled(picked(company.prices, [at]), slice(0, 1), factor, volume=random.uniform(0.1, 0.9))
    place = at + random.choice((0, 1))
    prices = _inserted(company.prices, place, second)
    what = f"{_day(company, at)} has a second bar with its close times {factor:.3f}"
    return _of(company, prices, form, what, (_day(company, at),))


def days_shifted(company: Company, day: date, random: Random) -> Changed:
    """Midnight of the exchange read as UTC: every bar is dated a calendar day early, or a day late."""
    last = company.last(day)
    by = random.choice((-1, 1))
    form = random.choice(("all", "since"))
    start = 0 if form == "all" else last - random.randint(10, 120)
    days = company.prices.days.copy()
    days[start:] += np.timedelta64(by, "D")
    if form == "since" and by < 0 and days[start] <= days[start - 1]:
        start += 1
        days = company.prices.days.copy()
        days[start:] += np.timedelta64(by, "D")
        if days[start] <= days[start - 1]:
            raise NotApplicable
    prices = replace(company.prices, days=days)
    what = f"bars from {_day(company, start)} on are dated {by:+d} calendar day"
    return _of(company, prices, f"{form} {by:+d}", what, _days(company, max(start, last - 10), last + 1))


def unsorted_days(company: Company, day: date, random: Random) -> Changed:
    """Sources that answer newest first (Alpha Vantage), merged pages, rows out of a hash table."""
    last = company.last(day)
    form = random.choice(("newest-first", "two-swapped", "pages-swapped"))
    order = np.arange(len(company.prices))
    if form == "newest-first":
        order = order[::-1]
    elif form == "two-swapped":
        at = last - random.randint(0, 60)
        order[[at - 1, at]] = order[[at, at - 1]]
    else:
        cut = last - random.randint(20, 120)
        order = np.r_[order[cut:], order[:cut]]
    return _of(company, picked(company.prices, order), form, f"the bars come {form}", ())


def missing_month(company: Company, day: date, random: Random) -> Changed:
    """A page of the answer failed, or the cache lacks a month (rate limit in the middle of a download)."""
    last = company.last(day)
    stop = last - random.randint(4, 180)
    start = stop - random.randint(17, 23)
    keep = np.r_[np.arange(start), np.arange(stop, len(company.prices))]
    what = f"the bars from {_day(company, start)} to {_day(company, stop - 1)} are missing"
    return _of(company, picked(company.prices, keep), "month", what, _days(company, start, stop))


def halt(company: Company, day: date, random: Random) -> Changed:
    """Days without trade, or without data, are filled with the last close and volume 0 (Yahoo, pandas' ffill)."""
    last = company.last(day)
    form = random.choice(("middle", "end"))
    length = random.randint(3, 12) if form == "middle" else random.randint(2, 8)
    stop = last + 1 if form == "end" else last - random.randint(4, 120)
    start = stop - length
    prices = company.prices
    columns = {name: getattr(prices, name).copy() for name in (*QUOTES, "volume")}
    for name in ("open", "high", "low", "close"):
        columns[name][start:stop] = prices.close[start - 1]
    columns["adj_close"][start:stop] = prices.adj_close[start - 1]
    columns["volume"][start:stop] = 0.0
    what = f"bars from {_day(company, start)} to {_day(company, stop - 1)} repeat the close before, with volume 0"
    return _of(company, replace(prices, **columns), form, what, _days(company, start, stop))


def impossible_bars(company: Company, day: date, random: Random) -> Changed:
    """Zeros and NaN of days not yet settled (yfinance), negative prices, high and low exchanged."""
    last = company.last(day)
    form = random.choice(("zero", "negative", "nan", "high-below-low", "close-above-high"))
    newest = random.random() < 0.3
    count = 1 if newest else random.randint(1, 5)
    places = [last] if newest else sorted(random.sample(range(last - 60, last), count))
    prices = company.prices
    columns = {name: getattr(prices, name).copy() for name in QUOTES}
    for at in places:
        if form == "zero":
            for name in QUOTES:
                columns[name][at] = 0.0
        elif form == "negative":
            for name in QUOTES:
                columns[name][at] = -columns[name][at]
        elif form == "nan":
            for name in random.choice((QUOTES, ("close", "adj_close"), ("high",), ("low",))):
                columns[name][at] = np.nan
        elif form == "high-below-low":
            columns["high"][at], columns["low"][at] = prices.low[at] * 0.97, prices.high[at] * 1.03
        else:
            factor = random.uniform(1.1, 1.5) * prices.high[at] / prices.close[at]
            columns["close"][at] *= factor
            columns["adj_close"][at] *= factor
    rows = tuple(_day(company, at) for at in places)
    what = f"{form} in the bars of {', '.join(map(str, rows))}"
    return _of(company, replace(prices, **columns), f"{form}{' newest' if newest else ''}", what, rows)


def volume_in_lots(company: Company, day: date, random: Random) -> Changed:
    """Volumes in lots of 100 shares (Chinese sources), or of one venue only, for a part of the bars."""
    last = company.last(day)
    form = random.choice(("stretch", "to-the-end"))
    start = last - random.randint(25, 120)
    stop = start + random.randint(15, 22) if form == "stretch" else len(company.prices)
    volume = company.prices.volume.copy()
    volume[start:stop] = np.floor(volume[start:stop] / 100)
    what = f"volumes from {_day(company, start)} to {_day(company, min(stop, last + 1) - 1)} are in lots of 100"
    return _of(company, replace(company.prices, volume=volume), form, what, _days(company, start, min(stop, last + 1)))


def dividends_disagree(company: Company, day: date, random: Random) -> Changed:
    """Dividends taken off twice, closes adjusted under the name of raw ones, or never adjusted (auto_adjust)."""
    prices = company.prices
    form = random.choice(("counted-twice", "adj-equals-close", "close-adjusted"))
    since = company.days[company.last(day) - 252]
    rows = tuple(paid.day for paid in prices.dividends if since < paid.day <= day)
    if len(rows) < 2:
        raise NotApplicable
    factor = prices.adj_close / prices.close
    if form == "counted-twice":
        changed = replace(prices, adj_close=prices.adj_close * factor)
    elif form == "adj-equals-close":
        changed = replace(prices, adj_close=prices.close.copy())
    else:
        columns = {name: getattr(prices, name) * factor for name in ("open", "high", "low", "close")}
        changed = replace(prices, **columns)
    return _of(company, changed, form, f"{form} for the dividends of {', '.join(map(str, rows))}", rows)


def stale_end(company: Company, day: date, random: Random) -> Changed:
    """The source or the cache stopped days ago and nobody noticed (delisting, symbol change, a failed job)."""
    away = timedelta(days=random.randint(3, 9))
    keep = int(np.searchsorted(company.prices.days, np.datetime64(day - away, "D"), side="right"))
    if keep == company.last(day) + 1:
        raise NotApplicable
    what = f"the bars end on {_day(company, keep - 1)}"
    return _of(
        company,
        picked(company.prices, np.arange(keep)),
        "stale",
        what,
        (_day(company, keep - 1), *_days(company, keep, company.last(day) + 1)),
    )


def short_history(company: Company, day: date, random: Random) -> Changed:
    """A recent listing, a symbol that was renamed, or a plan that serves a few months only."""
    last = company.last(day)
    count = random.randint(3, 150)
    start = last + 1 - count
    what = f"the bars begin on {_day(company, start)}: {count} up to the day"
    variant = "3-20" if count <= 20 else "21-60" if count <= 60 else "61-150"
    rows = (_day(company, start),)
    return _of(company, picked(company.prices, np.arange(start, len(company.prices))), variant, what, rows)


PRICE_KINDS: Mapping[str, Kind] = named(
    Kind("split-not-applied", "prices", split_not_applied),
    Kind("split-not-listed", "prices", split_not_listed),
    Kind("split-applied-twice", "prices", split_applied_twice),
    Kind("split-wrongly-listed", "prices", split_wrongly_listed),
    Kind("hundredfold", "prices", hundredfold),
    Kind("currency-stretch", "prices", currency_stretch),
    Kind("two-closes-of-a-day", "prices", two_closes_of_a_day),
    Kind("days-shifted", "prices", days_shifted),
    Kind("unsorted-days", "prices", unsorted_days),
    Kind("missing-month", "prices", missing_month),
    Kind("halt", "prices", halt),
    Kind("impossible-bars", "prices", impossible_bars),
    Kind("volume-in-lots", "prices", volume_in_lots),
    Kind("dividends-disagree", "dividends", dividends_disagree),
    Kind("stale-end", "prices", stale_end),
    Kind("short-history", "prices", short_history),
)


def scaled(prices: Prices, part: slice, factor: float, *, volume: float = 1.0) -> Prices:
    """Return prices with the quotes of a part times a factor, and its volumes times another."""
    columns: dict[str, Floats] = {}
    for name in QUOTES:
        columns[name] = getattr(prices, name).copy()
        columns[name][part] *= factor
    columns["volume"] = prices.volume.copy()
    columns["volume"][part] = np.round(columns["volume"][part] * volume)
    return replace(prices, **columns)  # type: ignore[arg-type]


def as_if_split(company: Company, day: date, ratio: float) -> Company:
    """Return a company that split on a day, with everything right: the clean copy of the cases about splits.

    Its bars are adjusted for the split, which is listed. Statements filed and trades made before count the old shares.
    """
    opens = datetime(day.year, day.month, day.day, tzinfo=UTC)

    def as_filed(row: Statement) -> Statement:
        if row.shares_as_of is not None or row.known_at >= opens:
            return row
        items = {name: _in_old_shares(name, value, ratio) for name, value in row.items.items()}
        return replace(row, items=items)

    trades = tuple(
        row if row.shares_as_of is not None or row.transaction_date >= day else replace(row, shares=row.shares / ratio)
        for row in company.insiders
    )
    prices = replace(company.prices, splits=_with(company.prices.splits, Split(day, ratio)))
    return replace(company, prices=prices, statements=tuple(map(as_filed, company.statements)), insiders=trades)


def _in_old_shares(name: str, value: float, ratio: float) -> float:
    return value / ratio if name in SHARES else value * ratio if name in PER_SHARE else value


def _split_company(company: Company, day: date, random: Random) -> tuple[Company, int, float, str]:
    """Draw a split in the year before the day; away from the splits that the company really had."""
    last = company.last(day)
    at = last - random.randint(1, 240)
    own = _day(company, at)
    if any(abs((split.day - own).days) < 60 for split in company.prices.splits):
        raise NotApplicable
    forward = random.random() < 0.6
    ratio = random.choice(FORWARD if forward else REVERSE)
    return as_if_split(company, own, ratio), at, ratio, "forward" if forward else "reverse"


def _with(splits: tuple[Split, ...], more: Split) -> tuple[Split, ...]:
    return tuple(sorted((*splits, more), key=lambda split: split.day))


def _inserted(prices: Prices, at: int, bar: Prices) -> Prices:
    columns: dict[str, Any] = {
        name: np.insert(getattr(prices, name), at, getattr(bar, name)[0]) for name in (*QUOTES, "volume")
    }
    return replace(prices, days=np.insert(prices.days, at, bar.days[0]), **columns)


def _of(
    company: Company,
    prices: Prices,
    variant: str,
    what: str,
    rows: tuple[date, ...],
    *,
    truth: Company | None = None,
) -> Changed:
    return Changed(replace(company, prices=prices), variant, f"{company.symbol}: {what}", rows, truth)


def _day(company: Company, at: int) -> date:
    day: date = company.prices.days[at].item()
    return day


def _days(company: Company, start: int, stop: int) -> tuple[date, ...]:
    return tuple(company.days[start:stop])
