"""Checks what vendors give: daily bars that would make a backtest wrong, and rows known before they could be."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import UTC, date, datetime, time, timedelta
from itertools import pairwise
from typing import Any

import numpy as np
import pandas as pd

from tradingagents.dataflows.models import Filing, InsiderTransaction, MacroSeries, NewsItem, Prices, Statement
from tradingagents.features.backtest.audit.findings import AuditFinding

FLAT = 4
"""Identical bars in a row that are no market."""
JUMP, SIGMAS = 0.35, 8.0
"""Smallest log change, and number of usual daily changes, from which a jump is compared with the ratios of splits."""
RATIOS = (1.5, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0, 10.0, 15.0, 20.0, 25.0, 30.0, 50.0)
CLOSE_TO = 0.03
LAG_SESSIONS = 60
MISSING = 0.02
"""Share of sessions without a bar from which data count as incomplete rather than halted."""


def check_bars(prices: Prices, sessions: Sequence[date]) -> Iterator[AuditFinding]:
    """Check the bars of one symbol.

    Args:
        prices: As its vendor gives them.
        sessions: Of its exchange, over the period that was asked for.
    """
    days = [day.item() for day in prices.days]
    where = f"{prices.vendor} get_stock_data"

    def found(kind: str, expected: str, what: str, day: object = "", severity: str = "error") -> AuditFinding:
        return AuditFinding(kind, where, expected, what, severity, prices.symbol, str(day))  # type: ignore[arg-type]

    repeated = [day for before, day in pairwise(days) if day <= before]
    if repeated:
        yield found("duplicate_session", "one bar a session, in order", f"{len(repeated)} repeated", repeated[0])
    odd = sorted({*days} - {*sessions})
    if odd:
        yield found("bar_without_session", "sessions of the exchange", f"{len(odd)} other days", odd[0])
    inside = [day for day in sessions if days and days[0] <= day <= days[-1]]
    absent = sorted({*inside} - {*days})
    if absent:
        many = len(absent) > max(MISSING * len(inside), 12)
        severity = "warning" if many else "note"
        yield found("missing_sessions", f"{len(inside)} bars", f"{len(absent)} missing", absent[0], severity)
    frame = _frame(prices, days)
    if prices.basis != "index":
        yield from _still(frame, found)
    yield from _shapes(frame, found)
    yield from _splits(prices, frame, found)
    yield from _basis(prices, frame, found)


def _frame(prices: Prices, days: Sequence[date]) -> pd.DataFrame:
    names = ("open", "high", "low", "close", "adj_close", "volume")
    frame = pd.DataFrame({name: getattr(prices, name) for name in names}, index=pd.Index(days))
    return frame[~frame.index.duplicated(keep="last")].sort_index()


def _still(frame: pd.DataFrame, found: object) -> Iterator[AuditFinding]:
    """Look for bars that repeat the last one, and for moves without volume."""
    before = frame.shift()
    flat = (frame["open"] == frame["high"]) & (frame["high"] == frame["low"]) & (frame["low"] == frame["close"])
    same_close = frame["close"] == before["close"]
    copied = same_close & (frame["volume"] == before["volume"]) & (flat | (frame["open"] == before["open"]))
    silent = flat & same_close & (frame["volume"] == 0)
    runs = (flat & same_close).astype(int).groupby((~(flat & same_close)).cumsum()).cumsum()
    bad = copied | silent | (runs >= FLAT)
    if bad.any():
        day = bad.idxmax()
        yield found("halt_filled", "no bar in a halt", f"{int(bad.sum())} copies of the last bar", day)  # type: ignore[operator]
    moved = (frame["volume"] == 0) & ((frame["close"] / before["close"] - 1).abs() > 1e-6)
    if moved.any():
        share = f"{int(moved.sum())} sessions"
        yield found("zero_volume_move", "volume where a price moves", share, moved.idxmax(), "warning")  # type: ignore[operator]


def _shapes(frame: pd.DataFrame, found: object) -> Iterator[AuditFinding]:
    top, bottom = frame[["open", "close"]].max(axis=1), frame[["open", "close"]].min(axis=1)
    bad = (frame["high"] < top * 0.999) | (frame["low"] > bottom * 1.001)
    if bad.any():
        severity = "warning" if bad.mean() > 0.01 else "note"
        yield found("bar_inconsistent", "low <= open, close <= high", f"{int(bad.sum())} bars", bad.idxmax(), severity)  # type: ignore[operator]


def _splits(prices: Prices, frame: pd.DataFrame, found: object) -> Iterator[AuditFinding]:
    """Look for jumps that are unlisted splits, and for listed splits that prices are not adjusted for."""
    changes = (frame["close"] / frame["close"].shift()).dropna().map(np.log)
    usual = float(changes.abs().median()) * 1.4826 if len(changes) else 0.0
    for day, change in changes.items():
        ratio = float(np.exp(abs(change)))
        near = next((usual for usual in RATIOS if abs(ratio / usual - 1) <= CLOSE_TO), None)
        if near is None or abs(change) < max(JUMP, SIGMAS * usual):
            continue
        after, before = (
            frame.loc[day:, "volume"].head(20).median(),
            frame.loc[:day, "volume"].iloc[:-1].tail(20).median(),
        )
        moved = after / before if before else 1.0
        if (change < 0 and moved < near**0.5) or (change > 0 and moved > near**-0.5):
            continue  # a split changes the number of shares that trade, too
        yield found("unadjusted_split", "prices adjusted for splits", f"a jump by {near:g} with its volume", day)  # type: ignore[operator]
    for split in prices.splits:
        here = frame.loc[split.day :].head(1)
        earlier = frame.loc[: split.day].iloc[: -1 if split.day in frame.index else None].tail(1)
        if here.empty or earlier.empty or abs(np.log(split.ratio)) < JUMP:
            continue
        jump = float(here["open"].iloc[0] / earlier["close"].iloc[0]) * split.ratio
        if abs(jump - 1) < 0.1:
            seen = f"the open of {here.index[0]} is 1/{split.ratio:g} of the close before"
            yield found("unadjusted_split", f"no jump at the listed split {split.ratio:g}", seen, split.day)  # type: ignore[operator]


def _basis(prices: Prices, frame: pd.DataFrame, found: object) -> Iterator[AuditFinding]:
    """Tell prices that are adjusted for dividends though they are said to be as traded."""
    if prices.basis != "split_adjusted" or frame.empty:
        return
    inside = [dividend for dividend in prices.dividends if frame.index[0] < dividend.day <= frame.index[-1]]
    paid = sum(dividend.amount for dividend in inside)
    if inside and paid / float(frame["close"].iloc[-1]) > 1e-4:
        before = frame.loc[: inside[-1].day].iloc[:-1]
        if len(before) and float((before["adj_close"] / before["close"] - 1).abs().max()) < 1e-6:
            seen = f"close equals adj_close before {len(inside)} dividends"
            yield found("adjusted_where_raw", "closes as traded, adj_close below them", seen, inside[0].day)  # type: ignore[operator]


def check_together(
    prices: Mapping[str, Prices], sessions: Sequence[date], market: str, *, mixed: bool = False
) -> Iterator[AuditFinding]:
    """Check symbols against each other: sessions missing from all, days shifted against the market, mixed currencies.

    Args:
        prices: By symbol.
        sessions: Of the exchange, over the period that was asked for.
        market: The fund that stands for the market; empty for none.
        mixed: Whether tickers of several currencies were asked for.
    """
    closes = pd.DataFrame(
        {name: pd.Series(history.adj_close, index=[day.item() for day in history.days]).groupby(level=0).last()
         for name, history in prices.items()}
    ).sort_index()  # fmt: skip
    if closes.empty:
        return
    inside = [day for day in sessions if closes.index[0] <= day <= closes.index[-1]]
    absent = sorted({*inside} - {*closes.index})
    where = "get_stock_data"
    if absent:
        found = f"{len(absent)} sessions without any bar"
        yield AuditFinding("missing_sessions", where, f"{len(inside)} sessions", found, day=str(absent[0]))
    changes = closes.map(np.log).diff()
    others = [name for name in changes if name != market]
    for name in others:
        against = (
            changes[market] if market in changes else changes[[other for other in others if other != name]].mean(axis=1)
        )
        yield from _lag(str(name), changes[name], against)
    currencies = {history.currency for history in prices.values()}
    if len(currencies) > 1 and not mixed:
        yield AuditFinding("mixed_currency", where, "one currency", ", ".join(sorted(currencies)))


def _lag(name: str, own: pd.Series, market: pd.Series) -> Iterator[AuditFinding]:
    """Compare the correlation with the market's same session with those of its neighbours."""
    both = pd.DataFrame({"own": own, "market": market}).dropna()
    if len(both) < LAG_SESSIONS:
        return
    same = both["own"].corr(both["market"])
    for by, which in ((-1, "next"), (1, "last")):
        other = both["own"].corr(both["market"].shift(by))
        if other > 4 / len(both) ** 0.5 and other > 0.25 and other > same + 0.25:
            seen = f"correlation {other:.2f} with its {which} session, {same:.2f} with the same"
            yield AuditFinding(
                "shifted_by_a_day", "get_stock_data", "moves with the market's session", seen, "error", name
            )


