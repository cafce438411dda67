"""Convert yfinance's results about the whole market to rows: screens, sector pages, calendars."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, date, datetime, time
from typing import TYPE_CHECKING, Any
from zoneinfo import ZoneInfo

from tradingagents.dataflows.models import EarningsEvent, EconomicEvent, Mover, SectorMember
from tradingagents.dataflows.reference.calendar import exchange_of, sessions
from tradingagents.dataflows.reference.symbols import normalise
from tradingagents.dataflows.responses.day_changes import is_same_change
from tradingagents.dataflows.responses.lost_rows import contradicted, lost
from tradingagents.dataflows.vendors.yfinance.line_items import KINDS, currency_unit
from tradingagents.dataflows.vendors.yfinance.parse import first_number, name_of, times
from tradingagents.errors import BadSymbol

if TYPE_CHECKING:
    import pandas as pd

NEW_YORK = ZoneInfo("America/New_York")
BEYOND_RANGE = 0.02
"""By how much a price may lie outside the day's range of its quote: a late trade."""
EPS_ROUNDED = 0.005
SURPRISE_ROUNDED = 0.1
"""By how much rounding may change earnings per share, and percentage points of a surprise."""
_RANGE = re.compile(r"([\d.,]{1,20}) - ([\d.,]{1,20})")
_QUARTER = re.compile(r"\bQ[1-4]\b")


def movers_of(quotes: Sequence[Mapping[str, Any]], *, session: date) -> tuple[Mover, ...]:
    """Return the stocks of a screen in its order; incomplete quotes are left out.

    A screen belongs to the session of its newest quote: older quotes are left out, or all if that is before `session`.

    Raises:
        ValueError: There are quotes, but none is readable.
    """
    found = [mover for quote in quotes if (mover := _mover(quote)) is not None]
    if quotes and not found:
        raise ValueError("no quote can be read")
    newest = max((mover.known_at.date() for mover in found), default=session)
    once = {mover.symbol: mover for mover in reversed(found)}
    return tuple(mover for mover in found if once[mover.symbol] is mover and session <= newest == mover.known_at.date())


def _mover(quote: Mapping[str, Any]) -> Mover | None:
    symbol = _symbol(quote.get("symbol"))
    iso, unit = currency_unit(quote.get("currency"))
    price = times(first_number(quote, ("regularMarketPrice",)), unit)
    change = first_number(quote, ("regularMarketChangePercent",))
    volume = first_number(quote, ("regularMarketVolume",))
    stamp = first_number(quote, ("regularMarketTime",))
    kind = KINDS.get(str(quote.get("quoteType")))
    if symbol is None or kind is None:
        lost("quote", symbol=symbol, quoteType=kind)
        return None
    if kind != "stock":
        return None
    if price is None or change is None or volume is None or stamp is None:
        lost(
            "quote",
            regularMarketPrice=price,
            regularMarketChangePercent=change,
            regularMarketVolume=volume,
            regularMarketTime=stamp,
        )
        return None
    stated = first_number(quote, ("regularMarketPrice",))  # in hundredths too, as the change in money
    if not is_same_change(stated, first_number(quote, ("regularMarketChange",)), change):
        contradicted("quote", "whose regularMarketChangePercent is not regularMarketChange of the previous close")
        return None
    if not _is_in_its_range(quote):
        contradicted("quote", "whose regularMarketPrice, high or low is not of its regularMarketDayRange")
        return None
    return Mover(
        symbol=symbol,
        name=name_of(quote) or symbol,
        price=price,
        change_pct=change,
        volume=volume,
        known_at=_quoted_at(symbol, datetime.fromtimestamp(stamp, UTC)),
        market_cap=first_number(quote, ("marketCap",)),
        currency=iso,
    )


