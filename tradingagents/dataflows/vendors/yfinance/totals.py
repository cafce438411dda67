"""What Yahoo says of its rows beside them: how many there are, their sum, the hour in an article's address.

A list that is shorter than Yahoo counts it is told as not whole; hours and totals that contradict the rows make the
answer unusable.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Mapping, Sequence
from datetime import UTC, date, datetime, timedelta
from typing import Any

from tradingagents.dataflows.responses.lost_rows import not_listed

_HOUR_IN_ADDRESS = re.compile(r"-([01]\d|2[0-3])([0-5]\d)([0-5]\d)\d{3}\.html\b")
"""Yahoo ends the addresses of its own pages with the time of day, UTC, at which they were published."""
OFF_THE_HOUR = 15 * 60
"""Seconds from which on an article is of another hour than its address."""
LEAST_ARTICLES = 2
DAY = 86_400
SUM_ROUNDED = 0.01
FEW_LATE = 0.0005
"""By how much `adjclose` may fall against `close` by rounding; it never falls, since dividends are paid, not taken."""
SAME_TOTAL = 1.06
"""Factor within which the revenue of four quarters is the total of the same four quarters."""
OTHER_SIZE = 50.0
"""The same of profits and cash, which Yahoo may count otherwise in the total: beyond, they are in another unit."""
MOST_GROWN = 10.0
"""Factor within which the revenue of other quarters of the same company is of the size of the total's."""
NEAR_END = timedelta(days=7)
_TOTALS = {
    "TotalRevenue": "totalRevenue",
    "NetIncomeCommonStockholders": "netIncomeToCommon",
    "NetIncomeFromContinuingOperations": "netIncomeToCommon",
    "OperatingCashFlow": "operatingCashflow",
    "CashCashEquivalentsAndShortTermInvestments": "totalCash",
    "TotalDebt": "totalDebt",
}
"""Yahoo's total by its name of the row."""
_NEARLY = frozenset({"NetIncomeFromContinuingOperations", "TotalDebt"})
"""Rows whose total comprises what they do not, such as leases: they only tell together with another row."""
ONE_FACTOR, OTHER_FACTOR = 0.01, 0.04
"""How near each other two rows' parts of their totals lie to be one factor, and from which difference from 1 on it is
that of another unit or currency: two rows that Yahoo counts otherwise in its totals are not so by one factor."""
_FLOWS = _TOTALS.keys() - {"CashCashEquivalentsAndShortTermInvestments", "TotalDebt"}
STEP_KNOWN = 0.2
"""How near, as a part, a step of `adjclose` is to the dividend that makes it."""


def hours_contradict(articles: Iterable[Mapping[str, Any]]) -> bool:
    """Tell whether most articles with Yahoo's own address are of another hour than it says."""
    off = [_seconds_off(article) for article in articles]
    known = [seconds for seconds in off if seconds is not None]
    return len(known) >= LEAST_ARTICLES and 2 * sum(seconds > OFF_THE_HOUR for seconds in known) > len(known)


def _seconds_off(article: Mapping[str, Any]) -> float | None:
    links = [article.get("link"), *(article.get(name) for name in ("canonicalUrl", "clickThroughUrl"))]
    texts = [link.get("url") if isinstance(link, dict) else link for link in links]
    found = next((hit for text in texts if isinstance(text, str) and (hit := _HOUR_IN_ADDRESS.search(text))), None)
    at = _published(article)
    if found is None or at is None:
        return None
    hour, minute, second = map(int, found.groups())
    apart = (hour * 3600 + minute * 60 + second - at.timestamp()) % DAY
    return min(apart, DAY - apart)


def _published(article: Mapping[str, Any]) -> datetime | None:
    stamp = article.get("pubDate") or article.get("providerPublishTime")
    try:
        at = datetime.fromtimestamp(stamp, UTC) if isinstance(stamp, int) else datetime.fromisoformat(str(stamp))
    except (ValueError, OverflowError, OSError):
        return None
    return at if at.tzinfo else at.replace(tzinfo=UTC)