def check_survivors(prices: Mapping[str, Prices], last: date) -> Iterator[AuditFinding]:
    """Note where no ticker ended before the data did."""
    if len(prices) > 1 and all(
        len(history) and (last - history.days[-1].item()).days <= 14 for history in prices.values()
    ):
        seen = f"all {len(prices)} tickers trade to the end"
        yield AuditFinding("only_survivors", "get_stock_data", "companies that ended, too", seen, "note")


REPORTS = ("10-K", "10-Q", "20-F", "40-F", "6-K")
EARLIEST_FILING = timedelta(days=5)
"""No company closes its books and reports sooner."""
SAME_DAY = 0.5
"""Share of insider trades known on their own day from which their day is no filing day."""
_PERIOD = {"monthly": 9, "quarterly": 60, "annual": 300}
"""Days from the first day of a period until the first survey of it is published, at least."""
_ANNOUNCED = -4
"""The same for days and weeks: rates are announced some days before they apply."""

Rows = Iterable[Any]


def check_statements(symbol: str, rows: Sequence[Statement], filings: Sequence[Filing]) -> Iterator[AuditFinding]:
    """Check when statements became known; against the list of filings where there is one."""
    newest_first = sorted(filings, key=lambda filing: filing.known_at, reverse=True)
    reports = [filing for filing in newest_first if filing.period_end is not None and filing.form in REPORTS]
    filed = {filing.period_end: filing.known_at for filing in reports}
    early = [row for row in rows if _utc(row.known_at) < _end(row.period_end)]
    soon = [row for row in rows if row.known_by != "assumed" and row not in early
            and _utc(row.known_at) < _end(row.period_end) + EARLIEST_FILING]  # fmt: skip
    before = [row for row in rows if row.known_by != "assumed" and row.period_end in filed
              and _utc(row.known_at) < _utc(filed[row.period_end]) - timedelta(days=1)]  # fmt: skip
    for these, expected in ((early, "after its period's end"), (soon, "days after it"), (before, "when it was filed")):
        if these:
            row = these[0]
            seen = f"{len(these)} rows, such as {row.kind} of {row.period_end} known at {row.known_at.isoformat()}"
            yield _row("filed_too_early", "get_statements", f"known {expected}", seen, symbol, row.period_end)
    yield from _times(rows, "get_statements", symbol)


