"""What Yahoo answered, before yfinance reads it: whether it has the shape of an answer, and does not contradict itself.

yfinance takes a refusal with status 200 for an empty answer, and times, currency and prices as they stand. Each answer
says some of it twice: a chart names its last price, its year's range, its zone and the hours of its exchange.
"""

from __future__ import annotations

import json
import math
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from datetime import UTC, datetime, timedelta
from typing import Any
from zoneinfo import ZoneInfo

from tradingagents.dataflows.reference.currencies import quoted_in
from tradingagents.dataflows.vendors.yfinance.totals import (
    adjusted_off_its_days,
    days_contradict,
    hours_contradict,
    note_short_screen,
    note_short_search,
    note_short_stream,
    sales_contradict,
)

_OF_SHARES = re.compile(r"EPS|PerShare|AverageShares|SharesNumber|ShareIssued")
"""Names of time series that are of shares or per share."""
DAY = 86_400
YEAR = 360 * DAY
"""Seconds for which a bar surely lies within the last 52 weeks."""
EARLIEST, LATEST = -2_208_988_800, 4_102_444_800
"""1900 and 2100, in seconds: milliseconds lie beyond."""
OF_THE_DAY = 0.05
"""By how much the last bar may differ from the price of the same day that the chart names."""
OF_THE_YEAR = 0.02
"""By how much closes may lie outside the range of the year that the chart names."""
MOST_OUTSIDE = 0.1
"""Share of closes up to which single bars are wrong, which the data gate leaves out: beyond, all are in another one."""
HEAD = ("regularMarketPrice", "fiftyTwoWeekHigh", "fiftyTwoWeekLow")
"""Prices that a chart names beside its bars."""
FINER_THAN_HINT = 1
"""Decimals that prices of the head may have beyond `priceHint`: trades between two cents count for the day's range."""
LEAST_CLOSES, NEWEST_CLOSES = 20, 10
"""Closes from which on all of them being whole dollars is no chance, and the newest, which no later split changed."""
NEARLY_ALL, HALF = 0.9, 0.5
"""Part of closes in whole dollars from which on they are in another unit, and of those in whole cents up to which."""
AS_STORED = 1e-6
"""Part of a price by which Yahoo's numbers, worked out with 32 bits, are off the price that was traded: up to 4e-7 in
2,203 recorded histories. Prices beyond some thousand dollars are not judged so."""
US_EXCHANGES = frozenset({"NMS", "NYQ", "NGM", "NCM", "ASE", "PCX", "BTS"})
"""Yahoo's codes of the exchanges whose shares and funds are quoted in dollars."""


class OddAnswer(ValueError):
    """An answer that is none, or contradicts itself; the message says which field and why, as a clause."""


def check_answer(path: str, body: bytes) -> str | None:
    """Check an answer with status 200, and return the currency of time series; others, None.

    Endpoints that are not known here are not judged.

    Args:
        path: The path that was asked.
        body: The answer.

    Raises:
        OddAnswer: It cannot be used.
    """
    check = next((check for part, check in _CHECKS.items() if part in path), None)
    if check is None:
        return None
    try:
        answer = json.loads(body)
    except (ValueError, RecursionError):
        raise OddAnswer("it is no JSON") from None
    if not isinstance(answer, dict):
        raise OddAnswer("it is no object")
    return check(answer)


def _rooted(name: str) -> Callable[[Mapping[str, Any]], str | None]:
    def check(answer: Mapping[str, Any]) -> str | None:
        root = answer.get(name)
        if not isinstance(root, dict):
            raise OddAnswer(f"it has no {name}")
        if root.get("result") is None and root.get("error"):
            # "Not Found" with 404 is how Yahoo says that it knows none; this came with 200.
            raise OddAnswer(f"{name} holds an error")
        if not isinstance(root.get("result"), list):
            raise OddAnswer(f"{name} has no result")
        return None

    return check