def note_short_stream(stream: Mapping[str, Any]) -> None:
    """Note how many articles are missing of those that a stream was asked for and says it has."""
    pages = stream.get("pagination")
    if not isinstance(pages, dict):
        return
    asked, more = pages.get("requestedCount"), pages.get("remainingCount")
    if isinstance(asked, int) and isinstance(more, int) and more > 0:
        not_listed("article", asked - len(stream["stream"]))


def note_short_screen(result: Mapping[str, Any]) -> None:
    """Note how many companies are missing of those that a screen counts on its page."""
    count, quotes = result.get("count"), result.get("quotes")
    if isinstance(count, int) and isinstance(quotes, list):
        not_listed("company", count - len(quotes))


def note_short_search(answer: Mapping[str, Any]) -> None:
    """Note how many results are missing of those that a search counts over all its lists."""
    count, lists = answer.get("count"), [rows for rows in answer.values() if isinstance(rows, list)]
    if isinstance(count, int):
        not_listed("search result", count - sum(map(len, lists)))


def sales_contradict(modules: Mapping[str, Any]) -> str:
    """Return why the listed sales of insiders are not those that Yahoo sums up; empty where they are.

    It counts the sales of six months, the newest of those listed, and sums their shares.
    """
    counted, listed = modules.get("netSharePurchaseActivity"), modules.get("insiderTransactions")
    if not isinstance(counted, dict) or not isinstance(listed, dict):
        return ""
    count, total = _raw(counted.get("sellInfoCount")), _raw(counted.get("sellInfoShares"))
    trades = listed.get("transactions")
    if not isinstance(count, int) or not isinstance(trades, list):
        return ""
    sales = sorted(_sales(trades), reverse=True)
    if len(sales) < count:
        return f"insiderTransactions lists {len(sales)} sales, and netSharePurchaseActivity counts {count}"
    found = sum(shares for _, shares in sales[:count])
    if isinstance(total, (int, float)) and count and abs(found - total) > SUM_ROUNDED * abs(total):
        return f"shares of the newest {count} sales are {found:.0f}, and netSharePurchaseActivity sums {total:.0f}"
    return ""


def days_contradict(trades: Iterable[Mapping[str, Any]]) -> bool:
    """Tell whether trades have stamps of other days than they write, or of times of day: Yahoo stamps midnights."""
    for trade in trades:
        given, stamp = trade.get("startDate"), _raw(trade.get("startDate"))
        if not isinstance(stamp, int):
            continue
        written = given.get("fmt") if isinstance(given, dict) else None
        if stamp % DAY or (_is_day(written) and written != datetime.fromtimestamp(stamp, UTC).date().isoformat()):
            return True
    return False


def _is_day(text: Any) -> bool:
    try:
        return isinstance(text, str) and bool(date.fromisoformat(text))
    except ValueError:
        return False


def _sales(trades: Sequence[Any]) -> Iterable[tuple[float, float]]:
    for trade in trades:
        if isinstance(trade, dict) and "sale" in str(trade.get("transactionText")).lower():
            day, shares = _raw(trade.get("startDate")), _raw(trade.get("shares"))
            if isinstance(day, (int, float)) and isinstance(shares, (int, float)):
                yield day, shares


def totals_of(info: Mapping[str, Any]) -> Mapping[str, float]:
    """Return what Yahoo sums up of a company's newest four quarters, and its newest cash, by the row's name."""
    found = {row: info.get(name) for row, name in _TOTALS.items()}
    return {row: float(value) for row, value in found.items() if _is_number(value) and value}