def check_news(symbol: str, rows: Sequence[NewsItem]) -> Iterator[AuditFinding]:
    """Check when articles became known."""
    early = [row for row in rows if _utc(row.known_at) < _utc(row.published_at)]
    if early:
        article = early[0]
        seen = f"{len(early)} articles, such as {article.title[:60]!r} known at {article.known_at.isoformat()}"
        yield _row("news_too_early", "get_news", f"known at {article.published_at.isoformat()} or later", seen, symbol,
                   article.published_at.date())  # fmt: skip
    undated = [row for row in rows if row.day_only and _utc(row.known_at).date() <= _utc(row.published_at).date()
               and _utc(row.known_at).time() < time(20)]  # fmt: skip
    if undated:
        seen = f"{len(undated)} articles with a day only are known on that day"
        yield _row("news_too_early", "get_news", "known at the next session's open", seen, symbol)
    yield from _times(rows, "get_news", symbol)


def check_insiders(symbol: str, rows: Sequence[InsiderTransaction]) -> Iterator[AuditFinding]:
    """Check when insider trades became known."""
    early = [row for row in rows if _utc(row.known_at).date() < row.transaction_date]
    same = [row for row in rows if _utc(row.known_at).date() == row.transaction_date]
    if early or (len(same) > SAME_DAY * len(rows) and len(same) > 2):
        seen = f"{len(early)} before, {len(same)} on the day of the trade, of {len(rows)}"
        yield _row("insider_too_early", "get_insider_transactions", "known when reported, days later", seen, symbol)
    yield from _times(rows, "get_insider_transactions", symbol)


def check_macro(series: MacroSeries) -> Iterator[AuditFinding]:
    """Check when values of a series became known."""
    lead = timedelta(days=_PERIOD.get(series.frequency, _ANNOUNCED))
    early = [value for value in series.observations if _utc(value.known_at) < _end(value.day) + lead]
    if early:
        value = early[0]
        seen = f"{len(early)} values, such as that of {value.day} known at {value.known_at.isoformat()}"
        yield _row(
            "macro_too_early", f"get_macro_indicators {series.series}", "known after the period", seen, "", value.day
        )
    yield from _times(series.observations, f"get_macro_indicators {series.series}", "")


def _times(rows: Rows, where: str, symbol: str) -> Iterator[AuditFinding]:
    naive = [row for row in rows if row.known_at.tzinfo is None]
    if naive:
        yield _row("naive_time", where, "instants with a time zone", f"{len(naive)} without", symbol)


def _row(kind: str, where: str, expected: str, found: str, symbol: str, day: date | str = "") -> AuditFinding:
    return AuditFinding(kind, where, expected, found, "error", symbol, str(day))


def _utc(moment: datetime) -> datetime:
    return moment.replace(tzinfo=UTC) if moment.tzinfo is None else moment


def _end(day: date) -> datetime:
    """Return the end of a day, in the time zone where it ends first."""
    return datetime.combine(day, time(10), UTC)