def _is_in_its_range(quote: Mapping[str, Any]) -> bool:
    """Tell whether price, high and low are of the range of the day, where the quote states it as a text too."""
    price = first_number(quote, ("regularMarketPrice",))
    ends = [first_number(quote, (name,)) for name in ("regularMarketDayLow", "regularMarketDayHigh")]
    named = _RANGE.fullmatch(str(quote.get("regularMarketDayRange")).strip())
    if price is None or named is None:
        return True
    low, high = (float(text.replace(",", "") or 0) for text in named.groups())
    same = all(
        end is None or abs(end - text) <= BEYOND_RANGE * text for end, text in zip(ends, (low, high), strict=True)
    )
    return same and low * (1 - BEYOND_RANGE) <= price <= high * (1 + BEYOND_RANGE)


def _quoted_at(symbol: str, stamp: datetime) -> datetime:
    """Return when a quote was known: Yahoo stamps the last price of a session some seconds after its close."""
    calendar = sessions(exchange_of(symbol))
    return min(stamp, calendar.close_of(calendar.on_or_before(stamp.date())))


def members_of(companies: pd.DataFrame | None) -> tuple[SectorMember, ...]:
    """Return the companies of a sector page in its order, each once. Yahoo's page doesn't give their industries.

    Raises:
        ValueError: There are companies, but none is readable.
    """
    if companies is None:
        return ()
    found: dict[str, SectorMember] = {}
    for row in _records(companies):
        symbol = _symbol(row.get("symbol"))
        if symbol is None:
            lost("company", symbol=symbol)
            continue
        member = SectorMember(
            symbol=symbol,
            name=_text(row.get("name")) or symbol,
            rating=_text(row.get("rating")) or None,
            weight=times(first_number(row, ("market weight",)), 100.0),
        )
        found.setdefault(symbol, member)
    if not found and len(companies):
        raise ValueError("no company can be read")
    return tuple(found.values())


@dataclass(frozen=True, slots=True)
class _Slot:
    """The time of a calendar entry."""

    day: date
    """In New York."""
    instant: datetime
    """UTC."""
    day_only: bool

    def known_at(self, now: datetime, *, published: bool) -> datetime:
        """Return when a row was known: published ones then, scheduled ones by the last close.

        One published on a day without a time was known by the next open. A calendar doesn't state when a date was
        announced: it is read for today only, and its current entries are assumed to have been in it at the last close.
        """
        if not published:
            return min(self.instant, _last_close(now))
        return sessions().next_open(self.day) if self.day_only else self.instant


def _last_close(now: datetime) -> datetime:
    return sessions().close_of(sessions().last_closed(now))


def earnings_of(pages: Iterable[pd.DataFrame], *, start: date, end: date, now: datetime) -> tuple[EarningsEvent, ...]:
    """Return the results published and announced for the days [start, end], in Yahoo's order, once per company and day.

    Results published after the last close occur twice, as announced and as published, so that a request cut at the
    close still shows that they were due.

    yfinance treats a figure of exactly 0 as missing, and so does this function.

    Args:
        pages: Pages of Yahoo's earnings calendar.
        start: First day, in New York.
        end: Last day.
        now: When the pages were read.
    """
    found: dict[tuple[str, date], EarningsEvent] = {}
    for row in (row for page in pages for row in _records(page)):
        symbol, slot = _symbol(row.get("Symbol")), _slot(row.get("Event Start Date"))
        if symbol is None or slot is None or not start <= slot.day <= end:
            continue
        known = found.get((symbol, slot.day))
        if known is None or known.eps is None:  # an announcement and its results may both be listed
            found[symbol, slot.day] = _earnings(symbol, slot, row, now)
    closed = _last_close(now)
    announced = (replace(event, eps=None, known_at=closed) for event in found.values() if event.known_at > closed)
    return (*announced, *found.values())