def _news(answer: Mapping[str, Any]) -> None:
    data = answer.get("data")
    stream = data.get("tickerStream") if isinstance(data, dict) else None
    if not isinstance(stream, dict) or not isinstance(stream.get("stream"), list):
        raise OddAnswer("it has no data.tickerStream.stream")
    if stream["stream"] and not any(isinstance(entry, dict) and entry for entry in stream["stream"]):
        raise OddAnswer("data.tickerStream.stream holds no articles")
    if hours_contradict(content for entry in _dicts(stream["stream"]) for content in _dicts([entry.get("content")])):
        raise OddAnswer("pubDate is at other hours than the addresses of the articles")
    note_short_stream(stream)


def _search(answer: Mapping[str, Any]) -> None:
    if not isinstance(answer.get("news"), list):
        raise OddAnswer("it has no news")
    if hours_contradict(_dicts(answer["news"])):
        raise OddAnswer("providerPublishTime is at other hours than the addresses of the articles")
    note_short_search(answer)


def _screener(answer: Mapping[str, Any]) -> None:
    _rooted("finance")(answer)
    for result in _dicts(answer["finance"]["result"]):
        note_short_screen(result)


def _sector(answer: Mapping[str, Any]) -> None:
    if not isinstance(answer.get("data"), dict):
        raise OddAnswer("it has no data")


def _quote_summary(answer: Mapping[str, Any]) -> None:
    _rooted("quoteSummary")(answer)
    for modules in answer["quoteSummary"]["result"]:
        trades = modules.get("insiderTransactions") if isinstance(modules, dict) else None
        if isinstance(trades, dict) and trades and not isinstance(trades.get("transactions"), list):
            raise OddAnswer("insiderTransactions has no transactions")
        listed = list(_dicts(trades.get("transactions") if isinstance(trades, dict) else None))
        for trade in listed:
            _within_time("startDate", [_raw(trade.get("startDate"))])
        if days_contradict(listed):
            raise OddAnswer("startDate is of another day than it says, or of a time of day")
        if why := sales_contradict(modules if isinstance(modules, dict) else {}):
            raise OddAnswer(why)


def _series(answer: Mapping[str, Any]) -> str | None:
    """Check time series: each value stands at the day that it says it is of, all amounts in one currency.

    Of a company that reports in another currency than it is listed in, Yahoo gives figures per share and numbers of
    shares the listing's code, though they are of its reports: profit per share times shares is the profit.
    """
    _rooted("timeseries")(answer)
    amounts, others = set[str](), set[str]()
    for entry in _dicts(answer["timeseries"]["result"]):
        stamps = entry.get("timestamp")
        for name, values in entry.items():
            if name in ("meta", "timestamp") or not isinstance(values, list):
                continue
            found = [value if isinstance(value, dict) else {} for value in values]
            if isinstance(stamps, list) and len(stamps) == len(found):
                _on_their_days(name, stamps, found)
            codes = {value["currencyCode"] for value in found if isinstance(value.get("currencyCode"), str)}
            (others if _OF_SHARES.search(name) else amounts).update(codes)
    currencies = amounts or others
    if len(currencies) > 1:
        raise OddAnswer(f"currencyCode is {' and '.join(sorted(currencies)[:3])} in one answer")
    return next(iter(currencies), None)


def _on_their_days(name: str, stamps: Sequence[Any], values: Sequence[Mapping[str, Any]]) -> None:
    for stamp, value in zip(stamps, values, strict=True):
        day = value.get("asOfDate")
        if not value or not isinstance(stamp, int) or not isinstance(day, str):
            continue
        if not EARLIEST < stamp < LATEST:
            raise OddAnswer("timestamp is no time in seconds")
        apart = abs(stamp - datetime.fromisoformat(day).replace(tzinfo=UTC).timestamp())
        if apart > timedelta(days=1).total_seconds():
            raise OddAnswer(f"{name} has asOfDate {day} at another day's timestamp")