def contradicted_total(
    rows: Mapping[str, Mapping[date, float]], totals: Mapping[str, float], newest: date | None
) -> str:
    """Return which row is not what Yahoo sums up of the same company; empty where all are.

    Where the newest period is the one that Yahoo's totals are of, revenue must be the same, and no two rows may be of
    another unit or currency; else revenue is of one size.

    Args:
        rows: Quarterly values by Yahoo's name of the row and the end of the period.
        totals: See `totals_of`.
        newest: The end of the quarter that the totals are of; None where it is not stated, and nothing is compared.
    """
    parts: list[float] = []
    for name, total in totals.items():
        values = rows.get(name) or {}
        ends = sorted(values)[-4:]
        if newest is None or not ends or (name in _FLOWS and len(ends) < 2):
            continue
        found = sum(values[end] for end in ends) * 4 / len(ends) if name in _FLOWS else values[ends[-1]]
        is_same_year = abs(ends[-1] - newest) <= NEAR_END and (len(ends) == 4 or name not in _FLOWS)
        if name == "TotalRevenue":
            most = SAME_TOTAL if is_same_year else MOST_GROWN
        elif is_same_year:
            most = math.inf if name in _NEARLY else OTHER_SIZE
        else:
            continue
        if is_same_year:
            parts.append(found / total)
        if found and not 1 / most <= abs(found / total) <= most:
            return f"{name} is not of the total that Yahoo gives of the same company"
    if _by_one_factor(parts):
        return f"amounts are {parts[0]:.4g} times the totals that Yahoo gives of the same company"
    return ""


def _by_one_factor(parts: Sequence[float]) -> bool:
    return (
        len(parts) > 1
        and min(parts) > 0
        and max(parts) / min(parts) <= 1 + ONE_FACTOR
        and not 1 / (1 + OTHER_FACTOR) <= parts[0] <= 1 + OTHER_FACTOR
    )


def adjusted_off_its_days(result: Mapping[str, Any], stamps: Sequence[int], closes: Sequence[Any]) -> str:
    """Return why adjusted closes are not those of the days: they step where a dividend is paid, and never fall.

    Where values stand a row off their days, the step of a listed dividend is at the bar beside it.
    """
    adjusted = _column(result, "adjclose")
    if len(adjusted) != len(stamps) or len(closes) != len(stamps):
        return ""
    rows = [
        (stamp, float(value) / float(close), float(close))
        for stamp, value, close in zip(stamps, adjusted, closes, strict=True)
        if _is_number(value) and _is_number(close) and close
    ]
    rows.sort()
    steps = [rows[at][1] / rows[at - 1][1] - 1 if rows[at - 1][1] else 0.0 for at in range(1, len(rows))]
    paid = _paid(result)
    if rows and any(isinstance(day, int) and day > rows[-1][0] + DAY for day in paid):
        return "events has a dividend of a day after the last bar"
    for at, step in enumerate(steps):
        amount = paid.get(rows[at + 1][0])
        size = amount / rows[at][2] if amount is not None else 0.0
        beside = [steps[near] for near in (at - 1, at + 1) if 0 <= near < len(steps)]
        if size > FEW_LATE and step < size / 2 and any(abs(near - size) <= STEP_KNOWN * size for near in beside):
            return "adjclose steps on another day than its dividend is paid"
        if step < -FEW_LATE and any(abs(step + value / rows[at][2]) <= STEP_KNOWN * -step for value in paid.values()):
            return "adjclose falls against close by a dividend"
    return ""


def _paid(result: Mapping[str, Any]) -> dict[Any, float]:
    events = result.get("events")
    dividends = events.get("dividends") if isinstance(events, dict) else None
    listed = [paid for paid in dividends.values() if isinstance(paid, dict)] if isinstance(dividends, dict) else []
    return {paid.get("date"): float(paid["amount"]) for paid in listed if _is_number(paid.get("amount"))}


def _column(result: Mapping[str, Any], name: str) -> Sequence[Any]:
    indicators = result.get("indicators")
    columns = indicators.get(name) if isinstance(indicators, dict) else None
    first = columns[0] if isinstance(columns, list) and columns else None
    column = first.get(name) if isinstance(first, dict) else None
    return column if isinstance(column, list) else ()


def _is_number(value: Any) -> bool:
    return isinstance(value, (int, float)) and not isinstance(value, bool)


def _raw(value: Any) -> Any:
    return value.get("raw") if isinstance(value, dict) else value