def _earnings(symbol: str, slot: _Slot, row: Mapping[str, Any], now: datetime) -> EarningsEvent:
    eps, estimate = first_number(row, ("Reported EPS",)), first_number(row, ("EPS Estimate",))
    if not _is_surprise(eps, estimate, first_number(row, ("Surprise(%)",))):
        why = "whose Surprise(%) is not Reported EPS against EPS Estimate"
        contradicted("earnings per share and estimate", why, since=slot.known_at(now, published=eps is not None))
        eps = estimate = None
    quarter = _QUARTER.search(_text(row.get("Event Name")))
    return EarningsEvent(
        symbol=symbol,
        name=_text(row.get("Company")) or symbol,
        day=slot.day,
        known_at=slot.known_at(now, published=eps is not None),
        fiscal_period=quarter[0] if quarter else None,
        eps=eps,
        eps_estimate=estimate,
        shares_as_of=now,
    )


def _is_surprise(eps: float | None, estimate: float | None, surprise: float | None) -> bool:
    """Tell whether a surprise in percent is that of the figures, which may be rounded to cents."""
    if eps is None or not estimate or surprise is None:
        return True
    parts = [EPS_ROUNDED / abs(figure) if round(figure, 2) == figure else 0.0 for figure in (eps, estimate) if figure]
    rounded = 100.0 * abs(eps / estimate) * sum(parts)
    return abs(abs(surprise) - abs(100.0 * (eps / estimate - 1))) <= SURPRISE_ROUNDED + rounded


def economy_of(pages: Iterable[pd.DataFrame], *, start: date, end: date, now: datetime) -> tuple[EconomicEvent, ...]:
    """Return the US releases, past and scheduled, of the days [start, end], in Yahoo's order.

    Releases after the last close occur twice, as in `earnings_of`.

    Yahoo gives no units: `unit` stays empty. yfinance treats a figure of exactly 0 as missing, and so does this
    function.

    Args:
        pages: Pages of Yahoo's economic calendar, of all countries.
        start: First day, in New York.
        end: Last day.
        now: When the pages were read.
    """
    found: dict[EconomicEvent, None] = {}
    for row in (row for page in pages for row in _records(page)):
        name, slot = _text(row.get("Event")).rstrip("* "), _slot(row.get("Event Time"))
        if name and slot is not None and row.get("Region") == "US" and start <= slot.day <= end:
            found[_release(name, slot, row, now)] = None
    closed = _last_close(now)
    scheduled = (replace(event, value=None, known_at=closed) for event in found if event.known_at > closed)
    return (*scheduled, *found)


def _release(name: str, slot: _Slot, row: Mapping[str, Any], now: datetime) -> EconomicEvent:
    value = first_number(row, ("Actual",))
    return EconomicEvent(
        name=name,
        day=slot.day,
        known_at=slot.known_at(now, published=value is not None),
        period=_text(row.get("For") or row.get("Period")) or None,
        value=value,
        previous=first_number(row, ("Last",)),
        estimate=first_number(row, ("Expected",)),
        read_at=now,
    )


def _slot(stamp: Any) -> _Slot | None:
    """Parse a calendar's time. Midnight, in UTC or New York, denotes a day without a time."""
    if not isinstance(stamp, datetime) or stamp != stamp:  # NaT is a datetime that differs from itself
        return None
    instant = datetime.fromtimestamp(stamp.replace(tzinfo=stamp.tzinfo or UTC).timestamp(), UTC)
    local = instant.astimezone(NEW_YORK)
    if instant.time() == time.min:
        return _Slot(day=instant.date(), instant=instant, day_only=True)
    return _Slot(day=local.date(), instant=instant, day_only=local.time() == time.min)


def _records(frame: pd.DataFrame) -> list[dict[str, Any]]:
    return frame.reset_index().to_dict("records")  # type: ignore[return-value]


def _symbol(value: Any) -> str | None:
    """Return a symbol as Yahoo spells it, which is our spelling; None for an invalid one.

    It isn't normalized: Yahoo's WTI is a company, while a person means the oil.
    """
    try:
        normalise(value)
    except BadSymbol:
        return None
    return str(value).strip().upper()


def _text(value: Any) -> str:
    return " ".join(value.split()) if isinstance(value, str) else ""
