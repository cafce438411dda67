"""Checks dated rows of vendors: nothing may be known before it happened, was reported or was published."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from datetime import UTC, date, datetime, time, timedelta
from typing import Any

from tradingagents.dataflows.models import Filing, InsiderTransaction, MacroSeries, NewsItem, Statement
from tradingagents.features.backtest.audit.findings import AuditFinding

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
            told = f"{len(these)} rows, such as {row.kind} of {row.period_end} known at {row.known_at.isoformat()}"
            yield _row("filed_too_early", "get_statements", f"known {expected}", told, symbol, row.period_end)
    yield from _times(rows, "get_statements", symbol)


def check_news(symbol: str, rows: Sequence[NewsItem]) -> Iterator[AuditFinding]:
    """Check when articles became known."""
    early = [row for row in rows if _utc(row.known_at) < _utc(row.published_at)]
    if early:
        article = early[0]
        told = f"{len(early)} articles, such as {article.title[:60]!r} known at {article.known_at.isoformat()}"
        yield _row("news_too_early", "get_news", f"known at {article.published_at.isoformat()} or later", told, symbol,
                   article.published_at.date())  # fmt: skip
    undated = [row for row in rows if row.day_only and _utc(row.known_at).date() <= _utc(row.published_at).date()
               and _utc(row.known_at).time() < time(20)]  # fmt: skip
    if undated:
        told = f"{len(undated)} articles with a day only are known on that day"
        yield _row("news_too_early", "get_news", "known at the next session's open", told, symbol)
    yield from _times(rows, "get_news", symbol)


def check_insiders(symbol: str, rows: Sequence[InsiderTransaction]) -> Iterator[AuditFinding]:
    """Check when insider trades became known."""
    early = [row for row in rows if _utc(row.known_at).date() < row.transaction_date]
    same = [row for row in rows if _utc(row.known_at).date() == row.transaction_date]
    if early or (len(same) > SAME_DAY * len(rows) and len(same) > 2):
        told = f"{len(early)} before, {len(same)} on the day of the trade, of {len(rows)}"
        yield _row("insider_too_early", "get_insider_transactions", "known when reported, days later", told, symbol)
    yield from _times(rows, "get_insider_transactions", symbol)


def check_macro(series: MacroSeries) -> Iterator[AuditFinding]:
    """Check when values of a series became known."""
    lead = timedelta(days=_PERIOD.get(series.frequency, _ANNOUNCED))
    early = [value for value in series.observations if _utc(value.known_at) < _end(value.day) + lead]
    if early:
        value = early[0]
        told = f"{len(early)} values, such as that of {value.day} known at {value.known_at.isoformat()}"
        yield _row(
            "macro_too_early", f"get_macro_indicators {series.series}", "known after the period", told, "", value.day
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