def _chart(answer: Mapping[str, Any]) -> None:
    _rooted("chart")(answer)
    for result in answer["chart"]["result"]:
        meta = result.get("meta") if isinstance(result, dict) else None
        if not isinstance(meta, dict):
            raise OddAnswer("chart has no meta")
        _quoted_in_dollars(meta)
        _in_its_zone(meta)
        stamps = result.get("timestamp")
        if stamps is None:
            continue
        if not isinstance(stamps, list) or not all(isinstance(stamp, int) for stamp in stamps):
            raise OddAnswer("timestamp is no list of times")
        _within_time("timestamp", stamps)
        indicators = result.get("indicators")
        quote = next(_dicts(indicators.get("quote") if isinstance(indicators, dict) else None), {})
        columns = {name: quote.get(name) for name in ("open", "high", "low", "close", "volume")}
        for name, column in columns.items():
            if not isinstance(column, list):
                raise OddAnswer(f"indicators.quote has no {name}")
            if len(column) != len(stamps):
                raise OddAnswer(f"{name} has {len(column)} values for {len(stamps)} times")
            given = [value for value in column if value is not None]
            if any(_number(value) is None for value in given):
                raise OddAnswer(f"{name} holds what is no number")
            if not given and any(value is not None for value in columns["close"] or ()):
                raise OddAnswer(f"{name} holds no value")
        _at_its_hours(meta, stamps)
        _at_its_level(meta, stamps, columns["close"] or [])
        _at_its_ticks(meta, stamps, columns["close"] or [])
        if why := adjusted_off_its_days(result, stamps, columns["close"] or []):
            raise OddAnswer(why)


def _quoted_in_dollars(meta: Mapping[str, Any]) -> None:
    symbol, currency = meta.get("symbol"), meta.get("currency")
    if meta.get("exchangeName") not in US_EXCHANGES or not isinstance(symbol, str) or not isinstance(currency, str):
        return
    if currency != "USD" and quoted_in(symbol) == "USD":
        raise OddAnswer(f"currency is {currency[:8]} at a US exchange")


def _in_its_zone(meta: Mapping[str, Any]) -> None:
    """Check the zone's name by its offset: a name that is wrong moves bars to other days."""
    name, offset = meta.get("exchangeTimezoneName"), meta.get("gmtoffset")
    if name is None or offset is None:
        return
    try:
        zone = ZoneInfo(name)
    except (TypeError, ValueError, LookupError, OSError):
        raise OddAnswer("exchangeTimezoneName is no zone") from None
    year = datetime.now(UTC).year
    known = {datetime(year, month, 15, tzinfo=zone).utcoffset() for month in (1, 7)}
    if not isinstance(offset, int) or timedelta(seconds=offset) not in known:
        raise OddAnswer("gmtoffset is not that of exchangeTimezoneName")


def _at_its_hours(meta: Mapping[str, Any], stamps: Sequence[int]) -> None:
    """Check that bars are stamped at the exchange's opening, or at midnight; the last one may be of now."""
    trading = meta.get("currentTradingPeriod")
    regular = trading.get("regular") if isinstance(trading, dict) else None
    name = meta.get("exchangeTimezoneName")
    if not isinstance(regular, dict) or not isinstance(regular.get("start"), int) or not isinstance(name, str):
        return
    if meta.get("dataGranularity") != "1d" or len(stamps) < 5:
        return
    zone = ZoneInfo(name)
    opens = _clock(regular["start"], zone)
    off = [stamp for stamp in stamps[:-1] if _clock(stamp, zone) not in (opens, 0)]
    if len(off) > len(stamps) / 2:
        raise OddAnswer("timestamp lies at other hours than the exchange opens")


def _clock(stamp: int, zone: ZoneInfo) -> int:
    """Return the minutes since midnight."""
    local = datetime.fromtimestamp(stamp, zone)
    return local.hour * 60 + local.minute


def _at_its_level(meta: Mapping[str, Any], stamps: Sequence[int], closes: Sequence[Any]) -> None:
    """Check closes by the price and the year's range that the chart names: all of them may be in another unit."""
    price, at = _number(meta.get("regularMarketPrice")), meta.get("regularMarketTime")
    given = [(stamp, float(close)) for stamp, close in zip(stamps, closes, strict=True) if close is not None]
    if price is None or not isinstance(at, int) or not given:
        return
    stamp, close = max(given)
    if 0 <= at - stamp < DAY and not math.isclose(close, price, rel_tol=OF_THE_DAY):
        raise OddAnswer("close of the last day is not regularMarketPrice")
    low, high = _number(meta.get("fiftyTwoWeekLow")), _number(meta.get("fiftyTwoWeekHigh"))
    if low is None or high is None or not 0 < low <= high:
        return
    within = [close for stamp, close in given if 0 <= at - stamp < YEAR]
    outside = sum(not low * (1 - OF_THE_YEAR) <= close <= high * (1 + OF_THE_YEAR) for close in within)
    if outside > MOST_OUTSIDE * len(within):
        raise OddAnswer("close lies outside fiftyTwoWeekLow and fiftyTwoWeekHigh")


def _at_its_ticks(meta: Mapping[str, Any], stamps: Sequence[int], closes: Sequence[Any]) -> None:
    """Check that prices of a US exchange are in cents: all of them, the head too, may be in another unit or currency.

    Shares above a dollar trade in whole cents. Those of another unit have decimals beyond, or none at all.
    """
    hint, at = meta.get("priceHint"), meta.get("regularMarketTime")
    if meta.get("exchangeName") not in US_EXCHANGES or meta.get("currency") != "USD" or not isinstance(hint, int):
        return
    for name in HEAD:
        price = _number(meta.get(name))
        if price is not None and not _is_multiple(price, 10 ** -(hint + FINER_THAN_HINT)):
            raise OddAnswer(f"{name} has more decimals than priceHint")
    given = [(stamp, float(close)) for stamp, close in zip(stamps, closes, strict=True) if close]
    prices = [close for _, close in sorted(given)]
    if len(set(prices)) >= LEAST_CLOSES and _part(prices, 1.0) >= NEARLY_ALL:
        raise OddAnswer("close is in whole dollars, not in cents")
    if hint != 2 or len(given) < NEWEST_CLOSES or not isinstance(at, int) or at - max(given)[0] >= DAY:
        return  # closes of a window that ended before are adjusted for splits since, into parts of a cent
    if min(prices[-NEWEST_CLOSES:]) >= 1 and _part(prices[-NEWEST_CLOSES:], 0.01) <= HALF:
        raise OddAnswer("close is in parts of a cent")


def _part(prices: Sequence[float], tick: float) -> float:
    """Return the part of prices that are multiples of a tick."""
    return sum(_is_multiple(price, tick) for price in prices) / len(prices)


def _is_multiple(price: float, tick: float) -> bool:
    return abs(price - round(price / tick) * tick) <= AS_STORED * price


def _within_time(name: str, stamps: Sequence[Any]) -> None:
    if any(isinstance(stamp, (int, float)) and not EARLIEST < stamp < LATEST for stamp in stamps):
        raise OddAnswer(f"{name} is no time in seconds")


def _raw(value: Any) -> Any:
    return value.get("raw") if isinstance(value, dict) else value


def _dicts(values: Any) -> Iterator[Mapping[str, Any]]:
    yield from (value for value in (values if isinstance(values, list) else ()) if isinstance(value, dict))


def _number(value: Any) -> float | None:
    is_one = isinstance(value, (int, float)) and not isinstance(value, bool) and math.isfinite(value)
    return float(value) if is_one else None


_CHECKS: Mapping[str, Callable[[Mapping[str, Any]], str | None]] = {
    "/finance/chart/": _chart,
    "/finance/quoteSummary/": _quote_summary,
    "/finance/quote": _rooted("quoteResponse"),
    "/finance/timeseries/": _series,
    "/xhr/ncp": _news,
    "/finance/search": _search,
    "/finance/screener/": _screener,
    "/finance/visualization": _rooted("finance"),
    "/finance/sectors/": _sector,
}
"""By a part of the path; the first that fits."""
